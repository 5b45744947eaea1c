//! Values of YAML, with anchors and aliases resolved.
//!
//! A merge key, a custom tag or an error makes the value around it unknown ([`ValueKind::Dynamic`]) instead of
//! guessed.

use std::sync::Arc;

use foldhash::HashMap;

use super::MAX_DEPTH;
use crate::{
    host::{
        evidence,
        flow::SharedText,
        object::Literal,
        units::moved,
        yaml::{EXPRESSION, Mark, Node, NodeKind, Pair, Scalar},
    },
    text::{TextEdit, TextRange, TextSize},
    value::{Entry, Key, Value, ValueKind, in_own_room, yaml::scalar},
};

/// The merge key of YAML 1.1. The core schema of 1.2 dropped it, but most parsers support it.
pub const MERGE_KEY: &str = "<<";

/// The maximum number of values that the aliases of one value may add, and that all anchors together may have. A
/// document may have many values, and each is read on its own.
const MAX_ALIASED: usize = 256;
const MAX_ANCHORED: usize = 100_000;

/// The anchored values of a text, by anchor. An ambiguous one is unknown.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Anchors {
    by_name: HashMap<Box<str>, AnchoredValue>,
    /// The number of values in them.
    size: usize,
}

/// A value that has an anchor.
#[derive(Debug, Clone, PartialEq)]
struct AnchoredValue {
    value: Arc<Value>,
    extent: Extent,
    /// The signatures in it, if there are any; none if the anchor is ambiguous.
    signatures: Option<Arc<[Anchored]>>,
}

/// The anchored values of a part of a text, by anchor. Most parts have none or one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PartAnchors(Box<[(Box<str>, AnchoredValue)]>);

impl PartAnchors {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<Anchors> for PartAnchors {
    fn from(anchors: Anchors) -> Self {
        Self(in_own_room(anchors.by_name.into_iter()))
    }
}

/// How much is in a value.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Extent {
    /// The number of values, including itself.
    size: u32,
    /// How deeply they nest.
    height: u32,
}

/// A signature that has an anchor, or that is in a mapping with one.
#[derive(Debug, Clone, PartialEq)]
pub struct Anchored {
    /// Its key, if the mapping has the anchor.
    pub key: Option<Box<str>>,
    /// Its literal, in bytes of the document.
    pub literal: Literal,
    /// What is between the delimiters of the literal.
    pub text: SharedText,
}

impl Anchored {
    /// The signature that `scalar` of `text` is; `text` begins at `start` of the document.
    fn of(key: Option<&str>, scalar: &Scalar, text: &str, start: TextSize) -> Option<Self> {
        evidence::of_signature(scalar.value(text))?;
        let mut literal = scalar.to_literal();
        let content = text.get(literal.content.start().into()..literal.content.end().into())?;
        literal.literal += start;
        literal.content += start;
        Some(Self {
            key: key.map(Into::into),
            text: SharedText::new(content, literal.clone()),
            literal,
        })
    }

    fn moved_by(&self, by: TextSize) -> Self {
        let mut moved = self.clone();
        moved.literal.literal += by;
        moved.literal.content += by;
        moved
    }

    /// Whether it is `new` after an edit.
    fn becomes(&self, new: &Self, edit: &TextEdit) -> bool {
        let content = self.literal.content;
        let start = moved(content.start(), edit);
        (
            &self.key,
            &self.text,
            self.literal.escapes,
            &self.literal.foreign,
        ) == (
            &new.key,
            &new.text,
            new.literal.escapes,
            &new.literal.foreign,
        ) && new.literal.content == TextRange::at(start, content.len())
    }
}

impl AnchoredValue {
    fn new(value: Value, signatures: Vec<Anchored>) -> Self {
        Self {
            extent: extent(&value),
            value: Arc::new(value),
            signatures: (!signatures.is_empty()).then(|| signatures.into()),
        }
    }

    /// The same value of a text that begins `by` bytes earlier.
    fn moved_by(&self, by: TextSize) -> Self {
        let moved = |it: &Arc<[Anchored]>| it.iter().map(|it| it.moved_by(by)).collect();
        Self {
            value: Arc::clone(&self.value),
            extent: self.extent,
            signatures: self.signatures.as_ref().map(moved),
        }
    }

    fn signatures(&self) -> &[Anchored] {
        self.signatures.as_deref().unwrap_or_default()
    }
}

