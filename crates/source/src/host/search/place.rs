//! A word in a text, and what stands around it.

use memchr::memmem;

use super::in_elixir;
use crate::host::lisp;

/// A word in a text.
#[derive(Clone, Copy)]
pub(super) struct Place<'t> {
    pub(super) text: &'t [u8],
    pub(super) start: usize,
    pub(super) end: usize,
}

impl<'t> Place<'t> {
    pub(super) fn word(self) -> &'t [u8] {
        &self.text[self.start..self.end]
    }

    pub(super) fn before(self) -> &'t [u8] {
        &self.text[..self.start]
    }

    /// The code after it, without white space.
    pub(super) fn after(self) -> &'t [u8] {
        self.text[self.end..].trim_ascii_start()
    }

    /// The code from the name of the function that is called, if it is a module before a dot.
    pub(super) fn called(self) -> Option<&'t [u8]> {
        // A number may end there.
        let goes_on = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
        let is_name = !self.before().last().is_some_and(goes_on);
        let after = in_elixir::without_blanks(self.after());
        let called = in_elixir::without_blanks(after.strip_prefix(b".")?);
        is_name.then_some(called)
    }
}

/// Wherever the word stands.
pub(super) fn anywhere(_: Place<'_>) -> bool {
    true
}

/// Whether it can be a key or an attribute of Elixir, or a bound name: `tools:`, `"tools" =>`, `:tools`, `@tools`,
/// `search_tools = %{`.
pub(super) fn is_key(place: Place<'_>) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let after = &place.text[place.end..];
    if after.first().is_some_and(is_part) {
        return false;
    }
    let before = place.before();
    let prefixes = [&b"json_"[..], b"signature_"];
    let prefix = prefixes.iter().find_map(|it| before.strip_suffix(*it));
    match prefix.unwrap_or(before).last() {
        Some(b'"' | b'\'' | b':' | b'@') => may_have_value(after),
        _ => matches!(after.trim_ascii_start().first(), Some(b':' | b'=' | b'%')),
    }
}

/// Whether a value may follow a key, given the code after it.
fn may_have_value(after: &[u8]) -> bool {
    let after = match after {
        [b'"' | b'\'', after @ ..] => after,
        after => after,
    };
    let next = after.trim_ascii_start().first();
    next.is_some_and(|it| !b"])}.;`|".contains(it))
}

/// Whether it is a module in a call of one of its functions.
pub(super) fn may_call(place: Place<'_>) -> bool {
    let called = place.called();
    called.is_some_and(|it| matches!(it, [b'a'..=b'z' | b'_', ..]))
}

/// Whether it is a sigil of a template: `~T"12:00:00"` is a time.
pub(super) fn begins_template(place: Place<'_>) -> bool {
    let body = &place.text[place.end..];
    let is_part = |byte: &&u8| byte.is_ascii_digit() || matches!(byte, b':' | b'.');
    let len = body.iter().take_while(is_part).count();
    len == 0 || body.get(len) != Some(&b'"')
}

/// Whether it is a module in a call of one of its functions, or a struct. Before the rest may be a comment.
pub(super) fn may_call_or_make(place: Place<'_>) -> bool {
    match place.after() {
        [b'{' | b'#', ..] => true,
        [b'.', name @ ..] => {
            matches!(name.trim_ascii_start(), [b'a'..=b'z' | b'_' | b'#', ..])
        }
        _ => false,
    }
}

pub(super) fn may_call_parse(place: Place<'_>) -> bool {
    calls(place, b"parse")
}

pub(super) fn may_call_run(place: Place<'_>) -> bool {
    calls(place, b"run")
}

pub(super) fn is_key_or_fence(place: Place<'_>) -> bool {
    is_key(place) || is_fence(place)
}

/// Whether it can be a key of YAML or JSON: before the colon can be white space and comments.
pub(super) fn is_entry(place: Place<'_>) -> bool {
    // After an escaped quote, it is a word of a text.
    if !begins_word(place) || place.before().ends_with(b"\\\"") {
        return false;
    }
    let after = &place.text[place.end..];
    let after = match after {
        [b'"' | b'\'', after @ ..] => after,
        after => after,
    };
    matches!(
        after.trim_ascii_start(),
        [b':' | b'#', ..] | [b'/', b'/' | b'*', ..]
    )
}

