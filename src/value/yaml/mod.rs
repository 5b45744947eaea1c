//! YAML text as values with their places, by the core schema of YAML 1.2.
//!
//! Anchors and aliases are followed, to a bounded size. A merge key or a tag of one's own makes what it
//! stands for unknown ([`ValueKind::Dynamic`](crate::value::ValueKind::Dynamic)) instead of guessed.

mod error;
mod reader;
pub mod scalar;

pub use error::{Error, ErrorKind};
pub use reader::read;

#[cfg(test)]
mod tests;
