//! Catalog entries with the name of an earlier entry.

use std::sync::Arc;

use foldhash::HashMap;

use crate::{
    ide::{Diagnostic, Related, analysis::UnitAnalysis, rules::tools::repeated_entry},
    sorted::Sorted,
};
use signature_ls_source::{
    host::{PlacedUnit, Role},
    text::{TextRange, TextSize},
};

/// The number of entries of each name, updated from edit to edit, so that a keystroke does not count all of them.
#[derive(Debug, Clone, Default)]
pub(super) struct EntryNames {
    counts: Sorted<usize>,
    /// The number of entries whose name another one has, without the first of each name.
    repeated: usize,
}

impl EntryNames {
    /// Adds the names of some entries.
    pub(super) fn add(&mut self, entries: &[Arc<UnitAnalysis>]) {
        for name in entries.iter().filter_map(|it| name(it)) {
            let count = self.counts.get_or_insert(name);
            self.repeated += usize::from(*count > 0);
            *count += 1;
        }
    }

    /// Removes the names of some entries.
    pub(super) fn remove(&mut self, entries: &[Arc<UnitAnalysis>]) {
        for name in entries.iter().filter_map(|it| name(it)) {
            match self.counts.get_mut(name) {
                Some(count) if *count > 1 => {
                    *count -= 1;
                    self.repeated -= 1;
                }
                _ => self.counts.remove(name),
            }
        }
    }

    /// The number of entries whose name an earlier entry has.
    pub(super) fn count_repeated(&self) -> usize {
        self.repeated
    }

    /// The entries of a document whose name an earlier entry has.
    pub(super) fn repeated<'a>(
        &self,
        units: impl Iterator<Item = (&'a PlacedUnit, &'a UnitAnalysis)>,
    ) -> impl Iterator<Item = Repeated<'a>> {
        let units = (self.repeated > 0).then_some(units);
        let named = units.into_iter().flatten();
        let named = named.filter_map(|(placed, analysis)| Some((placed.start, name(analysis)?)));
        let repeated = named.filter(|(_, name)| {
            let count = self.counts.get(name);
            count.is_some_and(|(_, count)| *count > 1)
        });
        let mut first: HashMap<&str, TextRange> = HashMap::default();
        repeated.filter_map(move |(start, name)| {
            let range = TextRange::at(start, TextSize::of(name));
            let Some(&first) = first.get(name) else {
                first.insert(name, range);
                return None;
            };
            Some(Repeated { name, range, first })
        })
    }
}

/// An entry whose name an earlier one has.
pub(super) struct Repeated<'a> {
    name: &'a str,
    range: TextRange,
    /// The place of the first one's name.
    first: TextRange,
}

impl Repeated<'_> {
    /// The place of its name.
    pub(super) fn range(&self) -> TextRange {
        self.range
    }

    /// The diagnostic.
    pub(super) fn found(&self) -> Diagnostic {
        let mut found = repeated_entry(self.name, self.range);
        found.related.push(Related {
            range: self.first,
            message: format!("The first `{}` is here.", self.name),
        });
        found
    }
}

/// The name of an entry that has a signature.
fn name(entry: &UnitAnalysis) -> Option<&str> {
    let mut fragments = entry.fragments.iter();
    let signature = fragments.find(|it| it.role == Role::Tool)?;
    signature.name.as_deref()
}

#[cfg(test)]
mod tests {
    use crate::ide::{Document, Settings};
    use signature_ls_source::{
        host::HostKind,
        text::{TextEdit, TextRange, size},
    };

    #[track_caller]
    fn check(document: &Document, expected: &[&str]) {
        let text = document.text();
        let found = document.diagnostics();
        let found = found.iter().map(|it| {
            let line = text.rope().byte_to_line(it.range.start().into()) + 1;
            format!("{line} {} {}", it.rule.code, text.slice(it.range))
        });
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_name_is_given_once() {
        let text = "get(id :strng) -> :map\nfind() -> :map\nget() -> :map\nget() -> :in\nfind\n";
        let mut document = Document::new(HostKind::Catalog, text, Settings::default());
        check(
            &document,
            &[
                "1 unknown-type :strng",
                "3 duplicate-tool get",
                "4 duplicate-tool get",
                "4 unknown-type :in",
                "5 missing-entry-signature ",
            ],
        );
        let lines = |range: std::ops::Range<usize>| {
            TextEdit::delete(TextRange::new(size(range.start), size(range.end)))
        };
        document.edit(&lines(0..text.find("find").expect("an entry")));
        check(
            &document,
            &[
                "3 duplicate-tool get",
                "3 unknown-type :in",
                "4 missing-entry-signature ",
            ],
        );
        document.edit(&lines(0..document.text().len().into()));
        check(&document, &[]);
    }

    #[test]
    fn a_repeated_name_can_be_silenced() {
        let text = "get() -> :map\n# signature-ls: ignore duplicate-tool\nget(id :int) -> :map\n";
        let document = Document::new(HostKind::Catalog, text, Settings::default());
        check(&document, &[]);
    }
}
