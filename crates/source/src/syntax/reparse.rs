//! Incremental reparse, written once for every kind of tree.
//!
//! The smallest range around an edit that its grammar can parse separately is reparsed, and the rest of the tree is
//! shared with the old tree. A range is one node, or a few neighbors in a list. The grammar guarantees the equality
//! with a full parse: it rejects a text that would be parsed differently in its place.

use rowan::{GreenNode, GreenNodeData, GreenToken, Language, NodeOrToken, SyntaxNode};

use crate::text::{TextEdit, TextRange, TextSize};

/// A child of a green node.
pub type GreenElement = NodeOrToken<GreenNode, GreenToken>;

/// What a grammar defines so that parts of its trees can be parsed separately.
pub trait Grammar {
    /// The kinds of its nodes.
    type Language: Language;

    /// The kind of nodes that only group their children, so that a neighbor of the same kind may take some of them.
    const RUN: Option<<Self::Language as Language>::Kind> = None;

    /// Whether nodes of this kind may be parsed separately; asked before their text is built.
    fn stands_alone(&self, kind: <Self::Language as Language>::Kind) -> bool;

    /// Parses `text` as the one closed node that replaces `node`, or returns `None` if it is not exactly that.
    ///
    /// The edit is inside the node and does not touch its first or last byte.
    fn reparse_node(&self, node: &SyntaxNode<Self::Language>, text: &str) -> Option<GreenNode>;

    /// Whether nodes or tokens of this kind are items of a list, which can be parsed separately. The items of a node
    /// are consecutive, after at most one other child.
    fn is_item(&self, _kind: <Self::Language as Language>::Kind) -> bool {
        false
    }

    /// Parses the text of a range as items of a list, or returns `None` if the rest of the list would change.
    ///
    /// The edit does not touch the first or the last byte, unless the document ends there.
    fn reparse_items(&self, _stretch: &Stretch<Self::Language>) -> Option<Vec<GreenElement>> {
        None
    }
}

/// Neighbors in a list that are parsed separately.
#[derive(Debug, Clone)]
pub struct Stretch<L: Language> {
    /// The parent.
    pub parent: SyntaxNode<L>,
    /// The first of the neighbors in the old tree.
    pub first: rowan::SyntaxElement<L>,
    /// The last of them; may be the first.
    pub last: rowan::SyntaxElement<L>,
    /// Their text after the edit.
    pub text: String,
}

/// A tree after an edit.
#[derive(Debug, Clone)]
pub struct Reparsed {
    /// The whole tree.
    pub green: GreenNode,
    /// The reparsed range, in bytes of the text after the edit.
    pub range: TextRange,
}

/// Longer ranges are only tried if they are less than half of the document: whatever makes all shorter ones fail
/// usually makes them fail too.
const LONG: u32 = 0x4000;

/// What an edit changes besides the items that it touches and those next to them usually ends within so many bytes:
/// an unclosed string ends before the next definition, and a block that was not one includes all definitions in it.
const NEAR: u32 = 0x4000;

/// A longer range is only tried after the runs around the edit were moved: it may be as long because the edit is at the
/// end of a run of runs.
const FAR: TextSize = TextSize::new(0x2000);

/// Applies `edit` by parsing as little as the grammar allows; `None` if a full parse is needed.
pub fn reparse<G: Grammar>(grammar: &G, green: &GreenNode, edit: &TextEdit) -> Option<Reparsed> {
    let Some(run) = G::RUN.filter(|_| green.text_len() > FAR) else {
        return reparse_within(grammar, green, edit, green.text_len());
    };
    let run = G::Language::kind_to_raw(run);
    reparse_within(grammar, green, edit, FAR)
        .or_else(|| {
            let moved = with_neighbors(green, run, edit.range)?;
            reparse_within(grammar, &moved, edit, FAR)
        })
        .or_else(|| reparse_within(grammar, green, edit, green.text_len()))
}

