//! The contents of a YAML text: mappings, sequences and scalars, each with its range.

use std::ops::Range;

use crate::{
    host::{object::Literal, yaml::read},
    rare::{Blank, Rare},
    syntax::fragment::{Escapes, Foreign},
    text::{TextRange, size},
};

pub use saphyr_parser::{ScalarStyle, Tag};

/// A value of a YAML text.
///
/// A text has one for every two bytes at most, so what is as it is written is only a range.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it is, in bytes of the text.
    pub range: TextRange,
    /// What is written before it or instead of it.
    pub mark: Mark,
    /// Its kind.
    pub kind: NodeKind,
}

/// What is written before a value, or instead of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mark {
    /// Nothing.
    #[default]
    None,
    /// An anchor with the name at this place.
    Anchor(TextRange),
    /// An alias for the anchor with the name at this place, instead of a value.
    Alias(TextRange),
    /// A custom tag, or an error in or after it: the value is unknown.
    Unknown,
    /// A key in braces without a colon: its entry is not finished.
    Unwritten,
}

impl Mark {
    /// The same with the name at another place.
    pub(super) fn map_range(self, map: impl Fn(TextRange) -> TextRange) -> Self {
        match self {
            Self::Anchor(name) => Self::Anchor(map(name)),
            Self::Alias(name) => Self::Alias(map(name)),
            other => other,
        }
    }
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
        let indicator = usize::from(text[range.clone()].starts_with('*'));
        let name = read::name(&text[..range.end], range.start + indicator);
        Self {
            mark: Mark::Alias(name),
            ..Self::other(range)
        }
    }

    pub(super) fn scalar(scalar: Scalar) -> Self {
        Self {
            range: scalar.literal,
            kind: NodeKind::Scalar(scalar),
            mark: Mark::None,
        }
    }
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
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
#[derive(Debug, Clone, PartialEq)]
pub struct Scalar {
    /// The literal with its delimiters, in bytes of the text.
    pub literal: TextRange,
    /// The content between the delimiters, in bytes of the text.
    pub content: TextRange,
    /// Its escapes.
    pub escapes: Escapes,
    /// Its style.
    pub style: ScalarStyle,
    more: Rare<More>,
}

/// What few scalars have.
#[derive(Debug, Clone, PartialEq, Default)]
struct More {
    /// The value, if it is not the content as it is written.
    value: Option<Box<str>>,
    /// The margins in the content, in bytes from its start.
    foreign: Vec<Foreign>,
    tag: Option<Tag>,
}

impl Blank for More {
    const BLANK: &'static Self = &Self {
        value: None,
        foreign: Vec::new(),
        tag: None,
    };
}

impl Scalar {
    /// The scalar that `literal` of `text` is.
    pub(super) fn new(
        text: &str,
        literal: Literal,
        style: ScalarStyle,
        value: &str,
        tag: Option<Tag>,
    ) -> Self {
        let is_as_written = value == &text[literal.content];
        let more = More {
            value: (!is_as_written).then(|| value.into()),
            foreign: literal.foreign.to_vec(),
            tag,
        };
        Self {
            literal: literal.literal,
            content: literal.content,
            escapes: literal.escapes,
            style,
            more: more.into(),
        }
    }

    /// Its value in the text `text`, with escapes and folded lines resolved.
    pub fn value<'a>(&'a self, text: &'a str) -> &'a str {
        self.more.value.as_deref().unwrap_or(&text[self.content])
    }

    /// Its tag.
    pub fn tag(&self) -> Option<&Tag> {
        self.more.tag.as_ref()
    }

    /// Its literal.
    pub fn to_literal(&self) -> Literal {
        Literal {
            literal: self.literal,
            content: self.content,
            escapes: self.escapes,
            foreign: self.more.foreign.clone().into(),
        }
    }
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// Where the key is, in bytes of the text.
    pub key_range: TextRange,
    /// The key, if it is not as it is written.
    key: Option<Box<str>>,
    /// The value.
    pub value: Node,
}

impl Pair {
    /// The pair of the `key` at `key_range` of `text` and `value`.
    pub(super) fn new(text: &str, key: &str, key_range: TextRange, value: Node) -> Self {
        let is_as_written = key == &text[key_range];
        Self {
            key_range,
            key: (!is_as_written).then(|| key.into()),
            value,
        }
    }

    /// The key in the text `text`; empty if it is not a scalar.
    pub fn key<'a>(&'a self, text: &'a str) -> &'a str {
        self.key.as_deref().unwrap_or(&text[self.key_range])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_small() {
        assert!(size_of::<Node>() <= 56, "{}", size_of::<Node>());
        assert!(size_of::<Pair>() <= 80, "{}", size_of::<Pair>());
    }
}
