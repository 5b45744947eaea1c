//! What stands around our words in Elixir, as far as a search can tell without parsing.
//!
//! Most of them say nothing: the key of a list with another value, a word of a text, a program in a variable that is
//! bound to no string. Where a comment, an escape or a bracket hides the value, it may be one that counts.

mod value;

use std::{collections::BTreeSet, ops::Range};

use memchr::memmem;

use super::place::{Place, may_call_or_make};
use crate::host::{
    elixir,
    roles::{LIBRARY, MODULES},
};
pub(super) use value::without_blanks;
use value::{Value, bound_code, bound_value, is_part_of_name, program, value, value_code};

/// More names of values are not looked up.
const MOST_NAMES: usize = 16;

/// Whether a key may have a string or a name of one.
pub(super) fn may_have_text(place: Place<'_>) -> bool {
    matches!(value(place), Value::Text | Value::Name(_) | Value::Unknown) && !is_in_comment(place)
}

/// Whether a key, or a name that a map is bound to, may have tools or a name of them.
pub(super) fn may_have_tools(place: Place<'_>) -> bool {
    let may_have = |value| !matches!(value, Value::Text | Value::Atom | Value::Other);
    (may_have(value(place)) || may_have(bound_value(place))) && !is_in_comment(place)
}

/// The modules of the library whose calls and structs may take tools.
const TAKERS: [&str; 6] = [
    "PtcRunner",
    "CompiledAgent",
    "Lisp",
    "Signature",
    "Parser",
    "Tool",
];

/// Whether `text` may pass tools to the library, apart from calls that count by themselves.
pub(super) fn may_take_tools(text: &str) -> bool {
    let text = text.as_bytes();
    let is_used = |module: &&str| {
        let mut places = memmem::find_iter(text, module);
        places.any(|start| {
            let end = start + module.len();
            let place = Place { text, start, end };
            let may_take = may_call_or_make(place) || place.after().starts_with(b"%");
            let is_module = !place.before().last().is_some_and(is_part_of_name);
            is_module && may_take && !is_in_comment(place)
        })
    };
    // The only other one, which may have any name.
    memmem::find(text, b"Definition").is_some() || TAKERS.iter().any(is_used)
}

/// Whether a key for tools, or a name of some, has a value that only matters if the library takes it: a list, or a map
/// without functions and tuples. The value of a call without parentheses always may.
pub(super) fn is_data(place: Place<'_>) -> bool {
    let before = place.before();
    let code = match value_code(place) {
        Ok(code) => Some(code).filter(|_| before.ends_with(b"@") || is_in_brackets(before)),
        Err(_) => bound_code(place),
    };
    let code = without_blanks(
        code.filter(|_| place.word() == b"tools")
            .unwrap_or_default(),
    );
    match Value::at(code) {
        Value::List => true,
        Value::Map => is_map_of_data(code),
        _ => false,
    }
}

/// How much code before and in a value is looked at.
const NEAR: usize = 2048;

/// Whether the innermost bracket or block that `code` leaves open is a bracket.
fn is_in_brackets(code: &[u8]) -> bool {
    let code = code.strip_suffix(b"\"").unwrap_or(code);
    let (mut closed, mut is_string) = (0, false);
    for at in (code.len().saturating_sub(NEAR)..code.len()).rev() {
        match code[at] {
            b'"' => is_string = !is_string,
            _ if is_string => {}
            b')' | b']' | b'}' => closed += 1,
            b'(' | b'[' | b'{' if closed > 0 => closed -= 1,
            b'(' | b'[' | b'{' => return true,
            // What closes again is not around the key.
            _ if closed > 0 => {}
            b'>' if code[..at].ends_with(b"-") => return false,
            b'\n' if code[..at].trim_ascii_end().ends_with(b" do") => return false,
            _ => {}
        }
    }
    false
}

