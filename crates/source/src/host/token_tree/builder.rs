//! Builds trees bottom up.

use rowan::GreenNode;

use super::Kind;
use crate::syntax::{reparse::GreenElement, room::make_room, runs::Elements, shared::Shared};

/// The finished nodes and tokens of a tree that is not finished.
#[derive(Debug)]
pub struct Builder {
    elements: Vec<GreenElement>,
    shared: Shared,
    /// Whether equal nodes share room. To look for one takes longer than to make another.
    shares_nodes: bool,
}

/// A place between the elements of a builder.
pub type Checkpoint = usize;

impl Builder {
    /// A builder of which equal nodes share room if it `shares_nodes`.
    pub fn new(shares_nodes: bool) -> Self {
        Self {
            elements: Vec::new(),
            shared: Shared::default(),
            shares_nodes,
        }
    }

    /// Adds a token.
    pub fn token(&mut self, kind: Kind, text: &str) {
        self.elements
            .push(self.shared.token(kind.into(), text).into());
    }

    /// Whether there is no room for one more token.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.elements.len() == self.elements.capacity()
    }

    /// Makes room for one more token, after `read` of `len` bytes.
    pub fn make_room(&mut self, read: usize, len: usize) {
        make_room(&mut self.elements, read, len);
    }

    /// Makes one node of all elements from `start` on.
    pub fn wrap(&mut self, start: Checkpoint, kind: Kind) {
        let node = match self.shares_nodes {
            true => self.shared.node(kind.into(), &mut self.elements, start),
            false => GreenNode::new(kind.into(), self.elements.drain(start..)),
        };
        self.elements.push(node.into());
    }

    /// Removes all elements from `start` on.
    pub fn take_from(&mut self, start: Checkpoint) -> Vec<GreenElement> {
        self.elements.split_off(start)
    }

    /// Adds finished nodes and tokens, of another builder or taken out before.
    pub fn extend(&mut self, elements: impl IntoIterator<Item = GreenElement>) {
        self.elements.extend(elements);
    }

    /// Lets the next tree of this thread share what this one has so far.
    pub fn end_loan(&mut self) {
        self.shared.give_back();
    }

    /// All elements.
    pub fn into_elements(self) -> Vec<GreenElement> {
        self.elements
    }

    /// The root of all elements.
    pub fn finish(self) -> GreenNode {
        GreenNode::new(Kind::Root.into(), self.elements)
    }
}

impl Elements for Builder {
    fn elements(&self) -> &[GreenElement] {
        &self.elements
    }

    fn wrap_run(&mut self, start: Checkpoint) {
        self.wrap(start, Kind::Lines);
    }
}
