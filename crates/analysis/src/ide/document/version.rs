//! Differences between two versions of a document.

use std::{ops::Range, sync::Arc};

use super::Document;
use crate::ide::analysis::UnitAnalysis;
use signature_ls_source::text::{Text, TextRange, TextSize};

/// A former version of a document: enough to find the lines that differ. It does not slow down edits.
#[derive(Debug, Clone)]
pub struct Version {
    text: Text,
    units: Vec<VersionedUnit>,
}

#[derive(Debug, Clone)]
struct VersionedUnit {
    range: TextRange,
    analysis: Arc<UnitAnalysis>,
}

/// The lines that differ between two versions. The text before and after them is the same in both, and so are the
/// facts about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// The lines of the old version.
    pub old: TextRange,
    /// The lines of the new version.
    pub new: TextRange,
}

impl Version {
    /// The old text.
    pub fn text(&self) -> &Text {
        &self.text
    }
}

impl Document {
    /// The current version of the document.
    pub fn as_version(&self) -> Version {
        let units = self.host.units().iter().zip(&self.analyses);
        let units = units.map(|(placed, analysis)| VersionedUnit {
            range: placed.range(),
            analysis: Arc::clone(analysis),
        });
        Version {
            text: self.text.clone(),
            units: units.collect(),
        }
    }

    /// The lines that differ from an `old` version of the document.
    pub fn difference(&self, old: &Version) -> Difference {
        let (old_len, new_len) = (old.text.len(), self.text.len());
        let (head, tail) = self.text.common_ends(&old.text);
        let (mut start, mut old_end, mut new_end) = (head, old_len - tail, new_len - tail);

        let old_unit = |index: usize| {
            let unit = &old.units[index];
            (unit.range.start(), &unit.analysis)
        };
        let of_old = Listed {
            len: old_len,
            count: old.units.len(),
            unit: old_unit,
        };
        let (old_units, new_units) = unlike(&of_old, &self.listed());
        for unit in &old.units[old_units] {
            start = start.min(unit.range.start());
            old_end = old_end.max(unit.range.end());
        }
        for placed in &self.host.units()[new_units] {
            start = start.min(placed.start);
            new_end = new_end.max(placed.start + placed.unit.len);
        }

        let line_start = |text: &Text| text.line_range(start).start();
        let start = line_start(&old.text).min(line_start(&self.text));
        // The ends have the same distance from the ends of the texts.
        let rest = (old_len - old_end).min(new_len - new_end);
        let rest_of = |text: &Text| {
            let end = text.len() - rest;
            text.len() - text.line_range(end).end().max(end)
        };
        let rest = rest_of(&old.text).min(rest_of(&self.text));
        Difference {
            old: TextRange::new(start.min(old_len - rest), old_len - rest),
            new: TextRange::new(start.min(new_len - rest), new_len - rest),
        }
    }
}

/// The units of a document: their starts and analyses.
struct Listed<F> {
    /// The length of the text.
    len: TextSize,
    count: usize,
    unit: F,
}

/// The indices of the units, without the common ones at the start and at the end.
fn unlike<'a, 'b>(
    old: &Listed<impl Fn(usize) -> (TextSize, &'a Arc<UnitAnalysis>)>,
    new: &Listed<impl Fn(usize) -> (TextSize, &'b Arc<UnitAnalysis>)>,
) -> (Range<usize>, Range<usize>) {
    let most = old.count.min(new.count);
    let is_same_from_start = |&index: &usize| {
        let ((old_start, old), (new_start, new)) = ((old.unit)(index), (new.unit)(index));
        Arc::ptr_eq(old, new) && old_start == new_start
    };
    let first = (0..most).take_while(is_same_from_start).count();
    let is_same_from_end = |&index: &usize| {
        let (old_start, old_known) = (old.unit)(old.count - index);
        let (new_start, new_known) = (new.unit)(new.count - index);
        Arc::ptr_eq(old_known, new_known) && old.len - old_start == new.len - new_start
    };
    let last = (1..=most - first).take_while(is_same_from_end).count();
    (first..old.count - last, first..new.count - last)
}

impl Document {
    fn listed<'a>(
        &'a self,
    ) -> Listed<impl Fn(usize) -> (TextSize, &'a Arc<UnitAnalysis>) + use<'a>> {
        let units = self.host.units();
        Listed {
            len: self.text.len(),
            count: units.len(),
            unit: move |index: usize| (units[index].start, &self.analyses[index]),
        }
    }

    /// The indices of the units that differ from an `old` version of the document: old and new.
    pub(crate) fn units_unlike(&self, old: &Self) -> (Range<usize>, Range<usize>) {
        unlike(&old.listed(), &self.listed())
    }

    /// The range around an edit of an `old` version of the document that includes all units which differ.
    pub(crate) fn changed_from(&self, old: &Self, around: TextRange) -> Difference {
        let (old_units, new_units) = self.units_unlike(old);
        let (mut start, mut old_end, mut new_end) =
            (around.start(), around.end(), TextSize::default());
        let inside = old.indices_in(around);
        for placed in inside.chain(old_units).map(|it| &old.host.units()[it]) {
            start = start.min(placed.start);
            old_end = old_end.max(placed.start + placed.unit.len);
        }
        for placed in &self.host.units()[new_units] {
            start = start.min(placed.start);
            new_end = new_end.max(placed.start + placed.unit.len);
        }
        let (old_len, new_len) = (old.text.len(), self.text.len());
        // The ends have the same distance from the ends of the texts.
        let rest = (old_len - old_end).min(new_len - new_end);
        Difference {
            old: TextRange::new(start.min(old_len - rest), old_len - rest),
            new: TextRange::new(start.min(new_len - rest), new_len - rest),
        }
    }
}

#[cfg(test)]
mod tests {

    use crate::ide::testing::document;
    use signature_ls_source::{
        host::HostKind,
        text::{TextEdit, size},
    };

    #[test]
    fn lines_differ_where_the_text_or_a_unit_does() {
        let text = "a = 1\nx = SubAgent.new(\n  prompt: \"{{q}}\",\n  signature: \"(q :int) -> :int\"\n)\nb = 2\nc = 3\n";
        for (at, insert, old, new) in [
            ("b = 2", "z", "b = 2\n", "zb = 2\n"),
            ("c = 3", "\n", "c = 3\n", "\nc = 3\n"),
            ("a = 1", "\n\n", "a = 1\n", "\n\na = 1\n"),
        ] {
            let mut document = document(HostKind::Elixir, text);
            let version = document.as_version();
            document.edit(&TextEdit::insert(size(text.find(at).expect("it")), insert));
            let difference = document.difference(&version);
            assert_eq!(version.text().slice(difference.old), old);
            assert_eq!(document.text().slice(difference.new), new);
        }
        let mut document = document(HostKind::Elixir, text);
        let version = document.as_version();
        let same = document.difference(&version);
        assert_eq!(
            version.text().slice(same.old),
            version.text().slice(same.new)
        );
        document.edit(&TextEdit::insert(size(text.find("{{q").expect("it")), "x"));
        let changed = version.text().slice(document.difference(&version).old);
        assert!(
            changed.contains("signature:") && !changed.contains("b = 2"),
            "{changed}"
        );
    }
}
