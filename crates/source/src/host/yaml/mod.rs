//! YAML: its scalars, and the contents of its mappings.

mod chains;
mod cut;
mod document;
mod hidden;
#[cfg(test)]
mod judge;
mod levels;
mod mask;
mod node;
mod part;
mod plain_line;
mod read;
mod recover;
mod scalar;
#[cfg(test)]
mod tests;
mod unquoted;

pub use document::Document;
pub use node::{Mark, Node, NodeKind, Pair, Scalar, ScalarStyle, Tag};
pub use read::read;
pub use scalar::quoted_len;
pub use values::Anchors;

use std::{borrow::Cow, iter, sync::Arc};

use crate::{
    host::{
        Notation, PlacedUnit,
        evidence::{self, Evidence},
        flow::{Flowing, Given, Source},
        foreign,
        object::{self, Place, Value},
        roles::{KeyRole, RolesIn},
        tool_names::{self, Named},
        values::yaml::{self as values, MERGE_KEY},
        yaml::document::BlockValue,
    },
    order,
    syntax::fragment::{Foreign, ForeignKind},
    text::{TextRange, TextSize, size},
    value,
};

/// The units of a whole YAML text, in the order of their starts.
pub fn units(text: &str, roles: RolesIn<'_>) -> Vec<PlacedUnit> {
    let roots = read(text).roots;
    let mut anchors = Anchors::default();
    anchors.add(&roots, text, TextSize::default());
    let mut walk = Walk::new(text, &anchors, roles);
    for root in roots {
        walk.node(&root, &Place::Free);
    }
    walk.into_units()
}

/// The units of `node`, which is at `place`.
pub fn units_of(
    text: &str,
    node: &Node,
    place: &Place,
    anchors: &Anchors,
    roles: RolesIn<'_>,
) -> Vec<PlacedUnit> {
    let mut walk = Walk::new(text, anchors, roles);
    walk.node(node, place);
    walk.into_units()
}

/// The entries of a mapping in the form of objects.
pub fn entries<'e>(entries: &'e [Pair], anchors: &Anchors) -> Vec<object::Property<'e>> {
    entries
        .iter()
        .map(|entry| object::Property {
            key: &entry.key,
            key_range: entry.key_range,
            read: value_read(entry, anchors),
            value: match &entry.value.kind {
                NodeKind::Scalar(scalar) => Value::Literal(scalar.literal.clone()),
                _ => Value::Other(entry.value.range),
            },
        })
        .collect()
}

/// The value of an entry whose value is read.
fn value_read(entry: &Pair, anchors: &Anchors) -> Option<value::Value> {
    object::reads_value(&entry.key).then(|| values::value(&entry.value, anchors))
}

/// The name of a mapping, by the key for names.
pub fn name<'e>(entries: &'e [Pair], roles: RolesIn<'_>) -> Option<&'e str> {
    let is_name = |entry: &&Pair| roles.of_key(&entry.key) == Some(KeyRole::Name);
    match &entries.iter().find(is_name)?.value.kind {
        NodeKind::Scalar(scalar) => Some(&scalar.value),
        _ => None,
    }
}

/// Walks through the nodes of a text and collects the units.
struct Walk<'a> {
    text: &'a str,
    anchors: &'a Anchors,
    roles: RolesIn<'a>,
    units: Vec<PlacedUnit>,
    values: Vec<BlockValue>,
    /// The tools of the current map or list of tools.
    tools: Vec<Named>,
}

impl<'a> Walk<'a> {
    fn new(text: &'a str, anchors: &'a Anchors, roles: RolesIn<'a>) -> Self {
        Self {
            text,
            anchors,
            roles,
            units: Vec::new(),
            values: Vec::new(),
            tools: Vec::new(),
        }
    }

    /// The units in the order of their starts: parts that an error separated may be nested.
    fn into_units(mut self) -> Vec<PlacedUnit> {
        order::by_start(&mut self.units, |unit| unit.start);
        self.units
    }

    fn node(&mut self, node: &Node, place: &Place) {
        if *place != Place::Tools {
            self.collection(node, place);
            return;
        }
        let around = std::mem::take(&mut self.tools);
        self.collection(node, place);
        let tools = std::mem::replace(&mut self.tools, around);
        self.units.extend(tool_names::units(tools, Notation::Yaml));
    }

