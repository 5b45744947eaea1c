//! A YAML document from edit to edit.
//!
//! An edit inside the value of a key only reads the lines of that key, any other edit the top-level entries that it
//! touches.

mod around;
mod value;

use std::{ops::Range, sync::Arc};

use foldhash::HashMap;

use around::{is_in_one_document, mapping_of, moved_range, near, stretch, touched};
pub(super) use value::BlockValue;
use value::{Change, read_alone};

use crate::{
    cancel,
    host::{
        HAS_SMALL_STEPS, PlacedUnit, UnitChange,
        object::{self},
        roles::RolesIn,
        units::{Region, Units, moved, moved_back},
        yaml::{
            Anchors,
            cut::{Cut, CutKind, cut, cut_between},
            part::{self, Part},
        },
    },
    order, parallel,
    text::{Text, TextEdit, TextRange, TextSize},
};

/// How many parts are read before they are put together, so that a text of short lines is not kept in two forms.
const READ_AT_ONCE: usize = 4096;

/// Longer parts, in bytes, rarely have the same text.
const LONGEST_ALIKE: usize = 64;

/// A YAML document, updated from edit to edit.
#[derive(Debug, Clone)]
pub struct Document {
    /// Its parts, without gaps.
    parts: Vec<Part>,
    /// Whether there may be aliases in one of them.
    has_aliases: bool,
}

impl Document {
    /// Parses all of `text`.
    pub fn parse(text: &str, roles: RolesIn<'_>) -> (Self, Vec<PlacedUnit>) {
        let mut cuts = cut(text, &|key| splits(key, roles));
        cuts.shrink_to_fit();
        let mut units = Vec::new();
        let mut parts: Vec<Part> = Vec::with_capacity(cuts.len());
        let mut anchors = Anchors::default();
        let read = |cut: Cut, anchors: &Anchors| {
            cancel::check();
            Part::read(&text[cut.range], cut, anchors, roles)
        };
        for cuts in cuts.chunks(READ_AT_ONCE) {
            let (different, alike) = different(text, cuts);
            let alone = parallel::map(&different, |cut| read(*cut, &Anchors::default()));
            for (&cut, known) in cuts.iter().zip(alike) {
                let (mut part, mut found) = part::at(&alone[known], cut);
                if !cut.kind.goes_on() {
                    anchors = Anchors::default();
                }
                // Few parts use anchors of others.
                if part.traits.has_aliases && !anchors.is_empty() {
                    (part, found) = read(cut, &anchors);
                }
                anchors.extend(&part.contents.anchors, cut.range.start());
                if let Some(before) = parts.last() {
                    part.share_with(before);
                }
                parts.push(part);
                units.extend(found);
            }
        }
        drop((cuts, anchors));
        let of_mappings = mapping_units(text, &mut parts, roles);
        // The units of thousands of tools would get room for as many more.
        units.reserve_exact(of_mappings.len());
        units.extend(of_mappings);
        order::by_start(&mut units, |unit| unit.start);
        let has_aliases = parts.iter().any(|it| it.traits.has_aliases);
        (Self { parts, has_aliases }, units)
    }

    /// The length of what an edit at `offset` reads again at most: all if anchors there may be used elsewhere.
    pub fn read_around(&self, offset: TextSize) -> TextSize {
        match self.part_around(offset) {
            Some(part) if part.traits.has_anchors && self.has_aliases => self
                .parts
                .last()
                .map_or(TextSize::default(), |it| it.cut.range.end()),
            Some(part) => part.cut.range.len(),
            None => TextSize::default(),
        }
    }

    /// The top-level entry around `offset`, with what precedes the next one.
    pub fn entry_around(&self, offset: TextSize) -> TextRange {
        let part = self.part_around(offset);
        part.map_or(TextRange::empty(offset), |part| part.cut.range)
    }

    /// How often the contents of a part are not those of the part before it.
    #[cfg(test)]
    pub(super) fn distinct_contents(&self) -> usize {
        let contents = |part: &Part| Arc::as_ptr(&part.contents);
        let are_same = |a: &Part, b: &Part| contents(a) == contents(b);
        self.parts.chunk_by(are_same).count()
    }

    fn part_around(&self, offset: TextSize) -> Option<&Part> {
        let following = self
            .parts
            .partition_point(|part| part.cut.range.start() <= offset);
        self.parts.get(following.checked_sub(1)?)
    }

    /// Applies an edit; `None` if all of `text`, the document after it, has to be parsed again.
    pub fn edit(
        &mut self,
        text: &Text,
        edit: &TextEdit,
        units: &mut Units,
        roles: RolesIn<'_>,
    ) -> Option<UnitChange> {
        match self.edit_value(text, edit, units) {
            Some(change) => Some(change),
            None => self.edit_parts(text, edit, units, roles),
        }
    }

