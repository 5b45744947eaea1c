//! Parses pieces into a tree: sections nest, everything else is a flat list.

use std::ops::Range;

use rowan::GreenNode;

use super::{
    builder::Builder,
    lexer::is_path,
    pieces::{Piece, Pieces, TagKind, Token},
};
use crate::{
    cancel,
    syntax::{
        error::ErrorKind,
        kind::SyntaxKind::{self, *},
        pairing::{Delimiter, Role, pair},
        runs::{Elements as _, Runs},
    },
};

/// The maximum depth of sections; deeper tags become errors. The reference's limit is 20.
const MAX_DEPTH: usize = 320;

/// A line with more pieces is cut between them.
const LONG_LINE: usize = 32;

/// Where a row can be cut.
enum End {
    Line,
    Tag,
}

pub(super) struct Parser<'a> {
    text: &'a str,
    pub(super) pieces: Pieces,
    /// The role of each piece; empty if there are no sections.
    roles: Vec<Option<Role>>,
    builder: Builder,
    depth: usize,
    /// The end of the line of the innermost unclosed section, as an index of a piece.
    line_end: usize,
    /// Whether long rows nest in runs.
    has_runs: bool,
}

impl<'a> Parser<'a> {
    /// A parser of `text` with its `pieces`, below `depth` sections.
    pub(super) fn new(text: &'a str, pieces: Pieces, depth: usize) -> Self {
        let roles = pair_sections(text, &pieces);
        Self {
            text,
            builder: Builder::with_capacity(pieces.token_count()),
            pieces,
            roles,
            depth,
            line_end: 0,
            has_runs: true,
        }
    }

    /// The text of all pieces.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// Pairs the sections again within closed sections called `around`, innermost first. Returns whether those are
    /// still paired with each other.
    pub(super) fn pair_within(&mut self, around: &[String]) -> bool {
        let own = delimiters(self.text, &self.pieces);
        let outer = |index: usize, opens: bool| Delimiter {
            index: index + self.pieces.len(),
            opens,
            label: around[index].as_str(),
        };
        let opening = (0..around.len()).rev().map(|index| outer(index, true));
        let closing = (0..around.len()).map(|index| {
            let delimiter = outer(index, false);
            Delimiter {
                index: delimiter.index + around.len(),
                ..delimiter
            }
        });
        let all: Vec<_> = opening.chain(own).chain(closing).collect();
        let mut roles = vec![None; self.pieces.len() + 2 * around.len()];
        for (index, role) in pair(&all) {
            roles[index] = Some(role);
        }
        let mut pairs = (self.pieces.len()..).take(around.len());
        let is_as_before =
            pairs.all(|open| roles[open] == Some(Role::ClosedBy(open + around.len())));
        roles.truncate(self.pieces.len());
        self.roles = roles;
        is_as_before
    }

