//! Where signature strings, prompt templates and values are in a document, and their trees: the layers of
//! `signature-ls` that every byte of a document goes through.
//!
//! Each layer knows only those above it in this list:
//!
//! 1. [`text`]: edits, ranges, lines.
//! 2. [`syntax`]: lossless trees of signatures, prompt templates and catalogs.
//! 3. [`value`]: values, such as samples and arguments.
//! 4. [`host`]: where such texts and values are in a document.
//!
//! [`cancel`], which all layers may use, ends the work for a request that nobody waits for. [`work`] counts it in tests.

pub mod cancel;
pub mod counts;
pub mod host;
pub mod later;
pub mod order;
pub mod parallel;
pub mod rare;
pub mod shared_map;
pub mod syntax;
pub mod text;
pub mod value;
pub mod work;
