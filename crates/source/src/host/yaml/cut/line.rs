//! What a line of YAML is, by its own text.

/// The key at the start of `line`, which is inside of a mapping and may be in quotes.
pub(super) fn nested_key(line: &str) -> Option<&str> {
    if is_blank(line) || line.starts_with(['-', '[', ']', '{', '}', ',', '|', '>', '%', '@', '`']) {
        return None;
    }
    let ends = |&(colon, _): &(usize, &str)| {
        let value = &line[colon + 1..];
        value.is_empty() || value.starts_with(char::is_whitespace)
    };
    let (colon, _) = line.match_indices(':').find(ends)?;
    let key = line[..colon].trim().trim_matches(['"', '\'']);
    // What is typed in the indentation of a line is no part of its key.
    (!key.is_empty() && !key.contains("  ")).then_some(key)
}

/// Whether a line cannot begin an entry: text of a scalar whose line was broken, for example.
pub(super) fn is_prose(line: &str) -> bool {
    nested_key(line).is_none_or(|key| {
        let is_quoted = line.starts_with(['"', '\'']);
        !is_quoted && (key.contains(['{', '}', '(', ')', '"', ',']) || key.contains(". "))
    })
}

/// Whether a line ends a document or begins one.
pub(super) fn is_border(line: &str) -> bool {
    if !line.starts_with(['-', '.']) {
        return false;
    }
    let following = line.strip_prefix("---").or(line.strip_prefix("..."));
    following
        .is_some_and(|following| following.is_empty() || following.starts_with(char::is_whitespace))
}

pub(super) fn is_key(line: &str) -> bool {
    if !line.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        return false;
    }
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let following = line.trim_start_matches(is_word);
    following
        .strip_prefix(':')
        .is_some_and(|value| value.is_empty() || value.starts_with([' ', '\t', '\r', '\n']))
}

/// Whether the value of the key at the start of `line` is a plain text or ends in that line.
pub(super) fn ends_in_line(line: &str) -> bool {
    let value = line.split_once(':').map_or("", |(_, value)| value.trim());
    let Some(first) = value.chars().next() else {
        return false;
    };
    if !matches!(first, '"' | '\'' | '[' | '{') {
        return !"-?:,]}#&*!|>%@`".contains(first);
    }
    let mut open = Vec::new();
    for (at, c) in value.char_indices() {
        match (open.last(), c) {
            (Some('"' | '\''), '\\') => return false,
            (Some(quote @ ('"' | '\'')), _) if *quote != c => {}
            (Some('"' | '\''), _) => drop(open.pop()),
            (_, '"' | '\'' | '[' | '{') => open.push(c),
            (_, ']' | '}') => drop(open.pop()),
            _ => {}
        }
        if open.is_empty() {
            // What is left of a broken line may close more.
            let following = value[at + c.len_utf8()..].trim_start_matches([' ', ']', '}', ',']);
            return following.is_empty() || following.starts_with('#');
        }
    }
    false
}

/// Whether `line` contains only a comment.
pub(super) fn is_blank(line: &str) -> bool {
    let written = line.trim_start();
    written.is_empty() || written.starts_with('#')
}

/// Whether `line` is indented, or was until something was typed at its start.
pub(super) fn is_indented(line: &str) -> bool {
    let mut chars = line.chars();
    chars.next() == Some(' ') || chars.as_str().starts_with("  ")
}

/// The indentation of `line`, and the rest of it.
pub(super) fn indented(line: &str) -> (usize, &str) {
    let written = line.trim_start_matches(' ');
    (line.len() - written.len(), written)
}

pub(super) fn is_item(line: &str) -> bool {
    let item = line.strip_prefix('-');
    item.is_some_and(|item| item.is_empty() || item.starts_with([' ', '\t', '\r', '\n']))
}
