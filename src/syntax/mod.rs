//! Lossless trees of the small languages: signatures, prompt templates and catalogs.
//!
//! Nothing here knows hosts, types or files, and nothing here fails: every input gives a tree whose text
//! is the input, byte for byte. An error is a node of that tree (see [`error`]), so that the errors
//! after an incremental reparse are those of a full parse because the trees are the same.

pub mod catalog;
pub mod decode;
pub mod error;
pub mod fragment;
pub mod kind;
pub(crate) mod pairing;
pub mod reparse;
pub mod runs;
pub(crate) mod shared;
pub mod signature;
pub mod template;
pub mod too_long;
