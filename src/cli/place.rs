//! Lines and columns as people count them: from 1, columns in characters.

use serde::Serialize;

use signature_ls_source::text::{Text, TextSize};

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Place {
    /// The line, from 1.
    pub(super) line: usize,
    /// The column in characters, from 1.
    pub(super) column: usize,
}

impl Place {
    /// The place of the byte at `offset`; an offset outside `text` is clamped to its end.
    pub(super) fn of(text: &Text, offset: TextSize) -> Self {
        let rope = text.rope();
        let char = rope.byte_to_char(usize::from(offset.min(text.len())));
        let line = rope.char_to_line(char);
        let start = rope.line_to_char(line).max(mark(text).min(char));
        Self {
            line: line + 1,
            column: char - start + 1,
        }
    }
}

/// The number of characters before the first column of the first line: editors do not show a byte order mark.
pub(super) fn mark(text: &Text) -> usize {
    usize::from(text.rope().get_char(0) == Some('\u{feff}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let text = Text::from("aé😀b\r\n\tc\rd\u{2028}e");
        for (offset, line, column) in [
            (0, 1, 1),
            (3, 1, 3),
            (7, 1, 4),
            (8, 1, 5),
            (11, 2, 2),
            (13, 3, 1),
            (17, 3, 3),
            (99, 3, 4),
        ] {
            let place = Place::of(&text, TextSize::new(offset));
            assert_eq!(place, Place { line, column }, "{offset}");
        }
        let text = Text::from("\u{feff}ab\nc");
        for (offset, line, column) in [(0, 1, 1), (3, 1, 1), (4, 1, 2), (6, 2, 1), (7, 2, 2)] {
            let place = Place::of(&text, TextSize::new(offset));
            assert_eq!(place, Place { line, column }, "{offset}");
        }
    }
}
