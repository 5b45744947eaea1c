//! The pieces of a template: lines of text, and tags.

use std::ops::Range;

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
    /// Each with its start, the last one first: those that are parsed can be cut off.
    reversed: Vec<(Piece, TextSize)>,
    len: usize,
    /// The end of the last one.
    end: TextSize,
}

/// A shorter list keeps its room.
const LONG: usize = 1024;

impl Pieces {
    /// The `pieces` of a text that ends at `end`, in order.
    pub(super) fn new(mut pieces: Vec<(Piece, TextSize)>, end: TextSize) -> Self {
        pieces.reverse();
        Self {
            len: pieces.len(),
            reversed: pieces,
            end,
        }
    }

    /// The number of pieces.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// All pieces.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = Piece> + '_ {
        self.reversed.iter().rev().map(|(piece, _)| *piece)
    }

    /// The piece at `index`.
    pub(super) fn piece(&self, index: usize) -> Piece {
        self.reversed[self.len - 1 - index].0
    }

    /// The place of the piece at `index`.
    pub(super) fn range(&self, index: usize) -> TextRange {
        let at = self.len - 1 - index;
        let end = match at {
            0 => self.end,
            _ => self.reversed[at - 1].1,
        };
        TextRange::new(self.reversed[at].1, end)
    }

    /// Whether one of them is an interpolation in the text.
    pub(super) fn has_hole(&self) -> bool {
        self.iter().any(|it| it == Piece::Text(SyntaxKind::Hole))
    }

    /// Forgets the pieces before `index`, which are parsed: the tree takes their room.
    pub(super) fn forget_before(&mut self, index: usize) {
        let left = self.len - index;
        let room = self.reversed.capacity();
        // An allocator keeps the room of a list that becomes a little shorter.
        if room > LONG && left < room / 3 {
            self.reversed.truncate(left);
            self.reversed.shrink_to_fit();
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::size;

    #[test]
    fn parsed_pieces_take_no_room() {
        let count = 3 * LONG;
        let line = |it| (Piece::Text(SyntaxKind::TextLine), size(it));
        let mut pieces = Pieces::new((0..count).map(line).collect(), size(count));
        let all: Vec<_> = (0..count).map(|it| pieces.range(it)).collect();
        for (next, &range) in all.iter().enumerate() {
            pieces.forget_before(next);
            assert_eq!(pieces.range(next), range);
            assert!(pieces.reversed.capacity() <= (3 * (count - next)).max(LONG));
        }
    }
}
