//! Catalog entries with the name of an earlier entry.

use std::{ops::Range, sync::Arc};

use foldhash::HashMap;

use crate::{
    ide::{
        Diagnostic, Related, analysis::UnitAnalysis, document::Indices,
        rules::tools::repeated_entry,
    },
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
    /// The entries whose name another one has, and some others.
    sharing: Indices,
}

impl EntryNames {
    /// The names of all `entries`.
    pub(super) fn of(entries: &[Arc<UnitAnalysis>]) -> Self {
        let mut names = Self::default();
        names.add(entries);
        names.share_all(entries);
        names
    }

    /// Replaces the names of the entries at `removed`, which were `old`, by those of the `new` ones. Returns the names
    /// that now belong to two entries: those entries have to be set with [`Self::share`] or [`Self::share_all`].
    pub(super) fn splice<'a>(
        &mut self,
        removed: Range<usize>,
        old: &[Arc<UnitAnalysis>],
        new: &'a [Arc<UnitAnalysis>],
    ) -> Vec<&'a str> {
        self.remove(old);
        let shared = self.add(new);
        let flags: Vec<_> = new.iter().map(|it| self.is_shared(it)).collect();
        self.sharing.splice(removed, flags.into_iter());
        shared
    }

    /// Records that the entry at `index` has the name of another one.
    pub(super) fn share(&mut self, index: usize) {
        self.sharing.set(index, true);
    }

    /// Looks at all `entries` for those with the name of another one.
    pub(super) fn share_all(&mut self, entries: &[Arc<UnitAnalysis>]) {
        self.sharing = Indices::of(entries.iter().map(|it| self.is_shared(it)));
    }

    fn is_shared(&self, entry: &UnitAnalysis) -> bool {
        let count = name(entry).and_then(|it| self.counts.get(it));
        count.is_some_and(|(_, count)| *count > 1)
    }

    /// Adds the names of some entries; returns those that now belong to two.
    fn add<'a>(&mut self, entries: &'a [Arc<UnitAnalysis>]) -> Vec<&'a str> {
        let mut shared = Vec::new();
        for name in entries.iter().filter_map(|it| name(it)) {
            let count = self.counts.get_or_insert(name);
            self.repeated += usize::from(*count > 0);
            *count += 1;
            if *count == 2 {
                shared.push(&**name);
            }
        }
        shared
    }

    /// Removes the names of some entries.
    fn remove(&mut self, entries: &[Arc<UnitAnalysis>]) {
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

    /// The entries of a document whose name an earlier entry has; `unit` returns the unit at an index.
    pub(super) fn repeated<'a>(
        &self,
        unit: impl Fn(usize) -> (&'a PlacedUnit, &'a UnitAnalysis),
    ) -> impl Iterator<Item = Repeated<'a>> {
        let units = self.sharing.iter().map(unit);
        let shared = units.filter(|(_, analysis)| self.is_shared(analysis));
        let repeated =
            shared.filter_map(|(placed, analysis)| Some((placed.start, &**name(analysis)?)));
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
    pub(super) name: &'a str,
    pub(super) range: TextRange,
    /// The place of the first one's name.
    pub(super) first: TextRange,
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
fn name(entry: &UnitAnalysis) -> Option<&Arc<str>> {
    let mut fragments = entry.fragments.iter();
    let signature = fragments.find(|it| it.role == Role::Tool)?;
    signature.name.as_ref()
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use proptest::prelude::*;

    use crate::ide::{Document, Settings};
    use signature_ls_source::{
        cancel,
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

    /// The number of units that are looked at to report the diagnostics after a key.
    fn visited(text: &str) -> usize {
        let mut document = Document::new(HostKind::Catalog, text, Settings::default());
        document.edit(&TextEdit::insert(size(0), "b"));
        let visited = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&visited);
        let report = || document.reported().len();
        let counting = move || {
            count.fetch_add(1, Ordering::Relaxed);
            false
        };
        assert_eq!(cancel::run_cancellable(counting, report), Some(1));
        visited.load(Ordering::Relaxed)
    }

    /// Only entries that are reported are looked at, also where a name is repeated or a comment ignores a rule.
    #[test]
    fn a_key_costs_as_much_among_many_entries() {
        for start in [
            "a() -> :strng\n",
            "a() -> :strng\n# signature-ls: ignore unknown-type\nc() -> :strng\n",
            "a() -> :map\nf7() -> :map\n",
            "f7() -> :map\nbf7() -> :map\n",
        ] {
            let text = |count| {
                let entries = (0..count).map(|it| format!("f{it}() -> :map\n"));
                format!("{start}{}", entries.collect::<String>())
            };
            assert_eq!(visited(&text(100)), visited(&text(1_000)), "{start}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn an_edit_repeats_the_same_names_as_a_new_document(
            names in proptest::collection::vec("[ab]c?", 1..12),
            edits in proptest::collection::vec((any::<proptest::sample::Index>(), "[ab]|c\\(\\) -> :map\n"), 1..8),
        ) {
            let text: String = names.iter().map(|it| format!("{it}() -> :map\n")).collect();
            let mut document = Document::new(HostKind::Catalog, &text, Settings::default());
            for (at, inserted) in edits {
                let at = at.index(usize::from(document.text().len()) + 1);
                document.edit(&TextEdit::insert(size(at), inserted.as_str()));
                let text = document.text().rope().to_string();
                let fresh = Document::new(HostKind::Catalog, &text, Settings::default());
                prop_assert_eq!(document.diagnostics(), fresh.diagnostics(), "{}", text);
                let end = (at + 3).min(text.len());
                document.edit(&TextEdit::delete(TextRange::new(size(at), size(end))));
                let text = document.text().rope().to_string();
                let fresh = Document::new(HostKind::Catalog, &text, Settings::default());
                prop_assert_eq!(document.diagnostics(), fresh.diagnostics(), "{}", text);
            }
        }
    }

    #[test]
    fn a_repeated_name_can_be_silenced() {
        let text = "get() -> :map\n# signature-ls: ignore duplicate-tool\nget(id :int) -> :map\n";
        let document = Document::new(HostKind::Catalog, text, Settings::default());
        check(&document, &[]);
    }
}
