//! Converts columns: the only place that counts UTF-16, UTF-8 or UTF-32 units.
//!
//! Lines end with `\n`, `\r\n` or `\r`. An invalid position is clamped: past the end of a line to its end, past the
//! last line to the end of the text, inside a character to its start.

use tower_lsp::ls_types as lsp;

use signature_ls_source::text::{Text, TextRange, TextSize, size};

/// The unit of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Encoding {
    Utf8,
    #[default]
    Utf16,
    Utf32,
}

impl Encoding {
    /// Selects an encoding: UTF-16 if the client offers it, because other servers of the same buffer use it too, else
    /// the first supported one.
    pub(super) fn negotiate(offered: &[lsp::PositionEncodingKind]) -> Self {
        let mut known = offered.iter().filter_map(Self::from_kind);
        let Some(first) = known.next() else {
            return Self::Utf16;
        };
        if known.any(|encoding| encoding == Self::Utf16) {
            return Self::Utf16;
        }
        first
    }

    fn from_kind(kind: &lsp::PositionEncodingKind) -> Option<Self> {
        match kind.as_str() {
            "utf-8" => Some(Self::Utf8),
            "utf-16" => Some(Self::Utf16),
            "utf-32" => Some(Self::Utf32),
            _ => None,
        }
    }

    /// Its name in the protocol.
    pub(super) fn kind(self) -> lsp::PositionEncodingKind {
        match self {
            Self::Utf8 => lsp::PositionEncodingKind::UTF8,
            Self::Utf16 => lsp::PositionEncodingKind::UTF16,
            Self::Utf32 => lsp::PositionEncodingKind::UTF32,
        }
    }

    /// The number of columns that `text` takes.
    pub(super) fn columns(self, text: &str) -> u32 {
        saturated(match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => text.encode_utf16().count(),
            Self::Utf32 => text.chars().count(),
        })
    }

    /// The byte of `text` at `position`.
    pub(super) fn offset(self, text: &Text, position: lsp::Position) -> TextSize {
        let rope = text.rope();
        let line = position.line as usize;
        if line >= rope.len_lines() {
            return text.len();
        }
        let column = position.character as usize;
        let start = rope.line_to_char(line);
        let end = line_end(rope, line);
        let char = match self {
            Self::Utf8 => {
                let byte = rope.char_to_byte(start).saturating_add(column);
                rope.byte_to_char(byte.min(rope.char_to_byte(end)))
            }
            Self::Utf16 => {
                let unit = rope.char_to_utf16_cu(start).saturating_add(column);
                rope.utf16_cu_to_char(unit.min(rope.char_to_utf16_cu(end)))
            }
            Self::Utf32 => start.saturating_add(column).min(end),
        };
        size(rope.char_to_byte(char))
    }

    /// The position of the byte at `offset` of `text`.
    pub(super) fn position(self, text: &Text, offset: TextSize) -> lsp::Position {
        let rope = text.rope();
        let char = rope.byte_to_char(usize::from(offset.min(text.len())));
        let line = rope.char_to_line(char);
        let start = rope.line_to_char(line);
        let char = char.min(line_end(rope, line));
        let column = match self {
            Self::Utf8 => rope.char_to_byte(char) - rope.char_to_byte(start),
            Self::Utf16 => rope.char_to_utf16_cu(char) - rope.char_to_utf16_cu(start),
            Self::Utf32 => char - start,
        };
        lsp::Position::new(saturated(line), saturated(column))
    }

    /// The bytes of `text` between the ends of `range`, which may be reversed.
    pub(super) fn text_range(self, text: &Text, range: lsp::Range) -> TextRange {
        let start = self.offset(text, range.start);
        let end = self.offset(text, range.end);
        TextRange::new(start.min(end), start.max(end))
    }

    /// The positions of both ends of `range`.
    pub(super) fn range(self, text: &Text, range: TextRange) -> lsp::Range {
        lsp::Range::new(
            self.position(text, range.start()),
            self.position(text, range.end()),
        )
    }
}

/// The index of the character at which the break of `line` begins, or the text ends.
fn line_end(rope: &ropey::Rope, line: usize) -> usize {
    if line + 1 >= rope.len_lines() {
        return rope.len_chars();
    }
    let last = rope.line_to_char(line + 1) - 1;
    let is_crlf = rope.char(last) == '\n' && last > 0 && rope.char(last - 1) == '\r';
    if is_crlf { last - 1 } else { last }
}

