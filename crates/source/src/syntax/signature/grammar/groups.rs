//! Brackets with their contents.

use super::{
    super::{
        brackets::closer_of,
        parser::{MAX_DEPTH, Parser},
    },
    is_arrow_like,
    items::{has_hole_in, items},
    types::element,
};
use crate::syntax::{
    error::ErrorKind,
    kind::SyntaxKind::{self, *},
    pairing::Role,
};

/// A closed pair of brackets, as a node of `kind`; an incremental reparse starts here.
pub(in crate::syntax::signature) fn pair(p: &mut Parser<'_>, kind: SyntaxKind) {
    match kind {
        ParamList => group(p, ParamList, params),
        ListType => group(p, ListType, element),
        _ => group(p, RecordType, |p| items(p, Field)),
    }
}

/// Parameters; further parentheses around all of them are one error.
fn params(p: &mut Parser<'_>) {
    let Some((first, end)) = inside_extra_parens(p) else {
        return items(p, Param);
    };
    p.bump_trivia();
    p.error_until(ErrorKind::ExtraParens, first);
    p.within(end, |p| items(p, Param));
    p.bump_until(p.end);
}

/// What the innermost of the parentheses holds that are around all that follows: its first token and its end.
fn inside_extra_parens(p: &Parser<'_>) -> Option<(usize, usize)> {
    let mut inside = None;
    let (mut first, mut end) = (p.pos(), p.end);
    while let Some(closer) = closer_of_parens(p, p.significant(first))
        && p.significant(closer + 1) >= end
    {
        first = p.significant(first) + 1;
        end = closer;
        inside = Some((first, end));
    }
    inside
}

/// The index of the `)` that closes the `(` at `index`.
fn closer_of_parens(p: &Parser<'_>, index: usize) -> Option<usize> {
    match p.brackets().get(index) {
        Some(&Some(Role::ClosedBy(closer))) if p.kind_at(index) == Some(LParen) => {
            (p.kind(closer) == RParen).then_some(closer)
        }
        _ => None,
    }
}

/// Whether the `(` at `open` is followed by parameters and an arrow, or only by an arrow if it is closed, and so is one
/// too many.
pub(in crate::syntax::signature) fn opens_signature(p: &Parser<'_>, open: usize) -> bool {
    let first = p.significant(open + 1);
    match closer_of_parens(p, first) {
        Some(_) => is_full(p, first),
        None => closer_of_parens(p, open).is_some() && is_arrow_like(p, first),
    }
}

/// Whether parameters and an arrow begin at `index`.
pub(super) fn is_full(p: &Parser<'_>, index: usize) -> bool {
    closer_of_parens(p, index)
        .is_some_and(|closer| p.kind_at(p.significant(closer + 1)) == Some(Arrow))
}

/// A bracket, its contents as parsed by `contents`, and its closing bracket.
pub(super) fn group(p: &mut Parser<'_>, kind: SyntaxKind, contents: impl FnOnce(&mut Parser<'_>)) {
    let open = p.pos();
    let closer = match p.brackets()[open] {
        Some(Role::ClosedBy(closer)) => Some(closer),
        _ => None,
    };
    let contents_end = closer.unwrap_or_else(|| unclosed_end(p, open));
    if p.depth == MAX_DEPTH {
        return p.error_until(
            ErrorKind::TooDeep,
            closer.map_or(contents_end, |closer| closer + 1),
        );
    }
    p.start(kind);
    match closer {
        Some(_) => p.bump(),
        None => p.error_token(ErrorKind::Unclosed),
    }
    p.depth += 1;
    p.within(contents_end, contents);
    p.depth -= 1;
    if let Some(closer) = closer {
        match closer_of(p.kind(open)) == Some(p.kind(closer)) {
            true => p.bump(),
            false => p.error_token(ErrorKind::WrongCloser),
        }
    }
    p.finish_node();
}

/// Where the contents of an unclosed bracket end: a parameter list before the arrow, so that the output keeps its
/// type; a list after its type; otherwise with the brackets around it.
fn unclosed_end(p: &Parser<'_>, open: usize) -> usize {
    let stop = match p.kind_at(open) {
        // The commas belong to the fields of a record that is also unclosed.
        Some(LBracket) if is_unclosed(p, p.significant(open + 1)) => None,
        Some(LBracket) => first_outside(p, open + 1, Comma),
        _ if p.depth == 0 => first_outside(p, open + 1, Arrow),
        _ => None,
    };
    trimmed(p, stop.unwrap_or(p.end)).max(open + 1)
}

