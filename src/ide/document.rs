//! One open document: its text, its host's view of it, and what was found in each unit.

use crate::{
    host::{HostDocument, HostKind},
    ide::Diagnostic,
    model::Edition,
    text::{Text, TextEdit},
};

/// What a project or a user chooses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The rules that apply.
    pub edition: Edition,
}

/// A document and all that is known of it. Cloning it is cheap: a clone is a snapshot.
#[derive(Debug, Clone)]
pub struct Document {
    text: Text,
    host: HostDocument,
}

impl Document {
    /// Reads the whole of `text`.
    pub fn new(kind: HostKind, text: &str, _settings: Settings) -> Self {
        let text = Text::from(text);
        let host = HostDocument::parse(kind, &text);
        Self { text, host }
    }

    /// Follows `edit`, looking anew only at what it touches.
    pub fn edit(&mut self, edit: &TextEdit) {
        self.text.apply(edit);
        self.host.edit(&self.text, edit);
    }

    /// The text as it is now.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// Everything found, in the order of the text, ranges in bytes of the document.
    pub fn diagnostics(&self) -> impl Iterator<Item = Diagnostic> + '_ {
        std::iter::empty()
    }
}
