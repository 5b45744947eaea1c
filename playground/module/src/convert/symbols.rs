//! The outline.

use serde::Serialize;
use signature_ls_analysis::ide::{self, Document, SymbolKind};

use crate::positions::{Range, range};

#[derive(Serialize)]
pub(super) struct Symbol {
    name: String,
    kind: &'static str,
    detail: String,
    range: Range,
    selection: Range,
    children: Vec<Symbol>,
}

/// The agents and tools of a document with their parameters and fields.
pub(super) fn symbols(document: &Document) -> Vec<Symbol> {
    let symbols = ide::symbols(document).into_iter();
    symbols.map(|it| symbol(document, it)).collect()
}

pub(super) fn symbol(document: &Document, it: ide::Symbol) -> Symbol {
    let children = it.children.into_iter();
    Symbol {
        name: it.name,
        kind: kind(it.kind),
        detail: it.detail,
        range: range(document.text(), it.range),
        selection: range(document.text(), it.selection),
        children: children.map(|it| symbol(document, it)).collect(),
    }
}

fn kind(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Agent => "agent",
        SymbolKind::Tool => "tool",
        SymbolKind::Parameter => "parameter",
        SymbolKind::Field => "field",
    }
}
