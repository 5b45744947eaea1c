//! Texts that are too long to parse.

use rowan::{GreenNode, GreenToken, NodeOrToken};

use crate::syntax::{
    error::ErrorKind,
    kind::{SyntaxKind, SyntaxNode},
    reparse::GreenElement,
};

/// The number of characters at the start that are marked as the error.
const MARKED: usize = 40;

/// The tree of a text that is not parsed, with its start as an error.
pub(super) fn tree(text: &str, root: SyntaxKind) -> GreenNode {
    let code = text.trim_start();
    let (blank, _) = text.split_at(text.len() - code.len());
    let line = code.lines().next().unwrap_or_default();
    let marked_end = line.char_indices().nth(MARKED);
    let (marked, rest) = code.split_at(marked_end.map_or(line.len(), |(at, _)| at));
    let marked = GreenNode::new(
        SyntaxKind::Error(ErrorKind::TooLong).into(),
        token(SyntaxKind::Unknown, marked),
    );
    let children = token(SyntaxKind::Whitespace, blank)
        .chain([NodeOrToken::Node(marked)])
        .chain(token(SyntaxKind::Unknown, rest));
    GreenNode::new(root.into(), children.collect::<Vec<_>>())
}

fn token(kind: SyntaxKind, text: &str) -> impl ExactSizeIterator<Item = GreenElement> {
    let token = (!text.is_empty()).then(|| GreenToken::new(kind.into(), text).into());
    token.into_iter()
}

/// Whether `root` is the tree of a text that is too long.
pub fn is_too_long(root: &SyntaxNode) -> bool {
    let first = root.first_child();
    first.is_some_and(|it| it.kind() == SyntaxKind::Error(ErrorKind::TooLong))
}
