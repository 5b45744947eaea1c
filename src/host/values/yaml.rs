//! Values of YAML, with anchors and aliases resolved.
//!
//! A merge key, a custom tag or an error makes the value around it unknown ([`ValueKind::Dynamic`]) instead of
//! guessed.

use std::{collections::HashMap, sync::Arc};

use super::MAX_DEPTH;
use crate::{
    host::yaml::{Mark, Node, NodeKind},
    text::TextRange,
    value::{Entry, Key, Value, ValueKind, yaml::scalar},
};

/// The merge key of YAML 1.1. The core schema of 1.2 dropped it, but most parsers support it.
const MERGE_KEY: &str = "<<";

/// The maximum number of values that the aliases of one value may add, and that all anchors together may have.
const MAX_ALIASED: usize = 20_000;
const MAX_ANCHORED: usize = 200_000;

/// The anchored values of a text, by anchor. An ambiguous one is unknown.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Anchors {
    values: HashMap<Box<str>, Arc<Value>>,
    /// The number of values in them.
    size: usize,
}

impl Anchors {
    /// Adds the anchors in `nodes`, in the order of the text. Returns whether they contain aliases.
    pub fn add(&mut self, nodes: &[Node]) -> bool {
        let mut has_aliases = false;
        for node in nodes {
            self.add_node(node, &mut has_aliases);
        }
        has_aliases
    }

    fn add_node(&mut self, node: &Node, has_aliases: &mut bool) {
        match &node.kind {
            NodeKind::Sequence(items) => {
                items.iter().for_each(|it| self.add_node(it, has_aliases));
            }
            NodeKind::Mapping(entries) => {
                let values = entries.iter().map(|entry| &entry.value);
                values.for_each(|it| self.add_node(it, has_aliases));
            }
            NodeKind::Scalar(_) | NodeKind::Other => {}
        }
        match &node.mark {
            Mark::Anchor(name) => {
                let value = value(node, self);
                self.insert(name.clone(), Arc::new(value));
            }
            Mark::Alias(_) => *has_aliases = true,
            Mark::None | Mark::Unknown => {}
        }
    }

    fn insert(&mut self, name: Box<str>, value: Arc<Value>) {
        self.size += extent(&value).0;
        let unknown = Arc::new(Value::new(ValueKind::Dynamic, value.range));
        let is_known = self.values.contains_key(&name);
        let value = match is_known || self.size > MAX_ANCHORED {
            true => unknown,
            false => value,
        };
        self.values.insert(name, value);
    }

    /// Adds the anchors of a part of the text that follows.
    pub fn extend(&mut self, other: &Self) {
        for (name, value) in &other.values {
            self.insert(name.clone(), Arc::clone(value));
        }
    }

    /// The anchors that the aliases in `nodes` refer to.
    pub fn named_in(&self, nodes: &[Node]) -> Self {
        let mut named = Self {
            values: HashMap::new(),
            size: self.size,
        };
        if !self.is_empty() {
            nodes.iter().for_each(|it| named.take_named(it, self));
        }
        named
    }

    fn take_named(&mut self, node: &Node, all: &Self) {
        match &node.kind {
            NodeKind::Sequence(items) => items.iter().for_each(|it| self.take_named(it, all)),
            NodeKind::Mapping(entries) => {
                let values = entries.iter().map(|entry| &entry.value);
                values.for_each(|it| self.take_named(it, all));
            }
            NodeKind::Scalar(_) | NodeKind::Other => {}
        }
        if let Mark::Alias(name) = &node.mark
            && let Some((name, value)) = all.values.get_key_value(name)
        {
            self.values.insert(name.clone(), Arc::clone(value));
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// The value that `node` is.
pub fn value(node: &Node, anchors: &Anchors) -> Value {
    let mut reader = Reader {
        anchors,
        aliased: 0,
    };
    reader.value(node, 0)
}

/// What a scalar says.
pub fn scalar_kind(node: &Node) -> ValueKind {
    match &node.kind {
        NodeKind::Scalar(scalar) => {
            scalar::resolve(&scalar.value, scalar.style, scalar.tag.as_deref())
                .unwrap_or(ValueKind::Dynamic)
        }
        _ => ValueKind::Dynamic,
    }
}

struct Reader<'a> {
    anchors: &'a Anchors,
    aliased: usize,
}

impl Reader<'_> {
    fn value(&mut self, node: &Node, depth: usize) -> Value {
        let kind = match (&node.mark, &node.kind) {
            (Mark::Unknown, _) => ValueKind::Dynamic,
            (Mark::Alias(name), _) => return self.alias(name, node.range, depth),
            _ if depth > MAX_DEPTH => ValueKind::Dynamic,
            (_, NodeKind::Scalar(_)) => scalar_kind(node),
            (_, NodeKind::Sequence(items)) => {
                let items = items.iter().map(|item| self.value(item, depth + 1));
                ValueKind::List(items.collect())
            }
            (_, NodeKind::Mapping(entries)) => {
                let entries = entries.iter().map(|entry| Entry {
                    key: Key {
                        name: (entry.key != MERGE_KEY).then(|| entry.key.clone()),
                        range: entry.key_range,
                        is_atom: false,
                    },
                    value: self.value(&entry.value, depth + 1),
                });
                ValueKind::Map(entries.collect())
            }
            (_, NodeKind::Other) => ValueKind::Null,
        };
        Value::new(kind, node.range)
    }

    /// The value of an alias, at the place of the alias.
    fn alias(&mut self, name: &str, range: TextRange, depth: usize) -> Value {
        let unknown = Value::new(ValueKind::Dynamic, range);
        let Some(anchored) = self.anchors.values.get(name) else {
            return unknown;
        };
        let (size, height) = extent(anchored);
        self.aliased += size;
        match self.aliased > MAX_ALIASED || depth + height > MAX_DEPTH {
            true => unknown,
            false => Value::clone(anchored).map_ranges(&|_| range),
        }
    }
}

/// The number of values in a value, including itself, and their depth.
fn extent(value: &Value) -> (usize, usize) {
    let add = |(size, height): (usize, usize), it: &Value| {
        let inside = extent(it);
        (size + inside.0, height.max(inside.1))
    };
    let (size, height) = match &value.kind {
        ValueKind::List(items) => items.iter().fold((0, 0), add),
        ValueKind::Map(entries) => {
            let values = entries.iter().map(|entry| &entry.value);
            values.fold((0, 0), add)
        }
        _ => (0, 0),
    };
    (size + 1, height + 1)
}