fn is_unclosed(p: &Parser<'_>, index: usize) -> bool {
    p.kind_at(index) == Some(LBrace) && p.brackets()[index] == Some(Role::Unclosed)
}

/// `end` without the white space before it.
pub(super) fn trimmed(p: &Parser<'_>, end: usize) -> usize {
    let last = (p.pos()..end)
        .rev()
        .find(|&index| p.kind_at(index) != Some(Whitespace));
    last.map_or(end, |last| last + 1)
}

/// The first token of `kind` from `index` on that is outside of closed brackets.
pub(super) fn first_outside(p: &Parser<'_>, mut index: usize, kind: SyntaxKind) -> Option<usize> {
    while let Some(found) = p.kind_at(index) {
        if found == kind {
            return Some(index);
        }
        index = match p.brackets()[index] {
            Some(Role::ClosedBy(closer)) => closer + 1,
            _ => index + 1,
        };
    }
    None
}

/// Takes one token, or a closed bracket with its contents, as an error.
pub(super) fn skip_one(p: &mut Parser<'_>, error: ErrorKind) {
    let after = match p.brackets()[p.pos()] {
        Some(Role::ClosedBy(closer)) => closer + 1,
        _ => p.pos() + 1,
    };
    p.error_until(error, after);
}

/// The index after the parameters of the word before `index`: `[…]`, `<…>` or `(…)`.
pub(super) fn after_parameters(p: &Parser<'_>, index: usize) -> Option<usize> {
    match (p.kind_at(index)?, p.brackets()[index]) {
        (LBracket | LParen, Some(Role::ClosedBy(closer))) => Some(closer + 1),
        (WrongArrow, _) => after_angles(p, index),
        _ => None,
    }
}

/// The index after the closed record at `index`.
pub(super) fn after_fields(p: &Parser<'_>, index: usize) -> Option<usize> {
    match (p.kind_at(index)?, p.brackets()[index]) {
        (LBrace, Some(Role::ClosedBy(closer))) => Some(closer + 1),
        _ => None,
    }
}

/// The index at which the parameters of the word at `index` begin, as in `list[string]` and `String.t()`.
pub(super) fn parameters_of(p: &Parser<'_>, index: usize) -> Option<usize> {
    let bracket = p.word_end(index);
    let has_parameters = p.kind_at(index) == Some(Ident)
        && after_parameters(p, bracket).is_some()
        && !has_hole_in(p, index, bracket);
    has_parameters.then_some(bracket)
}

/// The index after the `[]` directly after a record, as in `{id :int}[]`.
pub(super) fn after_array_mark(p: &Parser<'_>) -> Option<usize> {
    let closed_by = |open: usize, kind| match p.brackets()[open] {
        Some(Role::ClosedBy(closer)) => Some(closer).filter(|&it| p.kind(it) == kind),
        _ => None,
    };
    let open = closed_by(p.pos(), RBrace)? + 1;
    // Whatever its contents, so that an edit inside of it changes nothing around it.
    let is_bracket = p.kind_at(open) == Some(LBracket);
    is_bracket
        .then(|| closed_by(open, RBracket))?
        .map(|it| it + 1)
}

/// The maximum number of tokens between `<` and `>`.
const MAX_ANGLED: usize = 256;

/// The index after the `>` for the `<` at `open`, if all brackets between them are paired.
fn after_angles(p: &Parser<'_>, open: usize) -> Option<usize> {
    let mut index = open;
    let mut depth = 0_usize;
    for _ in 0..MAX_ANGLED {
        match (p.kind_at(index)?, p.brackets()[index]) {
            (WrongArrow, _) => {
                for c in p.text_at(index).chars() {
                    depth = match c {
                        '<' => depth + 1,
                        '>' => depth.checked_sub(1)?,
                        _ => return None,
                    };
                }
            }
            (Arrow, _) | (_, Some(Role::Unclosed | Role::Stray)) => return None,
            (_, Some(Role::ClosedBy(closer))) => index = closer,
            _ => {}
        }
        index += 1;
        if depth == 0 {
            return Some(index);
        }
    }
    None
}