fn saturated(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tower_lsp::ls_types::{Position, PositionEncodingKind as Kind, Range};

    use super::*;
    use signature_ls_source::text::TextEdit;

    const ALL: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

    #[test]
    fn utf16_is_preferred_then_the_first_known() {
        for (offered, chosen) in [
            (vec![], Encoding::Utf16),
            (vec![Kind::UTF8], Encoding::Utf8),
            (vec![Kind::UTF32, Kind::UTF8], Encoding::Utf32),
            (vec![Kind::UTF8, Kind::UTF16], Encoding::Utf16),
            (vec![Kind::UTF16, Kind::UTF8], Encoding::Utf16),
            (vec![Kind::from("ebcdic"), Kind::UTF8], Encoding::Utf8),
            (vec![Kind::from("ebcdic")], Encoding::Utf16),
        ] {
            assert_eq!(Encoding::negotiate(&offered), chosen, "{offered:?}");
        }
    }

    #[test]
    fn columns_count_in_their_unit() {
        let text = Text::from("aé😀b\r\nc");
        for (encoding, columns) in [
            (Encoding::Utf8, [0, 1, 3, 7, 8]),
            (Encoding::Utf16, [0, 1, 2, 4, 5]),
            (Encoding::Utf32, [0, 1, 2, 3, 4]),
        ] {
            for (offset, column) in [0, 1, 3, 7, 8].into_iter().zip(columns) {
                let position = Position::new(0, column);
                let offset = TextSize::new(offset);
                assert_eq!(encoding.position(&text, offset), position, "{encoding:?}");
                assert_eq!(encoding.offset(&text, position), offset, "{encoding:?}");
            }
            let last = Position::new(1, 0);
            assert_eq!(encoding.offset(&text, last), TextSize::new(10));
        }
    }

    #[test]
    fn positions_outside_the_text_are_clamped() {
        let text = Text::from("a😀\r\nb\rc\n");
        for (line, column, offset) in [
            (0, 99, 5),
            (0, u32::MAX, 5),
            (1, 99, 8),
            (2, 99, 10),
            (3, 0, 11),
            (3, 7, 11),
            (4, 0, 11),
            (u32::MAX, u32::MAX, 11),
        ] {
            for encoding in ALL {
                let offset = TextSize::new(offset);
                let position = Position::new(line, column);
                assert_eq!(encoding.offset(&text, position), offset, "{position:?}");
            }
        }
        let inside_pair = Position::new(0, 2);
        assert_eq!(Encoding::Utf16.offset(&text, inside_pair), TextSize::new(1));
        let inside_bytes = Position::new(0, 3);
        assert_eq!(Encoding::Utf8.offset(&text, inside_bytes), TextSize::new(1));
    }

    #[test]
    fn only_the_protocols_line_breaks_break_lines() {
        let text = Text::from("a\u{2028}b\u{85}c\u{b}d\u{c}e\nf");
        let position = Encoding::Utf32.position(&text, text.len());
        assert_eq!(position, Position::new(1, 1));
    }

    #[test]
    fn a_range_may_be_reversed() {
        let text = Text::from("abc");
        let range = Range::new(Position::new(0, 2), Position::new(0, 1));
        assert_eq!(
            Encoding::Utf16.text_range(&text, range),
            TextRange::new(1.into(), 2.into())
        );
    }

    /// A plain model of an editor: lines as lists of characters.
    fn editors_offset(encoding: Encoding, text: &str, position: Position) -> usize {
        let mut start = 0;
        for _ in 0..position.line {
            let Some(next) = next_line(&text[start..]) else {
                return text.len();
            };
            start += next;
        }
        let line = &text[start..];
        let line = &line[..line.find(['\r', '\n']).unwrap_or(line.len())];
        let mut column = 0;
        for (at, char) in line.char_indices() {
            column += match encoding {
                Encoding::Utf8 => char.len_utf8(),
                Encoding::Utf16 => char.len_utf16(),
                Encoding::Utf32 => 1,
            };
            if column > position.character as usize {
                return start + at;
            }
        }
        start + line.len()
    }

    fn next_line(text: &str) -> Option<usize> {
        let at = text.find(['\r', '\n'])?;
        Some(at + if text[at..].starts_with("\r\n") { 2 } else { 1 })
    }

    fn any_text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("a"),
            Just("é"),
            Just("字"),
            Just("😀"),
            Just("e\u{301}"),
            Just("\n"),
            Just("\r\n"),
            Just("\r"),
            Just("\t"),
            Just("\u{2028}"),
            Just("\u{feff}"),
        ];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    fn any_position() -> impl Strategy<Value = Position> {
        (0..12_u32, prop_oneof![0..20_u32, Just(u32::MAX)])
            .prop_map(|(line, column)| Position::new(line, column))
    }

    fn any_encoding() -> impl Strategy<Value = Encoding> {
        proptest::sample::select(&ALL)
    }

    proptest! {
        #[test]
        fn edits_leave_the_text_equal_to_the_editors(
            encoding in any_encoding(),
            mut editors in any_text(),
            edits in proptest::collection::vec((any_position(), any_position(), any_text()), 0..12),
        ) {
            let mut ours = Text::from(editors.as_str());
            for (start, end, insert) in edits {
                let from = editors_offset(encoding, &editors, start);
                let to = editors_offset(encoding, &editors, end);
                let range = encoding.text_range(&ours, Range::new(start, end));
                prop_assert_eq!(usize::from(range.start()), from.min(to));
                prop_assert_eq!(usize::from(range.end()), from.max(to));
                editors.replace_range(from.min(to)..from.max(to), &insert);
                ours.apply(&TextEdit::replace(range, insert));
                prop_assert_eq!(ours.rope(), editors.as_str());
            }
        }

        #[test]
        fn offsets_come_back_from_their_positions(encoding in any_encoding(), string in any_text()) {
            let text = Text::from(string.as_str());
            for (at, _) in string.char_indices() {
                let inside_crlf = at > 0 && string.as_bytes()[at - 1..].starts_with(b"\r\n");
                if inside_crlf {
                    continue;
                }
                let position = encoding.position(&text, size(at));
                prop_assert_eq!(encoding.offset(&text, position), size(at));
            }
        }
    }
}
