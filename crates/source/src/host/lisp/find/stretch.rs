//! Runs of top-level items, of which equal ones have the same units.

use std::sync::Arc;

use crate::{
    host::{PlacedUnit, RolesIn, lisp::forms::Item},
    order, parallel,
    text::TextSize,
};

use super::{STRETCH, units_of};

/// Some top-level items. Those that read the same and follow one another have the same units, which exist once.
#[derive(Default)]
pub(super) struct Stretch<'t> {
    pub(super) starts: Vec<TextSize>,
    /// The first of each run of equal items, and its index.
    runs: Vec<(usize, Item<'t>)>,
    /// The items at the end that were not compared yet.
    last: Vec<Item<'t>>,
}

impl<'t> Stretch<'t> {
    pub(super) fn push(&mut self, item: Item<'t>) {
        self.starts.push(item.start());
        self.last.push(item);
        if self.last.len() == STRETCH {
            self.compare();
        }
    }

    /// Compares the last items with those before them.
    fn compare(&mut self) {
        let first = self.starts.len() - self.last.len();
        let mut before = self.runs.last().map(|(_, it)| *it);
        let items = self.last.drain(..);
        let pairs: Vec<_> = items.map(|item| (before.replace(item), item)).collect();
        let is_new = parallel::flags(pairs.len(), &|at| {
            let (before, item) = &pairs[at];
            !before.is_some_and(|it| it.is_like(item))
        });
        let new = (first..)
            .zip(pairs)
            .zip(is_new)
            .filter(|(_, is_new)| *is_new);
        let new = new.map(|((index, (_, item)), _)| (index, item));
        self.runs.extend(new);
    }

    /// Their units, in the order of their starts.
    pub(super) fn units(mut self, roles: RolesIn<'_>) -> Vec<PlacedUnit> {
        self.compare();
        let found = parallel::map(&self.runs, |(_, item)| units_of(*item, roles));
        let mut units = Vec::with_capacity(found.iter().map(Vec::len).sum());
        let mut ends = self.runs.iter().skip(1).map(|(first, _)| *first);
        for ((first, _), found) in self.runs.iter().zip(found) {
            let end = ends.next().unwrap_or(self.starts.len());
            for start in &self.starts[first + 1..end] {
                let later = |it: &PlacedUnit| it.start + (*start - self.starts[*first]);
                let same = found
                    .iter()
                    .map(|it| PlacedUnit::new(later(it), Arc::clone(&it.unit)));
                units.extend(same);
            }
            units.extend(found);
        }
        // Metadata is an item before the form that it is in.
        order::by_start(&mut units, |it| it.start);
        units
    }
}
