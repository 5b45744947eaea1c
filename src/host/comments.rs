//! Finds the comments of a document.

use rowan::{GreenNode, NodeOrToken};

use crate::{
    host::{
        token_tree::{Kind, SyntaxNode, SyntaxToken},
        yaml::{self, Node, NodeKind},
    },
    text::{Text, TextRange, TextSize},
};

/// The start of a comment in Markdown and in templates.
const MARKS: [&str; 2] = ["<!--", "{{!"];

/// Whether the token at `offset` of `tree` is a comment.
pub fn is_comment_in(tree: &GreenNode, offset: TextSize) -> bool {
    let root = SyntaxNode::new_root(tree.clone());
    if !root.text_range().contains_inclusive(offset) {
        return false;
    }
    // At the end of the text, it is the last token.
    let last = root.text_range().end().checked_sub(TextSize::from(1));
    let token = last.and_then(|last| token_of(root, offset.min(last)));
    token.is_some_and(|token| token.kind() == Kind::Comment)
}

/// The token with the byte at `offset` of `node`. A linear search through many children would take long.
fn token_of(mut node: SyntaxNode, offset: TextSize) -> Option<SyntaxToken> {
    let byte = TextRange::at(offset, TextSize::from(1));
    loop {
        match node.child_or_token_at_range(byte)? {
            NodeOrToken::Node(child) => node = child,
            NodeOrToken::Token(token) => return Some(token),
        }
    }
}

/// Whether no scalar of the YAML at `range` contains `offset`.
pub fn is_yaml_comment(text: &Text, range: TextRange, offset: TextSize) -> bool {
    let Some(offset) = offset.checked_sub(range.start()) else {
        return false;
    };
    !holds(&yaml::read(&text.slice(range)).roots, offset)
}

/// Whether a scalar of `roots` contains `offset`.
pub fn holds(roots: &[Node], offset: TextSize) -> bool {
    let mut left: Vec<&Node> = roots.iter().collect();
    while let Some(node) = left.pop() {
        if !node.range.contains_inclusive(offset) {
            continue;
        }
        match &node.kind {
            NodeKind::Scalar(scalar) if scalar.literal.literal.contains(offset) => return true,
            NodeKind::Scalar(_) | NodeKind::Other => {}
            NodeKind::Sequence(items) => left.extend(items),
            NodeKind::Mapping(entries) => left.extend(entries.iter().map(|entry| &entry.value)),
        }
    }
    false
}

/// Whether one of the marks precedes `offset` on its line.
pub fn has_mark(text: &Text, offset: TextSize) -> bool {
    let line = text.line_range(offset);
    let before = text.slice(TextRange::new(line.start(), offset));
    MARKS.iter().any(|mark| {
        before
            .trim_start_matches([' ', '\t', '>'])
            .starts_with(mark)
    })
}
