//! The braces of tags, each of which may be written as an escape, and what is no part of the text between them.

use crate::{
    syntax::{
        decode::unescaped,
        fragment::{self, Escapes, Foreign, ForeignKind, Fragment},
        kind::SyntaxKind,
    },
    text::{TextRange, TextSize, size},
};

/// The first two of `brace` in `from..to` outside of interpolations.
pub(super) fn find(
    fragment: Fragment<'_>,
    brace: u8,
    mut from: usize,
    to: usize,
) -> Option<TextRange> {
    let text = &fragment.text[..to];
    while from < to {
        let rest = &text.as_bytes()[from..];
        let at = match fragment.escapes.has_backslashes() {
            true => memchr::memchr2(brace, b'\\', rest),
            false => memchr::memchr(brace, rest),
        };
        let at = from + at?;
        from = at + 1;
        let Some(range) = pair_at(text, fragment.escapes, brace, at) else {
            continue;
        };
        match covering(fragment.foreign, range) {
            Some(foreign) => from = from.max(foreign.range.end().into()),
            None => return Some(range),
        }
    }
    None
}

/// The interpolations and margins in `range`, with the kinds of their tokens.
pub(super) fn foreign_in(
    fragment: Fragment<'_>,
    range: TextRange,
) -> impl Iterator<Item = (SyntaxKind, TextRange)> {
    let first = fragment
        .foreign
        .partition_point(|it| it.range.start() < range.start());
    let inside = fragment.foreign[first..].iter();
    let inside = inside.take_while(move |it| it.range.end() <= range.end());
    inside.map(|it| {
        let kind = match it.kind {
            ForeignKind::Hole => SyntaxKind::Hole,
            ForeignKind::Margin => SyntaxKind::Whitespace,
        };
        (kind, it.range)
    })
}

/// The two of `brace` at `at`. Each may be an escape, such as `\u007b`.
pub(super) fn pair_at(text: &str, escapes: Escapes, brace: u8, at: usize) -> Option<TextRange> {
    let second = at + brace_len(text, escapes, brace, at)?;
    let end = second + brace_len(text, escapes, brace, second)?;
    Some(TextRange::new(size(at), size(end)))
}

/// The length of the `brace` at `at`; `None` if there is none.
fn brace_len(text: &str, escapes: Escapes, brace: u8, at: usize) -> Option<usize> {
    match text.as_bytes().get(at)? {
        byte if *byte == brace => Some(1),
        b'\\' if escapes.has_backslashes() => {
            let rest = &text[at + 1..];
            let is_code_point = rest.starts_with(['u', 'x']);
            let before = text[..at].bytes().rev().take_while(|byte| *byte == b'\\');
            if !is_code_point || before.count() % 2 == 1 {
                return None;
            }
            let escape = &text[at..=at + fragment::escape_len(rest)];
            (unescaped(escape).as_bytes() == [brace]).then_some(escape.len())
        }
        _ => None,
    }
}

/// The maximum number of lines of a tag that is no comment: a name may be on the next line.
pub(super) const MOST_LINES: usize = 32;

/// Where the white space that `range` begins with ends, as the reference trims it: also spaces of other kinds, and those
/// that are written as escapes.
pub(super) fn after_blanks(fragment: Fragment<'_>, range: TextRange) -> TextSize {
    let mut at = range.start();
    let first = fragment.text.as_bytes().get(usize::from(at));
    let begins_at_once = first.is_some_and(|it| it.is_ascii_graphic() && *it != b'\\');
    if begins_at_once && fragment.foreign.is_empty() {
        return at;
    }
    let mut lines = 0;
    while at < range.end() && lines < MOST_LINES {
        if let Some(foreign) = covering(fragment.foreign, TextRange::at(at, size(1))) {
            if foreign.kind == ForeignKind::Hole || foreign.range.end() > range.end() {
                break;
            }
            at = foreign.range.end();
            continue;
        }
        let rest = &fragment.text[TextRange::new(at, range.end())];
        let Some(len) = blank_len(rest, fragment.escapes) else {
            break;
        };
        lines += usize::from(rest[..len].contains('\n'));
        at += size(len);
    }
    at
}

/// The length of the blank that `text` begins with.
fn blank_len(text: &str, escapes: Escapes) -> Option<usize> {
    let first = text.chars().next()?;
    if first != '\\' || !escapes.has_backslashes() {
        return first.is_whitespace().then_some(first.len_utf8());
    }
    let escape = &text[..1 + fragment::escape_len(&text[1..])];
    is_blank_escape(escape).then_some(escape.len())
}

/// Whether `escape` stands for white space, or for nothing before a line end.
pub(super) fn is_blank_escape(escape: &str) -> bool {
    let value = unescaped(escape);
    match value.is_empty() {
        true => escape.ends_with('\n'),
        false => value.chars().all(char::is_whitespace),
    }
}

/// Whether braces after `text` may belong together with its end.
pub(super) fn reaches_into_braces(text: &str, escapes: Escapes) -> bool {
    let ends_escape = || {
        ["\\", "7b", "7B", "7b}", "7B}"]
            .iter()
            .any(|end| text.ends_with(end))
    };
    text.ends_with('{') || escapes.has_backslashes() && ends_escape()
}

/// The braces of the tag that begins at `start`.
pub(super) fn opening_braces(fragment: Fragment<'_>, start: TextSize) -> TextRange {
    let braces = pair_at(fragment.text, fragment.escapes, b'{', start.into());
    braces.unwrap_or(TextRange::empty(start))
}

/// The braces of a closed tag, given the text after its opening ones.
pub(super) fn closing_braces(fragment: Fragment<'_>, rest: TextRange) -> TextRange {
    let braces = match fragment.escapes.has_backslashes() {
        true => find(fragment, b'}', rest.start().into(), rest.end().into()),
        false => None,
    };
    braces.unwrap_or_else(|| TextRange::new(rest.end() - size(2), rest.end()))
}

pub(super) fn covering(foreign: &[Foreign], range: TextRange) -> Option<&Foreign> {
    let index = foreign.partition_point(|it| it.range.end() <= range.start());
    foreign
        .get(index)
        .filter(|it| it.range.start() < range.end())
}

/// Whether the byte at `at` is in an interpolation, and not its last one.
pub(super) fn is_inside_hole(foreign: &[Foreign], at: usize) -> bool {
    let hole = covering(foreign, TextRange::at(size(at), size(1)));
    hole.is_some_and(|it| it.kind == ForeignKind::Hole && size(at + 1) < it.range.end())
}
