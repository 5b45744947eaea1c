//! YAML text as values with their places, by the core schema of YAML 1.2.
//!
//! Aliases are expanded, up to a limit. A merge key or a custom tag makes a value unknown
//! ([`ValueKind::Dynamic`](crate::value::ValueKind::Dynamic)) instead of guessed.

mod error;
mod reader;
pub mod scalar;

pub use error::{Error, ErrorKind};
pub use reader::read;

#[cfg(test)]
mod tests;
