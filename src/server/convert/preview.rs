//! Our own request `signature-ls/preview`: what a model is sent for the agent at a place.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

use crate::{
    ide,
    server::{client::Client, document::Snapshot},
};

/// The parameters of `signature-ls/preview`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::server) struct PreviewParams {
    pub(in crate::server) text_document: lsp::TextDocumentIdentifier,
    position: lsp::Position,
    /// Which of the samples beside the agent gives the values, from 0.
    sample: Option<usize>,
}

/// The answer to `signature-ls/preview`.
#[derive(Debug, Serialize)]
pub(in crate::server) struct Preview {
    name: Option<String>,
    range: lsp::Range,
    samples: usize,
    parts: Vec<Part>,
}

#[derive(Debug, Serialize)]
struct Part {
    title: &'static str,
    text: String,
    problems: Vec<String>,
    /// The length of the text in characters.
    characters: usize,
}

/// What a model is sent for the agent at the position of `params`.
pub(in crate::server) fn preview(
    client: &Client,
    snapshot: &Snapshot,
    params: &PreviewParams,
) -> Option<Preview> {
    let offset = client.encoding.offset(snapshot.text(), params.position);
    let preview = ide::preview_at(&snapshot.document, offset, params.sample)?;
    let parts = preview.parts.into_iter().map(|part| Part {
        title: part.kind.title(),
        characters: part.text.chars().count(),
        text: part.text,
        problems: part.problems,
    });
    Some(Preview {
        name: preview.name,
        range: client.encoding.range(snapshot.text(), preview.range),
        samples: preview.samples,
        parts: parts.collect(),
    })
}
