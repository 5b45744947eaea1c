//! What signatures mean: types, signatures, editions, and their renderings.
//!
//! Everything here is a pure function of trees and values; nothing knows files or hosts.

pub mod edition;
pub mod lower;
pub mod placeholders;
pub mod reference_json;
pub mod render;
pub mod type_words;
pub mod types;

pub use edition::Edition;
pub use lower::{Lowered, Problem, ProblemKind, lower, parse_signature};
pub use types::{Field, Primitive, Signature, Type, TypeKind};
