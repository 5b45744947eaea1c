//! Finds the comments of a document.

use rowan::{GreenNode, NodeOrToken};

use crate::{
    host::{
        token_tree::{Kind, SyntaxNode, SyntaxToken},
        yaml::{self, Node, NodeKind},
    },
    order,
    text::{Text, TextRange, TextSize},
};

/// What begins a comment in Markdown and in templates.
const MARKS: [&str; 2] = ["<!--", "{{!"];

/// Whether the token at `offset` of `tree` is a comment.
pub fn is_comment_in(tree: &GreenNode, offset: TextSize) -> bool {
    let root = SyntaxNode::new_root(tree.clone());
    if !root.text_range().contains_inclusive(offset) {
        return false;
    }
    // At the end of the text it is the last token.
    let last = root.text_range().end().checked_sub(TextSize::from(1));
    let token = last.and_then(|last| token_of(root, offset.min(last)));
    token.is_some_and(|token| token.kind() == Kind::Comment)
}

/// The token with the byte at `offset` of `node`. Looking through all children takes long in a node of many.
pub(super) fn token_of(mut node: SyntaxNode, offset: TextSize) -> Option<SyntaxToken> {
    let byte = TextRange::at(offset, TextSize::from(1));
    loop {
        match node.child_or_token_at_range(byte)? {
            NodeOrToken::Node(child) => node = child,
            NodeOrToken::Token(token) => return Some(token),
        }
    }
}

/// The comments in a stretch of a document.
pub enum Comments {
    /// Those in the tree of its code.
    Tree(GreenNode),
    /// What is in none of these scalars, which are in the order of the text.
    Outside(Vec<TextRange>),
    /// All that looks like one.
    All,
}

impl Comments {
    /// Those of the YAML that `text` is.
    pub fn of_yaml(text: &str) -> Self {
        let roots = yaml::read(text).roots;
        let mut scalars = Vec::new();
        let mut left: Vec<&Node> = roots.iter().collect();
        while let Some(node) = left.pop() {
            match &node.kind {
                NodeKind::Scalar(scalar) => scalars.push(scalar.literal),
                NodeKind::Other => {}
                NodeKind::Sequence(items) => left.extend(items),
                NodeKind::Mapping(entries) => left.extend(entries.iter().map(|entry| &entry.value)),
            }
        }
        order::by_start(&mut scalars, |it| it.start());
        Self::Outside(scalars)
    }

    /// Whether what is at `offset` is one, in bytes from where the stretch begins.
    fn hold(&self, offset: TextSize) -> bool {
        match self {
            Self::Tree(tree) => is_comment_in(tree, offset),
            Self::Outside(scalars) => {
                let following = scalars.partition_point(|it| it.start() <= offset);
                let around = following.checked_sub(1).and_then(|at| scalars.get(at));
                !around.is_some_and(|it| it.contains(offset))
            }
            Self::All => true,
        }
    }
}

/// The comments of the stretch that was read last. Whoever asks goes from place to place, and most of them are in one
/// stretch.
#[derive(Default)]
pub struct SeenComments(Option<(TextRange, Comments)>);

impl SeenComments {
    /// Whether what is at `offset` of the document is among the comments in `range`, which `read` reads.
    pub fn hold(
        &mut self,
        range: TextRange,
        offset: TextSize,
        read: impl FnOnce() -> Comments,
    ) -> bool {
        let Some(inside) = offset.checked_sub(range.start()) else {
            return false;
        };
        let known = self.0.take().filter(|(it, _)| *it == range);
        let (_, comments) = self.0.insert(known.unwrap_or_else(|| (range, read())));
        comments.hold(inside)
    }
}

/// Whether one of the marks is at the start of the line at `offset`, or directly before `offset`.
pub fn has_mark(text: &Text, offset: TextSize) -> bool {
    let line = text.line_range(offset);
    let before = text.slice(TextRange::new(line.start(), offset));
    let line = before.trim_start_matches([' ', '\t', '>']);
    let is_marked = |mark: &&str| line.starts_with(mark) || line.trim_end().ends_with(mark);
    MARKS.iter().any(is_marked)
}
