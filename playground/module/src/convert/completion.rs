//! Completion and signature help.

use serde::Serialize;
use signature_ls_analysis::ide::{self, CompletionKind, Document};
use signature_ls_source::text::{Text, TextSize};

use crate::positions::{Range, range};

#[derive(Serialize)]
pub(super) struct Completions {
    #[serde(flatten)]
    replaced: Range,
    items: Vec<Item>,
}

#[derive(Serialize)]
struct Item {
    label: String,
    kind: &'static str,
    detail: Option<String>,
    /// Markdown.
    documentation: Option<String>,
    text: String,
    snippet: Option<String>,
}

/// The completions at `offset`, the best first.
pub(super) fn completion(document: &Document, offset: TextSize) -> Option<Completions> {
    let found = ide::completion(document, &[], offset)?;
    let items = found.items.into_iter().map(|it| Item {
        label: it.label,
        kind: kind(it.kind),
        detail: it.detail,
        documentation: it.documentation.map(|it| it.markdown()),
        text: it.text,
        snippet: it.snippet,
    });
    Some(Completions {
        replaced: range(document.text(), found.replaced),
        items: items.collect(),
    })
}

/// The names of the editor component.
fn kind(kind: CompletionKind) -> &'static str {
    match kind {
        CompletionKind::Type => "type",
        CompletionKind::Structure => "class",
        CompletionKind::Parameter => "variable",
        CompletionKind::Field | CompletionKind::Key => "property",
        CompletionKind::Tool | CompletionKind::Function => "function",
        CompletionKind::Keyword => "keyword",
        CompletionKind::Rule => "constant",
    }
}

#[derive(Serialize)]
pub(super) struct SignatureHelp {
    label: String,
    /// The places of the parameters in the label.
    parameters: Vec<Range>,
    active: Option<usize>,
}

/// The signature of the call around `offset`.
pub(super) fn signature_help(document: &Document, offset: TextSize) -> Option<SignatureHelp> {
    let help = ide::signature_help(document, offset)?;
    let label = Text::from(help.label.as_str());
    let parameters = help.parameters.iter().map(|it| range(&label, *it));
    Some(SignatureHelp {
        parameters: parameters.collect(),
        active: help.active,
        label: help.label,
    })
}
