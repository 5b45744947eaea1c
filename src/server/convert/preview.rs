//! The custom request `signature-ls/preview`: what a model receives for the agent at a position.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

use crate::server::{client::Client, document::Snapshot};
use signature_ls_analysis::ide::{self, tokens};

/// The parameters of `signature-ls/preview`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::server) struct PreviewParams {
    pub(in crate::server) text_document: lsp::TextDocumentIdentifier,
    position: lsp::Position,
    /// The index of the sample beside the agent that provides the values.
    sample: Option<usize>,
}

/// The answer to `signature-ls/preview`.
#[derive(Debug, Serialize)]
pub(in crate::server) struct Preview {
    name: Option<String>,
    range: lsp::Range,
    samples: usize,
    parts: Vec<Part>,
    /// The sum of its parts.
    #[serde(flatten)]
    size: Size,
}

#[derive(Debug, Serialize)]
struct Part {
    title: &'static str,
    text: String,
    problems: Vec<String>,
    #[serde(flatten)]
    size: Size,
}

/// The length of a text.
#[derive(Debug, Serialize)]
struct Size {
    characters: usize,
    /// Missing if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<usize>,
}

impl From<tokens::Size> for Size {
    fn from(size: tokens::Size) -> Self {
        let tokens::Size { characters, tokens } = size;
        Self { characters, tokens }
    }
}

/// What a model receives for the agent at the position of `params`.
pub(in crate::server) fn preview(
    client: &Client,
    snapshot: &Snapshot,
    params: &PreviewParams,
) -> Option<Preview> {
    let offset = client.encoding.offset(snapshot.text(), params.position);
    let preview = ide::preview_at(&snapshot.document, offset, params.sample)?;
    let mut all = tokens::Size::of("");
    let parts = preview.parts.into_iter().map(|part| {
        let size = tokens::Size::of(&part.text);
        all = all.and(size);
        Part {
            title: part.kind.title(),
            text: part.text,
            problems: part.problems,
            size: size.into(),
        }
    });
    Some(Preview {
        parts: parts.collect(),
        size: all.into(),
        name: preview.name,
        range: client.encoding.range(snapshot.text(), preview.range),
        samples: preview.samples,
    })
}