impl Anchors {
    /// Adds the anchors in `nodes` of `text`, in the order of the text, which begins at `start` of the document.
    pub fn add(&mut self, nodes: &[Node], text: &str, start: TextSize) {
        for node in nodes {
            self.add_node(node, (text, start));
        }
    }

    fn add_node(&mut self, node: &Node, text: (&str, TextSize)) {
        match &node.kind {
            NodeKind::Sequence(items) => {
                let items = items.iter();
                items.for_each(|it| self.add_node(it, text));
            }
            NodeKind::Mapping(entries) => {
                let values = entries.iter().map(|entry| &entry.value);
                values.for_each(|it| self.add_node(it, text));
            }
            NodeKind::Scalar(_) | NodeKind::Other => {}
        }
        if let Mark::Anchor(name) = node.mark {
            let value = value(node.clone(), text.0, self);
            let anchored = AnchoredValue::new(value, signatures(node, text));
            self.insert(text.0[name].into(), anchored);
        }
    }

    fn insert(&mut self, name: Box<str>, mut anchored: AnchoredValue) {
        self.size += anchored.extent.size as usize;
        if self.by_name.contains_key(&name) || self.size > MAX_ANCHORED {
            let unknown = Value::new(ValueKind::Dynamic, anchored.value.range);
            anchored = AnchoredValue::new(unknown, Vec::new());
        }
        self.by_name.insert(name, anchored);
    }

    /// Adds the anchors of a part of the text that follows and begins at `start`.
    pub fn extend(&mut self, other: &PartAnchors, start: TextSize) {
        for (name, it) in &other.0 {
            self.insert(name.clone(), it.moved_by(start));
        }
    }

    /// The same anchors of a text that begins `by` bytes earlier.
    pub fn moved_by(&self, by: TextSize) -> Self {
        let by_name = self.by_name.iter();
        Self {
            by_name: by_name
                .map(|(name, it)| (name.clone(), it.moved_by(by)))
                .collect(),
            size: self.size,
        }
    }

    /// The signatures under an anchor.
    pub fn signatures(&self, name: &str) -> &[Anchored] {
        self.by_name.get(name).map_or(&[], |it| it.signatures())
    }

    /// Whether they are `new` after an edit.
    pub fn become_same(&self, new: &Self, edit: &TextEdit) -> bool {
        let becomes = |old: &AnchoredValue, new: &AnchoredValue| {
            let (was, is) = (old.signatures(), new.signatures());
            let mut signatures = was.iter().zip(is);
            old.value == new.value
                && was.len() == is.len()
                && signatures.all(|(old, new)| old.becomes(new, edit))
        };
        self.by_name.len() == new.by_name.len()
            && self
                .by_name
                .iter()
                .all(|(name, old)| new.by_name.get(name).is_some_and(|new| becomes(old, new)))
    }

    /// The anchors of these `names`.
    pub fn named<'n>(&self, names: impl Iterator<Item = &'n str>) -> Self {
        let named = names.filter_map(|it| self.by_name.get_key_value(it));
        Self {
            size: self.size,
            by_name: named
                .map(|(it, value)| (it.clone(), value.clone()))
                .collect(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }
}

/// The signatures that a node with an anchor is or contains; its `text` begins at an offset of the document.
fn signatures(node: &Node, (text, start): (&str, TextSize)) -> Vec<Anchored> {
    match &node.kind {
        NodeKind::Scalar(scalar) => {
            let signature = Anchored::of(None, scalar, text, start);
            signature.into_iter().collect()
        }
        // Thousands of other mappings may merge it.
        NodeKind::Mapping(entries) if entries.len() <= MAX_ALIASED => {
            let signatures = entries.iter().filter_map(|entry| match &entry.value.kind {
                NodeKind::Scalar(scalar) => {
                    Anchored::of(Some(entry.key(text)), scalar, text, start)
                }
                _ => None,
            });
            signatures.collect()
        }
        NodeKind::Mapping(_) | NodeKind::Sequence(_) | NodeKind::Other => Vec::new(),
    }
}

/// The value that `node` of `text` is, which takes its place: it may be as long as the text.
pub fn value(node: Node, text: &str, anchors: &Anchors) -> Value {
    let mut reader = Reader {
        text,
        anchors,
        aliased: 0,
    };
    reader.value(node, 0)
}

/// What a scalar of `text` says.
pub fn scalar_kind(node: &Node, text: &str) -> ValueKind {
    match &node.kind {
        NodeKind::Scalar(scalar) => kind_of(scalar, text),
        _ => ValueKind::Dynamic,
    }
}

fn kind_of(scalar: &Scalar, text: &str) -> ValueKind {
    let value = scalar.value(text);
    let value = Some(value).filter(|it| !it.contains(EXPRESSION));
    let kind = value.map(|it| scalar::resolve(it, scalar.style, scalar.tag()));
    kind.and_then(Result::ok).unwrap_or(ValueKind::Dynamic)
}

struct Reader<'a> {
    text: &'a str,
    anchors: &'a Anchors,
    aliased: usize,
}

