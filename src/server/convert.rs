//! From the plain results of `ide` to the types of the protocol.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::LazyLock,
};

use serde_json::{
    json,
    value::{RawValue, to_raw_value},
};
use tower_lsp::ls_types as lsp;

use super::{capabilities::Client, document::Snapshot};
use crate::{
    host::HostKind,
    ide::{self, Severity},
    text::{Text, TextEdit, TextRange},
};

/// The kind of the action that applies all safe fixes of a document.
pub(super) const FIX_ALL: lsp::CodeActionKind =
    lsp::CodeActionKind::new("source.fixAll.signature-ls");

/// Where the rules are described, each under its code.
const RULES_PAGE: &str = concat!(
    "https://docs.rs/crate/",
    env!("CARGO_PKG_NAME"),
    "/",
    env!("CARGO_PKG_VERSION"),
    "/source/docs/rules.md",
);

/// The places of the rules on that page, by code.
static LINKS: LazyLock<HashMap<&str, lsp::CodeDescription>> = LazyLock::new(|| {
    let link = |code| {
        let href = format!("{RULES_PAGE}#{code}").parse().ok()?;
        Some((code, lsp::CodeDescription { href }))
    };
    ide::rules::all().filter_map(|it| link(it.code)).collect()
});

/// All findings of a document.
fn diagnostics(client: &Client, snapshot: &Snapshot) -> Vec<lsp::Diagnostic> {
    snapshot
        .document
        .diagnostics()
        .iter()
        .map(|found| diagnostic(client, snapshot.text(), found))
        .collect()
}

/// A finding as it is sent.
pub(super) fn rendered(client: &Client, text: &Text, found: &ide::Diagnostic) -> Box<RawValue> {
    // What has only texts and numbers in it can be written as JSON.
    to_raw_value(&diagnostic(client, text, found)).unwrap_or_default()
}

fn diagnostic(client: &Client, text: &Text, found: &ide::Diagnostic) -> lsp::Diagnostic {
    let code = found.rule.code;
    lsp::Diagnostic {
        range: client.encoding.range(text, found.range),
        severity: Some(severity(found.severity)),
        code: Some(lsp::NumberOrString::String(code.to_owned())),
        code_description: LINKS.get(code).cloned(),
        source: Some(env!("CARGO_PKG_NAME").to_owned()),
        message: found.message.clone(),
        related_information: None,
        tags: is_unnecessary(found).then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
        data: fixes_as_data(client, text, &found.fixes),
    }
}

/// Editors fade out what could go; rules of that kind are named `unused-…`.
fn is_unnecessary(found: &ide::Diagnostic) -> bool {
    found.rule.code.starts_with("unused-")
}

fn severity(severity: Severity) -> lsp::DiagnosticSeverity {
    match severity {
        Severity::Error => lsp::DiagnosticSeverity::ERROR,
        Severity::Warning => lsp::DiagnosticSeverity::WARNING,
        Severity::Hint => lsp::DiagnosticSeverity::HINT,
    }
}

/// The fixes themselves, for programs that read diagnostics and ask for no code actions.
fn fixes_as_data(client: &Client, text: &Text, fixes: &[ide::Fix]) -> Option<serde_json::Value> {
    if fixes.is_empty() {
        return None;
    }
    let fixes: Vec<_> = fixes
        .iter()
        .map(|fix| {
            json!({
                "title": fix.title,
                "safe": fix.safe,
                "edits": text_edits(client, text, &fix.edits),
            })
        })
        .collect();
    Some(json!({ "fixes": fixes }))
}

fn text_edits(client: &Client, text: &Text, edits: &[TextEdit]) -> Vec<lsp::TextEdit> {
    edits
        .iter()
        .map(|edit| {
            lsp::TextEdit::new(client.encoding.range(text, edit.range), edit.insert.clone())
        })
        .collect()
}

/// The answer to a client that asks for the diagnostics of a document.
///
/// The name of a result is made of the result, so that it stays the same until an edit changes it.
pub(super) fn diagnostic_report(
    client: &Client,
    snapshot: &Snapshot,
    previous: Option<&str>,
) -> lsp::DocumentDiagnosticReport {
    let items = diagnostics(client, snapshot);
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(&items)
        .unwrap_or_default()
        .hash(&mut hasher);
    let result_id = format!("{:016x}", hasher.finish());
    if previous == Some(result_id.as_str()) {
        return lsp::RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: lsp::UnchangedDocumentDiagnosticReport {
                result_id,
            },
        }
        .into();
    }
    lsp::RelatedFullDocumentDiagnosticReport {
        related_documents: None,
        full_document_diagnostic_report: lsp::FullDocumentDiagnosticReport {
            result_id: Some(result_id),
            items,
        },
    }
    .into()
}

