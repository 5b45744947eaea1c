//! Syntax trees.

use serde::Serialize;
use signature_ls::{
    ide::{self, Document, TreeNode},
    text::TextSize,
};

use crate::positions::{Range, range};

/// More nodes than this are too many for a page.
const MOST_NODES: usize = 3000;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tree {
    literals: Vec<Node>,
    is_whole: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Node {
    kind: String,
    #[serde(flatten)]
    range: Range,
    is_error: bool,
    /// The text of a token.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    children: Vec<Node>,
}

/// The trees of the strings around `offset`.
pub(super) fn tree(document: &Document, offset: TextSize) -> Tree {
    let mut left = MOST_NODES;
    let trees = ide::syntax_trees(document, offset);
    let literals = trees
        .into_iter()
        .filter_map(|it| node(document, it, &mut left));
    Tree {
        literals: literals.collect(),
        is_whole: left > 0,
    }
}

fn node(document: &Document, tree: TreeNode, left: &mut usize) -> Option<Node> {
    *left = left.checked_sub(1)?;
    let children = tree.children.into_iter();
    Some(Node {
        range: range(document.text(), tree.range),
        is_error: tree.is_error,
        text: tree.text,
        children: children.map_while(|it| node(document, it, left)).collect(),
        kind: tree.kind,
    })
}
