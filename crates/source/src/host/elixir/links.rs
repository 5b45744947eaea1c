//! Calls whose signature, prompt, program or tools are bound to a name before them: the unit of such a call begins at
//! the first literal that it refers to.

mod resolution;

pub use resolution::{is_checked, sign_agent_itself};

use std::{collections::BTreeSet, ops::Range, sync::Arc};

use super::{
    flow::facts::Uses,
    lookup::{Key, Source, Touched},
    modules::Statements,
    names::{Binder, Index, Names},
};
use crate::{
    counts::Counts,
    host::{
        HAS_SMALL_STEPS, PlacedUnit, Role, RolesIn, Unit, UnitChange,
        moving::{Keyed, Moving},
        units::{Units, moved_back, moved_or_gone, place_before},
    },
    order, parallel,
    text::{TextEdit, TextRange, TextSize},
};

use resolution::Resolution;

/// The maximum number of calls with names between a literal and a call that uses it. All text between them is in the
/// unit of that call, so a key there affects as many calls.
const MOST_BETWEEN: usize = 600;

/// With more uses than this, it is faster to build an index of the names first.
const MOST_WITHOUT_INDEX: usize = 32;

/// The number of uses that are resolved before their results are kept.
const STRETCH: usize = 4096;

/// A call or list with names in place of literals.
#[derive(Debug, Clone, Default)]
pub struct Use {
    /// Its start.
    pub start: TextSize,
    /// Its unit without the values of the names; it is linked, and may have no sites.
    pub unit: Arc<Unit>,
    /// The names, except for those of the signatures of its tools.
    pub references: Box<[Reference]>,
    /// What it takes from agents and steps elsewhere; ranges count from its start.
    pub flows: Uses,
}

/// A name in place of a literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// What is in its place.
    pub wanted: Wanted,
    /// What binds the name.
    pub binder: Binder,
    /// The name.
    pub name: String,
}

/// The value of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// A literal.
    Literal {
        /// Its role.
        role: Role,
        /// The name of its tool or agent.
        owner: Option<String>,
    },
    /// A string that holds a program.
    Program,
    /// A map of tools.
    Tools,
    /// The map of the inputs of a run.
    Context,
    /// The list of the options of a run.
    Options,
}

/// The contents of some statements.
#[derive(Debug, Default)]
pub struct Parts {
    /// The units without names, in the order of their starts.
    pub units: Vec<PlacedUnit>,
    /// The calls with names, not resolved.
    uses: Moving<KnownUse, 7>,
    /// What the statements bind.
    pub names: Names,
    /// What they tell about modules.
    pub statements: Statements,
}

impl Parts {
    /// Adds a call with names.
    pub fn push_use(&mut self, mut it: Use) {
        if HAS_SMALL_STEPS && let Some(last) = self.uses.last() {
            it.flows.share_with(&last.it.flows);
        }
        let (place, it) = KnownUse::new(it);
        self.uses.push(place, it);
    }

    /// The units so far, each with its start.
    pub fn all_units(&self) -> impl Iterator<Item = (TextSize, &Unit)> {
        let units = self.units.iter().map(|it| (it.start, &*it.unit));
        let of_uses = self.uses.iter();
        units.chain(of_uses.map(|([start, ..], it)| (start, &*it.it.unit)))
    }

    /// Whether there are so many uses that the room of those that are resolved is needed for the next ones.
    pub fn has_many_uses(&self) -> bool {
        self.uses.len() > STRETCH
    }

    /// Adds what later statements contain, in any order; see [`Self::sort`].
    pub fn append(&mut self, later: Self) {
        self.units.extend(later.units);
        self.uses.append(later.uses);
        self.names.append(later.names);
        self.statements.append(later.statements);
    }

    /// Puts everything in the order of the text.
    pub fn sort(&mut self) {
        order::by_range(&mut self.units, PlacedUnit::range);
        self.uses.sort();
        self.names.sort();
        self.statements.sort();
    }
}

/// The names of a document, updated from edit to edit.
#[derive(Debug, Clone, Default)]
pub struct Links {
    names: Names,
    /// The start of each, the range from the first to the last text of its unit, the start of the nearest text that is
    /// too far away, the first and the last place that it looked a name up for, and where the values of its variables
    /// begin; without one, the use itself.
    uses: Moving<KnownUse, 7>,
    /// The number of uses that looked up each name.
    asked: Counts<Key>,
}

