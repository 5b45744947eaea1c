//! The units of a document, updated from edit to edit.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use foldhash::HashMap;

use crate::{
    host::{PlacedUnit, UnitChange, UnitKind},
    order,
    text::{TextEdit, TextRange, TextSize},
};

/// The units of a document in the order of their starts.
#[derive(Debug, Clone, Default)]
pub struct Units {
    units: Vec<PlacedUnit>,
    /// The number of units of each length.
    lens: BTreeMap<TextSize, usize>,
    /// No signature that flows into a unit is farther from it.
    reach: TextSize,
}

impl From<Vec<PlacedUnit>> for Units {
    fn from(mut units: Vec<PlacedUnit>) -> Self {
        units.shrink_to_fit();
        let mut lens = BTreeMap::new();
        for placed in &units {
            *lens.entry(placed.unit.len).or_default() += 1;
        }
        Self {
            reach: reach(&units),
            units,
            lens,
        }
    }
}

impl From<Units> for Vec<PlacedUnit> {
    fn from(units: Units) -> Self {
        units.units
    }
}

impl Units {
    /// The units.
    pub fn as_slice(&self) -> &[PlacedUnit] {
        &self.units
    }

    /// The indices of the units that begin in `range`.
    pub fn beginning_in(&self, range: TextRange) -> Range<usize> {
        let first = self
            .units
            .partition_point(|unit| unit.start < range.start());
        let end = self.units.partition_point(|unit| unit.start < range.end());
        first..end.max(first)
    }

    /// Whether a unit begins at `offset`.
    pub fn begins_at(&self, offset: TextSize) -> bool {
        self.units
            .binary_search_by_key(&offset, |unit| unit.start)
            .is_ok()
    }

    /// Whether there is a unit at exactly `range`.
    pub fn is_at(&self, range: TextRange) -> bool {
        let mut found = self.beginning_in(TextRange::at(range.start(), TextSize::from(1)));
        found.any(|index| self.units[index].range() == range)
    }

    /// The indices of the units that contain `offset` or end there, ascending.
    pub fn around(&self, offset: TextSize) -> Vec<usize> {
        let end = self.units.partition_point(|it| it.start <= offset);
        let near = self.first_reaching(offset)..end;
        let is_around = |&index: &usize| {
            let it = &self.units[index];
            offset <= it.start + it.unit.len
        };
        near.filter(is_around).collect()
    }

    /// The index from which on units are long enough to contain `offset` or end there.
    fn first_reaching(&self, offset: TextSize) -> usize {
        let longest = self.lens.keys().next_back().copied().unwrap_or_default();
        self.units.partition_point(|it| it.start + longest < offset)
    }

    /// Replaces the units at `removed` by `units`, and moves the following ones by `edit`.
    ///
    /// Units that equal the old ones and that the edit did not touch are kept, if the same signatures flow into them.
    pub fn replace(
        &mut self,
        removed: Range<usize>,
        mut units: Vec<PlacedUnit>,
        edit: &TextEdit,
    ) -> UnitChange {
        self.move_all(removed.end, edit);
        let old = &self.units[removed.clone()];
        let is_kept = |old: &PlacedUnit, new: &PlacedUnit| {
            old.unit == new.unit && old.origins().eq(new.origins())
        };
        let head = old
            .iter()
            .zip(&units)
            .take_while(|(old, new)| {
                old.start + old.unit.len <= edit.range.start()
                    && old.start == new.start
                    && is_kept(old, new)
            })
            .count();
        let tail = old[head..]
            .iter()
            .rev()
            .zip(units[head..].iter().rev())
            .take_while(|(old, new)| {
                old.start >= edit.range.end()
                    && moved(old.start, edit) == new.start
                    && is_kept(old, new)
            })
            .count();
        for (new, old) in units.iter_mut().zip(&old[..head]) {
            new.unit = old.unit.clone();
        }
        for (new, old) in units.iter_mut().rev().zip(old.iter().rev()).take(tail) {
            new.unit = old.unit.clone();
        }
        let first = removed.start + head;
        let change = UnitChange {
            removed: first..removed.end - tail,
            inserted: units.len() - head - tail,
            same: same(
                &old[head..old.len() - tail],
                &units[head..units.len() - tail],
                edit,
            )
            .map(|(old, new)| (first + old, first + new))
            .collect(),
        };
        self.count_lens(change.removed.clone(), &units[head..units.len() - tail]);
        self.reach = self.reach.max(reach(&units));
        self.units.splice(removed, units);
        change
    }

