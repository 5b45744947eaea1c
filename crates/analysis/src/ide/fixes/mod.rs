//! Quick fixes: selects those that work, and applies all safe ones at once.
//!
//! A rule proposes edits. [`literal`] converts them to the notation of the host when a unit is analyzed. Before a fix
//! is offered, [`trial`] applies it to a copy of the document, and drops it if the copy is worse.

#[cfg(test)]
mod frames;
mod ignore;
#[cfg(test)]
mod measure;
mod merge;
#[cfg(test)]
mod planted;
#[cfg(test)]
mod properties;
mod trial;

use std::collections::BTreeMap;

use crate::ide::{Diagnostic, Document, Fix};
pub use ignore::ignored_on_lines;
use merge::Merged;
use signature_ls_source::{
    order,
    text::{TextEdit, TextRange, TextSize},
};
use trial::{Accepted, Budget, Trial};

/// The number of rounds in which fixes may lead to further ones.
const MAX_ROUNDS: usize = 32;

/// The number of trials for one round of fixes.
const MAX_TRIALS: usize = 64;

/// The number of trials in all rounds together.
const MAX_TRIALS_OF_ROUNDS: usize = 4 * MAX_TRIALS;

/// The number of bytes that the trials of all rounds may read together.
const MOST_READ_IN_ROUNDS: usize = 8 * 1024 * 1024;

/// The number of diagnostics that get their fixes at once. Nobody chooses from more, and each takes a trial.
const MOST_FIXED: usize = 32;

/// The number of bytes that the trials for several diagnostics may read. A trial reads what is around the diagnostic and
/// what depends on it, which is short unless nobody wrote it.
pub(crate) const MOST_READ: usize = 2 * 1024 * 1024;

/// The first diagnostics that touch `range`, with those of their fixes that pass a trial.
pub fn quick_fixes(document: &Document, range: TextRange) -> Vec<Diagnostic> {
    let found = document.reported().into_iter();
    let touched = found.filter(|it| it.range().intersect(range).is_some());
    let touched: Vec<_> = touched.take(MOST_FIXED).map(|it| it.diagnostic()).collect();
    let trial = Trial::new(document);
    let mut left = MOST_READ;
    let mut kept = Vec::new();
    for mut diagnostic in touched {
        // One more ignores it.
        let trials = diagnostic.fixes.len() + 1;
        let offset = diagnostic.range.start();
        let around = around(document, offset);
        if around * trials > left && !kept.is_empty() {
            break;
        }
        let cost = keep_holding(&trial, &mut diagnostic);
        left = left.saturating_sub(cost.max(around) * trials);
        kept.push(diagnostic);
        if left == 0 {
            break;
        }
    }
    kept
}

/// The length of what a trial at `offset` reads at most. On a long line, hosts read most of it again.
fn around(document: &Document, offset: TextSize) -> usize {
    let text = document.text();
    let line = text.line_range(offset).len();
    line.max(document.host().read_around(text, offset)).into()
}

/// The largest document whose diagnostics carry fixes: a trial costs as much as an edit.
const MAX_CARRIED_IN: TextSize = TextSize::new(4 * 1024);

/// Whether the diagnostics of `document` carry fixes: it is short and has few diagnostics.
pub fn carries_fixes(document: &Document) -> bool {
    document.text().len() <= MAX_CARRIED_IN && document.reported().len() <= MOST_FIXED
}

/// Keeps only the fixes that pass a trial in a diagnostic of `document`.
pub fn keep_carried(document: &Document, found: &mut Diagnostic) {
    keep_holding(&Trial::new(document), found);
}

/// Keeps only the fixes that pass a trial; returns what the most expensive trial cost.
fn keep_holding(trial: &Trial<'_>, found: &mut Diagnostic) -> usize {
    let code = found.rule.code;
    let mut most = 0;
    found.fixes.retain(|fix| {
        let attempt = trial.attempt(&fix.edits, &[code]);
        most = most.max(attempt.cost);
        attempt.after.is_some()
    });
    most
}

/// Whether `edits` cause no new error or warning, and do not change the other literals of the document.
pub(crate) fn are_harmless(document: &Document, edits: &[TextEdit]) -> bool {
    Trial::new(document).holds(edits, &[])
}

/// The same for `edits` that add parameters, whose values may be missing afterwards.
pub(crate) fn add_parameters(document: &Document, edits: &[TextEdit]) -> bool {
    are_harmless(document, edits) || Trial::new(document).holds(edits, &["unknown-placeholder"])
}

/// The edits of all safe fixes, including those that earlier fixes lead to, in the order of the text. They are idempotent,
/// unless trying all fixes would take too long: then they are some of these fixes, and the next run may find more.
pub fn fix_all(document: &Document) -> Vec<TextEdit> {
    fix_where(document, |_| true)
}

