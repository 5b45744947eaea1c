//! Elixir source: its lexer, and the places in it where signatures, prompts and tools stand.

mod code;
mod lexer;

pub use lexer::Elixir;
