//! Accepts changes that deviate slightly from the protocol.
//!
//! After a lost change, the server's text would differ from the client's. So numbers that are out of range are
//! replaced by the nearest valid ones, and after a change that cannot be parsed the document counts as closed.

use serde_json::{Map, Value};

const CHANGE: &str = "textDocument/didChange";
const CLOSE: &str = "textDocument/didClose";

/// The method to use for a message with these parameters, which are corrected.
pub(super) fn corrected<'m>(method: &'m str, params: &mut Value) -> &'m str {
    if method != CHANGE {
        return method;
    }
    match correct_changes(params) {
        Some(()) => method,
        None => CLOSE,
    }
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
            Some(range) => correct_range(range.as_object_mut()?),
        }
    })
}

fn correct_range(range: &mut Map<String, Value>) -> Option<()> {
    ["start", "end"].into_iter().try_for_each(|end| {
        let position = range.get_mut(end)?.as_object_mut()?;
        ["line", "character"].into_iter().try_for_each(|name| {
            let number = position.get_mut(name)?;
            if number.as_u64().is_none_or(|it| it > u32::MAX.into()) {
                *number = nearest(number.as_f64()?).into();
            }
            Some(())
        })
    })
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
