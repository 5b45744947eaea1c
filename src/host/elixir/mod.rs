//! Elixir source: its lexer, and the places in it where signatures, prompts and tools stand.

mod code;
mod lexer;
pub mod module;

pub use lexer::Elixir;
