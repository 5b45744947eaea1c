//! `textDocument/hover`.

use tower_lsp::ls_types as lsp;

use crate::{
    ide,
    server::{capabilities::Client, document::Snapshot},
};

/// What stands at `position`.
pub(in crate::server) fn hover(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::HoverParams,
) -> Option<lsp::Hover> {
    let position = params.text_document_position_params.position;
    let offset = client.encoding.offset(snapshot.text(), position);
    let hover = ide::hover(&snapshot.document, offset)?;
    let (kind, value) = if client.hover_markdown {
        (lsp::MarkupKind::Markdown, hover.markdown)
    } else {
        (lsp::MarkupKind::PlainText, plain(&hover.markdown))
    };
    Some(lsp::Hover {
        contents: lsp::HoverContents::Markup(lsp::MarkupContent { kind, value }),
        range: Some(client.encoding.range(snapshot.text(), hover.range)),
    })
}

/// The text of a hover without its marks of code, which are all the Markdown that hovers have.
fn plain(markdown: &str) -> String {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in markdown.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        } else if is_code {
            lines.push(line.to_owned());
        } else {
            lines.push(line.replace('`', ""));
        }
    }
    lines.join("\n")
}
