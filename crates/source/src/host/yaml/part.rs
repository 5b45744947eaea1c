//! A part of a YAML document: a top-level entry, an item or entry inside of one, or a document that is not split.

use std::sync::Arc;

use crate::{
    host::{
        PlacedUnit,
        object::Place,
        roles::{KeyRole, RolesIn},
        yaml::{
            Anchors, Walk,
            cut::{Cut, CutKind},
            document::BlockValue,
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
    pub(super) values: Vec<BlockValue>,
    /// The entries that it adds to the mapping of its document, without the contents of the values.
    entries: Vec<Pair>,
    /// The values of those entries whose values are read; their ranges are relative to their starts.
    read: Vec<Option<Value>>,
    /// The range of its contents.
    content: Option<TextRange>,
    /// The anchors in it.
    pub(super) anchors: Anchors,
}

impl Part {
    /// Parses the part at `cut` with that `text`, and its units, without the unit of the mapping to which it belongs.
    pub(super) fn read(
        text: &str,
        cut: Cut,
        around: &Anchors,
        roles: RolesIn<'_>,
    ) -> (Self, Vec<PlacedUnit>) {
        let reading = read::read_part(text, 0..text.len());
        let mut known = around.named_in(&reading.roots);
        let has_aliases = known.add(&reading.roots, text, cut.range.start());
        let mut anchors = Anchors::default();
        anchors.add(&reading.roots, text, TextSize::default());
        let mut walk = Walk::new(text, &known, roles);
        let mut entries = Vec::new();
        let mut read = Vec::new();
        let content = reading.roots.iter().map(|root| root.range);
        let content = content.reduce(TextRange::cover);
        let has_entries = cut.kind.has_entries();
        for root in reading.roots {
            match root.kind {
                NodeKind::Mapping(held) if entries.is_empty() && has_entries => {
                    walk.top_level(root.range, &held);
                    read = held.iter().map(|it| relative_value(it, &known)).collect();
                    entries = held.into_iter().map(shallow).collect();
                }
                kind => {
                    let (range, mark) = (root.range, root.mark);
                    walk.node(&Node { range, kind, mark }, &Place::Free);
                }
            }
        }
        let (mut values, mut units) = (walk.values, walk.units);
        // The value of an anchor affects other places.
        match reading.is_simple && anchors.is_empty() {
            true => order::by_start(&mut values, |value| value.key.start()),
            false => values.clear(),
        }
        for unit in &mut units {
            // Anchors are known by their places in the document.
            unit.move_alone(unit.start + cut.range.start());
        }
        let is_telling = entries.iter().any(|entry: &Pair| {
            let role = roles.of_key(&entry.key);
            matches!(role, Some(KeyRole::Signature | KeyRole::Prompt))
        });
        let traits = Traits {
            has_anchors: !anchors.is_empty(),
            has_aliases,
            is_telling,
        };
        let contents = Contents {
            values,
            entries,
            read,
            content,
            anchors,
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

/// The value of an entry, if it is read; its ranges are relative to its start.
fn relative_value(entry: &Pair, anchors: &Anchors) -> Option<Value> {
    let value = value_read(entry, anchors)?;
    let start = entry.value.range.start();
    Some(value.map_ranges(&|range| range - start))
}

/// The values of the anchors in `parts`.
pub(super) fn anchors<'p>(parts: impl IntoIterator<Item = &'p Part>) -> Anchors {
    let mut anchors = Anchors::default();
    for part in parts.into_iter().filter(|it| it.traits.has_anchors) {
        anchors.extend(&part.contents.anchors, part.cut.range.start());
    }
    anchors
}

/// An entry without the contents of its value.
fn shallow(mut entry: Pair) -> Pair {
    if !matches!(entry.value.kind, NodeKind::Scalar(_)) {
        entry.value.kind = NodeKind::Other;
    }
    entry
}

/// The start of the mapping of `parts`.
pub(super) fn mapping_start(parts: &[Part]) -> Option<TextSize> {
    let part = parts
        .iter()
        .find(|part| !part.contents.entries.is_empty())?;
    Some(part.contents.entries[0].key_range.start() + part.cut.range.start())
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
    let entries = entries(parts);
    let read = parts.iter().flat_map(|part| &part.contents.read);
    let start = entries.first()?.key_range.start();
    let end = entries.last()?.value.range.end();
    let mut as_object = super::entries(&entries, &around);
    for (entry, read) in as_object.iter_mut().zip(read) {
        let start = entry.value.range().start();
        entry.read = read.clone().map(|it| it.moved_by(start));
    }
    let mut walk = Walk::new(text, &around, roles);
    walk.object_of(
        TextRange::new(start, end.max(start)),
        &entries,
        as_object,
        &Place::Free,
    );
    walk.units.pop()
}

/// Whether the mapping that `parts` are is a unit.
pub(super) fn is_telling(parts: &[Part]) -> bool {
    parts.iter().any(|part| part.traits.is_telling)
}

/// The entries of the mapping of `parts`, with places in the document.
fn entries(parts: &[Part]) -> Vec<Pair> {
    let count = parts.iter().map(|part| part.contents.entries.len()).sum();
    let mut entries: Vec<Pair> = Vec::with_capacity(count);
    for part in parts {
        let start = part.cut.range.start();
        if let (CutKind::Item(_), Some(content), Some(list)) =
            (part.cut.kind, part.contents.content, entries.last_mut())
        {
            list.value.range = list.value.range.cover(content + start);
        }
        entries.extend(
            part.contents
                .entries
                .iter()
                .map(|entry| later(entry, start)),
        );
    }
    entries
}

/// The entry, relative to a place `by` bytes earlier.
fn later(entry: &Pair, by: TextSize) -> Pair {
    let mut entry = entry.clone();
    entry.key_range += by;
    entry.value.range += by;
    if let NodeKind::Scalar(scalar) = &mut entry.value.kind {
        scalar.literal.literal += by;
        scalar.literal.content += by;
    }
    entry
}
