//! The canonical form of signatures, and of the catalogs that they are in.
//!
//! A signature changes in its white space only, so that nothing else of the host does, and its tree stays the
//! same. Signatures with errors are left as they are.

mod catalog;
mod layout;

pub(super) use layout::{Layout, laid_out};

use crate::{
    host::{HostKind, Role},
    ide::{
        Document,
        place::{self, Literal},
    },
    text::{TextEdit, TextRange, TextSize},
};

/// The edits that bring a catalog or a prompt file into its canonical form, disjoint and in order. Other
/// documents belong to others, who format them.
pub fn format(document: &Document) -> Vec<TextEdit> {
    if !document.host().kind().facts().is_formatted {
        return Vec::new();
    }
    format_signatures(document)
}

/// The edits of [`format()`] that lie in `range`, or touch it.
pub fn format_range(document: &Document, range: TextRange) -> Vec<TextEdit> {
    let mut edits = format(document);
    edits.retain(|edit| edit.range.intersect(range).is_some());
    edits
}

/// The edits that bring every signature of the document into its canonical form, whatever its host, disjoint and
/// in order.
pub fn format_signatures(document: &Document) -> Vec<TextEdit> {
    if document.host().kind() == HostKind::Catalog {
        return catalog::format(document);
    }
    let literals = place::literals(document);
    let signatures = literals.iter().filter(|it| is_signature(it));
    signatures
        .flat_map(|it| laid_out(document, it, Layout::Canonical))
        .collect()
}

/// The edits that bring the signature around `offset` into its canonical form; `None` where there is none, or
/// nothing to do.
pub fn format_at(document: &Document, offset: TextSize) -> Option<Vec<TextEdit>> {
    let literal = place::literal_at(document, offset).filter(is_signature)?;
    let edits = laid_out(document, &literal, Layout::Canonical);
    (!edits.is_empty()).then_some(edits)
}

pub(super) fn is_signature(literal: &Literal<'_>) -> bool {
    matches!(literal.site.role, Role::Signature | Role::Tool)
}

#[cfg(test)]
mod tests;
