//! The edition that a script or a notebook installs.

use crate::model::{Edition, mix};
use signature_ls_source::text::{Text, TextRange, TextSize};

/// The call that installs dependencies.
const CALL: &str = "Mix.install";

/// The words that affect what is installed: the call, and the dependency in it.
const WORDS: [&str; 2] = [CALL, "ptc_runner"];

/// The number of bytes around an edit in which these words are searched.
const NEAR: TextSize = TextSize::new(512);

/// The dependency that a document installs.
#[derive(Debug, Clone, Default)]
pub(super) struct Installed {
    /// Whether the text has the call.
    is_script: bool,
    edition: Option<Edition>,
}

impl Installed {
    /// Reads all of `text`, in a project of the edition `project`.
    pub(super) fn read(text: &str, project: Edition) -> Self {
        Self {
            is_script: mix::is_script(text),
            edition: mix::edition_of_script(text, project),
        }
    }

    /// The edition, if there is one.
    pub(super) fn edition(&self) -> Option<Edition> {
        self.edition
    }

    /// Whether an edit at `range` of `text`, before or after it, may change the installed edition.
    pub(super) fn may_change(&self, text: &Text, range: TextRange) -> bool {
        // Only the call makes a document a script; the search for it reads only the edit.
        let (near, words) = match self.is_script {
            true => (NEAR, &WORDS[..]),
            false => (TextSize::of(CALL), &WORDS[..1]),
        };
        let start = range.start().checked_sub(near).unwrap_or_default();
        let end = (range.end() + near).min(text.len());
        let around = text.slice(TextRange::new(start, end));
        words.iter().any(|word| around.contains(word))
    }
}