/// The same in ranges that are at most `longest`.
fn reparse_within<G: Grammar>(
    grammar: &G,
    green: &GreenNode,
    edit: &TextEdit,
    longest: TextSize,
) -> Option<Reparsed> {
    let root = SyntaxNode::<G::Language>::new_root(green.clone());
    if !root.text_range().contains_range(edit.range) {
        return None;
    }
    let innermost = match root.covering_element(edit.range) {
        NodeOrToken::Node(node) => node,
        NodeOrToken::Token(token) => token.parent()?,
    };
    innermost.ancestors().find_map(|node| {
        reparse_items(grammar, &node, edit, longest)
            .or_else(|| reparse_node(grammar, &node, edit, longest))
    })
}

fn reparse_node<G: Grammar>(
    grammar: &G,
    node: &SyntaxNode<G::Language>,
    edit: &TextEdit,
    longest: TextSize,
) -> Option<Reparsed> {
    let range = node.text_range();
    let is_inside = range.start() < edit.range.start() && edit.range.end() < range.end();
    let is_short = range.len() <= longest && is_worth_trying(node, range);
    if !is_inside || !is_short || !grammar.stands_alone(node.kind()) {
        return None;
    }
    let mut text = String::new();
    push_text(node.green(), &mut text);
    apply_at(range.start(), edit, &mut text);
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

/// Whether parsing `range` can be faster than parsing the document around `node`.
fn is_worth_trying<L: Language>(node: &SyntaxNode<L>, range: TextRange) -> bool {
    let document = node.tree_top().text_range();
    u32::from(range.len()) <= LONG || u32::from(range.len()) < u32::from(document.len()) / 2
}

/// Tries the items of `parent` that the edit touches, then with one more neighbor on each side, then with twice as many
/// behind them each time as long as they are near: a text is read forwards, so that what changes is rarely before.
fn reparse_items<G: Grammar>(
    grammar: &G,
    parent: &SyntaxNode<G::Language>,
    edit: &TextEdit,
    longest: TextSize,
) -> Option<Reparsed> {
    let items = Items::of(grammar, parent)?;
    let (mut first, mut last) = items.touched_by(edit)?;
    let mut neighbors = 1;
    loop {
        if items.range(first, last).len() > longest {
            return None;
        }
        if let Some(reparsed) = items.reparse(grammar, first, last, edit) {
            return Some(reparsed);
        }
        let narrow = (first, last);
        let before = if last < items.last { 1 } else { neighbors };
        first = first.saturating_sub(before).max(items.first);
        last = (last + neighbors).min(items.last);
        let is_near = neighbors == 1 || u32::from(items.range(first, last).len()) <= NEAR;
        if narrow == (first, last) || !is_near {
            return None;
        }
        neighbors *= 2;
    }
}

/// The children of a node that are items of a list, as indices among all children.
struct Items<'p, L: Language> {
    parent: &'p SyntaxNode<L>,
    first: usize,
    last: usize,
}

impl<'p, L: Language> Items<'p, L> {
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

    /// The first and the last item that overlap or touch the edit; `None` if it extends beyond the items.
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
        let range = self.range(first, last);
        range.contains_range(edit.range).then_some((first, last))
    }

    fn reparse<G: Grammar<Language = L>>(
        &self,
        grammar: &G,
        first: usize,
        last: usize,
        edit: &TextEdit,
    ) -> Option<Reparsed> {
        let range = self.range(first, last);
        let document = self.parent.tree_top().text_range();
        let is_clear_of_start =
            range.start() < edit.range.start() || range.start() == document.start();
        let is_clear_of_end = edit.range.end() < range.end() || range.end() == document.end();
        if !is_clear_of_start || !is_clear_of_end || !is_worth_trying(self.parent, range) {
            return None;
        }
        let mut text = self.text(first, last);
        apply_at(range.start(), edit, &mut text);
        let new_range = TextRange::at(range.start(), TextSize::of(text.as_str()));
        let stretch = Stretch {
            parent: self.parent.clone(),
            first: self.item(first)?,
            last: self.item(last)?,
            text,
        };
        let replacement = grammar.reparse_items(&stretch)?;
        let green = self.parent.green();
        let green = green.splice_children(first..=last, replacement);
        Some(Reparsed {
            green: self.parent.replace_with(green),
            range: new_range,
        })
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
            match child {
                NodeOrToken::Node(node) => push_text(node, &mut text),
                NodeOrToken::Token(token) => text.push_str(token.text()),
            }
        }
        text
    }

    fn item(&self, index: usize) -> Option<rowan::SyntaxElement<L>> {
        let range = self.range(index, index);
        if range.is_empty() {
            return self.parent.children_with_tokens().nth(index);
        }
        self.parent.child_or_token_at_range(range)
    }
}