    fn collection(&mut self, node: &Node, place: &Place) {
        match &node.kind {
            NodeKind::Scalar(_) | NodeKind::Other => {}
            NodeKind::Sequence(items) => {
                for item in items {
                    self.node(item, &place.item());
                }
            }
            NodeKind::Mapping(entries) => {
                self.note_values(node.range, entries, place);
                match place {
                    Place::Tools => self.tools(entries),
                    Place::Free | Place::Tool(_) => {
                        self.object(node.range, entries, place);
                        self.values_of(entries, place);
                    }
                }
            }
        }
    }

    fn tools(&mut self, tools: &[Pair]) {
        for tool in tools {
            let first = self.units.len();
            match &tool.value.kind {
                NodeKind::Scalar(scalar) => {
                    let range = tool.key_range.cover(tool.value.range);
                    let unit = evidence::of_signature(&scalar.value).map(|evidence| {
                        let literal = &scalar.literal;
                        object::tool_unit(range, &tool.key, literal, Notation::Yaml, evidence)
                    });
                    self.units.extend(unit);
                }
                _ => self.node(&tool.value, &Place::Tools.under(&tool.key, self.roles)),
            }
            self.tools.push(Named {
                name: tool.key.clone(),
                range: tool.key_range,
                is_signed: tool_names::is_signed(&self.units[first..], &tool.key),
            });
        }
    }

    /// Walks through the top level of a document; the mapping at `range` may be a part of it.
    fn top_level(&mut self, range: TextRange, entries: &[Pair]) {
        self.note_values(range, entries, &Place::Free);
        self.values_of(entries, &Place::Free);
    }

    fn values_of(&mut self, entries: &[Pair], place: &Place) {
        for entry in entries {
            if self.roles.of_key(&entry.key).is_none() {
                self.units.extend(anchored(&entry.value));
            }
            self.node(&entry.value, &place.under(&entry.key, self.roles));
        }
    }

    /// Adds the unit of the object that the mapping at `range` is.
    fn object(&mut self, range: TextRange, held: &[Pair], place: &Place) {
        self.object_of(range, held, entries(held, self.anchors), place);
    }

    /// Adds the unit of the object that the mapping at `range` is, whose entries were read already.
    fn object_of(
        &mut self,
        range: TextRange,
        held: &[Pair],
        mut as_object: Vec<object::Property<'_>>,
        place: &Place,
    ) {
        let evidence = object::judge(&mut as_object, self.roles, text_of(held));
        let is_signed = as_object.iter().any(|it| {
            let is_signature = self.roles.of_key(it.key) == Some(KeyRole::Signature);
            is_signature && matches!(it.value, Value::Literal(_))
        });
        if !is_signed {
            self.mark_expressions(&mut as_object);
        }
        let first = self.units.len();
        let name = name(held, self.roles);
        let mut unit = object::object_unit(
            range,
            as_object,
            place,
            name,
            Notation::Yaml,
            self.roles,
            evidence,
        );
        if let (Some(placed), Place::Free) = (&mut unit, place) {
            self.follow_alias(placed, held);
        }
        self.units.extend(unit);
        let is_name = |entry: &&Pair| self.roles.of_key(&entry.key) == Some(KeyRole::Name);
        if let (Place::Tool(None), Some(name), Some(entry)) =
            (place, name, held.iter().find(is_name))
        {
            self.tools.push(Named {
                name: name.to_owned(),
                range: entry.value.range,
                is_signed: tool_names::is_signed(&self.units[first..], name),
            });
        }
    }

    /// Gives an agent the signature that an alias or a merge key stands for.
    fn follow_alias(&self, placed: &mut PlacedUnit, held: &[Pair]) {
        let is_signature = |key: &str| self.roles.of_key(key) == Some(KeyRole::Signature);
        let own = held.iter().find(|it| is_signature(&it.key));
        let entry = own.or_else(|| held.iter().find(|it| it.key == MERGE_KEY));
        let Some(entry) = entry else {
            return;
        };
        let aliases: Vec<_> = match (&entry.value.mark, &entry.value.kind) {
            (Mark::Alias(name), _) => vec![name],
            (_, NodeKind::Sequence(items)) if own.is_none() => {
                let aliases = items.iter().filter_map(|item| match &item.mark {
                    Mark::Alias(name) => Some(name),
                    _ => None,
                });
                aliases.collect()
            }
            _ => return,
        };
        let signatures = aliases
            .into_iter()
            .flat_map(|it| self.anchors.signatures(it));
        let mut signatures = signatures.filter(|it| match &it.key {
            None => own.is_some(),
            Some(key) => own.is_none() && is_signature(key),
        });
        let Some(signature) = signatures.next() else {
            return;
        };
        let range = entry.value.range - placed.start;
        *placed = placed
            .clone()
            .with_origins([Some(signature.literal.content.start())]);
        let unit = Arc::make_mut(&mut placed.unit);
        let text = signature.text.to_string();
        let flow = unit.flow.make_mut();
        flow.sources = vec![Source::here(text, signature.literal.clone(), None)];
        flow.agent = Some(Box::new(Given {
            range,
            source: 0,
            what: Flowing::Agent,
            path: Vec::new(),
            keys: Vec::new(),
            is_binding: false,
        }));
    }

