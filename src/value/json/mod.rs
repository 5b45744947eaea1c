//! JSON text as values with their places, and back.
//!
//! The reader is strict (RFC 8259) and keeps what other readers throw away: where each part is,
//! keys that are given twice, the digits of integers of any length.

mod error;
mod reader;
mod writer;

pub use error::{Error, ErrorKind};
pub use reader::read;
pub use writer::write;

#[cfg(test)]
mod tests;
