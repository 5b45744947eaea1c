//! `textDocument/codeLens` and `codeLens/resolve`.

use serde_json::json;
use tower_lsp::ls_types as lsp;

use crate::{
    ide::{self, LensKind},
    server::{client::Client, document::Snapshot},
};

/// The command of an editor that shows what a model receives for an agent.
const SHOW_PREVIEW: &str = "signature-ls.showPreview";

/// The lines above tools and agents. References are counted when a line is shown.
pub(in crate::server) fn code_lens(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::CodeLensParams,
) -> Option<Vec<lsp::CodeLens>> {
    let uri = &params.text_document.uri;
    let lenses = ide::lenses(&snapshot.document).into_iter().map(|lens| {
        let range = client.encoding.range(snapshot.text(), lens.range);
        let (command, data) = match lens.kind {
            LensKind::References => (None, Some(json!({"uri": uri, "position": range.start}))),
            LensKind::ModelView => {
                let title = "What the model sees".to_owned();
                let arguments = vec![json!(uri), json!(range.start)];
                let command = lsp::Command::new(title, SHOW_PREVIEW.to_owned(), Some(arguments));
                (Some(command), None)
            }
        };
        lsp::CodeLens {
            range: lsp::Range::new(range.start, range.start),
            command,
            data,
        }
    });
    let lenses: Vec<_> = lenses.collect();
    (!lenses.is_empty()).then_some(lenses)
}

/// The document that a lens without a command is about.
pub(in crate::server) fn document_of_lens(lens: &lsp::CodeLens) -> Option<lsp::Uri> {
    serde_json::from_value(lens.data.as_ref()?.get("uri")?.clone()).ok()
}

/// The lens with the number of places that name its tool.
pub(in crate::server) fn code_lens_resolve(
    client: &Client,
    snapshot: &Snapshot,
    mut lens: lsp::CodeLens,
) -> lsp::CodeLens {
    let position = lens.data.as_ref().and_then(|it| it.get("position"));
    let position = position.and_then(|it| serde_json::from_value(it.clone()).ok());
    let Some(position) = position else {
        return lens;
    };
    let offset = client.encoding.offset(snapshot.text(), position);
    let count = ide::references(&snapshot.document, offset, false).len();
    let plural = if count == 1 { "" } else { "s" };
    // An editor shows a command without a name as plain text.
    let title = format!("{count} reference{plural}");
    lens.command = Some(lsp::Command::new(title, String::new(), None));
    lens
}
