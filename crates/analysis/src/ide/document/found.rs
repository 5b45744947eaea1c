//! The units with diagnostics, and those whose diagnostics can be reported.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
    ops::Range,
};

use foldhash::HashSet;

use crate::ide::{
    Settings, Severity,
    analysis::UnitAnalysis,
    document::indices::Indices,
    suppression::{MOST_IN_DOCUMENT, MOST_IN_UNIT},
};
use signature_ls_source::{host::PlacedUnit, text::TextSize};

/// All severities, the highest first.
const SEVERITIES: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Hint];

/// The units with diagnostics of each severity.
#[derive(Debug, Clone, Default)]
pub(super) struct FoundIn([Indices; SEVERITIES.len()]);

/// The severities of the diagnostics in a unit.
pub(super) type Severities = [bool; SEVERITIES.len()];

/// The severities of the diagnostics in a unit, under `settings`.
pub(super) fn severities(analysis: &UnitAnalysis, settings: &Settings) -> Severities {
    let mut severities = Severities::default();
    for found in analysis.known_diagnostics() {
        let severity = settings.severity(found.rule, found.severity);
        for (is_found, it) in severities.iter_mut().zip(SEVERITIES) {
            *is_found |= severity == Some(it);
        }
    }
    severities
}

impl FoundIn {
    /// Those of all units.
    pub(super) fn of(units: &[Severities]) -> Self {
        let mut found_in = Self::default();
        found_in.splice(0..0, units);
        found_in
    }

    /// Applies the replacement of the `removed` units.
    pub(super) fn splice(&mut self, removed: Range<usize>, units: &[Severities]) {
        for (at, indices) in self.0.iter_mut().enumerate() {
            indices.splice(removed.clone(), units.iter().map(|it| it[at]));
        }
    }

    /// Sets the severities of a unit.
    pub(super) fn set(&mut self, index: usize, severities: Severities) {
        for (indices, is_found) in self.0.iter_mut().zip(severities) {
            indices.set(index, is_found);
        }
    }

    /// All units with diagnostics.
    pub(super) fn all(&self) -> BTreeSet<usize> {
        self.0.iter().flat_map(Indices::iter).collect()
    }

    /// The units whose diagnostics can be reported, apart from comments that ignore rules: the first ones of each
    /// severity, up to the limit of reported diagnostics.
    pub(super) fn first<'a>(
        &self,
        unit: impl Fn(usize) -> (&'a PlacedUnit, &'a UnitAnalysis),
        settings: &Settings,
    ) -> BTreeSet<usize> {
        let mut units = BTreeSet::new();
        let mut different = HashSet::default();
        for (severity, indices) in SEVERITIES.into_iter().zip(&self.0) {
            let more_severe = different.len();
            let mut ahead = BinaryHeap::new();
            let mut before = 0;
            for index in indices.iter() {
                let (placed, analysis) = unit(index);
                while ahead.peek().is_some_and(|Reverse(it)| *it < placed.start) {
                    ahead.pop();
                    before += 1;
                }
                // Diagnostics in this unit and in later ones come later in the text.
                if more_severe + before >= MOST_IN_DOCUMENT {
                    return units;
                }
                units.insert(index);
                let diagnostics = analysis.known_diagnostics();
                if diagnostics.len() > MOST_IN_UNIT {
                    continue;
                }
                for found in diagnostics {
                    let range = found.range + placed.start;
                    if settings.severity(found.rule, found.severity) == Some(severity)
                        && different.insert((range, found.rule.code))
                    {
                        ahead.push(Reverse::<TextSize>(range.start()));
                    }
                }
            }
        }
        units
    }
}
