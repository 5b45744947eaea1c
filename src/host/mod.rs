//! Where signatures, prompts, tools and values stand in a document, not what they mean.
//!
//! A [`HostDocument`] is one open document: its host's tree and the [`Unit`]s found in it, both kept
//! current from edit to edit. Each kind of host has a folder or file of its own below this one and a
//! line in [`HostKind::from_path`].

pub mod elixir;
mod site;
pub mod token_tree;

use std::{path::Path, sync::Arc};

pub use site::{Argument, Role, Site, Unit};

use crate::text::{Text, TextEdit, TextSize};

/// The kinds of document that can hold signatures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HostKind {
    /// Elixir source (`.ex`, `.exs`).
    Elixir,
    /// A prompt file: front matter with a signature, the body a template.
    Prompt,
    /// Markdown, a prompt file as soon as its front matter has `signature`.
    Markdown,
}

impl HostKind {
    /// The kind of the document at `path`, told by its name; `None` for files without signatures.
    pub fn from_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        if name.ends_with(".prompt") || name.ends_with(".prompt.md") {
            return Some(Self::Prompt);
        }
        match name.rsplit_once('.')?.1 {
            "ex" | "exs" => Some(Self::Elixir),
            "md" | "markdown" => Some(Self::Markdown),
            _ => None,
        }
    }
}

/// A unit and where it begins in its document.
#[derive(Debug, Clone)]
pub struct PlacedUnit {
    /// The byte of the document at which the unit begins; ranges in the unit count from here.
    pub start: TextSize,
    /// The unit; the same `Arc` as before an edit where the edit did not touch it.
    pub unit: Arc<Unit>,
}

/// Which units an edit replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitChange {
    /// Indices of the units that went, in the list before the edit.
    pub removed: std::ops::Range<usize>,
    /// How many came in their place.
    pub inserted: usize,
}

/// A document as its host sees it.
#[derive(Debug, Clone)]
pub struct HostDocument {
    kind: HostKind,
    units: Vec<PlacedUnit>,
}

impl HostDocument {
    /// Parses the whole of `text`.
    pub fn parse(kind: HostKind, _text: &Text) -> Self {
        Self {
            kind,
            units: Vec::new(),
        }
    }

    /// Follows `edit`; `text` is the document after it.
    pub fn edit(&mut self, text: &Text, _edit: &TextEdit) -> UnitChange {
        let removed = 0..self.units.len();
        *self = Self::parse(self.kind, text);
        UnitChange {
            removed,
            inserted: self.units.len(),
        }
    }

    /// The units in the order in which they begin.
    pub fn units(&self) -> &[PlacedUnit] {
        &self.units
    }
}
