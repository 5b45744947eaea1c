//! A text of one line `key: value` of plain scalars, which is read without the parser: most parts of a long mapping are
//! such lines, and to start the parser takes longer than to read them.

use std::ops::Range;

/// The key and the value that `text` consists of, if both are plain and of characters that have no meaning in YAML.
pub(super) fn entry(text: &str) -> Option<(Range<usize>, Range<usize>)> {
    let line = text.strip_suffix('\n').unwrap_or(text);
    let line = line
        .strip_suffix('\r')
        .filter(|it| it.len() + 2 == text.len())
        .unwrap_or(line);
    let (key, after) = line.split_once(':')?;
    let value = after.trim_start_matches(' ');
    let is_entry = value.len() < after.len() && is_key(key) && is_value(value);
    let start = line.len() - value.len();
    is_entry.then_some((0..key.len(), start..line.len()))
}

fn is_key(key: &str) -> bool {
    let is_inner = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-');
    begins_plainly(key) && key.bytes().all(is_inner)
}

fn is_value(value: &str) -> bool {
    let is_inner =
        |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-' | b'.' | b'/' | b' ');
    begins_plainly(value) && value.bytes().all(is_inner) && !value.ends_with(' ')
}

fn begins_plainly(scalar: &str) -> bool {
    let first = scalar.bytes().next();
    first.is_some_and(|it| it.is_ascii_alphanumeric() || it == b'_')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::host::yaml::{
        keep::Keep,
        read::{read_part, read_with_parser},
    };

    #[test]
    fn only_plain_lines_are_entries() {
        for (text, expected) in [
            ("a: 1\n", Some((0..1, 3..4))),
            ("max-turns:  3 or 4\r\n", Some((0..9, 12..18))),
            ("a: b", Some((0..1, 3..4))),
            ("a:1\n", None),
            ("a: \n", None),
            ("a: b # c\n", None),
            ("a: b: c\n", None),
            ("a: b\n\n", None),
            ("a: b\r", None),
            ("a: b \n", None),
            ("- a: b\n", None),
            (" a: b\n", None),
            ("a: -1\n", None),
        ] {
            assert_eq!(entry(text), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn lines_are_read_as_the_parser_does(
            key in "[a-z0-9_]{1,2}[a-z-]{0,3}|null|true|signature|tools",
            gap in " {0,3}",
            value in "[a-zA-Z0-9_./ -]{0,8}|null|~|1e3|0x1F|2024-01-02|---|a:b|#x",
            end in "|\n|\r\n|\r|\n\n| \n",
        ) {
            let text = format!("{key}:{gap}{value}{end}");
            let keep = Keep::default();
            let read = read_part(&text, 0..text.len(), keep);
            let expected = read_with_parser(&text, 0, keep);
            prop_assert_eq!(format!("{read:?}"), format!("{expected:?}"), "{:?}", text);
        }
    }
}
