//! The types of a tool or agent.

use serde::Serialize;
use signature_ls_analysis::{
    ide::{self, Document},
    model::generate::{Callable, Language, generate},
};
use signature_ls_source::text::TextSize;

use super::{
    listed_near,
    symbols::{Symbol, symbol},
};
use crate::positions::{Range, range};

/// The target languages, with their names.
const LANGUAGES: [(&str, Language); 3] = [
    ("TypeScript", Language::TypeScript),
    ("Python", Language::Python),
    ("Elixir", Language::Elixir),
];

#[derive(Serialize)]
pub(super) struct Types {
    name: Option<String>,
    range: Range,
    /// The parameters and the fields of the output.
    fields: Vec<Symbol>,
    signature: String,
    declarations: Vec<Declarations>,
}

#[derive(Serialize)]
struct Declarations {
    language: &'static str,
    text: String,
}

/// The types of the tool or agent nearest to `offset`.
pub(super) fn types(document: &Document, offset: TextSize) -> Option<Types> {
    let listed = listed_near(document, offset)?;
    let callable = Callable {
        name: listed.name.as_deref().unwrap_or("agent"),
        signature: &listed.signature,
        description: listed.description.as_deref(),
    };
    let declared = LANGUAGES.map(|(language, it)| Declarations {
        language,
        text: generate(&[callable], it),
    });
    let of_it = ide::symbols(document)
        .into_iter()
        .flat_map(flattened)
        .find(|it| listed.range.contains_range(it.selection) || it.selection == listed.range);
    let fields = of_it.map(|it| it.children).unwrap_or_default();
    Some(Types {
        range: range(document.text(), listed.range),
        fields: fields.into_iter().map(|it| symbol(document, it)).collect(),
        signature: listed.signature.to_string(),
        declarations: declared.into(),
        name: listed.name,
    })
}

/// A tool or agent, and those nested in it.
fn flattened(symbol: ide::Symbol) -> Vec<ide::Symbol> {
    let inner = symbol.children.iter().cloned().flat_map(flattened);
    let mut all: Vec<_> = inner.collect();
    all.insert(0, symbol);
    all
}
