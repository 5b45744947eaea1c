//! Splits a fragment's raw text into the pieces of a template: lines of text, and tags.

use std::ops::Range;

use memchr::memmem;

use super::{
    braces::{MOST_LINES, covering, find, foreign_in, is_inside_hole, pair_at},
    lexer::{Opening, is_path, lex_content},
    pieces::{Piece, Pieces, TagKind, content_in},
};
use crate::{
    cancel,
    syntax::{
        fragment::{ForeignKind, Fragment},
        kind::SyntaxKind,
    },
    text::{TextRange, TextSize, size},
    work,
};

/// Splits the whole fragment into pieces, which cover it without gaps.
pub(super) fn split(fragment: Fragment<'_>) -> Pieces {
    // Of a long text, a list that grows would leave as much memory behind.
    let text_bytes = fragment.text.as_bytes();
    let tags = memmem::find_iter(text_bytes, "{{").count();
    let lines = memchr::memchr_iter(b'\n', text_bytes).count();
    let mut pieces = Vec::with_capacity(2 * tags + lines + 1);
    let mut at = 0;
    let mut comment_end = None;
    while let Some(open) = find(fragment, b'{', at, fragment.text.len()) {
        cancel::check();
        text(fragment, at..open.start().into(), &mut pieces);
        let (kind, end) = tag(fragment, open, &mut comment_end);
        pieces.push((Piece::Tag(kind), open.start()));
        at = end.into();
    }
    text(fragment, at..fragment.text.len(), &mut pieces);
    Pieces::new(pieces, TextSize::of(fragment.text))
}

/// Text split into lines, so that an edit replaces a short token.
fn text(fragment: Fragment<'_>, range: Range<usize>, pieces: &mut Vec<(Piece, TextSize)>) {
    let range = TextRange::new(size(range.start), size(range.end));
    let mut at = range.start();
    for (kind, foreign) in foreign_in(fragment, range) {
        lines(fragment.text, TextRange::new(at, foreign.start()), pieces);
        pieces.push((Piece::Text(kind), foreign.start()));
        at = foreign.end();
    }
    lines(fragment.text, TextRange::new(at, range.end()), pieces);
}

fn lines(text: &str, range: TextRange, pieces: &mut Vec<(Piece, TextSize)>) {
    let mut at = range.start();
    for line in text[range].split_inclusive('\n') {
        pieces.push((Piece::Text(SyntaxKind::TextLine), at));
        at += TextSize::of(line);
    }
}

/// The number of lines in which the end of a comment is looked for.
pub(super) const MOST_COMMENT_LINES: usize = 128;

/// The kind and the end of the tag whose opening braces are at `open`.
///
/// In the reference, a tag extends to the next `}}`, wherever that is. Here, a tag is unclosed if another tag comes
/// first, in a comment on a later line, or if it spans a brace or a line end without being a name. It then ends with its
/// line at the latest, so that the following text is still parsed. So does a comment that is too long to tell whether it
/// is closed: nothing in its other lines is a tag.
fn tag(
    fragment: Fragment<'_>,
    open: TextRange,
    comment_end: &mut Option<TagEnd>,
) -> (TagKind, TextSize) {
    let text = fragment.text;
    let start = usize::from(open.end());
    let is_comment = is_comment(fragment, open.end());
    let known = comment_end.filter(|it| is_comment && start < it.limit);
    let end = known.unwrap_or_else(|| end_of_tag(fragment, start, is_comment));
    if is_comment {
        *comment_end = Some(end);
    }
    let cut = |kind| (kind, end_of_unclosed(fragment, start, end.limit));
    let Some(close) = end.close else {
        return cut(match end.is_far {
            true => TagKind::LongComment,
            false => TagKind::Unclosed,
        });
    };
    let content = TextRange::new(open.end(), close.start());
    let kind = Opening::of(fragment, content).kind;
    if kind != TagKind::Comment && runs_on(&text[content]) && !has_path(fragment, content) {
        return cut(TagKind::Unclosed);
    }
    (kind, close.end())
}

/// Whether there is a line end or a brace in a tag's content.
fn runs_on(content: &str) -> bool {
    let may_run_on = memchr::memchr2(b'\n', b'}', content.as_bytes()).is_some();
    may_run_on && content.trim().contains(['\n', '}'])
}

/// Whether the text between the braces is a path.
fn has_path(fragment: Fragment<'_>, content: TextRange) -> bool {
    let mut tokens = Vec::new();
    lex_content(fragment, content, &mut tokens);
    is_path(&tokens[content_in(&tokens)])
}

/// Where a tag ends. The comments that begin before `limit` end alike, and there may be thousands of them on a line.
#[derive(Clone, Copy)]
struct TagEnd {
    close: Option<TextRange>,
    /// Where the closing braces, another tag or the next line begins.
    limit: usize,
    /// Whether the lines of a comment that were searched are not all up to another tag or the end of the text.
    is_far: bool,
}

/// Where the tag ends whose content begins at `start`.
fn end_of_tag(fragment: Fragment<'_>, start: usize, is_comment: bool) -> TagEnd {
    let (close, limit) = match first_stop(fragment, start, is_comment) {
        Stop::Close(braces) => (Some(braces), braces.start().into()),
        Stop::Open(at) => (None, at),
        Stop::Line(line_end) => return end_after_line(fragment, start, line_end, is_comment),
    };
    work::count(limit - start);
    TagEnd {
        close,
        limit,
        is_far: false,
    }
}

