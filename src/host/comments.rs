//! Where the comments of a document are, as its host reads it.

use rowan::GreenNode;

use crate::{
    host::{
        Host, HostDocument,
        token_tree::{Kind, SyntaxNode},
        yaml::{self, Node, NodeKind},
    },
    text::{Text, TextRange, TextSize},
};

/// What begins a comment in Markdown and in templates.
const MARKS: [&str; 2] = ["<!--", "{{!"];

impl HostDocument {
    /// Whether what is at `offset`, in a line that looks like a comment, is one: no part of a string, of a
    /// heredoc, of prose or of code in a language that is not read.
    pub fn is_comment(&self, text: &Text, offset: TextSize) -> bool {
        match &self.host {
            Host::Elixir(document) => is_comment_in(document.tree(), offset),
            Host::Json(document) => {
                let tree = document.tree();
                tree.is_some_and(|tree| is_comment_in(tree, offset))
            }
            Host::Lisp(document) => is_comment_in(document.tree(), offset),
            Host::Yaml(document) => is_yaml_comment(text, document.entry_around(offset), offset),
            Host::Catalog(_) => true,
            Host::Idle(_) => false,
            Host::Markdown(document) => match document.code_at(offset) {
                Some(block) => block.is_comment(text, offset),
                None => has_mark(text, offset),
            },
            Host::Prompt(file) | Host::SignedMarkdown(file) => match file.yaml_around(offset) {
                Some(yaml) => is_yaml_comment(text, yaml, offset),
                None => has_mark(text, offset),
            },
        }
    }
}

/// Whether the token at `offset` of `tree` is a comment.
pub fn is_comment_in(tree: &GreenNode, offset: TextSize) -> bool {
    let root = SyntaxNode::new_root(tree.clone());
    if !root.text_range().contains_inclusive(offset) {
        return false;
    }
    let token = root.token_at_offset(offset).right_biased();
    token.is_some_and(|token| token.kind() == Kind::Comment)
}

/// Whether no scalar of the YAML at `range` holds `offset`.
fn is_yaml_comment(text: &Text, range: TextRange, offset: TextSize) -> bool {
    let Some(offset) = offset.checked_sub(range.start()) else {
        return false;
    };
    !holds(&yaml::read(&text.slice(range)).roots, offset)
}

/// Whether a scalar of `roots` holds `offset`.
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
fn has_mark(text: &Text, offset: TextSize) -> bool {
    let line = text.line_range(offset);
    let before = text.slice(TextRange::new(line.start(), offset));
    MARKS.iter().any(|mark| {
        before
            .trim_start_matches([' ', '\t', '>'])
            .starts_with(mark)
    })
}
