//! The string that is open at the end of a line.

use signature_ls_source::host::HostKind;

/// A string that begins in a line and does not end in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OpenString {
    /// The start of its content in the line, in bytes.
    pub(super) start: usize,
    /// Its closing delimiter.
    pub(super) closing: String,
}

impl OpenString {
    /// The string of a document of `kind` that is open at the end of `line`.
    pub(super) fn at_end_of(line: &str, kind: HostKind) -> Option<Self> {
        // A heredoc that ends here does not begin here.
        let code = line.trim_start();
        let code = code.strip_prefix("\"\"\"").unwrap_or(code);
        let mut at = line.len() - code.len();
        while at < line.len() {
            let Some(open) = opening(&line[..at], &line[at..], kind) else {
                at += line[at..].chars().next().map_or(1, char::len_utf8);
                continue;
            };
            match end(&line[open.start..], &open.closing) {
                Some(end) => at = open.start + end,
                None => return Some(open),
            }
        }
        None
    }
}

/// The string at the start of `rest`, which follows `before`.
fn opening(before: &str, rest: &str, kind: HostKind) -> Option<OpenString> {
    let has_sigils = kind.facts().has_functions;
    let name = rest.strip_prefix('~').filter(|_| has_sigils).map(|it| {
        let end = it.find(|c: char| !c.is_ascii_alphanumeric());
        1 + end.unwrap_or(it.len())
    });
    let quote_at = name.unwrap_or(0);
    let delimiter = rest[quote_at..].chars().next()?;
    let closing = match (name, delimiter) {
        (_, '"') => '"',
        (Some(2..), '(') => ')',
        (Some(2..), '[') => ']',
        (Some(2..), '{') => '}',
        (Some(2..), '<') => '>',
        (Some(2..), '|' | '/' | '\'') => delimiter,
        // Elsewhere, `'` is an apostrophe, or quotes code.
        (None, '\'') if begins_value(before, kind) => '\'',
        _ => return None,
    };
    let is_character = before.ends_with(['?', '\\']) && name.is_none();
    (!is_character).then(|| OpenString {
        start: before.len() + quote_at + delimiter.len_utf8(),
        closing: closing.to_string(),
    })
}

/// Whether a value of YAML or JSON5 can begin after `before`.
fn begins_value(before: &str, kind: HostKind) -> bool {
    let trimmed = before.trim_end_matches(' ');
    match trimmed.chars().next_back() {
        Some(':') => trimmed != before || kind == HostKind::Json,
        last => matches!(last, Some('-' | '[' | '{' | ',')),
    }
}

/// Where the string with this content ends, after its delimiter.
fn end(content: &str, closing: &str) -> Option<usize> {
    let mut chars = content.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            // A doubled quote is an escaped one.
            '\'' if content[at..].starts_with("''") => drop(chars.next()),
            _ if content[at..].starts_with(closing) => return Some(at + closing.len()),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_string_is_found_that_is_open() {
        use HostKind::{Elixir, Json, Lisp, Yaml};
        for (kind, line, expected) in [
            (Elixir, "f(\"a", Some(("a", "\""))),
            (Elixir, "f(\"a\", \"b\\\"", Some(("b\\\"", "\""))),
            (Elixir, "f(\"a\", g)", None),
            (Elixir, "  \"\"\", signature: \"(a", Some(("(a", "\""))),
            (Elixir, "f(~S|a|, ~S[b", Some(("b", "]"))),
            (Elixir, "f(~PROMPT\"b", Some(("b", "\""))),
            (Elixir, "# don't", None),
            (Elixir, "[?\", x", None),
            (Lisp, "(f 'x \"a", Some(("a", "\""))),
            (Lisp, "(f 'x", None),
            (Yaml, "a: 'it''s", Some(("it''s", "'"))),
            (Yaml, "- \"a", Some(("a", "\""))),
            (Yaml, "a: it's", None),
            (Yaml, "a:'b", None),
            (Json, "{a:'b", Some(("b", "'"))),
        ] {
            let found = OpenString::at_end_of(line, kind);
            let found = found
                .as_ref()
                .map(|it| (&line[it.start..], it.closing.as_str()));
            assert_eq!(found, expected, "{line}");
        }
    }
}
