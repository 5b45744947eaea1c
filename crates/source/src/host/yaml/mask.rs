//! Colons in plain values, which YAML reads as those of keys: `signature: (limit: int) -> :int`.
//!
//! After an error, such a colon is hidden from the parser, so that the line is read as intended, and the text after it
//! as it is.

/// Replaces a hidden colon. It has the same length, and no text contains it.
const MASK: &str = "\u{7f}";

/// `text` with hidden colons in the plain values of its lines; `None` if there are none.
pub(super) fn masked(text: &str) -> Option<String> {
    if text.contains(MASK) {
        return None;
    }
    let mut masked = String::with_capacity(text.len());
    for line in text.split_inclusive(['\r', '\n']) {
        let value = value_start(line).unwrap_or(line.len());
        let (key, value) = line.split_at(value);
        let comment = value.find(" #").unwrap_or(value.len());
        let (value, comment) = value.split_at(comment);
        masked.push_str(key);
        masked.push_str(&hidden(value));
        masked.push_str(comment);
    }
    (masked != text).then_some(masked)
}

/// `value` with its colons restored.
pub(super) fn shown(value: &str) -> String {
    value.replace(MASK, ":")
}

/// Where the plain value of a line such as `- key: value` begins.
fn value_start(line: &str) -> Option<usize> {
    let key = line.trim_start_matches([' ', '-']);
    let colon = key.find(':')?;
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '"' | '\'');
    let following = key[colon + 1..].trim_start_matches([' ', '\t']);
    let is_plain = !following.starts_with(|c: char| "\"'|>&*!%@`{[#".contains(c));
    let is_key = colon > 0 && key[..colon].chars().all(is_word);
    let has_space = following.len() < key.len() - colon - 1;
    (is_key && is_plain && has_space).then(|| line.len() - following.len())
}

/// `value` without the colons that would end a key.
fn hidden(value: &str) -> String {
    let mut hidden = value.replace(": ", "\u{7f} ").replace(":\t", "\u{7f}\t");
    let written = hidden.trim_end().len();
    if hidden[..written].ends_with(':') {
        hidden.replace_range(written - 1..written, MASK);
    }
    hidden
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colons_in_plain_values_are_hidden() {
        for (text, expected) in [
            ("a: b: c\n", Some("a: b\u{7f} c\n")),
            (
                "- x:\n    y: (b: int): # c: d\n",
                Some("- x:\n    y: (b\u{7f} int)\u{7f} # c: d\n"),
            ),
            ("a: 'b: c'\nd: {e: f}\ng:\n  h: i:j\n", None),
            ("a: \u{7f} b: c\n", None),
        ] {
            assert_eq!(masked(text).as_deref(), expected, "{text}");
            if let Some(masked) = expected {
                assert_eq!(shown(masked), text);
            }
        }
    }
}