    /// Applies an edit inside the value of a key.
    pub(super) fn edit_value(
        &mut self,
        text: &Text,
        edit: &TextEdit,
        units: &mut Units,
    ) -> Option<UnitChange> {
        if !HAS_SMALL_STEPS {
            return None;
        }
        let at = edit.range.start();
        let following = self
            .parts
            .partition_point(|part| part.cut.range.start() <= at);
        let (before, later) = self.parts.split_at_mut(following);
        let part = before.last_mut()?;
        let start = part.cut.range.start();
        let values = &part.contents.values;
        let following = values.partition_point(|value| value.key.start() + start <= at);
        let index = following.checked_sub(1)?;
        let value = values[index].later(start);
        let literal = read_alone(text, value, edit)?;
        let (literal, kind) = literal;
        let change = Change {
            old: value.literal,
            new: literal,
            kind,
            edit,
        };
        let values = &mut Arc::make_mut(&mut part.contents).values;
        values[index].literal = change.new.literal - start;
        for value in &mut values[following..] {
            value.key = change.moved(value.key + start) - start;
            value.literal = change.moved(value.literal + start) - start;
        }
        part.cut.range = TextRange::new(start, moved(part.cut.range.end(), edit));
        part.is_stale = true;
        for part in later {
            part.cut.range = moved_range(part.cut.range, edit);
        }
        Some(change.apply(units))
    }

    /// Applies an edit by parsing the parts that it touches.
    fn edit_parts(
        &mut self,
        text: &Text,
        edit: &TextEdit,
        units: &mut Units,
        roles: RolesIn<'_>,
    ) -> Option<UnitChange> {
        let (old, cuts) = self.cut_again(text, edit, roles)?;
        let new = old.start..old.start + cuts.len();
        if !is_in_one_document(&self.parts[old.clone()], &cuts) {
            return Some(self.edit_documents(text, edit, (old, cuts), units, roles));
        }
        let around = part::mapping_start(&self.parts[mapping_of(&self.parts, near(&old)?)]);
        let region = Region {
            old: stretch(&self.parts, &old),
            around,
        };
        // Faulty first entries are no part of the mapping, which then begins after what is replaced.
        if around.is_some_and(|start| region.old.end() <= start) {
            return None;
        }

        let document = mapping_of(&self.parts, near(&old)?);
        let first = document.start.min(old.start);
        let anchors = part::anchors(&self.parts[first..old.start]);
        let (parts, mut found) = read_in_turn(text, cuts, anchors, roles);
        let old_anchors = part::anchors(&self.parts[old.clone()]);
        let is_same = old_anchors.become_same(&part::anchors(&parts), edit);
        let later = self.parts[old.end..document.end.max(old.end)].iter();
        if !is_same && later.clone().any(|part| part.traits.has_aliases) {
            return None;
        }
        self.replace(old, parts, edit);
        let mapping = mapping_of(&self.parts, near(&new)?);
        let start = part::mapping_start(&self.parts[mapping.clone()]);
        if start.is_some_and(|start| moved(region.old.end(), edit) <= start) {
            return None;
        }
        let mapping = &mut self.parts[mapping];
        if part::is_telling(mapping) {
            let whole = text.whole();
            found.extend(part::mapping_unit(&whole, mapping, roles));
        }
        order::by_start(&mut found, |unit| unit.start);
        Some(units.replace_in(region, found, edit))
    }

    /// Applies an edit that ends, begins, splits or joins documents by parsing these, given the parts that it touches
    /// and those in their place.
    fn edit_documents(
        &mut self,
        text: &Text,
        edit: &TextEdit,
        (touched, new): (Range<usize>, Vec<Cut>),
        units: &mut Units,
        roles: RolesIn<'_>,
    ) -> UnitChange {
        let old = self.documents_around(&touched, &new);
        let before = self.parts[old.start..touched.start].iter();
        let after = self.parts[touched.end..old.end].iter();
        let after = after.map(|part| Cut {
            range: moved_range(part.cut.range, edit),
            kind: part.cut.kind,
        });
        let cuts = before.map(|part| part.cut).chain(new).chain(after);
        let region = Region {
            old: stretch(&self.parts, &old),
            around: None,
        };
        let (mut parts, mut found) = read_in_turn(text, cuts, Anchors::default(), roles);
        found.extend(mapping_units(&text.whole(), &mut parts, roles));
        order::by_start(&mut found, |unit| unit.start);
        self.replace(old, parts, edit);
        units.replace_in(region, found, edit)
    }

    /// Puts `new` in the place of the parts at `old`, and moves those that follow as `edit` does.
    fn replace(&mut self, old: Range<usize>, new: Vec<Part>, edit: &TextEdit) {
        self.has_aliases |= new.iter().any(|it| it.traits.has_aliases);
        let following = old.start + new.len();
        self.parts.splice(old, new);
        for part in &mut self.parts[following..] {
            part.cut.range = moved_range(part.cut.range, edit);
        }
    }

