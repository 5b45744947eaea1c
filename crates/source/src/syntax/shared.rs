//! Tokens and small nodes that trees share.
//!
//! rowan's builder interns every token and small node of a tree in hash tables, which takes most of the time of a
//! parse. Here each thread has a few slots for all of its trees, and each slot keeps the last token or node with its
//! hash.

use std::{cell::Cell, fmt, ptr};

use rowan::{GreenNode, GreenToken, NodeOrToken, SyntaxKind};

use super::{reparse::GreenElement, room::take_long};

/// The numbers of slots for tokens and for nodes, a power of two.
const COUNT: usize = 2048;

/// The maximum length of a shared token in bytes.
const LONGEST_TOKEN: usize = 128;

/// The maximum length of a shared node in bytes, so that slots neither keep much alive nor nest deeply.
const LONGEST_NODE: u32 = 512;

/// The maximum number of children of a shared node.
const MOST_CHILDREN: usize = 32;

#[derive(Default)]
struct Slots {
    tokens: Vec<Option<GreenToken>>,
    nodes: Vec<Option<GreenNode>>,
}

thread_local! {
    static SLOTS: Cell<Slots> = const { Cell::new(Slots { tokens: Vec::new(), nodes: Vec::new() }) };
}

/// The slots of this thread, on loan to one parse: a thread-local variable is slow to reach for each token. A loan inside
/// of another one begins with empty slots.
pub struct Shared(Slots);

impl Default for Shared {
    fn default() -> Self {
        Self(SLOTS.take())
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.give_back();
    }
}

/// Frees the slots of this thread: they keep tokens of documents that are closed.
pub fn forget_slots() {
    SLOTS.take();
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shared")
    }
}

impl Shared {
    /// Ends the loan, for a parse that another thread may go on with. It then begins with empty slots.
    pub fn give_back(&mut self) {
        let slots = std::mem::take(&mut self.0);
        if !slots.tokens.is_empty() || !slots.nodes.is_empty() {
            SLOTS.set(slots);
        }
    }

    /// Calls `parse`, which borrows the slots itself.
    pub fn lend<T>(&mut self, parse: impl FnOnce() -> T) -> T {
        SLOTS.set(std::mem::take(&mut self.0));
        let parsed = parse();
        self.0 = SLOTS.take();
        parsed
    }

    /// A token of `kind` with `text`.
    pub fn token(&mut self, kind: SyntaxKind, text: &str) -> GreenToken {
        if text.len() > LONGEST_TOKEN {
            return GreenToken::new(kind, text);
        }
        let slot = slot_in(&mut self.0.tokens, hash_of_token(kind, text));
        if let Some(token) = slot
            && token.kind() == kind
            && token.text() == text
        {
            return token.clone();
        }
        slot.insert(GreenToken::new(kind, text)).clone()
    }

    /// A node of `kind` whose children are the elements from `start` on, which are removed from `elements`.
    pub fn node(
        &mut self,
        kind: SyntaxKind,
        elements: &mut Vec<GreenElement>,
        start: usize,
    ) -> GreenNode {
        let children = &elements[start..];
        if !is_small(children) {
            return match take_long(elements, start) {
                Some(children) => GreenNode::new(kind, children),
                None => GreenNode::new(kind, elements.drain(start..)),
            };
        }
        let slot = slot_in(&mut self.0.nodes, hash_of_node(kind, children));
        if let Some(node) = slot
            && node.kind() == kind
            && has_children(node, children)
        {
            elements.truncate(start);
            return node.clone();
        }
        let node = GreenNode::new(kind, elements.drain(start..));
        slot.insert(node).clone()
    }
}

fn is_small(children: &[GreenElement]) -> bool {
    let len = |child: &GreenElement| match child {
        NodeOrToken::Node(node) => u32::from(node.text_len()),
        NodeOrToken::Token(token) => u32::from(token.text_len()),
    };
    children.len() <= MOST_CHILDREN && children.iter().map(len).sum::<u32>() <= LONGEST_NODE
}

/// Whether `children` are identical to the children of `node`, not only equal.
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

