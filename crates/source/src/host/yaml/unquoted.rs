//! Unquoted signatures in braces, which YAML splits at their commas: `{signature: (a :int, b :int) -> :int}`.
//!
//! The characters that would split such a signature are hidden from the parser, so that it is read as one text.

use super::hidden::Masks;
use crate::{
    host::{
        evidence::{self, Evidence},
        roles::{KeyRole, NameKind, fixed_role},
    },
    text::{TextRange, size},
};

/// The characters that split a plain scalar in braces.
pub(super) const MASKS: Masks<6> = Masks([
    (',', '\u{10}'),
    ('[', '\u{11}'),
    (']', '\u{12}'),
    ('{', '\u{13}'),
    ('}', '\u{14}'),
    (':', '\u{15}'),
]);

/// `text` with such signatures hidden; `None` if there are none.
pub(super) fn masked(text: &str) -> Option<String> {
    let mut masked = String::new();
    let mut kept = 0;
    for range in signatures(text) {
        let range = std::ops::Range::<usize>::from(range);
        masked.push_str(&text[kept..range.start]);
        masked.extend(text[range.clone()].chars().map(|it| MASKS.hidden(it)));
        kept = range.end;
    }
    if kept == 0 || MASKS.are_in(text) {
        return None;
    }
    masked.push_str(&text[kept..]);
    Some(masked)
}

/// The signatures in braces that YAML would split, in order.
fn signatures(text: &str) -> impl Iterator<Item = TextRange> {
    let mut end = 0;
    memchr::memchr_iter(b':', text.as_bytes()).filter_map(move |colon| {
        let start = value_start(text, colon).filter(|_| end <= colon)?;
        let written = extent(&text[start..])?;
        let is_cut = written.contains([',', '[', '{']);
        let is_ours = || evidence::of_signature(written) >= Some(Evidence::Likely);
        (is_cut && is_ours()).then(|| {
            end = start + written.len();
            TextRange::new(size(start), size(end))
        })
    })
}

/// Where the signature after the `colon` of a key in braces begins.
fn value_start(text: &str, colon: usize) -> Option<usize> {
    let following = &text[colon + 1..];
    let value = following.trim_start_matches([' ', '\t']);
    let begins =
        value.len() < following.len() && (value.starts_with('(') || value.starts_with("->"));
    if !begins {
        return None;
    }
    let before = &text[..colon];
    let end = before.trim_end_matches(['"', '\'']);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let ahead = end.trim_end_matches(is_word);
    let is_signature = fixed_role(NameKind::Key, &end[ahead.len()..]) == Some(KeyRole::Signature);
    let ahead = ahead.trim_end_matches(['"', '\'']).trim_end();
    (is_signature && ahead.ends_with(['{', ','])).then(|| text.len() - value.len())
}

/// The start of `rest` up to the comma or the brace outside of its brackets; `None` if these are not closed on the
/// line.
fn extent(rest: &str) -> Option<&str> {
    let mut open = Vec::new();
    for (at, c) in rest.char_indices() {
        match c {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' if open.last() == Some(&c) => {
                open.pop();
            }
            ',' | '}' | '\r' | '\n' if open.is_empty() => return Some(rest[..at].trim_end()),
            ')' | ']' | '}' | '\r' | '\n' | '"' | '\'' | '#' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> = signatures(text).map(|range| &text[range]).collect();
        assert_eq!(found, expected, "{text}");
        match masked(text) {
            Some(masked) => {
                assert_eq!(masked.len(), text.len());
                assert_eq!(MASKS.shown(masked), text);
            }
            None => assert!(expected.is_empty()),
        }
    }

    #[test]
    fn a_signature_in_braces_reaches_to_the_comma_or_brace_outside_its_brackets() {
        check(
            "a: {signature: (a :int, b int) -> :int}\n",
            &["(a :int, b int) -> :int"],
        );
        check(
            "{prompt: Go., \"signature\": (a [:int], b {c :int}) -> {d :int} , e: f}",
            &["(a [:int], b {c :int}) -> {d :int}"],
        );
        check(
            "- {signature: (a: int, b :int) -> :int}\n- {\n  signature: -> [:int]\n  }\n",
            &["(a: int, b :int) -> :int", "-> [:int]"],
        );
    }

    #[test]
    fn other_values_are_left_alone() {
        for text in [
            "{signature: (self, x: int) -> str}",
            "{signature: (a, b)}",
            "{signature: (a :int) -> :int}",
            "{signature: (a :int, b :int}",
            "{signature: (a :int, b :int",
            "{signature: (a :int,\n  b :int)}",
            "{signature: \"(a :int, b :int)\"}",
            "{signature:(a :int, b :int)}",
            "{name: (a :int, b :int)}",
            "signature: (a :int, b :int)\n",
            "{signature: (a :int, b \u{10} :int)}",
        ] {
            assert_eq!(masked(text), None, "{text}");
        }
    }
}
