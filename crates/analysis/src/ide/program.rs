//! The names in PTC-Lisp programs whose types are known, by their places in the document.

use crate::{
    ide::Document,
    model::program::{Use, UseKind},
};
use signature_ls_source::text::{TextRange, TextSize};

/// The name in a program at `offset`, and the result of `look`, which gets the name as it is written.
pub(crate) fn at<T>(
    document: &Document,
    offset: TextSize,
    look: impl Fn(&Use<'_>, &str) -> Option<T>,
) -> Option<(TextRange, T)> {
    find(document, offset, &|it, start| {
        let range = it.range + start;
        Some((range, look(it, &document.text().slice(range))?))
    })
}

/// Where the name in a program at `offset` is bound, and the name.
pub(crate) fn binding(document: &Document, offset: TextSize) -> Option<(TextRange, TextRange)> {
    find(document, offset, &|it, start| {
        let range = it.range + start;
        match it.what {
            UseKind::Local(Some(place)) => Some((range, place + start)),
            UseKind::Binding => Some((range, range)),
            _ => None,
        }
    })
}

/// The first result of `look` for the names in programs at `offset`, each with the start of its unit.
fn find<T>(
    document: &Document,
    offset: TextSize,
    look: &dyn Fn(&Use<'_>, TextSize) -> Option<T>,
) -> Option<T> {
    document.units_at(offset).find_map(|(placed, analysis)| {
        if placed.unit.program().code.is_empty() || document.leaves_out(placed) {
            return None;
        }
        document.with_view(placed, analysis, |view| {
            let exprs = placed.unit.program().exprs();
            let uses = view.program_uses(&exprs);
            let here = |it: &&Use<'_>| (it.range + placed.start).contains_inclusive(offset);
            let mut here = uses.iter().filter(here);
            here.find_map(|it| look(it, placed.start))
        })
    })
}
