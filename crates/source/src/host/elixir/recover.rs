//! Where what is never closed ends: where the next definition begins. What closes something too early closes nothing.

use crate::host::token_tree::{Closer, Kind, head, indentation};

/// The words that begin a definition, with what may follow them.
const DEFINITIONS: [&str; 18] = [
    "def ",
    "defp ",
    "defmacro ",
    "defmacrop ",
    "defmodule ",
    "defstruct ",
    "@doc ",
    "@spec ",
    "@moduledoc ",
    "@typedoc ",
    "@impl ",
    "@type ",
    "@typep ",
    "@callback ",
    "@behaviour ",
    "defdelegate ",
    "describe \"",
    "test \"",
];

/// The words that begin a function.
const FUNCTIONS: [&str; 5] = ["def ", "defp ", "defmacro ", "defmacrop ", "test \""];

/// The words that a line can begin with in what the line before it opened.
const CONTINUATIONS: [&str; 11] = [
    "end", "else", "rescue", "catch", "after", "do", "and", "or", "when", "in", "not",
];

/// Whether a line with `code` plainly begins a definition.
pub(super) fn begins_definition(code: &str) -> bool {
    code.starts_with(['d', '@', 't']) && DEFINITIONS.iter().any(|word| code.starts_with(word))
}

/// Whether a line with `code` begins a function, which holds no other definition.
pub(super) fn begins_function(code: &str) -> bool {
    code.starts_with(['d', 't']) && FUNCTIONS.iter().any(|word| code.starts_with(word))
}

/// Whether a line that begins with `code` can be outside of the bracket that the lines before it opened. What follows its
/// first word closes nothing there.
pub(super) fn ends_groups(code: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '@');
    let after = head(code).trim_start_matches(is_part);
    let closes = after
        .trim_start_matches([' ', '\t'])
        .starts_with([')', ']', '}']);
    !closes && begins_expression(code)
}

/// Whether `code` begins with a word that goes on with no expression.
fn begins_expression(code: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let word = &code[..code.find(|c| !is_word(c)).unwrap_or(code.len())];
    match word {
        "" => code.starts_with('@'),
        word => !CONTINUATIONS.contains(&word),
    }
}

/// Whether a line with `code` can begin an item of a list.
pub(super) fn begins_item(code: &str) -> bool {
    code.starts_with(['%', '{', '[', '"', ':', '&', '~']) || ends_groups(code)
}

/// Whether a line with `code` plainly begins an item of a list: a map, a struct, a tuple or a call of a module's
/// function.
pub(super) fn begins_whole_item(code: &str) -> bool {
    code.starts_with(['%', '{']) || begins_call(code)
}

/// Code that plainly begins on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Begins {
    /// A definition, at this indentation.
    Definition(usize),
    /// A call of a module's function or a match, at the margin.
    Statement,
    /// A call of a module's function, indented.
    Call,
}

/// What plainly begins after the line end and the blank line at `rest`.
pub(super) fn begins_after_line(rest: &str) -> Option<Begins> {
    let rest = rest.strip_prefix('\r').unwrap_or(rest);
    begins_after_blank_line(rest.strip_prefix('\n')?)
}

/// What plainly begins after the blank line at `rest`.
pub(super) fn begins_after_blank_line(rest: &str) -> Option<Begins> {
    let line = rest
        .trim_start_matches([' ', '\t', '\r'])
        .strip_prefix('\n')?;
    let code = line.trim_start_matches([' ', '\t']);
    if begins_definition(code) {
        return Some(Begins::Definition(line.len() - code.len()));
    }
    if begins_statement(head(line)) {
        return Some(Begins::Statement);
    }
    begins_call(head(code)).then_some(Begins::Call)
}

/// Whether `line` begins with `Module.function(`, `name =` or `{:ok, `.
pub(super) fn begins_statement(line: &str) -> bool {
    if line.starts_with("{:ok, ") {
        return true;
    }
    if begins_call(line) {
        return true;
    }
    let (name, rest) = path_at(line);
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase()) && !name.contains('.');
    let value = rest.strip_prefix(" =");
    is_name && value.is_some_and(|it| it.starts_with([' ', '\r', '\n']))
}

/// Whether `line` begins with `Module.function(`.
fn begins_call(line: &str) -> bool {
    if !line.starts_with(|c: char| c.is_ascii_uppercase()) {
        return false;
    }
    let (name, rest) = path_at(line);
    let function = name.rsplit_once('.').map(|(_, function)| function);
    function.is_some_and(|it| it.starts_with(|c: char| c.is_ascii_lowercase()))
        && rest.trim_start_matches(['!', '?']).starts_with('(')
}