    /// Marks `${{ … }}` as interpolations; workflow files have them in prompts.
    fn mark_expressions(&self, entries: &mut [object::Property<'_>]) {
        for entry in entries {
            if let Value::Literal(literal) = &mut entry.value {
                let content = &self.text[literal.content];
                let holes = expressions(content).map(|range| Foreign {
                    range,
                    kind: ForeignKind::Hole,
                });
                foreign::add(&mut literal.foreign, holes);
            }
        }
    }

    /// Records the scalars of a mapping that can be parsed separately after an edit.
    fn note_values(&mut self, mapping: TextRange, entries: &[Pair], place: &Place) {
        let first_key = entries.first().map(|entry| entry.key_range.start());
        let is_block = first_key == Some(mapping.start()) && !self.is_flow(mapping);
        if !is_block {
            return;
        }
        for entry in entries {
            let NodeKind::Scalar(scalar) = &entry.value.kind else {
                continue;
            };
            let role = self.roles.of_key(&entry.key);
            if role != Some(KeyRole::Name) {
                let role = match place {
                    Place::Tools => Some(KeyRole::Signature),
                    Place::Free | Place::Tool(_) => role,
                };
                self.values.push(BlockValue {
                    key: entry.key_range,
                    literal: scalar.literal.literal,
                    ends_line: self.text[scalar.literal.literal].ends_with(['\r', '\n']),
                    reading: Reading::of(role, scalar),
                });
            }
        }
    }

    fn is_flow(&self, mapping: TextRange) -> bool {
        self.text[mapping].starts_with('{')
    }
}

/// The unit of a signature that is only written for its anchor, under a key without a meaning.
fn anchored(node: &Node) -> Option<PlacedUnit> {
    let (NodeKind::Scalar(scalar), Mark::Anchor(name)) = (&node.kind, &node.mark) else {
        return None;
    };
    // Two ampersands are rather an operator of a shell; files have thousands.
    if name.starts_with('&') {
        return None;
    }
    let is_whole = scalar.value.trim_start().starts_with('(') && scalar.value.contains("->");
    let evidence = evidence::of_signature(&scalar.value)?;
    let is_signature = is_whole && evidence == Evidence::Likely;
    is_signature.then(|| object::signature_unit(&scalar.literal, Notation::Yaml))
}

/// Reads the scalars among the values of `entries`.
pub fn text_of<'e>(entries: &'e [Pair]) -> impl Fn(usize) -> Option<Cow<'e, str>> {
    |index| match &entries[index].value.kind {
        NodeKind::Scalar(scalar) => Some(Cow::Borrowed(scalar.value.as_str())),
        _ => None,
    }
}

/// The kind of value of a scalar; while it stays the same, an edit of the scalar changes no other literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reading {
    role: Option<KeyRole>,
    evidence: Option<Evidence>,
}

impl Reading {
    fn of(role: Option<KeyRole>, scalar: &Scalar) -> Self {
        let evidence = match role {
            Some(KeyRole::Signature) => evidence::of_signature(&scalar.value),
            Some(KeyRole::Prompt) => evidence::is_prompt(&scalar.value).then_some(Evidence::Likely),
            _ => None,
        };
        Self { role, evidence }
    }
}

/// The start of the expressions of workflow files.
const EXPRESSION: &str = "${{";

/// The expressions `${{ … }}` in `text`. One that is not closed extends to the end.
fn expressions(text: &str) -> impl Iterator<Item = TextRange> {
    let mut at = 0;
    iter::from_fn(move || {
        let start = at + text[at..].find(EXPRESSION)?;
        let end = text[start..].find("}}").map(|it| start + it + "}}".len());
        at = end.unwrap_or(text.len());
        Some(TextRange::new(size(start), size(at)))
    })
}
