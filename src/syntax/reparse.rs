//! Incremental reparse, written once for every kind of tree.
//!
//! The smallest stretch around an edit that its grammar can parse on its own gets parsed anew from its
//! own text, and the rest of the tree is shared with the tree before the edit. A stretch is one node,
//! or a few neighbours in a list. The grammar answers for the equality with a full parse: it refuses a
//! text that would have come out otherwise in its place.

use rowan::{GreenNode, GreenNodeData, Language, NodeOrToken, SyntaxElement, SyntaxNode};

use crate::text::{TextEdit, TextRange, TextSize};

/// What a kind of tree says of itself so that parts of it can be parsed on their own.
pub trait Grammar {
    /// The kinds of its nodes.
    type Language: Language;

    /// Whether nodes of this kind can be parsed on their own.
    fn stands_alone(&self, kind: <Self::Language as Language>::Kind) -> bool;

    /// Parses the text of a stretch as the one closed node that is to stand in the place of
    /// [`Stretch::first`], or answers `None` where it is not exactly that.
    ///
    /// The edit lies inside the node and touches neither its first nor its last byte.
    fn reparse_node(&self, stretch: &Stretch<Self::Language>) -> Option<GreenNode>;

    /// Whether nodes of this kind are items of a list, which can be parsed apart from the others.
    fn is_item(&self, _kind: <Self::Language as Language>::Kind) -> bool {
        false
    }

    /// Parses the text of a stretch as items of a list, or answers `None` where the rest of the list
    /// would not stay as it is.
    ///
    /// The edit touches neither the first nor the last byte, unless the document ends there.
    fn reparse_items(&self, _stretch: &Stretch<Self::Language>) -> Option<Vec<GreenNode>> {
        None
    }
}

/// A stretch of a tree that is to be parsed on its own.
#[derive(Debug, Clone)]
pub struct Stretch<'e, L: Language> {
    /// The first of the neighbours in the tree before the edit.
    pub first: SyntaxNode<L>,
    /// The last of them, the first itself where it is alone.
    pub last: SyntaxNode<L>,
    /// Their text after the edit.
    pub text: String,
    /// The edit, which lies in them.
    pub edit: &'e TextEdit,
}

impl<L: Language> Stretch<'_, L> {
    /// The place of the stretch in the document before the edit.
    pub fn range(&self) -> TextRange {
        TextRange::new(
            self.first.text_range().start(),
            self.last.text_range().end(),
        )
    }

    /// The place of the stretch in the document after the edit.
    fn new_range(&self) -> TextRange {
        TextRange::at(self.range().start(), TextSize::of(self.text.as_str()))
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
    innermost.ancestors().find_map(|node| {
        reparse_node(grammar, &node, edit).or_else(|| reparse_items(grammar, &node, edit))
    })
}

fn reparse_node<G: Grammar>(
    grammar: &G,
    node: &SyntaxNode<G::Language>,
    edit: &TextEdit,
) -> Option<Reparsed> {
    let range = node.text_range();
    let is_inside = range.start() < edit.range.start() && edit.range.end() < range.end();
    if !is_inside || !grammar.stands_alone(node.kind()) {
        return None;
    }
    let mut text = String::new();
    push_text(node.green(), &mut text);
    let stretch = stretch(node.clone(), node.clone(), text, edit);
    let green = grammar.reparse_node(&stretch)?;
    debug_assert_eq!(green.text_len(), stretch.new_range().len());
    Some(Reparsed {
        green: node.replace_with(green),
        range: stretch.new_range(),
    })
}

