//! What is wrong.

use serde::Serialize;
use signature_ls::ide::{self, Document, Severity};

use crate::positions::{Range, range};

#[derive(Serialize)]
pub(crate) struct Diagnostic {
    #[serde(flatten)]
    range: Range,
    severity: &'static str,
    code: &'static str,
    message: String,
}

/// All findings of a document, in the order of the text.
pub(crate) fn diagnostics(document: &Document) -> Vec<Diagnostic> {
    let found = document.diagnostics().into_iter();
    found.map(|it| diagnostic(document, it)).collect()
}

fn diagnostic(document: &Document, found: ide::Diagnostic) -> Diagnostic {
    Diagnostic {
        range: range(document.text(), found.range),
        severity: severity(found.severity),
        code: found.rule.code,
        message: found.message,
    }
}

/// The words of the editor component.
pub(super) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}
