//! What of a document differs from what it was before.

use std::sync::Arc;

use super::Document;
use crate::{
    ide::analysis::UnitAnalysis,
    text::{Text, TextRange},
};

/// What a document was once: enough to tell which lines differ now. It does not make edits of the document dearer.
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

/// The lines that differ between two versions. The text before them is the same in both, and so is the text after
/// them, and what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// Those of the old version.
    pub old: TextRange,
    /// Those of the new version.
    pub new: TextRange,
}

impl Version {
    /// The text that it had.
    pub fn text(&self) -> &Text {
        &self.text
    }
}

impl Document {
    /// What the document is now.
    pub fn as_version(&self) -> Version {
        let units = self.host.units().iter().zip(&self.analyses);
        let units = units.map(|(placed, analysis)| VersionedUnit {
            range: TextRange::at(placed.start, placed.unit.len),
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

        let new_units = self.host.units();
        let new_range = |index: usize| {
            let placed = &new_units[index];
            TextRange::at(placed.start, placed.unit.len)
        };
        let is_same = |old_index: usize, new_index: usize| {
            Arc::ptr_eq(&old.units[old_index].analysis, &self.analyses[new_index])
        };
        let most = old.units.len().min(new_units.len());
        let first = (0..most)
            .take_while(|&it| {
                is_same(it, it) && old.units[it].range.start() == new_range(it).start()
            })
            .count();
        let last = (1..=most - first)
            .take_while(|&it| {
                let (at_old, at_new) = (old.units.len() - it, new_units.len() - it);
                let old_rest = old_len - old.units[at_old].range.start();
                is_same(at_old, at_new) && old_rest == new_len - new_range(at_new).start()
            })
            .count();
        for unit in &old.units[first..old.units.len() - last] {
            start = start.min(unit.range.start());
            old_end = old_end.max(unit.range.end());
        }
        for index in first..new_units.len() - last {
            start = start.min(new_range(index).start());
            new_end = new_end.max(new_range(index).end());
        }

        let line_start = |text: &Text| text.line_range(start).start();
        let start = line_start(&old.text).min(line_start(&self.text));
        // The ends are as far from the ends of the texts.
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

#[cfg(test)]
mod tests {

    use crate::{
        host::HostKind,
        ide::testing::document,
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