    /// Moves the units from the index `following` on, and the origins of all units, by `edit`.
    fn move_all(&mut self, following: usize, edit: &TextEdit) {
        // Only where the edit is between a unit and its origin, the distance between them changes.
        let at = edit.range.end();
        let nearest = at.checked_sub(self.reach).unwrap_or_default();
        let first = self.units.partition_point(|it| it.start < nearest);
        let end = self.units.partition_point(|it| it.start <= at + self.reach);
        for (index, unit) in self.units.iter_mut().enumerate().take(end).skip(first) {
            let start = match index < following {
                true => unit.start,
                false => moved(unit.start, edit),
            };
            unit.move_to(start, edit);
        }
        self.reach = self.reach.max(reach(&self.units[first..end]));
        for unit in &mut self.units[end.max(following)..] {
            unit.start = moved(unit.start, edit);
        }
    }

    /// Updates the counts of lengths: those of `units` replace those at `removed`.
    fn count_lens(&mut self, removed: Range<usize>, units: &[PlacedUnit]) {
        for placed in units {
            *self.lens.entry(placed.unit.len).or_default() += 1;
        }
        for placed in &self.units[removed] {
            let len = placed.unit.len;
            if let Some(count) = self.lens.get_mut(&len) {
                *count -= 1;
                if *count == 0 {
                    self.lens.remove(&len);
                }
            }
        }
    }
}

/// The distance of the farthest origin of `units`.
fn reach(units: &[PlacedUnit]) -> TextSize {
    let reach = units.iter().map(PlacedUnit::reach).max();
    reach.unwrap_or_default()
}

/// The indices of the units in both lists that the edit did not touch.
fn same(
    old: &[PlacedUnit],
    new: &[PlacedUnit],
    edit: &TextEdit,
) -> impl Iterator<Item = (usize, usize)> {
    let is_untouched = |it: &PlacedUnit| {
        it.start + it.unit.len <= edit.range.start() || edit.range.end() <= it.start
    };
    let known = old.iter().enumerate().filter(|(_, it)| is_untouched(it));
    // Units in several places may be the same.
    let known: HashMap<_, _> = known
        .map(|(index, it)| ((moved(it.start, edit), Arc::as_ptr(&it.unit)), index))
        .collect();
    let new = new.iter().enumerate();
    new.filter_map(move |(index, it)| {
        Some((*known.get(&(it.start, Arc::as_ptr(&it.unit)))?, index))
    })
}

/// A range of a document whose units were collected again.
#[derive(Debug, Clone, Copy)]
pub struct Region {
    /// Its place before the edit. Every unit begins in it, contains it, or is outside.
    pub old: TextRange,
    /// The start of the unit around it that was collected again too, if there is one.
    pub around: Option<TextSize>,
}

impl Units {
    /// The units that begin in a region, and the one around it that is collected again.
    pub fn in_region(&self, region: Region) -> Vec<&PlacedUnit> {
        let around = region.around.map(|start| {
            let first = self.units.partition_point(|it| it.start < start);
            self.units[first..]
                .iter()
                .take_while(move |it| it.start == start)
        });
        let inside = &self.units[self.beginning_in(region.old)];
        around.into_iter().flatten().chain(inside).collect()
    }

