//! Refactorings: one file per part of a signature.
//!
//! A refactoring keeps the meaning of the text, or changes only what its title says. None is offered for signatures
//! with errors, and none that would cause an error.

mod names;
mod parameters;
mod samples;
mod tools;
mod types;

use crate::{
    ide::{
        Document, fixes,
        format::{Layout, is_signature, laid_out},
        fragment::Tree,
        place,
    },
    syntax::fragment::Escapes,
    text::{TextEdit, TextSize},
};

/// A refactoring at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refactoring {
    /// Its title in the editor's menu.
    pub title: String,
    /// Disjoint edits in the order of the text, in bytes of the document before any of them.
    pub edits: Vec<TextEdit>,
}

impl Refactoring {
    fn new(title: impl Into<String>, mut edits: Vec<TextEdit>) -> Self {
        edits.sort_by_key(|edit| edit.range.start());
        Self {
            title: title.into(),
            edits,
        }
    }
}

/// The refactorings at `offset`.
pub fn refactorings(document: &Document, offset: TextSize) -> Vec<Refactoring> {
    let mut found = tools::refactorings(document, offset);
    let Some(literal) = place::literal_at(document, offset) else {
        return found;
    };
    found.extend(names::refactoring(document, offset));
    found.extend(todays_form(document, &literal));
    // In a flow collection of YAML, brackets and commas would end the text.
    let is_flow = literal.site.escapes == Escapes::Plain { in_flow: true };
    if !is_flow && !literal.site.is_dynamic() {
        found.extend(parameters::refactorings(document, &literal, offset));
    }
    let Tree::Signature { lowered, .. } = &literal.fragment.tree else {
        return found;
    };
    let edition = document.edition();
    if lowered.problems.iter().any(|it| it.is_refused_by(edition)) || !is_signature(&literal) {
        return found;
    }
    if !is_flow && !literal.site.is_dynamic() {
        found.extend(types::refactorings(&literal, &lowered.signature, offset));
    }
    for (layout, title) in [
        (Layout::Canonical, "Format signature"),
        (Layout::OneLine, "Put the signature on one line"),
        (Layout::Lines, "Put each parameter on a line of its own"),
    ] {
        let edits = laid_out(document, &literal, layout);
        if !edits.is_empty() && found.iter().all(|it| it.edits != edits) {
            found.push(Refactoring::new(title, edits));
        }
    }
    found
}

/// A signature in the notation of an early guide, `{:id :int :name :string}`, in today's notation.
fn todays_form(document: &Document, literal: &place::Literal<'_>) -> Option<Refactoring> {
    let range = literal.content();
    let is_early = |it: &crate::ide::Reported| {
        it.code() == "colon-before-name" && range.contains_range(it.range())
    };
    if !document.reported_in(range).iter().any(is_early) {
        return None;
    }
    let edits = fixes::fix_in(document, range);
    (!edits.is_empty()).then(|| Refactoring::new("Write the signature in today's form", edits))
}

/// Whether the document has no more errors after `edits` than before.
fn is_harmless(document: &Document, edits: &[TextEdit]) -> bool {
    fixes::make_no_error(document, edits)
}

#[cfg(test)]
mod tests;