/// Whether the map at the start of `code` plainly ends, and has no functions, and no tuples as values.
fn is_map_of_data(code: &[u8]) -> bool {
    let code = &code[..code.len().min(NEAR)];
    let mut closers = Vec::new();
    let mut at = 1;
    while let Some(byte) = code.get(at) {
        match byte {
            b'{' if closers.len() == 1 && code[at - 1] != b'%' => return false,
            b'{' => closers.push(b'}'),
            b'[' => closers.push(b']'),
            b'(' => closers.push(b')'),
            b'}' | b']' | b')' if closers.pop() != Some(*byte) => return false,
            b'}' if closers.is_empty() => return ends_plainly(code, at),
            b'"' => match code[at + 1..].iter().position(|it| b"\"\\#".contains(it)) {
                Some(len) if code[at + 1 + len] == b'"' => at += len + 1,
                _ => return false,
            },
            b'&' | b'#' | b'~' | b'?' | b'\'' => return false,
            b'>' if code[at - 1] == b'-' => return false,
            _ => {}
        }
        at += 1;
    }
    false
}

/// Whether the bracket at `at` closes what `code` opens: on the same line or first on its own, with nothing after it that
/// may go on.
fn ends_plainly(code: &[u8], at: usize) -> bool {
    let inside = &code[..at];
    let line = memchr::memrchr(b'\n', inside).map(|it| &inside[it..]);
    let is_first = line.is_none_or(|it| it.trim_ascii().is_empty());
    let next = code[at + 1..].iter().find(|it| !matches!(it, b' ' | b'\t'));
    is_first && next.is_none_or(|it| b",)]}\r\n".contains(it))
}

/// The longest part of a line that is searched for the start of a comment.
const LONGEST_LINE: usize = 1024;

/// The bytes that end a text.
const CLOSERS: &[u8] = b"\"')]}|>/";

/// Whether its line is a comment, or the heading of a text. In a long line, or after the end of a text, it may be none.
fn is_in_comment(place: Place<'_>) -> bool {
    let before = place.before();
    let near = &before[before.len().saturating_sub(LONGEST_LINE)..];
    let start = memchr::memrchr2(b'\n', b'\r', near).map(|at| at + 1);
    let Some(start) = start.or((near.len() == before.len()).then_some(0)) else {
        return false;
    };
    let line = near[start..].trim_ascii_start();
    line.starts_with(b"#")
        && !line.starts_with(b"#{")
        && !line.iter().any(|it| CLOSERS.contains(it))
}

/// Whether a key may have a mode of validation.
pub(super) fn may_have_mode(place: Place<'_>) -> bool {
    let before = place.before().strip_suffix(b"signature_");
    before.is_some_and(|before| {
        let whole = Place {
            start: before.len(),
            ..place
        };
        matches!(value(whole), Value::Text | Value::Atom | Value::Unknown)
    })
}

/// Whether it is a module whose function runs a program that may be in a string, or a name of one.
pub(super) fn may_run_program(place: Place<'_>) -> bool {
    let is_meant = |it| matches!(it, Value::Text | Value::Name(_) | Value::Unknown);
    program(place).map(Value::at).is_some_and(is_meant)
}

/// Whether functions of our modules are imported.
pub(super) fn is_import_of_ours(place: Place<'_>) -> bool {
    let path = place.after();
    if !path.starts_with(LIBRARY.as_bytes()) {
        return false;
    }
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.".contains(byte);
    let (path, rest) = path.split_at(path.iter().take_while(|it| is_part(it)).count());
    let is_ours = |it: &&str| path.ends_with(it.as_bytes());
    let ends = |next: &u8| next.is_ascii_alphanumeric() || b"_@,".contains(next);
    let next = without_blanks(rest).first();
    let is_parser = path.ends_with(b"Signature.Parser");
    path.ends_with(b".") || is_parser || MODULES.iter().any(is_ours) || !next.is_none_or(ends)
}

/// Reads strings of a text, together at most a few times as much as it is long: an unclosed string may be read again from
/// each word in it.
pub(super) struct Strings<'t> {
    text: &'t str,
    left: usize,
}

impl<'t> Strings<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self {
            text,
            left: 4 * text.len(),
        }
    }

    /// The string at `start`; `None` without one, and after too many.
    fn at(&mut self, start: usize) -> Option<Range<usize>> {
        if self.left == 0 {
            return None;
        }
        let rest = self.text.get(start..)?;
        let len = elixir::string_len(rest, self.left);
        self.left = self.left.saturating_sub(len.unwrap_or(rest.len()));
        Some(start..start + len?)
    }

    /// The literal at `start`; `None` if it is one of several that make a text.
    fn literal(&mut self, start: usize) -> Option<Range<usize>> {
        let string = self.at(start)?;
        let next = without_blanks(&self.text.as_bytes()[string.end..]);
        (!next.starts_with(b"<>") && !next.starts_with(b"#")).then_some(string)
    }
}

