//! `textDocument/codeLens` and `codeLens/resolve`.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use tower_lsp::ls_types as lsp;

use super::navigation::references;
use crate::server::{client::Client, document::Snapshot, lines::Lines};
use signature_ls_analysis::ide::{self, LensKind};
use signature_ls_source::text::TextRange;

/// The command of an editor that shows what a model receives for an agent.
const SHOW_PREVIEW: &str = "signature-ls.showPreview";

/// A lens as the protocol's `CodeLens` is written, without a tree of values for each: there may be thousands.
#[derive(Serialize)]
struct Lens<'a> {
    range: lsp::Range,
    #[serde(flatten)]
    shows: Shows<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Shows<'a> {
    /// Nothing yet: references are counted when the lens is shown.
    Data {
        uri: &'a lsp::Uri,
        position: lsp::Position,
    },
    Command {
        title: &'static str,
        command: &'static str,
        arguments: (&'a lsp::Uri, lsp::Position),
    },
}

/// The lenses above tools and agents, rendered as JSON. References are counted when a lens is resolved.
pub(in crate::server) fn code_lens(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::CodeLensParams,
) -> Option<Box<RawValue>> {
    let uri = &params.text_document.uri;
    let lenses = ide::lenses(&snapshot.document);
    if lenses.is_empty() {
        return None;
    }
    let lines = Lines::new(client.encoding, snapshot.text());
    let lenses = lenses.into_iter().map(|lens| {
        let position = lines.position(lens.range.start());
        let shows = match lens.kind {
            LensKind::References => Shows::Data { uri, position },
            LensKind::ModelView => Shows::Command {
                title: "What the model sees",
                command: SHOW_PREVIEW,
                arguments: (uri, position),
            },
        };
        Lens {
            range: lsp::Range::new(position, position),
            shows,
        }
    });
    to_raw_value(&lenses.collect::<Vec<_>>()).ok()
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
