//! A language server for *signature strings*, the compact contracts of LLM agents and tools.
//!
//! Each layer knows only those above it in this list:
//!
//! 1. [`text`]: edits, ranges, lines.
//! 2. [`syntax`]: lossless trees of signatures, prompt templates and catalogs.
//! 3. [`host`]: where such texts and the values beside them are in a document; [`value`] defines values.
//! 4. [`model`]: what they mean: types, signatures, editions.
//! 5. [`contract`]: values against types.
//! 6. [`ide`]: one file per feature, in byte offsets.
//! 7. `files` reads and replaces files; `workspace` keeps open files and how files relate.
//! 8. `server` speaks LSP, `cli` prints.
//!
//! `cancel`, which all layers may use, ends the work for a request that nobody waits for.
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
mod order;
mod parallel;
mod rare;
#[cfg(feature = "server")]
pub mod server;
mod shared_map;
mod sorted;
pub mod syntax;
pub mod text;
pub mod value;
#[cfg(feature = "workspace")]
pub mod workspace;

/// The version of the library, the server and the command.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