/// The part of the text in which the word at `place` may have a text that counts; `None` if it may be anywhere.
pub(super) fn text_of(strings: &mut Strings<'_>, place: Place<'_>) -> Option<Range<usize>> {
    if is_entity(place) {
        return Some(0..0);
    }
    let code = match place.word() {
        b"signature" | b"prompt" => value_code(place).ok()?,
        b"tools" => value_code(place).ok().filter(|it| is_list_of_names(it))?,
        [b'{', ..] => described(&place.text[place.start + 1..])?,
        _ => return None,
    };
    let code = without_blanks(code);
    match Value::at(code) {
        Value::Text => strings.literal(place.text.len() - code.len()),
        Value::Name(_) | Value::Unknown => None,
        Value::Map | Value::List | Value::Atom | Value::Other => Some(0..0),
    }
}

/// Whether `code` begins with a list that has nothing but names.
fn is_list_of_names(code: &[u8]) -> bool {
    let Some(items) = without_blanks(code).strip_prefix(b"[") else {
        return false;
    };
    let is_plain =
        |byte: &&u8| is_part_of_name(byte) || **byte == b',' || byte.is_ascii_whitespace();
    items.iter().find(|it| !is_plain(it)) == Some(&b']')
}

/// Whether `finds` finds something in the documentation in `text`.
pub(super) fn in_docs(text: &str, finds: &dyn Fn(&str) -> bool) -> bool {
    // A search of the whole text rules most texts out.
    if !finds(text) {
        return false;
    }
    let mut strings = Strings::of(text);
    memmem::find_iter(text.as_bytes(), "doc").any(|at| {
        let code = without_blanks(&text.as_bytes()[at + "doc".len()..]);
        match code {
            [b'"' | b'~', ..] if is_doc(&text[..at]) => {
                let doc = strings.at(text.len() - code.len());
                doc.is_none_or(|it| finds(&text[it]))
            }
            [b'#', ..] => is_doc(&text[..at]),
            _ => false,
        }
    })
}

/// Whether the word `doc` after `before` is the name of an attribute with documentation.
fn is_doc(before: &str) -> bool {
    let prefixes = ["module", "type"].iter();
    let prefix = prefixes.filter_map(|it| before.strip_suffix(it)).next();
    prefix.unwrap_or(before).trim_end().ends_with('@')
}

/// Whether it is the brace in `{fn … end, "() -> :int"}`.
pub(super) fn begins_function(place: Place<'_>) -> bool {
    let code = place.text[place.start..].strip_prefix(b"{");
    code.is_some_and(|it| without_blanks(it).starts_with(b"fn"))
}

/// Whether it may be the brace in `{&run/1, "() -> :int"}`, and no other one before a function by its name.
pub(super) fn may_describe_capture(place: Place<'_>) -> bool {
    let Some(code) = place.text[place.start..].strip_prefix(b"{") else {
        return true;
    };
    let Some((is_capture, rest)) = after_capture(code) else {
        return true;
    };
    match without_blanks(rest) {
        [b'}', ..] => false,
        [b',', second @ ..] if is_capture => match Value::at(second) {
            Value::Text | Value::Name(_) | Value::Unknown => true,
            Value::Map | Value::List | Value::Atom => false,
            Value::Other => !matches!(
                without_blanks(second),
                [b'&' | b'0'..=b'9' | b'A'..=b'Z', ..]
            ),
        },
        _ => true,
    }
}

/// Whether a function from `start` on may have a text after its `end` that `counts`.
pub(super) fn describes_function(
    strings: &mut Strings<'_>,
    start: usize,
    counts: fn(&str) -> bool,
) -> bool {
    let text = strings.text;
    memmem::find_iter(&text.as_bytes()[start..], "end").any(|at| {
        let rest = without_blanks(&text.as_bytes()[start + at + "end".len()..]);
        let code = match rest {
            [b',', code @ ..] => without_blanks(code),
            _ => return rest.first() == Some(&b'#'),
        };
        let literal = match Value::at(code) {
            Value::Text => strings.literal(text.len() - code.len()),
            Value::Name(_) | Value::Unknown => None,
            Value::Map | Value::List | Value::Atom | Value::Other => return false,
        };
        literal.is_none_or(|it| counts(&text[it]))
    })
}

