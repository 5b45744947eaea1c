//! A YAML document from edit to edit.
//!
//! An edit inside the value of a key only reads the lines of that key, any other edit the top-level entries that it
//! touches.

use std::{ops::Range, sync::Arc};

use foldhash::HashMap;

use crate::{
    cancel,
    host::{
        HAS_SMALL_STEPS, PlacedUnit, UnitChange,
        object::{self, Literal},
        roles::{KeyRole, RolesIn},
        units::{Region, Units, moved, moved_back},
        values::yaml as values,
        yaml::{
            Anchors, EXPRESSION, Reading,
            cut::{Cut, CutKind, cut, cut_between},
            levels::Levels,
            node::{NodeKind, Scalar},
            part::{self, Part},
            read,
        },
    },
    order, parallel,
    text::{Text, TextEdit, TextRange, TextSize, size},
    value::ValueKind,
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

/// A scalar that is the value of a key in block style.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BlockValue {
    /// Its key.
    pub(super) key: TextRange,
    /// Its literal.
    pub(super) literal: TextRange,
    /// Whether the literal includes its last line break.
    pub(super) ends_line: bool,
    /// Its value.
    pub(super) reading: Reading,
}

impl BlockValue {
    /// The value `scalar` of the key at `key` in `text`, which has that role.
    pub(super) fn new(text: &str, key: TextRange, scalar: &Scalar, role: Option<KeyRole>) -> Self {
        Self {
            key,
            literal: scalar.literal,
            ends_line: text[scalar.literal].ends_with(['\r', '\n']),
            reading: Reading::of(role, scalar.value(text)),
        }
    }

    /// The same, relative to a place `by` bytes earlier.
    fn later(self, by: TextSize) -> Self {
        Self {
            key: self.key + by,
            literal: self.literal + by,
            ..self
        }
    }
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

/// The parts of the document to which the part at `index` belongs.
fn mapping_of(parts: &[Part], index: usize) -> Range<usize> {
    let is_next = |part: &Part| part.cut.kind.goes_on();
    let until = (index + 1).min(parts.len());
    let start = parts[..until].iter().rposition(|part| !is_next(part));
    let more = parts[until..].iter().take_while(|part| is_next(part));
    start.unwrap_or(0)..until + more.count()
}

/// The parts that `edit` touches, and the new parts in their place.
fn touched(parts: &[Part], cuts: &[Cut], edit: &TextEdit) -> (Range<usize>, Range<usize>) {
    let head = parts
        .iter()
        .zip(cuts)
        .take_while(|(old, new)| old.cut.range.end() <= edit.range.start() && old.cut == **new)
        .count();
    let tail = parts[head..]
        .iter()
        .rev()
        .zip(cuts[head..].iter().rev())
        .take_while(|(old, new)| {
            edit.range.end() <= old.cut.range.start()
                && old.cut.kind == new.kind
                && moved_range(old.cut.range, edit) == new.range
        })
        .count();
    (head..parts.len() - tail, head..cuts.len() - tail)
}

/// Whether the document around the parts that became others begins and ends where it did.
fn is_in_one_document(old: &[Part], new: &[Cut]) -> bool {
    let next = CutKind::Next(Levels::default());
    let first_old = old.first().map_or(next, |part| part.cut.kind);
    let first_new = new.first().map_or(next, |cut| cut.kind);
    let mut more_old = old.iter().skip(1).map(|part| part.cut.kind);
    let mut more_new = new.iter().skip(1).map(|cut| cut.kind);
    (first_old == first_new || (first_old.goes_on() && first_new.goes_on()))
        && more_old.all(CutKind::goes_on)
        && more_new.all(CutKind::goes_on)
}

/// The first of the parts at `indices`, or the one before them.
fn near(indices: &Range<usize>) -> Option<usize> {
    match indices.is_empty() {
        true => indices.start.checked_sub(1),
        false => Some(indices.start),
    }
}

/// The range of the parts at `indices`.
fn stretch(parts: &[Part], indices: &Range<usize>) -> TextRange {
    let end_of = |index: usize| parts.get(index).map(|part| part.cut.range.end());
    let before = indices.start.checked_sub(1).and_then(end_of);
    let start = before.unwrap_or_default();
    let last = indices.end.checked_sub(1).and_then(end_of);
    TextRange::new(start, last.unwrap_or_default().max(start))
}

/// The place of a part after an edit before it.
fn moved_range(range: TextRange, edit: &TextEdit) -> TextRange {
    TextRange::at(moved(range.start(), edit), range.len())
}

/// Reads the value of a key after an edit in it; `None` if it is no longer a value of the same kind.
fn read_alone(text: &Text, value: BlockValue, edit: &TextEdit) -> Option<(Literal, ValueKind)> {
    let written_end = value.literal.end();
    let starts_inside = value.literal.start() <= edit.range.start();
    if !starts_inside || written_end < edit.range.end() {
        return None;
    }
    let line_start = line_start(text, value.key.start());
    let before_key = TextRange::new(line_start, value.key.start());
    if !text
        .slice(before_key)
        .chars()
        .all(|c| matches!(c, ' ' | '-'))
    {
        return None;
    }
    let end = entry_end(text, moved(written_end, edit), value.ends_line)?;
    let mut alone = " ".repeat(before_key.len().into());
    alone.push_str(&text.slice(TextRange::new(value.key.start(), end)));
    if alone.contains('\u{feff}') || alone.contains(EXPRESSION) || has_marker(&alone) {
        return None;
    }

    let reading = read(&alone);
    let [root] = reading.roots.as_slice() else {
        return None;
    };
    let NodeKind::Mapping(entries) = &root.kind else {
        return None;
    };
    let ([entry], true) = (entries.as_slice(), reading.is_simple) else {
        return None;
    };
    let NodeKind::Scalar(scalar) = &entry.value.kind else {
        return None;
    };
    let is_same_key = entry.key_range == value.key - line_start;
    let is_same_reading = Reading::of(value.reading.role, scalar.value(&alone)) == value.reading;
    if !is_same_key || !is_same_reading {
        return None;
    }
    let mut literal = scalar.to_literal();
    literal.literal += line_start;
    literal.content += line_start;
    Some((literal, values::scalar_kind(&entry.value, &alone)))
}

fn line_start(text: &Text, offset: TextSize) -> TextSize {
    let rope = text.rope();
    let line = rope.byte_to_line(usize::from(offset).min(rope.len_bytes()));
    size(rope.line_to_byte(line))
}

/// Where the first line after a literal begins that is neither blank nor a comment.
///
/// `literal_end` is where the literal ended before the edit; if it ended a line it still has to.
fn entry_end(text: &Text, literal_end: TextSize, ends_line: bool) -> Option<TextSize> {
    let rope = text.rope();
    let line = rope.byte_to_line(usize::from(literal_end).min(rope.len_bytes()));
    let is_line_start = rope.line_to_byte(line) == usize::from(literal_end);
    if ends_line != is_line_start {
        return None;
    }
    let next = match is_line_start {
        true => line,
        false => (line + 1).min(rope.len_lines()),
    };
    let mut at = rope.line_to_byte(next);
    for line in rope.lines_at(next) {
        let mut written = line.chars().skip_while(|c| c.is_whitespace());
        if !matches!(written.next(), None | Some('#')) {
            break;
        }
        at += line.len_bytes();
    }
    Some(size(at))
}

/// Whether a line begins like a directive or the border of a document.
fn has_marker(text: &str) -> bool {
    text.split(['\r', '\n']).any(|line| {
        ["---", "...", "%"]
            .iter()
            .any(|marker| line.starts_with(marker))
    })
}

/// A literal that was replaced.
struct Change<'e> {
    old: TextRange,
    new: Literal,
    /// The new value.
    kind: ValueKind,
    edit: &'e TextEdit,
}

