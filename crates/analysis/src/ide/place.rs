//! The literals of a document at a place or in a range, for features.

use crate::ide::{
    Document,
    analysis::UnitAnalysis,
    fragment::{Fragment, Tree},
};
use signature_ls_source::{
    host::{PlacedUnit, Site},
    order,
    syntax::kind::SyntaxNode,
    text::{TextRange, TextSize},
};

/// A literal of a document with its unit.
#[derive(Clone, Copy)]
pub(crate) struct Literal<'a> {
    pub(crate) placed: &'a PlacedUnit,
    pub(crate) analysis: &'a UnitAnalysis,
    pub(crate) site: &'a Site,
    pub(crate) fragment: &'a Fragment,
    /// The start of its content, in bytes of the document.
    pub(crate) start: TextSize,
}

impl<'a> Literal<'a> {
    /// Its tree; none for text that is only displayed.
    pub(crate) fn root(&self) -> Option<SyntaxNode> {
        match &self.fragment.tree {
            Tree::Signature { green, .. } | Tree::Template { green, .. } => {
                Some(SyntaxNode::new_root(green.clone()))
            }
            Tree::Text => None,
        }
    }

    /// Its content, in bytes of the document.
    pub(crate) fn content(&self) -> TextRange {
        self.site.content + self.placed.start
    }

    /// Its range with delimiters, in bytes of the document.
    pub(crate) fn literal(&self) -> TextRange {
        self.site.literal + self.placed.start
    }

    /// Those of a unit.
    pub(crate) fn of_unit(
        placed: &'a PlacedUnit,
        analysis: &'a UnitAnalysis,
    ) -> impl Iterator<Item = Literal<'a>> {
        let fragments = placed.unit.sites.iter().zip(&analysis.fragments);
        fragments.map(move |(site, fragment)| Literal {
            placed,
            analysis,
            site,
            fragment,
            start: placed.start + fragment.start,
        })
    }
}

/// The literals that overlap `range`, in the order of the text, without duplicates.
pub(crate) fn literals_in(document: &Document, range: TextRange) -> Vec<Literal<'_>> {
    let units = document.units_in(range);
    let all = units.flat_map(|(placed, analysis)| Literal::of_unit(placed, analysis));
    let touches = |it: &Literal<'_>| it.content().intersect(range).is_some();
    let mut literals: Vec<_> = all.filter(touches).collect();
    order::by_start(&mut literals, Literal::start_of_content);
    // A literal with a name may belong to several units.
    literals.dedup_by_key(|it| it.start_of_content());
    literals
}

/// All literals, in the order of the text, without duplicates.
pub(crate) fn literals(document: &Document) -> Vec<Literal<'_>> {
    literals_in(document, TextRange::up_to(document.text().len()))
}

/// The literal whose content contains `offset` or ends there; of several units with it, the innermost.
pub(crate) fn literal_at(document: &Document, offset: TextSize) -> Option<Literal<'_>> {
    let units = document.units_at(offset);
    let all = units.flat_map(|(placed, analysis)| Literal::of_unit(placed, analysis));
    all.filter(|it| it.content().contains_inclusive(offset))
        .last()
}

impl Literal<'_> {
    fn start_of_content(&self) -> TextSize {
        self.start
    }
}
