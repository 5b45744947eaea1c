//! The lines of a catalog, each classified on its own.

use std::ops::Range;

use super::rank;
use crate::{
    parallel,
    text::{TextSize, size},
};

/// A line and its place, in bytes of the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'t> {
    pub(super) start: usize,
    /// The end without the line end.
    pub(super) text: &'t str,
    /// The end with the line end.
    pub(super) end: usize,
}

/// The number of lines that are ranked together.
const RANKED: usize = 1024;

/// The lines of a text, and the ranks of the entries that they certainly begin. There may be a million of them.
pub(super) struct Lines<'t> {
    pub(super) text: &'t str,
    /// The length of a byte order mark before the first line.
    pub(super) mark: usize,
    starts: Vec<TextSize>,
    ranks: Vec<Option<u8>>,
}

impl<'t> Lines<'t> {
    /// The lines of `text` after the first `mark` bytes.
    pub(super) fn of(text: &'t str, mark: usize) -> Self {
        let mut lines = Self::unranked(text, mark);
        let indices: Vec<_> = (0..lines.len()).step_by(RANKED).collect();
        let ranks = parallel::map_long(&indices, |first| {
            let indices = *first..lines.len().min(first + RANKED);
            let rank = |index| u8::try_from(rank_of(&lines.get(index)?)?).ok();
            indices.map(rank).collect::<Vec<_>>()
        });
        lines.ranks = ranks.concat();
        lines
    }

    /// The same without ranks, for a parse whose items do not nest.
    pub(super) fn unranked(text: &'t str, mark: usize) -> Self {
        Self {
            text,
            mark,
            starts: lines(text, mark).map(|line| size(line.start)).collect(),
            ranks: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The rank of the entry that the line at `index` certainly begins.
    pub(super) fn rank(&self, index: usize) -> Option<usize> {
        self.ranks[index].map(usize::from)
    }

    /// The start of the line at `index`; the end of the text after the last one.
    pub(super) fn start(&self, index: usize) -> usize {
        let start = self.starts.get(index);
        start.map_or(self.text.len(), |start| usize::from(*start))
    }

    /// The line at `index`.
    pub(super) fn get(&self, index: usize) -> Option<Line<'t>> {
        let start = usize::from(*self.starts.get(index)?);
        Some(Line::new(self.text, start..self.start(index + 1)))
    }
}

/// The rank of the entry that a line certainly begins; `None` for other lines.
pub(super) fn rank_of(line: &Line<'_>) -> Option<usize> {
    let head = line.firm_head()?;
    Some(rank(&line.text[head.name]))
}

/// The kinds of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LineKind {
    Blank,
    /// It begins with `#` or `;`.
    Comment,
    /// It begins with white space.
    Indented,
    /// It begins an entry.
    Head(Head),
    Other,
}

/// The start of an entry, in bytes of its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    /// The name; empty if it is missing.
    pub(super) name: Range<usize>,
    /// Where the signature begins; the line's end if it is missing.
    pub(super) signature: usize,
    /// Whether the line begins an entry even if a bracket is open before it.
    pub(super) is_firm: bool,
}

/// The lines of `text` from the byte at `start` on.
pub(super) fn lines(text: &str, start: usize) -> impl Iterator<Item = Line<'_>> {
    let first = line_at(text, start);
    std::iter::successors(first, |line| line_at(text, line.end))
}

impl<'t> Line<'t> {
    /// The line at `range` of `text`, with its line end.
    pub(super) fn new(text: &'t str, range: Range<usize>) -> Self {
        let line_end = match &text.as_bytes()[range.clone()] {
            [.., b'\r', b'\n'] => 2,
            [.., b'\r' | b'\n'] => 1,
            _ => 0,
        };
        Self {
            start: range.start,
            text: &text[range.start..range.end - line_end],
            end: range.end,
        }
    }
}

/// The line of `text` that begins at the byte `start`; `None` at the end.
fn line_at(text: &str, start: usize) -> Option<Line<'_>> {
    let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
    let len = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
    let line_end = match &rest.as_bytes()[len..] {
        [b'\r', b'\n', ..] => 2,
        [_, ..] => 1,
        [] => 0,
    };
    Some(Line::new(text, start..start + len + line_end))
}

