//! Editor features for `signature-ls.toml`: diagnostics with fixes, completion and hover. They use one table of
//! settings, as does the JSON Schema.

mod check;
mod complete;
mod hover;
mod lines;
mod schema;
mod table;
#[cfg(test)]
mod tests;

use signature_ls_analysis::ide::Fix;
use signature_ls_source::text::TextRange;

pub use check::check;
pub use complete::complete;
pub use hover::hover;
pub use schema::schema;

/// An unknown setting, or a setting with a value of the wrong type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Its place, in bytes of the file.
    pub range: TextRange,
    /// What is wrong and what to write instead, in one sentence.
    pub message: String,
    /// The fixes, best first.
    pub fixes: Vec<Fix>,
}

/// A completion: a key or a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The label.
    pub label: String,
    /// The new text.
    pub text: String,
    /// Its documentation.
    pub about: String,
    /// Whether it is a value.
    pub is_value: bool,
}

/// The completions at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposals {
    /// The word around the place, in bytes of the file.
    pub replaced: TextRange,
    /// The best first.
    pub items: Vec<Proposal>,
}
