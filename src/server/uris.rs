//! URIs in the spelling of the client.
//!
//! Some clients send characters that are not valid in URIs, such as the brackets of `pages/[id].md`. Such a URI is
//! read as if they were encoded. The URI of an open document is sent back in the client's spelling.

use std::{borrow::Cow, collections::VecDeque, fmt::Write, str::FromStr};

use foldhash::HashMap;
use serde_json::Value;
use tower_lsp::ls_types::Uri;

/// How many spellings of closed documents are kept, because messages about them may be queued.
const MOST_CLOSED: usize = 64;

/// The client's spellings of open documents that differ from the standard, by the standard spelling.
#[derive(Debug, Default)]
pub(super) struct ClientUris {
    known: HashMap<String, Spelling>,
    /// Those of closed documents, the first closed first.
    closed: VecDeque<String>,
}

#[derive(Debug)]
struct Spelling {
    spelled: String,
    is_open: bool,
}

impl ClientUris {
    /// Corrects the URIs in the parameters of `method`.
    pub(super) fn correct(&mut self, method: &str, params: &mut Value) {
        let document = params.pointer("/textDocument/uri").and_then(Value::as_str);
        let document = document.map(str::to_owned);
        correct(params);
        let corrected = params.pointer("/textDocument/uri").and_then(Value::as_str);
        let (Some(spelled), Some(corrected)) = (document, corrected) else {
            return;
        };
        match method {
            "textDocument/didOpen" => self.opened(corrected, spelled),
            "textDocument/didClose" => self.closed(corrected),
            _ => {}
        }
    }

    fn opened(&mut self, uri: &str, spelled: String) {
        if uri == spelled {
            self.known.remove(uri);
            return;
        }
        let is_open = true;
        self.known
            .insert(uri.to_owned(), Spelling { spelled, is_open });
    }

    fn closed(&mut self, uri: &str) {
        let Some(spelling) = self.known.get_mut(uri) else {
            return;
        };
        spelling.is_open = false;
        self.closed.push_back(uri.to_owned());
        if self.closed.len() > MOST_CLOSED
            && let Some(first) = self.closed.pop_front()
            && self.known.get(&first).is_some_and(|it| !it.is_open)
        {
            self.known.remove(&first);
        }
    }

    /// Inserts the client's spelling into a JSON message to it.
    pub(super) fn restore(&self, message: String) -> String {
        if self.known.is_empty() {
            return message;
        }
        let mut restored = String::new();
        let mut copied = 0;
        for (start, end) in strings(&message) {
            if let Some(spelling) = self.known.get(&message[start..end]) {
                let spelled = Value::from(&*spelling.spelled).to_string();
                restored.push_str(&message[copied..start]);
                let spelled = spelled
                    .strip_prefix('"')
                    .and_then(|it| it.strip_suffix('"'));
                restored.push_str(spelled.unwrap_or_default());
                copied = end;
            }
        }
        restored.push_str(&message[copied..]);
        restored
    }
}

/// Where the strings of a JSON text begin and end, without their quotes.
fn strings(json: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + memchr::memchr(b'"', json.as_bytes().get(at..)?)? + 1;
        let mut end = start;
        loop {
            end += memchr::memchr2(b'"', b'\\', json.as_bytes().get(end..)?)?;
            if json.as_bytes()[end] == b'"' {
                break;
            }
            end += 2;
        }
        at = end + 1;
        Some((start, end))
    })
}

fn correct(params: &mut Value) {
    match params {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(uri) if name == "uri" || name.ends_with("Uri") => {
                        if let Cow::Owned(corrected) = corrected(uri) {
                            *uri = corrected;
                        }
                    }
                    value => correct(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(correct),
        _ => {}
    }
}

fn corrected(uri: &str) -> Cow<'_, str> {
    if Uri::from_str(uri).is_ok() {
        return Cow::Borrowed(uri);
    }
    let encoded = encode(uri);
    match Uri::from_str(&encoded).is_ok() {
        true => Cow::Owned(encoded),
        false => Cow::Borrowed(uri),
    }
}

/// `uri` with all invalid characters encoded.
fn encode(uri: &str) -> String {
    let mut encoded = String::with_capacity(uri.len());
    for (at, byte) in uri.bytes().enumerate() {
        let is_code = |code: &[u8]| code.iter().all(u8::is_ascii_hexdigit);
        let is_kept = match byte {
            b'%' => uri.as_bytes().get(at + 1..at + 3).is_some_and(is_code),
            byte => byte.is_ascii_alphanumeric() || b"-._~:/?#@!$&'()*+,;=".contains(&byte),
        };
        if is_kept {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn invalid_characters_are_encoded_and_restored() {
        for (uri, corrected) in [
            ("file:///pages/[id].md", "file:///pages/%5Bid%5D.md"),
            ("file:///a b/ä%20.ex", "file:///a%20b/%C3%A4%20.ex"),
            ("file:///100%/a\"b.ex", "file:///100%25/a%22b.ex"),
            ("file:///a\"", "file:///a%22"),
        ] {
            let mut uris = ClientUris::default();
            let mut params =
                json!({"textDocument": {"uri": uri, "text": uri}, "changes": [{"uri": uri}]});
            uris.correct("textDocument/didOpen", &mut params);
            assert_eq!(
                params,
                json!({"textDocument": {"uri": corrected, "text": uri}, "changes": [{"uri": corrected}]})
            );
            let back =
                uris.restore(json!({"x": "\\\"", corrected: [{"uri": corrected}]}).to_string());
            assert_eq!(back, json!({"x": "\\\"", uri: [{"uri": uri}]}).to_string());
        }
    }

    #[test]
    fn only_the_spellings_of_open_documents_are_kept() {
        let mut uris = ClientUris::default();
        let mut tell = |method: &str, uri: &str| {
            let mut params = json!({"textDocument": {"uri": uri}, "changes": [{"uri": uri}]});
            uris.correct(method, &mut params);
            uris.known.len()
        };
        assert_eq!(tell("workspace/didChangeWatchedFiles", "file:///[a].ex"), 0);
        assert_eq!(tell("textDocument/didOpen", "file:///[a].ex"), 1);
        for index in 0..1_000 {
            let uri = format!("file:///[{index}].ex");
            tell("textDocument/didOpen", &uri);
            tell("textDocument/didClose", &uri);
        }
        assert_eq!(
            tell("textDocument/didOpen", "file:///%5Ba%5D.ex"),
            MOST_CLOSED
        );
    }

    #[test]
    fn valid_uris_and_other_texts_are_unchanged() {
        let mut uris = ClientUris::default();
        for uri in [
            "file:///a/%5Bid%5D.md",
            "untitled:Untitled-1",
            "file://[::1]/a.ex",
            "a b",
            "",
        ] {
            let mut params = json!({ "rootUri": uri });
            uris.correct("initialize", &mut params);
            assert_eq!(params, json!({ "rootUri": uri }));
        }
    }
}
