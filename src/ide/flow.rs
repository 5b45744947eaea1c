//! Expressions that come to agents, steps and results, by their places in the document.

use crate::{
    host::flow::Given,
    ide::{Document, unit::UnitView},
    text::{TextRange, TextSize},
};

/// An expression of a document.
pub(crate) struct Place {
    /// Where it is, in bytes of the document.
    pub(crate) range: TextRange,
    /// Where the text of its signature begins.
    pub(crate) origin: TextSize,
}

/// The smallest expression around `offset` of which `look` sees something, and that.
pub(crate) fn at<T>(
    document: &Document,
    offset: TextSize,
    look: impl Fn(&UnitView<'_>, &Given) -> Option<T>,
) -> Option<(Place, T)> {
    let mut found: Option<(Place, T)> = None;
    for (placed, analysis) in document.units_at(offset) {
        if placed.unit.flow.is_empty() {
            continue;
        }
        document.with_view(placed, analysis, |view| {
            for given in view.flow().given() {
                let range = given.range + placed.start;
                let is_smaller = found
                    .as_ref()
                    .is_none_or(|it| range.len() < it.0.range.len());
                if !is_smaller || !range.contains_inclusive(offset) {
                    continue;
                }
                if let (Some(origin), Some(seen)) =
                    (placed.origins.get(given.source), look(view, given))
                {
                    let origin = *origin;
                    found = Some((Place { range, origin }, seen));
                }
            }
        });
    }
    found
}
