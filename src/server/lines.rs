//! Converts many offsets of one text to positions, with a single search for its lines.

use std::cell::Cell;

use tower_lsp::ls_types as lsp;

use super::position::Encoding;
use signature_ls_source::{
    cancel,
    text::{Text, TextRange, TextSize, size},
    work,
};

/// How many bytes of a line are counted for each position on it. The columns of a longer one are looked up.
const MOST_COUNTED: u32 = 512;

/// The number of lines after the last one that are tried before a binary search.
const NEAR: usize = 16;

/// The lines of a text.
pub(super) struct Lines<'t> {
    text: &'t Text,
    encoding: Encoding,
    lines: Vec<Line>,
    /// The index of the last line that was looked up.
    last: Cell<usize>,
}

struct Line {
    start: TextSize,
    /// The start of its line break.
    end: TextSize,
    /// Whether all its characters are ASCII, so that columns are bytes.
    is_ascii: bool,
}

impl<'t> Lines<'t> {
    /// Splits `text` into lines.
    pub(super) fn new(encoding: Encoding, text: &'t Text) -> Self {
        Self {
            text,
            encoding,
            lines: lines(text),
            last: Cell::default(),
        }
    }

    /// The position of the byte at `offset`, as in [`Encoding::position`].
    pub(super) fn position(&self, offset: TextSize) -> lsp::Position {
        cancel::check();
        let index = self.line_at(offset);
        let line = &self.lines[index];
        let end = offset.min(line.end);
        let column = match line.is_ascii {
            true => u32::from(end - line.start),
            false if u32::from(end - line.start) > MOST_COUNTED => {
                self.encoding.position(self.text, end).character
            }
            false => {
                let before = self.text.slice(TextRange::new(line.start, end));
                work::count(before.len());
                self.encoding.columns(&before)
            }
        };
        lsp::Position::new(u32::try_from(index).unwrap_or(u32::MAX), column)
    }

    /// The positions of both ends of `range`.
    pub(super) fn range(&self, range: TextRange) -> lsp::Range {
        lsp::Range::new(self.position(range.start()), self.position(range.end()))
    }

    /// The index of the line that `offset` is on.
    fn line_at(&self, offset: TextSize) -> usize {
        let last = self.last.get();
        let is_before = |it: &Line| it.start <= offset;
        let near = &self.lines[last..self.lines.len().min(last + NEAR)];
        let lines = near.iter().take_while(|it| is_before(it)).count();
        let index = match lines {
            0 | NEAR => self.lines.partition_point(is_before) - 1,
            lines => last + lines - 1,
        };
        self.last.set(index);
        index
    }
}

/// The lines of `text`; the last one has no break, and there is at least one.
fn lines(text: &Text) -> Vec<Line> {
    let mut lines = Vec::new();
    let (mut start, mut chunk_start, mut is_ascii) = (0, 0, true);
    let mut after_return = None;
    for chunk in text.rope().chunks() {
        cancel::check();
        let bytes = chunk.as_bytes();
        let mut read = 0;
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            let (end, next) = (chunk_start + at, chunk_start + at + 1);
            if bytes[at] == b'\n' && after_return == Some(end) {
                // It belongs to the break of the previous line.
                start = next;
            } else {
                lines.push(Line {
                    start: size(start),
                    end: size(end),
                    is_ascii: is_ascii && bytes[read..at].is_ascii(),
                });
                (start, is_ascii) = (next, true);
            }
            if bytes[at] == b'\r' {
                after_return = Some(next);
            }
            read = at + 1;
        }
        is_ascii &= bytes[read..].is_ascii();
        chunk_start += bytes.len();
    }
    lines.push(Line {
        start: size(start),
        end: size(chunk_start),
        is_ascii,
    });
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A line may be as long as a text.
    #[test]
    fn twice_the_line_is_twice_the_work() {
        let read = |count: usize| {
            let text = Text::from("é ".repeat(count).as_str());
            let lines = Lines::new(Encoding::Utf16, &text);
            work::counted(|| {
                for at in 0..count {
                    let position = lines.position(size(3 * at));
                    assert_eq!(position.character as usize, 2 * at);
                }
            })
        };
        let (short, long) = (read(1_000), read(2_000));
        assert!(short > 0 && long <= 2 * short, "{short} bytes, then {long}");
    }

    proptest! {
        #[test]
        fn positions_are_those_of_the_encoding(
            pieces in prop::collection::vec("[aé😀\r\n]{0,9}", 1..9),
            times in 1..200_usize,
            offsets in prop::collection::vec(0..9_000_u32, 1..40),
        ) {
            let text = pieces.concat().repeat(times);
            let text = Text::from(text.as_str());
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let lines = Lines::new(encoding, &text);
                for &offset in &offsets {
                    let offset = TextSize::from(offset);
                    prop_assert_eq!(lines.position(offset), encoding.position(&text, offset));
                }
            }
        }
    }
}