    /// The text of the piece at `index`.
    pub(super) fn text_of(&self, index: usize) -> &'a str {
        &self.text[self.pieces.range(index)]
    }

    /// The role of the piece at `index`, if it is the tag of a section.
    pub(super) fn role(&self, index: usize) -> Option<Role> {
        self.roles.get(index).copied().flatten()
    }

    /// Whether every section is closed by a tag of its name.
    pub(super) fn are_sections_closed(&self) -> bool {
        self.roles
            .iter()
            .enumerate()
            .all(|(index, role)| match *role {
                Some(Role::ClosedBy(close)) => self.name(index) == self.name(close),
                Some(Role::Unclosed | Role::Stray) => false,
                Some(Role::Closes(_)) | None => true,
            })
    }

    pub(super) fn template(mut self) -> GreenNode {
        self.row(0, self.pieces.len());
        self.finished()
    }

    /// The tree of all elements.
    fn finished(self) -> GreenNode {
        let Self {
            mut builder,
            pieces,
            roles,
            ..
        } = self;
        // A long row needs as much memory again for the node.
        drop((pieces, roles));
        builder.wrap(0, Template);
        builder.finish()
    }

    /// The pieces as the children of one node, in runs.
    pub(super) fn runs(mut self) -> GreenNode {
        self.row(0, self.pieces.len());
        if self.builder.is_flat() {
            self.builder.wrap_run(0);
        }
        self.finished()
    }

    /// The pieces as the children of one node, without runs.
    pub(super) fn flat_row(mut self) -> GreenNode {
        self.has_runs = false;
        self.template()
    }

    /// Parses the pieces as one closed section.
    pub(super) fn section_only(mut self) -> GreenNode {
        self.section(0, self.pieces.len() - 1);
        self.builder.finish()
    }

    /// Parses the pieces as one tag outside of sections.
    pub(super) fn tag_only(mut self) -> GreenNode {
        self.row(0, 1);
        self.builder.finish()
    }

    /// The pieces `from..to` and what they contain.
    fn row(&mut self, from: usize, to: usize) {
        let has_runs = self.has_runs;
        let mut runs = Runs::new(&self.builder);
        let mut index = from;
        let mut pieces_in_line = 0;
        while index < to {
            index = self.piece(index, to);
            pieces_in_line += 1;
            match has_runs.then(|| self.end_after(index - 1)).flatten() {
                Some(End::Tag) if pieces_in_line < LONG_LINE => {}
                Some(_) => {
                    pieces_in_line = 0;
                    runs.cut(&mut self.builder);
                }
                None => {}
            }
        }
        runs.finish(&mut self.builder);
    }

    /// The places for a cut after the piece at `index`.
    fn end_after(&self, index: usize) -> Option<End> {
        match self.pieces.piece(index) {
            Piece::Text => self.text_of(index).ends_with('\n').then_some(End::Line),
            Piece::Tag(kind) => (kind != TagKind::Unclosed).then_some(End::Tag),
        }
    }

    /// Parses from the piece at `index` on and returns the index after the parsed element.
    fn piece(&mut self, index: usize, to: usize) -> usize {
        cancel::check();
        let Piece::Tag(kind) = self.pieces.piece(index) else {
            self.all_of(index);
            return index + 1;
        };
        match (kind, self.role(index)) {
            (TagKind::SectionOpen, Some(Role::ClosedBy(close))) => {
                self.section(index, close);
                return close + 1;
            }
            (TagKind::SectionOpen, None) => {
                self.error(ErrorKind::EmptySectionName, |p| p.all_of(index))
            }
            (TagKind::SectionOpen, _) => return self.unclosed_section(index, to),
            (TagKind::SectionClose, _) => self.error(ErrorKind::StraySectionClose, |p| {
                p.section_tag(SectionClose, index)
            }),
            (TagKind::Placeholder, _) => self.placeholder(index),
            (TagKind::Comment, _) => self.node(CommentTag, |p| p.all_of(index)),
            (TagKind::Unclosed, _) => self.error(ErrorKind::UnclosedTag, |p| p.all_of(index)),
        }
        index + 1
    }

    fn section(&mut self, open: usize, close: usize) {
        if self.depth == MAX_DEPTH {
            return self.error(ErrorKind::TooDeep, |p| p.flat(open, close + 1));
        }
        self.depth += 1;
        self.node(Section, |p| {
            p.section_tag(SectionOpen, open);
            p.row(open + 1, close);
            if p.have_same_name(open, close) {
                p.section_tag(SectionClose, close);
            } else {
                p.error(ErrorKind::MismatchedSectionClose, |p| {
                    p.section_tag(SectionClose, close)
                });
            }
        });
        self.depth -= 1;
    }

    /// An unclosed section contains the rest of its line. Returns the index after it.
    fn unclosed_section(&mut self, open: usize, to: usize) -> usize {
        // Unclosed sections in it are on the same line, which is not searched for its end again.
        let end = match open < self.line_end && self.line_end <= to {
            true => self.line_end,
            false => self.end_of_line(open, to),
        };
        if self.depth == MAX_DEPTH {
            self.error(ErrorKind::TooDeep, |p| p.flat(open, end));
            return end;
        }
        self.depth += 1;
        let outer = std::mem::replace(&mut self.line_end, end);
        self.node(Section, |p| {
            p.error(ErrorKind::UnclosedSection, |p| {
                p.section_tag(SectionOpen, open)
            });
            let mut index = open + 1;
            while index < end {
                index = p.piece(index, end);
            }
        });
        self.line_end = outer;
        self.depth -= 1;
        end
    }

    /// The index after the last piece on the line of the tag at `open`; closed sections are skipped.
    fn end_of_line(&self, open: usize, to: usize) -> usize {
        let mut index = open + 1;
        while index < to {
            let is_text = self.pieces.piece(index) == Piece::Text;
            let ends_line = is_text && self.text_of(index).ends_with('\n');
            index = match self.role(index) {
                Some(Role::ClosedBy(close)) => close + 1,
                _ => index + 1,
            };
            if ends_line {
                break;
            }
        }
        index
    }

    /// The tokens of the pieces `from..to`, without structure.
    fn flat(&mut self, from: usize, to: usize) {
        for index in from..to {
            self.all_of(index);
        }
    }

    fn placeholder(&mut self, index: usize) {
        if self.pieces.content_of(index).is_empty() {
            return self.error(ErrorKind::EmptyPlaceholder, |p| p.all_of(index));
        }
        self.node(Placeholder, |p| {
            p.framed(index, ErrorKind::InvalidPlaceholder)
        });
    }

    fn section_tag(&mut self, kind: SyntaxKind, index: usize) {
        // `.` is no name that a section can be over.
        let has_name = !matches!(self.name(index), "" | ".");
        self.node(kind, |p| match !has_name {
            true if kind == SectionOpen => {
                p.error(ErrorKind::EmptySectionName, |p| p.all_of(index))
            }
            true => p.all_of(index),
            false => p.framed(index, ErrorKind::InvalidPlaceholder),
        });
    }

    /// A tag's tokens with its content as a path, or as an error if it is invalid.
    fn framed(&mut self, index: usize, error: ErrorKind) {
        let (all, content) = (self.pieces.tokens_of(index), self.pieces.content_of(index));
        let kind = match is_path(self.pieces.tokens(content.clone())) {
            true => Path,
            false => Error(error),
        };
        self.tokens(all.start..content.start);
        self.node(kind, |p| p.tokens(content.clone()));
        self.tokens(content.end..all.end);
    }

    fn error(&mut self, error: ErrorKind, contents: impl FnOnce(&mut Self)) {
        self.node(Error(error), contents);
    }

    fn node(&mut self, kind: SyntaxKind, contents: impl FnOnce(&mut Self)) {
        let start = self.builder.checkpoint();
        contents(self);
        self.builder.wrap(start, kind);
    }

    /// The tokens of the piece at `index`.
    fn all_of(&mut self, index: usize) {
        self.tokens(self.pieces.tokens_of(index));
    }

    fn tokens(&mut self, indexes: Range<usize>) {
        for token in self.pieces.tokens(indexes) {
            self.builder.token(token.kind, &self.text[token.range]);
        }
    }

    fn have_same_name(&self, open: usize, close: usize) -> bool {
        self.name(open) == self.name(close)
            || [open, close].into_iter().any(|index| {
                let content = self.pieces.tokens(self.pieces.content_of(index));
                content.iter().any(|token| token.kind == Hole)
            })
    }

    /// The label of a tag of a section.
    fn name(&self, index: usize) -> &'a str {
        name(self.text, self.pieces.tokens(self.pieces.content_of(index)))
    }
}