impl Change<'_> {
    /// The new place of a range that contains the literal, or does not overlap it.
    fn moved(&self, range: TextRange) -> TextRange {
        if range == self.old {
            return self.new.literal;
        }
        let start = match range.start() < self.old.end() {
            true => range.start(),
            false => moved(range.start(), self.edit),
        };
        let end = match range.end() {
            end if end == self.old.end() => self.new.literal.end(),
            end if end < self.old.end() => end,
            end => moved(end, self.edit),
        };
        TextRange::new(start, end)
    }

    /// Replaces the literal in its units.
    fn apply(&self, units: &mut Units) -> UnitChange {
        let holds = |placed: &PlacedUnit| placed.range().contains_range(self.old);
        let all = units.as_slice();
        let before = all.partition_point(|placed| placed.start <= self.old.start());
        let around = units.around(self.old.start());
        let mut around = around.into_iter().filter(|&index| holds(&all[index]));
        let Some(first) = around.next() else {
            return units.replace(before..before, Vec::new(), self.edit);
        };
        let last = around.next_back().unwrap_or(first);
        let new = all[first..=last].iter().map(|placed| match holds(placed) {
            true => self.unit(placed),
            false => placed.with_origins_moved(self.edit),
        });
        let new = new.collect();
        units.replace(first..last + 1, new, self.edit)
    }

    fn unit(&self, placed: &PlacedUnit) -> PlacedUnit {
        let start = placed.start;
        let mut unit = (*placed.unit).clone();
        unit.len = self.moved(TextRange::at(start, unit.len)).len();
        for site in &mut unit.sites {
            if site.literal + start == self.old {
                site.literal = self.new.literal - start;
                site.content = self.new.content - start;
                site.escapes = self.new.escapes;
                site.foreign = self.new.foreign.clone();
            } else {
                site.literal = self.moved(site.literal + start) - start;
                site.content = self.moved(site.content + start) - start;
            }
        }
        for argument in &mut unit.arguments {
            if argument.value.contains_range(self.old - start) {
                argument.map_value(|part| {
                    let range = part.range + start;
                    if range == self.old {
                        part.kind = self.kind.clone();
                    }
                    part.range = self.moved(range) - start;
                });
            }
            argument.map_ranges(|range| self.moved(range + start) - start);
        }
        let flow_range = |range: TextRange| self.moved(range + start) - start;
        if let Some(flow) = unit.flow.get_mut() {
            flow.map_ranges(&flow_range);
        }
        placed.with_origins_moved(self.edit).with_unit(unit)
    }
}
