//! The features of the language server as a WebAssembly module: a page sends requests as JSON and gets answers.
//!
//! It has one document and no logic of its own: each request is one call of [`signature_ls_analysis::ide`], with the
//! offsets of JavaScript strings (UTF-16 code units from the start of the text) instead of bytes.

mod convert;
mod exports;
mod positions;
mod request;
mod session;

pub use session::Session;