impl Reader<'_> {
    fn value(&mut self, node: Node, depth: usize) -> Value {
        let range = node.range;
        let kind = match (node.mark, node.kind) {
            (Mark::Unknown | Mark::Unwritten, _) => ValueKind::Dynamic,
            (Mark::Alias(name), _) => return self.alias(name, range, depth),
            _ if depth > MAX_DEPTH => ValueKind::Dynamic,
            (_, NodeKind::Scalar(scalar)) => kind_of(&scalar, self.text),
            (_, NodeKind::Sequence(items)) => {
                let items = items.into_iter().map(|item| self.value(item, depth + 1));
                ValueKind::List(in_own_room(items))
            }
            (_, NodeKind::Mapping(entries)) => {
                let text = self.text;
                let is_known =
                    |it: &Pair| it.key(text) != MERGE_KEY && it.value.mark != Mark::Unwritten;
                let entries = entries.into_iter().map(|entry| Entry {
                    key: Key {
                        name: is_known(&entry).then(|| entry.key(text).into()),
                        range: entry.key_range,
                        is_atom: false,
                    },
                    value: self.value(entry.value, depth + 1),
                });
                ValueKind::Map(in_own_room(entries))
            }
            (_, NodeKind::Other) => ValueKind::Null,
        };
        Value::new(kind, range)
    }

    /// The value of an alias, at the place of the alias.
    fn alias(&mut self, name: TextRange, range: TextRange, depth: usize) -> Value {
        let unknown = Value::new(ValueKind::Dynamic, range);
        let Some(anchored) = self.anchors.by_name.get(&self.text[name]) else {
            return unknown;
        };
        let Extent { size, height } = anchored.extent;
        self.aliased += size as usize;
        match self.aliased > MAX_ALIASED || depth + height as usize > MAX_DEPTH {
            true => unknown,
            false => Value::clone(&anchored.value).map_ranges(&|_| range),
        }
    }
}

fn extent(value: &Value) -> Extent {
    let add = |around: Extent, it: &Value| {
        let inside = extent(it);
        Extent {
            size: around.size + inside.size,
            height: around.height.max(inside.height + 1),
        }
    };
    let alone = Extent { size: 1, height: 1 };
    match &value.kind {
        ValueKind::List(items) => items.iter().fold(alone, add),
        ValueKind::Map(entries) => {
            let values = entries.iter().map(|entry| &entry.value);
            values.fold(alone, add)
        }
        _ => alone,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{Notation, Roles, yaml::read_meaning};

    /// A text of short lines has tens of thousands of them.
    #[test]
    fn anchors_are_small() {
        let size = size_of::<(Box<str>, AnchoredValue)>();
        assert!(size <= 48, "{size}");
        assert!(size_of::<PartAnchors>() <= 16);
    }

    /// Each may have those of another one many times.
    #[test]
    fn the_values_of_anchors_are_limited() {
        let line = |it: usize| format!("a{it}: &a{it} [{}]\n", format!("*a{}, ", it - 1).repeat(9));
        let text: String = (1..2_000).map(line).collect();
        let text = format!("input:\n  a0: &a0 [1]\n{text}");
        let text = text.replace("\na", "\n  a");
        let roots = read_meaning(&text, Roles::default().of(Notation::Yaml));
        let mut anchors = Anchors::default();
        anchors.add(&roots, &text, TextSize::default());
        let values = anchors.by_name.values().map(|it| it.extent.size);
        let values: u32 = values.sum();
        assert!((50_000..110_000).contains(&values), "{values}");
    }
}
