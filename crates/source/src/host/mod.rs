//! Finds signatures, prompts, tools and values in documents, without their meaning.
//!
//! A [`HostDocument`] is one open document: its host's tree and its [`Unit`]s, both updated from edit to edit. Each
//! kind of host has a folder or file below this one and a line in the table of [`HostKind::facts`].

mod catalog;
mod comments;
mod document;
pub mod elixir;
pub mod evidence;
pub mod flow;
mod foreign;
mod front_matter;
mod json;
pub mod kind;
pub mod lisp;
mod markdown;
mod moving;
pub mod object;
mod placed;
mod prompt_file;
mod quoted;
mod roles;
pub mod search;
mod site;
#[cfg(test)]
mod test_support;
pub mod token_tree;
mod tool_names;
mod unit;
mod units;
pub mod values;
pub mod yaml;

/// Whether edits in long lists and of functions are followed in small steps, and not all of many errors are looked for. In
/// a page, documents are short, and the code for it would be a tenth of the module.
pub const HAS_SMALL_STEPS: bool = cfg!(feature = "native");

pub use catalog::{in_stretches as catalog_in_stretches, is_catalog};
pub use comments::SeenComments;
pub use document::{HostDocument, MOST_UNITS};
pub use front_matter::{FrontMatter, find as front_matter};
pub use kind::HostKind;
pub use markdown::{has_prompt, units_in_doc};
pub use placed::{Origins, PlacedUnit, UnitChange};
pub use roles::{AddedName, FormRole, KeyRole, NameKind, Roles, RolesIn, fixed_role, misspelled};
pub use site::{Argument, Role, Site};
pub use tool_names::ToolName;
pub use unit::{Extras, FunctionHead, Notation, Unit, UnitKind, Unread};
