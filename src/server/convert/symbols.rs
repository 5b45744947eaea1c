//! `textDocument/documentSymbol`.

use tower_lsp::ls_types as lsp;

use crate::{
    ide::{self, Symbol, SymbolKind},
    server::{client::Client, document::Snapshot},
};

/// The outline of a document; nothing where it has no signatures.
pub(in crate::server) fn document_symbol(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::DocumentSymbolParams,
) -> Option<lsp::DocumentSymbolResponse> {
    let symbols = ide::symbols(&snapshot.document);
    if symbols.is_empty() {
        return None;
    }
    if client.hierarchical_symbols {
        let nested = symbols.into_iter().map(|it| nested(client, snapshot, it));
        return Some(nested.collect::<Vec<_>>().into());
    }
    let mut all = Vec::new();
    for symbol in symbols {
        flatten(
            client,
            snapshot,
            &params.text_document.uri,
            symbol,
            None,
            &mut all,
        );
    }
    Some(all.into())
}

#[expect(deprecated, reason = "the protocol's type has the field")]
fn nested(client: &Client, snapshot: &Snapshot, symbol: Symbol) -> lsp::DocumentSymbol {
    let children = symbol.children.into_iter();
    let children: Vec<_> = children.map(|it| nested(client, snapshot, it)).collect();
    let range = |range| client.encoding.range(snapshot.text(), range);
    lsp::DocumentSymbol {
        name: symbol.name,
        detail: Some(symbol.detail),
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: range(symbol.range),
        selection_range: range(symbol.selection),
        children: (!children.is_empty()).then_some(children),
    }
}

#[expect(deprecated, reason = "the protocol's type has the field")]
fn flatten(
    client: &Client,
    snapshot: &Snapshot,
    uri: &lsp::Uri,
    symbol: Symbol,
    container: Option<&str>,
    all: &mut Vec<lsp::SymbolInformation>,
) {
    let range = client.encoding.range(snapshot.text(), symbol.range);
    all.push(lsp::SymbolInformation {
        name: symbol.name.clone(),
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        location: lsp::Location::new(uri.clone(), range),
        container_name: container.map(str::to_owned),
    });
    for child in symbol.children {
        flatten(client, snapshot, uri, child, Some(&symbol.name), all);
    }
}

/// The protocol's kind of a symbol.
pub(super) fn kind(kind: SymbolKind) -> lsp::SymbolKind {
    match kind {
        SymbolKind::Agent => lsp::SymbolKind::CLASS,
        SymbolKind::Tool => lsp::SymbolKind::FUNCTION,
        SymbolKind::Parameter => lsp::SymbolKind::VARIABLE,
        SymbolKind::Field => lsp::SymbolKind::FIELD,
    }
}
