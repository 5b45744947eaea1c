//! Tries fixes on a copy of the document, and compares only the units that change.

use std::{iter, ops::Range};

use foldhash::HashSet;

use super::{MAX_TRIALS, Proposal};
use crate::ide::{Diagnostic, Document, Severity, literal::have_certain_ends};
use signature_ls_source::{
    counts::Counts,
    host::Role,
    order,
    text::{TextEdit, TextRange, TextSize},
};

/// The document before the fixes.
pub(super) struct Trial<'a> {
    document: &'a Document,
}

/// The outcome of a trial.
#[derive(Default)]
pub(super) struct Attempt {
    /// The document after the edits, if they hold.
    pub(super) after: Option<Document>,
    /// What the units cost that an edit changed, as the length of a text that takes as long to read: thousands may use
    /// what is written in one place.
    pub(super) cost: usize,
}

/// A unit takes as long as a text of this many bytes, and of its own.
const COST_OF_UNIT: usize = 256;

/// What it takes to read the units at `indices` again, as the length of a text that takes as long.
pub(super) fn cost_of(document: &Document, indices: Range<usize>) -> usize {
    let units = document.host().units()[indices].iter();
    units
        .map(|it| COST_OF_UNIT + usize::from(it.unit.len))
        .sum()
}

/// Units of a document.
struct Units<'a> {
    document: &'a Document,
    indices: Range<usize>,
}

impl<'a> Trial<'a> {
    pub(super) fn new(document: &'a Document) -> Self {
        Self { document }
    }