/// The positions of a use from its start to the text that is too far away.
const TEXTS: (usize, usize) = (0, 3);

/// The positions of the first and the last place that it looked a name up for.
const LOOKED_UP: (usize, usize) = (4, 5);

/// The position of the first value of its variables.
const VALUES_FROM: usize = 6;

/// A use and its result.
#[derive(Debug, Clone)]
struct KnownUse {
    it: Use,
    /// The names that it depends on.
    asked: Box<[Key]>,
    /// Whether variables outside of functions are among them.
    asks_outside: bool,
    /// Whether all variables among them have a value.
    has_values: bool,
    /// Its unit, if it has one.
    resolved: Option<Arc<Unit>>,
}

impl Keyed for KnownUse {
    fn keys(&self) -> impl Iterator<Item = Key> {
        self.asked.iter().copied()
    }
}

impl KnownUse {
    fn new(it: Use) -> ([TextSize; 7], Self) {
        let place = [it.start; 7];
        let linked = Self {
            it,
            asked: Box::default(),
            asks_outside: false,
            has_values: false,
            resolved: None,
        };
        (place, linked)
    }

    /// Keeps what `resolution` depends on, and the unit that it had before if that is the same.
    fn keep(&mut self, resolution: &mut Resolution, known_names: &mut Counts<Key>) {
        known_names.extend(resolution.asked.iter().copied());
        known_names.remove_all(&self.asked);
        self.asked = std::mem::take(&mut resolution.asked);
        self.asks_outside = resolution.asks_outside;
        self.has_values = resolution.reach.values_from.is_some();
        let placed = &mut resolution.placed;
        if let (Some(new), Some(old)) = (&mut *placed, &self.resolved)
            && new.unit == *old
        {
            new.unit = Arc::clone(old);
        }
        self.resolved = placed.as_ref().map(|it| Arc::clone(&it.unit));
    }
}

impl Links {
    /// Reads the parts of a whole document; returns its units, in the order of their starts. If the document is only read
    /// `once`, they cannot be edited, and are not freed unless they are many: most programs end soon.
    pub fn new(parts: Parts, roles: RolesIn<'_>, once: bool) -> (Self, Vec<PlacedUnit>) {
        let mut links = Self {
            names: parts.names,
            uses: parts.uses,
            asked: Counts::default(),
        };
        let mut units = parts.units;
        let all: Vec<_> = (0..links.uses.len()).collect();
        units.extend(links.resolve(&all, roles, once));
        order::by_range(&mut units, PlacedUnit::range);
        (links, units)
    }

    /// Resolves the uses at `indices`, each only from the names; returns their units. What they depend on is kept, unless
    /// that is done only `once`.
    fn resolve(&mut self, indices: &[usize], roles: RolesIn<'_>, once: bool) -> Vec<PlacedUnit> {
        let mut units: Vec<PlacedUnit> = Vec::with_capacity(indices.len());
        let forgotten = (HAS_SMALL_STEPS && once && indices.len() > STRETCH).then(Use::default);
        let has_index = HAS_SMALL_STEPS && indices.len() > MOST_WITHOUT_INDEX;
        let index_of_names = has_index.then(|| Index::new(&self.names));
        let names = Source {
            names: &self.names,
            index: index_of_names.as_ref(),
        };
        for stretch in indices.chunks(STRETCH) {
            let resolutions = parallel::map(stretch, |index| {
                let [start, ..] = self.uses.place(*index);
                let it = &self.uses.item(*index).it;
                (start, self.resolution(it, start, names, roles))
            });
            for (index, (start, mut resolution)) in stretch.iter().zip(resolutions) {
                // Programs write a call again and again.
                if let (Some(new), Some(last)) = (&mut resolution.placed, units.last())
                    && new.unit == last.unit
                {
                    new.unit = Arc::clone(&last.unit);
                }
                if !once {
                    let known_names = &mut self.asked;
                    let keep = |place: &mut _, linked: &mut KnownUse| {
                        *place = resolution.reach.places(start);
                        linked.keep(&mut resolution, known_names);
                    };
                    self.uses.update(*index, keep);
                }
                if let Some(forgotten) = &forgotten {
                    let forget = |_: &mut _, known: &mut KnownUse| known.it.clone_from(forgotten);
                    self.uses.update(*index, forget);
                }
                units.extend(resolution.placed);
            }
        }
        units
    }

