//! Building trees bottom up.

use rowan::{GreenNode, GreenToken, NodeOrToken};

use super::Kind;
use crate::syntax::{reparse::GreenElement, runs::Elements};

/// How many short tokens are remembered to be shared.
const SHARED: usize = 512;

/// Tokens up to this many bytes are shared.
const SHORT: usize = 16;

/// The finished nodes and tokens of a tree that is not finished.
///
/// rowan's own builder interns every token and small node in hash tables, which takes most of the time
/// that a parse takes. Here a short token is shared with the last one that fell into the same slot.
#[derive(Debug)]
pub struct Builder {
    elements: Vec<GreenElement>,
    shared: Vec<Option<GreenToken>>,
}

/// A place between the elements of a builder.
pub type Checkpoint = usize;

impl Builder {
    /// A builder without elements.
    pub fn new() -> Self {
        Self {
            elements: Vec::new(),
            shared: vec![None; SHARED],
        }
    }

    /// Adds a token.
    pub fn token(&mut self, kind: Kind, text: &str) {
        let token = self.shared_token(kind, text);
        self.elements.push(NodeOrToken::Token(token));
    }

    /// Makes one node of all elements from `start` on.
    pub fn wrap(&mut self, start: Checkpoint, kind: Kind) {
        let node = GreenNode::new(kind.into(), self.elements.drain(start..));
        self.elements.push(NodeOrToken::Node(node));
    }

    /// The root of all elements.
    pub fn finish(self) -> GreenNode {
        GreenNode::new(Kind::Root.into(), self.elements)
    }

    fn shared_token(&mut self, kind: Kind, text: &str) -> GreenToken {
        if text.len() > SHORT {
            return GreenToken::new(kind.into(), text);
        }
        let slot = &mut self.shared[slot(kind, text)];
        if let Some(token) = slot
            && token.kind() == kind.into()
            && token.text() == text
        {
            return token.clone();
        }
        slot.insert(GreenToken::new(kind.into(), text)).clone()
    }
}

impl Elements for Builder {
    fn checkpoint(&self) -> Checkpoint {
        self.elements.len()
    }

    fn wrap_run(&mut self, start: Checkpoint) {
        self.wrap(start, Kind::Lines);
    }
}

fn slot(kind: Kind, text: &str) -> usize {
    let fold = |hash: usize, byte: u8| (hash ^ usize::from(byte)).wrapping_mul(0x0100_0193);
    let hash = text.bytes().fold(kind as usize, fold);
    (hash ^ (hash >> 15)) % SHARED
}
