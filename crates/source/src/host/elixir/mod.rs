//! Elixir source: its lexer, and the places in it where signatures, prompts and tools are.
//!
//! A literal is a site if a key, a call or an attribute before it says so; [`RolesIn`] lists these. The value must be
//! exactly one string: not a charlist, not an expression. Comments have no sites, and the code in an interpolation is
//! like any other.

mod bound;
mod call;
mod code;
pub mod contract;
mod declarations;
mod doc;
mod document;
mod find;
mod flow;
mod found;
pub mod head;
#[cfg(test)]
mod judge;
mod lexer;
mod links;
pub(super) mod literal;
mod lookup;
mod makes;
pub mod module;
mod modules;
mod names;
pub mod owners;
mod pieces;
pub mod places;
mod program;
mod reads;
mod recover;
mod region;
mod sites;
mod statement;
mod string_body;
#[cfg(test)]
mod tests;
pub mod tool_forms;
pub mod tools;
pub mod unclosed;

pub use document::Document;
pub use lexer::{Elixir, string_len, texts};
pub use sites::Sites;

use crate::host::{PlacedUnit, RolesIn};

/// The units of an example in Elixir, in the order of their starts.
pub fn units(text: &str, roles: RolesIn<'_>) -> Vec<PlacedUnit> {
    Sites::parse(text, roles, true, true).1
}
