//! `workspace/symbol`.

use tower_lsp::ls_types as lsp;

use super::symbols;
use crate::{
    server::{client::Client, document::Files},
    workspace::FoundKind,
};

/// The symbols in any file whose names match the query.
#[expect(deprecated, reason = "the protocol's type has the field")]
pub(in crate::server) fn workspace_symbol(
    client: &Client,
    files: &Files,
    params: &lsp::WorkspaceSymbolParams,
) -> Option<lsp::WorkspaceSymbolResponse> {
    let found = files.view.symbols(&params.query).into_iter();
    let symbols = found.filter_map(|it| {
        let uri = files.uri(it.file, &it.path)?;
        let range = client.encoding.range(&it.text, it.range);
        Some(lsp::SymbolInformation {
            name: it.name,
            kind: kind(it.kind),
            tags: None,
            deprecated: None,
            location: lsp::Location::new(uri, range),
            container_name: it.container,
        })
    });
    Some(symbols.collect::<Vec<_>>().into())
}

/// The protocol's kind.
fn kind(kind: FoundKind) -> lsp::SymbolKind {
    match kind {
        FoundKind::Agent => symbols::AGENT,
        FoundKind::Tool => symbols::TOOL,
        FoundKind::Parameter => symbols::PARAMETER,
        FoundKind::Function => symbols::FUNCTION,
    }
}
