//! What an editor shows in a `signature-ls.toml`: mistakes with their fixes, completion and hover. All of it follows
//! one table of settings, and so does the JSON Schema.

mod check;
mod complete;
mod hover;
mod lines;
mod schema;
mod table;
#[cfg(test)]
mod tests;

use crate::{ide::Fix, text::TextRange};

pub use check::check;
pub use complete::complete;
pub use hover::hover;
pub use schema::schema;

/// Something in a settings file that is no setting, or a setting that has no value of its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Just the fault, in bytes of the file.
    pub range: TextRange,
    /// What is wrong and what to write instead, in one sentence.
    pub message: String,
    /// The ways to correct it, the best first.
    pub fixes: Vec<Fix>,
}

/// A key or a value that can be written at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// What is shown and filtered by.
    pub label: String,
    /// What is written.
    pub text: String,
    /// What it means.
    pub about: String,
    /// Whether it is a value.
    pub is_value: bool,
}

/// What can be written at a place, and over what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposals {
    /// The word around the place, in bytes of the file.
    pub replaced: TextRange,
    /// The best first.
    pub items: Vec<Proposal>,
}
