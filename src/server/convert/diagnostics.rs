//! Diagnostics: published and pulled.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::LazyLock,
};

use foldhash::HashMap;
use serde_json::{
    json,
    value::{RawValue, to_raw_value},
};
use tower_lsp::ls_types as lsp;

use super::{
    distant::{Located, declarations, located},
    text_edits,
};
use crate::server::{client::Client, document::Snapshot};
use signature_ls_analysis::ide::{self, Document, Severity};
use signature_ls_source::text::Text;

/// The address of the published manual, if the build knows it.
const MANUAL: Option<&str> = option_env!("SIGNATURE_LS_MANUAL");

/// The address of the pages in the sources, which every published version has.
const SOURCES: &str = concat!(
    "https://docs.rs/crate/",
    env!("CARGO_PKG_NAME"),
    "/",
    env!("CARGO_PKG_VERSION"),
    "/source/docs/rules/",
);

/// The address of the page of a rule.
fn page(manual: Option<&str>, code: &str) -> String {
    match manual {
        Some(manual) => format!("{}/rules/{code}.html", manual.trim_end_matches('/')),
        None => format!("{SOURCES}{code}.md"),
    }
}

/// The addresses of the pages by code.
static LINKS: LazyLock<HashMap<&str, lsp::CodeDescription>> = LazyLock::new(|| {
    let link = |code| {
        let href = page(MANUAL, code).parse().ok()?;
        Some((code, lsp::CodeDescription { href }))
    };
    ide::rules::all().filter_map(|it| link(it.code)).collect()
});

/// The address of the page for a code.
pub(super) fn rule_page(code: &str) -> Option<&'static lsp::CodeDescription> {
    LINKS.get(code)
}

/// All findings of a document, given the places of their declarations in other files.
pub(super) fn diagnostics(
    client: &Client,
    document: &Document,
    uri: &lsp::Uri,
    located: &Located,
) -> Vec<lsp::Diagnostic> {
    let carrying = carrying(client, document);
    let found = document.diagnostics().into_iter();
    let found =
        found.map(|found| with_fixes(client, document.text(), uri, found, (carrying, located)));
    found.collect()
}

/// The document, if its diagnostics carry their fixes.
pub(in crate::server) fn carrying<'a>(
    client: &Client,
    document: &'a Document,
) -> Option<&'a Document> {
    (client.diagnostics.data && ide::carries_fixes(document)).then_some(document)
}

/// A diagnostic in protocol form, with those of its fixes that the document accepts, and with its places in other
/// files that are known.
pub(in crate::server) fn rendered(
    client: &Client,
    text: &Text,
    uri: &lsp::Uri,
    found: &ide::Diagnostic,
    known: (Option<&Document>, &Located),
) -> Box<RawValue> {
    // Values that consist of texts and numbers can be written as JSON.
    to_raw_value(&with_fixes(client, text, uri, found.clone(), known)).unwrap_or_default()
}

fn with_fixes(
    client: &Client,
    text: &Text,
    uri: &lsp::Uri,
    mut found: ide::Diagnostic,
    (carrying, located): (Option<&Document>, &Located),
) -> lsp::Diagnostic {
    match carrying {
        Some(document) => ide::keep_carried(document, &mut found),
        None => found.fixes.clear(),
    }
    let mut converted = diagnostic(client, text, uri, &found);
    let distant = found.distant.into_iter().filter_map(|it| {
        Some(lsp::DiagnosticRelatedInformation {
            location: located.get(&it.declaration)?.clone(),
            message: it.message,
        })
    });
    let distant: Vec<_> = distant.filter(|_| client.diagnostics.related).collect();
    if !distant.is_empty() {
        converted
            .related_information
            .get_or_insert_default()
            .extend(distant);
    }
    converted
}

pub(super) fn diagnostic(
    client: &Client,
    text: &Text,
    uri: &lsp::Uri,
    found: &ide::Diagnostic,
) -> lsp::Diagnostic {
    let code = found.rule.code;
    let parts = client.diagnostics;
    let has_tag = parts.unnecessary && found.rule.is_unnecessary();
    lsp::Diagnostic {
        range: client.encoding.range(text, found.range),
        severity: Some(severity(found.severity)),
        code: Some(lsp::NumberOrString::String(code.to_owned())),
        code_description: rule_page(code).filter(|_| parts.link).cloned(),
        source: Some(env!("CARGO_PKG_NAME").to_owned()),
        message: found.message.clone(),
        related_information: related(client, text, uri, found).filter(|_| parts.related),
        tags: has_tag.then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
        data: fixes_as_data(client, text, &found.fixes).filter(|_| parts.data),
    }
}

/// The related locations of a finding.
fn related(
    client: &Client,
    text: &Text,
    uri: &lsp::Uri,
    found: &ide::Diagnostic,
) -> Option<Vec<lsp::DiagnosticRelatedInformation>> {
    let places = found.related.iter();
    let places = places.map(|it| lsp::DiagnosticRelatedInformation {
        location: lsp::Location::new(uri.clone(), client.encoding.range(text, it.range)),
        message: it.message.clone(),
    });
    (!found.related.is_empty()).then(|| places.collect())
}

fn severity(severity: Severity) -> lsp::DiagnosticSeverity {
    match severity {
        Severity::Error => lsp::DiagnosticSeverity::ERROR,
        Severity::Warning => lsp::DiagnosticSeverity::WARNING,
        Severity::Hint => lsp::DiagnosticSeverity::HINT,
    }
}

/// The fixes, for programs that read diagnostics but do not request code actions.
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

/// The id of a result: a hash, so that it only changes with the result.
pub(super) fn result_id(items: &[lsp::Diagnostic]) -> String {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(items)
        .unwrap_or_default()
        .hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The answer to a client that pulls the diagnostics of a document.
pub(in crate::server) fn diagnostic_report(
    client: &Client,
    snapshot: &Snapshot,
    uri: &lsp::Uri,
    previous: Option<&str>,
) -> lsp::DocumentDiagnosticReport {
    let document = &snapshot.document;
    let declarations = declarations(document);
    let located = match snapshot.here() {
        Some(here) => located(client, document, here.file, &snapshot.files, declarations),
        None => Located::default(),
    };
    report(diagnostics(client, document, uri, &located), previous)
}

/// A report of `items`.
pub(super) fn report(
    items: Vec<lsp::Diagnostic>,
    previous: Option<&str>,
) -> lsp::DocumentDiagnosticReport {
    let result_id = result_id(&items);
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_rule_has_a_page_in_the_manual_and_in_the_sources() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        let contents = std::fs::read_to_string(folder.join("SUMMARY.md")).expect("the contents");
        for rule in ide::rules::all() {
            let code = rule.code;
            // The published pages are those of the table of contents.
            assert!(contents.contains(&format!("(rules/{code}.md)")), "{code}");
            assert!(folder.join(format!("rules/{code}.md")).exists(), "{code}");
            assert!(LINKS.contains_key(code), "{code}");
        }
        let published = page(Some("https://user.github.io/project/"), "unknown-type");
        let expected = "https://user.github.io/project/rules/unknown-type.html";
        assert_eq!(published, expected);
        let sources = page(None, "unknown-type");
        assert!(
            sources.ends_with("/source/docs/rules/unknown-type.md"),
            "{sources}"
        );
    }
}
