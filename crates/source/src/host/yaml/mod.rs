//! YAML: its scalars, and the contents of its mappings.

mod brackets;
mod chains;
mod cut;
mod document;
mod hidden;
#[cfg(test)]
mod judge;
mod keep;
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
pub use values::{Anchors, PartAnchors};

use std::{borrow::Cow, iter, sync::Arc};

use crate::{
    host::{
        Notation, PlacedUnit,
        evidence::{self, Evidence},
        flow::{Flowing, Given, Source},
        foreign,
        object::{self, Place, Value},
        roles::{KeyRole, NameKind, RolesIn, fixed_role},
        tool_names::{self, Named},
        values::yaml::{self as values, MERGE_KEY},
        yaml::keep::Keep,
    },
    order,
    syntax::fragment::{Foreign, ForeignKind},
    text::{TextRange, TextSize, size},
    value,
};

/// The units of a whole YAML text, in the order of their starts.
pub fn units(text: &str, roles: RolesIn<'_>) -> Vec<PlacedUnit> {
    let roots = read_meaning(text, roles);
    let mut anchors = Anchors::default();
    anchors.add(&roots, text, TextSize::default());
    let mut walk = Walk::new(text, &anchors, roles);
    for root in roots {
        walk.node(&root, &Place::Free);
    }
    walk.into_units()
}

/// What may matter for a unit in `text`.
pub fn read_meaning(text: &str, roles: RolesIn<'_>) -> Vec<Node> {
    read::read_documents(text, Keep::meaning(roles)).roots
}

/// Reads the collections of `text` that signatures without quotes are, where only the types may be wrong.
pub fn read_signatures(text: &str, entries: &mut [Pair]) {
    for entry in entries {
        if fixed_role(NameKind::Key, entry.key(text)) == Some(KeyRole::Signature) {
            let value = entry.value.clone();
            entry.value = scalar::or_signature(text, entry.key(text), value, Evidence::Possible);
        }
    }
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

/// The entries of a mapping in `text` that matter for its unit.
pub fn meaning<'e>(text: &str, entries: &'e [Pair], roles: RolesIn<'_>) -> Vec<&'e Pair> {
    let entries = entries.iter();
    let entries = entries.filter(|entry| object::matters(entry.key(text), roles));
    entries.collect()
}

/// The entries of a mapping in `text` in the form of objects.
pub fn entries<'e>(
    text: &'e str,
    entries: &[&'e Pair],
    anchors: &Anchors,
) -> Vec<object::Property<'e>> {
    let entries = entries.iter().map(|entry| object::Property {
        key: entry.key(text),
        key_range: entry.key_range,
        read: object::reads_value(entry.key(text))
            .then(|| value_read(text, entry.value.clone(), anchors)),
        value: match &entry.value.kind {
            NodeKind::Scalar(scalar) => Value::Literal(scalar.to_literal()),
            _ => Value::Other(entry.value.range),
        },
    });
    entries.collect()
}

/// The value that `node` of `text` is; its ranges are relative to its start.
fn value_read(text: &str, node: Node, anchors: &Anchors) -> Arc<value::Value> {
    let start = node.range.start();
    values::value(node, text, anchors).relative_to(start)
}

/// The name of a mapping in `text`, by the key for names.
pub fn name<'e>(text: &'e str, entries: &[&'e Pair], roles: RolesIn<'_>) -> Option<&'e str> {
    let is_name = |entry: &&&Pair| roles.of_key(entry.key(text)) == Some(KeyRole::Name);
    match &entries.iter().find(is_name)?.value.kind {
        NodeKind::Scalar(scalar) => Some(scalar.value(text)),
        _ => None,
    }
}

