//! Keeps what an edit does not change: a part of the new tree that reads as one of the old tree is replaced by it.
//!
//! The unit of an entry has the entry's tree, and a unit that an edit does not change is kept. Without this, the tree of
//! the document would have another copy.

use rowan::{GreenNode, GreenNodeData, GreenTokenData, NodeOrToken};

use crate::syntax::reparse::GreenElement;

/// A child of an old tree.
type Old<'t> = NodeOrToken<&'t GreenNodeData, &'t GreenTokenData>;

/// Longer lists are not compared: they are new as a whole.
const LONGEST: usize = 4096;

/// `new`, with the parts of `old` that read the same. Recurses as deep as the trees, whose depth their grammars bound.
fn keep_in_node(old: &GreenNodeData, new: GreenNode) -> GreenNode {
    if old.kind() != new.kind() || is_long(old) || is_long(&new) {
        return new;
    }
    let mut children: Vec<_> = new.children().map(|child| child.to_owned()).collect();
    match keep_old(old.children(), &mut children) {
        true => GreenNode::new(new.kind(), children),
        false => new,
    }
}

/// Replaces those of the `new` items that read as one of the `old` ones before or after the change between them, and
/// parts of the others. Returns whether there are any.
pub(super) fn keep_old<'t>(old: impl Iterator<Item = Old<'t>>, new: &mut [GreenElement]) -> bool {
    let old: Vec<_> = old.collect();
    if old.len() > LONGEST || new.len() > LONGEST {
        return false;
    }
    let mut has_kept = false;
    let head = keep_equal(old.iter().zip(new.iter_mut()), &mut has_kept);
    let (old, new) = (&old[head..], &mut new[head..]);
    let backwards = old.iter().rev().zip(new.iter_mut().rev());
    let tail = keep_equal(backwards, &mut has_kept);
    let left = new.len() - tail;
    let (old, new) = (&old[..old.len() - tail], &mut new[..left]);
    let ends = match (old, new) {
        ([old], [new]) => [Some((old, new)), None],
        ([old, .., last], [new, .., end]) => [Some((old, new)), Some((last, end))],
        ([old, ..], [new, ..]) => [Some((old, new)), None],
        _ => [None, None],
    };
    for (old, new) in ends.into_iter().flatten() {
        if let (NodeOrToken::Node(old), NodeOrToken::Node(node)) = (old, &mut *new) {
            let kept = keep_in_node(old, node.clone());
            has_kept |= !std::ptr::eq(&*kept, &**node);
            *node = kept;
        }
    }
    has_kept
}

/// Replaces new items as long as they read as the old ones; returns their number.
fn keep_equal<'i, 't: 'i>(
    pairs: impl Iterator<Item = (&'i Old<'t>, &'i mut GreenElement)>,
    has_kept: &mut bool,
) -> usize {
    let same = pairs.take_while(|(old, new)| reads_same(**old, new));
    let mut count = 0;
    for (old, new) in same {
        count += 1;
        if !is_identical(*old, new) {
            *new = owned(*old);
            *has_kept = true;
        }
    }
    count
}

fn owned(old: Old<'_>) -> GreenElement {
    match old {
        NodeOrToken::Node(node) => NodeOrToken::Node(node.to_owned()),
        NodeOrToken::Token(token) => NodeOrToken::Token(token.to_owned()),
    }
}

fn is_long(node: &GreenNodeData) -> bool {
    node.children().len() > LONGEST
}

fn is_identical(old: Old<'_>, new: &GreenElement) -> bool {
    match (old, new) {
        (NodeOrToken::Node(old), NodeOrToken::Node(new)) => std::ptr::eq(old, &**new),
        (NodeOrToken::Token(old), NodeOrToken::Token(new)) => std::ptr::eq(old, &**new),
        _ => false,
    }
}

fn reads_same(old: Old<'_>, new: &GreenElement) -> bool {
    match (old, new) {
        (NodeOrToken::Node(old), NodeOrToken::Node(new)) => is_equal(old, new),
        (NodeOrToken::Token(old), NodeOrToken::Token(new)) => is_equal_token(old, new),
        _ => false,
    }
}

/// Whether two trees are equal. Most of their parts are the same in memory, which rowan's comparison does not use.
fn is_equal(one: &GreenNodeData, other: &GreenNodeData) -> bool {
    std::ptr::eq(one, other)
        || one.kind() == other.kind()
            && one.text_len() == other.text_len()
            && one.children().len() == other.children().len()
            && { one.children().zip(other.children()) }.all(|pair| match pair {
                (NodeOrToken::Node(one), NodeOrToken::Node(other)) => is_equal(one, other),
                (NodeOrToken::Token(one), NodeOrToken::Token(other)) => is_equal_token(one, other),
                _ => false,
            })
}

fn is_equal_token(one: &GreenTokenData, other: &GreenTokenData) -> bool {
    std::ptr::eq(one, other) || one.kind() == other.kind() && one.text() == other.text()
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use crate::{
        syntax::{
            catalog::{ast::Entry, edit, parse},
            kind::SyntaxNode,
        },
        text::{TextEdit, TextRange, size},
    };

    /// The addresses of the entries' trees.
    fn entries(green: &rowan::GreenNode) -> Vec<usize> {
        let root = SyntaxNode::new_root(green.clone());
        let entries = root.descendants().filter_map(Entry::cast);
        entries
            .map(|it| ptr::from_ref(it.syntax().green()).addr())
            .collect()
    }

    #[test]
    fn entries_beside_an_edit_keep_their_trees() {
        let entry = |index| {
            format!("tool{index}(a {{b{index} :int}}) -> :int # {index}\n  Does {index}.\n\n")
        };
        let text: String = (0..40).map(entry).collect();
        let old = parse(&text);
        for (at, _) in text.match_indices(":int") {
            for typed in ["x", "(", "\n"] {
                let insert = TextEdit::insert(size(at), typed);
                let new = edit(&old, &insert)
                    .expect("an edit that can be followed")
                    .green;
                let delete = TextEdit::delete(TextRange::at(size(at), size(typed.len())));
                let undone = edit(&new, &delete)
                    .expect("an edit that can be followed")
                    .green;
                assert_eq!(undone, old);
                let same = entries(&old).into_iter().zip(entries(&undone));
                let changed = same.filter(|(old, undone)| old != undone).count();
                assert!(changed <= 2, "{changed} entries for {typed:?} at {at}");
            }
        }
    }
}
