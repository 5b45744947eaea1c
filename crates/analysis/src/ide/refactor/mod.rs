//! Refactorings: one file per part of a signature.
//!
//! A refactoring keeps the meaning of the text, or changes only what its title says. None is offered for signatures
//! with errors, and none that would cause an error or a warning.

mod names;
mod parameters;
mod samples;
mod tools;
mod types;

use crate::ide::{
    Document, fixes,
    format::{Layout, is_signature, laid_out},
    fragment::Tree,
    place,
};
use signature_ls_source::{
    host::Role,
    order,
    syntax::fragment::Escapes,
    text::{TextEdit, TextSize},
};

const FORMAT: &str = "Format signature";

/// A refactoring at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refactoring {
    /// Its title in the editor's menu.
    pub title: String,
    /// Disjoint edits in the order of the text, in bytes of the document before any of them.
    pub edits: Vec<TextEdit>,
    /// The new name, if it renames the name at the place to one that other files would not take for the same.
    pub new_name: Option<String>,
}

/// A refactoring that nearly applies, and the reason why it does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unavailable {
    /// Its title in the editor's menu.
    pub title: String,
    /// The reason, in one sentence.
    pub reason: String,
}

/// A refactoring that applies, or nearly.
pub type Offer = Result<Refactoring, Unavailable>;

impl Unavailable {
    fn new(title: &str, reason: impl Into<String>) -> Self {
        Self {
            title: title.to_owned(),
            reason: reason.into(),
        }
    }
}

impl Refactoring {
    fn new(title: impl Into<String>, mut edits: Vec<TextEdit>) -> Self {
        order::by_start(&mut edits, |edit| edit.range.start());
        Self {
            title: title.into(),
            edits,
            new_name: None,
        }
    }
}

/// The refactorings at `offset`.
pub fn refactorings(document: &Document, offset: TextSize) -> Vec<Refactoring> {
    let offers = offers(document, offset).into_iter();
    offers.filter_map(Result::ok).collect()
}

/// The refactorings that apply at `offset`, and those that nearly do. Each is tried on a copy of the document.
pub fn offers(document: &Document, offset: TextSize) -> Vec<Offer> {
    let mut found = tools::refactorings(document, offset);
    let Some(literal) = place::literal_at(document, offset) else {
        return found;
    };
    found.extend(names::refactoring(document, offset));
    found.extend(todays_form(document, &literal).map(Ok));
    // In a flow collection of YAML, brackets and commas would end the text.
    let is_flow = literal.site.escapes == Escapes::Plain { in_flow: true };
    if !is_flow && !literal.site.is_dynamic() {
        found.extend(parameters::refactorings(document, &literal, offset));
    }
    let Tree::Signature { lowered, .. } = &literal.fragment.tree else {
        return found;
    };
    if !is_signature(&literal) {
        return found;
    }
    let edition = document.edition();
    if lowered.problems.iter().any(|it| it.is_refused_by(edition)) {
        found.push(Err(Unavailable::new(FORMAT, "The signature has an error.")));
        return found;
    }
    if !is_flow && !literal.site.is_dynamic() {
        let of_types = types::refactorings(&literal, &lowered.signature, offset).into_iter();
        found.extend(of_types.map(|it| tried(document, it)));
    }
    if literal.site.role == Role::Tool {
        found.extend(parameters::of_tool(&literal, &lowered.signature, offset).map(Err));
    }
    for (layout, title) in [
        (Layout::Canonical, FORMAT),
        (Layout::OneLine, "Put the signature on one line"),
        (Layout::Lines, "Put each parameter on a line of its own"),
    ] {
        let edits = laid_out(document, &literal, layout, &[]);
        let is_known = |it: &Offer| it.as_ref().is_ok_and(|it| it.edits == edits);
        if !edits.is_empty() && !found.iter().any(is_known) {
            found.push(Ok(Refactoring::new(title, edits)));
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

/// The offer of `found`, unless it would cause an error or a warning.
fn tried(document: &Document, found: Refactoring) -> Offer {
    offered(found, |edits| fixes::are_harmless(document, edits))
}

/// The offer of `found`, if its edits hold.
fn offered(found: Refactoring, hold: impl FnOnce(&[TextEdit]) -> bool) -> Offer {
    match hold(&found.edits) {
        true => Ok(found),
        false => Err(Unavailable::new(
            &found.title,
            "It would cause an error or a warning.",
        )),
    }
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
