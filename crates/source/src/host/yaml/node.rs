//! The contents of a YAML text: mappings, sequences and scalars, each with its range.

use std::ops::Range;

use crate::{
    host::{object::Literal, yaml::read},
    text::{TextRange, size},
};

pub use saphyr_parser::{ScalarStyle, Tag};

/// A value of a YAML text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Where it is, in bytes of the text.
    pub range: TextRange,
    /// Its kind.
    pub kind: NodeKind,
    /// What is written before it or instead of it.
    pub mark: Mark,
}

/// What is written before a value, or instead of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Mark {
    /// Nothing.
    #[default]
    None,
    /// An anchor of this name.
    Anchor(Box<str>),
    /// An alias for the anchor of this name, in the place of a value.
    Alias(Box<str>),
    /// A custom tag, or an error in or after it: the value is unknown.
    Unknown,
    /// A key in braces without a colon: its entry is not finished.
    Unwritten,
}

impl Node {
    pub(super) fn other(range: Range<usize>) -> Self {
        Self {
            range: TextRange::new(size(range.start), size(range.end)),
            kind: NodeKind::Other,
            mark: Mark::Unknown,
        }
    }

    /// The alias that is at `range` of `text`.
    pub(super) fn alias(text: &str, range: Range<usize>) -> Self {
        let name = text[range.clone()].strip_prefix('*').unwrap_or_default();
        Self {
            mark: Mark::Alias(read::name(name).into()),
            ..Self::other(range)
        }
    }

    pub(super) fn scalar(scalar: Scalar) -> Self {
        Self {
            range: scalar.literal.literal,
            kind: NodeKind::Scalar(scalar),
            mark: Mark::None,
        }
    }
}

/// What a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeKind {
    /// A scalar.
    Scalar(Scalar),
    /// Keys and values.
    Mapping(Vec<Pair>),
    /// A list.
    Sequence(Vec<Node>),
    /// An alias, a missing or unfinished value, or one that nests too deeply.
    Other,
}

/// A scalar and how it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scalar {
    /// Where it is; the ranges count from the start of the text.
    pub literal: Literal,
    /// Its style.
    pub style: ScalarStyle,
    /// Its value, with escapes and folded lines resolved.
    pub value: String,
    /// Its tag.
    pub tag: Option<Box<Tag>>,
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The key; empty if it is not a scalar.
    pub key: String,
    /// Where the key is, in bytes of the text.
    pub key_range: TextRange,
    /// The value.
    pub value: Node,
}