    /// Whether `edits` remove a diagnostic of each rule in `codes`, cause no new error, and do not change the other
    /// literals of the document.
    pub(super) fn holds(&self, edits: &[TextEdit], codes: &[&'static str]) -> bool {
        self.attempt(edits, codes).after.is_some()
    }

    /// Whether `edits` hold, and what it took to see that.
    pub(super) fn attempt(&self, edits: &[TextEdit], codes: &[&'static str]) -> Attempt {
        if !self.have_certain_ends(edits) {
            return Attempt::default();
        }
        let edited = self.document.with_edits(edits);
        if edited.count_repeated_entries() > self.document.count_repeated_entries() {
            return Attempt::default();
        }
        let (old, new) = edited.units_unlike(self.document);
        let cost = cost_of(&edited, new.clone());
        let (before, after) = (Units::of(self.document, old), Units::of(&edited, new));
        let removed: Counts<_> = codes.iter().copied().collect();
        let (was, is) = (before.counts(), after.counts());
        let is_gone = { removed.keys() }.all(|code| is.of(code) + removed.of(code) <= was.of(code));
        let leaves_other = LEAVING
            .iter()
            .any(|(code, other)| codes.contains(code) && is.of(other) > was.of(other));
        // Nothing asks for a refactoring, so it leaves no listing behind, and no value: beside broken text, errors about
        // values are warnings.
        let leaves_more = codes.is_empty()
            && (is.of("outdated-listing") > was.of("outdated-listing")
                || after.warnings() > before.warnings());
        let (was, is) = (before.errors(), after.errors());
        let has_new = { is.keys() }.any(|it| is.of(it) > was.of(it) && !is_hidden(it.0, codes));
        let holds = is_gone
            && !leaves_other
            && !leaves_more
            && !has_new
            && keeps_literals(&before, &after, edits);
        Attempt {
            after: holds.then_some(edited),
            cost,
        }
    }

    fn have_certain_ends(&self, edits: &[TextEdit]) -> bool {
        let text = self.document.text();
        let near = edits
            .iter()
            .flat_map(|edit| self.document.indices_in(edit.range));
        let mut near: Vec<_> = near.collect();
        near.sort_unstable();
        near.dedup();
        near.into_iter().all(|index| {
            let (placed, _) = self.document.unit(index);
            let range = placed.range();
            let first = edits.partition_point(|edit| edit.range.end() < range.start());
            let following = edits.partition_point(|edit| edit.range.start() <= range.end());
            let inside = &edits[first..following.max(first)];
            have_certain_ends(&placed.unit, text, placed.start, inside)
        })
    }
}

/// What the trials of all rounds may still cost.
pub(super) struct Budget {
    trials: usize,
    /// The length of the texts that they read.
    bytes: usize,
}

impl Budget {
    pub(super) fn new(trials: usize, bytes: usize) -> Self {
        Self { trials, bytes }
    }

    pub(super) fn is_used_up(&self) -> bool {
        self.trials == 0 || self.bytes == 0
    }

    fn pay(&mut self, cost: usize) {
        self.trials = self.trials.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(cost);
    }
}

/// Fixes that were accepted in a round. Each is tried on the document after those before it, so that a trial costs only
/// what it adds.
pub(super) struct Accepted {
    /// The document after them, if there are any.
    pub(super) document: Option<Document>,
    /// Their edits of the document before the round, in the order of the text.
    pub(super) edits: Vec<TextEdit>,
}

impl Accepted {
    /// The proposals for `document` that work together; fewer if the budget is used up.
    pub(super) fn of(document: &Document, proposals: &[Proposal], budget: &mut Budget) -> Self {
        let mut accepted = Self {
            document: None,
            edits: Vec::new(),
        };
        let mut trials = MAX_TRIALS;
        accepted.search(document, proposals, &mut trials, budget);
        accepted
    }

    /// Splits the proposals in halves until each half works together with the accepted ones, or is a single one that
    /// does not.
    fn search(
        &mut self,
        document: &Document,
        proposals: &[Proposal],
        trials: &mut usize,
        budget: &mut Budget,
    ) {
        if proposals.is_empty() || *trials == 0 || budget.is_used_up() {
            return;
        }
        *trials -= 1;
        let edits = edits_of(proposals);
        let codes: Vec<_> = proposals.iter().map(|it| it.code).collect();
        let current = self.document.as_ref().unwrap_or(document);
        let moved = Moves::of(&self.edits).edits(&edits);
        let attempt = Trial::new(current).attempt(&moved, &codes);
        budget.pay(attempt.cost.max(current.cost_of(&moved)));
        if let Some(after) = attempt.after {
            self.document = Some(after);
            self.edits.extend(edits);
            order::by_start(&mut self.edits, |edit| edit.range.start());
            return;
        }
        if proposals.len() > 1 {
            let (first, second) = proposals.split_at(proposals.len() / 2);
            self.search(document, first, trials, budget);
            self.search(document, second, trials, budget);
        }
    }
}

/// The arguments of a call that names no tool are not checked.
const OF_ARGUMENTS: &[&str] = &[
    "missing-argument",
    "positional-arguments",
    "argument-without-value",
    "value-type",
    "missing-value",
];

/// Rules, and what their fixes must not cause although it is no error.
const LEAVING: &[(&str, &str)] = &[
    // A call elsewhere gives the parameter a value.
    ("unused-parameter", "unknown-input"),
    // A prompt with its first section is filled as a whole.
    ("unused-parameter", "compound-placeholder"),
    ("optional-placeholder", "compound-placeholder"),
    ("placeholder-type", "compound-placeholder"),
];

/// Whether diagnostics with `code` may have been hidden by those with the `removed` codes, or follow from their fixes.
fn is_hidden(code: &str, removed: &[&str]) -> bool {
    match removed {
        ["unknown-tool"] => OF_ARGUMENTS.contains(&code),
        // Who adds a parameter goes on to its values.
        ["unknown-placeholder"] => matches!(code, "missing-value" | "missing-argument"),
        // What was a prompt is front matter now.
        ["unclosed-front-matter"] => true,
        _ => false,
    }
}

/// What a message is about: the names that are quoted before its advice, else all of it up to there.
fn names_in(message: &str) -> Vec<&str> {
    let what = message.split(';').next().unwrap_or_default();
    let names: Vec<_> = what.split('`').skip(1).step_by(2).collect();
    match names.is_empty() {
        true => vec![what],
        false => names,
    }
}

/// The edits of `proposals`, in the order of the text.
fn edits_of(proposals: &[Proposal]) -> Vec<TextEdit> {
    let mut edits: Vec<_> = proposals.iter().flat_map(|it| it.edits.clone()).collect();
    order::by_start(&mut edits, |edit| edit.range.start());
    edits
}

impl<'a> Units<'a> {
    fn of(document: &'a Document, indices: Range<usize>) -> Self {
        Self { document, indices }
    }

    /// The number of faults of each rule, ignored or not.
    fn counts(&self) -> Counts<&'static str> {
        let found = self.found();
        found
            .flat_map(|it| iter::repeat_n(it.rule.code, it.faults))
            .collect()
    }

    /// The number of warnings and errors.
    fn warnings(&self) -> usize {
        let found = self.found();
        found.filter(|it| it.severity > Severity::Hint).count()
    }

    /// The number of errors about each name, by their rule and the name.
    fn errors(&self) -> Counts<(&'static str, String)> {
        let errors = self.found().filter(|it| it.severity == Severity::Error);
        let about = errors.flat_map(|it| {
            let names = names_in(&it.message).into_iter();
            names.map(move |name| (it.rule.code, name.to_owned()))
        });
        about.collect()
    }

    /// The diagnostics, ignored or not.
    fn found(&self) -> impl Iterator<Item = &'a Diagnostic> {
        let document = self.document;
        let units = self.indices.clone().map(|it| document.unit(it));
        units.flat_map(|(placed, it)| document.diagnostics_of(placed, it))
    }

