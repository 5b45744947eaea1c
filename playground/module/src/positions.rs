//! Offsets as JavaScript counts them: UTF-16 code units from the start of the text.

use serde::{Deserialize, Serialize};
use signature_ls_source::text::{Text, TextEdit, TextRange, TextSize, size};

/// A range of the text of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Range {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// The replacement of a range of the text of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Change {
    from: usize,
    to: usize,
    insert: String,
}

/// The byte at an offset of the page. An offset outside of the text is clamped to its end, one inside a character to
/// its start.
pub(crate) fn to_byte(text: &Text, offset: usize) -> TextSize {
    let rope = text.rope();
    let offset = offset.min(rope.len_utf16_cu());
    size(rope.char_to_byte(rope.utf16_cu_to_char(offset)))
}

/// The offset in the page of a byte.
pub(crate) fn to_utf16(text: &Text, offset: TextSize) -> usize {
    let rope = text.rope();
    let byte = usize::from(offset).min(rope.len_bytes());
    rope.char_to_utf16_cu(rope.byte_to_char(byte))
}

/// A range of bytes as a range of the page.
pub(crate) fn range(text: &Text, range: TextRange) -> Range {
    Range {
        from: to_utf16(text, range.start()),
        to: to_utf16(text, range.end()),
    }
}

/// A range of the page in bytes.
pub(crate) fn byte_range(text: &Text, range: Range) -> TextRange {
    let from = to_byte(text, range.from);
    TextRange::new(from, to_byte(text, range.to).max(from))
}

/// Edits as changes of the page, with the line ends of the text.
pub(crate) fn changes(text: &Text, edits: &[TextEdit]) -> Vec<Change> {
    let change = |edit: &TextEdit| {
        let Range { from, to } = range(text, edit.range);
        Change {
            from,
            to,
            insert: text.with_line_ends(&edit.insert).into_owned(),
        }
    };
    edits.iter().map(change).collect()
}

/// A change of the page as an edit.
pub(crate) fn edit(text: &Text, change: Change) -> TextEdit {
    let Change { from, to, insert } = change;
    TextEdit::replace(byte_range(text, Range { from, to }), insert)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_count_code_units() {
        let text = Text::from("aß😀z");
        for (byte, unit) in [(0, 0), (1, 1), (3, 2), (7, 4), (8, 5)] {
            assert_eq!(to_utf16(&text, TextSize::from(byte)), unit);
            assert_eq!(to_byte(&text, unit), TextSize::from(byte));
        }
        assert_eq!(to_byte(&text, 3), TextSize::from(3));
        assert_eq!(to_byte(&text, 99), TextSize::from(8));
        let backwards = Range { from: 4, to: 1 };
        assert!(byte_range(&text, backwards).is_empty());
    }
}
