//! `textDocument/prepareRename`, `rename` and `linkedEditingRange`.

use tower_lsp::ls_types as lsp;

use super::workspace_edit;
use crate::{
    ide::{self, Refusal},
    server::{client::Client, document::Snapshot},
};

/// What can be renamed at a position, or why not.
pub(in crate::server) fn prepare_rename(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::TextDocumentPositionParams,
) -> Option<Result<lsp::PrepareRenameResponse, Refusal>> {
    let offset = client.encoding.offset(snapshot.text(), params.position);
    let found = ide::prepare_rename(&snapshot.document, offset).transpose()?;
    Some(
        found.map(|it| lsp::PrepareRenameResponse::RangeWithPlaceholder {
            range: client.encoding.range(snapshot.text(), it.range),
            placeholder: it.name,
        }),
    )
}

/// The edits of a renaming, or why there are none.
pub(in crate::server) fn rename(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::RenameParams,
) -> Option<Result<lsp::WorkspaceEdit, Refusal>> {
    let place = &params.text_document_position;
    let offset = client.encoding.offset(snapshot.text(), place.position);
    let found = ide::rename(&snapshot.document, offset, &params.new_name).transpose()?;
    let uri = &place.text_document.uri;
    Some(found.map(|edits| workspace_edit(client, snapshot, uri, &edits)))
}

/// The tags of a section that are edited as one.
pub(in crate::server) fn linked_editing_range(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::LinkedEditingRangeParams,
) -> Option<lsp::LinkedEditingRanges> {
    let position = params.text_document_position_params.position;
    let offset = client.encoding.offset(snapshot.text(), position);
    let ranges = ide::linked_ranges(&snapshot.document, offset)?;
    Some(lsp::LinkedEditingRanges {
        ranges: ranges
            .map(|it| client.encoding.range(snapshot.text(), it))
            .into(),
        word_pattern: Some("[A-Za-z_][A-Za-z0-9_-]*".to_owned()),
    })
}
