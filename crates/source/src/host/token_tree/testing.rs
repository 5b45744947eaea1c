//! Helpers for tests of hosts with brackets: a tree as text, and the property of its reparse.

use std::fmt::Write as _;

use proptest::{prelude::*, sample::Index};
use rowan::{GreenNode, GreenNodeData, NodeOrToken, WalkEvent};

use super::{Bracketed, Element, SyntaxElement, SyntaxNode, parse, reparse};
use crate::text::{TextEdit, TextRange, TextSize, size};

/// The tree of `text`, one node or token per line; checks that it contains all of the text.
#[track_caller]
pub(crate) fn tree<L: Bracketed>(text: &str) -> String {
    let green = parse::<L>(text);
    assert_eq!(green.to_string(), text);
    dump(&green)
}

fn dump(green: &GreenNode) -> String {
    let mut dump = String::new();
    let mut depth = 0;
    for event in SyntaxNode::new_root(green.clone()).preorder_with_tokens() {
        match event {
            WalkEvent::Enter(element) => {
                let indent = "  ".repeat(depth);
                let _ = match element {
                    SyntaxElement::Node(node) => writeln!(dump, "{indent}{:?}", node.kind()),
                    SyntaxElement::Token(token) => {
                        writeln!(dump, "{indent}{:?} {:?}", token.kind(), token.text())
                    }
                };
                depth += 1;
            }
            WalkEvent::Leave(_) => depth -= 1,
        }
    }
    dump
}

/// An edit that is not fitted to a text yet.
pub(crate) type Change = (Index, usize, String);

/// Edits that delete a few characters and insert some of `pieces`.
pub(crate) fn changes(pieces: &'static [&'static str]) -> impl Strategy<Value = Vec<Change>> {
    let insert = prop_oneof![
        1 => Just(String::new()),
        4 => text_of(pieces, 0..3),
    ];
    prop::collection::vec((any::<Index>(), 0..6usize, insert), 1..8)
}

/// Texts of `pieces`.
pub(crate) fn text_of(
    pieces: &'static [&'static str],
    count: std::ops::Range<usize>,
) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(pieces), count).prop_map(|pieces| pieces.concat())
}

/// Fits `change` to `text`: its place to a character boundary, its length to the rest of the text.
pub(crate) fn edit_of(text: &str, (at, deleted, insert): &Change) -> TextEdit {
    let ends: Vec<usize> = text
        .char_indices()
        .map(|(at, _)| at)
        .chain([text.len()])
        .collect();
    let start = at.index(ends.len());
    let end = (start + deleted).min(ends.len() - 1);
    TextEdit::replace(
        TextRange::new(size(ends[start]), size(ends[end])),
        insert.as_str(),
    )
}

/// Applies `changes` one by one, and compares each tree with that of a full parse.
#[track_caller]
pub(crate) fn check_changes<L: Bracketed>(text: &str, changes: &[Change]) {
    let mut text = text.to_owned();
    let mut green = parse::<L>(&text);
    for change in changes {
        let edit = edit_of(&text, change);
        green = check_edit::<L>(&mut text, &green, &edit);
    }
}

/// Applies one edit, and compares the tree with that of a full parse.
#[track_caller]
pub(crate) fn check_edit<L: Bracketed>(
    text: &mut String,
    green: &GreenNode,
    edit: &TextEdit,
) -> GreenNode {
    let before = text.clone();
    edit.apply(text);
    let full = parse::<L>(text);
    assert_eq!(full.to_string(), *text);
    let Some(reparsed) = reparse::<L>(green, edit) else {
        return full;
    };
    assert!(
        without_runs(&reparsed.green) == without_runs(&full),
        "{before:?}\n{edit:?}\nreparsed {:?}\n{}full\n{}",
        reparsed.range,
        dump(&reparsed.green),
        dump(&full),
    );
    assert_eq!(reparsed.green.to_string(), *text);
    reparsed.green
}

/// The tree with runs replaced by their elements: runs also depend on earlier edits.
pub(crate) fn without_runs(green: &GreenNodeData) -> GreenNode {
    let elements = Element::node(green, TextSize::default()).elements();
    let children = elements.map(|element| match element.green() {
        NodeOrToken::Node(node) => NodeOrToken::Node(without_runs(node)),
        NodeOrToken::Token(token) => NodeOrToken::Token(token.to_owned()),
    });
    GreenNode::new(green.kind(), children.collect::<Vec<_>>())
}
