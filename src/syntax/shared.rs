//! Tokens and small nodes that trees share.
//!
//! rowan's own builder interns every token and small node of a tree in hash tables, which takes most of the time of a
//! parse. Here each thread remembers, for all of its trees, the last one that fell into each of a few slots.

use std::{cell::RefCell, ptr};

use rowan::{GreenNode, GreenToken, NodeOrToken, SyntaxKind};

use super::reparse::GreenElement;

/// How many tokens, and how many nodes, are remembered.
const SLOTS: usize = 1024;

/// Tokens up to this many bytes are remembered.
const MOST_BYTES: usize = 16;

/// Nodes up to this many children are remembered.
const MOST_CHILDREN: usize = 4;

struct Shared {
    tokens: Vec<Option<GreenToken>>,
    nodes: Vec<Option<GreenNode>>,
}

thread_local! {
    static SHARED: RefCell<Shared> = const {
        RefCell::new(Shared { tokens: Vec::new(), nodes: Vec::new() })
    };
}

/// A token of the kind `kind` with the text `text`.
pub fn token(kind: SyntaxKind, text: &str) -> GreenToken {
    if text.len() > MOST_BYTES {
        return GreenToken::new(kind, text);
    }
    SHARED.with_borrow_mut(|shared| {
        let slot = slot_in(&mut shared.tokens, hash_of_token(kind, text));
        if let Some(token) = slot
            && token.kind() == kind
            && token.text() == text
        {
            return token.clone();
        }
        slot.insert(GreenToken::new(kind, text)).clone()
    })
}

/// A node of the kind `kind` with the elements from `start` on as its children, which are taken out of `elements`.
pub fn node(kind: SyntaxKind, elements: &mut Vec<GreenElement>, start: usize) -> GreenNode {
    if !(1..=MOST_CHILDREN).contains(&(elements.len() - start)) {
        return GreenNode::new(kind, elements.drain(start..));
    }
    SHARED.with_borrow_mut(|shared| {
        let children = &elements[start..];
        let slot = slot_in(&mut shared.nodes, hash_of_node(kind, children));
        if let Some(node) = slot
            && node.kind() == kind
            && has_children(node, children)
        {
            elements.truncate(start);
            return node.clone();
        }
        let node = GreenNode::new(kind, elements.drain(start..));
        slot.insert(node).clone()
    })
}

/// Whether `children` are the very children of `node`, not only equal ones.
fn has_children(node: &GreenNode, children: &[GreenElement]) -> bool {
    let own = node.children().map(|child| match child {
        NodeOrToken::Node(node) => ptr::from_ref(node).addr(),
        NodeOrToken::Token(token) => ptr::from_ref(token).addr(),
    });
    own.eq(children.iter().map(address))
}

fn address(element: &GreenElement) -> usize {
    match element {
        NodeOrToken::Node(node) => ptr::from_ref(&**node).addr(),
        NodeOrToken::Token(token) => ptr::from_ref(&**token).addr(),
    }
}

fn hash_of_token(kind: SyntaxKind, text: &str) -> u64 {
    let bytes = text.as_bytes();
    let word = |bytes: &[u8]| {
        bytes
            .iter()
            .rfold(0, |word, byte| word << 8 | u64::from(*byte))
    };
    let words = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => [u64::from_le_bytes(*first), u64::from_le_bytes(*last)],
        _ => [word(bytes), bytes.len() as u64],
    };
    { words.into_iter() }.fold(u64::from(kind.0), mixed)
}

fn hash_of_node(kind: SyntaxKind, children: &[GreenElement]) -> u64 {
    let addresses = children.iter().map(|child| address(child) as u64);
    addresses.fold(u64::from(kind.0), mixed)
}

fn mixed(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
}

/// The slot for `hash`, whose high bits are the most mixed.
fn slot_in<T>(slots: &mut Vec<Option<T>>, hash: u64) -> &mut Option<T> {
    if slots.is_empty() {
        slots.resize_with(SLOTS, || None);
    }
    &mut slots[(hash >> 54) as usize % SLOTS]
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: SyntaxKind = SyntaxKind(1);

    #[test]
    fn equal_tokens_and_nodes_are_shared() {
        for text in ["", ":", "string", "a_long_name_16_b"] {
            assert_eq!(
                address(&token(KIND, text).into()),
                address(&token(KIND, text).into())
            );
            assert_eq!(token(KIND, text).text(), text);
        }
        let pair = || {
            let mut elements = vec![token(KIND, "before").into()];
            elements.extend([":", "int"].map(|it| token(KIND, it).into()));
            let node = node(KIND, &mut elements, 1);
            assert_eq!(elements.len(), 1);
            node
        };
        assert_eq!(address(&pair().into()), address(&pair().into()));
    }

    #[test]
    fn what_differs_stays_different() {
        let texts = [
            "a",
            "b",
            "ab",
            "ba",
            "abcdefgh",
            "abcdefghi",
            "a much longer text than that",
        ];
        let kinds = [SyntaxKind(1), SyntaxKind(2)];
        let all = || {
            kinds
                .into_iter()
                .flat_map(|kind| texts.map(|text| (kind, text)))
        };
        for (kind, text) in all().chain(all()) {
            let token = token(kind, text);
            assert_eq!((token.kind(), token.text()), (kind, text));
            for count in 0..=MOST_CHILDREN + 1 {
                let mut elements = vec![token.clone().into(); count];
                let node = node(kind, &mut elements, 0);
                assert!(elements.is_empty());
                assert_eq!((node.kind(), node.to_string()), (kind, text.repeat(count)));
            }
        }
    }
}
