//! Whether a document has so many errors that further ones are not reported, and the units that are checked later.

use std::{cmp::Reverse, sync::Arc};

use foldhash::HashSet;

use super::{Document, forgetting::Forgetting, found::FoundIn, indices::Indices};
use crate::ide::{
    Diagnostic, Settings, Severity,
    analysis::UnitAnalysis,
    suppression::{MOST_IN_DOCUMENT, MOST_IN_UNIT, Reported},
    unit::SharedTrees,
};
use signature_ls_source::{
    host::{HAS_SMALL_STEPS, PlacedUnit},
    parallel,
    text::{TextRange, TextSize},
};

/// More errors than are reported, as comments may ignore some.
const ENOUGH: usize = 2 * MOST_IN_DOCUMENT;

/// The least length of a text whose units are analyzed before their errors are counted.
const SHORTEST_STRETCH: u32 = 8 * 1024;

/// The greatest length of such a stretch, in bytes. It has enough units for several threads.
const LONGEST_STRETCH: u32 = 256 * 1024;

/// The greatest number of units in one: each of them may have errors of which no unit before it had any.
pub(super) const MOST_IN_STRETCH: usize = 1_024;

/// Analyzes the unit at an index.
type Analyse<'a> = dyn Fn(usize, bool) -> Arc<UnitAnalysis> + Send + Sync + 'a;

/// The diagnostics of a severity and of higher ones in the first units of a document.
pub(super) struct Counted {
    severity: Severity,
    found: HashSet<(TextRange, &'static str)>,
    /// Where the last of them begins, if there are enough.
    last: Option<TextSize>,
}

impl Counted {
    pub(super) fn new(severity: Severity) -> Self {
        Self {
            severity,
            found: HashSet::default(),
            last: None,
        }
    }

    /// The severity if there are enough before `offset`, so that no later one that is not more severe is reported.
    pub(super) fn hidden_after(&self, offset: TextSize) -> Option<Severity> {
        let is_before = self.last.is_some_and(|last| last < offset);
        is_before.then_some(self.severity)
    }

    /// Counts those of a unit.
    pub(super) fn add(
        &mut self,
        settings: &Settings,
        placed: &PlacedUnit,
        analysis: &UnitAnalysis,
    ) {
        if !HAS_SMALL_STEPS || self.last.is_some() {
            return;
        }
        let counted = analysis.known_diagnostics().iter();
        let counted =
            counted.filter(|it| settings.severity(it.rule, it.severity) >= Some(self.severity));
        let counted = counted.map(|it| (it.range + placed.start, it.rule.code));
        self.found.extend(counted.take(MOST_IN_UNIT));
        if self.found.len() >= ENOUGH {
            self.last = self.found.iter().map(|(range, _)| range.start()).max();
        }
    }
}

/// The errors in the first units of a document. Those in later units are neither reported nor computed, because a
/// text of mistakes takes a hundred times as long and a thousand times as much memory as its length.
pub(super) struct Enough<'a> {
    settings: &'a Settings,
    errors: Counted,
}

impl<'a> Enough<'a> {
    pub(super) fn new(settings: &'a Settings) -> Self {
        Self {
            settings,
            errors: Counted::new(Severity::Error),
        }
    }

    /// Whether there are enough errors before `offset`.
    pub(super) fn is_before(&self, offset: TextSize) -> bool {
        self.errors.hidden_after(offset).is_some()
    }

    /// The length of the text from `start` to analyze before the errors in it are counted. It has no more of them than
    /// are left if it is like the text before it.
    pub(super) fn next_stretch(&self, start: TextSize) -> TextSize {
        if self.errors.last.is_some() {
            return LONGEST_STRETCH.into();
        }
        let known = self.errors.found.len().max(1);
        let left = ENOUGH.saturating_sub(known);
        let expected = u64::from(u32::from(start)) * left as u64 / known as u64;
        let most = u32::from(start).clamp(SHORTEST_STRETCH, LONGEST_STRETCH);
        let expected = u32::try_from(expected).unwrap_or(most);
        expected.clamp(SHORTEST_STRETCH, most).into()
    }

    /// Counts the errors of a unit.
    pub(super) fn add(&mut self, placed: &PlacedUnit, analysis: &UnitAnalysis) {
        self.errors.add(self.settings, placed, analysis);
    }
}