    /// Replaces the units of `region` by `units`. Units around it grow or shrink.
    pub fn replace_in(
        &mut self,
        region: Region,
        mut units: Vec<PlacedUnit>,
        edit: &TextEdit,
    ) -> UnitChange {
        let contains = |it: &PlacedUnit| {
            it.start < region.old.start() && region.old.end() <= it.start + it.unit.len
        };
        let is_renewed = |it: &PlacedUnit| Some(it.start) == region.around;
        let inside = self.beginning_in(region.old);
        let before = &self.units[..inside.start];
        let reaching = self.first_reaching(region.old.end()).min(before.len());
        let containing = before[reaching..].iter().position(contains);
        let renewed = region
            .around
            .map(|start| before.partition_point(|it| it.start < start));
        let renewed = renewed.filter(|&index| before.get(index).is_some_and(is_renewed));
        let following = units
            .first()
            .map(|first| before.partition_point(|it| it.start <= first.start));
        let first = [containing.map(|it| reaching + it), renewed, following];
        let first = first.into_iter().flatten().min().unwrap_or(before.len());
        for it in &before[first..] {
            if is_renewed(it) {
                continue;
            }
            units.push(match contains(it) {
                true => follow(it, region.old, edit),
                false => it.with_origins_moved(edit),
            });
        }
        order::by_start(&mut units, |unit| unit.start);
        self.replace(first..inside.end, units, edit)
    }
}

/// A unit after an edit in `touched`, which is inside of it but in none of its literals.
fn follow(placed: &PlacedUnit, touched: TextRange, edit: &TextEdit) -> PlacedUnit {
    let start = placed.start;
    let follow = |range: TextRange| moved_range(range + start, touched, edit) - start;
    let mut unit = (*placed.unit).clone();
    unit.len = follow(TextRange::up_to(unit.len)).len();
    for site in &mut unit.sites {
        site.literal = follow(site.literal);
        site.content = follow(site.content);
    }
    for argument in &mut unit.arguments {
        argument.map_ranges(follow);
    }
    if let UnitKind::FunctionHead(head) = &mut unit.kind {
        head.map_ranges(follow);
    }
    if let Some(flow) = unit.flow.get_mut() {
        flow.map_ranges(&follow);
    }
    placed.with_origins_moved(edit).with_unit(unit)
}

/// `range` after an edit in `touched`, which it contains or does not overlap.
fn moved_range(range: TextRange, touched: TextRange, edit: &TextEdit) -> TextRange {
    if range.end() <= touched.start() {
        return range;
    }
    let start = match touched.end() <= range.start() {
        true => moved(range.start(), edit),
        false => range.start(),
    };
    TextRange::new(start, moved(range.end(), edit))
}

/// The place of the byte at `offset`, which the edit does not remove, after `edit`.
#[inline]
pub fn moved(offset: TextSize, edit: &TextEdit) -> TextSize {
    if offset < edit.range.end() {
        return offset;
    }
    offset + TextSize::of(edit.insert.as_str()) - edit.range.len()
}

/// The place of the byte at `offset` after `edit`; if the edit removes it, a place in what is there instead.
pub fn moved_or_gone(offset: TextSize, edit: &TextEdit) -> TextSize {
    match offset < edit.range.end() {
        true => offset.min(edit.inserted_range().end()),
        false => moved(offset, edit),
    }
}

/// The first offset before `edit` whose byte is at or behind `offset` after it, as [`moved_or_gone`] moves it.
pub fn place_before(offset: TextSize, edit: &TextEdit) -> TextSize {
    let inserted = edit.inserted_range();
    match offset <= inserted.end() {
        true => offset.min(edit.range.end()),
        false => (offset - inserted.len())
            .checked_add(edit.range.len())
            .unwrap_or(offset),
    }
}

