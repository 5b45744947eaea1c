//! The diagnostics that are reported.

use super::{Document, ToolPlaces};
use crate::ide::{
    Diagnostic,
    directives::Directives,
    suppression::{Findings, MOST_IN_DOCUMENT, Reported, Selector},
    unit::SharedTrees,
};
use signature_ls_source::{cancel, text::TextRange};

impl Document {
    /// The diagnostics, in the order of the text, with ranges in bytes of the document.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let reported = self.reported();
        reported.iter().map(Reported::diagnostic).collect()
    }

    /// The diagnostics, in the order of the text. Only reads units that have one.
    pub fn reported(&self) -> Vec<Reported> {
        let directives = self.directives();
        // A comment may ignore any of them.
        let units = match directives.is_empty() {
            true => self
                .found_in
                .first(|index| self.unit(index), &self.settings),
            false => self.found_in.all(),
        };
        self.selected(&directives, units, self.whole()).0
    }

    /// The diagnostics in `range`, in the order of the text.
    pub(crate) fn reported_in(&self, range: TextRange) -> Vec<Reported> {
        let shared = SharedTrees::default();
        for index in self.indices_in(range) {
            self.check_unit(index, &shared);
        }
        let (mut reported, _) = self.selected(&self.directives(), self.indices_in(range), range);
        reported.retain(|it| range.contains_inclusive(it.range().start()));
        reported
    }

    /// The diagnostics, and the number of omitted ones.
    pub fn findings(&self) -> Findings {
        let all = 0..self.analyses.len();
        let (reported, left_out) = self.selected(&self.directives(), all, self.whole());
        Findings {
            reported: reported.iter().map(Reported::diagnostic).collect(),
            left_out,
        }
    }

    fn whole(&self) -> TextRange {
        TextRange::up_to(self.text.len())
    }

    /// The diagnostics of the units at `indices` and those of the document in `range`, and the number of omitted ones
    /// if that is the whole document.
    fn selected(
        &self,
        directives: &Directives,
        indices: impl IntoIterator<Item = usize>,
        range: TextRange,
    ) -> (Vec<Reported>, usize) {
        let mut selector = Selector::new(
            &self.text,
            directives,
            &self.settings,
            ToolPlaces::new(self),
        );
        for index in indices {
            cancel::check();
            selector.add_unit(&self.host.units()[index], &self.analyses[index]);
        }
        // Later ones are only reported if a comment ignores earlier ones.
        let most = match directives.is_empty() {
            true => MOST_IN_DOCUMENT,
            false => usize::MAX,
        };
        let found = self.entry_names.repeated(|index| self.unit(index));
        let found = found.filter(|it| range.contains_inclusive(it.range().start()));
        let mut left = self.entry_names.count_repeated();
        for repeated in found.take(most) {
            selector.add(repeated.found());
            left -= 1;
        }
        selector.leave_out(left);
        selector.finish()
    }

    /// The number of catalog entries whose name an earlier entry has.
    pub(crate) fn count_repeated_entries(&self) -> usize {
        self.entry_names.count_repeated()
    }
}