impl Document {
    /// The results of `analyze` for the units at `indices`, which ascend. It gets whether their diagnostics are needed.
    /// The units of a stretch of the text are analyzed in parallel, before `forgetting` looks at them.
    pub(super) fn in_stretches(
        &self,
        indices: impl IntoIterator<Item = usize>,
        mut forgetting: Option<&mut Forgetting>,
        analyze: &Analyse<'_>,
    ) -> Vec<Arc<UnitAnalysis>> {
        let mut enough = Enough::new(&self.settings);
        let indices: Vec<_> = indices.into_iter().collect();
        let mut analyses = Vec::with_capacity(indices.len());
        let mut left = &indices[..];
        while let Some(&first) = left.first() {
            let units = self.host.units();
            let start = units[first].start;
            let end = start + enough.next_stretch(start);
            let count = left.partition_point(|&it| units[it].start < end);
            let (next, following) = left.split_at(count.min(MOST_IN_STRETCH));
            let is_checked = self.is_checked && !enough.is_before(start);
            let mut new = in_parallel(next, &|index| analyze(index, is_checked));
            for (&index, analysis) in next.iter().zip(&mut new) {
                enough.add(&units[index], analysis);
                if let Some(forgetting) = forgetting.as_mut().filter(|_| HAS_SMALL_STEPS) {
                    forgetting.look(index, (&units[index], &self.settings), analysis);
                }
            }
            analyses.extend(new);
            left = following;
        }
        analyses
    }

    /// Checks the units that were not checked, if their diagnostics may have to be reported.
    pub fn check_if_needed(&mut self) {
        let Some(next) = self.next_unchecked().filter(|_| HAS_SMALL_STEPS) else {
            return;
        };
        let reported = self.reported();
        let place = |it: &Reported| (Reverse(it.severity()), it.range().start());
        if reported.len() == MOST_IN_DOCUMENT && reported.iter().all(|it| place(it) < next) {
            return;
        }
        let unchecked: Vec<_> = self.unchecked.iter().collect();
        let shared = SharedTrees::default();
        let checked = in_parallel(&unchecked, &|index| self.checked(index, &shared));
        for (index, analysis) in unchecked.into_iter().zip(checked) {
            self.analyses[index] = analysis;
        }
        self.unchecked = Indices::default();
        self.found_in = FoundIn::of(&self.severities(&self.analyses));
    }

    /// The place of the first diagnostic that a unit that was not checked can have, the most severe ones first.
    fn next_unchecked(&self) -> Option<(Reverse<Severity>, TextSize)> {
        let place = |index: usize| {
            let start = self.host.units()[index].start;
            (Reverse(self.analyses[index].unseen()), start)
        };
        let mut unchecked = self.unchecked.iter().map(place);
        match self.forgets() {
            true => unchecked.min(),
            // Any of them may have errors.
            false => unchecked.next(),
        }
    }

    /// The analysis of a unit with its diagnostics.
    pub(super) fn checked(&self, index: usize, shared: &SharedTrees) -> Arc<UnitAnalysis> {
        let (placed, analysis) = self.unit(index);
        if analysis.is_unread {
            return Arc::new(self.analyze(placed, None, shared, true));
        }
        self.check_unit(index, shared);
        Arc::clone(&self.analyses[index])
    }

    /// Computes the diagnostics of a unit, if they are not known.
    pub(super) fn check_unit(&self, index: usize, shared: &SharedTrees) {
        let (placed, analysis) = self.unit(index);
        analysis.diagnostics(self.input(placed, shared));
    }

    /// The diagnostics of a unit, with ranges in bytes from its start.
    pub(in crate::ide) fn diagnostics_of<'a>(
        &self,
        placed: &PlacedUnit,
        analysis: &'a UnitAnalysis,
    ) -> &'a [Diagnostic] {
        analysis.diagnostics(self.input(placed, &SharedTrees::default()))
    }
}

/// The results of `analyze` for the units at `indices`. Unlike other loops on several threads, it is compiled once.
pub(super) fn in_parallel(
    indices: &[usize],
    analyze: &(dyn Fn(usize) -> Arc<UnitAnalysis> + Sync),
) -> Vec<Arc<UnitAnalysis>> {
    parallel::map(indices, |&index| analyze(index))
}

/// Whether the diagnostics of a unit were not needed so far.
pub(super) fn is_unchecked(analysis: &Arc<UnitAnalysis>) -> bool {
    !analysis.is_checked()
}
