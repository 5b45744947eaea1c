//! A part of a YAML document: a top-level entry, an item or entry inside of one, or a document that is not split.

use std::sync::Arc;

use crate::{
    host::{
        PlacedUnit,
        object::{self, Place},
        roles::{KeyRole, RolesIn},
        yaml::{
            Anchors, PartAnchors, Walk,
            cut::Cut,
            document::BlockValue,
            keep::Keep,
            node::{Node, NodeKind, Pair},
            read, value_read,
        },
    },
    order,
    text::{TextRange, TextSize},
    value::Value,
};

/// A part of a document. Copies share its contents.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// Where it is in the document.
    pub(super) cut: Cut,
    /// Whether the entries are those before an edit; the start of their first key is unchanged.
    pub(super) is_stale: bool,
    pub(super) traits: Traits,
    pub(super) contents: Arc<Contents>,
}

/// What an edit asks of all parts of a document. It is not in the contents, as that would wait for memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Traits {
    /// Whether there are anchors in the part.
    pub(super) has_anchors: bool,
    /// Whether there are aliases in it.
    pub(super) has_aliases: bool,
    /// Whether one of the entries makes the mapping a unit.
    is_telling: bool,
}

/// The contents of a part. Places are relative to its start.
#[derive(Debug, Clone)]
pub(super) struct Contents {
    /// The scalars that can be parsed separately, in order.
    pub(super) values: Box<[BlockValue]>,
    /// The entries that it adds to the unit of its document's mapping, without the contents of the values, and those
    /// values that are read; their ranges are relative to their starts.
    entries: Box<[(Pair, Option<Arc<Value>>)]>,
    /// The range of the entries that it adds to the mapping of its document; if it is an item, of its contents.
    content: Option<TextRange>,
    /// The anchors in it.
    pub(super) anchors: PartAnchors,
}

impl Part {
    /// Shares the contents of `other`, if they are the same: those of the items of a list often are.
    pub(super) fn share_with(&mut self, other: &Self) {
        let (own, others) = (&self.contents, &other.contents);
        let is_blank = |it: &Contents| it.entries.is_empty() && it.anchors.is_empty();
        if is_blank(own)
            && is_blank(others)
            && own.content == others.content
            && own.values == others.values
        {
            self.contents = Arc::clone(others);
        }
    }

    /// Parses the part at `cut` with that `text`, and its units, without the unit of the mapping to which it belongs.
    pub(super) fn read(
        text: &str,
        cut: Cut,
        around: &Anchors,
        roles: RolesIn<'_>,
    ) -> (Self, Vec<PlacedUnit>) {
        let reading = read::read_part(text, 0..text.len(), Keep::meaning(roles));
        let mut anchors = Anchors::default();
        anchors.add(&reading.roots, text, TextSize::default());
        let mut known = around.named(reading.aliases.iter().map(|&name| &text[name]));
        match known.is_empty() {
            true => known = anchors.moved_by(cut.range.start()),
            false => known.add(&reading.roots, text, cut.range.start()),
        }
        let mut walk = Walk::new(text, &known, roles);
        let mut entries = Vec::new();
        let mut mapping = None;
        let content = reading.roots.iter().map(|root| root.range);
        let content = content.reduce(TextRange::cover);
        let has_entries = cut.kind.has_entries();
        for root in reading.roots {
            match root.kind {
                NodeKind::Mapping(held) if mapping.is_none() && has_entries => {
                    walk.values_of(&held, &Place::Free);
                    entries = unit_entries(text, held, &known, roles);
                    mapping = Some(root.range);
                }
                _ => walk.node(&root, &Place::Free),
            }
        }
        let (mut values, mut units) = (reading.values, walk.units);
        // The value of an anchor affects other places.
        match reading.is_simple && anchors.is_empty() {
            true => order::by_start(&mut values, |value| value.key.start()),
            false => values.clear(),
        }
        for unit in &mut units {
            // Anchors are known by their places in the document.
            unit.move_alone(unit.start + cut.range.start());
        }
        let is_telling = entries.iter().any(|(entry, _)| {
            let role = roles.of_key(entry.key(text));
            matches!(role, Some(KeyRole::Signature | KeyRole::Prompt))
        });
        let traits = Traits {
            has_anchors: !anchors.is_empty(),
            has_aliases: !reading.aliases.is_empty(),
            is_telling,
        };
        let contents = Contents {
            values: values.into(),
            entries: entries.into(),
            content: if has_entries { mapping } else { content },
            anchors: anchors.into(),
        };
        let part = Self {
            cut,
            is_stale: false,
            traits,
            contents: Arc::new(contents),
        };
        (part, units)
    }
}

