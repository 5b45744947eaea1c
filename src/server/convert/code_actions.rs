//! `textDocument/codeAction`.

use tower_lsp::ls_types as lsp;

use super::{diagnostics::diagnostic, workspace_edit};
use crate::{
    ide,
    server::{capabilities::Client, document::Snapshot},
};

/// The kind of the action that applies all safe fixes of a document.
pub(in crate::server) const FIX_ALL: lsp::CodeActionKind =
    lsp::CodeActionKind::new("source.fixAll.signature-ls");

/// The fixes of what was found in `params.range`, or where the client asks for it, of all that was found.
pub(in crate::server) fn code_actions(
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
    let mut actions = Vec::new();
    for found in ide::quick_fixes(&snapshot.document, range) {
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
    let edits = ide::fix_all(&snapshot.document);
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
