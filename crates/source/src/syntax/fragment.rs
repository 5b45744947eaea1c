//! A fragment: one literal of a host, as raw text.
//!
//! Fragments are lexed as they are written in the file, so an offset in a fragment is an offset in the file minus the
//! fragment's start. The host's notation (escapes, interpolations, the margins of quoted blocks) is described beside
//! the text instead of being decoded.

use crate::text::TextRange;

/// The escapes of a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Escapes {
    /// None (`~S`, Markdown, YAML's block scalars).
    #[default]
    None,
    /// A backslash begins an escape (Elixir, PTC-Lisp, JSON).
    Backslash,
    /// A backslash begins an escape of YAML, in double quotes.
    DoubleQuoted,
    /// Two apostrophes are one (YAML's single quotes).
    DoubledApostrophe,
    /// None, but lines are folded (YAML's `>`).
    Folded,
    /// None, but some characters end the text: a plain scalar of YAML, in brackets or not.
    Plain {
        /// Whether brackets and commas end it too.
        in_flow: bool,
    },
}

impl Escapes {
    /// Whether a backslash begins an escape.
    pub fn has_backslashes(self) -> bool {
        matches!(self, Self::Backslash | Self::DoubleQuoted)
    }

    /// Whether the lines of the literal are folded.
    pub fn folds_lines(self) -> bool {
        !matches!(self, Self::None | Self::Backslash)
    }
}

/// Why a range of the literal is not part of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ForeignKind {
    /// An interpolation such as `#{…}`. Its value may be any text, so it never causes a diagnostic.
    Hole,
    /// Text that the host removes from the value, such as the `> ` of a quoted Markdown line.
    Margin,
}

/// A range of the literal that is not part of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Foreign {
    /// Its place, in bytes from the fragment's start; never empty.
    pub range: TextRange,
    /// The reason.
    pub kind: ForeignKind,
}

/// A literal's raw text, with everything that is needed to lex it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fragment<'a> {
    /// The raw text between the literal's delimiters.
    pub text: &'a str,
    /// Its escapes.
    pub escapes: Escapes,
    /// The ranges that are not part of the value, sorted and disjoint.
    pub foreign: &'a [Foreign],
}

impl<'a> Fragment<'a> {
    /// A fragment without escapes.
    pub fn plain(text: &'a str) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    /// Whether it has an interpolation, so that its value is not known.
    pub fn has_holes(&self) -> bool {
        self.foreign
            .iter()
            .any(|foreign| foreign.kind == ForeignKind::Hole)
    }
}

/// The foreign ranges in `range`, relative to its start; `None` if one crosses its border.
pub fn foreign_within(foreign: &[Foreign], range: TextRange) -> Option<Vec<Foreign>> {
    let mut within = Vec::new();
    let first = foreign.partition_point(|it| it.range.end() <= range.start());
    let touched = foreign[first..].iter();
    for it in touched.take_while(|it| it.range.start() < range.end()) {
        if it.range.is_empty() {
            continue;
        }
        if !range.contains_range(it.range) {
            return None;
        }
        within.push(Foreign {
            range: it.range - range.start(),
            kind: it.kind,
        });
    }
    Some(within)
}

/// The length of the escape whose backslash precedes `rest`, after the backslash.
pub(super) fn escape_len(rest: &str) -> usize {
    match rest.chars().next() {
        Some(mark @ ('u' | 'x')) => 1 + code_point_len(mark, &rest[1..]),
        Some('\r') if rest[1..].starts_with('\n') => 2,
        first => first.map_or(0, char::len_utf8),
    }
}

/// The maximum number of hexadecimal digits of a code point, by the letter before it.
pub(super) fn most_digits(mark: char) -> usize {
    match mark {
        'x' => 2,
        'U' => 8,
        _ => 4,
    }
}

/// The length of `{…}` or of the hexadecimal digits after `mark`.
fn code_point_len(mark: char, rest: &str) -> usize {
    if let Some(braced) = rest.strip_prefix('{') {
        let digits = braced.bytes().take_while(u8::is_ascii_hexdigit).count();
        return if braced[digits..].starts_with('}') {
            digits + 2
        } else {
            0
        };
    }
    rest.bytes()
        .take(most_digits(mark))
        .take_while(u8::is_ascii_hexdigit)
        .count()
}