/// Whether it can be the anchor of a literal with parentheses in YAML: a whole signature counts under any key.
pub(super) fn is_anchor(place: Place<'_>) -> bool {
    let begins = |byte: &u8| byte.is_ascii_whitespace() || b"[{,".contains(byte);
    let after = &place.text[place.end..];
    if !place.before().last().is_none_or(begins) || after.starts_with(b"&") {
        return false;
    }
    let is_part = |byte: &&u8| !byte.is_ascii_whitespace() && !b"[]{},".contains(byte);
    let name = after.iter().take_while(is_part);
    let value = after[name.count()..].trim_ascii_start().first();
    value.is_some_and(|it| b"(\"'|>!#".contains(it))
}

/// Whether it is the first word after the beginning of a fence.
pub(super) fn is_fence(place: Place<'_>) -> bool {
    let before = place.before();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'\n' | 0x80..);
    let signs = before.iter().rev().take_while(|it| !is_part(it)).count();
    let signs = &before[before.len() - signs..];
    ["```", "~~~"]
        .iter()
        .any(|it| memmem::find(signs, it.as_bytes()).is_some())
}

pub(super) fn may_call_new(place: Place<'_>) -> bool {
    calls(place, b"new")
}

/// Whether it is a module in a call of `function`.
pub(super) fn calls(place: Place<'_>, function: &[u8]) -> bool {
    place.called().is_some_and(|it| it.starts_with(function))
}

/// Whether functions of the library are imported, so that its modules are not named in calls.
pub(super) fn is_import_of_ours(place: Place<'_>) -> bool {
    place.after().starts_with(b"PtcRunner")
}

/// Whether a module gets an alias that may be one of ours.
pub(super) fn is_alias_of_ours(place: Place<'_>) -> bool {
    let target = place.before().trim_ascii_end();
    let target = target.strip_suffix(b",").unwrap_or(target).trim_ascii_end();
    [
        "Signature",
        "Signature.Parser",
        "Lisp",
        "Tool",
        "SubAgent",
        "PtcRunner",
    ]
    .iter()
    .any(|module| target.ends_with(module.as_bytes()))
}

/// The number of bytes after a brace that are searched for its first word.
const MOST_BEFORE_WORD: usize = 1024;

/// Whether the brace is followed by a function, as in `{&run/1, "() -> :int"}`. After too much white space or too many
/// comments, it may be.
pub(super) fn begins_tool(place: Place<'_>) -> bool {
    let rest = &place.text[place.start + 1..];
    let searched = &rest[..rest.len().min(MOST_BEFORE_WORD)];
    let mut code = searched.trim_ascii_start();
    while code.first() == Some(&b'#') {
        let end = memchr::memchr(b'\n', code).unwrap_or(code.len());
        code = code[end..].trim_ascii_start();
    }
    match code {
        [] => searched.len() < rest.len(),
        [b'&', rest @ ..] => {
            let name = rest.trim_ascii_start().first();
            name.is_none_or(|byte| !matches!(byte, b'0'..=b'9' | b'(' | b'{' | b'['))
        }
        // The search may end in the word.
        [b'f'] | [b'f', b'n'] => true,
        [b'f', b'n', next, ..] => !next.is_ascii_alphanumeric() && *next != b'_',
        _ => false,
    }
}

/// Whether no word ends before it. The comment `/* … */` is none.
pub(super) fn begins_word(place: Place<'_>) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-/".contains(byte);
    !place.before().last().is_some_and(is_part) || place.before().ends_with(b"*/")
}

/// Whether it is the whole first word of a list of Lisp.
pub(super) fn heads_list(place: Place<'_>) -> bool {
    // White space need not be ASCII.
    let ends = |byte: &u8| !byte.is_ascii() || !lisp::is_name_part(char::from(*byte));
    let next = place.text.get(place.end);
    next.is_none_or(ends) && place.before().trim_ascii_end().ends_with(b"(")
}
