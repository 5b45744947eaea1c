//! `textDocument/formatting`.

use tower_lsp::ls_types as lsp;

use super::text_edits;
use crate::{
    host::HostKind,
    ide,
    server::{capabilities::Client, document::Snapshot},
};

/// The edits that format a catalog; nothing for other documents.
pub(in crate::server) fn formatting(
    client: &Client,
    snapshot: &Snapshot,
    _: &lsp::DocumentFormattingParams,
) -> Option<Vec<lsp::TextEdit>> {
    let is_ours = snapshot.document.host().kind() == HostKind::Catalog;
    is_ours.then(|| text_edits(client, snapshot.text(), &ide::format(&snapshot.document)))
}
