//! Fixes tried on a copy of the document.

use std::collections::{HashMap, HashSet};

use super::Proposal;
use crate::{
    host::Role,
    ide::{Document, Severity, literal::have_certain_ends},
    text::{TextEdit, TextRange, TextSize},
};

/// How many trials one search for the fixes that hold may take, beside one for each doubling of their number.
const MAX_TRIALS: usize = 64;

/// A document in which fixes are tried, and what is known of it before.
pub(super) struct Trial<'a> {
    document: &'a Document,
    errors: Counts,
    all: Counts,
}

/// How often each rule finds something.
type Counts = HashMap<&'static str, usize>;

impl<'a> Trial<'a> {
    pub(super) fn new(document: &'a Document) -> Self {
        Self {
            errors: counts(document, |severity| severity == Severity::Error),
            all: counts(document, |_| true),
            document,
        }
    }

    /// Whether `edits` remove a finding of each rule in `codes`, make no new error, and leave the other literals
    /// of the document as they are.
    pub(super) fn holds(&self, edits: &[TextEdit], codes: &[&'static str]) -> bool {
        if !self.have_certain_ends(edits) {
            return false;
        }
        let after = self.document.with_edits(edits);
        let errors = counts(&after, |severity| severity == Severity::Error);
        let all = counts(&after, |_| true);
        let count =
            |counts: &Counts, code: &'static str| counts.get(code).copied().unwrap_or_default();
        let mut removed = Counts::new();
        for code in codes {
            *removed.entry(code).or_default() += 1;
        }
        let is_gone = removed
            .iter()
            .all(|(code, removed)| count(&all, code) + removed <= count(&self.all, code));
        let is_new = |(&code, &after): (&&'static str, &usize)| after > count(&self.errors, code);
        is_gone && !errors.iter().any(is_new) && keeps_literals(self.document, &after, edits)
    }

    fn have_certain_ends(&self, edits: &[TextEdit]) -> bool {
        let text = self.document.text();
        self.document.units().all(|(placed, _)| {
            let range = TextRange::at(placed.start, placed.unit.len);
            let first = edits.partition_point(|edit| edit.range.end() < range.start());
            let behind = edits.partition_point(|edit| edit.range.start() <= range.end());
            let inside = &edits[first..behind.max(first)];
            inside.is_empty() || have_certain_ends(&placed.unit, text, placed.start, inside)
        })
    }

    /// The edits of the proposals that hold together, in the order of the text.
    pub(super) fn accepted(&self, proposals: &[Proposal]) -> Vec<TextEdit> {
        let mut accepted = Vec::new();
        let mut trials = MAX_TRIALS;
        self.search(proposals, &mut accepted, &mut trials);
        edits_of(&accepted)
    }

    /// Halves the proposals until each half holds beside the accepted ones or is one that does not.
    fn search<'p>(
        &self,
        proposals: &'p [Proposal],
        accepted: &mut Vec<&'p Proposal>,
        trials: &mut usize,
    ) {
        if proposals.is_empty() || *trials == 0 {
            return;
        }
        *trials -= 1;
        let before = accepted.len();
        accepted.extend(proposals);
        let codes: Vec<_> = accepted.iter().map(|it| it.code).collect();
        if self.holds(&edits_of(accepted), &codes) {
            return;
        }
        accepted.truncate(before);
        if proposals.len() > 1 {
            let (first, second) = proposals.split_at(proposals.len() / 2);
            self.search(first, accepted, trials);
            self.search(second, accepted, trials);
        }
    }
}

/// The edits of `proposals`, in the order of the text.
fn edits_of(proposals: &[&Proposal]) -> Vec<TextEdit> {
    let mut edits: Vec<_> = proposals.iter().flat_map(|it| it.edits.clone()).collect();
    edits.sort_by_key(|edit| edit.range.start());
    edits
}

/// How often each rule has found something of the severities that count, silenced or not.
fn counts(document: &Document, is_counted: impl Fn(Severity) -> bool) -> Counts {
    let mut counts = Counts::new();
    let found = document
        .units()
        .flat_map(|(_, analysis)| &analysis.diagnostics);
    for it in found.filter(|it| is_counted(it.severity)) {
        *counts.entry(it.rule.code).or_default() += 1;
    }
    counts
}

/// Whether the literals of `before` are literals for the same in `after`, where `edits` have moved them. One that
/// holds an edit may have got other quotes, and one that touches an edit outside of literals may be another.
fn keeps_literals(before: &Document, after: &Document, edits: &[TextEdit]) -> bool {
    let literals = literals(before);
    let inside = Cover::of(literals.iter().map(|&(range, _)| range));
    let outside = edits.iter().filter(|edit| !inside.contains(edit.range));
    let outside = Cover::of(outside.map(|edit| edit.range));
    let moves = Moves::of(edits);
    let after: HashSet<_> = self::literals(after).into_iter().collect();
    let mut expected = literals
        .iter()
        .filter(|(range, _)| !outside.touches(*range));
    let is_none_added = !outside.0.is_empty() || after.len() == literals.len();
    is_none_added && expected.all(|&(range, role)| after.contains(&(moves.range(range), role)))
}

/// The literals with what they are for, in the order of the text, each once.
fn literals(document: &Document) -> Vec<(TextRange, Role)> {
    let literals = document.units().flat_map(|(placed, _)| {
        let sites = placed.unit.sites.iter();
        sites.map(|site| (site.literal + placed.start, site.role))
    });
    let mut literals: Vec<_> = literals.collect();
    literals.sort_by_key(|(range, role)| (range.start(), range.end(), *role as u8));
    literals.dedup();
    literals
}

/// What some ranges cover together: disjoint ranges in order.
struct Cover(Vec<TextRange>);

impl Cover {
    /// The cover of ranges in the order of their starts.
    fn of(ranges: impl Iterator<Item = TextRange>) -> Self {
        let mut cover: Vec<TextRange> = Vec::new();
        for range in ranges {
            match cover.last_mut() {
                Some(last) if range.start() < last.end() => *last = last.cover(range),
                _ => cover.push(range),
            }
        }
        Self(cover)
    }

