//! Writes values as text.

use std::fmt::Write;

use crate::value::{Value, ValueKind, float};

/// `value` as JSON on one line. Keywords and date-times become strings; dynamic values and keys become `null`.
pub fn write(value: &Value) -> String {
    let mut text = String::new();
    push(value, &mut text);
    text
}

fn push(value: &Value, text: &mut String) {
    match &value.kind {
        ValueKind::Null | ValueKind::Dynamic => text.push_str("null"),
        ValueKind::Bool(bool) => push_display(bool, text),
        ValueKind::Int(int) => push_display(int, text),
        ValueKind::BigInt(int) => push_display(int, text),
        ValueKind::Float(float) => text.push_str(&float::json(*float)),
        ValueKind::String(string) | ValueKind::Keyword(string) => push_string(string, text),
        ValueKind::Datetime(datetime) => push_string(&datetime.to_string(), text),
        ValueKind::List(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                push(item, text);
            }
            text.push(']');
        }
        ValueKind::Map(entries) => {
            text.push('{');
            for (index, entry) in entries.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                push_string(entry.key.name.as_deref().unwrap_or("null"), text);
                text.push(':');
                push(&entry.value, text);
            }
            text.push('}');
        }
    }
}

fn push_display(value: &impl std::fmt::Display, text: &mut String) {
    // Writing to a string cannot fail.
    let _ = write!(text, "{value}");
}

fn push_string(string: &str, text: &mut String) {
    text.push('"');
    for char in string.chars() {
        match char {
            '"' | '\\' => text.extend(['\\', char]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\0'..='\u{1f}' => push_display(&format_args!("\\u{:04x}", u32::from(char)), text),
            other => text.push(other),
        }
    }
    text.push('"');
}
