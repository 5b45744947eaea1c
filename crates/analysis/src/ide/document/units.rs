//! The units of a document with their analyses.

use super::Document;
use crate::ide::{
    analysis::UnitAnalysis,
    mentions::{Mention, Mentions},
};
use signature_ls_source::{
    cancel,
    host::PlacedUnit,
    text::{TextRange, TextSize},
};

/// The number of units around a place whose texts are read. People write one or two.
const MOST_AROUND: usize = 8;

impl Document {
    /// The units with their analyses, in the order of their starts.
    pub(crate) fn units(&self) -> impl Iterator<Item = (&PlacedUnit, &UnitAnalysis)> {
        let analyses = self.analyses.iter().map(|analysis| {
            cancel::check();
            &**analysis
        });
        self.host.units().iter().zip(analyses)
    }

    /// The unit at `index` with its analysis.
    pub(crate) fn unit(&self, index: usize) -> (&PlacedUnit, &UnitAnalysis) {
        cancel::check();
        (&self.host.units()[index], &self.analyses[index])
    }

    /// The indices of the units that name functions.
    pub(crate) fn naming_functions(&self) -> impl Iterator<Item = usize> {
        self.asking.iter()
    }

    /// The indices of the units with a mention, in rising order.
    pub(crate) fn mentioning(&self, mention: Mention) -> impl Iterator<Item = usize> {
        self.mentions().units(mention)
    }

    pub(super) fn mentions(&self) -> &Mentions {
        self.mentions.get_or_init(|| Mentions::of(&self.analyses))
    }

    /// The units that contain `offset` with their analyses, innermost last.
    pub(crate) fn units_at(
        &self,
        offset: TextSize,
    ) -> impl Iterator<Item = (&PlacedUnit, &UnitAnalysis)> {
        let indices = self.host.units_around(offset).into_iter();
        indices.map(|index| (&self.host.units()[index], &*self.analyses[index]))
    }

    /// The innermost of [`Self::units_at`], the innermost first: few, for those who read the text of each. Calls that
    /// share a literal come after one that the place is in.
    pub(crate) fn innermost_at(
        &self,
        offset: TextSize,
    ) -> impl Iterator<Item = (&PlacedUnit, &UnitAnalysis)> {
        let mut units: Vec<_> = self.units_at(offset).collect();
        units.reverse();
        let is_beside = |placed: &PlacedUnit| !placed.own_range().contains_inclusive(offset);
        units.sort_by_key(|(placed, _)| is_beside(placed));
        units.into_iter().take(MOST_AROUND)
    }

    /// The units that overlap `range` with their analyses, in the order of their starts.
    pub(crate) fn units_in(
        &self,
        range: TextRange,
    ) -> impl Iterator<Item = (&PlacedUnit, &UnitAnalysis)> {
        let indices = self.indices_in(range);
        indices.map(|index| self.unit(index))
    }

    /// The indices of the units that overlap or touch `range`.
    pub(crate) fn indices_in(&self, range: TextRange) -> impl Iterator<Item = usize> + use<> {
        let units = self.host.units();
        let first = units.partition_point(|it| it.start <= range.start());
        let end = units.partition_point(|it| it.start <= range.end());
        let around = self.host.units_around(range.start()).into_iter();
        around.chain(first..end.max(first))
    }
}
