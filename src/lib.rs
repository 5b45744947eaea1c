//! A language server for *signature strings*, the compact contracts of LLM agents and tools.
//!
//! The data goes one way, and each layer knows only those above it in this list:
//!
//! 1. [`text`]: edits, ranges, lines.
//! 2. [`syntax`]: lossless trees of signatures, prompt templates and catalogs.
//! 3. [`host`]: where such texts and the values beside them are in a document; [`value`] is what a value is.
//! 4. [`model`]: what they mean: types, signatures, editions.
//! 5. [`contract`]: values against types.
//! 6. [`ide`]: one file a feature, over byte offsets.
//! 7. `files` reads and replaces files, `workspace` holds them and what they know of each other.
//! 8. `server` speaks LSP, `cli` prints.
//!
//! `cancel`, which all may use, ends the work for a request that nobody waits for.
//!
//! Layers 7 and 8 come with the features `cli` and `server`. Without them the library uses no files, no
//! threads and no clock, and builds for `wasm32-unknown-unknown` too.
#![forbid(unsafe_code)]

mod cancel;
#[cfg(feature = "cli")]
pub mod cli;
pub mod contract;
mod counts;
#[cfg(feature = "workspace")]
pub mod files;
pub mod host;
pub mod ide;
pub mod model;
#[cfg(feature = "server")]
pub mod server;
pub mod syntax;
pub mod text;
pub mod value;
#[cfg(feature = "workspace")]
pub mod workspace;

/// The version of the library, the server and the command.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
