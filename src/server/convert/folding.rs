//! `textDocument/foldingRange`.

use tower_lsp::ls_types as lsp;

use crate::server::{client::Client, document::Snapshot, lines::Lines};
use signature_ls_analysis::ide;

/// The folding ranges, by lines; null if there are none.
pub(in crate::server) fn folding_range(
    client: &Client,
    snapshot: &Snapshot,
    _: &lsp::FoldingRangeParams,
) -> Option<Vec<lsp::FoldingRange>> {
    let folds = ide::folding(&snapshot.document);
    if folds.is_empty() {
        return None;
    }
    let lines = Lines::new(client.encoding, snapshot.text());
    let folds = folds.into_iter().filter_map(|fold| {
        let range = lines.range(fold.range);
        let start_line = range.start.line;
        let end_line = range.end.line - u32::from(fold.shows_last_line);
        (start_line < end_line).then(|| lsp::FoldingRange {
            start_line,
            end_line,
            ..Default::default()
        })
    });
    let mut folds: Vec<_> = folds.collect();
    folds.dedup_by_key(|it| it.start_line);
    folds.truncate(client.most_folds);
    (!folds.is_empty()).then_some(folds)
}
