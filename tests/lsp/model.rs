//! The simplest model of a document: a string, with columns counted line by line.

use serde_json::{Value, json};

/// The byte at a protocol position; a position outside of the text is clamped, and one inside a character is moved to
/// its start.
pub fn offset(text: &str, encoding: &str, line: u32, character: u32) -> usize {
    let Some(start) = line_starts(text).get(line as usize).copied() else {
        return text.len();
    };
    let mut column = 0;
    for (at, char) in text[start..].char_indices() {
        let width = width(char, encoding);
        if matches!(char, '\r' | '\n') || column + width > u64::from(character) {
            return start + at;
        }
        column += width;
    }
    text.len()
}

/// The protocol position of the byte at `offset`.
pub fn position(text: &str, encoding: &str, offset: usize) -> (u32, u32) {
    let starts = line_starts(text);
    let line = starts.partition_point(|start| *start <= offset) - 1;
    let before = text[starts[line]..offset].chars();
    let column: u64 = before.map(|char| width(char, encoding)).sum();
    let saturated = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    (saturated(line as u64), saturated(column))
}

/// Replaces the text between two positions, like a content change; `None` stands for the whole text.
pub fn apply(text: &mut String, encoding: &str, range: Option<[(u32, u32); 2]>, insert: &str) {
    let Some(ends) = range else {
        insert.clone_into(text);
        return;
    };
    let [start, end] = ends.map(|(line, character)| offset(text, encoding, line, character));
    text.replace_range(start.min(end)..start.max(end), insert);
}

/// The start of the character at `offset`, or the end of the text.
pub fn floor(text: &str, offset: usize) -> usize {
    let mut places = (0..=offset.min(text.len())).rev();
    places
        .find(|it| text.is_char_boundary(*it))
        .unwrap_or_default()
}

/// A position as JSON.
pub fn json_position((line, character): (u32, u32)) -> Value {
    json!({"line": line, "character": character})
}

fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_break = |at: &usize| {
        let is_crlf = bytes[*at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
        matches!(bytes[*at], b'\r' | b'\n') && !is_crlf
    };
    let ends = (0..bytes.len()).filter(is_break);
    [0].into_iter().chain(ends.map(|at| at + 1)).collect()
}

fn width(char: char, encoding: &str) -> u64 {
    let width = match encoding {
        "utf-8" => char.len_utf8(),
        "utf-16" => char.len_utf16(),
        _ => 1,
    };
    width as u64
}
