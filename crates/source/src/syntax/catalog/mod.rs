//! Catalogs: tools as models see them, `name(params) -> type` and an indented description.
//!
//! [`parse`] accepts any text. A line that certainly begins an entry does so whatever precedes it. Each such line
//! begins a *run* of items, and runs nest in runs, so that no list grows with the file. Which line begins a run of
//! which level depends only on its name.

mod extent;
mod keep;
mod lines;
mod parser;

pub mod ast;

pub use extent::is_prose;
use lines::LineKind;
pub use lines::{begins_entry, ends_in_comment, is_name, without_comment};
pub use parser::in_stretches;

use rowan::GreenNode;

use crate::{
    parallel,
    syntax::{
        fragment::Escapes,
        kind::{FragmentLanguage, SyntaxKind, SyntaxNode},
        reparse::{self, Grammar, GreenElement, Reparsed},
        signature::SignatureGrammar,
    },
    text::{TextEdit, TextSize},
};

/// The number of levels of runs between the root and the items.
const LEVELS: usize = 3;

/// Parses a whole catalog. The tree's text is `text`, byte for byte.
pub fn parse(text: &str) -> GreenNode {
    let runs = match parallel::HAS_THREADS {
        true => parser::all_runs(text),
        false => parser::runs(text, LEVELS, true).unwrap_or_default(),
    };
    GreenNode::new(SyntaxKind::Catalog.into(), runs)
}

/// Whether more than `most` lines of `text` certainly begin an entry.
pub fn certainly_has_more(text: &str, most: usize) -> bool {
    let lines = lines::lines(text.trim_start_matches('\u{feff}'), 0);
    let mut begins = lines.filter(|line| line.firm_head().is_some());
    begins.nth(most).is_some()
}

/// A line at the margin of a text that may be a catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line<'t> {
    /// It certainly begins an entry: a parenthesis directly follows its name, or an arrow.
    Entry,
    /// It may do so.
    Other(&'t str),
}

/// The lines of `text` that are neither indented nor blank, without comments and lines that continue a signature.
pub fn lines_at_margin(text: &str) -> impl Iterator<Item = Line<'_>> {
    let goes_on = |line: &str| line.starts_with([')', ']', '}']) || lines::begins_with_arrow(line);
    lines::lines(text, 0).filter_map(move |line| match line.kind() {
        LineKind::Blank | LineKind::Comment | LineKind::Indented => None,
        LineKind::Other if goes_on(line.text) => None,
        LineKind::Head(head) if head.is_firm && is_name(&line.text[head.name.clone()]) => {
            let is_apart = head.signature > head.name.end;
            let is_unclear = is_apart && line.text[head.signature..].starts_with('(');
            Some(match is_unclear {
                true => Line::Other(line.text),
                false => Line::Entry,
            })
        }
        LineKind::Head(_) | LineKind::Other => Some(Line::Other(line.text)),
    })
}

/// The tree after `edit`, and the reparsed range; `None` if a full parse is needed.
pub fn edit(green: &GreenNode, edit: &TextEdit) -> Option<Reparsed> {
    reparse::reparse(&CatalogGrammar, green, edit)
}

/// The level up to which the line of the entry `name` ends runs. A run of the first level has one entry, one of the
/// next levels about sixteen runs.
fn rank(name: &str) -> usize {
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, fold);
    let mixed = (hash ^ (hash >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    (1 + mixed.trailing_zeros() as usize / 4).min(LEVELS)
}

/// The parts of a catalog that can be parsed separately: runs, and a pair of brackets on one line.
struct CatalogGrammar;

impl Grammar for CatalogGrammar {
    type Language = FragmentLanguage;

    fn stands_alone(&self, kind: SyntaxKind) -> bool {
        IN_SIGNATURE.stands_alone(kind)
    }

    fn reparse_node(&self, node: &SyntaxNode, text: &str) -> Option<GreenNode> {
        // Line ends and comments affect where the signature ends.
        let is_plain = |text: &str| !text.contains(['\n', '\r', '#', ';']);
        let before = node.text().to_string();
        // After several words, an arrow turns the line into an entry.
        let is_same_line = lines::has_arrow(text) == lines::has_arrow(&before);
        if !is_plain(text) || !is_plain(&before) || !is_same_line {
            return None;
        }
        IN_SIGNATURE.reparse_node(node, text)
    }

    fn is_item(&self, kind: SyntaxKind) -> bool {
        kind == SyntaxKind::Entries
    }

    fn reparse_items(
        &self,
        stretch: &reparse::Stretch<FragmentLanguage>,
    ) -> Option<Vec<GreenElement>> {
        let level = LEVELS.checked_sub(stretch.parent.ancestors().skip(1).count())?;
        let first = stretch.first.as_node()?;
        let is_document_start = first.text_range().start() == TextSize::from(0);
        if !is_document_start
            && rank_of_first_line(&first.text().to_string()) != rank_of_first_line(&stretch.text)
        {
            return None;
        }
        let mut runs = parser::runs(&stretch.text, level, is_document_start)?;
        let (first, last) = (stretch.first.index(), stretch.last.index());
        let old = stretch.parent.green().children().skip(first);
        keep::keep_old(old.take(last - first + 1), &mut runs);
        (!runs.is_empty()).then_some(runs)
    }
}

const IN_SIGNATURE: SignatureGrammar<'static> = SignatureGrammar {
    escapes: Escapes::None,
    foreign: &[],
};

/// The rank of the first line of a run; `None` if it does not begin a run any more.
fn rank_of_first_line(text: &str) -> Option<usize> {
    lines::rank_of(&lines::lines(text, 0).next()?)
}

#[cfg(test)]
mod tests;