/// So many runs next to the one with an edit are usually enough.
const NEIGHBORS: usize = 4;

/// `node` after runs, which are of the kind `run`, took children of those next to them, so that the runs around `range` of
/// `node` have neighbors of their own; `None` if they have.
fn with_neighbors(
    node: &GreenNodeData,
    run: rowan::SyntaxKind,
    range: TextRange,
) -> Option<GreenNode> {
    let mut children: Vec<_> = node.children().map(|it| it.to_owned()).collect();
    let (mut at, mut start) = child_around(node, range)?;
    let mut is_changed = false;
    if let NodeOrToken::Node(inner) = children[at].clone()
        && let Some((touched, _)) = child_around(&inner, range - start)
        && let Some(mut own) = runs_in(&inner, run)
    {
        let lent = |at: usize| {
            let node = children.get(at)?.as_node()?;
            let is_run = node.kind() == run;
            is_run.then(|| runs_in(node, run).unwrap_or_else(|| vec![node.clone().into()]))
        };
        let count = own.len();
        let before = at.checked_sub(1).filter(|_| touched < NEIGHBORS);
        let before = before.and_then(lent).map(|mut before| {
            let taken = before.split_off(before.len().saturating_sub(NEIGHBORS));
            start -= taken.iter().map(|it| it.text_len()).sum::<TextSize>();
            own.splice(0..0, taken);
            before
        });
        let after = Some(at + 1).filter(|_| touched + NEIGHBORS >= count);
        let after = after.and_then(lent).map(|mut after| {
            let rest = after.split_off(after.len().min(NEIGHBORS));
            own.extend(after);
            rest
        });
        let first = at - usize::from(before.is_some());
        let end = at + 1 + usize::from(after.is_some());
        is_changed = end - first > 1;
        at = first + usize::from(before.as_ref().is_some_and(|it| !it.is_empty()));
        let rows = [before.unwrap_or_default(), own, after.unwrap_or_default()];
        let rows = rows.into_iter().filter(|it| !it.is_empty());
        children.splice(
            first..end,
            rows.map(|it| GreenNode::new(run, it).into())
                .collect::<Vec<_>>(),
        );
    }
    let inside = children[at].as_node();
    if let Some(inside) = inside.and_then(|it| with_neighbors(it, run, range - start)) {
        children[at] = inside.into();
        is_changed = true;
    }
    is_changed.then(|| GreenNode::new(node.kind(), children))
}

/// The index and the start of the child of `node` with all of `range`.
fn child_around(node: &GreenNodeData, range: TextRange) -> Option<(usize, TextSize)> {
    let mut start = TextSize::default();
    for (index, child) in node.children().enumerate() {
        if TextRange::at(start, child.text_len()).contains_range(range) {
            return Some((index, start));
        }
        start += child.text_len();
    }
    None
}

/// The children of a run of runs.
fn runs_in(node: &GreenNodeData, run: rowan::SyntaxKind) -> Option<Vec<GreenElement>> {
    let first = node.children().next()?;
    let has_runs = node.kind() == run && first.kind() == run;
    has_runs.then(|| node.children().map(|it| it.to_owned()).collect())
}

/// Applies `edit`, in bytes of the document, to the part that begins at `start`.
fn apply_at(start: TextSize, edit: &TextEdit, text: &mut String) {
    let range = std::ops::Range::<usize>::from(edit.range - start);
    text.replace_range(range, &edit.insert);
}

/// Appends the text of `node` to `text`. Recurses as deep as the tree, whose depth its grammar bounds.
pub fn push_text(node: &GreenNodeData, text: &mut String) {
    for child in node.children() {
        match child {
            NodeOrToken::Token(token) => text.push_str(token.text()),
            NodeOrToken::Node(node) => push_text(node, text),
        }
    }
}