    /// The parts of all documents that change if `new` takes the place of the parts at `old`.
    fn documents_around(&self, old: &Range<usize>, new: &[Cut]) -> Range<usize> {
        let goes_on = |part: &Part| part.cut.kind.goes_on();
        let following = self.parts.get(old.end);
        let first_old = self.parts[old.clone()].first().or(following);
        let joins = match new.first() {
            Some(cut) => cut.kind.goes_on(),
            None => following.is_some_and(goes_on),
        };
        let start = match joins || first_old.is_some_and(goes_on) {
            true => mapping_of(&self.parts, old.start.saturating_sub(1)).start,
            false => old.start,
        };
        let more = self.parts[old.end..].iter().take_while(|it| goes_on(it));
        start..old.end + more.count()
    }

    /// Splits the text again around `edit`: the replaced parts, and the new ones.
    fn cut_again(
        &self,
        text: &Text,
        edit: &TextEdit,
        roles: RolesIn<'_>,
    ) -> Option<(Range<usize>, Vec<Cut>)> {
        let ends_before = |part: &Part| part.cut.range.end() <= edit.range.start();
        let touching = self.parts.partition_point(ends_before);
        // The next line decides where a part ends.
        let first = touching
            .min(self.parts.len().checked_sub(1)?)
            .saturating_sub(1);
        let from = self.parts[first].cut;
        let following = edit.inserted_range().end();
        let part_at = |start: TextSize| {
            let start = moved_back(start, edit);
            let index = self
                .parts
                .partition_point(|it| it.cut.range.start() < start);
            let part = self.parts.get(index)?;
            let going_on = Some(part.cut.kind).filter(|it| it.goes_on());
            (part.cut.range.start() == start).then_some((index, going_on))
        };
        let is_known = |start: TextSize, going_on: Option<CutKind>| {
            start >= following && part_at(start).is_some_and(|(_, it)| it == going_on)
        };
        let from = (from.range.start(), from.kind);
        let (cuts, met) = cut_between(text, from, &|key| splits(key, roles), is_known);
        let end = match met {
            Some(start) => part_at(start)?.0,
            None => self.parts.len(),
        };
        let (old, new) = touched(&self.parts[first..end], &cuts, edit);
        let cuts = cuts[new].to_vec();
        Some((first + old.start..first + old.end, cuts))
    }
}

/// Reads parts that follow `anchors`, each with the anchors before it in its document, and their units.
fn read_in_turn(
    text: &Text,
    cuts: impl IntoIterator<Item = Cut>,
    mut anchors: Anchors,
    roles: RolesIn<'_>,
) -> (Vec<Part>, Vec<PlacedUnit>) {
    let mut parts = Vec::new();
    let mut found = Vec::new();
    for cut in cuts {
        if !cut.kind.goes_on() {
            anchors = Anchors::default();
        }
        let (part, units) = Part::read(&text.slice(cut.range), cut, &anchors, roles);
        anchors.extend(&part.contents.anchors, cut.range.start());
        parts.push(part);
        found.extend(units);
    }
    (parts, found)
}

/// The first of the `cuts` of `text` with each text, and the index of that cut for each. What a part consists of depends
/// only on its text, unless it has anchors or aliases.
fn different(text: &str, cuts: &[Cut]) -> (Vec<Cut>, Vec<usize>) {
    let mut different = Vec::new();
    let mut known = HashMap::default();
    let find = |cut: &Cut| {
        let code = &text[cut.range];
        let next = different.len();
        let is_alone = code.len() > LONGEST_ALIKE || code.contains(['&', '*']);
        let index = match is_alone {
            true => next,
            false => *known.entry((code, cut.kind.has_entries())).or_insert(next),
        };
        if index == next {
            different.push(*cut);
        }
        index
    };
    let alike = cuts.iter().map(find).collect();
    (different, alike)
}

/// Whether `key` and its value have no meaning for the mapping with that key, so that the items and entries of the value
/// can be parsed separately.
fn splits(key: &str, roles: RolesIn<'_>) -> bool {
    !object::matters(key, roles)
}

/// The units of the mappings that the documents of `parts` are.
fn mapping_units(text: &str, parts: &mut [Part], roles: RolesIn<'_>) -> Vec<PlacedUnit> {
    let starts: Vec<_> = (0..parts.len())
        .filter(|index| parts[*index].cut.kind == CutKind::First)
        .collect();
    let units = starts.into_iter().filter_map(|start| {
        let mapping = mapping_of(parts, start);
        part::mapping_unit(text, &mut parts[mapping], roles)
    });
    units.collect()
}
