//! Lossless trees of signatures, prompt templates and catalogs.
//!
//! This layer knows no hosts, types or files, and it never fails: every input has a tree whose text is the input, byte
//! for byte. An error is a node of that tree (see [`error`]), so the errors after an incremental reparse equal those
//! of a full parse because the trees do.

pub mod catalog;
pub mod decode;
pub mod error;
pub mod fragment;
pub mod green;
pub mod kind;
pub mod pairing;
pub mod reparse;
pub(crate) mod room;
pub mod runs;
pub mod shared;
pub mod signature;
pub mod template;
pub mod too_long;