impl Line<'_> {
    pub(super) fn kind(&self) -> LineKind {
        match self.text.chars().next() {
            _ if self.text.trim_start().is_empty() => LineKind::Blank,
            Some('#' | ';') => LineKind::Comment,
            Some(first) if first.is_whitespace() => LineKind::Indented,
            _ => head(self.text).map_or(LineKind::Other, LineKind::Head),
        }
    }

    /// Whether it contains only a comment, indented or not.
    pub(super) fn is_comment(&self) -> bool {
        self.text.trim_start().starts_with(['#', ';'])
    }

    /// The head of an entry, if the line certainly begins one.
    pub(super) fn firm_head(&self) -> Option<Head> {
        match self.kind() {
            LineKind::Head(head) if head.is_firm => Some(head),
            _ => None,
        }
    }
}

/// Whether a line certainly begins an entry.
pub fn begins_entry(line: &str) -> bool {
    head(line).is_some_and(|it| it.is_firm)
}

/// Parses `name(…`, `name -> …`, and common mistakes in them.
fn head(line: &str) -> Option<Head> {
    let code = &line[..comment_start(line)];
    let code = code.trim_end();
    let stop = code
        .char_indices()
        .find(|&(at, c)| is_punctuation(c) || is_of_arrow(c) && begins_with_arrow(&code[at..]))
        .map_or(code.len(), |(at, _)| at);
    let (name, rest) = (code[..stop].trim_end(), &code[stop..]);
    let words = name.split_whitespace().count();
    let head = |name: usize, signature: usize, is_firm: bool| {
        Some(Head {
            name: 0..name,
            signature,
            is_firm,
        })
    };
    match (words, rest.chars().next()) {
        (0 | 1, Some('(')) => head(name.len(), stop, true),
        (_, Some('(')) if has_arrow(rest) => head(name.len(), stop, true),
        (1, None) if is_name(name) => head(name.len(), code.len(), false),
        (1, Some('[' | '{')) => head(name.len(), stop, false),
        (1, Some(':')) => {
            let following = rest[1..].trim_start();
            let is_spaced =
                following.len() + 1 < rest.len() || following.starts_with(['(', '[', '{']);
            let is_signature = following.starts_with(['(', '[', '{', ':']);
            match (is_spaced, is_signature) {
                // `name: (…) -> …`
                (true, true) => {
                    let is_firm = following.starts_with('(') && has_arrow(following);
                    head(stop + 1, code.len() - following.len(), is_firm)
                }
                (true, false) => None,
                (false, _) => head(name.len(), stop, false),
            }
        }
        (1, Some(_)) if begins_with_arrow(rest) => head(name.len(), stop, true),
        _ => None,
    }
}

/// Whether `name` is valid for a tool: one word of letters and digits, characters that are not ASCII and `_`, `-`,
/// `.`, `/`, with an optional final `?` or `!`.
pub fn is_name(name: &str) -> bool {
    let name = name.strip_suffix(['?', '!']).unwrap_or(name);
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii();
    let is_part = |c: char| is_letter(c) || matches!(c, '-' | '.' | '/');
    name.starts_with(is_letter) && name.chars().all(|c| is_part(c) && !c.is_whitespace())
}

fn is_punctuation(c: char) -> bool {
    matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | ',' | ':')
}

/// The arrow, and what is certainly meant as one.
pub(super) const ARROWS: [&str; 5] = ["->", "=>", "→", "–>", "—>"];

/// Whether one of the arrows begins with `c`.
fn is_of_arrow(c: char) -> bool {
    matches!(c, '-' | '=' | '→' | '–' | '—')
}

/// Whether `text` begins with an arrow, or something that is certainly meant as one.
pub(super) fn begins_with_arrow(text: &str) -> bool {
    ARROWS.iter().any(|it| text.starts_with(it))
}

pub(super) fn has_arrow(text: &str) -> bool {
    ARROWS.iter().any(|it| text.contains(it))
}

/// Whether a line that ends with `text` goes on in a comment.
pub fn ends_in_comment(text: &str) -> bool {
    without_comment(text).len() < text.len()
}

/// `line` without the comment in it.
pub fn without_comment(line: &str) -> &str {
    match line.trim_start().starts_with(['#', ';']) {
        true => "",
        false => &line[..comment_start(line)],
    }
}

/// Where the comment after the code of a line begins; the line's end without one. Its mark is between white space,
/// because a `;` after a word is meant as a comma.
pub(super) fn comment_start(line: &str) -> usize {
    let mut marks = memchr::memchr2_iter(b'#', b';', line.as_bytes());
    let begins_comment = |at: &usize| {
        let (code, comment) = line.split_at(*at);
        if !code.chars().next_back().is_none_or(char::is_whitespace) {
            return false;
        }
        let following = comment.trim_start_matches(['#', ';']);
        following.is_empty() || following.starts_with(char::is_whitespace)
    };
    marks.find(begins_comment).unwrap_or(line.len())
}
