//! `textDocument/documentLink`.

use tower_lsp::ls_types as lsp;

use super::diagnostics::rule_page;
use crate::server::{client::Client, document::Snapshot};
use signature_ls_analysis::ide;

/// The rules in comments, linked to their pages.
pub(in crate::server) fn document_link(
    client: &Client,
    snapshot: &Snapshot,
    _: &lsp::DocumentLinkParams,
) -> Option<Vec<lsp::DocumentLink>> {
    let links = ide::rule_links(&snapshot.document).into_iter();
    let links = links.filter_map(|link| {
        Some(lsp::DocumentLink {
            range: client.encoding.range(snapshot.text(), link.range),
            target: Some(rule_page(link.rule.code)?.href.clone()),
            tooltip: client.link_tooltips.then(|| link.rule.summary.to_owned()),
            data: None,
        })
    });
    let links: Vec<_> = links.collect();
    (!links.is_empty()).then_some(links)
}