    /// Applies `edit`, which touched the statements in `old`; `parts` are the new ones.
    pub fn edit(
        &mut self,
        units: &mut Units,
        old: TextRange,
        parts: Parts,
        edit: &TextEdit,
        roles: RolesIn<'_>,
    ) -> UnitChange {
        let touched = self.names.replace(old, parts.names, edit);
        let gone = self.uses.beginning_in(old);
        if self.uses.len() == 0 && parts.uses.len() == 0 {
            let removed = units.beginning_in(old);
            return units.replace(removed, parts.units, edit);
        }
        let concerned = match touched {
            Some(touched) => self.concerned(touched, old, &gone, edit),
            None => (0..gone.start).chain(gone.end..self.uses.len()).collect(),
        };
        let mut removed = BTreeSet::new();
        for index in gone.clone().chain(concerned.iter().copied()) {
            let at = self.unit_at(units, index, &removed);
            removed.extend(at);
        }

        let came = gone.start..gone.start + parts.uses.len();
        let following = concerned.iter().map(|&index| match index < gone.start {
            true => index,
            false => index - gone.len() + came.len(),
        });
        let following: Vec<_> = following.collect();
        for linked in self.uses.items(gone.clone()) {
            self.asked.remove_all(&linked.asked);
        }
        self.uses.replace(gone, &parts.uses, edit);
        let resolved: Vec<_> = came.chain(following).collect();
        let linked = self.resolve(&resolved, roles, false);

        let is_plain = |index: &usize| !units.as_slice()[*index].unit.is_linked;
        removed.extend(units.beginning_in(old).filter(is_plain));
        let reach = reach(units, old, &removed, &linked, edit);
        let mut new = parts.units;
        let kept = reach.clone().filter(|index| !removed.contains(index));
        new.extend(kept.map(|index| units.as_slice()[index].moved(edit)));
        new.extend(linked);
        order::by_range(&mut new, PlacedUnit::range);
        let change = units.replace(reach, new, edit);
        for index in resolved {
            self.share_unit(units, index);
        }
        change
    }

    /// Lets all uses share their `units` with the document, which keeps those that an edit does not change.
    pub fn share_units(&mut self, units: &Units) {
        for index in 0..self.uses.len() {
            self.share_unit(units, index);
        }
    }

    /// Lets the use at `index` share its unit with the document, which keeps a unit that an edit does not change.
    fn share_unit(&mut self, units: &Units, index: usize) {
        let linked = self.uses.item(index);
        let Some(at) = self.unit_at(units, index, &BTreeSet::new()) else {
            return;
        };
        let kept = &units.as_slice()[at].unit;
        let is_shared = linked.resolved.iter().all(|unit| Arc::ptr_eq(unit, kept));
        if is_shared {
            return;
        }
        let has_same = Unit::is_same(&linked.it.unit, kept);
        self.uses.update(index, |_, linked| {
            linked.resolved = Some(Arc::clone(kept));
            if has_same {
                linked.it.unit = Arc::clone(kept);
            }
        });
    }

    /// The indices, in order, of the uses whose units may change, other than those in `gone`, which begin in `old`.
    fn concerned(
        &self,
        mut touched: Touched,
        old: TextRange,
        gone: &Range<usize>,
        edit: &TextEdit,
    ) -> Vec<usize> {
        touched.retain(|key| self.asked.contains(key));
        let mut concerned = self.around(old, gone);
        if !touched.is_any() {
            return concerned;
        }
        let asking = touched
            .ranges()
            .flat_map(|(key, range)| self.asking(key, range, edit));
        let depending = asking.filter(|&index| {
            let place = self.uses.place(index);
            let [start, .., first, last, _] = place.map(|it| moved_or_gone(it, edit));
            let it = self.uses.item(index);
            let places = (start, TextRange::new(first, last.max(first)));
            // Values that begin behind the edit hide what it binds.
            let sees_edit = !it.has_values || place[VALUES_FROM] < old.end();
            !gone.contains(&index)
                && touched.concerns(places, &it.asked, it.asks_outside, sees_edit)
        });
        concerned.extend(depending);
        concerned.sort_unstable();
        concerned.dedup();
        concerned
    }