/// The text of the content of a tag.
fn name<'a>(text: &'a str, content: &[Token]) -> &'a str {
    match content {
        [] => "",
        [first, .., last] => &text[first.range.cover(last.range)],
        [only] => &text[only.range],
    }
}

/// The tags of sections. An opening tag without a name opens nothing.
fn delimiters<'t>(text: &'t str, pieces: &Pieces) -> Vec<Delimiter<&'t str>> {
    let delimiter = |(index, piece)| match piece {
        Piece::Tag(kind @ (TagKind::SectionOpen | TagKind::SectionClose)) => Some(Delimiter {
            index,
            opens: kind == TagKind::SectionOpen,
            label: name(text, pieces.tokens(pieces.content_of(index))),
        }),
        _ => None,
    };
    let delimiters = pieces.iter().enumerate().filter_map(delimiter);
    delimiters
        .filter(|it| !it.opens || !it.label.is_empty())
        .collect()
}

/// Pairs the tags of sections.
fn pair_sections(text: &str, pieces: &Pieces) -> Vec<Option<Role>> {
    let delimiters = delimiters(text, pieces);
    if delimiters.is_empty() {
        return Vec::new();
    }
    let mut roles = vec![None; pieces.len()];
    for (index, role) in pair(&delimiters) {
        roles[index] = Some(role);
    }
    roles
}
