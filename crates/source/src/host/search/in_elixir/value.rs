//! The value of a key or a name, as far as its beginning shows it.

use super::Place;

/// A value, by how it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value<'t> {
    Text,
    Map,
    List,
    Atom,
    Name(&'t [u8]),
    Other,
    Unknown,
}

/// The value of a key.
pub(super) fn value(place: Place<'_>) -> Value<'_> {
    value_code(place).map_or_else(|value| value, Value::at)
}

/// The code from the value of a key: `key: value`, `"key" => value`, `:key => value` or `@key value`; or what is known
/// without it.
pub(super) fn value_code(place: Place<'_>) -> Result<&[u8], Value<'_>> {
    let before = place.before();
    let before = before.strip_suffix(b"json_").unwrap_or(before);
    let last = before.last();
    let after = &place.text[place.end..];
    if after.starts_with(b"\\") {
        return Err(Value::Unknown);
    }
    let code = match (last, after) {
        (Some(open @ (b'"' | b'\'')), [close, rest @ ..]) if open == close => rest,
        (_, [b'"' | b'\'', ..]) if last != Some(&b'@') => return Err(Value::Other),
        _ if last.is_some_and(is_part_of_name) => return Err(Value::Other),
        _ => after,
    };
    match (code, without_blanks(code)) {
        // In Elixir, white space follows the colon: this is JSON in a text.
        ([b':', b'{' | b'[' | b'"', ..], _) if code.len() < after.len() => Err(Value::Other),
        ([b':', value @ ..], _) | (_, [b'=', b'>', value @ ..]) => Ok(value),
        _ if last == Some(&b'@') => set(code).ok_or(Value::Other),
        _ => Err(Value::Other),
    }
}

/// What the name that ends with a word is bound to.
pub(super) fn bound_value(place: Place<'_>) -> Value<'_> {
    bound_code(place).map_or(Value::Other, Value::at)
}

/// The code from the value that it is bound to: `name = value` or `@name value`.
pub(super) fn bound_code(place: Place<'_>) -> Option<&[u8]> {
    let before = place.before();
    let name = before.iter().rev().take_while(|it| is_part_of_name(it));
    let (before, prefix) = before.split_at(before.len() - name.count());
    if !prefix.is_empty() && !prefix.ends_with(b"_") {
        return None;
    }
    let code = &place.text[place.end..];
    match without_blanks(code) {
        [b'=', next, ..] if b"=~>".contains(next) => None,
        [b'=', value @ ..] => Some(value),
        _ if code.first().is_some_and(is_part_of_name) => None,
        _ if before.trim_ascii_end().ends_with(b"@") => set(code),
        _ => None,
    }
}

/// The code from the value that an attribute is set to, given the code after its name; `None` if it is read.
fn set(code: &[u8]) -> Option<&[u8]> {
    let next = code.trim_ascii_start().first();
    Some(code).filter(|_| !next.is_some_and(|it| b",)]}".contains(it)))
}

/// Code whose value is unknown.
const PIPED: &[u8] = b"(";

/// The code from the program that a call of a module runs; `None` where it is no call that runs one.
pub(super) fn program(place: Place<'_>) -> Option<&[u8]> {
    let after = place.called()?.strip_prefix(b"run")?;
    let after = after.strip_prefix(b"_native").unwrap_or(after);
    if after.first().is_some_and(is_part_of_name) {
        return None;
    }
    let is_path =
        |byte: &&u8| is_part_of_name(byte) || **byte == b'.' || byte.is_ascii_whitespace();
    let before = place.before();
    let path = before.iter().rev().take_while(is_path).count();
    if before[..before.len() - path].ends_with(b"|>") {
        return Some(PIPED);
    }
    Some(after.strip_prefix(b"(").unwrap_or(after))
}

/// Words that begin no name.
const WORDS: [&[u8]; 8] = [
    b"case", b"cond", b"do", b"for", b"if", b"unless", b"when", b"with",
];

impl<'t> Value<'t> {
    /// The value at the start of `code`.
    pub(super) fn at(code: &'t [u8]) -> Self {
        let code = without_blanks(code);
        match code.first() {
            Some(b'"' | b'~') => Self::Text,
            Some(b'%') => Self::Map,
            Some(b'[') => Self::List,
            Some(b':') => Self::Atom,
            // After a comment, there are more, and these signs are mistakes there.
            Some(b'(' | b'{' | b'\\' | b'#' | b'=' | b',' | b')' | b']' | b'}') => Self::Unknown,
            Some(b'@') => Self::named(&code[1..]),
            Some(b'a'..=b'z' | b'_' | 0x80..) => Self::named(code),
            _ => Self::Other,
        }
    }

    /// The name at the start of `code`, if no operator, field or argument follows it.
    fn named(code: &'t [u8]) -> Self {
        let is_part = |it: &&u8| is_part_of_name(it) || b"?!".contains(*it);
        let (name, rest) = code.split_at(code.iter().take_while(is_part).count());
        let goes_on = |next: &u8| b"(.[|<>+-*/=&^%{:".contains(next);
        let next = rest.iter().find(|it| !matches!(it, b' ' | b'\t'));
        match name.is_empty() || next.is_some_and(goes_on) || WORDS.contains(&name) {
            true => Self::Other,
            false => Self::Name(name),
        }
    }
}

/// The maximum number of comments before a value that are read, and the length of the longest one.
const MOST_COMMENTS: usize = 16;
const LONGEST_COMMENT: usize = 1024;

/// `code` without white space and comments at its start. After too many, or before one that is too long, it still begins
/// with one.
pub(in crate::host::search) fn without_blanks(code: &[u8]) -> &[u8] {
    let mut code = code.trim_ascii_start();
    for _ in 0..MOST_COMMENTS {
        if code.first() != Some(&b'#') {
            break;
        }
        let searched = &code[..code.len().min(LONGEST_COMMENT)];
        match memchr::memchr(b'\n', searched) {
            Some(end) => code = code[end..].trim_ascii_start(),
            None if searched.len() == code.len() => return &[],
            None => break,
        }
    }
    code
}

pub(super) fn is_part_of_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::{super::is_bound, *};

    #[track_caller]
    fn check(text: &str, expected: Value<'_>) {
        let word = ["signature", "prompt", "tools"].into_iter();
        let (start, word) = word
            .filter_map(|it| Some((text.find(it)?, it)))
            .min()
            .expect("a word");
        let place = Place {
            text: text.as_bytes(),
            start,
            end: start + word.len(),
        };
        assert_eq!(value(place), expected, "{text}");
    }

    #[test]
    fn keys_have_values() {
        check("f(prompt: \"a\")", Value::Text);
        check("%{\"prompt\" => ~S(a)}", Value::Text);
        check("%{:prompt => # a\n  \"b\"}", Value::Text);
        check("\"prompt\": prompt, a: 1", Value::Name(b"prompt"));
        check("@signature \"() -> :int\"", Value::Text);
        check("[json_signature: \":int\"]", Value::Text);
        check("{\\\"prompt\\\": \\\"a\\\"}", Value::Unknown);
        check("prompt: (\"a\")", Value::Unknown);
        check("tools: {f, \"() -> :int\"}", Value::Unknown);
        check("tools: %{a: 1}", Value::Map);
        check("tools: @tools\n", Value::Name(b"tools"));
        for other in [
            ":prompt, \"a\"",
            "x.prompt <> \"a\"",
            "\"prompt\"",
            "\"my prompt\": \"a\"",
            "max_tools: 1",
            "prompt: read(x)",
            "prompt: x.prompt",
            "prompt: nil |> f()",
            "prompt = \"a\"",
        ] {
            check(other, Value::Other);
        }
    }

    #[test]
    fn names_are_bound_to_values() {
        let is_text = |code| Value::at(code) == Value::Text;
        for (text, expected) in [
            ("a = \"b\"", true),
            ("@a \"b\"", true),
            ("a =\n  # c\n  \"b\"", true),
            ("a == \"b\"", false),
            ("ab = \"b\"", false),
            ("ba = \"b\"", false),
            ("a = f(\"b\")", false),
        ] {
            assert_eq!(is_bound(text.as_bytes(), b"a", is_text), expected, "{text}");
        }
    }
}
