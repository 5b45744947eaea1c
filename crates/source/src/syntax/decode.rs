//! The value of a literal, for display and for programs in literals.
//!
//! Signatures and prompts are never decoded: they are lexed as they are written in the file.

use std::{borrow::Cow, iter::repeat_n};

use crate::{
    syntax::fragment::{Escapes, Foreign, ForeignKind, Fragment, most_digits},
    text::{TextRange, TextSize, size},
};

/// The value of a fragment, and the place of each part in the fragment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decoded {
    /// Without margins, with every escape replaced by its character.
    pub text: String,
    /// In order. A program may have as many as characters.
    pieces: Vec<Start>,
    /// Where the last piece ends in the fragment.
    end: TextSize,
}

/// The start of a part of the text: plain characters or one escape, or nothing, where a margin is left out. It ends
/// where the next one begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Start {
    in_text: TextSize,
    in_fragment: TextSize,
}

/// A part of the text.
struct Piece {
    in_text: TextRange,
    in_fragment: TextRange,
}

impl Decoded {
    /// Decodes `fragment`; `None` if it has an interpolation.
    pub fn of(fragment: Fragment<'_>) -> Option<Self> {
        (!fragment.has_holes()).then(|| Self::with_holes(fragment))
    }

    /// Decodes `fragment`, with interpolations as they are written.
    fn with_holes(fragment: Fragment<'_>) -> Self {
        let mut decoded = Self::default();
        let mut start = size(0);
        let end = Foreign {
            range: TextRange::empty(TextSize::of(fragment.text)),
            kind: ForeignKind::Margin,
        };
        for foreign in fragment.foreign.iter().chain([&end]) {
            let before = TextRange::new(start, foreign.range.start());
            decoded.push(&fragment.text[before], fragment.escapes, start.into());
            start = foreign.range.end();
            if foreign.kind == ForeignKind::Hole {
                let hole = &fragment.text[foreign.range];
                decoded.push_piece(hole, foreign.range.start().into(), hole.len());
            }
        }
        decoded
    }

    /// Whether the fragment reads like its value.
    pub fn is_plain(&self) -> bool {
        let starts_first = |it: &Start| it.in_fragment == size(0);
        self.pieces.len() <= 1
            && self.pieces.iter().all(starts_first)
            && self.end == TextSize::of(&self.text)
    }

    /// The place of `range` of the text in the fragment; escapes are included as a whole.
    pub fn in_fragment(&self, range: TextRange) -> TextRange {
        let start = self.start_in_fragment(range.start());
        let end = match range.is_empty() {
            true => start,
            false => self.end_in_fragment(range.end()),
        };
        TextRange::new(start, end.max(start))
    }

    fn start_in_fragment(&self, offset: TextSize) -> TextSize {
        let beginning = self.pieces.partition_point(|it| it.in_text <= offset);
        let around = beginning.checked_sub(1).and_then(|it| self.piece(it));
        match around.filter(|it| offset < it.in_text.end()) {
            Some(piece) if piece.is_plain() => {
                piece.in_fragment.start() + (offset - piece.in_text.start())
            }
            Some(piece) => piece.in_fragment.start(),
            None if self.pieces.is_empty() => offset,
            None => self.end,
        }
    }

    fn end_in_fragment(&self, offset: TextSize) -> TextSize {
        let beginning = self.pieces.partition_point(|it| it.in_text < offset);
        let around = beginning.checked_sub(1).and_then(|it| self.piece(it));
        match around.filter(|it| offset <= it.in_text.end()) {
            Some(piece) if piece.is_plain() => {
                piece.in_fragment.start() + (offset - piece.in_text.start())
            }
            Some(piece) => piece.in_fragment.end(),
            None if self.pieces.is_empty() => offset,
            None => self.end,
        }
    }

    /// The piece at an index.
    fn piece(&self, index: usize) -> Option<Piece> {
        let start = self.pieces.get(index)?;
        let end = self.pieces.get(index + 1).copied().unwrap_or(Start {
            in_text: TextSize::of(&self.text),
            in_fragment: self.end,
        });
        Some(Piece {
            in_text: TextRange::new(start.in_text, end.in_text),
            in_fragment: TextRange::new(start.in_fragment, end.in_fragment),
        })
    }