/// The edits of all safe fixes in `range`, in the order of the text.
pub(crate) fn fix_in(document: &Document, range: TextRange) -> Vec<TextEdit> {
    // Only `range` changes, so its end keeps the distance from the end of the text.
    let following = document.text().len() - range.end();
    fix_where_in(document, |document, it| {
        let end = document.text().len() - following;
        range.start() <= it.range.start() && it.range.end() <= end
    })
}

/// The edits of `document` that do what `edits` do, and then what `next` proposes for the document after them.
pub(crate) fn followed_by(
    document: &Document,
    edits: &[TextEdit],
    next: impl FnOnce(&Document) -> Vec<TextEdit>,
) -> Vec<TextEdit> {
    let len = document.text().len();
    let mut merged = Merged::new(len);
    merged.apply(edits);
    merged.apply(&next(&document.with_edits(edits)));
    merged.into_edits(len)
}

/// The number of diagnostics of each rule with a safe fix, by code.
pub fn fixable(document: &Document) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for found in document.reported().iter().filter(|it| it.has_safe_fix()) {
        *counts.entry(found.code()).or_default() += 1;
    }
    counts
}

/// The edits of all safe fixes of the rule with this code, in the order of the text.
pub fn fix_all_of(document: &Document, code: &str) -> Vec<TextEdit> {
    fix_where(document, |it| it.rule.code == code)
}

fn fix_where(document: &Document, is_wanted: impl Fn(&Diagnostic) -> bool) -> Vec<TextEdit> {
    fix_where_in(document, |_, it| is_wanted(it))
}

fn fix_where_in(
    document: &Document,
    is_wanted: impl Fn(&Document, &Diagnostic) -> bool,
) -> Vec<TextEdit> {
    let mut merged = Merged::new(document.text().len());
    let mut current = None;
    let mut budget = Budget::new(MAX_TRIALS_OF_ROUNDS, MOST_READ_IN_ROUNDS);
    for _ in 0..MAX_ROUNDS {
        let before = current.as_ref().unwrap_or(document);
        let found = before.diagnostics().into_iter();
        let wanted = found.filter(|it| is_wanted(before, it));
        let proposed = without_conflicts(wanted);
        let accepted = Accepted::of(before, &proposed, &mut budget);
        let Some(mut after) = accepted.document else {
            break;
        };
        merged.apply(&accepted.edits);
        if budget.is_used_up() {
            break;
        }
        after.check_if_needed();
        current = Some(after);
    }
    merged.into_edits(document.text().len())
}

/// A safe fix and the code of its rule.
struct Proposal {
    code: &'static str,
    edits: Vec<TextEdit>,
}

/// The best fix of each diagnostic, if it is safe and does not overlap another one, in the order of the diagnostics.
fn without_conflicts(found: impl Iterator<Item = Diagnostic>) -> Vec<Proposal> {
    let mut chosen: Vec<Proposal> = Vec::new();
    let mut taken = Vec::new();
    for diagnostic in found {
        let code = diagnostic.rule.code;
        let Some(Fix { edits, .. }) = diagnostic.fixes.into_iter().next().filter(|fix| fix.safe)
        else {
            continue;
        };
        if edits.iter().any(|edit| touches(&taken, edit.range)) {
            continue;
        }
        for edit in &edits {
            let (range, place) = (edit.range, ends(edit.range));
            taken.insert(taken.partition_point(|it| ends(*it) < place), range);
        }
        chosen.push(Proposal { code, edits });
    }
    chosen
}

/// Whether `range` overlaps or touches one of the ranges in `taken`, which are disjoint and in order.
fn touches(taken: &[TextRange], range: TextRange) -> bool {
    let before = taken.partition_point(|it| it.start() <= range.end());
    taken[..before]
        .last()
        .is_some_and(|it| it.end() >= range.start())
}

fn ends(range: TextRange) -> (TextSize, TextSize) {
    (range.start(), range.end())
}

/// The edits of all safe fixes that do not overlap, in the order of the text.
///
/// Only the best fix of a diagnostic counts. Of two fixes that touch, the first one wins; the other one is applied in
/// the next round.
pub fn safe_edits(diagnostics: impl IntoIterator<Item = Diagnostic>) -> Vec<TextEdit> {
    let chosen = without_conflicts(diagnostics.into_iter());
    let mut edits: Vec<_> = chosen.into_iter().flat_map(|it| it.edits).collect();
    order::by_start(&mut edits, |edit| edit.range.start());
    edits
}

#[cfg(test)]
mod tests;