/// The longest name of a function that is read.
const LONGEST_NAME: usize = 256;

/// Whether it is a brace before a character of HTML, such as `{&quot;`.
fn is_entity(place: Place<'_>) -> bool {
    let Some(name) = place.text[place.start..].strip_prefix(b"{&") else {
        return false;
    };
    let letters = name
        .iter()
        .take(LONGEST_NAME)
        .take_while(|it| it.is_ascii_alphanumeric());
    name.get(letters.count()) == Some(&b';')
}

/// What follows the function in `{&run/1, "() -> :int"}`, given the code after the brace.
fn described(code: &[u8]) -> Option<&[u8]> {
    let (is_capture, rest) = after_capture(code)?;
    let rest = without_blanks(rest).strip_prefix(b",");
    rest.filter(|_| is_capture)
}

/// What follows the function by its name at the start of `code`, and whether it is `&name/arity`.
fn after_capture(code: &[u8]) -> Option<(bool, &[u8])> {
    let name = without_blanks(code).strip_prefix(b"&")?;
    let is_part = |byte: &&u8| !byte.is_ascii_whitespace() && !b"\"'(){}[],#".contains(*byte);
    let len = name.iter().take(LONGEST_NAME).take_while(is_part).count();
    let (name, rest) = name.split_at(len);
    let digits = name.iter().rev().take_while(|it| it.is_ascii_digit());
    let digits = digits.count();
    let is_capture = digits > 0 && name[..len - digits].ends_with(b"/");
    Some((is_capture, rest))
}

/// The names that stand for values, each of which is looked up once.
#[derive(Default)]
pub(super) struct Names<'t> {
    texts: BTreeSet<&'t [u8]>,
    programs: BTreeSet<&'t [u8]>,
    maps: BTreeSet<&'t [u8]>,
}

impl<'t> Names<'t> {
    /// Adds the name that the value of a key or the first argument of a call is; returns whether it is one.
    pub(super) fn add(&mut self, place: Place<'t>) -> bool {
        if place.word() == b"{" {
            return false;
        }
        match (value(place), program(place).map(Value::at)) {
            (Value::Name(name), _) if place.word() == b"tools" => self.maps.insert(name),
            (Value::Name(name), _) => self.texts.insert(name),
            (_, Some(Value::Name(name))) => self.programs.insert(name),
            _ => return false,
        };
        true
    }

    /// Whether one of them may be bound to a value that counts, anywhere in the text.
    pub(super) fn are_bound(&self, strings: &mut Strings<'t>) -> bool {
        let text = strings.text.as_bytes();
        let is_text = |code| matches!(Value::at(code), Value::Text | Value::Unknown);
        let is_map = |code| matches!(Value::at(code), Value::Map | Value::Unknown);
        let mut is_program = |code| may_be_program(strings, code);
        self.texts.len() + self.programs.len() + self.maps.len() > MOST_NAMES
            || self.texts.iter().any(|it| is_bound(text, it, is_text))
            || self.maps.iter().any(|it| is_bound(text, it, is_map))
            || { self.programs.iter() }.any(|it| is_bound(text, it, &mut is_program))
    }
}

/// Whether `name` is bound to a value that counts, as a variable or as an attribute.
fn is_bound<'t>(text: &'t [u8], name: &[u8], mut counts: impl FnMut(&'t [u8]) -> bool) -> bool {
    memmem::find_iter(text, name).any(|start| {
        let place = Place {
            text,
            start,
            end: start + name.len(),
        };
        let is_whole = !place.before().last().is_some_and(is_part_of_name);
        is_whole && bound_code(place).is_some_and(&mut counts)
    })
}

/// Whether the program that a call runs may have something to check.
pub(super) fn may_have_program(strings: &mut Strings<'_>, place: Place<'_>) -> bool {
    program(place).is_none_or(|code| may_be_program(strings, code))
}

/// Whether a string at the start of `code`, which ends with the text, may be a program in which there is something to
/// check.
fn may_be_program(strings: &mut Strings<'_>, code: &[u8]) -> bool {
    let code = without_blanks(code);
    match Value::at(code) {
        Value::Text => {
            let string = strings.at(strings.text.len() - code.len());
            string.is_none_or(|it| super::may_be_lisp(&strings.text[it]))
        }
        Value::Unknown => true,
        _ => false,
    }
}
