//! URIs as clients spell them.
//!
//! Some clients send characters that no URI has as they are, such as the brackets of `pages/[id].md`. Such
//! a URI is read as if they were encoded, and sent back as the client spells it.

use std::{
    collections::BTreeMap,
    fmt::Write,
    str::FromStr,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde_json::Value;
use tower_lsp::ls_types::Uri;

/// The URIs that clients spelled otherwise than the standard, by the standard's spelling.
#[derive(Debug, Default)]
pub(super) struct Spellings(Mutex<BTreeMap<String, String>>);

impl Spellings {
    /// Corrects the URIs in what a client sent.
    pub(super) fn correct(&self, params: &mut Value) {
        match params {
            Value::Object(fields) => {
                for (name, value) in fields {
                    match value {
                        Value::String(uri) if name == "uri" || name.ends_with("Uri") => {
                            self.correct_uri(uri);
                        }
                        value => self.correct(value),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.correct(item)),
            _ => {}
        }
    }

    fn correct_uri(&self, uri: &mut String) {
        if Uri::from_str(uri).is_ok() {
            return;
        }
        let encoded = encode(uri);
        if Uri::from_str(&encoded).is_ok() {
            let spelled = std::mem::replace(uri, encoded.clone());
            self.locked().insert(encoded, spelled);
        }
    }

    /// Puts the client's spelling into a message to it, which is JSON.
    pub(super) fn restore(&self, message: String) -> String {
        let spellings = self.locked();
        spellings.iter().fold(message, |message, (uri, spelled)| {
            message.replace(&format!("\"{uri}\""), &Value::from(&**spelled).to_string())
        })
    }

    fn locked(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `uri` with all encoded that a URI cannot have as it is.
fn encode(uri: &str) -> String {
    let mut encoded = String::with_capacity(uri.len());
    for (at, byte) in uri.bytes().enumerate() {
        let is_code = |code: &[u8]| code.iter().all(u8::is_ascii_hexdigit);
        let stands = match byte {
            b'%' => uri.as_bytes().get(at + 1..at + 3).is_some_and(is_code),
            byte => byte.is_ascii_alphanumeric() || b"-._~:/?#@!$&'()*+,;=".contains(&byte),
        };
        if stands {
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
    fn what_no_uri_has_is_encoded_and_comes_back() {
        for (uri, corrected) in [
            ("file:///pages/[id].md", "file:///pages/%5Bid%5D.md"),
            ("file:///a b/ä%20.ex", "file:///a%20b/%C3%A4%20.ex"),
            ("file:///100%/a\"b.ex", "file:///100%25/a%22b.ex"),
        ] {
            let spellings = Spellings::default();
            let mut params =
                json!({"textDocument": {"uri": uri, "text": uri}, "changes": [{"uri": uri}]});
            spellings.correct(&mut params);
            assert_eq!(
                params,
                json!({"textDocument": {"uri": corrected, "text": uri}, "changes": [{"uri": corrected}]})
            );
            let back = spellings.restore(json!({"uri": corrected, "x": 1}).to_string());
            assert_eq!(back, json!({"uri": uri, "x": 1}).to_string());
        }
    }

    #[test]
    fn what_is_right_or_no_uri_at_all_stays() {
        let spellings = Spellings::default();
        for uri in [
            "file:///a/%5Bid%5D.md",
            "untitled:Untitled-1",
            "file://[::1]/a.ex",
            "a b",
            "",
        ] {
            let mut params = json!({ "rootUri": uri });
            spellings.correct(&mut params);
            assert_eq!(params, json!({ "rootUri": uri }));
        }
    }
}
