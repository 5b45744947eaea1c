//! `textDocument/hover`.

use tower_lsp::ls_types as lsp;

use crate::{
    ide,
    server::{client::Client, document::Snapshot},
};

/// What is at `position`.
pub(in crate::server) fn hover(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::HoverParams,
) -> Option<lsp::Hover> {
    let position = params.text_document_position_params.position;
    let offset = client.encoding.offset(snapshot.text(), position);
    let hover = ide::hover(&snapshot.document, offset)?;
    let contents = markup(client.hover_markdown, &hover.markdown);
    Some(lsp::Hover {
        contents: lsp::HoverContents::Markup(contents),
        range: Some(client.encoding.range(snapshot.text(), hover.range)),
    })
}

/// A text in Markdown, or without its marks for a client that does not read it.
pub(super) fn markup(reads_markdown: bool, markdown: &str) -> lsp::MarkupContent {
    match reads_markdown {
        true => lsp::MarkupContent {
            kind: lsp::MarkupKind::Markdown,
            value: markdown.to_owned(),
        },
        false => lsp::MarkupContent {
            kind: lsp::MarkupKind::PlainText,
            value: plain(markdown),
        },
    }
}

/// The text of a hover without its marks of code and folds, which are all the Markdown that hovers have.
fn plain(markdown: &str) -> String {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in markdown.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        } else if is_code {
            lines.push(line.to_owned());
        } else if let Some(summary) = line.strip_prefix("<summary>") {
            lines.push(summary.replace("</summary>", ":"));
        } else if !matches!(line, "<details>" | "</details>") {
            lines.push(line.replace('`', ""));
        }
    }
    lines.join("\n")
}
