//! Prompt templates: text with `{{placeholders}}` and `{{#sections}}…{{/sections}}`.
//!
//! [`parse`] accepts any text. `model` and `ide` decide whether a name is a parameter.

mod braces;
mod builder;
mod lexer;
mod parser;
mod pieces;
mod sections;
mod split;

pub mod ast;
pub mod names;

use rowan::{GreenNode, GreenNodeData, GreenTokenData, Language as _, NodeOrToken};

use crate::{
    syntax::{
        error::ErrorKind,
        fragment::{Escapes, Foreign, Fragment, foreign_within},
        kind::{FragmentLanguage, SyntaxElement, SyntaxKind, SyntaxNode},
        pairing::Role,
        reparse::{self, Grammar, GreenElement, reparse},
        runs::LONG_RUN,
    },
    text::{TextEdit, TextRange, TextSize},
};
use builder::is_paired_outside;
use parser::Parser;
use pieces::{Piece, TagKind};
use split::MOST_COMMENT_LINES;

/// So many pieces without a line end are not searched for the tag before them.
const MOST_PIECES: usize = 16 * MOST_COMMENT_LINES;

type Stretch = reparse::Stretch<FragmentLanguage>;

/// Parses a template. The tree's text is the fragment's, byte for byte.
pub fn parse(fragment: Fragment<'_>) -> GreenNode {
    Parser::new(fragment, 0).template()
}

/// The tree after `edit`, given the old tree and the new fragment; `None` if a full parse is needed.
pub fn edit(
    green: &GreenNode,
    edit: &TextEdit,
    (escapes, foreign): (Escapes, &[Foreign]),
) -> Option<GreenNode> {
    let reparsed = reparse(&TemplateGrammar { escapes, foreign }, green, edit)?;
    Some(builder::remark(&reparsed.green, reparsed.range))
}

/// The parts of a template that can be parsed separately: a placeholder, a comment, a closed section, and a few
/// neighbors in a row.
struct TemplateGrammar<'a> {
    escapes: Escapes,
    foreign: &'a [Foreign],
}

impl<'a> TemplateGrammar<'a> {
    /// What is foreign in `text`, which begins at `start`; `None` if an interpolation extends beyond it.
    fn foreign_in(&self, text: &str, start: TextSize) -> Option<Vec<Foreign>> {
        foreign_within(self.foreign, TextRange::at(start, TextSize::of(text)))
    }

    fn fragment<'t>(&self, text: &'t str, foreign: &'t [Foreign]) -> Fragment<'t> {
        Fragment {
            text,
            escapes: self.escapes,
            foreign,
        }
    }
}

impl Grammar for TemplateGrammar<'_> {
    type Language = FragmentLanguage;

    fn stands_alone(&self, kind: SyntaxKind) -> bool {
        first_tag(kind).is_some()
    }

    fn reparse_node(&self, node: &SyntaxNode, text: &str) -> Option<GreenNode> {
        let wanted = first_tag(node.kind())?;
        if !is_closed_item(&NodeOrToken::Node(node.clone())) {
            return None;
        }
        let foreign = self.foreign_in(text, node.text_range().start())?;
        let parser = Parser::new(self.fragment(text, &foreign), depth_around(node));
        let last = parser.pieces.len().checked_sub(1)?;
        let begins_as_before = parser.pieces.piece(0) == Piece::Tag(wanted);
        if !begins_as_before || !is_all_closed(&parser) {
            return None;
        }
        match wanted {
            TagKind::SectionOpen if parser.role(0) == Some(Role::ClosedBy(last)) => {
                Some(parser.section_only())
            }
            TagKind::Placeholder | TagKind::Comment if last == 0 => Some(parser.tag_only()),
            _ => None,
        }
    }

    fn is_item(&self, kind: SyntaxKind) -> bool {
        use ErrorKind::{MismatchedSectionClose, UnclosedSection};
        !matches!(
            kind,
            SyntaxKind::SectionOpen
                | SyntaxKind::SectionClose
                | SyntaxKind::Error(UnclosedSection | MismatchedSectionClose)
        )
    }

    fn reparse_items(&self, stretch: &Stretch) -> Option<Vec<GreenElement>> {
        let Stretch {
            parent,
            first,
            last,
            text,
        } = stretch;
        if !has_row(parent) || text.is_empty() || !begins_afresh(first) {
            return None;
        }
        let depth = depth_around(parent) + usize::from(parent.kind() == SyntaxKind::Section);
        let foreign = self.foreign_in(text, first.text_range().start())?;
        let mut parser = Parser::new(self.fragment(text, &foreign), depth);
        if !ends_afresh(&parser, last, self.escapes) {
            return None;
        }
        let count = last.index() - first.index() + 1;
        let were_closed = siblings(first.clone()).take(count).all(|it| is_paired(&it));
        if !(were_closed && parser.are_sections_closed()) {
            pair_among(&mut parser, stretch)?;
        }
        let row = match first.kind().is_run() {
            true => parser.runs(),
            false => parser.flat_row(),
        };
        let len = parent.green().children().len() - count + row.children().len();
        let items = row.children().map(|child| child.to_owned());
        (len <= LONG_RUN).then(|| items.collect())
    }
}

