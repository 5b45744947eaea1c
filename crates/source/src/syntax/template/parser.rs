//! Parses pieces into a tree: sections nest, everything else is a flat list.

use std::ops::Range;

use rowan::GreenNode;

use super::{
    braces::opening_braces,
    builder::Builder,
    lexer::{is_path, read},
    pieces::{Piece, Pieces, TagKind, Token, content_in},
    sections::{Label, Roles, delimiters, label, pair_sections},
    split::{ends_open_tag, is_comment, split},
};
use crate::{
    cancel,
    syntax::{
        error::ErrorKind,
        fragment::Fragment,
        kind::SyntaxKind::{self, *},
        pairing::{Delimiter, Role, pair},
        runs::{Elements as _, Runs},
    },
};

/// The maximum depth of sections; deeper tags become errors. The reference's limit is 20.
const MAX_DEPTH: usize = 320;

/// So many closing tags without a section have their nodes: more than are ever reported. Others have only their tokens.
const MOST_STRAYS: usize = 2048;

/// A line with more pieces is cut between them.
const LONG_LINE: usize = 32;

/// Where a row can be cut.
enum End {
    Line,
    Tag,
}

pub(super) struct Parser<'a> {
    fragment: Fragment<'a>,
    pub(super) pieces: Pieces,
    /// The roles of the pieces that are tags of sections.
    roles: Roles,
    builder: Builder,
    /// The tokens of the tag that was read last.
    tag: Vec<Token>,
    depth: usize,
    /// The number of closing tags without a section.
    strays: usize,
    /// The end of the line of the innermost unclosed section, as an index of a piece.
    line_end: usize,
    /// Whether long rows nest in runs.
    has_runs: bool,
}

impl<'a> Parser<'a> {
    /// A parser of `fragment`, below `depth` sections.
    pub(super) fn new(fragment: Fragment<'a>, depth: usize) -> Self {
        let pieces = split(fragment);
        Self {
            roles: pair_sections(fragment, &pieces),
            fragment,
            pieces,
            builder: Builder::default(),
            tag: Vec::new(),
            depth,
            strays: 0,
            line_end: 0,
            has_runs: true,
        }
    }

