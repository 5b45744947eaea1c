//! Tokens and small nodes that trees share.
//!
//! rowan's builder interns every token and small node of a tree in hash tables, which takes most of the time of a
//! parse. Here each thread has a few slots for all of its trees, and each slot keeps the last two tokens or nodes with
//! its hash.

use std::{cell::Cell, fmt, ptr};

use rowan::{GreenNode, GreenToken, NodeOrToken, SyntaxKind};

use super::{reparse::GreenElement, room::take_long};

/// The numbers of slots for tokens and for nodes, a power of two.
const COUNT: usize = 1024;

/// The maximum length of a shared token in bytes.
const LONGEST_TOKEN: usize = 128;

/// The maximum length of a shared node in bytes, so that slots neither keep much alive nor nest deeply.
const LONGEST_NODE: u32 = 512;

/// The maximum number of children of a shared node.
const MOST_CHILDREN: usize = 32;

#[derive(Default)]
struct Slots {
    tokens: Vec<Slot<GreenToken>>,
    nodes: Vec<Slot<GreenNode>>,
}

/// What is used all the time stays beside one of the same hash: the newest one first.
struct Slot<T>([Option<T>; 2]);

impl<T: Clone> Slot<T> {
    #[inline]
    fn find(&self, is_it: impl Fn(&T) -> bool) -> Option<T> {
        self.0.iter().flatten().find(|it| is_it(it)).cloned()
    }

    fn insert(&mut self, new: T) -> T {
        let [first, second] = &mut self.0;
        *second = first.replace(new.clone());
        new
    }
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
    #[inline]
    pub fn token(&mut self, kind: SyntaxKind, text: &str) -> GreenToken {
        if text.len() > LONGEST_TOKEN {
            return GreenToken::new(kind, text);
        }
        let bytes = text.as_bytes();
        let word = first_word(bytes);
        let slot = slot_in(&mut self.0.tokens, hash_of_token(kind, bytes, word));
        let is_it = |it: &GreenToken| it.kind() == kind && is_text(it.text(), bytes, word);
        match slot.find(is_it) {
            Some(token) => token,
            None => slot.insert(GreenToken::new(kind, text)),
        }
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
        let is_it = |it: &GreenNode| it.kind() == kind && has_children(it, children);
        if let Some(node) = slot.find(is_it) {
            elements.truncate(start);
            return node;
        }
        slot.insert(GreenNode::new(kind, elements.drain(start..)))
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
#[inline]
fn hash_of_token(kind: SyntaxKind, text: &[u8], first: u64) -> u64 {
    let hash = mixed(u64::from(kind.0) | (text.len() as u64) << 32, first);
    match text.last_chunk() {
        Some(last) => mixed(hash, u64::from_le_bytes(*last)),
        None => hash,
    }
}

/// Whether `text`, which is shared, is `other`, which begins with `word`.
#[inline]
fn is_text(text: &str, other: &[u8], word: u64) -> bool {
    let text = text.as_bytes();
    match text.len() == other.len() && first_word(text) == word {
        true => other.len() <= WORD || text[WORD..] == other[WORD..],
        false => false,
    }
}

/// The bytes of a word.
const WORD: usize = size_of::<u64>();

/// The first eight bytes as a number.
#[inline]
fn first_word(bytes: &[u8]) -> u64 {
    if let Some(first) = bytes.first_chunk() {
        return u64::from_le_bytes(*first);
    }
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

fn slot_in<T>(slots: &mut Vec<Slot<T>>, hash: u64) -> &mut Slot<T> {
    if slots.is_empty() {
        slots.resize_with(COUNT, || Slot([None, None]));
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
        let nodes = shared.0.nodes.iter().flat_map(|it| it.0.iter().flatten());
        let kept = nodes.map(|node| u32::from(node.text_len())).max();
        assert!(kept.is_some_and(|len| len <= LONGEST_NODE));
        // Dropping it recurses, as for any tree that was not built by a parser.
        std::mem::forget(nested);
    }

    #[test]
    fn indentations_are_all_kept() {
        let mut shared = Shared::default();
        let mut newline = |indent: usize| {
            let text = "\n".to_owned() + &" ".repeat(indent);
            address(&shared.token(KIND, &text).into())
        };
        let first: Vec<_> = (0..16).map(&mut newline).collect();
        let again: Vec<_> = (0..16).map(newline).collect();
        assert_eq!(first, again);
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
