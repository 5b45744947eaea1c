//! Accepts messages that deviate slightly from the protocol.
//!
//! After a lost change, the server's text would differ from the client's. So numbers that are out of range are
//! replaced by the nearest valid ones, and after a change that cannot be parsed the document counts as closed.
//! Without `initialize`, the client would have no server. So a capability that cannot be read counts as missing.

use serde_json::{Value, json};
use tower_lsp::ls_types as lsp;

const INITIALIZE: &str = "initialize";
const CHANGE: &str = "textDocument/didChange";
const CLOSE: &str = "textDocument/didClose";

/// The fields of a position.
const POSITION: [&str; 2] = ["line", "character"];

/// The method to use for a message with these parameters, which are corrected.
pub(super) fn corrected<'m>(method: &'m str, params: &mut Value) -> &'m str {
    correct_positions(params);
    match method {
        INITIALIZE => {
            if let Some(capabilities) = params.get_mut("capabilities") {
                leave_out_unreadable(capabilities);
            }
            method
        }
        CHANGE if correct_changes(params).is_none() => CLOSE,
        _ => method,
    }
}

/// Removes the capabilities that cannot be read: Lua, for example, writes an empty object as a list.
fn leave_out_unreadable(capabilities: &mut Value) {
    if is_readable(capabilities.clone()) {
        return;
    }
    let Some(sections) = capabilities.as_object_mut() else {
        return;
    };
    for (section, features) in sections.iter_mut() {
        if let Some(features) = features.as_object_mut() {
            features.retain(|name, feature| is_readable(json!({ section: { name: feature } })));
        }
    }
    sections.retain(|section, features| is_readable(json!({ section: features })));
}

/// Takes a value, as the parameters of requests are read from values: code that reads references would be a copy of
/// that for all types.
fn is_readable(capabilities: Value) -> bool {
    serde_json::from_value::<lsp::ClientCapabilities>(capabilities).is_ok()
}

/// Corrects the changes; `None` if the text after them is unknown.
fn correct_changes(params: &mut Value) -> Option<()> {
    if let Some(document) = params
        .get_mut("textDocument")
        .and_then(Value::as_object_mut)
    {
        let version = document.get("version").and_then(Value::as_i64);
        let version = version.and_then(|it| i32::try_from(it).ok());
        // Old clients may omit it.
        document.insert("version".to_owned(), version.unwrap_or_default().into());
    }
    let changes = params.get_mut("contentChanges")?.as_array_mut()?;
    changes.iter_mut().try_for_each(|change| {
        let change = change.as_object_mut()?;
        change.get("text")?.as_str()?;
        // The range says so already.
        change.remove("rangeLength");
        match change.get_mut("range") {
            None | Some(Value::Null) => Some(()),
            Some(range) => is_range(range).then_some(()),
        }
    })
}

/// Corrects the numbers of the positions in `value`, wherever they are.
fn correct_positions(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(correct_positions),
        Value::Object(fields) if POSITION.iter().all(|it| fields.contains_key(*it)) => {
            for name in POSITION {
                let number = &mut fields[name];
                if !is_coordinate(number)
                    && let Some(written) = number.as_f64()
                {
                    *number = nearest(written).into();
                }
            }
        }
        Value::Object(fields) => fields.values_mut().for_each(correct_positions),
        _ => {}
    }
}

fn is_range(range: &Value) -> bool {
    let is_position = |end| POSITION.iter().all(|it| is_coordinate(&range[end][it]));
    is_position("start") && is_position("end")
}

fn is_coordinate(number: &Value) -> bool {
    number.as_u64().is_some_and(|it| it <= u32::MAX.into())
}

fn nearest(number: f64) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "saturates"
    )]
    let nearest = number as u32;
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In whatever message a position is.
    #[test]
    fn a_number_out_of_range_is_replaced_by_the_nearest() {
        for (written, expected) in [
            (json!(-1), 0),
            (json!(99_999_999_999_u64), u32::MAX),
            (json!(1.5), 1),
            (json!(7), 7),
        ] {
            let position = |number: &Value| json!({"line": number, "character": number});
            let params = |number: &Value| {
                let range = json!({"start": position(number), "end": position(number)});
                json!({
                    "position": position(number),
                    "positions": [position(number)],
                    "range": range,
                    "context": {"diagnostics": [{"range": range}]},
                })
            };
            let mut corrected_params = params(&written);
            let method = "textDocument/codeAction";
            assert_eq!(corrected(method, &mut corrected_params), method);
            assert_eq!(corrected_params, params(&json!(expected)));
        }
    }

    #[test]
    fn a_capability_that_cannot_be_read_costs_only_itself() {
        let mut params = json!({"capabilities": {
            "general": {"positionEncodings": ["utf-8"]},
            "textDocument": {
                "callHierarchy": [{"dynamicRegistration": false}],
                "hover": {"contentFormat": ["markdown"]},
                "rename": {"prepareSupport": "yes"},
            },
            "window": true,
            "workspace": [],
        }});
        assert_eq!(corrected(INITIALIZE, &mut params), INITIALIZE);
        let left = json!({
            "general": {"positionEncodings": ["utf-8"]},
            "textDocument": {"hover": {"contentFormat": ["markdown"]}},
        });
        assert_eq!(params["capabilities"], left);
    }
}