    /// The indices of the uses that may look up the name with `key` in `range`, a range after `edit`.
    fn asking(&self, key: Key, range: TextRange, edit: &TextEdit) -> Vec<usize> {
        let start = place_before(range.start(), edit);
        let Some(before) = start.checked_sub(TextSize::from(1)) else {
            return self.uses.keyed(key, 0..self.uses.len()).collect();
        };
        let range = TextRange::new(before, place_before(range.end(), edit));
        let asking = self.uses.around_with_key(key, range, LOOKED_UP);
        asking.map(|(index, _)| index).collect()
    }

    /// The indices of the uses with texts on both sides of `old`, or which may have such once those in `gone`, which
    /// begin in it, are removed.
    fn around(&self, old: TextRange, gone: &Range<usize>) -> Vec<usize> {
        let is_around = |first: TextSize, end: TextSize| first < old.end() && old.start() < end;
        let most = MOST_BETWEEN + gone.len();
        let near = self.near(old, most);
        let comes_near = |start: TextSize, far: TextSize| {
            !gone.is_empty()
                && near.contains_inclusive(start)
                && is_around(start.min(far), start.max(far))
                && self.between(start, far) <= most
        };
        let around =
            self.uses
                .around(old, TEXTS)
                .filter(|&(index, ([start, first, end, far, ..], _))| {
                    (is_around(first, end) || comes_near(start, far)) && !gone.contains(&index)
                });
        around.map(|(index, _)| index).collect()
    }

    /// Where the uses begin that have at most `most` others between them and `old`.
    fn near(&self, old: TextRange, most: usize) -> TextRange {
        let start_of = |index: usize| self.uses.place(index)[0];
        let before = self.uses.before(old.start()).checked_sub(most + 1);
        let after = self.uses.before(old.end()) + most;
        let end = (after < self.uses.len()).then(|| start_of(after));
        TextRange::new(
            before.map_or(TextSize::default(), start_of),
            end.unwrap_or(TextSize::new(u32::MAX)),
        )
    }

    /// The number of uses that begin between two places.
    fn between(&self, one: TextSize, other: TextSize) -> usize {
        self.uses.before(one).abs_diff(self.uses.before(other))
    }

    /// The index of the unit of the use at `index`. Nested calls may have equal units; those in `taken` belong to
    /// other uses.
    fn unit_at(&self, units: &Units, index: usize, taken: &BTreeSet<usize>) -> Option<usize> {
        let linked = self.uses.item(index);
        let unit = linked.resolved.as_ref()?;
        let [start, ..] = self.uses.place(index);
        let key = (start + linked.it.unit.len - unit.len, unit.len);
        let units = units.as_slice();
        let first = units.partition_point(|it| place(it) < key);
        let alike = units[first..].iter().take_while(|it| place(it) == key);
        let mut free = (first..).zip(alike).filter(|(at, _)| !taken.contains(at));
        let found = free.find(|(_, it)| Unit::is_same(&it.unit, unit));
        found.map(|(at, _)| at)
    }

    /// Whether a use begins at `start`.
    pub fn has_use_at(&self, start: TextSize) -> bool {
        self.uses.before(start) < self.uses.up_to(start)
    }

    /// Whether a block that begins at `start` is the body of a function.
    pub fn is_body(&self, start: TextSize) -> bool {
        self.names.is_body(start)
    }
}

/// The sort key of units: several may begin at one literal.
fn place(placed: &PlacedUnit) -> (TextSize, TextSize) {
    (placed.start, placed.unit.len)
}

/// The indices of the units to replace: those that are `removed`, those in `old`, and those between them and the
/// places of the `linked` ones after the edit.
fn reach(
    units: &Units,
    old: TextRange,
    removed: &BTreeSet<usize>,
    linked: &[PlacedUnit],
    edit: &TextEdit,
) -> Range<usize> {
    let inside = units.beginning_in(old);
    let mut first = inside.start;
    let mut end = inside.end;
    for &index in removed {
        first = first.min(index);
        end = end.max(index + 1);
    }
    let units = units.as_slice();
    for (start, len) in linked.iter().map(place) {
        let before = moved_back(start, edit);
        let key = (before, moved_back(start + len, edit) - before);
        first = first.min(units.partition_point(|it| place(it) < key));
        end = end.max(units.partition_point(|it| place(it) <= key));
    }
    first..end.max(first)
}
