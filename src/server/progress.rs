//! Progress of what takes long, shown by clients that can, and stopped where their user wants that.

use std::sync::{Mutex, PoisonError};

use serde_json::json;

use super::outbox::Outbox;

/// With fewer files to read nothing is shown.
const FEWEST_FILES: usize = 100;

/// The progress of one work.
pub(super) struct Progress {
    outbox: Outbox,
    /// The request by which the client learns of it.
    request: i64,
    /// What it is called.
    token: String,
    /// The percentage that was shown last; `None` until anything was.
    shown: Mutex<Option<usize>>,
}

impl Progress {
    /// A progress that nobody was shown yet.
    pub(super) fn new(outbox: Outbox, request: i64) -> Self {
        Self {
            outbox,
            request,
            token: format!("signature-ls/{request}"),
            shown: Mutex::default(),
        }
    }

    /// What the client calls it.
    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// Shows that so many files are read of all.
    pub(super) fn report(&self, done: usize, all: usize) {
        if all < FEWEST_FILES {
            return;
        }
        let percentage = done * 100 / all;
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let message = format!("{done} of {all} files");
        match *shown {
            None => {
                let params = json!({"token": self.token});
                let method = "window/workDoneProgress/create";
                self.outbox.request(self.request, method, params);
                self.send(json!({
                    "kind": "begin",
                    "title": "Reading the workspace",
                    "cancellable": true,
                    "message": message,
                    "percentage": percentage,
                }));
            }
            Some(last) if percentage <= last => return,
            Some(_) => self.send(json!({
                "kind": "report",
                "cancellable": true,
                "message": message,
                "percentage": percentage,
            })),
        }
        *shown = Some(percentage);
    }

    /// Shows that it is done.
    pub(super) fn end(&self) {
        let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.is_some() {
            self.send(json!({"kind": "end"}));
        }
    }

    fn send(&self, value: serde_json::Value) {
        let params = json!({"token": self.token, "value": value});
        self.outbox.notify("$/progress", params);
    }
}
