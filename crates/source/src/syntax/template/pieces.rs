//! The pieces of a template: lines of text, and tags.

use std::ops::Range;

use memchr::memmem;

use crate::{
    syntax::kind::SyntaxKind,
    text::{TextRange, TextSize},
};

/// A token and its place, in bytes of the fragment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: SyntaxKind,
    pub(super) range: TextRange,
}

/// A part of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    /// A line of text, or an interpolation or a margin in it: one token of this kind.
    Text(SyntaxKind),
    /// From `{{` to `}}`, complete or not.
    Tag(TagKind),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TagKind {
    Placeholder,
    /// `{{#name}}` or `{{^name}}`
    SectionOpen,
    SectionClose,
    Comment,
    /// The first line of a comment that is too long to tell whether it is closed.
    LongComment,
    /// Unclosed: another tag, the line or the text ends first.
    Unclosed,
}

impl TagKind {
    /// Whether the piece ends with the closing braces.
    pub(super) fn is_closed(self) -> bool {
        !matches!(self, Self::LongComment | Self::Unclosed)
    }
}

/// The pieces of a template, without their tokens: a tag has five or more, and a long template would keep them all
/// beside its tree.
#[derive(Debug)]
pub(super) struct Pieces {
    /// Each with its start.
    pieces: Vec<(Piece, TextSize)>,
    /// The end of the last one.
    end: TextSize,
}

impl Pieces {
    /// No pieces, with room for those of `text`: of a long text, a list that grows would leave as much memory behind.
    pub(super) fn for_text(text: &str) -> Self {
        let tags = memmem::find_iter(text.as_bytes(), "{{").count();
        let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count();
        Self {
            pieces: Vec::with_capacity(2 * tags + lines + 1),
            end: TextSize::of(text),
        }
    }

    /// The number of pieces.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// All pieces.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = Piece> + '_ {
        self.pieces.iter().map(|(piece, _)| *piece)
    }

    /// The piece at `index`.
    pub(super) fn piece(&self, index: usize) -> Piece {
        self.pieces[index].0
    }

    /// The place of the piece at `index`.
    pub(super) fn range(&self, index: usize) -> TextRange {
        let next = self.pieces.get(index + 1);
        TextRange::new(self.pieces[index].1, next.map_or(self.end, |next| next.1))
    }

    /// Whether one of them is an interpolation in the text.
    pub(super) fn has_hole(&self) -> bool {
        self.iter().any(|it| it == Piece::Text(SyntaxKind::Hole))
    }

    /// Adds a piece that begins at `start`, where the last one ends.
    pub(super) fn add(&mut self, piece: Piece, start: TextSize) {
        self.pieces.push((piece, start));
    }
}

/// The indexes of the `tokens` of a tag between its braces, without the sigil and the white space around them.
pub(super) fn content_in(tokens: &[Token]) -> Range<usize> {
    let is_content = |token: &Token| !is_frame(token.kind);
    match (
        tokens.iter().position(is_content),
        tokens.iter().rposition(is_content),
    ) {
        (Some(first), Some(last)) => first..last + 1,
        _ => tokens.len()..tokens.len(),
    }
}

fn is_frame(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        SyntaxKind::TagOpen | SyntaxKind::TagClose | SyntaxKind::Sigil | SyntaxKind::Whitespace
    )
}
