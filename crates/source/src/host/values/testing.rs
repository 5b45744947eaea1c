//! What the tests of every reader of terms share: a value as text, each part with its place.

use crate::value::{Value, ValueKind};

/// `value`, which was read from `text`, one part per line.
pub(super) fn dump(text: &str, value: &Value) -> String {
    let mut dumped = String::new();
    push(text, value, 0, "", &mut dumped);
    dumped
}

fn push(text: &str, value: &Value, depth: usize, key: &str, dumped: &mut String) {
    let mut place: String = text[value.range].chars().take(10).collect();
    if text[value.range].chars().count() > 10 {
        place.push('…');
    }
    let what = match &value.kind {
        ValueKind::List(_) => "list".to_owned(),
        ValueKind::Map(_) => "map".to_owned(),
        ValueKind::Datetime(_) => value.to_string(),
        other => format!("{other:?}"),
    };
    dumped.push_str(&format!("{}{key}{what} {place:?}\n", "  ".repeat(depth)));
    match &value.kind {
        ValueKind::List(items) => {
            for item in items {
                push(text, item, depth + 1, "", dumped);
            }
        }
        ValueKind::Map(entries) => {
            for entry in entries {
                let name = entry.key.name.as_ref();
                let name = name.map_or("?".to_owned(), |name| format!("{name:?}"));
                push(text, &entry.value, depth + 1, &format!("{name} = "), dumped);
            }
        }
        _ => {}
    }
}
