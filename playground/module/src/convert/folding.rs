//! Folding.

use signature_ls_analysis::ide::{self, Document, Fold};
use signature_ls_source::text::{TextRange, size};

use crate::positions::{Range, range};

/// The ranges that the folds of a document hide: from the end of their first lines on.
pub(super) fn folding(document: &Document) -> Vec<Range> {
    let folds = ide::folding(document).into_iter();
    let hidden = folds.filter_map(|it| hidden(document, it));
    hidden.map(|it| range(document.text(), it)).collect()
}

fn hidden(document: &Document, fold: Fold) -> Option<TextRange> {
    let text = document.text();
    let first = text.line_range(fold.range.start());
    let from = first.start() + size(text.slice(first).trim_end().len());
    let to = if fold.shows_last_line {
        let last = text.line_range(fold.range.end());
        let line = text.slice(last);
        last.start() + size(line.len() - line.trim_start().len())
    } else {
        fold.range.end()
    };
    (from < to).then(|| TextRange::new(from, to))
}
