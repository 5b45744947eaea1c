//! Parses lines into entries, comments and errors.

mod entry;

use std::ops::Range;

use foldhash::HashMap;
use rowan::GreenNode;

use super::{
    LEVELS,
    lines::{Line, LineKind, Lines},
};
use crate::{
    cancel, parallel,
    syntax::{
        error::ErrorKind, kind::SyntaxKind, reparse::GreenElement, room::make_room, shared::Shared,
    },
    text::{TextSize, size},
};

/// The level of the runs that are read on threads of their own.
const PIECE: usize = LEVELS - 1;

/// The runs of the highest level in `text`, a whole document.
pub(super) fn all_runs(text: &str) -> Vec<GreenElement> {
    let lines = Lines::of(text, mark_len(text));
    let begins = (1..lines.len()).filter(|index| lines.rank(*index) >= Some(PIECE));
    let starts: Vec<_> = std::iter::once(0).chain(begins).collect();
    let ends = starts[1..].iter().copied().chain([lines.len()]);
    let pieces: Vec<_> = starts.iter().copied().zip(ends).collect();
    let runs = parallel::map_long(&pieces, |(start, end)| {
        Parser::new(&lines, *start..*end).runs(PIECE)
    });
    let mut shared = Shared::default();
    let (mut all, mut inner) = (Vec::new(), Vec::new());
    for (start, runs) in starts.into_iter().zip(runs) {
        if !inner.is_empty() && lines.rank(start) > Some(PIECE) {
            all.push(node(&mut shared, SyntaxKind::Entries, inner.drain(..)));
        }
        inner.extend(runs);
    }
    if !inner.is_empty() {
        all.push(node(&mut shared, SyntaxKind::Entries, inner));
    }
    all
}

/// The runs of `level` in `text`, or `None` if it would split a run around them.
///
/// The text begins a run; it is the whole document or ends before a line that begins one.
pub(super) fn runs(text: &str, level: usize, is_document_start: bool) -> Option<Vec<GreenElement>> {
    let mark = if is_document_start { mark_len(text) } else { 0 };
    let lines = Lines::of(text, mark);
    if (1..lines.len()).any(|index| lines.rank(index) > Some(level)) {
        return None;
    }
    Some(Parser::new(&lines, 0..lines.len()).runs(level))
}

/// Parses the items of `text`, a whole catalog that is read once, in stretches, so that there is no tree of all. The
/// first one has at least `first` bytes. `look` gets where each stretch begins, and a catalog of its items, and returns
/// the least length of the next one, if it needs one.
pub fn in_stretches(
    text: &str,
    first: TextSize,
    look: &mut dyn FnMut(TextSize, GreenNode) -> Option<TextSize>,
) {
    let lines = Lines::unranked(text, mark_len(text));
    let mut parser = Parser::new(&lines, 0..lines.len());
    parser.is_read_once = true;
    let (mut start, mut next) = (0, Some(first));
    while let Some(len) = next.filter(|_| parser.pos < lines.len()) {
        parser.stretch_end = text.len().min(start + usize::from(len));
        while parser.pos < lines.len() && lines.start(parser.pos) < parser.stretch_end {
            parser.item();
        }
        parser.end_space();
        let items = std::mem::take(&mut parser.lists[0]);
        next = look(
            size(start),
            GreenNode::new(SyntaxKind::Catalog.into(), items),
        );
        parser.first = parser.pos;
        start = lines.start(parser.pos);
    }
}

/// More lines of one error are one token if the catalog is read once: there may be a million, and no edit replaces one.
const MOST_LINES: usize = 1024;

/// The length of the byte order mark at the start of a document.
fn mark_len(text: &str) -> usize {
    match text.starts_with('\u{feff}') {
        true => '\u{feff}'.len_utf8(),
        false => 0,
    }
}

/// A token of white space with at least so many bytes ends with the next line end, so that a keystroke among many blank
/// lines replaces a short token.
const LONG_SPACE: usize = 64;

struct Parser<'t, 'l> {
    text: &'t str,
    lines: &'l Lines<'t>,
    /// The first line.
    first: usize,
    /// The next line.
    pos: usize,
    /// The line after the last one.
    end: usize,
    /// Where the items that are listed now end, or a later one begins.
    stretch_end: usize,
    /// The white space after the last element.
    space: Range<usize>,
    /// The elements of the open run, then for each level its runs so far.
    lists: [Vec<GreenElement>; LEVELS + 1],
    /// Signatures that were parsed, by text: those of similar tools often read the same.
    signatures: HashMap<&'t str, GreenNode>,
    shared: Shared,
    /// Whether there is no tree of all items.
    is_read_once: bool,
}

impl<'t, 'l> Parser<'t, 'l> {
    /// A parser of some of the lines.
    fn new(lines: &'l Lines<'t>, range: Range<usize>) -> Self {
        let mut parser = Self {
            text: lines.text,
            lines,
            first: range.start,
            pos: range.start,
            end: range.end,
            stretch_end: lines.start(range.end),
            space: 0..0,
            lists: Default::default(),
            signatures: HashMap::default(),
            shared: Shared::default(),
            is_read_once: false,
        };
        if range.start == 0 {
            parser.whitespace(0..lines.mark);
        }
        parser
    }

    /// The runs of `level` in all lines.
    fn runs(mut self, level: usize) -> Vec<GreenElement> {
        while self.pos < self.end {
            if self.pos > self.first
                && let Some(rank) = self.lines.rank(self.pos)
            {
                self.end_runs(rank);
            }
            self.item();
        }
        self.end_runs(level);
        std::mem::take(&mut self.lists[level])
    }

