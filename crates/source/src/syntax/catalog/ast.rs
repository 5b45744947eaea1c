//! Typed views of a catalog's tree. Every accessor may return nothing, because the text may be unfinished.

use crate::{
    syntax::{
        error::{ErrorKind, error_nodes},
        fragment::{Foreign, ForeignKind},
        green::{Node, Token},
        kind::{SyntaxKind, SyntaxNode, SyntaxToken},
    },
    text::{TextRange, TextSize, size},
};

/// An entry: a tool with its signature and its description, or lines that are neither.
#[derive(Debug, Clone)]
pub struct Entry(SyntaxNode);

/// The indented lines below a signature.
#[derive(Debug, Clone)]
pub struct Description(SyntaxNode);

impl Entry {
    /// The view of an entry's node.
    pub fn cast(node: SyntaxNode) -> Option<Self> {
        (node.kind() == SyntaxKind::Entry).then_some(Self(node))
    }

    /// The name, even if it is not valid for a tool.
    pub fn name(&self) -> Option<SyntaxToken> {
        let first = self.0.first_token()?;
        (first.kind() == SyntaxKind::EntryName).then_some(first)
    }

    /// The tree of the signature.
    pub fn signature(&self) -> Option<SyntaxNode> {
        self.child(SyntaxKind::Signature)
    }

    /// The description.
    pub fn description(&self) -> Option<Description> {
        self.child(SyntaxKind::Description).map(Description)
    }

    /// The errors outside of the signature.
    pub fn errors(&self) -> Vec<(ErrorKind, SyntaxNode)> {
        let parts = self.0.children();
        let around = parts.filter(|it| it.kind() != SyntaxKind::Signature);
        around.flat_map(|it| error_nodes(&it)).collect()
    }

    /// Its node.
    pub fn syntax(&self) -> &SyntaxNode {
        &self.0
    }

    fn child(&self, kind: SyntaxKind) -> Option<SyntaxNode> {
        self.0.children().find(|it| it.kind() == kind)
    }
}

impl Description {
    /// From the text of the first line to that of the last one, in bytes of the tree.
    pub fn text_range(&self) -> TextRange {
        self.0.text_range()
    }

    /// The common indentation of all lines, in bytes from the description's start.
    pub fn margins(&self) -> Vec<Foreign> {
        let start = self.text_range().start();
        let mut margins = Vec::new();
        each_whitespace(&self.0, &mut |it| {
            if !it.text().contains(['\n', '\r']) {
                margins.push(margin(it.text_range() - start));
            }
        });
        margins.shrink_to_fit();
        margins
    }
}

/// The comments between the lines of a signature, in bytes from its start.
pub fn comments(signature: &SyntaxNode) -> Vec<Foreign> {
    let mut comments = Vec::new();
    each_whitespace(signature, &mut |token| {
        let mut at = token.text_range().start() - signature.text_range().start();
        for line in token.text().split_inclusive(['\n', '\r']) {
            if let Some(mark) = line.find(['#', ';']) {
                let comment = TextSize::of(line[mark..].trim_end());
                comments.push(margin(TextRange::at(at + size(mark), comment)));
            }
            at += TextSize::of(line);
        }
    });
    comments
}

fn each_whitespace(node: &SyntaxNode, visit: &mut dyn FnMut(Token<'_>)) {
    Node::of(node).each_token(&mut |token| {
        if token.kind() == SyntaxKind::Whitespace {
            visit(token);
        }
    });
}

fn margin(range: TextRange) -> Foreign {
    Foreign {
        range,
        kind: ForeignKind::Margin,
    }
}
