//! `textDocument/hover`.

use tower_lsp::ls_types as lsp;

use super::{completion::with_tools, navigation::definition_is_elsewhere};
use crate::server::{client::Client, document::Snapshot};
use signature_ls_analysis::ide;
use signature_ls_source::text::TextSize;

/// The hover at `position`.
pub(in crate::server) fn hover(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::HoverParams,
) -> Option<lsp::Hover> {
    let position = params.text_document_position_params.position;
    let offset = client.encoding.offset(snapshot.text(), position);
    let hover = ide::hover(&snapshot.document, offset);
    let hover = hover.or_else(|| hover_elsewhere(snapshot, offset))?;
    let contents = markup(client.hover_markdown, &hover.markdown);
    Some(lsp::Hover {
        contents: lsp::HoverContents::Markup(contents),
        range: Some(client.encoding.range(snapshot.text(), hover.range)),
    })
}

/// Whether the name at a position may be described in another file.
pub(in crate::server) fn hover_is_elsewhere(
    client: &Client,
    snapshot: &Snapshot,
    position: lsp::Position,
) -> bool {
    let offset = client.encoding.offset(snapshot.text(), position);
    ide::hover(&snapshot.document, offset).is_none()
        && definition_is_elsewhere(client, snapshot, position)
}

/// The description in another file of the name at `offset`, which that file defines.
fn hover_elsewhere(snapshot: &Snapshot, offset: TextSize) -> Option<ide::Hover> {
    let (range, _) = ide::shared_at(&snapshot.document, offset)?;
    let view = &snapshot.files.view;
    let found = view.definitions(snapshot.here()?, offset);
    let mut hovers = found.iter().filter_map(|it| {
        let document = view.document(it.file)?.document;
        ide::hover(&document, it.ranges.first()?.start())
    });
    if let Some(ide::Hover { markdown, .. }) = hovers.next() {
        return Some(ide::Hover { range, markdown });
    }
    // Only the spec of a function declares it.
    ide::hover(&with_tools(snapshot, true), offset)
}

/// A text in Markdown, or without markup for a client that does not support it.
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

/// The text of a hover without code marks and folds, which is all the Markdown that hovers use.
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
