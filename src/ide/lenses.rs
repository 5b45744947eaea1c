//! What an editor shows above tools and agents: how often a tool is called, and what a model is shown.

use crate::{
    ide::{Document, Symbol, SymbolKind, navigation, symbols},
    text::TextRange,
};

/// A line above a tool or an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lens {
    /// What it is shown above, in bytes of the document.
    pub range: TextRange,
    /// What it tells.
    pub kind: LensKind,
}

/// What a line above a tool or an agent tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LensKind {
    /// The places of the document that name the tool.
    References(Vec<TextRange>),
    /// What a model is shown of the tool or agent.
    ModelView,
}

/// The lines above the tools and agents of the document.
pub fn lenses(document: &Document) -> Vec<Lens> {
    let mut lenses = Vec::new();
    for symbol in symbols(document) {
        of_symbol(document, &symbol, &mut lenses);
    }
    lenses
}

fn of_symbol(document: &Document, symbol: &Symbol, lenses: &mut Vec<Lens>) {
    let range = symbol.selection;
    if symbol.kind == SymbolKind::Tool {
        let references = navigation::references(document, range.start(), false);
        lenses.push(Lens {
            range,
            kind: LensKind::References(references),
        });
    }
    if matches!(symbol.kind, SymbolKind::Tool | SymbolKind::Agent) {
        lenses.push(Lens {
            range,
            kind: LensKind::ModelView,
        });
        let children = symbol.children.iter();
        children.for_each(|it| of_symbol(document, it, lenses));
    }
}
