//! The pieces of a template: lines of text, and tags.

use std::ops::Range;

use memchr::memmem;

use crate::{syntax::kind::SyntaxKind, text::TextRange};

/// A token and its place, in bytes of the fragment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: SyntaxKind,
    pub(super) range: TextRange,
}

/// A part of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    /// A line of text, or an interpolation in it.
    Text,
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
    /// Unclosed: another tag, the line or the text ends first.
    Unclosed,
}

/// The pieces of a template, in one list of tokens.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pub(super) tokens: Vec<Token>,
    /// Each with the index of its first token.
    pieces: Vec<(Piece, u32)>,
}

impl Pieces {
    /// No pieces, with room for those of `text`: of a long text, a list that grows would leave as much memory behind.
    pub(super) fn for_text(text: &str) -> Self {
        let tags = memmem::find_iter(text.as_bytes(), "{{").count();
        let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count();
        let count = 2 * tags + lines + 1;
        Self {
            tokens: Vec::with_capacity(count + 2 * tags),
            pieces: Vec::with_capacity(count),
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

    /// The indexes of the tokens of a piece: all of it, including the braces and white space.
    pub(super) fn tokens_of(&self, index: usize) -> Range<usize> {
        let next = self.pieces.get(index + 1);
        self.pieces[index].1 as usize..next.map_or(self.tokens.len(), |next| next.1 as usize)
    }

    /// The indexes of the tokens between the braces of a tag, without the sigil and the white space around them.
    pub(super) fn content_of(&self, index: usize) -> Range<usize> {
        content_in(&self.tokens, self.tokens_of(index))
    }

    /// The tokens at `indexes`.
    pub(super) fn tokens(&self, indexes: Range<usize>) -> &[Token] {
        &self.tokens[indexes]
    }

    /// The place of the piece at `index`.
    pub(super) fn range(&self, index: usize) -> TextRange {
        let tokens = self.tokens(self.tokens_of(index));
        match tokens {
            [] => TextRange::default(),
            [first, .., last] => first.range.cover(last.range),
            [only] => only.range,
        }
    }

    /// Whether one of them is an interpolation in the text.
    pub(super) fn has_hole(&self) -> bool {
        let is_hole = |index: usize| {
            self.piece(index) == Piece::Text
                && self.tokens[self.pieces[index].1 as usize].kind == SyntaxKind::Hole
        };
        (0..self.len()).any(is_hole)
    }

    /// The number of tokens.
    pub(super) fn token_count(&self) -> usize {
        self.tokens.len()
    }

    /// Adds a piece of the tokens from `first` on.
    pub(super) fn add(&mut self, piece: Piece, first: usize) {
        self.pieces
            .push((piece, u32::try_from(first).unwrap_or(u32::MAX)));
    }

    pub(super) fn add_text(&mut self, kind: SyntaxKind, range: TextRange) {
        self.add(Piece::Text, self.token_count());
        self.tokens.push(Token { kind, range });
    }
}

/// The indexes of the `tokens` in `all` without the frame of a tag.
pub(super) fn content_in(tokens: &[Token], all: Range<usize>) -> Range<usize> {
    let is_content = |token: &Token| !is_frame(token.kind);
    let own = &tokens[all.clone()];
    match (
        own.iter().position(is_content),
        own.iter().rposition(is_content),
    ) {
        (Some(first), Some(last)) => all.start + first..all.start + last + 1,
        _ => all.end..all.end,
    }
}

fn is_frame(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        SyntaxKind::TagOpen | SyntaxKind::TagClose | SyntaxKind::Sigil | SyntaxKind::Whitespace
    )
}
