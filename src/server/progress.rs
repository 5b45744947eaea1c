//! The progress of long work, shown by clients that support it, and cancelable by their users.

use std::sync::{Mutex, PoisonError};

use serde_json::json;

use super::outbox::Outbox;

/// Reading fewer files than this shows no progress.
const FEWEST_FILES: usize = 100;

/// The progress of some work.
pub(super) struct Progress {
    outbox: Outbox,
    /// The request that creates it in the client.
    request: i64,
    /// What the client calls it.
    token: String,
    /// The percentage that was shown last; `None` before the first.
    shown: Mutex<Option<usize>>,
}

impl Progress {
    /// A progress that is not shown yet.
    pub(super) fn new(outbox: Outbox, request: i64) -> Self {
        Self {
            outbox,
            request,
            token: format!("signature-ls/{request}"),
            shown: Mutex::default(),
        }
    }

    /// Its token.
    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// Shows the number of files that are read.
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

    /// Shows the end.
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
