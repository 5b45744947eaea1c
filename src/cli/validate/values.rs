//! The values of an input: one JSON value, or one per line.

use std::io::{BufRead, Read};

use crate::files::{LONGEST, ReadError, decode};
use signature_ls_analysis::contract::json;

/// Calls `visit` with the text of each value of `input` and the number of lines before it. If the first line is a
/// value and more follows, there is one value per line; then only one is in memory at a time.
///
/// # Errors
/// If the input fails, is not UTF-8 or has a value over the limit.
pub(super) fn for_each(
    mut input: impl BufRead,
    mut visit: impl FnMut(usize, &str),
) -> Result<(), ReadError> {
    let mut first = Vec::new();
    while first.trim_ascii().is_empty() && read_line(&mut input, &mut first)? {}
    let is_value = |bytes: &[u8]| str::from_utf8(bytes).is_ok_and(|it| json::read(it).is_ok());
    let mut next = Vec::new();
    let has_lines = is_value(&first) && {
        while next.trim_ascii().is_empty() && read_line(&mut input, &mut next)? {}
        !next.trim_ascii().is_empty()
    };
    if !has_lines {
        first.append(&mut next);
        input.take(rest_of(&first)).read_to_end(&mut first)?;
        visit(0, &text_of(first, 0)?);
        return Ok(());
    }
    let mut before = 0;
    loop {
        let text = text_of(first, before)?;
        if !text.trim().is_empty() {
            // Without the line end, so that an error about missing text is in this line.
            visit(before, text.trim_end());
        }
        before += breaks(&text);
        first = next;
        next = Vec::new();
        if first.is_empty() && !read_line(&mut input, &mut first)? {
            return Ok(());
        }
    }
}

/// Appends a line to `line`; returns whether there was one.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool, ReadError> {
    let read = input.take(rest_of(line)).read_until(b'\n', line)?;
    Ok(read > 0)
}

/// The number of bytes that may follow, one more than allowed.
fn rest_of(bytes: &[u8]) -> u64 {
    (u64::from(LONGEST) + 1).saturating_sub(bytes.len() as u64)
}

fn text_of(bytes: Vec<u8>, before: usize) -> Result<String, ReadError> {
    if bytes.len() > LONGEST as usize {
        return Err(ReadError::TooLong);
    }
    decode(bytes).map_err(|error| match error {
        ReadError::NotUtf8 { line } => ReadError::NotUtf8 {
            line: before + line,
        },
        error => error,
    })
}

/// The number of line breaks in `text`: `\n`, `\r\n` and `\r`.
fn breaks(text: &str) -> usize {
    text.matches(['\n', '\r']).count() - text.matches("\r\n").count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For each value, the number of lines before it and whether it is valid.
    fn values(text: &str) -> Vec<(usize, bool)> {
        let mut values = Vec::new();
        for_each(text.as_bytes(), |before, text| {
            values.push((
                before + breaks(&text[..text.len() - text.trim_start().len()]),
                json::read(text).is_ok(),
            ));
        })
        .unwrap();
        values
    }

    #[test]
    fn an_input_holds_one_value_or_one_on_each_line() {
        assert_eq!(values("{\n\"a\": 1\n}\n"), [(0, true)]);
        assert_eq!(
            values("1\n\n[2,\n3\r\n"),
            [(0, true), (2, false), (3, true)]
        );
        assert_eq!(values("\n{}\n{}"), [(1, true), (2, true)]);
        assert_eq!(values("\u{feff}{}\r\n{}"), [(0, true), (1, true)]);
        assert_eq!(values("{}\n\n"), [(0, true)]);
        assert_eq!(values("{\n}\n}"), [(0, false)]);
        assert_eq!(values("1 2\n3"), [(0, false)]);
        assert_eq!(values(""), [(0, false)]);
    }

    #[test]
    fn an_error_about_missing_text_is_in_its_line() {
        let mut texts = Vec::new();
        for_each(&b"1\n[2,\r\n3\n"[..], |before, text| {
            texts.push((before, text.to_owned()))
        })
        .unwrap();
        assert_eq!(texts[1], (1, "[2,".to_owned()));
    }

    #[test]
    fn a_value_over_the_limit_is_not_read() {
        let many = "1\n".repeat(20 << 20);
        let mut count = 0;
        for_each(many.as_bytes(), |_, _| count += 1).unwrap();
        assert_eq!(count, 20 << 20);
        let long = format!("1\n{}", " ".repeat(LONGEST as usize + 1));
        for text in [&long[..], &long[2..]] {
            let read = for_each(text.as_bytes(), |_, _| {});
            assert!(matches!(read, Err(ReadError::TooLong)));
        }
        let read = for_each(&b"1\n2\n\xff"[..], |_, _| {});
        assert!(matches!(read, Err(ReadError::NotUtf8 { line: 3 })));
    }
}