    /// The literals and their roles, in the order of the text, without duplicates.
    fn literals(&self) -> Vec<(TextRange, Role)> {
        let units = self.indices.clone().map(|it| self.document.unit(it).0);
        let literals = units.flat_map(|placed| {
            let sites = placed.unit.sites.iter();
            sites.map(|site| (site.literal + placed.start, site.role))
        });
        let mut literals: Vec<_> = literals.collect();
        order::by_number(&mut literals, |(_, role)| *role as u8);
        order::by_range(&mut literals, |(range, _)| *range);
        literals.dedup();
        literals
    }

    /// Whether a unit of the document has a literal with this role at `range`.
    fn has_literal(&self, range: TextRange, role: Role) -> bool {
        let mut units = self.document.units_at(range.start());
        units.any(|(placed, _)| {
            let mut sites = placed.unit.sites.iter();
            sites.any(|it| it.role == role && it.literal + placed.start == range)
        })
    }
}

/// Whether the literals of `before` have the same roles in `after`, at the places to which `edits` moved them. One
/// that contains an edit may have other quotes, and one that touches an edit outside of literals may be another one.
fn keeps_literals(before: &Units<'_>, after: &Units<'_>, edits: &[TextEdit]) -> bool {
    let literals = before.literals();
    let inside = Cover::of(literals.iter().map(|&(range, _)| range));
    let outside = edits.iter().filter(|edit| !inside.contains(edit.range));
    let outside = Cover::of(outside.map(|edit| edit.range));
    let moves = Moves::of(edits);
    let known: HashSet<_> = after.literals().into_iter().collect();
    let is_none_added = !outside.0.is_empty() || known.len() == literals.len();
    let mut expected = literals
        .into_iter()
        .filter(|(range, _)| !outside.touches(*range))
        .map(|(range, role)| (moves.range(range), role));
    is_none_added
        && expected
            .all(|(range, role)| known.contains(&(range, role)) || after.has_literal(range, role))
}

/// The union of some ranges: disjoint ranges in order.
struct Cover(Vec<TextRange>);

impl Cover {
    /// The union of ranges, which are ordered by their starts.
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

/// Maps places across edits.
struct Moves {
    /// The start and the end of each edit, and the growth of the text after it.
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

    /// Where `others`, which do not touch the edits, are after them.
    fn edits(&self, others: &[TextEdit]) -> Vec<TextEdit> {
        let moved = others.iter().map(|other| {
            let start = other.range.start();
            let before = self.edits.partition_point(|(edit, _)| edit.start() < start);
            let range = TextRange::at(self.shifted(start, before), other.range.len());
            TextEdit::replace(range, other.insert.clone())
        });
        moved.collect()
    }

    /// Where `range` is after the edits, including edits at its borders.
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
