//! `textDocument/codeAction`.

use std::collections::BTreeMap;

use foldhash::HashSet;
use serde_json::json;
use tower_lsp::ls_types as lsp;

use super::{diagnostics::diagnostic, workspace_edit};
use crate::server::{client::Client, document::Snapshot};
use signature_ls_analysis::ide;
use signature_ls_source::order;

/// The kind of the action that applies all safe fixes of a document.
const FIX_ALL: lsp::CodeActionKind = lsp::CodeActionKind::new("source.fixAll.signature-ls");

/// The command that applies an edit, for clients without action literals.
pub(in crate::server) const APPLY_EDIT: &str = "signature-ls.applyEdit";

/// The announced kinds.
pub(in crate::server) fn code_action_kinds() -> Vec<lsp::CodeActionKind> {
    let (fix, rewrite) = (
        lsp::CodeActionKind::QUICKFIX,
        lsp::CodeActionKind::REFACTOR_REWRITE,
    );
    vec![fix, rewrite, FIX_ALL]
}

/// The actions at `params.range`: fixes of its diagnostics, refactorings, and the fixes of all diagnostics if the
/// client asks for them.
pub(in crate::server) fn code_actions(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::CodeActionParams,
) -> Option<lsp::CodeActionResponse> {
    // An empty list of kinds means no actions.
    let only = params.context.only.as_deref().filter(|it| !it.is_empty());
    let wants = |kind: lsp::CodeActionKind| only.is_none_or(|only| asks_for(only, &kind));
    let mut actions = Vec::new();
    if wants(lsp::CodeActionKind::QUICKFIX) {
        actions.extend(quick_fixes(client, snapshot, params));
    }
    if wants(lsp::CodeActionKind::REFACTOR_REWRITE) {
        let offset = client.encoding.offset(snapshot.text(), params.range.start);
        let offers = ide::offers(&snapshot.document, offset).into_iter();
        let (found, unavailable): (Vec<_>, Vec<_>) = offers.partition(Result::is_ok);
        let found = found.into_iter().flatten();
        actions.extend(found.filter_map(|it| refactoring(client, snapshot, params, it)));
        // In a list of everything that can be done, they would only be in the way.
        if only.is_some() && client.disables_actions {
            actions.extend(
                unavailable
                    .into_iter()
                    .filter_map(Result::err)
                    .map(disabled),
            );
        }
    }
    let mut actions = without_repeated(actions);
    if only.is_some_and(|only| asks_for(only, &FIX_ALL)) {
        actions.extend(fix_all(client, snapshot, &params.text_document.uri));
    }
    let is_none = actions.is_empty();
    let actions = actions.into_iter().map(|it| literal_or_command(client, it));
    (!is_none).then(|| actions.collect())
}

/// The first of the actions with each edit, for all that they are for.
fn without_repeated(actions: Vec<lsp::CodeAction>) -> Vec<lsp::CodeAction> {
    let mut kept: Vec<lsp::CodeAction> = Vec::new();
    for action in actions {
        let mut same = kept.iter_mut();
        match same.find(|it| it.edit.is_some() && it.edit == action.edit) {
            Some(same) => {
                same.is_preferred = same.is_preferred.or(action.is_preferred);
                let others = action.diagnostics.into_iter().flatten();
                same.diagnostics.get_or_insert_default().extend(others);
            }
            None => kept.push(action),
        }
    }
    kept
}

pub(super) fn literal_or_command(
    client: &Client,
    action: lsp::CodeAction,
) -> lsp::CodeActionOrCommand {
    if client.action_literals {
        return lsp::CodeActionOrCommand::CodeAction(action);
    }
    let edit = serde_json::to_value(action.edit).unwrap_or_default();
    lsp::Command::new(action.title, APPLY_EDIT.to_owned(), Some(vec![edit])).into()
}

fn refactoring(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::CodeActionParams,
    found: ide::Refactoring,
) -> Option<lsp::CodeAction> {
    let uri = &params.text_document.uri;
    let is_shared = || {
        let offset = client.encoding.offset(snapshot.text(), params.range.start);
        !ide::shared_by_rename(&snapshot.document, offset).is_empty()
    };
    let action = lsp::CodeAction {
        title: found.title,
        kind: Some(lsp::CodeActionKind::REFACTOR_REWRITE),
        ..Default::default()
    };
    match found.new_name.filter(|_| is_shared()) {
        None => Some(lsp::CodeAction {
            edit: Some(workspace_edit(client, snapshot, uri, &found.edits)),
            ..action
        }),
        // Other files are only read if the user chooses it.
        Some(new_name) if client.resolves_actions => Some(lsp::CodeAction {
            data: Some(json!({"uri": uri, "rename": lsp::RenameParams {
                text_document_position: lsp::TextDocumentPositionParams {
                    text_document: params.text_document.clone(),
                    position: params.range.start,
                },
                new_name,
                work_done_progress_params: lsp::WorkDoneProgressParams::default(),
            }})),
            ..action
        }),
        Some(_) => None,
    }
}

