//! The values of a file: one JSON text, or one on each line.

use crate::{
    contract::{
        Value,
        json::{self, Error, ErrorKind},
    },
    text::{TextSize, size},
};

/// A value or why it is none, and the byte from which its ranges count.
pub(super) type Read = (TextSize, Result<Value, Error>);

/// Reads all values of `text`. It has one on each line if its first line is one and more follows.
pub(super) fn read(text: &str) -> Vec<Read> {
    let whole = json::read(text);
    let is_more = matches!(whole, Err(error) if error.kind == ErrorKind::TextAfterValue);
    if is_more && first_line(text).is_some_and(|line| json::read(line).is_ok()) {
        return lines(text);
    }
    vec![(TextSize::default(), whole)]
}

fn first_line(text: &str) -> Option<&str> {
    text.lines().find(|line| !line.trim().is_empty())
}

fn lines(text: &str) -> Vec<Read> {
    let mut start = 0;
    let mut values = Vec::new();
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            // Without the line end, so that what is missing is missing in this line.
            values.push((size(start), json::read(line.trim_end())));
        }
        start += line.len();
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where each value begins, and whether it is one.
    fn starts(text: &str) -> Vec<(u32, bool)> {
        let values = read(text).into_iter();
        values
            .map(|(start, value)| (start.into(), value.is_ok()))
            .collect()
    }

    #[test]
    fn a_file_holds_one_value_or_one_on_each_line() {
        assert_eq!(starts("{\n\"a\": 1\n}\n"), [(0, true)]);
        assert_eq!(
            starts("1\n\n[2,\n3\r\n"),
            [(0, true), (3, false), (7, true)]
        );
        assert_eq!(
            starts("\n{}\n{}"),
            [(0, true), (4, true)].map(|(at, ok)| (at.max(1), ok))
        );
        assert_eq!(starts("{\n}\n}"), [(0, false)]);
        assert_eq!(starts("1 2\n3"), [(0, false)]);
        assert_eq!(starts(""), [(0, false)]);
    }

    #[test]
    fn what_a_line_lacks_is_missing_in_that_line() {
        let values = read("1\n[2,\r\n3\n");
        let (start, error) = (values[1].0, values[1].1.as_ref().unwrap_err());
        assert_eq!(start + error.range.start(), TextSize::from(5));
    }
}
