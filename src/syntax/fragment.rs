//! A fragment: one literal of a host, as raw text.
//!
//! Fragments are lexed as they are written in the file, so that an offset in a fragment is an offset in the
//! file minus the fragment's start. What the host writes in its own way (escapes, interpolations, the
//! margins of quoted blocks) is described beside the text instead of being decoded.

use crate::text::TextRange;

/// How the literal's host writes characters that it does not write plainly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Escapes {
    /// Every character stands for itself (`~S`, Markdown, YAML's block scalars).
    #[default]
    None,
    /// A backslash begins an escape (Elixir, PTC-Lisp, JSON, YAML's double quotes).
    Backslash,
    /// Two apostrophes stand for one (YAML's single quotes).
    DoubledApostrophe,
    /// Every character stands for itself, and YAML tells by the characters where the text ends: a plain
    /// scalar, in brackets or not.
    Plain {
        /// Whether brackets and commas end it too.
        in_flow: bool,
    },
}

/// Why a stretch of the literal is not part of the text that it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ForeignKind {
    /// An interpolation such as `#{…}`: it may become any text, so nothing is reported because of it.
    Hole,
    /// Something the host leaves out of the value, such as the `> ` of a quoted Markdown line.
    Margin,
}

/// A stretch of the literal that is not part of the text that it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Foreign {
    /// Where it is, in bytes from the fragment's start; never empty.
    pub range: TextRange,
    /// What it is.
    pub kind: ForeignKind,
}

/// A literal's raw text with all that is needed to lex it where it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fragment<'a> {
    /// The raw text between the literal's delimiters.
    pub text: &'a str,
    /// How characters are escaped in it.
    pub escapes: Escapes,
    /// The stretches that are not part of the value, sorted and disjoint.
    pub foreign: &'a [Foreign],
}

impl<'a> Fragment<'a> {
    /// A fragment in which every character stands for itself.
    pub fn plain(text: &'a str) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    /// Whether an interpolation is in it, so that its final text is not known.
    pub fn has_holes(&self) -> bool {
        self.foreign
            .iter()
            .any(|foreign| foreign.kind == ForeignKind::Hole)
    }
}

/// The foreign stretches of `range`, counted from its start; `None` where one lies across its border.
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

/// What an escape stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    /// A space, a tab or a line end, or nothing at all.
    Space,
    /// Any other character.
    Other,
}

/// What the escape means whose backslash `rest` follows, and its length after the backslash.
pub(super) fn escape(rest: &str) -> (Escape, usize) {
    let Some(first) = rest.chars().next() else {
        return (Escape::Other, 0);
    };
    match first {
        'n' | 't' | 'r' | 's' | ' ' | '\n' => (Escape::Space, 1),
        '\r' => (Escape::Space, 1 + usize::from(rest[1..].starts_with('\n'))),
        'u' | 'x' => (Escape::Other, 1 + code_point_len(first, &rest[1..])),
        other => (Escape::Other, other.len_utf8()),
    }
}

/// How many hexadecimal digits a code point has at most, by the letter before it.
pub(super) fn most_digits(mark: char) -> usize {
    if mark == 'x' { 2 } else { 4 }
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
