//! The programs in the code blocks of a prompt, each kept as the unit of its own that it is.

use std::sync::{Arc, OnceLock};

use super::{program::Program, uses::Namespaces};
use crate::{
    host::{PlacedUnit, Unit, units},
    text::{TextEdit, TextRange},
};

/// The programs in a prompt: an edit shares those that it does not touch.
#[derive(Debug, Clone)]
pub struct PlacedPrograms {
    units: Vec<PlacedUnit>,
    namespaces: Namespaces,
    whole: OnceLock<Program>,
}

/// What an edit replaces of the programs in a prompt.
#[derive(Debug)]
pub struct ChangedPrograms {
    /// What was removed, in the places before the edit.
    pub removed: Program,
    /// Where that was.
    pub place: Option<TextRange>,
    /// What was added.
    pub added: Program,
}

impl PartialEq for PlacedPrograms {
    fn eq(&self, other: &Self) -> bool {
        let units = self.units.iter().zip(&other.units);
        let are_same = |(one, other): (&PlacedUnit, &PlacedUnit)| {
            one.start == other.start && Unit::is_same(&one.unit, &other.unit)
        };
        self.units.len() == other.units.len() && { units }.all(are_same)
    }
}

impl PlacedPrograms {
    /// Those of `units`, in the order of the text.
    pub fn new(units: Vec<PlacedUnit>) -> Self {
        let mut namespaces = Namespaces::default();
        for placed in &units {
            namespaces.add(&placed.unit.program.namespaces);
        }
        Self {
            units,
            namespaces,
            whole: OnceLock::new(),
        }
    }

    /// All of them together.
    pub fn whole(&self) -> &Program {
        self.whole.get_or_init(|| Program::of_units(&self.units))
    }

    /// Each of them, in bytes from its own start.
    pub fn iter(&self) -> impl Iterator<Item = &Program> {
        self.units.iter().map(|it| &*it.unit.program)
    }

    /// The namespaces that they mention.
    pub fn namespaces(&self) -> &Namespaces {
        &self.namespaces
    }

    /// What an `edit` made of those `before` it.
    pub fn changed_since(&self, before: &Self, edit: &TextEdit) -> ChangedPrograms {
        let is_same = |(one, other): &(&PlacedUnit, &PlacedUnit)| {
            Arc::ptr_eq(&one.unit, &other.unit) && has_moved(one.range(), other.range(), edit)
        };
        let (new, old) = (&self.units, &before.units);
        let first = new.iter().zip(old).take_while(is_same).count();
        let (new, old) = (&new[first..], &old[first..]);
        let last = { new.iter().rev().zip(old.iter().rev()) }
            .take_while(is_same)
            .count();
        let old = &old[..old.len() - last];
        ChangedPrograms {
            removed: Program::of_units(old),
            place: old.iter().map(PlacedUnit::range).reduce(TextRange::cover),
            added: Program::of_units(&new[..new.len() - last]),
        }
    }
}

/// Whether a range that was at `before` is at `after` after an `edit` outside of it.
fn has_moved(after: TextRange, before: TextRange, edit: &TextEdit) -> bool {
    match before.end() <= edit.range.start() {
        true => after == before,
        false => {
            edit.range.end() <= before.start()
                && after.start() == units::moved(before.start(), edit)
        }
    }
}