/// The place of the byte at `offset` before `edit`; if the edit inserted it, the end of the replaced text.
pub fn moved_back(offset: TextSize, edit: &TextEdit) -> TextSize {
    if offset < edit.range.start() {
        return offset;
    }
    let before = offset + edit.range.len();
    let before = before.checked_sub(TextSize::of(edit.insert.as_str()));
    before.unwrap_or_default().max(edit.range.end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Unit;

    #[test]
    fn a_place_before_an_edit_is_the_first_that_is_moved_so_far() {
        for edit in [
            edit(3, 3, "abc"),
            edit(3, 6, ""),
            edit(3, 5, "a"),
            edit(0, 4, "abcdef"),
        ] {
            for offset in (0..12).map(TextSize::from) {
                let place = place_before(offset, &edit);
                for before in (0..20).map(TextSize::from) {
                    let is_moved_so_far = moved_or_gone(before, &edit) >= offset;
                    assert_eq!(
                        place <= before,
                        is_moved_so_far,
                        "{edit:?} {offset:?} {before:?}"
                    );
                }
            }
            let everywhere = TextSize::from(u32::MAX);
            assert!(place_before(everywhere, &edit) >= everywhere - edit.inserted_range().len());
        }
    }

    fn unit(start: u32, len: u32) -> PlacedUnit {
        let unit = Unit {
            len: len.into(),
            ..Unit::default()
        };
        PlacedUnit::new(start.into(), unit)
    }

    fn edit(start: u32, end: u32, insert: &str) -> TextEdit {
        TextEdit::replace(TextRange::new(start.into(), end.into()), insert)
    }

    #[test]
    fn only_units_that_the_edit_touches_are_replaced() {
        let mut units = Units::from(vec![unit(0, 10), unit(20, 10), unit(40, 10)]);
        let before: Vec<_> = units.as_slice().to_vec();
        let new = vec![unit(0, 10), unit(20, 12), unit(42, 10)];
        let change = units.replace(0..3, new, &edit(25, 25, "ab"));
        assert_eq!(
            change,
            UnitChange {
                removed: 1..2,
                inserted: 1,
                same: Vec::new(),
            }
        );
        assert!(Arc::ptr_eq(&units.as_slice()[0].unit, &before[0].unit));
        assert!(Arc::ptr_eq(&units.as_slice()[2].unit, &before[2].unit));
        assert_eq!(units.as_slice()[2].start, TextSize::from(42));
    }

    #[test]
    fn a_unit_with_new_text_of_the_same_shape_is_replaced() {
        let mut units = Units::from(vec![unit(0, 10)]);
        let change = units.replace(0..1, vec![unit(0, 10)], &edit(3, 4, "x"));
        assert_eq!(
            change,
            UnitChange {
                removed: 0..1,
                inserted: 1,
                same: Vec::new(),
            }
        );
    }

    #[test]
    fn units_around_a_place_are_found_after_edits() {
        let mut units = Units::from(vec![unit(0, 50), unit(5, 5), unit(10, 5), unit(60, 5)]);
        assert_eq!(units.around(10.into()), [0, 1, 2]);
        assert_eq!(units.around(50.into()), [0]);
        assert!(units.around(55.into()).is_empty());
        units.replace(0..1, Vec::new(), &edit(0, 1, ""));
        assert_eq!(units.around(9.into()), [0, 1]);
        assert!(units.around(49.into()).is_empty());
        assert_eq!(units.around(64.into()), [2]);
        units.replace(2..3, vec![unit(59, 40)], &edit(62, 62, "x"));
        assert_eq!(units.around(99.into()), [2]);
        let lens: Vec<_> = units.lens.into_iter().collect();
        assert_eq!(lens, [(5.into(), 2), (40.into(), 1)]);
    }

    #[test]
    fn units_in_several_places_may_be_the_same() {
        let one = unit(0, 10);
        let at = |start: u32| PlacedUnit::new(start.into(), Arc::clone(&one.unit));
        let mut units = Units::from(vec![at(0), at(20), at(40)]);
        let change = units.replace(0..3, vec![at(0), unit(22, 12), at(42)], &edit(5, 5, "ab"));
        assert_eq!(
            change,
            UnitChange {
                removed: 0..2,
                inserted: 2,
                same: Vec::new(),
            }
        );
        let mut units = Units::from(vec![at(0), at(20), at(40), at(60)]);
        let new = vec![unit(0, 11), at(22), at(42), unit(62, 11)];
        let change = units.replace(0..4, new, &edit(5, 5, "ab"));
        assert_eq!(change.same, [(1, 1), (2, 2)]);
    }

    #[test]
    fn what_follows_moves() {
        let mut units = Units::from(vec![unit(0, 10), unit(20, 10)]);
        let change = units.replace(0..1, Vec::new(), &edit(2, 8, ""));
        assert_eq!(
            change,
            UnitChange {
                removed: 0..1,
                inserted: 0,
                same: Vec::new(),
            }
        );
        assert_eq!(units.as_slice()[0].start, TextSize::from(14));
    }
}
