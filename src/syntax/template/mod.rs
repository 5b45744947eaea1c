//! Prompt templates: text with `{{placeholders}}` and `{{#sections}}…{{/sections}}`.
//!
//! [`parse`] takes any text. Whether a name is a parameter is decided in `model` and `ide`.

mod lexer;
mod parser;

pub mod ast;
pub mod names;

use rowan::{GreenNode, NodeOrToken};

use crate::{
    syntax::{
        error::ErrorKind,
        fragment::{Escapes, Foreign, Fragment, foreign_within},
        kind::{FragmentLanguage, SyntaxElement, SyntaxKind, SyntaxNode},
        pairing::Role,
        reparse::{self, Grammar, GreenElement, reparse},
    },
    text::{TextEdit, TextRange, TextSize},
};
use lexer::{Piece, TagKind};
use parser::Parser;

type Stretch = reparse::Stretch<FragmentLanguage>;

/// Parses a template. The tree's text is the fragment's, byte for byte.
pub fn parse(fragment: Fragment<'_>) -> GreenNode {
    Parser::new(fragment, 0).template()
}

/// The tree after `edit`, given the tree before it and the fragment after it.
pub fn edit(green: &GreenNode, edit: &TextEdit, fragment: Fragment<'_>) -> GreenNode {
    let grammar = TemplateGrammar {
        escapes: fragment.escapes,
        foreign: fragment.foreign,
    };
    match reparse(&grammar, green, edit) {
        Some(reparsed) => reparsed.green,
        None => parse(fragment),
    }
}

/// Which parts of a template parse on their own: a placeholder, a comment, a closed section, and a few
/// neighbours in a row in which everything is closed.
struct TemplateGrammar<'a> {
    escapes: Escapes,
    foreign: &'a [Foreign],
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
        let foreign = foreign_within(
            self.foreign,
            TextRange::at(node.text_range().start(), TextSize::of(text)),
        )?;
        let parser = Parser::new(
            Fragment {
                text,
                escapes: self.escapes,
                foreign: &foreign,
            },
            depth_around(node),
        );
        let last = parser.pieces.len().checked_sub(1)?;
        let begins_as_before = matches!(&parser.pieces[0], Piece::Tag(tag) if tag.kind == wanted);
        if !begins_as_before || !is_all_closed(&parser) {
            return None;
        }
        match wanted {
            TagKind::SectionOpen if parser.roles[0] == Some(Role::ClosedBy(last)) => {
                Some(parser.section_only())
            }
            TagKind::Placeholder | TagKind::Comment if last == 0 => Some(parser.tag_only()),
            _ => None,
        }
    }

    fn is_item(&self, kind: SyntaxKind) -> bool {
        !matches!(kind, SyntaxKind::SectionOpen | SyntaxKind::SectionClose)
    }

    fn reparse_items(&self, stretch: &Stretch) -> Option<Vec<GreenElement>> {
        let Stretch {
            parent,
            first,
            last,
            text,
        } = stretch;
        if !matches!(parent.kind(), SyntaxKind::Template | SyntaxKind::Section) {
            return None;
        }
        let old = siblings(first.clone()).take(last.index() - first.index() + 1);
        if !begins_afresh(first) || !old.into_iter().all(|it| is_closed_item(&it)) {
            return None;
        }
        let foreign = foreign_within(
            self.foreign,
            TextRange::at(first.text_range().start(), TextSize::of(text.as_str())),
        )?;
        let depth = depth_around(parent) + usize::from(parent.kind() == SyntaxKind::Section);
        let parser = Parser::new(
            Fragment {
                text,
                escapes: self.escapes,
                foreign: &foreign,
            },
            depth,
        );
        if !is_all_closed(&parser) || !ends_afresh(&parser) {
            return None;
        }
        let row = parser.template();
        Some(row.children().map(|child| child.to_owned()).collect())
    }
}

/// The kind of the tag with which a node of `kind` begins, where that can be parsed on its own.
fn first_tag(kind: SyntaxKind) -> Option<TagKind> {
    match kind {
        SyntaxKind::Placeholder => Some(TagKind::Placeholder),
        SyntaxKind::CommentTag => Some(TagKind::Comment),
        SyntaxKind::Section => Some(TagKind::SectionOpen),
        _ => None,
    }
}

/// How many sections stand around what `node` is or is to be.
fn depth_around(node: &SyntaxNode) -> usize {
    node.ancestors()
        .skip(1)
        .filter(|it| it.kind() == SyntaxKind::Section)
        .count()
}

fn siblings(first: SyntaxElement) -> impl Iterator<Item = SyntaxElement> {
    std::iter::successors(Some(first), |it| it.next_sibling_or_token())
}

/// Whether every section is closed by its own tag, and every tag by its braces.
fn is_all_closed(parser: &Parser<'_>) -> bool {
    let tags_closed = parser
        .pieces
        .iter()
        .all(|it| !matches!(it, Piece::Tag(tag) if tag.kind == TagKind::Unclosed));
    tags_closed && parser.are_sections_closed()
}

/// Whether nothing before `item` looks at what follows: a line end or a closed tag stands there.
fn begins_afresh(item: &SyntaxElement) -> bool {
    match item.prev_sibling_or_token() {
        None => item
            .parent()
            .is_some_and(|parent| parent.kind() == SyntaxKind::Template),
        Some(NodeOrToken::Node(node)) => is_closed_item(&NodeOrToken::Node(node)),
        Some(NodeOrToken::Token(token)) => {
            token.text().ends_with('\n') && before_lines(&NodeOrToken::Token(token))
        }
    }
}

/// Whether the lines of text that end with `item` follow no tag that was never closed, which would look for
/// its end in them.
fn before_lines(item: &SyntaxElement) -> bool {
    let tag = std::iter::successors(Some(item.clone()), |it| it.prev_sibling_or_token())
        .find_map(|it| it.into_node());
    tag.is_none_or(|tag| is_closed_item(&NodeOrToken::Node(tag)))
}

/// Whether the pieces end with a line end or a tag, so that no braces can form with what follows.
fn ends_afresh(parser: &Parser<'_>) -> bool {
    match parser.pieces.last() {
        Some(Piece::Tag(_)) => true,
        Some(Piece::Text(token)) => parser.text_of(token).ends_with('\n'),
        None => false,
    }
}

/// Whether `item` is all closed, so that nothing of it had a say in how tags elsewhere were paired. Unlike
/// the errors that are reported, this counts also where interpolations stand.
fn is_closed_item(item: &SyntaxElement) -> bool {
    let NodeOrToken::Node(node) = item else {
        return true;
    };
    !matches!(
        node.kind(),
        SyntaxKind::SectionOpen | SyntaxKind::SectionClose
    ) && node.descendants().all(|it| !is_open_error(it.kind()))
}

fn is_open_error(kind: SyntaxKind) -> bool {
    use ErrorKind::*;
    matches!(
        kind,
        SyntaxKind::Error(
            UnclosedTag | UnclosedSection | StraySectionClose | MismatchedSectionClose | TooDeep
        )
    )
}

#[cfg(test)]
mod tests;
