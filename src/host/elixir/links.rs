//! Calls whose signature or prompt is bound to a name before them: the unit of such a call begins at the
//! first string that it refers to.

use std::sync::Arc;

use crate::{
    host::{
        PlacedUnit, Role, Unit, UnitChange,
        object::{self, Literal},
        units::{Units, moved},
    },
    text::{TextEdit, TextRange, TextSize},
};

use super::names::{Binder, Names};

/// How many bytes of a literal are looked at for all the calls that use it, one after the other. A short literal
/// costs less than the call that names it.
const MOST_SHARED: u32 = 64 * 1024;
const SHORT: u32 = 256;

/// A call or list with names in the place of literals.
#[derive(Debug, Clone)]
pub struct Use {
    /// Where it begins.
    pub start: TextSize,
    /// Its unit without what the names stand for; there may be no sites in it.
    pub unit: Arc<Unit>,
    /// The names.
    pub references: Vec<Reference>,
    /// Whether its literals are what their keys say, however they read.
    pub is_ours: bool,
}

/// A name in the place of a literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// What the literal is for.
    pub role: Role,
    /// The name of the tool whose signature or description it is.
    pub tool: Option<String>,
    /// What binds the name.
    pub binder: Binder,
    /// The name.
    pub name: String,
}

/// What was found in some statements.
#[derive(Debug, Default)]
pub struct Parts {
    /// The units without names, in the order in which they begin.
    pub units: Vec<PlacedUnit>,
    /// The calls with names, in the order in which they begin.
    pub uses: Vec<Use>,
    /// What the statements bind.
    pub names: Names,
}

/// What is kept of a document's names from edit to edit.
#[derive(Debug, Clone, Default)]
pub struct Links {
    names: Names,
    uses: Vec<Use>,
}

impl Links {
    /// Reads the parts of a whole document; answers its units, in the order in which they begin.
    pub fn new(parts: Parts) -> (Self, Vec<PlacedUnit>) {
        let links = Self {
            names: parts.names,
            uses: parts.uses,
        };
        let mut units = parts.units;
        units.extend(links.uses.iter().filter_map(|it| links.unit_of(it)));
        units.sort_by_key(place);
        (links, units)
    }

    /// Follows `edit`, which touched the statements in `old`; `parts` is what stands there now.
    pub fn edit(
        &mut self,
        units: &mut Units,
        old: TextRange,
        parts: Parts,
        edit: &TextEdit,
    ) -> UnitChange {
        self.names.replace(old, parts.names, edit);
        if self.uses.is_empty() && parts.uses.is_empty() {
            let removed = units.beginning_in(old);
            return units.replace(removed, parts.units, edit);
        }
        let first = self.uses.partition_point(|it| it.start < old.start());
        let end = self.uses.partition_point(|it| it.start < old.end());
        for it in &mut self.uses[end..] {
            it.start = moved(it.start, edit);
        }
        self.uses.splice(first..end, parts.uses);

        let linked = self.uses[first..].iter();
        let linked: Vec<_> = linked.filter_map(|it| self.unit_of(it)).collect();
        let renewed = |it: &PlacedUnit| match it.unit.is_linked {
            true => old.start() < it.start + it.unit.len,
            false => old.start() <= it.start && it.start < old.end(),
        };
        let removed = reach(units, old, &linked, renewed);
        let mut new = parts.units;
        let kept = units.as_slice()[removed.clone()].iter();
        new.extend(kept.filter(|it| !renewed(it)).map(|it| PlacedUnit {
            start: moved(it.start, edit),
            unit: Arc::clone(&it.unit),
        }));
        new.extend(linked);
        new.sort_by_key(place);
        units.replace(removed, new, edit)
    }

    /// The unit of a call with what its names stand for; `None` where it holds nothing to check.
    fn unit_of(&self, it: &Use) -> Option<PlacedUnit> {
        let bound = it.references.iter().filter_map(|reference| {
            let bound = self.names.at(reference.binder, &reference.name, it.start)?;
            let is_meant = it.is_ours || bound.is_meant(reference.role);
            let is_linked = is_meant && self.is_affordable(&bound.literal, it.start);
            is_linked.then_some((reference, &bound.literal))
        });
        let bound: Vec<_> = bound.collect();
        let starts = bound.iter().map(|(_, literal)| literal.literal.start());
        let start = starts.min().map_or(it.start, |first| first.min(it.start));
        let range = TextRange::new(start, it.start + it.unit.len);
        let mut unit = (*it.unit).clone();
        unit.is_linked = true;
        unit.len = range.len();
        let ahead = it.start - start;
        for site in &mut unit.sites {
            site.literal += ahead;
            site.content += ahead;
        }
        for argument in &mut unit.arguments {
            argument.value += ahead;
        }
        for (reference, literal) in bound {
            let name = reference.tool.as_deref();
            let site = object::site(range, literal, reference.role, name);
            if !unit.sites.contains(&site) {
                unit.sites.push(site);
            }
        }
        unit.sites.sort_by_key(|site| site.literal.start());
        let is_checked = unit.sites.iter().any(|site| site.role != Role::Description);
        is_checked.then(|| PlacedUnit {
            start,
            unit: Arc::new(unit),
        })
    }
}

impl Links {
    /// Whether the call at `place` may look at `literal` too: what thousands of calls make of a long literal takes
    /// time and memory without end. How many come between the two decides, so that it depends on nothing else.
    fn is_affordable(&self, literal: &Literal, place: TextSize) -> bool {
        let len = u32::from(literal.content.len());
        let before = |offset| self.uses.partition_point(|it| it.start < offset);
        let between = before(place) - before(literal.literal.start());
        len <= SHORT || between.saturating_mul(len as usize) <= MOST_SHARED as usize
    }
}

/// What decides the order of units: several may begin at one literal.
fn place(placed: &PlacedUnit) -> (TextSize, TextSize) {
    (placed.start, placed.unit.len)
}

/// The indices of all units that are `renewed` and of those between them, or where `linked` ones belong.
fn reach(
    units: &Units,
    old: TextRange,
    linked: &[PlacedUnit],
    renewed: impl Fn(&PlacedUnit) -> bool,
) -> std::ops::Range<usize> {
    let inside = units.beginning_in(old);
    let units = units.as_slice();
    let first_new = linked.iter().map(|it| it.start).min();
    let first_new = first_new.map_or(inside.start, |start| {
        units.partition_point(|it| it.start < start)
    });
    let first = units.iter().position(&renewed).unwrap_or(inside.start);
    let last = units.iter().rposition(&renewed).map_or(0, |last| last + 1);
    first.min(inside.start).min(first_new)..last.max(inside.end)
}
