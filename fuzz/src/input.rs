//! The input of a target.

use serde::{Deserialize, Serialize};
use signature_ls_source::text::{TextEdit, TextRange, size};

/// A text, and successive edits of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    pub text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<Edit>,
}

/// The replacement of some bytes. Offsets outside of the text or inside a character are clamped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    pub start: usize,
    pub len: usize,
    pub insert: String,
}

impl Edit {
    /// The edit in `text`.
    pub fn of(&self, text: &str) -> TextEdit {
        let start = text.floor_char_boundary(self.start.min(text.len()));
        let end = text
            .floor_char_boundary((start + self.len).min(text.len()))
            .max(start);
        TextEdit::replace(TextRange::new(size(start), size(end)), self.insert.clone())
    }
}

impl Input {
    /// The text and the texts after each edit, with the edit that led to it.
    pub fn steps(&self) -> impl Iterator<Item = (TextEdit, String)> {
        let mut text = self.text.clone();
        self.edits.iter().map(move |edit| {
            let edit = edit.of(&text);
            edit.apply(&mut text);
            (edit, text.clone())
        })
    }
}