    /// Adds the raw text `raw`, which is at `start` of the fragment.
    fn push(&mut self, raw: &str, escapes: Escapes, start: usize) {
        let mark = match escapes {
            Escapes::None | Escapes::Folded | Escapes::Plain { .. } => {
                return self.push_piece(raw, start, raw.len());
            }
            Escapes::DoubledApostrophe => "''",
            Escapes::Backslash | Escapes::DoubleQuoted => "\\",
        };
        let mut at = 0;
        while let Some(found) = raw[at..].find(mark) {
            let escape = at + found;
            self.push_piece(&raw[at..escape], start + at, found);
            let following = escape + mark.len();
            let mut character = String::new();
            let rest = if escapes.has_backslashes() {
                push_escape(&raw[following..], escapes, &mut character)
            } else {
                character.push('\'');
                &raw[following..]
            };
            let end = raw.len() - rest.len();
            self.push_piece(&character, start + escape, end - escape);
            at = end;
        }
        self.push_piece(&raw[at..], start + at, raw.len() - at);
    }

    fn push_piece(&mut self, text: &str, start: usize, len: usize) {
        if text.is_empty() {
            return;
        }
        let in_text = TextSize::of(&self.text);
        let in_fragment = size(start);
        if self.end < in_fragment {
            self.pieces.push(Start {
                in_text,
                in_fragment: self.end,
            });
        }
        self.pieces.push(Start {
            in_text,
            in_fragment,
        });
        self.end = size(start + len);
        self.text.push_str(text);
    }
}

impl Piece {
    /// Whether the text equals the fragment.
    fn is_plain(&self) -> bool {
        self.in_text.len() == self.in_fragment.len()
    }
}

/// The value of `fragment`: without margins, with every escape replaced by its character. `None` if it has an
/// interpolation.
pub fn decode(fragment: Fragment<'_>) -> Option<String> {
    (!fragment.has_holes()).then(|| shown(fragment))
}

/// The value of `fragment`, with interpolations as they are written.
pub fn shown(fragment: Fragment<'_>) -> String {
    if !fragment.escapes.folds_lines() || !fragment.text.contains('\n') {
        return Decoded::with_holes(fragment).text;
    }
    let lines = Decoded::with_holes(Fragment {
        escapes: Escapes::None,
        ..fragment
    });
    let mut decoded = Decoded::default();
    decoded.push(&folded(&lines.text, fragment.escapes), fragment.escapes, 0);
    decoded.text
}

/// The lines of a scalar of YAML as one: a line break is a space, and a blank line is a line break.
fn folded(lines: &str, escapes: Escapes) -> String {
    let is_block = escapes == Escapes::Folded;
    let last = lines.matches('\n').count();
    let mut text = String::new();
    let mut breaks = 0;
    // The line breaks around an indented line of a block, or after an escaped one, stay.
    let mut is_kept = is_block;
    let mut is_escaped = false;
    for (index, line) in lines.split('\n').enumerate() {
        breaks += usize::from(index > 0 && !is_escaped);
        is_escaped = false;
        let mut held = line.trim_end_matches('\r');
        if !is_block && index > 0 {
            held = held.trim_start_matches([' ', '\t']);
        }
        if !is_block && index < last {
            (held, is_escaped) = without_end(held, escapes);
        }
        if held.is_empty() && !is_escaped && (is_block || index < last) {
            continue;
        }
        is_kept |= is_block && held.starts_with([' ', '\t']);
        match breaks {
            1 if !is_kept => text.push(' '),
            _ => text.extend(repeat_n('\n', breaks.saturating_sub((!is_kept).into()))),
        }
        text.push_str(held);
        breaks = 0;
        is_kept = is_escaped || is_block && held.starts_with([' ', '\t']);
    }
    text.extend(repeat_n('\n', breaks));
    text
}

