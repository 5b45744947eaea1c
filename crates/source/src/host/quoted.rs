//! The bodies of strings with backslash escapes, as JSON and Lisp have them.

use crate::{
    host::token_tree::{Element, Kind},
    text::{TextRange, TextSize},
};

/// The raw text between the quotes of `string`, and its place.
pub fn content(string: &Element<'_>) -> (String, TextRange) {
    let mut content = string.full_text().split_off(1);
    match string.is_closed() {
        true => drop(content.pop()),
        false => content.truncate(open_len(&content)),
    }
    let start = string.range.start() + TextSize::of('"');
    let range = TextRange::at(start, TextSize::of(content.as_str()));
    (content, range)
}

/// The length of the text of an unclosed string: unmatched closing brackets, and the comma before them, belong to the
/// code around it.
fn open_len(text: &str) -> usize {
    let mut depth = 0_usize;
    let stray = text.char_indices().find(|(_, c)| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return true,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        false
    });
    let inside = &text[..stray.map_or(text.len(), |(at, _)| at)];
    match inside.trim_end().strip_suffix(',') {
        Some(before) if depth == 0 => before.len(),
        _ => inside.len(),
    }
}

/// The next part of the body of a string that ends with `quote`, or its end: a kind and a length.
///
/// `None` at the end of the text, and at a line end after which the string may not continue.
pub fn part(rest: &str, quote: u8, spans_lines: bool) -> Option<(Kind, usize)> {
    let bytes = rest.as_bytes();
    match bytes.first()? {
        byte if *byte == quote => Some((Kind::StringClose, 1)),
        b'\\' => {
            let escaped = rest[1..].chars().next();
            let escaped = escaped.filter(|c| spans_lines || !matches!(c, '\r' | '\n'));
            Some((Kind::Escape, 1 + escaped.map_or(0, char::len_utf8)))
        }
        _ => {
            let len = text_len(bytes, quote, spans_lines);
            (len > 0).then_some((Kind::Text, len))
        }
    }
}

/// The length of plain text up to the next part, at most to the end of the line.
fn text_len(bytes: &[u8], quote: u8, spans_lines: bool) -> usize {
    let end = memchr::memchr3(quote, b'\\', b'\n', bytes).unwrap_or(bytes.len());
    if bytes.get(end) != Some(&b'\n') {
        return end;
    }
    match spans_lines {
        true => end + 1,
        false if bytes[..end].ends_with(b"\r") => end - 1,
        false => end,
    }
}