/// The kind of the tag at the start of a node of `kind`, if that can be parsed separately.
fn first_tag(kind: SyntaxKind) -> Option<TagKind> {
    match kind {
        SyntaxKind::Placeholder => Some(TagKind::Placeholder),
        SyntaxKind::CommentTag => Some(TagKind::Comment),
        SyntaxKind::Section => Some(TagKind::SectionOpen),
        _ => None,
    }
}

/// The number of sections around `node`.
fn depth_around(node: &SyntaxNode) -> usize {
    sections_around(node).count()
}

/// The sections around `node`, innermost first.
fn sections_around(node: &SyntaxNode) -> impl Iterator<Item = SyntaxNode> + use<> {
    let around = node.ancestors().skip(1);
    around.filter(|it| it.kind() == SyntaxKind::Section)
}

/// Whether the children of `node` are a row that continues whatever it contains. An unclosed section ends with its
/// line.
fn has_row(node: &SyntaxNode) -> bool {
    let list = node.ancestors().find(|it| !it.kind().is_run());
    // Tags that nest too deeply are only tokens, in runs, too.
    let is_error = list.is_some_and(|it| matches!(it.kind(), SyntaxKind::Error(_)));
    let kind = node.kind();
    let is_row =
        !is_error && (kind.is_run() || matches!(kind, SyntaxKind::Template | SyntaxKind::Section));
    let mut sections = node
        .ancestors()
        .filter(|it| it.kind() == SyntaxKind::Section);
    let is_closed = |it: SyntaxNode| {
        let first = it.green().children().next();
        first.is_some_and(|first| first.kind() == SyntaxKind::SectionOpen.into())
    };
    is_row && sections.all(is_closed)
}

fn siblings(first: SyntaxElement) -> impl Iterator<Item = SyntaxElement> {
    std::iter::successors(Some(first), |it| it.next_sibling_or_token())
}

/// Whether every section is closed by its tag, and every tag by its braces.
fn is_all_closed(parser: &Parser<'_>) -> bool {
    let is_closed = |piece| !matches!(piece, Piece::Tag(kind) if !kind.is_closed());
    let tags_closed = parser.pieces.iter().all(is_closed);
    tags_closed && parser.are_sections_closed()
}

/// Whether no piece before `item` depends on what follows: there is a line end or a closed tag, and no tag before it
/// spans lines.
fn begins_afresh(item: &SyntaxElement) -> bool {
    let mut before = Before::default();
    let mut item = item.clone();
    while let Some(parent) = item.parent() {
        let row = parent.green();
        let pieces = row.children().take(item.index()).rev();
        if let Some(answer) = { pieces }.find_map(|it| before.is_settled_at(it)) {
            return answer;
        }
        if !parent.kind().is_run() {
            break;
        }
        item = parent.into();
    }
    true
}

/// The pieces of a row before a place, from the last one on, up to a tag.
#[derive(Default)]
struct Before {
    pieces: usize,
    lines: usize,
}

impl Before {
    /// Whether no tag is open after the pieces, if the one before the others tells.
    fn is_settled_at(
        &mut self,
        piece: NodeOrToken<&GreenNodeData, &GreenTokenData>,
    ) -> Option<bool> {
        match piece {
            NodeOrToken::Node(node) if FragmentLanguage::kind_from_raw(node.kind()).is_run() => {
                node.children().rev().find_map(|it| self.is_settled_at(it))
            }
            // The opening tag of a section is one of its pieces.
            NodeOrToken::Node(node) => Some(ends_with_tag(node)),
            NodeOrToken::Token(token) => {
                let ends_line = token.text().ends_with('\n');
                self.pieces += 1;
                self.lines += usize::from(ends_line);
                match self.pieces {
                    1 if !ends_line => Some(false),
                    MOST_PIECES.. => Some(false),
                    _ => (self.lines > MOST_COMMENT_LINES).then_some(true),
                }
            }
        }
    }
}

