//! `textDocument/documentSymbol`.

use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use tower_lsp::ls_types as lsp;

use crate::server::{client::Client, document::Snapshot, lines::Lines};
use signature_ls_analysis::ide::{self, Symbol, SymbolKind};

// The protocol's kinds in the outline of a document, in the symbols of all files and in the call hierarchy.
pub(super) const AGENT: lsp::SymbolKind = lsp::SymbolKind::CLASS;
pub(super) const TOOL: lsp::SymbolKind = lsp::SymbolKind::FUNCTION;
pub(super) const PARAMETER: lsp::SymbolKind = lsp::SymbolKind::VARIABLE;
pub(super) const FUNCTION: lsp::SymbolKind = lsp::SymbolKind::METHOD;

/// The outline of a document, rendered as JSON; null if it has no signatures.
pub(in crate::server) fn document_symbol(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::DocumentSymbolParams,
) -> Option<Box<RawValue>> {
    let symbols = ide::symbols(&snapshot.document);
    if symbols.is_empty() {
        return None;
    }
    let lines = Lines::new(client.encoding, snapshot.text());
    if client.hierarchical_symbols {
        let nested = Nested {
            lines: &lines,
            symbols: &symbols,
        };
        return to_raw_value(&nested).ok();
    }
    let mut flat = Flat {
        lines: &lines,
        uri: &params.text_document.uri,
        all: Vec::new(),
    };
    for symbol in symbols {
        flat.add(symbol, None);
    }
    to_raw_value(&flat.all).ok()
}

/// Symbols with their children, written as the protocol's `DocumentSymbol[]` without a value of that type for each:
/// there may be a hundred thousand.
struct Nested<'a> {
    lines: &'a Lines<'a>,
    symbols: &'a [Symbol],
}

impl Serialize for Nested<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let lines = self.lines;
        serializer.collect_seq(self.symbols.iter().map(|symbol| One { lines, symbol }))
    }
}

/// One of them.
struct One<'a> {
    lines: &'a Lines<'a>,
    symbol: &'a Symbol,
}

impl Serialize for One<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { lines, symbol } = self;
        let mut fields = serializer.serialize_struct("DocumentSymbol", 6)?;
        fields.serialize_field("name", &symbol.name)?;
        fields.serialize_field("detail", &symbol.detail)?;
        fields.serialize_field("kind", &kind(symbol.kind))?;
        fields.serialize_field("range", &lines.range(symbol.range))?;
        fields.serialize_field("selectionRange", &lines.range(symbol.selection))?;
        match symbol.children.as_slice() {
            [] => fields.skip_field("children")?,
            symbols => fields.serialize_field("children", &Nested { lines, symbols })?,
        }
        fields.end()
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
        SymbolKind::Agent => AGENT,
        SymbolKind::Tool => TOOL,
        SymbolKind::Parameter => PARAMETER,
        SymbolKind::Field => lsp::SymbolKind::FIELD,
    }
}
