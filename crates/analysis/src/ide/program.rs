//! The names in PTC-Lisp programs whose types are known, by their places in the document.

use crate::{ide::Document, model::program::Use};
use signature_ls_source::text::{TextRange, TextSize};

/// The name in a program at `offset`, and the result of `look`, which gets the name as it is written.
pub(crate) fn at<T>(
    document: &Document,
    offset: TextSize,
    look: impl Fn(&Use<'_>, &str) -> Option<T>,
) -> Option<(TextRange, T)> {
    let mut found = None;
    for (placed, analysis) in document.units_at(offset) {
        if placed.unit.program().code.is_empty() || document.leaves_out(placed) || found.is_some() {
            continue;
        }
        found = document.with_view(placed, analysis, |view| {
            let exprs = placed.unit.program().exprs();
            let uses = view.program_uses(&exprs);
            uses.iter().find_map(|it| {
                let range = it.range + placed.start;
                if !range.contains_inclusive(offset) {
                    return None;
                }
                Some((range, look(it, &document.text().slice(range))?))
            })
        });
    }
    found
}

/// Where the name in a program at `offset` is bound, and the name.
pub(crate) fn binding(document: &Document, offset: TextSize) -> Option<(TextRange, TextRange)> {
    use crate::model::program::UseKind;
    let mut units = document.units_at(offset);
    units.find_map(|(placed, analysis)| {
        if placed.unit.program().code.is_empty() || document.leaves_out(placed) {
            return None;
        }
        document.with_view(placed, analysis, |view| {
            let exprs = placed.unit.program().exprs();
            let uses = view.program_uses(&exprs);
            uses.iter().find_map(|it| {
                let range = it.range + placed.start;
                match it.what {
                    UseKind::Local(Some(place)) if range.contains_inclusive(offset) => {
                        Some((range, place + placed.start))
                    }
                    UseKind::Binding if range.contains_inclusive(offset) => Some((range, range)),
                    _ => None,
                }
            })
        })
    })
}
