//! What an editor shows above tools and agents: how often a tool is called, and what a model is shown.

use crate::{
    ide::{Document, Symbol, SymbolKind, symbols},
    text::TextRange,
};

/// A line above a tool or an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lens {
    /// What it is shown above, in bytes of the document.
    pub range: TextRange,
    /// What it tells.
    pub kind: LensKind,
}

/// What a line above a tool or an agent tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LensKind {
    /// How many places of the document name the tool; they are counted when the line is shown.
    References,
    /// What a model is shown of the tool or agent.
    ModelView,
}

/// The lines above the tools and agents of the document.
pub fn lenses(document: &Document) -> Vec<Lens> {
    let mut lenses = Vec::new();
    for symbol in symbols(document) {
        of_symbol(&symbol, &mut lenses);
    }
    lenses
}

fn of_symbol(symbol: &Symbol, lenses: &mut Vec<Lens>) {
    let range = symbol.selection;
    if symbol.kind == SymbolKind::Tool {
        lenses.push(Lens {
            range,
            kind: LensKind::References,
        });
    }
    if matches!(symbol.kind, SymbolKind::Tool | SymbolKind::Agent) {
        lenses.push(Lens {
            range,
            kind: LensKind::ModelView,
        });
        let children = symbol.children.iter();
        children.for_each(|it| of_symbol(it, lenses));
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        host::HostKind,
        ide::testing::{document, shown},
    };

    #[test]
    fn tools_and_agents_have_lenses() {
        let text = "signature: '(q :string) -> :int'\ntools:\n  find: '(q :string) -> :any'\n";
        let document = document(HostKind::Yaml, text);
        let lenses = super::lenses(&document).into_iter();
        let lenses: Vec<_> = lenses
            .map(|it| format!("{} {:?}", shown(&document, it.range), it.kind))
            .collect();
        assert_eq!(
            lenses,
            [
                "'(q :string) -> :int' ModelView",
                "'(q :string) -> :any' References",
                "'(q :string) -> :any' ModelView",
            ]
        );
    }
}
