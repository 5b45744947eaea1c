//! Nodes and tokens of green trees with their places, for readers that only go down: unlike a
//! [`SyntaxNode`], they allocate nothing and know no parents.

use rowan::{GreenNodeData, GreenTokenData, Language, NodeOrToken};

use crate::{
    syntax::kind::{FragmentLanguage, SyntaxKind, SyntaxNode},
    text::{TextRange, TextSize},
};

/// A node and its place.
#[derive(Debug, Clone, Copy)]
pub struct Node<'a> {
    green: &'a GreenNodeData,
    start: TextSize,
}

/// A token and its place.
#[derive(Debug, Clone, Copy)]
pub struct Token<'a> {
    green: &'a GreenTokenData,
    start: TextSize,
}

impl<'a> Node<'a> {
    /// The same node without its parents.
    pub fn of(node: &'a SyntaxNode) -> Self {
        Self {
            green: node.green(),
            start: node.text_range().start(),
        }
    }

    /// The kind.
    pub fn kind(self) -> SyntaxKind {
        FragmentLanguage::kind_from_raw(self.green.kind())
    }

    /// The place, in bytes of the tree's text.
    pub fn text_range(self) -> TextRange {
        TextRange::at(self.start, self.green.text_len())
    }

    /// The nodes directly below it.
    pub fn children(self) -> impl Iterator<Item = Node<'a>> {
        let nodes = self.children_with_tokens();
        nodes.filter_map(NodeOrToken::into_node)
    }

    /// The nodes and tokens directly below it.
    pub fn children_with_tokens(self) -> impl Iterator<Item = NodeOrToken<Node<'a>, Token<'a>>> {
        let mut start = self.start;
        self.green.children().map(move |child| {
            let place = start;
            match child {
                NodeOrToken::Node(green) => {
                    start += green.text_len();
                    NodeOrToken::Node(Node {
                        green,
                        start: place,
                    })
                }
                NodeOrToken::Token(green) => {
                    start += green.text_len();
                    NodeOrToken::Token(Token {
                        green,
                        start: place,
                    })
                }
            }
        })
    }

    /// Calls `visit` with each token below it, in the order of the text.
    pub fn each_token(self, visit: &mut dyn FnMut(Token<'a>)) {
        for child in self.children_with_tokens() {
            match child {
                NodeOrToken::Node(node) => node.each_token(visit),
                NodeOrToken::Token(token) => visit(token),
            }
        }
    }

    /// The same node as the root of a tree of its own, and so with places that count from its start.
    pub fn to_root(self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.to_owned())
    }
}

impl<'a> Token<'a> {
    /// The kind.
    pub fn kind(self) -> SyntaxKind {
        FragmentLanguage::kind_from_raw(self.green.kind())
    }

    /// The text.
    pub fn text(self) -> &'a str {
        self.green.text()
    }

    /// The place, in bytes of the tree's text.
    pub fn text_range(self) -> TextRange {
        TextRange::at(self.start, self.green.text_len())
    }
}
