//! What signature strings and prompts mean, and what an editor offers for them: the layers of `signature-ls` above
//! [`signature_ls_source`] that use no files and no clock, and threads only through [`parallel`].
//!
//! [`parallel`]: signature_ls_source::parallel
//!
//! Each layer knows only those above it in this list:
//!
//! 1. [`model`]: types, signatures, editions.
//! 2. [`contract`]: values against types.
//! 3. [`ide`]: one file per feature, in byte offsets.

pub mod contract;
pub mod ide;
pub mod model;
mod sorted;

/// The version of this crate and of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
