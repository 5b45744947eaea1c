//! Collects the notable uses of a template from its parts.

use std::sync::Arc;

use super::{
    super::{Use, notable::LoneTag},
    Part,
};
use crate::model::Edition;
use signature_ls_source::text::TextSize;

/// Collects notable uses.
pub(super) struct Found {
    pub(super) edition: Edition,
    pub(super) limit: usize,
    pub(super) uses: Vec<(TextSize, Arc<Use>)>,
    /// The unclosed sections before the place, one of each that have the same elements.
    pub(super) unclosed: Vec<LoneTag>,
    /// The first closing tags without a section, with their places in the template.
    pub(super) unopened: Vec<LoneTag>,
}

impl Found {
    /// Adds the uses of `part`, which begins at `start`; `None` if it does not keep enough of them.
    pub(super) fn add(&mut self, part: &Part, start: TextSize) -> Option<()> {
        if !part.is_notable {
            return Some(());
        }
        let mut unclosed = part.unclosed.iter().peekable();
        let mut inside = part.inside.iter().peekable();
        let mut notable = part.notable.iter().peekable();
        loop {
            if self.uses.len() >= self.limit {
                return Some(());
            }
            let next_use = notable.peek().map(|it| it.range.start());
            if next_use.is_none() && part.is_cut {
                return None;
            }
            let next_part = inside.peek().map(|it| it.names);
            let Some(next) = next_use.into_iter().chain(next_part).min() else {
                break;
            };
            while let Some(open) = unclosed.next_if(|it| it.at <= next) {
                self.add_unclosed(open);
            }
            if let Some(inside) = inside.next_if(|_| next_part == Some(next)) {
                self.add(&inside.part, start + inside.start)?;
            } else if let Some(it) = notable.next() {
                self.add_use(it, start);
            }
        }
        unclosed.for_each(|it| self.add_unclosed(it));
        Some(())
    }

    fn add_unclosed(&mut self, open: &LoneTag) {
        if !self.unclosed.iter().any(|it| it.has_names_of(open)) {
            self.unclosed.push(open.clone());
        }
    }

    fn add_use(&mut self, it: &Arc<Use>, start: TextSize) {
        let mut unclosed = self.unclosed.iter();
        let mut unopened = self.unopened.iter();
        let place = it.range.start() + start;
        let is_uncertain = unclosed.any(|open| open.may_hold(it, self.edition))
            || unopened.any(|close| place < close.at && close.may_hold(it, self.edition));
        if !is_uncertain {
            self.uses.push((start, Arc::clone(it)));
        }
    }
}
