//! A fragment: one literal of a host, as raw text.
//!
//! Fragments are lexed as they stand in the file, so that an offset in a fragment is an offset in the
//! file minus the fragment's start. What the host writes in its own way (escapes, interpolations, the
//! margins of quoted blocks) is described beside the text instead of being decoded.

use crate::text::TextRange;

/// How the literal's host writes characters that it does not write plainly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Escapes {
    /// Every character stands for itself (`~S`, Markdown, YAML's plain and block scalars).
    #[default]
    None,
    /// A backslash begins an escape (Elixir, PTC-Lisp, JSON, YAML's double quotes).
    Backslash,
    /// Two apostrophes stand for one (YAML's single quotes).
    DoubledApostrophe,
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
    /// Where it stands, in bytes from the fragment's start; never empty.
    pub range: TextRange,
    /// What it is.
    pub kind: ForeignKind,
}

/// A literal's raw text with all that is needed to lex it where it stands.
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

    /// Whether an interpolation stands in it, so that its final text is not known.
    pub fn has_holes(&self) -> bool {
        self.foreign
            .iter()
            .any(|foreign| foreign.kind == ForeignKind::Hole)
    }
}
