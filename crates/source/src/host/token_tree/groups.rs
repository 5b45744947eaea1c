//! The open groups: what a closing token can close.

use super::{Kind, Role};
use crate::rare::{Blank, Rare};

/// The kinds of groups that are distinguished by closing tokens.
const CLASSES: usize = 5;

/// The number of open groups of each kind, outside of strings.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GroupCounts([u32; CLASSES]);

impl Blank for GroupCounts {
    const BLANK: &'static Self = &Self([0; CLASSES]);
}

impl GroupCounts {
    /// Increments the count for a group of the kind `node`; other nodes do not count.
    pub fn open(&mut self, node: Kind) {
        if let Some(class) = class_of(node) {
            self.0[class] += 1;
        }
    }

    /// Decrements the count for a group of the kind `node`.
    pub fn close(&mut self, node: Kind) {
        if let Some(class) = class_of(node) {
            self.0[class] -= 1;
        }
    }

    /// Whether there is a group that a token of the kind `closer` closes.
    pub fn has(&self, closer: Kind) -> bool {
        const NODES: [Kind; CLASSES] = [
            Kind::Parens,
            Kind::Brackets,
            Kind::Braces,
            Kind::Angles,
            Kind::DoBlock,
        ];
        let class = NODES.iter().position(|node| closer.closes(*node));
        class.is_some_and(|class| self.0[class] > 0)
    }
}

fn class_of(node: Kind) -> Option<usize> {
    match node {
        Kind::Parens => Some(0),
        Kind::Brackets => Some(1),
        Kind::Braces => Some(2),
        Kind::Angles => Some(3),
        Kind::DoBlock | Kind::FnBlock => Some(4),
        _ => None,
    }
}

/// The open groups in one interpolation, for lexers that need to know where it ends.
///
/// Groups close here like in the tree. Most interpolations have none, and they may be nested as deeply as the text is
/// long.
#[derive(Debug, Clone, Default)]
pub struct OpenGroups(Rare<Groups>);

#[derive(Debug, Clone, Default)]
struct Groups {
    open: Vec<Kind>,
    counts: GroupCounts,
}

impl OpenGroups {
    /// Reads a token of code; returns whether it has a group to close, if it is a closing one.
    pub fn token(&mut self, kind: Kind) -> bool {
        match kind.role() {
            Role::Opens(node) if node.is_group() => {
                self.0.make_mut().open(node);
                true
            }
            Role::Closes => self.0.get_mut().is_some_and(|groups| groups.close(kind)),
            _ => true,
        }
    }
}

impl Groups {
    fn open(&mut self, node: Kind) {
        self.open.push(node);
        self.counts.open(node);
    }

    fn close(&mut self, closer: Kind) -> bool {
        if !self.counts.has(closer) {
            return false;
        }
        while let Some(node) = self.open.pop() {
            self.counts.close(node);
            if closer.closes(node) {
                break;
            }
        }
        true
    }
}