/// The same for a tag that is open at the end of its first line.
fn end_after_line(
    fragment: Fragment<'_>,
    start: usize,
    line_end: usize,
    is_comment: bool,
) -> TagEnd {
    let (end, is_cut) = match is_comment {
        true => end_of_comment_lines(fragment, line_end),
        false => (end_of_lines(fragment, start, line_end), false),
    };
    work::count(end - start);
    let close = find(fragment, b'}', line_end, end);
    TagEnd {
        close,
        limit: line_end,
        is_far: is_cut && close.is_none(),
    }
}

/// What comes first after the opening braces of a tag.
enum Stop {
    /// `}}`
    Close(TextRange),
    /// `{{`
    Open(usize),
    /// The end of the line, including the line end.
    Line(usize),
}

/// What comes first in a tag whose content begins at `from`; a comment may contain `{{`.
fn first_stop(fragment: Fragment<'_>, mut from: usize, is_comment: bool) -> Stop {
    let text = fragment.text;
    let is_stop = |byte: u8| matches!(byte, b'{' | b'}' | b'\n' | b'\\');
    while let Some(at) = text.as_bytes()[from..].iter().position(|it| is_stop(*it)) {
        let at = from + at;
        from = at + 1;
        let pair = |brace| pair_at(text, fragment.escapes, brace, at);
        let (stop, range) = if text[at..].starts_with('\n') {
            (Stop::Line(at + 1), TextRange::at(size(at), 1.into()))
        } else if let Some(close) = pair(b'}') {
            (Stop::Close(close), close)
        } else if let Some(open) = pair(b'{').filter(|_| !is_comment) {
            (Stop::Open(at), open)
        } else {
            continue;
        };
        match covering(fragment.foreign, range) {
            // A margin is at the start of the next line.
            Some(foreign)
                if foreign.kind == ForeignKind::Hole || !matches!(stop, Stop::Line(_)) =>
            {
                from = from.max(foreign.range.end().into());
            }
            _ => return stop,
        }
    }
    Stop::Line(text.len())
}

/// How far a tag that is no comment can extend after the end of its line: over white space and names, to the next tag.
fn end_of_lines(fragment: Fragment<'_>, start: usize, line_end: usize) -> usize {
    let text = fragment.text;
    if !text[start..line_end].chars().all(is_of_name) {
        return line_end;
    }
    let mut end = line_end;
    for line in text[line_end..].split_inclusive('\n').take(MOST_LINES - 1) {
        let next = end + line.len();
        if let Some(open) = find(fragment, b'{', end, next) {
            return open.start().into();
        }
        end = next;
        if !line.chars().all(is_of_name) {
            break;
        }
    }
    end
}

/// How far a comment can extend after the end of its line: to the next tag. Also whether that may be further away: not if it
/// is directly behind the last line that is searched, because a reparse may end before a tag.
fn end_of_comment_lines(fragment: Fragment<'_>, line_end: usize) -> (usize, bool) {
    let rest = &fragment.text.as_bytes()[line_end..];
    let mut line_ends = memchr::memchr_iter(b'\n', rest);
    let cut = line_ends.nth(MOST_COMMENT_LINES - 2);
    let end = cut.map_or(fragment.text.len(), |at| line_end + at + 1);
    match find(fragment, b'{', line_end, end) {
        Some(open) => (open.start().into(), false),
        None => (end, end < fragment.text.len() && !begins_tag(fragment, end)),
    }
}

/// Whether there are the opening braces of a tag at `at`.
fn begins_tag(fragment: Fragment<'_>, at: usize) -> bool {
    let braces = pair_at(fragment.text, fragment.escapes, b'{', at);
    braces.is_some_and(|it| covering(fragment.foreign, it).is_none())
}

/// Whether the tag whose content begins at `start` is a comment.
pub(super) fn is_comment(fragment: Fragment<'_>, start: TextSize) -> bool {
    let content = TextRange::new(start, TextSize::of(fragment.text));
    Opening::of(fragment, content).kind == TagKind::Comment
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c.is_whitespace() || "_.-#^/\\".contains(c)
}

/// Whether a tag that is open in the text from `start` on, where its content begins, remains open whatever follows the
/// text. No other tag is in that text.
pub(super) fn ends_open_tag(fragment: Fragment<'_>, start: TextSize) -> bool {
    let is_comment = is_comment(fragment, start);
    let most = match is_comment {
        true => MOST_COMMENT_LINES,
        false => MOST_LINES,
    };
    let rest = &fragment.text[usize::from(start)..];
    let mut lines = rest.split_inclusive('\n').enumerate();
    lines.any(|(index, line)| {
        let goes_on = is_comment || line.chars().all(is_of_name);
        line.ends_with('\n') && (!goes_on || index >= most)
    })
}

/// The end of an unclosed tag whose content begins at `start`: a lone brace, or the end of its line. Interpolations are
/// not split.
fn end_of_unclosed(fragment: Fragment<'_>, start: usize, limit: usize) -> TextSize {
    let rest = &fragment.text[start..limit];
    let is_free = |(at, _): &(usize, &str)| !is_inside_hole(fragment.foreign, start + at);
    let stop = rest.match_indices(['\n', '\r', '}']).find(is_free);
    let line = match stop {
        Some((brace, "}")) => &rest[..=brace],
        Some((line_end, _)) => &rest[..line_end],
        None => rest,
    };
    work::count(line.len());
    size(start + line.trim_end().len())
}
