//! What a project says of itself: its settings file and the release of the reference that it uses.
//!
//! This is the only place below `server` and `cli` that reads files.

mod config;

pub use config::Config;
