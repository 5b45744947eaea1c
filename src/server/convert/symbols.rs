//! `textDocument/documentSymbol`.

use tower_lsp::ls_types as lsp;

use crate::{
    ide::{self, Symbol, SymbolKind},
    server::{client::Client, document::Snapshot, lines::Lines},
};

/// The outline of a document; null if it has no signatures.
pub(in crate::server) fn document_symbol(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::DocumentSymbolParams,
) -> Option<lsp::DocumentSymbolResponse> {
    let symbols = ide::symbols(&snapshot.document);
    if symbols.is_empty() {
        return None;
    }
    let lines = Lines::new(client.encoding, snapshot.text());
    if client.hierarchical_symbols {
        let nested = symbols.into_iter().map(|it| nested(&lines, it));
        return Some(nested.collect::<Vec<_>>().into());
    }
    let mut flat = Flat {
        lines: &lines,
        uri: &params.text_document.uri,
        all: Vec::new(),
    };
    for symbol in symbols {
        flat.add(symbol, None);
    }
    Some(flat.all.into())
}

#[expect(deprecated, reason = "the protocol's type has the field")]
fn nested(lines: &Lines<'_>, symbol: Symbol) -> lsp::DocumentSymbol {
    let range = lines.range(symbol.range);
    let selection_range = lines.range(symbol.selection);
    let children = symbol.children.into_iter();
    let children: Vec<_> = children.map(|it| nested(lines, it)).collect();
    lsp::DocumentSymbol {
        name: symbol.name,
        detail: Some(symbol.detail),
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        range,
        selection_range,
        children: (!children.is_empty()).then_some(children),
    }
}

/// The symbols for a client without nested outlines.
struct Flat<'a> {
    lines: &'a Lines<'a>,
    uri: &'a lsp::Uri,
    all: Vec<lsp::SymbolInformation>,
}

impl Flat<'_> {
    #[expect(deprecated, reason = "the protocol's type has the field")]
    fn add(&mut self, symbol: Symbol, container: Option<&str>) {
        let range = self.lines.range(symbol.range);
        self.all.push(lsp::SymbolInformation {
            name: symbol.name.clone(),
            kind: kind(symbol.kind),
            tags: None,
            deprecated: None,
            location: lsp::Location::new(self.uri.clone(), range),
            container_name: container.map(str::to_owned),
        });
        for child in symbol.children {
            self.add(child, Some(&symbol.name));
        }
    }
}

/// The protocol's kind for a symbol.
pub(super) fn kind(kind: SymbolKind) -> lsp::SymbolKind {
    match kind {
        SymbolKind::Agent => lsp::SymbolKind::CLASS,
        SymbolKind::Tool => lsp::SymbolKind::FUNCTION,
        SymbolKind::Parameter => lsp::SymbolKind::VARIABLE,
        SymbolKind::Field => lsp::SymbolKind::FIELD,
    }
}
