//! Parses lines into entries, comments and errors.

use std::ops::Range;

use foldhash::HashMap;
use rowan::GreenNode;

use super::{
    LEVELS,
    extent::Extent,
    lines::{Head, Line, LineKind, comment_start, is_name, lines},
    rank,
};
use crate::{
    cancel, parallel,
    syntax::{
        error::ErrorKind,
        fragment::{Escapes, Foreign, ForeignKind, Fragment},
        kind::SyntaxKind,
        reparse::GreenElement,
        shared::Shared,
        signature,
    },
    text::{TextRange, size},
};

/// The level of the runs that are read on threads of their own.
const PIECE: usize = LEVELS - 1;

/// The runs of the highest level in `text`, a whole document.
pub(super) fn all_runs(text: &str) -> Vec<GreenElement> {
    let lines = Lines::of(text, mark_len(text));
    let begins = (1..lines.lines.len()).filter(|index| lines.ranks[*index] >= Some(PIECE));
    let starts: Vec<_> = std::iter::once(0).chain(begins).collect();
    let ends = starts[1..].iter().copied().chain([lines.lines.len()]);
    let pieces: Vec<_> = starts.iter().copied().zip(ends).collect();
    let runs = parallel::map_long(&pieces, |(start, end)| lines.part(*start..*end).runs(PIECE));
    let mut shared = Shared::default();
    let (mut all, mut inner) = (Vec::new(), Vec::new());
    for (start, runs) in starts.into_iter().zip(runs) {
        if !inner.is_empty() && lines.ranks[start] > Some(PIECE) {
            all.push(node(&mut shared, SyntaxKind::Entries, inner.drain(..)));
        }
        inner.extend(runs);
    }
    if !inner.is_empty() {
        all.push(node(&mut shared, SyntaxKind::Entries, inner));
    }
    all
}

/// Longer signatures, in bytes, rarely read the same.
const LONGEST_SHARED: usize = 256;

/// The maximum number of signatures that are looked for. Where more are different, few are the same.
const MOST_SHARED: usize = 1024;

/// The runs of `level` in `text`, or `None` if it would split a run around them.
///
/// The text begins a run; it is the whole document or ends before a line that begins one.
pub(super) fn runs(text: &str, level: usize, is_document_start: bool) -> Option<Vec<GreenElement>> {
    let mark = if is_document_start { mark_len(text) } else { 0 };
    let lines = Lines::of(text, mark);
    if { lines.ranks.iter().skip(1) }.any(|rank| *rank > Some(level)) {
        return None;
    }
    Some(lines.part(0..lines.lines.len()).runs(level))
}

/// The length of the byte order mark at the start of a document.
fn mark_len(text: &str) -> usize {
    match text.starts_with('\u{feff}') {
        true => '\u{feff}'.len_utf8(),
        false => 0,
    }
}

/// The lines of a text, and the ranks of the entries that they certainly begin.
struct Lines<'t> {
    text: &'t str,
    mark: usize,
    lines: Vec<Line<'t>>,
    ranks: Vec<Option<usize>>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str, mark: usize) -> Self {
        let lines: Vec<_> = lines(text, mark).collect();
        let ranks = parallel::map(&lines, rank_of);
        Self {
            text,
            mark,
            lines,
            ranks,
        }
    }

    /// A parser of some of the lines.
    fn part(&self, range: Range<usize>) -> Parser<'_> {
        let mut parser = Parser {
            text: self.text,
            lines: &self.lines[range.clone()],
            ranks: &self.ranks[range.clone()],
            pos: 0,
            lists: Default::default(),
            signatures: HashMap::default(),
            shared: Shared::default(),
        };
        if range.start == 0 {
            parser.whitespace(0..self.mark);
        }
        parser
    }
}

/// The rank of the entry that a line certainly begins; `None` for other lines.
pub(super) fn rank_of(line: &Line<'_>) -> Option<usize> {
    let head = line.firm_head()?;
    Some(rank(&line.text[head.name]))
}

struct Parser<'t> {
    text: &'t str,
    lines: &'t [Line<'t>],
    /// The ranks of the entries that they begin.
    ranks: &'t [Option<usize>],
    /// The next line.
    pos: usize,
    /// The elements of the open run, then for each level its runs so far.
    lists: [Vec<GreenElement>; LEVELS + 1],
    /// Signatures that were parsed, by text: those of similar tools often read the same.
    signatures: HashMap<&'t str, GreenNode>,
    shared: Shared,
}

