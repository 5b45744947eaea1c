//! Incremental reparse, written once for every kind of tree.
//!
//! The smallest node around an edit that its grammar can parse on its own gets parsed anew from its own
//! text, and the rest of the tree is shared with the tree before the edit. The grammar answers for
//! the equality with a full parse: it refuses a text that no longer forms one closed node.

use rowan::{GreenNode, GreenToken, Language, NodeOrToken, SyntaxNode};

use crate::text::{TextEdit, TextRange, TextSize};

/// A child of a green node.
pub type GreenElement = NodeOrToken<GreenNode, GreenToken>;

/// What a kind of tree says of itself so that parts of it can be parsed on their own.
pub trait Grammar {
    /// The kinds of its nodes.
    type Language: Language;

    /// Parses `text` as the one closed node that is to stand in the place of `node`, or answers `None`
    /// where it is not exactly that, or where `node` is not of a kind that stands on its own.
    ///
    /// The edit lies inside the node and touches neither its first nor its last byte.
    fn reparse_node(&self, node: &SyntaxNode<Self::Language>, text: &str) -> Option<GreenNode>;

    /// Parses `text` as the children `first..=last` of `parent`, which are items of a list, or answers
    /// `None` where it does not end as an item ends or where those children are no such items.
    fn reparse_items(
        &self,
        _parent: &SyntaxNode<Self::Language>,
        _items: std::ops::RangeInclusive<usize>,
        _text: &str,
    ) -> Option<Vec<GreenElement>> {
        None
    }
}

/// A tree after an edit.
#[derive(Debug, Clone)]
pub struct Reparsed {
    /// The whole tree.
    pub green: GreenNode,
    /// What was parsed anew, in bytes of the text after the edit.
    pub range: TextRange,
}

/// Follows `edit` by parsing as little as the grammar allows; `None` asks for a full parse.
pub fn reparse<G: Grammar>(grammar: &G, green: &GreenNode, edit: &TextEdit) -> Option<Reparsed> {
    let root = SyntaxNode::<G::Language>::new_root(green.clone());
    if !root.text_range().contains_range(edit.range) {
        return None;
    }
    let innermost = match root.covering_element(edit.range) {
        NodeOrToken::Node(node) => node,
        NodeOrToken::Token(token) => token.parent()?,
    };
    for node in innermost.ancestors() {
        if let Some(reparsed) =
            reparse_node(grammar, &node, edit).or_else(|| reparse_items(grammar, &node, edit))
        {
            return Some(reparsed);
        }
    }
    None
}

fn reparse_node<G: Grammar>(
    grammar: &G,
    node: &SyntaxNode<G::Language>,
    edit: &TextEdit,
) -> Option<Reparsed> {
    let range = node.text_range();
    let inside = range.start() < edit.range.start() && edit.range.end() < range.end();
    if !inside {
        return None;
    }
    let text = edited_text(node, range, edit);
    let green = grammar.reparse_node(node, &text)?;
    if green.kind() != node.green().kind() {
        return None;
    }
    debug_assert_eq!(green.text_len(), TextSize::of(text.as_str()));
    let range = TextRange::at(range.start(), green.text_len());
    Some(Reparsed {
        green: node.replace_with(green),
        range,
    })
}

/// Tries the children that the edit touches, and one neighbour on each side, as items of a list.
fn reparse_items<G: Grammar>(
    grammar: &G,
    parent: &SyntaxNode<G::Language>,
    edit: &TextEdit,
) -> Option<Reparsed> {
    let touched = |element: &rowan::SyntaxElement<G::Language>| {
        element.text_range().intersect(edit.range).is_some()
    };
    let first_touched = first_child_ending_at_or_after(parent, edit.range.start())?;
    let mut last = first_touched.clone();
    while let Some(next) = last.next_sibling_or_token().filter(touched) {
        last = next;
    }
    let first = first_touched
        .prev_sibling_or_token()
        .unwrap_or(first_touched);
    let last = last.next_sibling_or_token().unwrap_or(last);
    let range = TextRange::new(first.text_range().start(), last.text_range().end());
    let text = edited_text(parent, range, edit);
    let items = grammar.reparse_items(parent, first.index()..=last.index(), &text)?;
    let green = parent
        .green()
        .splice_children(first.index()..=last.index(), items);
    let range = TextRange::at(range.start(), TextSize::of(text.as_str()));
    Some(Reparsed {
        green: parent.replace_with(green),
        range,
    })
}

fn first_child_ending_at_or_after<L: Language>(
    parent: &SyntaxNode<L>,
    offset: TextSize,
) -> Option<rowan::SyntaxElement<L>> {
    let before = offset.checked_sub(TextSize::from(1)).unwrap_or(offset);
    parent.child_or_token_at_range(TextRange::empty(before.max(parent.text_range().start())))
}

/// The text of `range`, which lies in `node` and contains the edit, after the edit.
fn edited_text<L: Language>(node: &SyntaxNode<L>, range: TextRange, edit: &TextEdit) -> String {
    let origin = node.text_range().start();
    let text = node.text();
    let before = text.slice(range.start() - origin..edit.range.start() - origin);
    let after = text.slice(edit.range.end() - origin..range.end() - origin);
    format!("{before}{}{after}", edit.insert)
}