/// The words with points between them that `line` begins with, and the rest.
fn path_at(line: &str) -> (&str, &str) {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let rest = line.trim_start_matches(|c| is_word(c) || c == '.');
    (&line[..line.len() - rest.len()], rest)
}

/// Whether the text after a closing bracket shows that it closes nothing: on its line there is what can follow no bracket,
/// or the next line goes on in the bracket without a comma. A bracket that begins a line where it belongs is believed.
pub(super) fn is_early(closer: &Closer<'_>) -> bool {
    let bracket = closer.closed;
    if !bracket.is_bracket() || bracket.content() <= Some(bracket.indent()) {
        return false;
    }
    let is_in_place = closer.indent == Some(bracket.indent());
    let rest = closer.rest();
    let code = rest.trim_start_matches([' ', '\t', '\r', '\n']);
    let newline = &rest[..rest.len() - code.len()];
    if !newline.contains('\n') {
        let is_expected = is_in_place && closer.is_innermost && closer.last != Some(Kind::Comma);
        return is_after_closer(code) && !is_expected || closer.closes_innermost(code);
    }
    !is_in_place && is_after_closer(code) && bracket.content() == Some(indentation(newline))
}

/// Whether no expression goes on with `code` after a closing bracket.
pub(super) fn is_after_closer(code: &str) -> bool {
    let is_atom = code.starts_with(':') && !code.starts_with("::");
    !code.starts_with('@') && begins_expression(code) || is_atom || code.starts_with(['"', '%'])
}

/// Whether an `end` was not meant for the block that it would close: nothing can follow it as what does, or the next line
/// goes on with the block.
pub(super) fn is_slip(closer: &Closer<'_>) -> bool {
    let block = closer.closed;
    if block.kind != Kind::DoBlock || !closer.is_innermost {
        return false;
    }
    let end = End {
        indent: block.content().unwrap_or(block.indent() + 1),
        is_one_line: block.content().is_none(),
        is_line_of_block: closer.indent == Some(block.indent()),
    };
    if end.indent <= block.indent() {
        return false;
    }
    let rest = closer.rest();
    match end.next(rest_in_head(&rest)) {
        Next::SameLine(code) => end.cannot_precede(code),
        Next::Line { indent, code } => end.is_inside(indent, code),
    }
}

/// An `end` and the block that it would close.
struct End {
    /// The indentation of what is in the block.
    indent: usize,
    /// Whether the block is on one line.
    is_one_line: bool,
    /// Whether the `end` begins a line at the indentation of the block's.
    is_line_of_block: bool,
}

/// What follows an `end`.
enum Next<'t> {
    SameLine(&'t str),
    Line { indent: usize, code: &'t str },
}

impl End {
    /// What follows it in `rest`; a `do` after it is a slip of the same word.
    fn next<'t>(&self, rest: &'t str) -> Next<'t> {
        let blank = [' ', '\t'];
        let rest = rest.trim_start_matches(blank);
        let line = match rest.strip_prefix("do") {
            Some(line) if !self.is_line_of_block => line.trim_start_matches(blank),
            _ => rest,
        };
        let code = line.trim_start_matches([' ', '\t', '\r', '\n']);
        let newline = &line[..line.len() - code.len()];
        match newline.contains('\n') {
            true => Next::Line {
                indent: indentation(newline),
                code,
            },
            false => Next::SameLine(rest),
        }
    }

    /// Whether `code` cannot follow it on its line.
    fn cannot_precede(&self, code: &str) -> bool {
        match self.is_line_of_block {
            true => begins_definition(code),
            false => !self.is_one_line && ends_groups(code),
        }
    }

    /// Whether a line that begins at `indent` with `code` goes on with what is in the block.
    fn is_inside(&self, indent: usize, code: &str) -> bool {
        if self.is_line_of_block {
            return indent == self.indent && begins_definition(code);
        }
        let is_more = !self.is_one_line && (ends_groups(code) || code.starts_with('#'));
        indent >= self.indent && (is_more || begins_definition(code))
    }
}

/// What decides of what follows a token: white space and the first few bytes after it.
fn rest_in_head(rest: &str) -> &str {
    let code = rest.trim_start();
    &rest[..rest.len() - code.len() + head(code).len()]
}
