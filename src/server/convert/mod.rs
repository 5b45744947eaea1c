//! Converts the results of `ide` to types of the protocol: one adapter file per feature.
//!
//! An adapter is a function of the client, a snapshot and the request's parameters. It becomes a request with a line
//! in `handlers`, and is announced with a line in `capabilities`.

mod call_hierarchy;
mod code_actions;
mod commands;
mod completion;
mod diagnostics;
mod distant;
mod folding;
mod formatting;
mod hover;
mod inlay_hints;
mod lenses;
mod links;
mod navigation;
mod preview;
mod rename;
mod selection;
mod semantic_tokens;
mod settings_file;
mod signature_help;
mod symbols;
mod workspace_diagnostics;
mod workspace_symbols;

/// The number of places in an answer. Nobody looks at more, and a prompt of 1 MB may use a name 150,000 times.
const MOST_PLACES: usize = 5_000;

pub(super) use call_hierarchy::{incoming_calls, outgoing_calls, prepare_call_hierarchy};
pub(super) use code_actions::{
    APPLY_EDIT, code_action_kinds, code_action_resolve, code_actions, document_of_action,
    rename_of_action,
};
pub(super) use commands::{Command, commands};
pub(super) use completion::{
    completion, completion_extent, completion_options, completion_resolve, may_call_others,
};
pub(super) use diagnostics::{carrying, diagnostic_report, rendered};
pub(super) use distant::{Located, located};
pub(super) use folding::folding_range;
pub(super) use formatting::{formatting, range_formatting};
pub(super) use hover::{hover, hover_is_elsewhere};
pub(super) use inlay_hints::inlay_hint;
pub(super) use lenses::{code_lens, code_lens_resolve, counted_place, place_of_lens};
pub(super) use links::document_link;
pub(super) use navigation::{
    definition, definition_is_elsewhere, document_highlight, is_shared, references, type_definition,
};
pub(super) use preview::{Preview, PreviewParams, preview};
pub(super) use rename::{is_shared_by_rename, linked_editing_range, prepare_rename, rename};
pub(super) use selection::selection_range;
pub(super) use semantic_tokens::{
    SentTokens, semantic_tokens_full, semantic_tokens_full_delta, semantic_tokens_options,
    semantic_tokens_range,
};
pub(super) use settings_file::{
    settings_actions, settings_completion, settings_diagnostics, settings_hover, settings_report,
};
pub(super) use signature_help::{signature_help, signature_help_options};
pub(super) use symbols::document_symbol;
pub(super) use workspace_diagnostics::{Results, workspace_diagnostic};
pub(super) use workspace_symbols::workspace_symbol;

use tower_lsp::ls_types as lsp;

use super::{client::Client, document::Snapshot};
use signature_ls_source::text::{Text, TextEdit, TextRange};

/// The edits of `text`, with its line ends.
fn text_edits(client: &Client, text: &Text, edits: &[TextEdit]) -> Vec<lsp::TextEdit> {
    let edits = edits.iter().map(|edit| {
        let insert = text.with_line_ends(&edit.insert).into_owned();
        lsp::TextEdit::new(client.encoding.range(text, edit.range), insert)
    });
    edits.collect()
}

fn workspace_edit(
    client: &Client,
    snapshot: &Snapshot,
    uri: &lsp::Uri,
    edits: &[TextEdit],
) -> lsp::WorkspaceEdit {
    let edits = text_edits(client, snapshot.text(), edits);
    edits_of(client, uri, snapshot.version, edits)
}

/// The edits of one document at `version`.
fn edits_of(
    client: &Client,
    uri: &lsp::Uri,
    version: Option<i32>,
    edits: Vec<lsp::TextEdit>,
) -> lsp::WorkspaceEdit {
    edit_of_all(client, vec![(uri.clone(), version, edits)])
}

/// The edits of several documents, each with its version.
fn edit_of_all(
    client: &Client,
    edits: Vec<(lsp::Uri, Option<i32>, Vec<lsp::TextEdit>)>,
) -> lsp::WorkspaceEdit {
    let edits = edits.into_iter();
    if !client.versioned_edits {
        let changes = edits.map(|(uri, _, edits)| (uri, edits));
        return lsp::WorkspaceEdit::new(changes.collect());
    }
    let edits = edits.map(|(uri, version, edits)| lsp::TextDocumentEdit {
        text_document: lsp::OptionalVersionedTextDocumentIdentifier { uri, version },
        edits: edits.into_iter().map(lsp::OneOf::Left).collect(),
    });
    lsp::WorkspaceEdit {
        document_changes: Some(lsp::DocumentChanges::Edits(edits.collect())),
        ..Default::default()
    }
}

/// The edit for a content change of the client in `text`.
pub(super) fn text_edit(
    client: &Client,
    text: &Text,
    change: lsp::TextDocumentContentChangeEvent,
) -> TextEdit {
    let range = match change.range {
        Some(range) => client.encoding.text_range(text, range),
        None => TextRange::up_to(text.len()),
    };
    TextEdit::replace(range, change.text)
}