    /// The first range that ends at `offset` or after it.
    fn first_from(&self, offset: TextSize) -> impl Iterator<Item = &TextRange> {
        let first = self.0.partition_point(|it| it.end() < offset);
        self.0[first..].iter()
    }

    fn contains(&self, range: TextRange) -> bool {
        let mut near = self.first_from(range.start()).take(2);
        near.any(|it| it.contains_range(range))
    }

    fn touches(&self, range: TextRange) -> bool {
        let first = self.first_from(range.start()).next();
        first.is_some_and(|it| it.start() <= range.end())
    }
}

/// Where edits move what follows them.
struct Moves {
    /// The start and the end of each edit, and how much the text has grown after it.
    edits: Vec<(TextRange, i64)>,
}

impl Moves {
    fn of(edits: &[TextEdit]) -> Self {
        let mut grown = 0;
        let edits = edits.iter().map(|edit| {
            let inserted = TextSize::of(edit.insert.as_str());
            grown += i64::from(u32::from(inserted)) - i64::from(u32::from(edit.range.len()));
            (edit.range, grown)
        });
        Self {
            edits: edits.collect(),
        }
    }

    /// Where `range` is after the edits; those at its borders have become a part of it.
    fn range(&self, range: TextRange) -> TextRange {
        let before = self
            .edits
            .partition_point(|(edit, _)| edit.start() < range.start());
        let within = self
            .edits
            .partition_point(|(edit, _)| edit.start() <= range.end());
        let start = self.shifted(range.start(), before);
        TextRange::new(start, self.shifted(range.end(), within).max(start))
    }

    /// `offset` after the first `count` edits.
    fn shifted(&self, offset: TextSize, count: usize) -> TextSize {
        let grown = count.checked_sub(1).map_or(0, |last| self.edits[last].1);
        let shifted = i64::from(u32::from(offset)) + grown;
        TextSize::from(u32::try_from(shifted).unwrap_or_default())
    }
}
