//! The custom request `signature-ls/preview`: what a model receives for the agent at a position.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

use crate::server::{client::Client, document::Snapshot};
use signature_ls_analysis::ide;

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
#[derive(Debug, Clone, Copy, Serialize)]
struct Size {
    characters: usize,
    /// Missing if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<usize>,
}

impl Size {
    fn of(text: &str) -> Self {
        Self {
            characters: text.chars().count(),
            tokens: ide::tokens::count(text),
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            characters: self.characters + other.characters,
            tokens: self.tokens.zip(other.tokens).map(|(a, b)| a + b),
        }
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
    let parts = preview.parts.into_iter().map(|part| Part {
        title: part.kind.title(),
        size: Size::of(&part.text),
        text: part.text,
        problems: part.problems,
    });
    let parts: Vec<_> = parts.collect();
    let sizes = parts.iter().map(|it| it.size);
    Some(Preview {
        size: sizes.fold(Size::of(""), Size::and),
        name: preview.name,
        range: client.encoding.range(snapshot.text(), preview.range),
        samples: preview.samples,
        parts,
    })
}
