//! What signatures mean: types, signatures, editions, and their renderings.
//!
//! Everything here is a pure function of trees and values; nothing knows files or hosts.

pub mod edition;
pub mod types;

pub use edition::Edition;
pub use types::{Field, Primitive, Signature, Type, TypeKind};
