//! The edition that a script or a notebook installs.

use crate::{
    model::{Edition, mix},
    text::{Text, TextRange, TextSize},
};

/// The call that installs dependencies.
const CALL: &str = "Mix.install";

/// What tells of a change in a script: the call, and the dependency in it.
const WORDS: [&str; 2] = [CALL, "ptc_runner"];

/// So many bytes around an edit of a script are searched for these words.
const NEAR: TextSize = TextSize::new(512);

/// What a document installs.
#[derive(Debug, Clone, Default)]
pub(super) struct Installed {
    /// Whether the text has the call.
    is_script: bool,
    edition: Option<Edition>,
}

impl Installed {
    /// Reads all of `text`, in a project of the edition `project`.
    pub(super) fn read(text: &Text, project: Edition) -> Self {
        let whole = text.slice(TextRange::up_to(text.len()));
        Self {
            is_script: mix::is_script(&whole),
            edition: mix::edition_of_script(&whole, project),
        }
    }

    /// The edition, where there is one.
    pub(super) fn edition(&self) -> Option<Edition> {
        self.edition
    }

    /// Whether an edit at `range` of `text`, as it is before the edit or after it, may change what is installed.
    pub(super) fn may_change(&self, text: &Text, range: TextRange) -> bool {
        // Where no script is, only the call makes it one; the search for it looks at no more than the edit.
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
