//! The bodies of strings with backslash escapes, as JSON and Lisp have them.

use crate::host::token_tree::Kind;

/// The next part of the body of a string that `quote` ends, or its end: a kind and a length.
///
/// `None` at the end of the text, and at a line end where the string may not go on after it.
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
