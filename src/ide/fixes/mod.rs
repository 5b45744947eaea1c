//! Quick fixes: selects those that work, and applies all safe ones at once.
//!
//! A rule proposes edits. [`literal`] puts them into the notation of the host when a unit is analyzed. Before a fix
//! is offered, [`trial`] applies it to a copy of the document and drops it if the copy is any worse.

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

use crate::{
    ide::{Diagnostic, Document, Fix},
    text::{TextEdit, TextRange, TextSize},
};
pub use ignore::ignore_on_line;
use merge::Merged;
use trial::Trial;

/// How many times fixes may lead to further ones.
const MAX_ROUNDS: usize = 32;

/// How many trials one search for the fixes that hold may take, beside one for each doubling of their number.
const MAX_TRIALS: usize = 64;

/// How many trials all rounds may take together.
const MAX_TRIALS_OF_ROUNDS: usize = 4 * MAX_TRIALS;

/// So many findings get their fixes at once. Nobody chooses from more, and each takes a trial.
const MOST_FIXED: usize = 32;

/// The first findings that touch `range`, with those of their fixes that hold in a trial.
pub fn quick_fixes(document: &Document, range: TextRange) -> Vec<Diagnostic> {
    let found = document.reported().into_iter();
    let touched = found.filter(|it| it.range().intersect(range).is_some());
    let touched = touched.take(MOST_FIXED);
    let mut touched: Vec<_> = touched.map(|it| it.diagnostic()).collect();
    if touched.iter().all(|it| it.fixes.is_empty()) {
        return touched;
    }
    let trial = Trial::new(document);
    for diagnostic in &mut touched {
        keep_holding(&trial, diagnostic);
    }
    touched
}

/// The largest document whose diagnostics carry fixes: a trial costs as much as an edit.
const MAX_CARRIED_IN: TextSize = TextSize::new(4 * 1024);

/// Whether the diagnostics of `document` carry fixes: it is short and has few findings.
pub fn carries_fixes(document: &Document) -> bool {
    document.text().len() <= MAX_CARRIED_IN && document.reported().len() <= MOST_FIXED
}

/// Leaves in a finding of `document` only the fixes that hold in a trial.
pub fn keep_carried(document: &Document, found: &mut Diagnostic) {
    keep_holding(&Trial::new(document), found);
}

fn keep_holding(trial: &Trial<'_>, found: &mut Diagnostic) {
    let code = found.rule.code;
    found.fixes.retain(|fix| trial.holds(&fix.edits, &[code]));
}

/// Whether `edits` make no new error, and leave the other literals of the document as they are.
pub(crate) fn make_no_error(document: &Document, edits: &[TextEdit]) -> bool {
    Trial::new(document).holds(edits, &[])
}

/// The edits of all safe fixes, with the fixes that they lead to, in the order of the text; none in a text with so many
/// faults that trying all fixes would take too long. Applied twice they change nothing more.
pub fn fix_all(document: &Document) -> Vec<TextEdit> {
    fix_where(document, |_| true)
}

/// The edits of all safe fixes in `range`, in the order of the text.
pub(crate) fn fix_in(document: &Document, range: TextRange) -> Vec<TextEdit> {
    // Only what is in the range changes, so that its end stays as far from that of the text.
    let behind = document.text().len() - range.end();
    fix_where_in(document, |document, it| {
        let end = document.text().len() - behind;
        range.start() <= it.range.start() && it.range.end() <= end
    })
}

/// How many findings of each rule have a safe fix, by the code of the rule.
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
    let mut left = MAX_TRIALS_OF_ROUNDS;
    for _ in 0..MAX_ROUNDS {
        let before = current.as_ref().unwrap_or(document);
        let found = before.diagnostics().into_iter();
        let wanted = found.filter(|it| is_wanted(before, it));
        let proposed = without_conflicts(wanted);
        let edits = Trial::new(before).accepted(&proposed, &mut left);
        // A run that ends early would leave something for the next one.
        if left == 0 {
            return Vec::new();
        }
        if edits.is_empty() {
            return merged.into_edits(document.text().len());
        }
        let after = before.with_edits(&edits);
        merged.apply(&edits);
        current = Some(after);
    }
    Vec::new()
}