/// Tries the items of `parent` that the edit touches, then with one neighbour more on each side.
fn reparse_items<G: Grammar>(
    grammar: &G,
    parent: &SyntaxNode<G::Language>,
    edit: &TextEdit,
) -> Option<Reparsed> {
    let items = Items::of(grammar, parent)?;
    let (first, last) = items.touched_by(edit)?;
    let before = first.saturating_sub(1).max(items.first);
    let after = (last + 1).min(items.last);
    let reparse = |first, last| {
        let is_kept_clear = |range: TextRange| {
            let document = parent.tree_top().text_range();
            (range.start() < edit.range.start() || range.start() == document.start())
                && (edit.range.end() < range.end() || range.end() == document.end())
        };
        let range = items.range(first, last);
        if !is_kept_clear(range) {
            return None;
        }
        let stretch = stretch(
            items.node(first)?,
            items.node(last)?,
            items.text(first, last),
            edit,
        );
        let replacement = grammar.reparse_items(&stretch)?;
        let green = parent
            .green()
            .splice_children(first..=last, replacement.into_iter().map(NodeOrToken::Node));
        Some(Reparsed {
            green: parent.replace_with(green),
            range: stretch.new_range(),
        })
    };
    reparse(first, last).or_else(|| {
        let has_neighbours = (before, after) != (first, last);
        has_neighbours.then(|| reparse(before, after)).flatten()
    })
}

/// The children of a node that are items of a list: one unbroken row.
struct Items<'p, L: Language> {
    parent: &'p SyntaxNode<L>,
    /// The index of the first item among the children.
    first: usize,
    /// The index of the last item among the children.
    last: usize,
}

impl<'p, L: Language> Items<'p, L> {
    /// The items of `parent`, which stand behind at most one other child.
    fn of<G: Grammar<Language = L>>(grammar: &G, parent: &'p SyntaxNode<L>) -> Option<Self> {
        let is_item = |kind: rowan::SyntaxKind| grammar.is_item(L::kind_from_raw(kind));
        let mut children = parent.green().children();
        let first = children
            .clone()
            .take(2)
            .position(|child| is_item(child.kind()))?;
        let last = children.rposition(|child| is_item(child.kind()))?;
        Some(Self {
            parent,
            first,
            last,
        })
    }

    /// The first and the last item that share a byte or an end with the edit; `None` where it reaches
    /// out of the items.
    fn touched_by(&self, edit: &TextEdit) -> Option<(usize, usize)> {
        let mut touched = None;
        let mut offset = self.parent.text_range().start();
        for (index, child) in self.parent.green().children().enumerate() {
            let range = TextRange::at(offset, child.text_len());
            offset = range.end();
            if range.end() < edit.range.start() {
                continue;
            }
            if range.start() > edit.range.end() {
                break;
            }
            if (self.first..=self.last).contains(&index) {
                let first = touched.map_or(index, |(first, _)| first);
                touched = Some((first, index));
            }
        }
        let (first, last) = touched?;
        self.range(first, last)
            .contains_range(edit.range)
            .then_some((first, last))
    }

    fn range(&self, first: usize, last: usize) -> TextRange {
        let len = |count| -> TextSize {
            let children = self.parent.green().children().take(count);
            children.map(|child| child.text_len()).sum()
        };
        let start = self.parent.text_range().start();
        TextRange::new(start + len(first), start + len(last + 1))
    }

    fn text(&self, first: usize, last: usize) -> String {
        let mut text = String::new();
        for child in self.parent.green().children().take(last + 1).skip(first) {
            if let NodeOrToken::Node(node) = child {
                push_text(node, &mut text);
            }
        }
        text
    }

    fn node(&self, index: usize) -> Option<SyntaxNode<L>> {
        let range = self.range(index, index);
        match self.parent.child_or_token_at_range(range)? {
            SyntaxElement::<L>::Node(node) => Some(node),
            SyntaxElement::<L>::Token(_) => None,
        }
    }
}

fn stretch<L: Language>(
    first: SyntaxNode<L>,
    last: SyntaxNode<L>,
    mut text: String,
    edit: &TextEdit,
) -> Stretch<'_, L> {
    let moved = TextEdit::replace(
        edit.range - first.text_range().start(),
        edit.insert.as_str(),
    );
    moved.apply(&mut text);
    Stretch {
        first,
        last,
        text,
        edit,
    }
}

/// Adds the text of `node` to `text`. Recurses as deep as the tree, whose depth its grammar bounds.
pub fn push_text(node: &GreenNodeData, text: &mut String) {
    for child in node.children() {
        match child {
            NodeOrToken::Token(token) => text.push_str(token.text()),
            NodeOrToken::Node(node) => push_text(node, text),
        }
    }
}