/// The kind, the length and two words: long indentations differ only in their length.
fn hash_of_token(kind: SyntaxKind, text: &str) -> u64 {
    let (kind, bytes) = (u64::from(kind.0), text.as_bytes());
    let len = bytes.len() as u64;
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
            mixed(mixed(kind | len << 32, first), last)
        }
        _ => mixed(mixed(kind, short_word(bytes)), len),
    }
}

/// Fewer than eight bytes as a number.
fn short_word(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let word = |it| u64::from(u32::from_le_bytes(it));
        return word(*first) | word(*last) << (8 * (bytes.len() - 4));
    }
    let at = |index: usize| u64::from(bytes.get(index).copied().unwrap_or_default());
    at(0) | at(1) << 8 | at(2) << 16
}

fn hash_of_node(kind: SyntaxKind, children: &[GreenElement]) -> u64 {
    let addresses = children.iter().map(|child| address(child) as u64);
    addresses.fold(u64::from(kind.0), mixed)
}

fn mixed(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
}

/// The index of the slot for `hash`: its high bits are mixed best.
fn index_of(hash: u64) -> usize {
    (hash >> (u64::BITS - COUNT.ilog2())) as usize
}

fn slot_in<T>(slots: &mut Vec<Option<T>>, hash: u64) -> &mut Option<T> {
    if slots.is_empty() {
        slots.resize_with(COUNT, || None);
    }
    &mut slots[index_of(hash)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: SyntaxKind = SyntaxKind(1);

    #[test]
    fn equal_tokens_and_nodes_are_shared() {
        let token = |text| Shared::default().token(KIND, text);
        for text in ["", ":", "string", "a_long_name_16_b"] {
            let (one, other) = (token(text), token(text));
            assert_eq!(address(&one.into()), address(&other.into()));
            assert_eq!(token(text).text(), text);
        }
        let pair = || {
            let mut shared = Shared::default();
            let mut elements = vec![shared.token(KIND, "before").into()];
            elements.extend([":", "int"].map(|it| shared.token(KIND, it).into()));
            let node = shared.node(KIND, &mut elements, 1);
            assert_eq!(elements.len(), 1);
            node
        };
        assert_eq!(address(&pair().into()), address(&pair().into()));
    }

    #[test]
    fn what_is_long_is_not_kept_alive() {
        let mut shared = Shared::default();
        let mut long = || {
            let text = "x".repeat(LONGEST_NODE as usize + 1);
            let mut elements = vec![shared.token(KIND, &text).into()];
            shared.node(KIND, &mut elements, 0)
        };
        assert_ne!(address(&long().into()), address(&long().into()));
        let mut nested = vec![shared.token(KIND, "x").into()];
        for _ in 0..10_000 {
            nested.push(shared.token(KIND, "x").into());
            let node = shared.node(KIND, &mut nested, 0);
            nested.push(node.into());
        }
        let nodes = shared.0.nodes.iter().flatten();
        let kept = nodes.map(|node| u32::from(node.text_len())).max();
        assert!(kept.is_some_and(|len| len <= LONGEST_NODE));
        // Dropping it recurses, as for any tree that was not built by a parser.
        std::mem::forget(nested);
    }

    #[test]
    fn indentations_do_not_share_a_slot() {
        let newline = |indent: usize| "\n".to_owned() + &" ".repeat(indent);
        let slots: Vec<_> = { 0..16 }
            .map(|indent| index_of(hash_of_token(KIND, &newline(indent))))
            .collect();
        let distinct: std::collections::BTreeSet<_> = slots.iter().collect();
        assert_eq!(distinct.len(), slots.len());
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
        let mut shared = Shared::default();
        let all = || {
            kinds
                .into_iter()
                .flat_map(|kind| texts.map(|text| (kind, text)))
        };
        for (kind, text) in all().chain(all()) {
            let token = shared.token(kind, text);
            assert_eq!((token.kind(), token.text()), (kind, text));
            for count in 0..=MOST_CHILDREN + 1 {
                let mut elements = vec![token.clone().into(); count];
                let node = shared.node(kind, &mut elements, 0);
                assert!(elements.is_empty());
                assert_eq!((node.kind(), node.to_string()), (kind, text.repeat(count)));
            }
        }
    }
}