/// What stands at `position`.
pub(super) fn hover(
    client: &Client,
    snapshot: &Snapshot,
    position: lsp::Position,
) -> Option<lsp::Hover> {
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

/// The edits that format a catalog; nothing for other documents.
pub(super) fn formatting(client: &Client, snapshot: &Snapshot) -> Option<Vec<lsp::TextEdit>> {
    let is_ours = snapshot.document.host().kind() == HostKind::Catalog;
    is_ours.then(|| text_edits(client, snapshot.text(), &ide::format(&snapshot.document)))
}

/// The fixes of what was found in `params.range`, or where the client asks for it, of all that was found.
pub(super) fn code_actions(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::CodeActionParams,
) -> Option<lsp::CodeActionResponse> {
    let only = params.context.only.as_deref();
    let mut actions = Vec::new();
    if only.is_none_or(|only| asks_for(only, &lsp::CodeActionKind::QUICKFIX)) {
        actions.extend(quick_fixes(client, snapshot, params));
    }
    if only.is_some_and(|only| asks_for(only, &FIX_ALL)) {
        actions.extend(fix_all(client, snapshot, &params.text_document.uri));
    }
    let is_none = actions.is_empty();
    let actions = actions
        .into_iter()
        .map(lsp::CodeActionOrCommand::CodeAction);
    (!is_none).then(|| actions.collect())
}

/// Whether one of the kinds `only` is `kind` or one that contains it: `source` contains `source.fixAll`.
fn asks_for(only: &[lsp::CodeActionKind], kind: &lsp::CodeActionKind) -> bool {
    only.iter().any(|asked| {
        let rest = kind.as_str().strip_prefix(asked.as_str());
        rest.is_some_and(|rest| {
            rest.is_empty() || asked.as_str().is_empty() || rest.starts_with('.')
        })
    })
}

fn quick_fixes(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::CodeActionParams,
) -> Vec<lsp::CodeAction> {
    let text = snapshot.text();
    let range = client.encoding.text_range(text, params.range);
    let touched = |found: &ide::Diagnostic| found.range.intersect(range).is_some();
    let mut actions = Vec::new();
    for found in snapshot.document.diagnostics().into_iter().filter(touched) {
        for (index, fix) in found.fixes.iter().enumerate() {
            actions.push(lsp::CodeAction {
                title: fix.title.clone(),
                kind: Some(lsp::CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic(client, text, &found)]),
                edit: Some(workspace_edit(
                    client,
                    snapshot,
                    &params.text_document.uri,
                    &fix.edits,
                )),
                is_preferred: (index == 0 && fix.safe).then_some(true),
                ..Default::default()
            });
        }
    }
    actions
}

fn fix_all(client: &Client, snapshot: &Snapshot, uri: &lsp::Uri) -> Option<lsp::CodeAction> {
    let edits = ide::safe_edits(snapshot.document.diagnostics());
    if edits.is_empty() {
        return None;
    }
    Some(lsp::CodeAction {
        title: "Apply all safe fixes of signatures and prompts".to_owned(),
        kind: Some(FIX_ALL),
        edit: Some(workspace_edit(client, snapshot, uri, &edits)),
        ..Default::default()
    })
}

fn workspace_edit(
    client: &Client,
    snapshot: &Snapshot,
    uri: &lsp::Uri,
    edits: &[TextEdit],
) -> lsp::WorkspaceEdit {
    let edits = text_edits(client, snapshot.text(), edits);
    if !client.versioned_edits {
        return lsp::WorkspaceEdit::new([(uri.clone(), edits)].into());
    }
    let edit = lsp::TextDocumentEdit {
        text_document: lsp::OptionalVersionedTextDocumentIdentifier {
            uri: uri.clone(),
            version: snapshot.version,
        },
        edits: edits.into_iter().map(lsp::OneOf::Left).collect(),
    };
    lsp::WorkspaceEdit {
        document_changes: Some(lsp::DocumentChanges::Edits(vec![edit])),
        ..Default::default()
    }
}

/// The edit that a change of the client makes in `text`.
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
