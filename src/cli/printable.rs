//! Escapes text from files before it is printed.
//!
//! File names, settings and texts come from repositories. They must not move the cursor of a terminal, reorder the
//! output, or start a line that a CI service reads as a command.

use std::{
    borrow::Cow,
    fmt::Write,
    io::{self, IsTerminal},
    path::Path,
};

use serde::Serialize;

/// The maximum number of bytes that are printed of one text.
const MAX_LEN: usize = 4_096;

/// `text` on one line, with an escape for each character that a terminal interprets, truncated if it is very long.
pub(super) fn printable(text: &str) -> Cow<'_, str> {
    if text.len() <= MAX_LEN {
        return escaped(text);
    }
    let mut ends = (0..=MAX_LEN).rev();
    let end = ends.find(|end| text.is_char_boundary(*end));
    Cow::Owned(format!("{}…", escaped(&text[..end.unwrap_or_default()])))
}

fn escaped(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_active) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match is_active(char) {
            // Writing to a string cannot fail.
            true => drop(write!(escaped, "\\u{{{:x}}}", u32::from(char))),
            false => escaped.push(char),
        }
    }
    Cow::Owned(escaped)
}

/// Source lines with a replacement for each character that a terminal interprets, one for one, so that columns stay.
///
/// ASCII is left to the renderer of the lines, which replaces control characters and needs line breaks and tabs.
pub(super) fn printable_source(lines: &str) -> String {
    let is_replaced = |char: char| !char.is_ascii() && is_active(char);
    lines.replace(is_replaced, "\u{fffd}")
}

/// Writes whole lines to standard output: unchanged for programs and files, with escapes on a terminal.
///
/// # Errors
/// If `out`, which leads there, fails.
pub(super) fn write_lines(text: &str, out: &mut (impl io::Write + ?Sized)) -> io::Result<()> {
    if !io::stdout().is_terminal() {
        return out.write_all(text.as_bytes());
    }
    text.lines()
        .try_for_each(|line| writeln!(out, "{}", escaped(line)))
}

/// `path` as it is printed at the start of a line.
pub(super) fn printable_path(path: &Path) -> String {
    let path = path.to_string_lossy();
    let printable = printable(&path);
    match printable.starts_with([':', '#']) {
        true => format!("./{printable}"),
        false => printable.into_owned(),
    }
}

/// Writes `value` as JSON and a line break. Characters that [`printable`] escapes are escaped here as JSON does.
///
/// # Errors
/// If `out` fails.
pub(super) fn write_printable_json(
    out: &mut dyn io::Write,
    value: &impl Serialize,
) -> io::Result<()> {
    let json = serde_json::to_string_pretty(value)?;
    let mut rest = json.as_str();
    // Of these, only line breaks occur outside of strings.
    while let Some(at) = rest.find(|char| char != '\n' && is_active(char)) {
        let (before, after) = rest.split_at(at);
        out.write_all(before.as_bytes())?;
        let mut chars = after.chars();
        if let Some(char) = chars.next() {
            // All of them are in the basic plane.
            write!(out, "\\u{:04x}", u32::from(char))?;
        }
        rest = chars.as_str();
    }
    writeln!(out, "{rest}")
}

/// Whether a terminal interprets the character instead of showing it.
fn is_active(char: char) -> bool {
    let is_bidi = matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_line_end = matches!(char, '\u{2028}' | '\u{2029}');
    is_bidi || is_line_end || char.is_control() && char != '\t'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts_on_a_terminal() {
        for (text, shown) in [
            ("lib/é 😀\t.ex", "lib/é 😀\t.ex"),
            ("a\u{1b}[2J\u{7}", "a\\u{1b}[2J\\u{7}"),
            ("x\n::warning::hi\n.ex", "x\\u{a}::warning::hi\\u{a}.ex"),
            (
                "\u{202e}txe\u{9b}\u{7f}\r",
                "\\u{202e}txe\\u{9b}\\u{7f}\\u{d}",
            ),
        ] {
            assert_eq!(printable(text), shown);
        }
        assert_eq!(
            printable_path(Path::new("::error::x.ex")),
            "./::error::x.ex"
        );
        let mut json = Vec::new();
        let value = ["a\u{202e}b\u{9b}\n", "é\u{2028}"];
        write_printable_json(&mut json, &value).unwrap();
        let json = String::from_utf8(json).unwrap();
        assert_eq!(json, "[\n  \"a\\u202eb\\u009b\\n\",\n  \"é\\u2028\"\n]\n");
        assert_eq!(serde_json::from_str::<Vec<String>>(&json).unwrap(), value);
        let long = "é".repeat(MAX_LEN);
        assert_eq!(printable(&long).len(), MAX_LEN + '…'.len_utf8());
    }
}
