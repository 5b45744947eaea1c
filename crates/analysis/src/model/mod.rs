//! The meaning of signatures: types, editions, and their renderings.
//!
//! Pure functions of trees and values, without files or hosts.

pub mod edition;
mod elixir;
pub mod fields;
pub mod fit;
pub mod gaps;
pub mod generate;
pub mod json_schema;
pub mod listed;
pub mod lower;
pub mod meant;
pub mod mix;
pub mod names;
pub mod placeholders;
pub mod primitive;
pub mod program;
mod prose;
pub mod reference_json;
pub mod render;
pub mod spelling;
#[cfg(test)]
pub(crate) mod testing;
pub mod type_words;
pub mod types;
pub mod typespec;

pub use edition::Edition;
pub use fields::{Fields, FirstNames};
pub use gaps::Gaps;
pub use lower::{Lowered, Problem, ProblemKind, lower, lower_text, parse_signature};
pub use names::{FieldId, Names};
pub use primitive::Primitive;
pub use prose::is_prose;
pub use types::{Field, Signature, Type, TypeKind};
