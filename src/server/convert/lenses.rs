//! `textDocument/codeLens` and `codeLens/resolve`.

use serde_json::json;
use tower_lsp::ls_types as lsp;

use super::navigation::references;
use crate::{
    ide::{self, LensKind},
    server::{client::Client, document::Snapshot, lines::Lines},
    text::TextRange,
};

/// The command of an editor that shows what a model receives for an agent.
const SHOW_PREVIEW: &str = "signature-ls.showPreview";

/// The lenses above tools and agents. References are counted when a lens is resolved.
pub(in crate::server) fn code_lens(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::CodeLensParams,
) -> Option<Vec<lsp::CodeLens>> {
    let uri = &params.text_document.uri;
    let lenses = ide::lenses(&snapshot.document);
    if lenses.is_empty() {
        return None;
    }
    let lines = Lines::new(client.encoding, snapshot.text());
    let lenses = lenses.into_iter().map(|lens| {
        let start = lines.position(lens.range.start());
        let (command, data) = match lens.kind {
            LensKind::References => (None, Some(json!({"uri": uri, "position": start}))),
            LensKind::ModelView => {
                let title = "What the model sees".to_owned();
                let arguments = vec![json!(uri), json!(start)];
                let command = lsp::Command::new(title, SHOW_PREVIEW.to_owned(), Some(arguments));
                (Some(command), None)
            }
        };
        lsp::CodeLens {
            range: lsp::Range::new(start, start),
            command,
            data,
        }
    });
    Some(lenses.collect())
}

/// The place of a lens without a command.
pub(in crate::server) fn place_of_lens(
    lens: &lsp::CodeLens,
) -> Option<lsp::TextDocumentPositionParams> {
    let data = lens.data.as_ref()?;
    let uri = serde_json::from_value(data.get("uri")?.clone()).ok()?;
    let position = serde_json::from_value(data.get("position")?.clone()).ok()?;
    let text_document = lsp::TextDocumentIdentifier { uri };
    Some(lsp::TextDocumentPositionParams::new(
        text_document,
        position,
    ))
}

/// The place whose references are counted for the lens at `place`.
pub(in crate::server) fn counted_place(
    client: &Client,
    snapshot: &Snapshot,
    place: &lsp::TextDocumentPositionParams,
) -> lsp::TextDocumentPositionParams {
    let offset = client.encoding.offset(snapshot.text(), place.position);
    let counted = TextRange::empty(ide::counted_at(&snapshot.document, offset));
    lsp::TextDocumentPositionParams {
        text_document: place.text_document.clone(),
        position: client.encoding.range(snapshot.text(), counted).start,
    }
}

/// The lens at `place` with the number of references of its tool in the workspace.
pub(in crate::server) fn code_lens_resolve(
    client: &Client,
    snapshot: &Snapshot,
    place: &lsp::TextDocumentPositionParams,
    lens: &lsp::CodeLens,
) -> lsp::CodeLens {
    let params = lsp::ReferenceParams {
        text_document_position: counted_place(client, snapshot, place),
        work_done_progress_params: Default::default(),
        partial_result_params: Default::default(),
        context: lsp::ReferenceContext {
            include_declaration: false,
        },
    };
    let count = references(client, snapshot, &params).map_or(0, |it| it.len());
    let plural = if count == 1 { "" } else { "s" };
    // Editors show a command without a name as plain text.
    let title = format!("{count} reference{plural}");
    lsp::CodeLens {
        command: Some(lsp::Command::new(title, String::new(), None)),
        ..lens.clone()
    }
}
