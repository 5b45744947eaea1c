//! The roles of the pieces of a template.

use crate::syntax::pairing::Role;

/// The role of each piece that is the tag of a section. A long template may have very many, so each is one number.
#[derive(Debug, Default)]
pub(super) struct Roles(Vec<u32>);

const NONE: u32 = u32::MAX;
const UNCLOSED: u32 = NONE - 1;
const STRAY: u32 = NONE - 2;

impl Roles {
    /// No roles of so many pieces.
    pub(super) fn none(pieces: usize) -> Self {
        Self(vec![NONE; pieces])
    }

    /// Sets the role of the piece at `index`.
    pub(super) fn set(&mut self, index: usize, role: Role) {
        self.0[index] = match role {
            Role::Unclosed => UNCLOSED,
            Role::Stray => STRAY,
            Role::ClosedBy(other) | Role::Closes(other) => u32::try_from(other).unwrap_or(NONE),
        };
    }

    /// The role of the piece at `index`.
    pub(super) fn get(&self, index: usize) -> Option<Role> {
        match *self.0.get(index)? {
            NONE => None,
            UNCLOSED => Some(Role::Unclosed),
            STRAY => Some(Role::Stray),
            other => {
                let other = other as usize;
                Some(match index < other {
                    true => Role::ClosedBy(other),
                    false => Role::Closes(other),
                })
            }
        }
    }

    /// Keeps the roles of the first pieces only.
    pub(super) fn truncate(&mut self, pieces: usize) {
        self.0.truncate(pieces);
    }
}