/// A safe fix and the code of the rule whose finding it removes.
struct Proposal {
    code: &'static str,
    edits: Vec<TextEdit>,
}

/// The best fix of each finding, where it is safe and touches no other one, in the order of the findings.
fn without_conflicts(found: impl Iterator<Item = Diagnostic>) -> Vec<Proposal> {
    let mut chosen: Vec<Proposal> = Vec::new();
    let mut taken = BTreeMap::new();
    for diagnostic in found {
        let code = diagnostic.rule.code;
        let Some(Fix { edits, .. }) = diagnostic.fixes.into_iter().next().filter(|fix| fix.safe)
        else {
            continue;
        };
        if edits.iter().any(|edit| touches(&taken, edit.range)) {
            continue;
        }
        taken.extend(
            edits
                .iter()
                .map(|edit| (edit.range.start(), edit.range.end())),
        );
        chosen.push(Proposal { code, edits });
    }
    chosen
}

/// Whether `range` has a place in common with one of the ranges in `taken`, which leave one another alone.
fn touches(taken: &BTreeMap<TextSize, TextSize>, range: TextRange) -> bool {
    let before = taken.range(..=range.end()).next_back();
    before.is_some_and(|(_, end)| *end >= range.start())
}

/// The edits of all safe fixes that leave one another alone, in the order of the text.
///
/// A diagnostic gives its best fix only. Of two fixes that touch, the first one wins; the other finds
/// its turn when the text that comes of it is looked at again.
pub fn safe_edits(diagnostics: impl IntoIterator<Item = Diagnostic>) -> Vec<TextEdit> {
    let chosen = without_conflicts(diagnostics.into_iter());
    let mut edits: Vec<_> = chosen.into_iter().flat_map(|it| it.edits).collect();
    edits.sort_by_key(|edit| edit.range.start());
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ide::{Fix, Rule, Severity, rules},
        text::TextRange,
    };

    fn rule() -> &'static Rule {
        rules::all().next().unwrap()
    }

    fn diagnostic(fixes: &[(u32, u32, bool)]) -> Diagnostic {
        let fix = |&(start, end, safe): &(u32, u32, bool)| Fix {
            title: String::new(),
            edits: vec![TextEdit::delete(range(start, end))],
            safe,
        };
        Diagnostic {
            rule: rule(),
            severity: Severity::Error,
            range: TextRange::default(),
            message: String::new(),
            related: Vec::new(),
            fixes: fixes.iter().map(fix).collect(),
            elsewhere: Vec::new(),
        }
    }

    fn range(start: u32, end: u32) -> TextRange {
        TextRange::new(start.into(), end.into())
    }

    #[test]
    fn only_safe_first_fixes_that_do_not_touch_are_chosen() {
        for (diagnostics, chosen) in [
            (vec![diagnostic(&[])], vec![]),
            (vec![diagnostic(&[(0, 1, false)])], vec![]),
            (vec![diagnostic(&[(0, 1, false), (0, 1, true)])], vec![]),
            (
                vec![
                    diagnostic(&[(4, 5, true), (8, 9, true)]),
                    diagnostic(&[(0, 1, true)]),
                ],
                vec![range(0, 1), range(4, 5)],
            ),
            (
                vec![diagnostic(&[(0, 2, true)]), diagnostic(&[(1, 3, true)])],
                vec![range(0, 2)],
            ),
            (
                vec![diagnostic(&[(2, 2, true)]), diagnostic(&[(2, 2, true)])],
                vec![range(2, 2)],
            ),
        ] {
            let edits = safe_edits(diagnostics.clone());
            let ranges: Vec<_> = edits.iter().map(|edit| edit.range).collect();
            assert_eq!(ranges, chosen, "{diagnostics:?}");
        }
    }
}
