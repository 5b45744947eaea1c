//! Syntax trees.

use serde::Serialize;
use signature_ls_analysis::ide::{self, Document, TreeNode};
use signature_ls_source::text::TextSize;

use crate::positions::{Range, range};

/// The maximum number of nodes that a page shows.
const MOST_NODES: usize = 1500;

/// The maximum number of children that are shown of a list, around the cursor.
const MOST_CHILDREN: usize = 100;

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
    let trees = ide::syntax_trees(document, offset);
    let mut shown = Shown {
        document,
        offset,
        left: MOST_NODES,
        is_whole: true,
    };
    let literals = trees.into_iter().filter_map(|it| shown.node(it)).collect();
    Tree {
        literals,
        is_whole: shown.is_whole,
    }
}

/// The part of the trees that is shown.
struct Shown<'a> {
    document: &'a Document,
    offset: TextSize,
    left: usize,
    is_whole: bool,
}

impl Shown<'_> {
    fn node(&mut self, tree: TreeNode) -> Option<Node> {
        let Some(left) = self.left.checked_sub(1) else {
            self.is_whole = false;
            return None;
        };
        self.left = left;
        let all = tree.children;
        let shown = around(
            all.partition_point(|it| it.range.end() < self.offset),
            all.len(),
        );
        self.is_whole &= shown.len() == all.len();
        let children = all.into_iter().skip(shown.start).take(shown.len());
        Some(Node {
            children: children.map_while(|it| self.node(it)).collect(),
            range: range(self.document.text(), tree.range),
            is_error: tree.is_error,
            text: tree.text,
            kind: tree.kind,
        })
    }
}

/// The indexes of the children of a list of `len` that are shown: at most [`MOST_CHILDREN`], with the one at `index`
/// in the middle.
fn around(index: usize, len: usize) -> std::ops::Range<usize> {
    let latest = len.saturating_sub(MOST_CHILDREN);
    let start = index.saturating_sub(MOST_CHILDREN / 2).min(latest);
    start..len.min(start + MOST_CHILDREN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_is_among_the_children_that_are_shown() {
        assert_eq!(around(3, 7), 0..7);
        assert_eq!(around(0, 1000), 0..100);
        assert_eq!(around(500, 1000), 450..550);
        assert_eq!(around(1000, 1000), 900..1000);
    }
}
