//! Editor features for `signature-ls.toml`.

use tower_lsp::ls_types as lsp;

use super::{
    code_actions::{asks_for, literal_or_command},
    diagnostics::report,
    edits_of,
    hover::markup,
    text_edits,
};
use crate::{
    server::{client::Client, settings_files::SettingsFile},
    workspace::settings_file::{self, Mistake, Proposal},
};

/// The mistakes in a settings file.
pub(in crate::server) fn settings_diagnostics(
    client: &Client,
    file: &SettingsFile,
) -> Vec<lsp::Diagnostic> {
    let mistakes = settings_file::check_file(&file.content());
    mistakes
        .iter()
        .map(|it| diagnostic(client, file, it))
        .collect()
}

fn diagnostic(client: &Client, file: &SettingsFile, mistake: &Mistake) -> lsp::Diagnostic {
    lsp::Diagnostic {
        range: client.encoding.range(&file.text, mistake.range),
        severity: Some(lsp::DiagnosticSeverity::ERROR),
        source: Some(env!("CARGO_PKG_NAME").to_owned()),
        message: mistake.message.clone(),
        ..Default::default()
    }
}

/// The same for a client that pulls diagnostics.
pub(in crate::server) fn settings_report(
    client: &Client,
    file: &SettingsFile,
    previous: Option<&str>,
) -> lsp::DocumentDiagnosticReport {
    report(settings_diagnostics(client, file), previous)
}

/// The completions in a settings file.
pub(in crate::server) fn settings_completion(
    client: &Client,
    file: &SettingsFile,
    params: &lsp::CompletionParams,
) -> Option<lsp::CompletionResponse> {
    let position = params.text_document_position.position;
    let offset = client.encoding.offset(&file.text, position);
    let found = settings_file::complete(&file.content(), offset)?;
    let range = client.encoding.range(&file.text, found.replaced);
    let items = found.items.into_iter().enumerate();
    let items = items
        .map(|(rank, it)| item(client, it, rank, range))
        .collect();
    Some(lsp::CompletionResponse::List(lsp::CompletionList {
        is_incomplete: false,
        items,
    }))
}

fn item(client: &Client, it: Proposal, rank: usize, range: lsp::Range) -> lsp::CompletionItem {
    let documentation = markup(client.completion_markdown, &it.about);
    lsp::CompletionItem {
        label: it.label,
        filter_text: Some(it.text.clone()),
        kind: Some(match it.is_value {
            true => lsp::CompletionItemKind::VALUE,
            false => lsp::CompletionItemKind::PROPERTY,
        }),
        documentation: Some(lsp::Documentation::MarkupContent(documentation)),
        sort_text: Some(format!("{rank:04}")),
        text_edit: Some(lsp::CompletionTextEdit::Edit(lsp::TextEdit::new(
            range, it.text,
        ))),
        ..Default::default()
    }
}

/// The setting at a position.
pub(in crate::server) fn settings_hover(
    client: &Client,
    file: &SettingsFile,
    params: &lsp::HoverParams,
) -> Option<lsp::Hover> {
    let position = params.text_document_position_params.position;
    let offset = client.encoding.offset(&file.text, position);
    let hover = settings_file::hover(&file.content(), offset)?;
    let contents = markup(client.hover_markdown, &hover.markdown);
    Some(lsp::Hover {
        contents: lsp::HoverContents::Markup(contents),
        range: Some(client.encoding.range(&file.text, hover.range)),
    })
}

/// The fixes of the mistakes in a range.
pub(in crate::server) fn settings_actions(
    client: &Client,
    file: &SettingsFile,
    params: &lsp::CodeActionParams,
) -> Option<lsp::CodeActionResponse> {
    let only = params.context.only.as_deref().filter(|it| !it.is_empty());
    if only.is_some_and(|only| !asks_for(only, &lsp::CodeActionKind::QUICKFIX)) {
        return None;
    }
    let range = client.encoding.text_range(&file.text, params.range);
    let mistakes = settings_file::check_file(&file.content());
    let touched = mistakes
        .iter()
        .filter(|it| it.range.intersect(range).is_some());
    let actions = touched.flat_map(|mistake| {
        mistake.fixes.iter().map(|fix| {
            let edits = text_edits(client, &file.text, &fix.edits);
            let action = lsp::CodeAction {
                title: fix.title.clone(),
                kind: Some(lsp::CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic(client, file, mistake)]),
                edit: Some(edits_of(client, &file.uri, Some(file.version), edits)),
                ..Default::default()
            };
            literal_or_command(client, action)
        })
    });
    let actions: Vec<_> = actions.collect();
    (!actions.is_empty()).then_some(actions)
}
