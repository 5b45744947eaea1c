//! One document and the requests about it.

use std::path::Path;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use signature_ls_analysis::{
    ide::{Document, Settings},
    model::Edition,
};
use signature_ls_source::host::HostKind;

use crate::{
    convert, positions,
    request::{Open, Request},
};

/// A page and its document.
#[derive(Default)]
pub struct Session {
    document: Option<Document>,
}

/// An answer, or a sentence that says why there is none.
pub(crate) type Answer = Result<Box<RawValue>, String>;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Outcome {
    Ok(Box<RawValue>),
    Error(String),
}

impl Session {
    /// Answers a request, both as JSON: `{"ok": …}` or `{"error": "…"}`.
    pub fn answer(&mut self, request: &[u8]) -> String {
        let request = serde_json::from_slice(request).map_err(|error| format!("{error}."));
        let outcome = match request.and_then(|it| self.run(it)) {
            Ok(value) => Outcome::Ok(value),
            Err(reason) => Outcome::Error(reason),
        };
        // Values that consist of texts and numbers can be written as JSON.
        serde_json::to_string(&outcome).unwrap_or_default()
    }

    fn run(&mut self, request: Request) -> Answer {
        match request {
            Request::About(_) => return json(convert::about()),
            Request::Open(open) => {
                let document = self.document.insert(opened(&open)?);
                return json(convert::diagnostics(document));
            }
            Request::Panic(_) => panic!("the page asked for it"),
            _ => {}
        }
        let document = self.document.as_mut().ok_or("No text is open.")?;
        match request {
            Request::Edit(edit) => {
                // From the end, so that earlier offsets stay valid.
                for change in edit.changes.into_iter().rev() {
                    let edit = positions::edit(document.text(), change);
                    document.edit(&edit);
                }
                json(convert::diagnostics(document))
            }
            other => convert::answer(document, other),
        }
    }
}

fn opened(open: &Open) -> Result<Document, String> {
    let name = format!("file.{}", open.kind);
    let kind = HostKind::from_path(Path::new(&name))
        .ok_or_else(|| format!("There is no kind of file `.{}`.", open.kind))?;
    let edition = match &open.edition {
        None => Edition::default(),
        Some(name) => name
            .parse()
            .map_err(|_| format!("There is no edition `{name}`."))?,
    };
    let settings = Settings {
        edition,
        ..Settings::default()
    };
    Ok(Document::new(kind, &open.text, settings))
}

/// A value as JSON.
pub(crate) fn json(value: impl Serialize) -> Answer {
    to_raw_value(&value).map_err(|error| format!("{error}."))
}
