//! JSON text as values with their places, and back.
//!
//! The parser is strict (RFC 8259) and keeps what other parsers discard: the place of each part, duplicate keys, and
//! the digits of integers of any length.

mod error;
mod reader;
mod writer;

pub use error::{Error, ErrorKind};
pub use reader::read;
pub use writer::write;

#[cfg(test)]
mod tests;
