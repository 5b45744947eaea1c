//! The table of all settings, and what depends on it: the check of settings, the JSON Schema, and the editor features
//! for `signature-ls.toml` (diagnostics with fixes, completion and hover).

mod check;
mod complete;
mod hover;
mod lines;
mod names;
mod places;
mod schema;
mod table;
#[cfg(test)]
pub(crate) mod tests;

use signature_ls_analysis::ide::Fix;
use signature_ls_source::text::TextRange;

pub(super) use check::whole;
pub use check::{Problem, check, no_setting};
pub use complete::complete;
pub use hover::hover;
pub use places::{check_file, read};
pub use schema::schema;

/// The names of all top-level settings.
pub fn names() -> impl Iterator<Item = &'static str> {
    table::SETTINGS.iter().map(|it| it.name)
}

/// A mistake in a settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Its place, in bytes of the file.
    pub range: TextRange,
    /// What is wrong and what to write instead, in one sentence.
    pub message: String,
    /// The fixes, best first.
    pub fixes: Vec<Fix>,
}

impl Mistake {
    /// The line and the column in `text` where it begins, in characters from 1.
    pub fn place_in(&self, text: &str) -> (usize, usize) {
        let before = text.get(..usize::from(self.range.start())).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&it| it != '\n').count() + 1;
        (line, column)
    }
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
