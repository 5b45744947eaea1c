//! `textDocument/inlayHint`.

use tower_lsp::ls_types as lsp;

use crate::server::{client::Client, document::Snapshot};
use signature_ls_analysis::ide;

/// The inlay hints in a range.
pub(in crate::server) fn inlay_hint(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::InlayHintParams,
) -> Option<Vec<lsp::InlayHint>> {
    let text = snapshot.text();
    let range = client.encoding.text_range(text, params.range);
    let hints = ide::inlay_hints(&snapshot.document, range).into_iter();
    let hints = hints.map(|hint| lsp::InlayHint {
        position: client.encoding.position(text, hint.offset),
        label: hint.label.into(),
        kind: Some(lsp::InlayHintKind::TYPE),
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    });
    let hints: Vec<_> = hints.collect();
    (!hints.is_empty()).then_some(hints)
}