/// A refactoring that nearly applies, disabled with the reason.
fn disabled(it: ide::Unavailable) -> lsp::CodeAction {
    lsp::CodeAction {
        title: it.title,
        kind: Some(lsp::CodeActionKind::REFACTOR_REWRITE),
        disabled: Some(lsp::CodeActionDisabled { reason: it.reason }),
        ..Default::default()
    }
}

/// The action that fixes all findings of a rule; its edit is resolved lazily if the client supports that.
fn fix_all_of(
    client: &Client,
    snapshot: &Snapshot,
    uri: &lsp::Uri,
    code: &str,
) -> Option<lsp::CodeAction> {
    let action = lsp::CodeAction {
        title: format!("Fix all `{code}` in this file"),
        kind: Some(lsp::CodeActionKind::QUICKFIX),
        data: Some(json!({"uri": uri, "code": code})),
        ..Default::default()
    };
    match client.resolves_actions {
        true => Some(action),
        false => {
            let action = code_action_resolve(client, snapshot, action);
            action.edit.is_some().then_some(action)
        }
    }
}

/// The document of an action without an edit.
pub(in crate::server) fn document_of_action(action: &lsp::CodeAction) -> Option<lsp::Uri> {
    serde_json::from_value(action.data.as_ref()?.get("uri")?.clone()).ok()
}

/// The rename that an action without an edit makes.
pub(in crate::server) fn rename_of_action(action: &lsp::CodeAction) -> Option<lsp::RenameParams> {
    serde_json::from_value(action.data.as_ref()?.get("rename")?.clone()).ok()
}

/// The action with its edit.
pub(in crate::server) fn code_action_resolve(
    client: &Client,
    snapshot: &Snapshot,
    mut action: lsp::CodeAction,
) -> lsp::CodeAction {
    let uri = document_of_action(&action);
    let code = action.data.as_ref().and_then(|it| it.get("code")?.as_str());
    if let (Some(uri), Some(code)) = (uri, code) {
        let edits = ide::fix_all_of(&snapshot.document, code);
        action.edit = (!edits.is_empty()).then(|| workspace_edit(client, snapshot, &uri, &edits));
    }
    action
}

/// Whether one of the kinds `only` is `kind` or one that contains it: `source` contains `source.fixAll`.
pub(super) fn asks_for(only: &[lsp::CodeActionKind], kind: &lsp::CodeActionKind) -> bool {
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
    let uri = &params.text_document.uri;
    let found = ide::quick_fixes(&snapshot.document, range);
    let fixes = found.iter().flat_map(|found| {
        let fixes = found.fixes.iter().enumerate();
        fixes.map(move |(index, fix)| (index == 0 && fix.safe, found, fix))
    });
    let mut fixes: Vec<_> = fixes.collect();
    // Some editors show the actions in this order.
    order::by_number(&mut fixes, |(is_preferred, found, _)| {
        let rank = ide::Severity::Error as u8 - found.severity as u8;
        if *is_preferred { 0 } else { 1 + rank }
    });
    let fixes = fixes.into_iter();
    let fixes = fixes.map(|(is_preferred, found, fix)| lsp::CodeAction {
        title: fix.title.clone(),
        kind: Some(lsp::CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic(client, text, uri, found)]),
        edit: Some(workspace_edit(client, snapshot, uri, &fix.edits)),
        is_preferred: (client.prefers_actions && is_preferred).then_some(true),
        ..Default::default()
    });
    let mut actions: Vec<_> = fixes.collect();
    let fixed = found.iter().filter(|it| it.has_safe_fix());
    let mut codes: Vec<_> = fixed.map(|it| it.rule.code).collect();
    let mut seen = HashSet::default();
    codes.retain(|code| seen.insert(*code));
    let fixable = match codes.is_empty() {
        true => BTreeMap::new(),
        false => ide::fixable(&snapshot.document),
    };
    codes.retain(|code| fixable.get(code).is_some_and(|count| *count > 1));
    let of_kinds = codes
        .iter()
        .filter_map(|code| fix_all_of(client, snapshot, uri, code));
    actions.extend(of_kinds);
    let ignored = ide::ignored_on_lines(&snapshot.document, &found).into_iter();
    let ignored = ignored.map(|(found, fix)| lsp::CodeAction {
        title: fix.title,
        kind: Some(lsp::CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic(client, text, uri, found)]),
        edit: Some(workspace_edit(client, snapshot, uri, &fix.edits)),
        ..Default::default()
    });
    actions.extend(ignored);
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
