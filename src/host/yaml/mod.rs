//! YAML: where its scalars stand, and what a document's mappings hold.

#[cfg(test)]
mod judge;
mod node;
mod read;
mod recover;
mod scalar;
#[cfg(test)]
mod tests;

pub use node::{Entry, Node, NodeKind, Scalar, ScalarStyle};
pub use read::read;

use crate::host::{
    PlacedUnit,
    object::{self, Place, Value},
    roles::{KeyRole, Roles},
};

/// The units of a whole YAML text, in the order in which they begin.
pub fn units(text: &str, roles: &Roles) -> Vec<PlacedUnit> {
    let mut walk = Walk {
        text,
        roles,
        units: Vec::new(),
    };
    for root in read(text) {
        walk.node(&root, Place::Free);
    }
    walk.units
}

/// The units of `node`, which stands at `place`.
pub fn units_of(text: &str, node: &Node, place: Place<'_>, roles: &Roles) -> Vec<PlacedUnit> {
    let mut walk = Walk {
        text,
        roles,
        units: Vec::new(),
    };
    walk.node(node, place);
    walk.units
}

/// The entries of a mapping as objects have them.
pub fn entries(entries: &[Entry]) -> Vec<object::Entry<'_>> {
    entries
        .iter()
        .map(|entry| object::Entry {
            key: &entry.key,
            value: match &entry.value.kind {
                NodeKind::Scalar(scalar) => Value::Literal(scalar.literal.clone()),
                _ => Value::Other(entry.value.range),
            },
        })
        .collect()
}

struct Walk<'a> {
    text: &'a str,
    roles: &'a Roles,
    units: Vec<PlacedUnit>,
}

impl Walk<'_> {
    fn node(&mut self, node: &Node, place: Place<'_>) {
        match &node.kind {
            NodeKind::Scalar(_) | NodeKind::Other => {}
            NodeKind::Sequence(items) => {
                for item in items {
                    self.node(item, place.item());
                }
            }
            NodeKind::Mapping(entries) if place == Place::Tools => self.tools(entries),
            NodeKind::Mapping(entries) => self.object(node, entries, place),
        }
    }

    fn tools(&mut self, tools: &[Entry]) {
        for tool in tools {
            match &tool.value.kind {
                NodeKind::Scalar(scalar) if self.is_signature(scalar) => {
                    let range = tool.key_range.cover(tool.value.range);
                    let unit = object::tool_unit(range, &tool.key, &scalar.literal);
                    self.units.push(unit);
                }
                _ => self.node(&tool.value, Place::Tools.under(&tool.key, self.roles)),
            }
        }
    }

    fn object(&mut self, node: &Node, held: &[Entry], place: Place<'_>) {
        let mut as_object = entries(held);
        for (entry, held) in as_object.iter_mut().zip(held) {
            let is_signature = self.roles.of_key(entry.key) == Some(KeyRole::Signature);
            if let NodeKind::Scalar(scalar) = &held.value.kind
                && is_signature
                && !self.is_signature(scalar)
            {
                entry.value = Value::Other(held.value.range);
            }
        }
        let name = self.name(held);
        self.units.extend(object::object_unit(
            node.range, &as_object, place, name, self.roles,
        ));
        for entry in held {
            self.node(&entry.value, place.under(&entry.key, self.roles));
        }
    }

    fn name<'e>(&self, entries: &'e [Entry]) -> Option<&'e str> {
        let is_name = |entry: &&Entry| self.roles.of_key(&entry.key) == Some(KeyRole::Name);
        match &entries.iter().find(is_name)?.value.kind {
            NodeKind::Scalar(scalar) => Some(&scalar.value),
            _ => None,
        }
    }

    fn is_signature(&self, scalar: &Scalar) -> bool {
        let content = std::ops::Range::<usize>::from(scalar.literal.content);
        object::looks_like_signature(&self.text[content])
    }
}
