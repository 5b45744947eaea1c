//! A language server for *signature strings*, the compact contracts of LLM agents and tools.
//!
//! What the program does with files, editors and terminals. What a document says is in [`signature_ls_source`], and what
//! it means in [`signature_ls_analysis`].
//!
//! Each layer knows only those above it in this list:
//!
//! 1. [`files`] reads and replaces files; `panics` catches panics, `large_pages` is about memory.
//! 2. [`workspace`] keeps open files and how files relate.
//! 3. [`server`] speaks LSP, [`cli`] prints.

pub mod cli;
pub mod files;
mod large_pages;
mod panics;
pub mod server;
pub mod workspace;