impl<'t> Parser<'t> {
    /// The runs of `level` in all lines.
    fn runs(mut self, level: usize) -> Vec<GreenElement> {
        while self.pos < self.lines.len() {
            if self.pos > 0
                && let Some(rank) = self.ranks[self.pos]
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
        let token = self.token(SyntaxKind::Whitespace, &self.text[range]);
        self.lists[0].extend(token);
    }

    fn item(&mut self) {
        cancel::check();
        let line = self.lines[self.pos];
        let (item, end) = match line.kind() {
            LineKind::Blank => {
                self.pos += 1;
                return self.whitespace(line.start..line.end);
            }
            LineKind::Comment => self.comment(),
            LineKind::Indented if line.is_comment() => self.comment(),
            LineKind::Indented => self.stray_description(),
            LineKind::Head(head) => self.entry(&head),
            LineKind::Other => self.no_entry(),
        };
        self.lists[0].extend(item);
        let last = self.lines[self.pos - 1];
        self.whitespace(end..last.end);
    }

    /// A line that is only a comment. Like all items, it returns its end, without the white space after it.
    fn comment(&mut self) -> (Option<GreenElement>, usize) {
        let line = self.lines[self.pos];
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
        while self
            .lines
            .get(self.pos)
            .is_some_and(|it| it.kind() == LineKind::Indented && !it.is_comment())
        {
            self.pos += 1;
        }
        let start = trimmed(self.lines[first]).start;
        self.whitespace(self.lines[first].start..start);
        let (tokens, end) = self.text_lines(first..self.pos);
        let error = self.node(SyntaxKind::Error(ErrorKind::StrayDescription), tokens);
        (Some(self.node(SyntaxKind::Entry, [error])), end)
    }

    /// Lines that are not an entry, as one error, with the indented lines below them.
    fn no_entry(&mut self) -> (Option<GreenElement>, usize) {
        let first = self.pos;
        while self
            .lines
            .get(self.pos)
            .is_some_and(|it| it.kind() == LineKind::Other)
        {
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
        let mut tokens = Vec::new();
        let mut at = trimmed(self.lines[lines.start]).start;
        for line in &self.lines[lines] {
            let text = trimmed(*line);
            tokens.extend(self.token(SyntaxKind::Whitespace, &self.text[at..text.start]));
            tokens.extend(self.token(SyntaxKind::TextLine, &self.text[text.clone()]));
            at = text.end;
        }
        (tokens, at)
    }

    fn entry(&mut self, head: &Head) -> (Option<GreenElement>, usize) {
        let line = self.lines[self.pos];
        let name = &line.text[head.name.clone()];
        let mut children = vec![];
        match is_name(name) {
            true => children.extend(self.token(SyntaxKind::EntryName, name)),
            false => {
                let error = match name.is_empty() {
                    true => ErrorKind::MissingEntryName,
                    false => ErrorKind::InvalidEntryName,
                };
                let name = self.token(SyntaxKind::EntryName, name);
                children.push(self.node(SyntaxKind::Error(error), name));
            }
        }
        let end = self.signature(&mut children, head);
        let end = self.description(&mut children, end);
        (Some(self.node(SyntaxKind::Entry, children)), end)
    }

    /// Everything between the name and the description.
    fn signature(&mut self, children: &mut Vec<GreenElement>, head: &Head) -> usize {
        let line = self.lines[self.pos];
        let start = line.start + head.signature;
        let mut code = Code::of(line);
        let name_end = line.start + head.name.end;
        if start >= code.end {
            self.pos += 1;
            let error = SyntaxKind::Error(ErrorKind::MissingEntrySignature);
            children.push(self.node(error, None));
            self.rest_of_line(children, name_end, &code);
            return code.comment_end.max(name_end);
        }
        children.extend(self.token(SyntaxKind::Whitespace, &self.text[name_end..start]));
        let is_full = self.text[start..].starts_with('(')
            || super::lines::begins_with_arrow(&self.text[start..]);
        if !is_full {
            let error = SyntaxKind::Error(ErrorKind::MissingEntryParams);
            children.push(self.node(error, None));
        }
        let mut foreign = Vec::new();
        let mut extent = Extent::default();
        extent.line(&self.text[start..code.end]);
        self.pos += 1;
        while let Some(next) = self.next_of_signature(&extent) {
            let comments = self.lines[self.pos..next].iter().map(|it| trimmed(*it));
            for comment in std::iter::once(code.end..code.comment_end).chain(comments) {
                foreign.extend(margin(comment, start));
            }
            code = Code::of(self.lines[next]);
            extent.line(&self.text[code.start..code.end]);
            self.pos = next + 1;
        }
        let green = self.parsed(&self.text[start..code.end], &foreign);
        children.push(green.into());
        self.rest_of_line(children, code.end, &code);
        code.comment_end
    }

    /// The tree of the signature `text`.
    fn parsed(&mut self, text: &'t str, foreign: &[Foreign]) -> GreenNode {
        let is_shared = foreign.is_empty() && text.len() <= LONGEST_SHARED;
        if is_shared && let Some(known) = self.signatures.get(text) {
            return known.clone();
        }
        let fragment = Fragment {
            text,
            escapes: Escapes::None,
            foreign,
        };
        let green = self.shared.lend(|| signature::parse(fragment));
        if is_shared && self.signatures.len() < MOST_SHARED {
            self.signatures.insert(text, green.clone());
        }
        green
    }

    /// The next line of the signature, if there is one; only comments precede it.
    fn next_of_signature(&self, extent: &Extent) -> Option<usize> {
        let is_comment = |line: &Line<'_>| line.is_comment();
        let comments = self.lines[self.pos..]
            .iter()
            .take_while(|it| is_comment(it));
        let next = self.pos + comments.count();
        let line = self.lines.get(next)?;
        let goes_on = line.firm_head().is_none()
            && line.kind() != LineKind::Blank
            && extent.goes_on(Code::of(*line).text(self.text));
        goes_on.then_some(next)
    }

    /// The comment after the code of a line, from `at` on.
    fn rest_of_line(&mut self, children: &mut Vec<GreenElement>, at: usize, code: &Code) {
        if code.comment_start == code.comment_end {
            return;
        }
        children.extend(self.token(SyntaxKind::Whitespace, &self.text[at..code.comment_start]));
        children.extend(self.token(
            SyntaxKind::Comment,
            &self.text[code.comment_start..code.comment_end],
        ));
    }

    /// The indented lines that follow, including blank lines between them. `end` is where the entry ends without them.
    fn description(&mut self, children: &mut Vec<GreenElement>, end: usize) -> usize {
        let first = self.pos;
        let mut last = None;
        for (index, line) in self.lines.iter().enumerate().skip(first) {
            match line.kind() {
                LineKind::Indented => last = Some(index),
                LineKind::Blank => {}
                _ => break,
            }
        }
        let Some(last) = last else {
            return end;
        };
        self.pos = last + 1;
        let lines = &self.lines[first..=last];
        let margin = margin_of(lines);
        let mut tokens = Vec::with_capacity(3 * lines.len());
        let mut at = end;
        for line in lines.iter().filter(|it| !it.text.trim().is_empty()) {
            let text = line.start + margin..trimmed(*line).end;
            let outer = [at..line.start, line.start..text.start];
            let outer = outer.map(|range| self.token(SyntaxKind::Whitespace, &self.text[range]));
            match tokens.is_empty() {
                true => children.extend(outer.into_iter().flatten()),
                false => tokens.extend(outer.into_iter().flatten()),
            }
            tokens.extend(self.token(SyntaxKind::TextLine, &self.text[text.clone()]));
            at = text.end;
        }
        children.push(self.node(SyntaxKind::Description, tokens));
        at
    }
}

/// The code of a line and the comment after it, in bytes of the text.
struct Code {
    start: usize,
    end: usize,
    comment_start: usize,
    comment_end: usize,
}

impl Code {
    fn of(line: Line<'_>) -> Self {
        let comment = comment_start(line.text);
        let code = line.text[..comment].trim_end();
        let end = line.start + code.len();
        let comment_end = line.start + line.text.trim_end().len();
        Self {
            start: end - code.trim_start().len(),
            end,
            comment_start: (line.start + comment).min(comment_end),
            comment_end,
        }
    }

    fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start..self.end]
    }
}

/// A comment among the lines of the signature that begins at `start`.
fn margin(comment: Range<usize>, start: usize) -> Option<Foreign> {
    let range = TextRange::new(size(comment.start - start), size(comment.end - start));
    (!range.is_empty()).then_some(Foreign {
        range,
        kind: ForeignKind::Margin,
    })
}

/// The common indentation of all lines that are not blank.
fn margin_of(lines: &[Line<'_>]) -> usize {
    let mut lines = lines.iter().filter(|it| !it.text.trim().is_empty());
    let indentation = |line: &Line<'_>| line.text.len() - line.text.trim_start().len();
    let Some(first) = lines.next() else {
        return 0;
    };
    let first = &first.text[..indentation(first)];
    lines.fold(first.len(), |margin, line| {
        let common = first.char_indices().zip(line.text.chars());
        let common = common.take_while(|((at, a), b)| *at < margin && a == b);
        common
            .map(|((at, c), _)| at + c.len_utf8())
            .last()
            .unwrap_or(0)
    })
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
