//! `textDocument/formatting` and `textDocument/rangeFormatting`.

use tower_lsp::ls_types as lsp;

use super::text_edits;
use crate::server::{client::Client, document::Snapshot};
use signature_ls_analysis::ide;

/// The edits that format a catalog or a prompt file; null for other documents.
pub(in crate::server) fn formatting(
    client: &Client,
    snapshot: &Snapshot,
    _: &lsp::DocumentFormattingParams,
) -> Option<Vec<lsp::TextEdit>> {
    is_ours(snapshot).then(|| text_edits(client, snapshot.text(), &ide::format(&snapshot.document)))
}

/// The edits that format a range.
pub(in crate::server) fn range_formatting(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::DocumentRangeFormattingParams,
) -> Option<Vec<lsp::TextEdit>> {
    let text = snapshot.text();
    let range = client.encoding.text_range(text, params.range);
    is_ours(snapshot)
        .then(|| text_edits(client, text, &ide::format_range(&snapshot.document, range)))
}

fn is_ours(snapshot: &Snapshot) -> bool {
    snapshot.document.host().kind().facts().is_formatted
}
