//! `textDocument/completion` and `completionItem/resolve`.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

use super::hover::markup;
use crate::server::{client::Client, document::Snapshot, main_loop::Extent};
use signature_ls_analysis::{
    ide::{self, Completion, CompletionKind, Document, Documentation},
    model::{Edition, Primitive},
};
use signature_ls_source::text::{TextRange, TextSize};

/// The announced options.
pub(in crate::server) fn completion_options() -> lsp::CompletionOptions {
    let triggers = [":", "{", ".", "/", "#", "(", " "];
    lsp::CompletionOptions {
        trigger_characters: Some(triggers.map(str::to_owned).into()),
        resolve_provider: Some(true),
        ..Default::default()
    }
}

/// The completions at a position, with the tools of other files if all of them are known.
pub(in crate::server) fn completion(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::CompletionParams,
    is_wide: bool,
) -> Option<lsp::CompletionResponse> {
    let text = snapshot.text();
    let position = params.text_document_position.position;
    let offset = client.encoding.offset(text, position);
    let found = ide::completion(&with_tools(snapshot, is_wide), &snapshot.modules(), offset)?;
    let replace = client.encoding.range(text, found.replaced);
    let insert = client.encoding.range(text, found.inserted(text, offset));
    let is_incomplete = found.items.len() >= ide::MOST_COMPLETIONS;
    let items = found.items.into_iter().enumerate();
    let items = items.map(|(rank, it)| item(client, it, rank, insert, replace));
    Some(lsp::CompletionResponse::List(lsp::CompletionList {
        is_incomplete,
        items: items.collect(),
    }))
}

/// The document, with the tools of other files if all of them are known.
pub(super) fn with_tools(snapshot: &Snapshot, is_wide: bool) -> Cow<'_, Document> {
    let document = &*snapshot.document;
    match is_wide && document.calls_others_tools() {
        true => Cow::Owned(document.with_tools(snapshot.files.view.tools())),
        false => Cow::Borrowed(document),
    }
}

/// What a completion at a position may need: the functions of the project for a capture, other files for a call of
/// their tools.
pub(in crate::server) fn completion_extent(
    client: &Client,
    snapshot: &Snapshot,
    position: lsp::Position,
) -> Extent {
    let offset = client.encoding.offset(snapshot.text(), position);
    if ide::names_function(&snapshot.document, offset) {
        return Extent::Project;
    }
    match may_call_others(client, snapshot, position) {
        true => Extent::Surroundings,
        false => Extent::Document,
    }
}

/// Whether a position may be in or beside a call of a tool in another file: a key is read from a call that follows it.
pub(in crate::server) fn may_call_others(
    client: &Client,
    snapshot: &Snapshot,
    position: lsp::Position,
) -> bool {
    /// The maximum distance from the start of such a call in bytes.
    const LONGEST_CALL: TextSize = TextSize::new(4096);
    let document = &snapshot.document;
    if !document.calls_others_tools() {
        return false;
    }
    let text = snapshot.text();
    let offset = client.encoding.offset(text, position);
    let start = offset.checked_sub(LONGEST_CALL).unwrap_or_default();
    let end = text.len().min(offset + LONGEST_CALL);
    let around = text.slice(TextRange::new(start, end));
    around.contains(&format!("({}/", document.edition().tool_namespace()))
}

fn item(
    client: &Client,
    it: Completion,
    rank: usize,
    insert: lsp::Range,
    replace: lsp::Range,
) -> lsp::CompletionItem {
    let snippet = it.snippet.filter(|_| client.snippets);
    let format = snippet.as_ref().map(|_| lsp::InsertTextFormat::SNIPPET);
    let new_text = snippet.unwrap_or(it.text);
    let (documentation, data) = match it.documentation {
        Some(Documentation::Text(text)) => (Some(documentation(client, &text)), None),
        Some(other) if !client.resolves_documentation => {
            (Some(documentation(client, &other.markdown())), None)
        }
        Some(other) => (
            None,
            Source::of(&other).and_then(|it| serde_json::to_value(it).ok()),
        ),
        None => (None, None),
    };
    lsp::CompletionItem {
        label: it.label,
        // Some clients filter an item with an edit only by this.
        filter_text: Some(it.filter),
        kind: Some(kind(it.kind)),
        detail: it.detail,
        documentation,
        data,
        // The order is that of relevance, not of the labels.
        sort_text: Some(format!("{rank:04}")),
        insert_text_format: format,
        text_edit: Some(match client.insert_replace {
            true => lsp::CompletionTextEdit::InsertAndReplace(lsp::InsertReplaceEdit {
                new_text,
                insert,
                replace,
            }),
            false => lsp::CompletionTextEdit::Edit(lsp::TextEdit::new(replace, new_text)),
        }),
        ..Default::default()
    }
}

/// Kinds that every client knows.
fn kind(kind: CompletionKind) -> lsp::CompletionItemKind {
    match kind {
        CompletionKind::Type | CompletionKind::Keyword => lsp::CompletionItemKind::KEYWORD,
        CompletionKind::Structure => lsp::CompletionItemKind::SNIPPET,
        CompletionKind::Parameter => lsp::CompletionItemKind::VARIABLE,
        CompletionKind::Field => lsp::CompletionItemKind::FIELD,
        CompletionKind::Tool | CompletionKind::Function => lsp::CompletionItemKind::FUNCTION,
        CompletionKind::Key => lsp::CompletionItemKind::PROPERTY,
        CompletionKind::Rule => lsp::CompletionItemKind::VALUE,
    }
}

/// The source of an item's documentation; the client keeps it until the item is resolved.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Source {
    /// A type word and the name of an edition.
    Type(String, String),
    /// The code of a rule.
    Rule(String),
}

impl Source {
    fn of(documentation: &Documentation) -> Option<Self> {
        match documentation {
            Documentation::Type(primitive, edition) => Some(Self::Type(
                primitive.word().to_owned(),
                edition.name().to_owned(),
            )),
            Documentation::Rule(code) => Some(Self::Rule((*code).to_owned())),
            Documentation::Text(_) => None,
        }
    }

    fn documentation(self) -> Option<Documentation> {
        match self {
            Self::Type(word, edition) => {
                let mut all = Primitive::ALL.into_iter();
                let primitive = all.find(|it| it.word() == word)?;
                let edition: Edition = edition.parse().ok()?;
                Some(Documentation::Type(primitive, edition))
            }
            Self::Rule(code) => Some(Documentation::Rule(ide::rules::by_code(&code)?.code)),
        }
    }
}

/// `item` with its documentation.
pub(in crate::server) fn completion_resolve(
    client: &Client,
    mut item: lsp::CompletionItem,
) -> lsp::CompletionItem {
    let source = item
        .data
        .clone()
        .and_then(|it| serde_json::from_value::<Source>(it).ok());
    if let Some(found) = source.and_then(Source::documentation) {
        item.documentation = Some(documentation(client, &found.markdown()));
    }
    item
}

fn documentation(client: &Client, markdown: &str) -> lsp::Documentation {
    lsp::Documentation::MarkupContent(markup(client.completion_markdown, markdown))
}