    /// Ends the open runs up to `level`.
    fn end_runs(&mut self, level: usize) {
        self.end_space();
        for level in 0..level {
            let list = std::mem::take(&mut self.lists[level]);
            if !list.is_empty() {
                let run = self.node(SyntaxKind::Entries, list);
                self.lists[level + 1].push(run);
            }
        }
    }

    fn token(&mut self, kind: SyntaxKind, text: &str) -> Option<GreenElement> {
        (!text.is_empty()).then(|| self.shared.token(kind.into(), text).into())
    }

    fn node(
        &mut self,
        kind: SyntaxKind,
        children: impl IntoIterator<Item = GreenElement>,
    ) -> GreenElement {
        node(&mut self.shared, kind, children)
    }

    fn whitespace(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        if self.space.end == range.start && self.space.len() < LONG_SPACE {
            self.space.end = range.end;
            return;
        }
        self.end_space();
        self.space = range;
    }

    fn end_space(&mut self) {
        let space = std::mem::take(&mut self.space);
        let token = self.token(SyntaxKind::Whitespace, &self.text[space]);
        self.lists[0].extend(token);
    }

    /// The line at `index`, if it is one of those to parse.
    fn line(&self, index: usize) -> Option<Line<'t>> {
        match index < self.end {
            true => self.lines.get(index),
            false => None,
        }
    }

    /// The place of the text of the line at `index` without white space around it.
    fn trimmed_at(&self, index: usize) -> Range<usize> {
        self.line(index).map_or(0..0, trimmed)
    }

    fn item(&mut self) {
        cancel::check();
        let Some(line) = self.line(self.pos) else {
            return;
        };
        let (item, end) = match line.kind() {
            LineKind::Blank => {
                self.pos += 1;
                return self.whitespace(line.start..line.end);
            }
            LineKind::Comment => self.comment(line),
            LineKind::Indented if line.is_comment() => self.comment(line),
            LineKind::Indented => self.stray_description(),
            LineKind::Head(head) => self.entry(line, &head),
            LineKind::Other => self.no_entry(),
        };
        self.end_space();
        let first = self.lines.start(self.first);
        let (read, all) = (line.start - first, self.stretch_end - first);
        make_room(&mut self.lists[0], read, all);
        self.lists[0].extend(item);
        self.whitespace(end..self.lines.start(self.pos));
    }

    /// A line that is only a comment. Like all items, it returns its end, without the white space after it.
    fn comment(&mut self, line: Line<'t>) -> (Option<GreenElement>, usize) {
        self.pos += 1;
        let text = trimmed(line);
        self.whitespace(line.start..text.start);
        (
            self.token(SyntaxKind::Comment, &self.text[text.clone()]),
            text.end,
        )
    }

    /// Indented lines without an entry before them.
    fn stray_description(&mut self) -> (Option<GreenElement>, usize) {
        let first = self.pos;
        let is_text = |it: Line<'_>| it.kind() == LineKind::Indented && !it.is_comment();
        while self.line(self.pos).is_some_and(is_text) {
            self.pos += 1;
        }
        let start = self.trimmed_at(first).start;
        self.whitespace(self.lines.start(first)..start);
        let (tokens, end) = self.text_lines(first..self.pos);
        let error = self.node(SyntaxKind::Error(ErrorKind::StrayDescription), tokens);
        (Some(self.node(SyntaxKind::Entry, [error])), end)
    }

    /// Lines that are not an entry, as one error, with the indented lines below them.
    fn no_entry(&mut self) -> (Option<GreenElement>, usize) {
        let first = self.pos;
        let is_other = |it: Line<'_>| it.kind() == LineKind::Other;
        while self.line(self.pos).is_some_and(is_other) {
            self.pos += 1;
        }
        let (tokens, end) = self.text_lines(first..self.pos);
        let error = self.node(SyntaxKind::Error(ErrorKind::NotAnEntry), tokens);
        let mut children = vec![error];
        let end = self.description(&mut children, end);
        (Some(self.node(SyntaxKind::Entry, children)), end)
    }

    /// The text of whole lines, without white space at both ends.
    fn text_lines(&mut self, lines: Range<usize>) -> (Vec<GreenElement>, usize) {
        let mut at = self.trimmed_at(lines.start).start;
        if self.is_read_once && lines.len() > MOST_LINES {
            let end = self.trimmed_at(lines.end - 1).end;
            let token = self.token(SyntaxKind::TextLine, &self.text[at..end]);
            return (token.into_iter().collect(), end);
        }
        let mut tokens = Vec::with_capacity(2 * lines.len());
        for index in lines {
            let text = self.trimmed_at(index);
            tokens.extend(self.token(SyntaxKind::Whitespace, &self.text[at..text.start]));
            tokens.extend(self.token(SyntaxKind::TextLine, &self.text[text.clone()]));
            at = text.end;
        }
        (tokens, at)
    }
}

/// The place of a line's text without white space around it.
fn trimmed(line: Line<'_>) -> Range<usize> {
    let end = line.start + line.text.trim_end().len();
    end - line.text.trim().len()..end
}

fn node(
    shared: &mut Shared,
    kind: SyntaxKind,
    children: impl IntoIterator<Item = GreenElement>,
) -> GreenElement {
    let mut children: Vec<_> = children.into_iter().collect();
    shared.node(kind.into(), &mut children, 0).into()
}
