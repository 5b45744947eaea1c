//! What stands at a place, told in Markdown.

use crate::{
    ide::Document,
    text::{TextRange, TextSize},
};

/// What a hover shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// What it speaks of, in bytes of the document.
    pub range: TextRange,
    /// The text, in Markdown.
    pub markdown: String,
}

/// Tells what stands at `offset`, a byte of the document; `None` where nothing of ours does.
pub fn hover(_document: &Document, _offset: TextSize) -> Option<Hover> {
    None
}
