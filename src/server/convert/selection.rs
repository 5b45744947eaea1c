//! `textDocument/selectionRange`.

use tower_lsp::ls_types as lsp;

use crate::server::{client::Client, document::Snapshot};
use signature_ls_analysis::ide;

/// The selection ranges at the positions; null if none of them is in a signature string.
pub(in crate::server) fn selection_range(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::SelectionRangeParams,
) -> Option<Vec<lsp::SelectionRange>> {
    let text = snapshot.text();
    let chains = params.positions.iter().map(|&position| {
        let offset = client.encoding.offset(text, position);
        let ranges = ide::selection(&snapshot.document, offset);
        let chain = ranges.into_iter().rev().fold(None, |parent, range| {
            Some(lsp::SelectionRange {
                range: client.encoding.range(text, range),
                parent: parent.map(Box::new),
            })
        });
        (position, chain)
    });
    let chains: Vec<_> = chains.collect();
    if chains.iter().all(|(_, chain)| chain.is_none()) {
        return None;
    }
    // The answers correspond to the positions, so none may be omitted.
    let ranges = chains.into_iter().map(|(position, chain)| {
        chain.unwrap_or_else(|| lsp::SelectionRange {
            range: lsp::Range::new(position, position),
            parent: None,
        })
    });
    Some(ranges.collect())
}
