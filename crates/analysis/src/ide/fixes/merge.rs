//! Merges successive edits into edits of the original text.

use signature_ls_source::text::{TextEdit, TextRange, TextSize};

/// The current text, as parts of the original text and inserted texts.
pub(super) struct Merged {
    pieces: Vec<Piece>,
}

enum Piece {
    /// A range of the original text.
    Kept(TextRange),
    New(String),
}

impl Piece {
    fn len(&self) -> TextSize {
        match self {
            Self::Kept(range) => range.len(),
            Self::New(text) => TextSize::of(text.as_str()),
        }
    }

    /// The part at `range`, in bytes of the piece.
    fn part(&self, range: TextRange) -> Self {
        match self {
            Self::Kept(whole) => Self::Kept(range + whole.start()),
            Self::New(text) => Self::New(text[range].to_owned()),
        }
    }
}

impl Merged {
    /// The original text, which has `len` bytes.
    pub(super) fn new(len: TextSize) -> Self {
        Self {
            pieces: vec![Piece::Kept(TextRange::up_to(len))],
        }
    }

    /// Applies disjoint edits of the current text, in order.
    pub(super) fn apply(&mut self, edits: &[TextEdit]) {
        let pieces = std::mem::take(&mut self.pieces);
        let mut rest = Rest {
            pieces: pieces.into_iter().peekable(),
            at: TextSize::default(),
            cut: TextSize::default(),
        };
        for edit in edits {
            rest.take(edit.range.start(), &mut self.pieces);
            rest.take(edit.range.end(), &mut Vec::new());
            self.pieces.push(Piece::New(edit.insert.clone()));
        }
        rest.take(TextSize::from(u32::MAX), &mut self.pieces);
    }

    /// The edits from the original text to the current one, disjoint and in order.
    pub(super) fn into_edits(self, len: TextSize) -> Vec<TextEdit> {
        let mut edits = Vec::new();
        let mut at = TextSize::default();
        let mut insert = String::new();
        let end = Piece::Kept(TextRange::empty(len));
        for piece in self.pieces.into_iter().chain([end]) {
            match piece {
                Piece::New(text) => insert.push_str(&text),
                Piece::Kept(range) => {
                    if range.start() > at || !insert.is_empty() {
                        let gap = TextRange::new(at, range.start());
                        edits.push(TextEdit::replace(gap, std::mem::take(&mut insert)));
                    }
                    at = range.end();
                }
            }
        }
        edits
    }
}

/// The remaining pieces.
struct Rest<I: Iterator<Item = Piece>> {
    pieces: std::iter::Peekable<I>,
    /// The start of the next piece in the current text.
    at: TextSize,
    /// The number of its bytes that were consumed.
    cut: TextSize,
}

impl<I: Iterator<Item = Piece>> Rest<I> {
    /// Moves the text before `end` of the current text to `taken`.
    fn take(&mut self, end: TextSize, taken: &mut Vec<Piece>) {
        while let Some(piece) = self.pieces.peek() {
            let len = piece.len();
            let until = end.min(self.at + len) - self.at.min(end);
            if until > self.cut {
                taken.push(piece.part(TextRange::new(self.cut, until)));
                self.cut = until;
            }
            if self.cut < len {
                return;
            }
            self.at += len;
            self.cut = TextSize::default();
            self.pieces.next();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use signature_ls_source::text::size;

    proptest! {
        #[test]
        fn merged_edits_do_what_they_do_in_turn(
            first in "[a-z]{0,12}",
            rounds in proptest::collection::vec(proptest::collection::vec((0..14_usize, 0..4_usize, "[A-Z]{0,3}"), 0..4), 0..4),
        ) {
            let len = size(first.len());
            let mut merged = Merged::new(len);
            let mut text = first.clone();
            for round in rounds {
                let mut edits: Vec<TextEdit> = Vec::new();
                for (start, len, insert) in round {
                    let start = start.min(text.len());
                    let range = TextRange::new(size(start), size((start + len).min(text.len())));
                    if edits.last().is_none_or(|last| last.range.end() < range.start()) {
                        edits.push(TextEdit::replace(range, insert));
                    }
                }
                for edit in edits.iter().rev() {
                    edit.apply(&mut text);
                }
                merged.apply(&edits);
            }
            let mut once = first;
            for edit in merged.into_edits(len).iter().rev() {
                edit.apply(&mut once);
            }
            prop_assert_eq!(once, text);
        }
    }
}
