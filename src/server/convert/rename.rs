//! `textDocument/prepareRename`, `rename` and `linkedEditingRange`.

use tower_lsp::ls_types as lsp;

use super::{edit_of_all, text_edits, workspace_edit};
use crate::server::{client::Client, document::Snapshot};
use signature_ls_analysis::ide::{self, Refusal};

/// Whether a rename at a position may affect other files.
pub(in crate::server) fn is_shared_by_rename(
    client: &Client,
    snapshot: &Snapshot,
    position: lsp::Position,
) -> bool {
    let offset = client.encoding.offset(snapshot.text(), position);
    let is_function = || !ide::functions_at(&snapshot.document, offset).is_empty();
    !ide::shared_by_rename(&snapshot.document, offset).is_empty() || is_function()
}

/// The range that can be renamed at a position, or why it cannot. With `is_wide`, other files are known.
pub(in crate::server) fn prepare_rename(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::TextDocumentPositionParams,
    is_wide: bool,
) -> Option<Result<lsp::PrepareRenameResponse, Refusal>> {
    let offset = client.encoding.offset(snapshot.text(), params.position);
    let found = match snapshot.here().filter(|_| is_wide) {
        Some(here) => snapshot.files.view.prepare_rename(here, offset),
        None => ide::prepare_rename(&snapshot.document, offset),
    };
    let found = found.transpose()?;
    Some(
        found.map(|it| lsp::PrepareRenameResponse::RangeWithPlaceholder {
            range: client.encoding.range(snapshot.text(), it.range),
            placeholder: it.name,
        }),
    )
}

/// The edits of a rename, or why it is refused. With `is_wide`, other files are known.
pub(in crate::server) fn rename(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::RenameParams,
    is_wide: bool,
) -> Option<Result<lsp::WorkspaceEdit, Refusal>> {
    let place = &params.text_document_position;
    let offset = client.encoding.offset(snapshot.text(), place.position);
    let new = &params.new_name;
    let Some(here) = snapshot.here().filter(|_| is_wide) else {
        let found = ide::rename(&snapshot.document, offset, new).transpose()?;
        let uri = &place.text_document.uri;
        return Some(found.map(|edits| workspace_edit(client, snapshot, uri, &edits)));
    };
    let files = &snapshot.files;
    let found = files.view.rename(here, offset, new).transpose()?;
    Some(found.map(|edits| {
        let edits = edits.into_iter().filter_map(|it| {
            let uri = match it.path {
                Some(path) => files.uri(it.file, &path)?,
                None => place.text_document.uri.clone(),
            };
            let edits = text_edits(client, &it.text, &it.edits);
            Some((uri, files.version(it.file), edits))
        });
        edit_of_all(client, edits.collect())
    }))
}

/// The tags of a section that are edited together.
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
