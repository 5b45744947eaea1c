//! `workspace/diagnostic`: the diagnostics of all files, open or not.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};

use foldhash::HashMap;
use rayon::prelude::*;
use serde_json::json;
use tower_lsp::ls_types as lsp;

use super::{
    diagnostics::{diagnostics, result_id},
    distant::Located,
};
use crate::{
    panics::guarded,
    server::{client::Client, document::Files, outbox::Outbox},
    workspace::{FileId, ViewedFile},
};
use signature_ls_analysis::ide::{Answers, Document, Outline};
use signature_ls_source::cancel;

/// The number of reports in a partial result.
const REPORTS_PER_PART: usize = 64;

/// The last result id of each closed file, and what it depends on. A file is analyzed again only if that changes.
#[derive(Debug, Clone, Default)]
pub(in crate::server) struct Results(Arc<Mutex<HashMap<FileId, Known>>>);

#[derive(Debug, Clone)]
struct Known {
    /// It is built again whenever the file's text or settings change.
    outline: Arc<Outline>,
    answers: Arc<Answers>,
    result_id: String,
}

impl Results {
    fn get(&self, file: &ViewedFile, answers: &Answers) -> Option<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get(&file.file)?;
        let is_same = Arc::ptr_eq(&known.outline, &file.outline) && *known.answers == *answers;
        is_same.then(|| known.result_id.clone())
    }

    fn put(&self, file: &ViewedFile, answers: Arc<Answers>, result_id: String) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let result = Known {
            outline: Arc::clone(&file.outline),
            answers,
            result_id,
        };
        known.insert(file.file, result);
    }
}

/// The diagnostics of all files. They are sent to `outbox` in parts if the client asks for that.
pub(in crate::server) fn workspace_diagnostic(
    client: &Client,
    files: &Files,
    results: &Results,
    outbox: &Outbox,
    params: lsp::WorkspaceDiagnosticParams,
) -> lsp::WorkspaceDiagnosticReport {
    let previous = params.previous_result_ids.into_iter();
    let previous: HashMap<_, _> = previous.map(|it| (it.uri, it.value)).collect();
    let mut seen = BTreeSet::new();
    let mut items = Vec::new();
    let send = |items: &mut Vec<_>| {
        if let Some(token) = &params.partial_result_params.partial_result_token {
            let part = std::mem::take(items);
            outbox.notify(
                "$/progress",
                json!({"token": token, "value": {"items": part}}),
            );
        }
    };
    for some in files.view.files().chunks(REPORTS_PER_PART) {
        cancel::check();
        let reports = some.par_iter().filter_map(|file| {
            let uri = files.uri(file.file, &file.path)?;
            let previous = previous.get(&uri).map(String::as_str);
            let report = guarded(|| report(client, files, results, file, uri.clone(), previous));
            // After a panic, the client keeps what it has.
            let is_nothing = matches!(report, Some(None));
            (!is_nothing).then(|| (uri, report.flatten()))
        });
        let reports: Vec<_> = reports.collect();
        for (uri, report) in reports {
            seen.insert(uri.to_string());
            items.extend(report);
        }
        send(&mut items);
    }
    // A deleted file has no diagnostics.
    for uri in previous
        .into_keys()
        .filter(|it| !seen.contains(&it.to_string()))
    {
        items.push(full(uri, None, None, Vec::new()));
    }
    if !items.is_empty() {
        send(&mut items);
    }
    lsp::WorkspaceDiagnosticReport { items }
}

/// The report for one file; `None` if the file has no signatures.
fn report(
    client: &Client,
    files: &Files,
    results: &Results,
    file: &ViewedFile,
    uri: lsp::Uri,
    previous: Option<&str>,
) -> Option<lsp::WorkspaceDocumentDiagnosticReport> {
    if let Some(document) = files.view.open_document(file.file) {
        let version = files.version(file.file);
        return reported(client, document, file, uri, version, previous).map(|(it, _)| it);
    }
    let answers = files.view.answers(file);
    if let Some(known) = results
        .get(file, &answers)
        .filter(|it| previous == Some(it))
    {
        return Some(unchanged(uri, None, known));
    }
    let viewed = files.view.document(file.file)?;
    let (report, result_id) = reported(client, &viewed.document, file, uri, None, previous)?;
    if viewed.is_current {
        results.put(file, answers, result_id);
    }
    Some(report)
}

fn reported(
    client: &Client,
    document: &Arc<Document>,
    file: &ViewedFile,
    uri: lsp::Uri,
    version: Option<i32>,
    previous: Option<&str>,
) -> Option<(lsp::WorkspaceDocumentDiagnosticReport, String)> {
    // Whether a report is unchanged is decided by its own file, so it shows no places in others.
    let items = diagnostics(client, document, &uri, &Located::default());
    if items.is_empty() && previous.is_none() && file.outline.is_empty() {
        return None;
    }
    let result_id = result_id(&items);
    let version = version.map(i64::from);
    let report = match previous == Some(&result_id) {
        true => unchanged(uri, version, result_id.clone()),
        false => full(uri, version, Some(result_id.clone()), items),
    };
    Some((report, result_id))
}

fn full(
    uri: lsp::Uri,
    version: Option<i64>,
    result_id: Option<String>,
    items: Vec<lsp::Diagnostic>,
) -> lsp::WorkspaceDocumentDiagnosticReport {
    lsp::WorkspaceFullDocumentDiagnosticReport {
        uri,
        version,
        full_document_diagnostic_report: lsp::FullDocumentDiagnosticReport { result_id, items },
    }
    .into()
}

fn unchanged(
    uri: lsp::Uri,
    version: Option<i64>,
    result_id: String,
) -> lsp::WorkspaceDocumentDiagnosticReport {
    lsp::WorkspaceUnchangedDocumentDiagnosticReport {
        uri,
        version,
        unchanged_document_diagnostic_report: lsp::UnchangedDocumentDiagnosticReport { result_id },
    }
    .into()
}
