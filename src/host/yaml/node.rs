//! What a YAML text holds: mappings, sequences and scalars, each with its place.

use std::ops::Range;

use crate::{
    host::object::Literal,
    text::{TextRange, size},
};

pub use saphyr_parser::ScalarStyle;

/// A value of a YAML text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Where it stands, in bytes of the text.
    pub range: TextRange,
    /// What it is.
    pub kind: NodeKind,
}

impl Node {
    pub(super) fn other(range: Range<usize>) -> Self {
        Self {
            range: TextRange::new(size(range.start), size(range.end)),
            kind: NodeKind::Other,
        }
    }

    pub(super) fn scalar(scalar: Scalar) -> Self {
        Self {
            range: scalar.literal.literal,
            kind: NodeKind::Scalar(scalar),
        }
    }
}

/// What a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeKind {
    /// A scalar.
    Scalar(Scalar),
    /// Keys and values.
    Mapping(Vec<Entry>),
    /// A list.
    Sequence(Vec<Node>),
    /// An alias, a value that is missing, nested too deep, or not finished.
    Other,
}

/// A scalar and how it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scalar {
    /// Where it stands; the ranges count from the start of the text.
    pub literal: Literal,
    /// How it is written.
    pub style: ScalarStyle,
    /// What it says once escapes and folded lines are resolved.
    pub value: String,
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key, empty where it is no scalar.
    pub key: String,
    /// Where the key stands, in bytes of the text.
    pub key_range: TextRange,
    /// The value.
    pub value: Node,
}
