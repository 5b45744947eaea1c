//! Sites: the literals of a document that are signatures, prompts or related texts, and the arguments beside them.

use std::sync::Arc;

use crate::{
    host::object::Literal,
    rare::Rare,
    syntax::fragment::{Escapes, Foreign, ForeignKind, Fragment},
    text::TextRange,
    value::{Value, ValueKind},
};

/// The role of a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The signature of an agent, or a separate one.
    Signature,
    /// A prompt template.
    Prompt,
    /// The description of a tool or agent.
    Description,
    /// The signature of a tool.
    Tool,
}

/// One literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// Its role.
    pub role: Role,
    /// The name of its tool or agent, if it has one.
    pub name: Option<Arc<str>>,
    /// The literal with its delimiters, in bytes from the unit's start.
    pub literal: TextRange,
    /// The content between the delimiters, in bytes from the unit's start.
    pub content: TextRange,
    /// Its escapes.
    pub escapes: Escapes,
    /// Interpolations and margins, in bytes from the content's start, sorted and disjoint.
    pub foreign: Rare<Vec<Foreign>>,
}

impl Site {
    /// The literal as a fragment, given the text of [`Site::content`].
    pub fn fragment<'a>(&'a self, content: &'a str) -> Fragment<'a> {
        Fragment {
            text: content,
            escapes: self.escapes,
            foreign: &self.foreign,
        }
    }

    /// Its literal.
    pub fn to_literal(&self) -> Literal {
        Literal {
            literal: self.literal,
            content: self.content,
            escapes: self.escapes,
            foreign: self.foreign.clone(),
        }
    }

    /// Whether its text is only known at run time.
    pub fn is_dynamic(&self) -> bool {
        is_dynamic(&self.foreign)
    }
}

/// Whether the text of a literal with these parts is only known at run time.
pub fn is_dynamic(foreign: &[Foreign]) -> bool {
    foreign.iter().any(|it| it.kind == ForeignKind::Hole)
}

/// A keyed argument beside the sites of a unit, such as `output: :text`.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// The key, without colons or quotes.
    pub key: String,
    /// The key's text in the document, in bytes from the unit's start.
    pub key_range: TextRange,
    /// The value's text in the document, in bytes from the unit's start.
    pub value: TextRange,
    /// The value itself, if values of this key are read; its ranges are relative to its start.
    read: Option<Arc<Value>>,
}

impl Argument {
    /// The argument with the key at `key_range` and the value `read`, whose ranges are relative to its start.
    pub fn new(
        key: &str,
        key_range: TextRange,
        value: TextRange,
        read: Option<Arc<Value>>,
    ) -> Self {
        Self {
            key: key.to_owned(),
            key_range,
            value,
            read,
        }
    }

    /// The value itself, with ranges in bytes from the unit's start; `None` if it is not read or invalid.
    pub fn read(&self) -> Option<Value> {
        Some(self.unplaced()?.clone().moved_by(self.value.start()))
    }

    /// The value itself, with ranges in bytes from its start.
    pub fn unplaced(&self) -> Option<&Value> {
        self.read.as_deref()
    }

    /// The value itself, without its place.
    pub fn kind(&self) -> Option<&ValueKind> {
        self.read.as_deref().map(|value| &value.kind)
    }

    /// Calls `change` with the value and everything in it, with ranges in bytes from the unit's start.
    pub fn map_value(&mut self, change: impl Fn(&mut Value)) {
        if let Some(mut value) = self.read() {
            value.for_each_mut(&change);
            let start = value.range.start();
            self.read = Some(value.relative_to(start));
        }
    }

    /// Replaces its ranges.
    pub fn map_ranges(&mut self, map: impl Fn(TextRange) -> TextRange) {
        self.key_range = map(self.key_range);
        self.value = map(self.value);
    }
}