/// The part and the units of another one with the same text, at `cut`.
pub(super) fn at((part, units): &(Part, Vec<PlacedUnit>), cut: Cut) -> (Part, Vec<PlacedUnit>) {
    let first = part.cut.range.start();
    let place = |unit: &PlacedUnit| {
        let mut unit = unit.clone();
        unit.move_alone(unit.start - first + cut.range.start());
        unit
    };
    let units = units.iter().map(place).collect();
    (
        Part {
            cut,
            ..part.clone()
        },
        units,
    )
}

/// Those of `entries` in `text` that matter for the unit of their mapping.
fn unit_entries(
    text: &str,
    mut entries: Vec<Pair>,
    anchors: &Anchors,
    roles: RolesIn<'_>,
) -> Vec<(Pair, Option<Arc<Value>>)> {
    entries.retain(|entry| object::matters(entry.key(text), roles));
    let entries = entries.into_iter().map(|mut entry| {
        let bare = Node {
            kind: match &entry.value.kind {
                NodeKind::Scalar(scalar) => NodeKind::Scalar(scalar.clone()),
                _ => NodeKind::Other,
            },
            ..entry.value
        };
        let node = std::mem::replace(&mut entry.value, bare);
        let read = object::reads_value(entry.key(text)).then(|| value_read(text, node, anchors));
        (entry, read)
    });
    entries.collect()
}

/// The values of the anchors in `parts`.
pub(super) fn anchors<'p>(parts: impl IntoIterator<Item = &'p Part>) -> Anchors {
    let mut anchors = Anchors::default();
    for part in parts.into_iter().filter(|it| it.traits.has_anchors) {
        anchors.extend(&part.contents.anchors, part.cut.range.start());
    }
    anchors
}

/// The start of the mapping of `parts`.
pub(super) fn mapping_start(parts: &[Part]) -> Option<TextSize> {
    let mut mappings = parts.iter().filter(|part| part.cut.kind.has_entries());
    mappings.find_map(|part| Some(part.contents.content?.start() + part.cut.range.start()))
}

/// Where the mapping of `parts` ends, which is where the last of its items does.
fn mapping_end(parts: &[Part]) -> Option<TextSize> {
    let mut parts = parts.iter().rev();
    parts.find_map(|part| Some(part.contents.content?.end() + part.cut.range.start()))
}

/// The unit of the mapping of `parts` of `text`.
pub(super) fn mapping_unit(
    text: &str,
    parts: &mut [Part],
    roles: RolesIn<'_>,
) -> Option<PlacedUnit> {
    if !is_telling(parts) {
        return None;
    }
    let around = anchors(&*parts);
    for part in parts.iter_mut().filter(|part| part.is_stale) {
        *part = Part::read(&text[part.cut.range], part.cut, &around, roles).0;
    }
    let (start, end) = (mapping_start(parts)?, mapping_end(parts)?);
    let entries = entries(parts);
    let held: Vec<_> = entries.iter().map(|(entry, _)| entry).collect();
    let mut as_object = super::entries(text, &held, &around);
    for (entry, (_, read)) in as_object.iter_mut().zip(&entries) {
        entry.read.clone_from(read);
    }
    let mut walk = Walk::new(text, &around, roles);
    let range = TextRange::new(start, end.max(start));
    walk.object_of(range, &held, as_object, &Place::Free);
    walk.units.pop()
}

/// Whether the mapping that `parts` are is a unit.
pub(super) fn is_telling(parts: &[Part]) -> bool {
    parts.iter().any(|part| part.traits.is_telling)
}

/// The entries of the mapping of `parts` that matter for its unit, with places in the document.
fn entries(parts: &[Part]) -> Vec<(Pair, Option<Arc<Value>>)> {
    let entries = parts.iter().flat_map(|part| {
        let start = part.cut.range.start();
        let entries = part.contents.entries.iter();
        entries.map(move |(entry, read)| (later(entry, start), read.clone()))
    });
    entries.collect()
}

/// The entry, relative to a place `by` bytes earlier.
fn later(entry: &Pair, by: TextSize) -> Pair {
    let mut entry = entry.clone();
    entry.key_range += by;
    entry.value.range += by;
    entry.value.mark = entry.value.mark.map_range(|name| name + by);
    if let NodeKind::Scalar(scalar) = &mut entry.value.kind {
        scalar.literal += by;
        scalar.content += by;
    }
    entry
}