/// `line` without the blanks at its end, and whether its line break is escaped.
fn without_end(line: &str, escapes: Escapes) -> (&str, bool) {
    let held = line.trim_end_matches([' ', '\t']);
    let marks = held.bytes().rev().take_while(|byte| *byte == b'\\').count();
    if !escapes.has_backslashes() || marks % 2 == 0 {
        return (held, false);
    }
    // A blank after the backslash is escaped.
    match line.get(..=held.len()) {
        Some(blank) => (blank, false),
        None => (&held[..held.len() - 1], true),
    }
}

/// The value of `text`, the raw text of a token of a signature or a part of one. There a backslash is always an escape
/// of the host.
pub fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut decoded = Decoded::default();
    decoded.push(text, Escapes::Backslash, 0);
    Cow::Owned(decoded.text)
}

/// Adds the character of the escape whose backslash precedes `escaped`, and returns the text after it. Elixir, JSON and
/// PTC-Lisp give no letter two meanings; YAML has some of its own.
fn push_escape<'a>(escaped: &'a str, escapes: Escapes, text: &mut String) -> &'a str {
    let mut chars = escaped.chars();
    let Some(mark) = chars.next() else {
        return "";
    };
    let rest = chars.as_str();
    let is_yaml = escapes == Escapes::DoubleQuoted;
    let character = match mark {
        '\r' | '\n' => return after_line_end(escaped, is_yaml),
        'u' | 'x' => return push_code_point(mark, rest, text),
        'U' if is_yaml => return push_code_point(mark, rest, text),
        'N' if is_yaml => '\u{85}',
        '_' if is_yaml => '\u{a0}',
        'L' if is_yaml => '\u{2028}',
        'P' if is_yaml => '\u{2029}',
        '0' => '\0',
        'a' => '\x07',
        'b' => '\x08',
        't' => '\t',
        'n' => '\n',
        'v' => '\x0b',
        'f' => '\x0c',
        'r' => '\r',
        'e' => '\x1b',
        's' => ' ',
        'd' => '\x7f',
        other => other,
    };
    text.push(character);
    rest
}

/// The text after the line end that `escaped` begins with: YAML continues after the indentation of the next line.
fn after_line_end(escaped: &str, is_yaml: bool) -> &str {
    let rest = escaped.strip_prefix('\r').unwrap_or(escaped);
    let rest = rest.strip_prefix('\n').unwrap_or(rest);
    match is_yaml {
        true => rest.trim_start_matches([' ', '\t']),
        false => rest,
    }
}

/// `00e9`, `{1F388}` or, as JSON writes it, `d83c\udf88`; an invalid code point is omitted.
fn push_code_point<'a>(mark: char, digits: &'a str, text: &mut String) -> &'a str {
    let (first, mut rest) = code_point(mark, digits);
    let second = rest.strip_prefix("\\u").map(|rest| code_point('u', rest));
    let code_point = match (first, second) {
        (Some(high @ 0xd800..0xdc00), Some((Some(low @ 0xdc00..0xe000), after))) => {
            rest = after;
            Some(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
        }
        _ => first,
    };
    text.extend(code_point.and_then(char::from_u32));
    rest
}

