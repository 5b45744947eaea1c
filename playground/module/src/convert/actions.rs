//! Quick fixes and refactorings.

use serde::Serialize;
use signature_ls_analysis::ide::{self, Document};
use signature_ls_source::text::{TextEdit, TextRange};

use crate::positions::{Change, changes};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Action {
    title: String,
    kind: Kind,
    /// The rule whose finding it fixes.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    changes: Vec<Change>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Kind {
    Fix,
    Refactoring,
    Ignore,
}

/// The actions at `range`, in the order of a menu.
pub(super) fn actions(document: &Document, range: TextRange) -> Vec<Action> {
    let action = |title, kind, code, edits: &[TextEdit]| Action {
        title,
        kind,
        code,
        changes: changes(document.text(), edits),
    };
    let found = ide::quick_fixes(document, range);
    let mut actions = Vec::new();
    for found in &found {
        let code = Some(found.rule.code);
        let fixes = found.fixes.iter();
        actions.extend(fixes.map(|it| action(it.title.clone(), Kind::Fix, code, &it.edits)));
    }
    for it in ide::refactorings(document, range.start()) {
        actions.push(action(it.title, Kind::Refactoring, None, &it.edits));
    }
    for (found, fix) in ide::ignored_on_lines(document, &found) {
        let code = Some(found.rule.code);
        actions.push(action(fix.title, Kind::Ignore, code, &fix.edits));
    }
    actions
}
