//! Formats signatures and catalogs.
//!
//! Only the white space in signatures changes, so that their trees and the rest of the host stay the same. Signatures
//! with errors are not formatted.

mod catalog;
mod layout;

pub(super) use layout::{Layout, laid_out};

use crate::ide::{
    Document,
    place::{self, Literal},
};
use signature_ls_source::{
    host::{HostKind, Role},
    text::{TextEdit, TextRange},
};

/// The edits that format a catalog or a prompt file, disjoint and in order. Other documents have their own formatters.
pub fn format(document: &Document) -> Vec<TextEdit> {
    if !document.host().kind().facts().is_formatted {
        return Vec::new();
    }
    format_signatures(document)
}

/// The edits of [`format()`] of the signatures and entries that `range` touches.
pub fn format_range(document: &Document, range: TextRange) -> Vec<TextEdit> {
    match document.host().kind() {
        HostKind::Catalog => catalog::format_range(document, range),
        HostKind::Prompt => signatures_in(document, range),
        _ => Vec::new(),
    }
}

/// The edits that format every signature of the document, in any host, disjoint and in order.
pub fn format_signatures(document: &Document) -> Vec<TextEdit> {
    if document.host().kind() == HostKind::Catalog {
        return catalog::format(document);
    }
    signatures_in(document, TextRange::up_to(document.text().len()))
}

fn signatures_in(document: &Document, range: TextRange) -> Vec<TextEdit> {
    let literals = place::literals_in(document, range);
    let mut edits = Vec::new();
    for literal in literals.iter().filter(|it| is_signature(it)) {
        edits.extend(laid_out(document, literal, Layout::Canonical, &edits));
    }
    edits
}

pub(super) fn is_signature(literal: &Literal<'_>) -> bool {
    matches!(literal.site.role, Role::Signature | Role::Tool)
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