    /// The text of all pieces.
    pub(super) fn text(&self) -> &'a str {
        self.fragment.text
    }

    /// Pairs the sections again within closed sections called `around`, innermost first. Returns whether those are
    /// still paired with each other.
    pub(super) fn pair_within(&mut self, around: &[String]) -> bool {
        let (own, outer) = (self.pieces.len(), around.len());
        let opening = (own..own + outer).rev();
        let closing = own + outer..own + 2 * outer;
        let delimiter = |opens: bool| move |index| Delimiter { index, opens };
        let all = opening
            .map(delimiter(true))
            .chain(delimiters(self.fragment, &self.pieces))
            .chain(closing.map(delimiter(false)));
        let mut tokens = Vec::new();
        let mut label = |index: usize| match index.checked_sub(own) {
            Some(index) => around[index % outer].as_str(),
            None => label(self.fragment, &self.pieces, index, &mut tokens).text,
        };
        let fit = |open, close| label(open) == label(close);
        let mut roles = Roles::none(own + 2 * outer);
        pair(all, fit, |index, role| roles.set(index, role));
        let mut outer_open = own..own + outer;
        let is_as_before =
            outer_open.all(|open| roles.get(open) == Some(Role::ClosedBy(open + outer)));
        roles.truncate(own);
        self.roles = roles;
        is_as_before
    }

    /// The text of the piece at `index`.
    pub(super) fn text_of(&self, index: usize) -> &'a str {
        &self.text()[self.pieces.range(index)]
    }

    /// Whether the tag at `index` is open at the end of its piece, and may be closed by what follows all pieces.
    pub(super) fn is_unsettled(&self, index: usize, is_tag_next: bool) -> bool {
        let Piece::Tag(TagKind::LongComment | TagKind::Unclosed) = self.pieces.piece(index) else {
            return false;
        };
        let start = self.pieces.range(index).start();
        let content = opening_braces(self.fragment, start).end();
        let is_ended = is_tag_next && !is_comment(self.fragment, content);
        let is_known = || !self.pieces.has_hole() && ends_open_tag(self.fragment, content);
        !is_ended && !is_known()
    }

    /// The role of the piece at `index`, if it is the tag of a section.
    pub(super) fn role(&self, index: usize) -> Option<Role> {
        self.roles.get(index)
    }

    /// Whether every section is closed by a tag of its name.
    pub(super) fn are_sections_closed(&self) -> bool {
        (0..self.pieces.len()).all(|index| match self.role(index) {
            Some(Role::ClosedBy(close)) => self.label(index).text == self.label(close).text,
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
                    self.pieces.forget_before(index);
                }
                None => {}
            }
        }
        runs.finish(&mut self.builder);
    }

    /// The places for a cut after the piece at `index`.
    fn end_after(&self, index: usize) -> Option<End> {
        match self.pieces.piece(index) {
            Piece::Text(_) => self.text_of(index).ends_with('\n').then_some(End::Line),
            Piece::Tag(_) => Some(End::Tag),
        }
    }

    /// Parses from the piece at `index` on and returns the index after the parsed element.
    fn piece(&mut self, index: usize, to: usize) -> usize {
        cancel::check();
        let kind = match self.pieces.piece(index) {
            Piece::Tag(kind) => kind,
            Piece::Text(kind) => {
                self.builder.token(kind, self.text_of(index));
                return index + 1;
            }
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
            (TagKind::SectionClose, _) => self.stray_close(index),
            (TagKind::Placeholder, _) => self.placeholder(index),
            (TagKind::Comment | TagKind::LongComment, _) => {
                self.node(CommentTag, |p| p.all_of(index))
            }
            (TagKind::Unclosed, _) => self.error(ErrorKind::UnclosedTag, |p| p.all_of(index)),
        }
        index + 1
    }

    fn section(&mut self, open: usize, close: usize) {
        if self.depth == MAX_DEPTH {
            return self.too_deep(open..close + 1);
        }
        self.depth += 1;
        self.node(Section, |p| {
            let opened = p.section_tag(SectionOpen, open);
            p.row(open + 1, close);
            let closing = p.builder.checkpoint();
            let closed = p.section_tag(SectionClose, close);
            if !opened.may_be(closed) {
                p.builder
                    .wrap(closing, Error(ErrorKind::MismatchedSectionClose));
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
            self.too_deep(open..end);
            return end;
        }
        self.depth += 1;
        let outer = std::mem::replace(&mut self.line_end, end);
        self.node(Section, |p| {
            p.error(ErrorKind::UnclosedSection, |p| {
                p.section_tag(SectionOpen, open);
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
            let is_text = matches!(self.pieces.piece(index), Piece::Text(_));
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

    fn stray_close(&mut self, index: usize) {
        self.strays += 1;
        self.error(ErrorKind::StraySectionClose, |p| match p.strays {
            ..=MOST_STRAYS => _ = p.section_tag(SectionClose, index),
            _ => p.all_of(index),
        });
    }

    /// An error around the tokens of `pieces`. There may be very many, so they are read one by one.
    fn too_deep(&mut self, pieces: Range<usize>) {
        let Self {
            fragment,
            pieces: all,
            builder,
            ..
        } = self;
        let tokens = pieces.flat_map(|index| {
            let mut tokens = Vec::with_capacity(8);
            read(*fragment, all, index, &mut tokens);
            tokens
        });
        let tokens = tokens.map(|it| (it.kind, &fragment.text[it.range]));
        builder.flat_node(Error(ErrorKind::TooDeep), tokens);
    }

    fn placeholder(&mut self, index: usize) {
        if content_in(self.read(index)).is_empty() {
            return self.error(ErrorKind::EmptyPlaceholder, |p| p.tokens(0..p.tag.len()));
        }
        self.node(Placeholder, |p| p.framed(ErrorKind::InvalidPlaceholder));
    }

    /// The tag of a section at `index`, whose label is returned.
    fn section_tag(&mut self, kind: SyntaxKind, index: usize) -> Label<'a> {
        let label = Label::of(self.text(), self.read(index));
        // `.` is no name that a section can be over.
        let has_name = !matches!(label.text, "" | ".");
        self.node(kind, |p| match !has_name {
            true if kind == SectionOpen => p.error(ErrorKind::EmptySectionName, |p| {
                p.tokens(0..p.tag.len());
            }),
            true => p.tokens(0..p.tag.len()),
            false => p.framed(ErrorKind::InvalidPlaceholder),
        });
        label
    }

    /// The tokens of the tag that was read, with its content as a path, or as an error if it is invalid.
    fn framed(&mut self, error: ErrorKind) {
        let content = content_in(&self.tag);
        let kind = match is_path(&self.tag[content.clone()]) {
            true => Path,
            false => Error(error),
        };
        self.tokens(0..content.start);
        self.node(kind, |p| p.tokens(content.clone()));
        self.tokens(content.end..self.tag.len());
    }

    fn error(&mut self, error: ErrorKind, contents: impl FnOnce(&mut Self)) {
        self.node(Error(error), contents);
    }

    fn node(&mut self, kind: SyntaxKind, contents: impl FnOnce(&mut Self)) {
        let start = self.builder.checkpoint();
        contents(self);
        self.builder.wrap(start, kind);
    }

    /// All tokens of the piece at `index`.
    fn all_of(&mut self, index: usize) {
        self.read(index);
        self.tokens(0..self.tag.len());
    }

    /// Adds some of the tokens that were read.
    fn tokens(&mut self, indexes: Range<usize>) {
        for token in &self.tag[indexes] {
            self.builder
                .token(token.kind, &self.fragment.text[token.range]);
        }
    }

    /// Reads the piece at `index`.
    fn read(&mut self, index: usize) -> &[Token] {
        read(self.fragment, &self.pieces, index, &mut self.tag);
        &self.tag
    }

    /// The label of the tag of a section at `index`.
    fn label(&self, index: usize) -> Label<'a> {
        label(self.fragment, &self.pieces, index, &mut Vec::new())
    }
}