/// The code point whose digits follow `mark`, and the text after it.
fn code_point(mark: char, digits: &str) -> (Option<u32>, &str) {
    let (digits, rest) = match digits.strip_prefix('{') {
        Some(braced) => braced.split_once('}').unwrap_or((braced, "")),
        None => {
            let is_digit = |byte: &u8| byte.is_ascii_hexdigit();
            let most = digits.bytes().take(most_digits(mark));
            digits.split_at(most.take_while(is_digit).count())
        }
    };
    (u32::from_str_radix(digits, 16).ok(), rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::syntax::fragment::Foreign;

    fn decoded(text: &str, escapes: Escapes, foreign: &[Foreign]) -> Option<String> {
        decode(Fragment {
            text,
            escapes,
            foreign,
        })
    }

    #[test]
    fn escapes_become_their_characters() {
        let cases = [
            (r"plain é", Escapes::None, r"plain é"),
            (r"a\nb", Escapes::None, r"a\nb"),
            ("it''s", Escapes::DoubledApostrophe, "it's"),
            (r#"a\n\tb\s\"c\"\\"#, Escapes::Backslash, "a\n\tb \"c\"\\"),
            ("one \\\ntwo", Escapes::Backslash, "one two"),
            (r"\u00e9\x{1F388}\x41", Escapes::Backslash, "é🎈A"),
            (r"\u{zz}\u\ud83d!\", Escapes::Backslash, "!"),
            (r"\ud83d\ude80\ud83dx\ude80", Escapes::Backslash, "🚀x"),
            (
                r"\0\a\b\d\e\f\v",
                Escapes::Backslash,
                "\0\x07\x08\x7f\x1b\x0c\x0b",
            ),
            (r"a\_b \N \U0041", Escapes::Backslash, "a_b N U0041"),
            (
                r"\_\N\L\P\U0001F680\e\x41",
                Escapes::DoubleQuoted,
                "\u{a0}\u{85}\u{2028}\u{2029}🚀\x1bA",
            ),
            ("one \\\r\n\t two", Escapes::Backslash, "one \t two"),
            ("one \\\n\t two", Escapes::DoubleQuoted, "one two"),
            (
                "one\\ \n two\\n\n\n three ",
                Escapes::DoubleQuoted,
                "one  two\n\nthree ",
            ),
            ("one \\\n\n two", Escapes::DoubleQuoted, "one \ntwo"),
            ("it''s\r\n  two\n", Escapes::DoubledApostrophe, "it's two "),
            ("one\n  two\n\n\n", Escapes::Folded, "one\n  two\n\n\n"),
            ("one\ntwo\n\nthree\n", Escapes::Folded, "one two\nthree\n"),
        ];
        for (raw, escapes, text) in cases {
            assert_eq!(decoded(raw, escapes, &[]).as_deref(), Some(text), "{raw}");
        }
    }

    proptest! {
        /// Whichever characters an encoder of JSON escapes.
        #[test]
        fn a_string_of_json_is_what_json_reads(text in any::<String>(), is_ascii in any::<bool>()) {
            let mut json = serde_json::to_string(&text).unwrap();
            if is_ascii {
                let units = json.encode_utf16().map(|unit| match u8::try_from(unit) {
                    Ok(byte) if byte.is_ascii() => char::from(byte).to_string(),
                    _ => format!("\\u{unit:04x}"),
                });
                json = units.collect();
            }
            let content = &json[1..json.len() - 1];
            prop_assert_eq!(decoded(content, Escapes::Backslash, &[]), Some(text));
        }
    }

    #[test]
    fn margins_are_left_out_and_holes_are_unknown() {
        let foreign = |start: u32, end: u32, kind| Foreign {
            range: TextRange::new(start.into(), end.into()),
            kind,
        };
        let margins = [foreign(2, 4, ForeignKind::Margin)];
        let text = decoded("a\n> b", Escapes::None, &margins);
        assert_eq!(text.as_deref(), Some("a\nb"));
        let hole = [foreign(1, 5, ForeignKind::Hole)];
        assert_eq!(decoded("a#{b}", Escapes::Backslash, &hole), None);
        let shown = shown(Fragment {
            text: r"\u0041#{b}\u0041",
            escapes: Escapes::Backslash,
            foreign: &[foreign(6, 10, ForeignKind::Hole)],
        });
        assert_eq!(shown, "A#{b}A");
    }

    #[test]
    fn places_are_those_of_the_fragment() {
        let raw = r#"(f \"é\\n\u{1F388}\" 1)"#;
        let fragment = Fragment {
            escapes: Escapes::Backslash,
            ..Fragment::plain(raw)
        };
        let decoded = Decoded::of(fragment).expect("no hole");
        assert_eq!(decoded.text, r#"(f "é\n🎈" 1)"#);
        let cases = [
            (r#"(f "é\n🎈" 1)"#, raw),
            (r#""é\n🎈""#, r#"\"é\\n\u{1F388}\""#),
            ("é\\n🎈", r"é\\n\u{1F388}"),
            ("n", "n"),
            ("1", "1"),
            ("f", "f"),
        ];
        for (text, source) in cases {
            let at = decoded.text.find(text).expect(text);
            let range = TextRange::at(size(at), TextSize::of(text));
            assert_eq!(&raw[decoded.in_fragment(range)], source, "{text}");
        }
    }
}
