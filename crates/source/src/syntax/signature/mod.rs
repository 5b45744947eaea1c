//! Signatures: `(user {name :string}, limit :int?) -> [{id :int}]`.
//!
//! [`parse`] accepts any text. `model` decides which words are types in an edition.

mod brackets;
mod grammar;
mod lexer;
mod parser;

pub mod ast;

use rowan::{GreenNode, NodeOrToken};

use crate::{
    syntax::{
        fragment::{Escapes, Foreign, Fragment, foreign_within},
        kind::{FragmentLanguage, SyntaxKind, SyntaxNode, SyntaxToken},
        pairing::Role,
        reparse::{Grammar, reparse},
        too_long,
    },
    text::{TextEdit, TextRange, TextSize},
};
use brackets::{closer_of, match_brackets};
use parser::{MAX_DEPTH, Parser};

/// The maximum length of a signature in bytes.
pub const LONGEST: usize = 64 << 10;

/// Parses a signature. The tree's text is the fragment's, byte for byte. A text over [`LONGEST`] is a single error.
pub fn parse(fragment: Fragment<'_>) -> GreenNode {
    if fragment.text.len() > LONGEST {
        return too_long::tree(fragment.text, SyntaxKind::Signature);
    }
    let mut parser = Parser::new(fragment, 0);
    grammar::signature(&mut parser);
    parser.finish()
}

/// Whether `text` can be the name of a parameter or a field.
pub fn is_name(text: &str) -> bool {
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    text.starts_with(begins) && text.chars().all(is_part)
}

/// The last token below `root`, apart from white space, comments and final closing brackets: where the user is typing,
/// whether or not an editor has added the closing brackets.
pub fn last_before_closers(root: &SyntaxNode) -> Option<SyntaxToken> {
    let is_closer = |kind| {
        matches!(
            kind,
            SyntaxKind::RParen
                | SyntaxKind::RBracket
                | SyntaxKind::RBrace
                | SyntaxKind::Whitespace
                | SyntaxKind::Comment
        )
    };
    // Not from the end: `last_token` returns `None` if the last node is empty, such as an error for something missing.
    let tokens = root.descendants_with_tokens();
    let tokens = tokens.filter_map(NodeOrToken::into_token);
    tokens.filter(|token| !is_closer(token.kind())).last()
}

/// The tree after `edit`, given the old tree and the new fragment.
pub fn edit(green: &GreenNode, edit: &TextEdit, fragment: Fragment<'_>) -> GreenNode {
    let grammar = SignatureGrammar {
        escapes: fragment.escapes,
        foreign: fragment.foreign,
    };
    let is_short = fragment.text.len() <= LONGEST;
    match is_short.then(|| reparse(&grammar, green, edit)).flatten() {
        Some(reparsed) => reparsed.green,
        None => parse(fragment),
    }
}

/// The parts of a signature that can be parsed separately: a pair of brackets with its contents.
pub(super) struct SignatureGrammar<'a> {
    pub(super) escapes: Escapes,
    pub(super) foreign: &'a [Foreign],
}

impl Grammar for SignatureGrammar<'_> {
    type Language = FragmentLanguage;

    fn stands_alone(&self, kind: SyntaxKind) -> bool {
        is_bracketed(kind)
    }

    fn reparse_node(&self, node: &SyntaxNode, text: &str) -> Option<GreenNode> {
        let kind = node.kind();
        if !was_one_pair(node) || is_too_long_with(node, text) {
            return None;
        }
        let range = TextRange::at(node.text_range().start(), TextSize::of(text));
        let foreign = foreign_within(self.foreign, range)?;
        let fragment = Fragment {
            text,
            escapes: self.escapes,
            foreign: &foreign,
        };
        let depth = node
            .ancestors()
            .skip(1)
            .filter(|it| is_bracketed(it.kind()) && begins_with_bracket(it))
            .count();
        let mut parser = Parser::new(fragment, depth);
        if depth >= MAX_DEPTH
            || !is_one_pair(&parser.kinds(), parser.brackets())
            || kind_of_pair(&parser, kind) != Some(kind)
        {
            return None;
        }
        grammar::pair(&mut parser, kind);
        Some(parser.finish())
    }
}

fn is_bracketed(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        SyntaxKind::ParamList | SyntaxKind::RecordType | SyntaxKind::ListType
    )
}

/// Not so where the brackets are missing.
fn begins_with_bracket(node: &SyntaxNode) -> bool {
    let first = node.first_token();
    first.is_some_and(|it| closer_of(it.kind()).is_some())
}

/// Whether the signature exceeds [`LONGEST`] with `text` in place of `node`.
fn is_too_long_with(node: &SyntaxNode, text: &str) -> bool {
    let mut around = node.ancestors();
    let signature = around.find(|it| it.kind() == SyntaxKind::Signature);
    let len = |node: &SyntaxNode| usize::from(node.text_range().len());
    signature.is_some_and(|it| len(&it) - len(node) + text.len() > LONGEST)
}

/// Whether the brackets in the node were paired among themselves, so that none of them affected the pairing of others.
fn was_one_pair(node: &SyntaxNode) -> bool {
    let tokens = node
        .descendants_with_tokens()
        .filter_map(|it| it.into_token());
    let kinds: Vec<_> = tokens.map(|token| token.kind()).collect();
    is_one_pair(&kinds, &match_brackets(kinds.iter().copied()))
}

/// Whether the tokens are one pair of brackets in which all brackets are paired.
fn is_one_pair(kinds: &[SyntaxKind], roles: &[Option<Role>]) -> bool {
    let whole = roles.first() == Some(&Some(Role::ClosedBy(roles.len() - 1)));
    whole
        && roles.iter().enumerate().all(|(open, role)| match *role {
            Some(Role::ClosedBy(close)) => closer_of(kinds[open]) == Some(kinds[close]),
            Some(Role::Unclosed | Role::Stray) => false,
            Some(Role::Closes(_)) | None => true,
        })
}

/// The kind of the node for the brackets in place of a node of `old` kind.
fn kind_of_pair(parser: &Parser<'_>, old: SyntaxKind) -> Option<SyntaxKind> {
    match parser.kind(0) {
        // Around an arrow they would belong to the signature.
        SyntaxKind::LParen if old == SyntaxKind::ParamList => {
            let is_of_signature = grammar::opens_signature(parser, 0);
            (!is_of_signature).then_some(SyntaxKind::ParamList)
        }
        SyntaxKind::LBracket => Some(SyntaxKind::ListType),
        SyntaxKind::LBrace => Some(SyntaxKind::RecordType),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