/// Whether a piece ends with the braces that close a tag.
fn ends_with_tag(piece: &GreenNodeData) -> bool {
    let last = piece.children().next_back();
    let last = last.map(|it| FragmentLanguage::kind_from_raw(it.kind()));
    match FragmentLanguage::kind_from_raw(piece.kind()) {
        SyntaxKind::Section => matches!(
            last,
            Some(SyntaxKind::SectionClose | SyntaxKind::Error(ErrorKind::MismatchedSectionClose))
        ),
        SyntaxKind::CommentTag => last == Some(SyntaxKind::TagClose),
        SyntaxKind::Error(kind) => !matches!(kind, ErrorKind::UnclosedTag | ErrorKind::TooDeep),
        _ => true,
    }
}

/// Whether the text after `last` is parsed the same whatever the pieces are, and the pieces whatever follows.
fn ends_afresh(parser: &Parser<'_>, last: &SyntaxElement, escapes: Escapes) -> bool {
    let next = match last {
        NodeOrToken::Node(node) => node.last_token(),
        NodeOrToken::Token(token) => Some(token.clone()),
    };
    let Some(next) = next.and_then(|token| token.next_token()) else {
        return true;
    };
    let is_before_tag = next.kind() == SyntaxKind::TagOpen;
    let ends = match parser.pieces.iter().next_back() {
        _ if is_before_tag => !braces::reaches_into_braces(parser.text(), escapes),
        Some(Piece::Tag(kind)) => kind.is_closed(),
        Some(Piece::Text(_)) => parser.text().ends_with('\n'),
        None => false,
    };
    ends && are_tags_settled(parser, is_before_tag)
}

/// Whether each open tag remains open whatever follows the pieces; `is_next` tells whether a tag follows.
fn are_tags_settled(parser: &Parser<'_>, is_next: bool) -> bool {
    let mut is_in_line = is_next;
    for index in (0..parser.pieces.len()).rev() {
        let Piece::Tag(_) = parser.pieces.piece(index) else {
            // Nothing stays open across the line of a tag.
            if is_in_line && parser.text_of(index).contains('\n') {
                return true;
            }
            continue;
        };
        if parser.is_unsettled(index, is_in_line) {
            return false;
        }
        is_in_line = true;
    }
    true
}

/// Pairs the sections of the pieces within the sections around the range. `None` if that needs the whole template:
/// sections elsewhere are unpaired, or the pairing of those around would change.
fn pair_among(parser: &mut Parser<'_>, stretch: &Stretch) -> Option<()> {
    let Stretch { first, last, .. } = stretch;
    let root = stretch.parent.ancestors().last()?;
    let range = first.text_range().cover(last.text_range());
    if parser.pieces.has_hole() || !is_paired_outside(root.green(), range) {
        return None;
    }
    let ends_line = parser.text().ends_with('\n') || range.end() == root.text_range().end();
    let parent = stretch.parent.clone();
    let around = std::iter::once(parent)
        .filter(|it| it.kind() == SyntaxKind::Section)
        .chain(sections_around(&stretch.parent));
    let names: Option<Vec<String>> = around.map(|section| section_name(&section)).collect();
    (ends_line && parser.pair_within(&names?)).then_some(())
}

/// The text in the braces of the opening tag of `section`.
fn section_name(section: &SyntaxNode) -> Option<String> {
    let open = section.first_child()?;
    Some(open.first_child()?.text().to_string())
}

/// Whether everything in `item` is closed, so that it did not affect the pairing of tags elsewhere. Unlike the
/// reported errors, this also counts next to interpolations.
fn is_closed_item(item: &SyntaxElement) -> bool {
    let NodeOrToken::Node(node) = item else {
        return true;
    };
    !matches!(
        node.kind(),
        SyntaxKind::SectionOpen | SyntaxKind::SectionClose
    ) && !builder::has_error(node.green(), &|kind| {
        kind == ErrorKind::UnclosedTag || builder::is_unpaired(kind)
    })
}

/// Whether the sections in `item` are paired among themselves.
fn is_paired(item: &SyntaxElement) -> bool {
    match item {
        NodeOrToken::Node(node) => is_paired_outside(node.green(), TextRange::default()),
        NodeOrToken::Token(_) => true,
    }
}

#[cfg(test)]
mod tests;
