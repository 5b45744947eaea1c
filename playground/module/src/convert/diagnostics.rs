//! Diagnostics.

use serde::Serialize;
use signature_ls_analysis::ide::{self, Document, Severity};

use crate::positions::{Range, range};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Diagnostic {
    #[serde(flatten)]
    range: Range,
    severity: &'static str,
    code: &'static str,
    message: String,
    /// Other places that the message refers to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<Related>,
    /// Whether the text can be removed.
    is_unnecessary: bool,
}

#[derive(Serialize)]
struct Related {
    #[serde(flatten)]
    range: Range,
    message: String,
}

/// All findings of a document, in the order of the text.
pub(crate) fn diagnostics(document: &Document) -> Vec<Diagnostic> {
    let found = document.diagnostics().into_iter();
    found.map(|it| diagnostic(document, it)).collect()
}

fn diagnostic(document: &Document, found: ide::Diagnostic) -> Diagnostic {
    let related = found.related.into_iter().map(|it| Related {
        range: range(document.text(), it.range),
        message: it.message,
    });
    Diagnostic {
        related: related.collect(),
        is_unnecessary: found.rule.is_unnecessary(),
        range: range(document.text(), found.range),
        severity: severity(found.severity),
        code: found.rule.code,
        message: found.message,
    }
}

/// The names of the editor component.
pub(super) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}
