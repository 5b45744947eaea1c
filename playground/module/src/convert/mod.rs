//! Converts the plain results of `ide` to JSON: one file per feature.

mod about;
mod actions;
mod completion;
mod diagnostics;
mod folding;
mod inputs;
mod navigation;
mod schema;
mod symbols;
mod tokens;
mod tree;
mod types;

pub(crate) use about::about;
pub(crate) use diagnostics::diagnostics;

use serde::Serialize;
use signature_ls_analysis::ide::{self, Document, Listed};
use signature_ls_source::text::{TextRange, TextSize};

use crate::{
    positions::{Range, byte_range, changes, range, to_byte},
    request::Request,
    session::{Answer, json},
};

/// Answers a request about the open document.
pub(crate) fn answer(document: &Document, request: Request) -> Answer {
    let text = document.text();
    let byte = |offset| to_byte(text, offset);
    match request {
        Request::Diagnostics(_) => json(diagnostics(document)),
        Request::Tokens(range) => json(tokens::tokens(document, byte_range(text, range))),
        Request::Hover(place) => json(hover(document, byte(place.at))),
        Request::Completion(place) => json(completion::completion(document, byte(place.at))),
        Request::SignatureHelp(place) => json(completion::signature_help(document, byte(place.at))),
        Request::Actions(range) => json(actions::actions(document, byte_range(text, range))),
        Request::Definition(place) => json(navigation::definition(document, byte(place.at))),
        Request::TypeDefinition(place) => {
            json(navigation::type_definition(document, byte(place.at)))
        }
        Request::Selection(place) => json(navigation::selection(document, byte(place.at))),
        Request::References(place) => json(navigation::references(document, byte(place.at))),
        Request::PrepareRename(place) => navigation::prepare_rename(document, byte(place.at)),
        Request::Rename { at, name } => navigation::rename(document, byte(at), &name),
        Request::Format(_) => json(changes(text, &ide::format(document))),
        Request::FixAll(_) => json(changes(text, &ide::fix_all(document))),
        Request::Symbols(_) => json(symbols::symbols(document)),
        Request::Folding(_) => json(folding::folding(document)),
        Request::InlayHints(range) => json(tokens::hints(document, byte_range(text, range))),
        Request::Tree(place) => json(tree::tree(document, byte(place.at))),
        Request::Types(place) => json(types::types(document, byte(place.at))),
        Request::Schema(place) => json(schema::schema(document, byte(place.at))),
        Request::Preview(preview) => inputs::preview(document, &preview),
        Request::CheckInputs { at, json } => inputs::check_inputs(document, byte(at), &json),
        Request::About(_) | Request::Open(_) | Request::Edit(_) | Request::Panic(_) => json(()),
    }
}

#[derive(Serialize)]
struct Hover {
    #[serde(flatten)]
    range: Range,
    markdown: String,
}

fn hover(document: &Document, offset: TextSize) -> Option<Hover> {
    let hover = ide::hover(document, offset)?;
    Some(Hover {
        range: range(document.text(), hover.range),
        markdown: hover.markdown,
    })
}

/// The tool or agent that a view shows for the cursor at `offset`: the one with the nearest signature.
fn listed_near(document: &Document, offset: TextSize) -> Option<Listed> {
    let listed = ide::listing(document).into_iter();
    listed.min_by_key(|it| distance(it.range, offset))
}

/// The distance of `offset` from `range`; of ranges around it, the smaller one is nearer.
fn distance(range: TextRange, offset: TextSize) -> (TextSize, TextSize) {
    let zero = TextSize::default();
    let before = range.start().checked_sub(offset).unwrap_or(zero);
    let after = offset.checked_sub(range.end()).unwrap_or(zero);
    (before.max(after), range.len())
}