/// Walks through the nodes of a text and collects the units.
struct Walk<'a> {
    text: &'a str,
    anchors: &'a Anchors,
    roles: RolesIn<'a>,
    units: Vec<PlacedUnit>,
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
            NodeKind::Mapping(entries) => match place {
                Place::Tools => self.tools(entries),
                Place::Free | Place::Tool(_) => {
                    self.object(node.range, entries, place);
                    self.values_of(entries, place);
                }
            },
        }
    }

    fn tools(&mut self, tools: &[Pair]) {
        for tool in tools {
            let first = self.units.len();
            let name = tool.key(self.text);
            match &tool.value.kind {
                NodeKind::Scalar(scalar) => {
                    let range = tool.key_range.cover(tool.value.range);
                    let value = scalar.value(self.text);
                    let unit = evidence::of_signature_beside(value).map(|evidence| {
                        let literal = scalar.to_literal();
                        object::tool_unit(range, name, &literal, Notation::Yaml, evidence)
                    });
                    self.units.extend(unit);
                }
                _ => self.node(&tool.value, &Place::Tools.under(name, self.roles)),
            }
            self.tools.push(Named {
                name: name.to_owned(),
                range: tool.key_range,
                is_signed: tool_names::is_signed(&self.units[first..], name),
            });
        }
    }

    fn values_of(&mut self, entries: &[Pair], place: &Place) {
        for entry in entries {
            let key = entry.key(self.text);
            if self.roles.of_key(key).is_none() {
                self.units.extend(anchored(self.text, &entry.value));
            }
            self.node(&entry.value, &place.under(key, self.roles));
        }
    }

    /// Adds the unit of the object that the mapping at `range` is.
    fn object(&mut self, range: TextRange, entries: &[Pair], place: &Place) {
        let held = meaning(self.text, entries, self.roles);
        let as_object = self::entries(self.text, &held, self.anchors);
        self.object_of(range, &held, as_object, place);
    }

    /// Adds the unit of the object that the mapping at `range` is, whose entries were read already.
    fn object_of(
        &mut self,
        range: TextRange,
        held: &[&Pair],
        mut as_object: Vec<object::Property<'_>>,
        place: &Place,
    ) {
        let text_of = text_of(self.text, held);
        let evidence = object::judge(&mut as_object, place, self.roles, text_of);
        self.mark_expressions(&mut as_object);
        let first = self.units.len();
        let name = name(self.text, held, self.roles);
        let mut unit = object::object_unit(
            range,
            as_object,
            object::Owner::of_object(place, name),
            Notation::Yaml,
            self.roles,
            evidence,
        );
        if let (Some(placed), Place::Free) = (&mut unit, place) {
            self.follow_alias(placed, held);
        }
        self.units.extend(unit);
        let is_name =
            |entry: &&&Pair| self.roles.of_key(entry.key(self.text)) == Some(KeyRole::Name);
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
    fn follow_alias(&self, placed: &mut PlacedUnit, held: &[&Pair]) {
        let is_signature = |key: &str| self.roles.of_key(key) == Some(KeyRole::Signature);
        let own = held.iter().find(|it| is_signature(it.key(self.text)));
        let merged = || held.iter().find(|it| it.key(self.text) == MERGE_KEY);
        let entry = own.or_else(merged);
        let Some(entry) = entry else {
            return;
        };
        let aliases: Vec<_> = match (&entry.value.mark, &entry.value.kind) {
            (Mark::Alias(name), _) => vec![*name],
            (_, NodeKind::Sequence(items)) if own.is_none() => {
                let aliases = items.iter().filter_map(|item| match item.mark {
                    Mark::Alias(name) => Some(name),
                    _ => None,
                });
                aliases.collect()
            }
            _ => return,
        };
        let signatures = aliases
            .into_iter()
            .flat_map(|it| self.anchors.signatures(&self.text[it]));
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
        let text = signature.text.clone();
        let flow = unit.flow.make_mut();
        flow.sources = vec![Source::here(text, None)];
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
}

/// The unit of a signature that is only written for its anchor, under a key without a meaning.
fn anchored(text: &str, node: &Node) -> Option<PlacedUnit> {
    let (NodeKind::Scalar(scalar), Mark::Anchor(name)) = (&node.kind, &node.mark) else {
        return None;
    };
    // Two ampersands are rather an operator of a shell; files have thousands.
    if text[*name].starts_with('&') {
        return None;
    }
    let value = scalar.value(text);
    let is_whole = value.trim_start().starts_with('(') && value.contains("->");
    let evidence = evidence::of_signature(value)?;
    let is_signature = is_whole && evidence == Evidence::Likely;
    is_signature.then(|| object::signature_unit(&scalar.to_literal(), Notation::Yaml))
}

/// Reads the scalars among the values of `entries` in `text`.
pub fn text_of<'e>(text: &'e str, entries: &[&'e Pair]) -> impl Fn(usize) -> Option<Cow<'e, str>> {
    |index| match &entries[index].value.kind {
        NodeKind::Scalar(scalar) => Some(Cow::Borrowed(scalar.value(text))),
        _ => None,
    }
}

/// The kind of value of a scalar; while it stays the same, an edit of the scalar changes no other literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reading {
    role: Option<KeyRole>,
    evidence: Option<Evidence>,
    /// That beside other evidence.
    beside: Option<Evidence>,
}

impl Reading {
    fn of(role: Option<KeyRole>, value: &str) -> Self {
        let evidence = match role {
            Some(KeyRole::Signature) => evidence::of_signature(value),
            Some(KeyRole::Prompt) => evidence::is_prompt(value).then_some(Evidence::Likely),
            _ => None,
        };
        let beside = match role {
            Some(KeyRole::Signature) => evidence.or_else(|| evidence::of_signature_beside(value)),
            _ => None,
        };
        Self {
            role,
            evidence,
            beside,
        }
    }
}

/// The start of the expressions of workflow files.
pub const EXPRESSION: &str = "${{";

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
