//! A part of a YAML document: a top-level entry, or a document that is not cut.

use crate::{
    host::{
        PlacedUnit,
        object::Place,
        roles::{KeyRole, RolesIn},
        yaml::{
            Walk,
            cut::{Cut, CutKind},
            document::BlockValue,
            node::{Entry, Node, NodeKind},
            read,
        },
    },
    text::{TextRange, TextSize},
};

/// A part of a document and what was read of it. Places count from its start.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// Where it stands in the document.
    pub(super) cut: Cut,
    /// The scalars that can be read alone, in order.
    pub(super) values: Vec<BlockValue>,
    /// Whether the entries are those of before an edit; their first key stands where it did.
    pub(super) is_stale: bool,
    /// What it adds to the mapping of its document, without what stands in the values.
    entries: Vec<Entry>,
    /// Whether one of the entries makes a unit of the mapping.
    is_telling: bool,
}

impl Part {
    /// Reads the part of `text` at `cut`, and the units in it. The unit of the mapping to which it belongs is
    /// none of them.
    pub(super) fn read(text: &str, cut: Cut, roles: RolesIn<'_>) -> (Self, Vec<PlacedUnit>) {
        let text = &text[cut.range];
        let reading = read::read_part(text, 0..text.len());
        let mut walk = Walk::new(text, roles);
        let mut entries = Vec::new();
        for root in reading.roots {
            match root.kind {
                NodeKind::Mapping(held) if entries.is_empty() && cut.kind != CutKind::Whole => {
                    walk.top_level(root.range, &held);
                    entries = held.into_iter().map(shallow).collect();
                }
                kind => {
                    let range = root.range;
                    walk.node(&Node { range, kind }, &Place::Free);
                }
            }
        }
        let (mut values, mut units) = (walk.values, walk.units);
        match reading.is_simple {
            true => values.sort_by_key(|value| value.key.start()),
            false => values.clear(),
        }
        for unit in &mut units {
            unit.start += cut.range.start();
        }
        let is_telling = entries.iter().any(|entry: &Entry| {
            let role = roles.of_key(&entry.key);
            matches!(role, Some(KeyRole::Signature | KeyRole::Prompt))
        });
        let part = Self {
            cut,
            values,
            is_stale: false,
            entries,
            is_telling,
        };
        (part, units)
    }
}

/// An entry without what stands in its value.
fn shallow(mut entry: Entry) -> Entry {
    if !matches!(entry.value.kind, NodeKind::Scalar(_)) {
        entry.value.kind = NodeKind::Other;
    }
    entry
}

/// Where the mapping begins that `parts` are.
pub(super) fn mapping_start(parts: &[Part]) -> Option<TextSize> {
    let part = parts.iter().find(|part| !part.entries.is_empty())?;
    Some(part.entries[0].key_range.start() + part.cut.range.start())
}

/// The unit of the mapping that `parts` of `text` are.
pub(super) fn mapping_unit(
    text: &str,
    parts: &mut [Part],
    roles: RolesIn<'_>,
) -> Option<PlacedUnit> {
    if !parts.iter().any(|part| part.is_telling) {
        return None;
    }
    for part in parts.iter_mut().filter(|part| part.is_stale) {
        *part = Part::read(text, part.cut, roles).0;
    }
    let entries: Vec<_> = parts
        .iter()
        .flat_map(|part| {
            let start = part.cut.range.start();
            part.entries.iter().map(move |entry| later(entry, start))
        })
        .collect();
    let start = entries.first()?.key_range.start();
    let end = entries.last()?.value.range.end();
    let mut walk = Walk::new(text, roles);
    walk.object(
        TextRange::new(start, end.max(start)),
        &entries,
        &Place::Free,
    );
    walk.units.pop()
}

/// The entry where it is counted from a place `by` bytes earlier.
fn later(entry: &Entry, by: TextSize) -> Entry {
    let mut entry = entry.clone();
    entry.key_range += by;
    entry.value.range += by;
    if let NodeKind::Scalar(scalar) = &mut entry.value.kind {
        scalar.literal.literal += by;
        scalar.literal.content += by;
    }
    entry
}
