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

/// Replaces those of the `new` items that read as one of the `old` ones before or after the change between them, and
/// parts of the others.
pub(super) fn keep_old<'t>(old: impl Iterator<Item = Old<'t>>, new: &mut [GreenElement]) {
    let old: Vec<_> = old.take(LONGEST + 1).collect();
    if old.len() > LONGEST || new.len() > LONGEST {
        return;
    }
    let head = keep_equal(old.iter().zip(new.iter_mut()));
    let (old, new) = (&old[head..], &mut new[head..]);
    let tail = keep_equal(old.iter().rev().zip(new.iter_mut().rev()));
    let left = new.len() - tail;
    match (&old[..old.len() - tail], &mut new[..left]) {
        ([old, .., last], [new, .., end]) => {
            keep_within(*old, new);
            keep_within(*last, end);
        }
        ([old, ..], [new, ..]) => keep_within(*old, new),
        _ => {}
    }
}

/// Replaces new items as long as they read as the old ones; returns their number.
fn keep_equal<'i, 't: 'i>(
    pairs: impl Iterator<Item = (&'i Old<'t>, &'i mut GreenElement)>,
) -> usize {
    let same = pairs.take_while(|(old, new)| reads_same(**old, new));
    same.map(|(old, new)| *new = (*old).to_owned()).count()
}

/// Replaces the parts of `new` that read as in `old`. Recurses as deep as the trees, whose depth the grammar bounds.
fn keep_within(old: Old<'_>, new: &mut GreenElement) {
    if let (NodeOrToken::Node(old), NodeOrToken::Node(node)) = (old, new)
        && old.kind() == node.kind()
        && node.children().len() <= LONGEST
    {
        let mut children: Vec<_> = node.children().map(|child| child.to_owned()).collect();
        keep_old(old.children(), &mut children);
        *node = GreenNode::new(node.kind(), children);
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
