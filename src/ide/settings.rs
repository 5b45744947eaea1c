//! The settings of a project or a user.

use std::collections::BTreeMap;

use crate::{
    host::Roles,
    ide::{Rule, Severity},
    model::Edition,
};

/// What a project or a user chooses for a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// The rules of the language that apply, unless a comment in the document names others.
    pub edition: Edition,
    /// Whether somebody chose that edition, so that what code installs does not count.
    pub is_edition_chosen: bool,
    /// What was chosen for rules, by code; the others keep their own severity.
    pub levels: BTreeMap<String, Level>,
    /// What keys and calls mean.
    pub roles: Roles,
    /// Whether the project uses the library or has settings of ours, so that what may be ours is.
    pub is_ours: bool,
    /// How many columns a formatted line may have; none for the width that the formatter has by itself.
    pub line_width: Option<usize>,
    /// What is shown in the text of an editor.
    pub hints: Hints,
}

/// What an editor shows in the text, beside what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hints {
    /// The signature that a bare function has from its spec.
    pub signatures: bool,
    /// The types of placeholders.
    pub placeholders: bool,
    /// The types of what steps return, where a name is bound to a step or to a part of what it returned.
    pub steps: bool,
}

impl Default for Hints {
    fn default() -> Self {
        Self {
            signatures: true,
            placeholders: false,
            steps: false,
        }
    }
}

/// How much the findings of a rule are to weigh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// They are not reported.
    Off,
    /// They are reported with this severity.
    At(Severity),
}

impl Settings {
    /// The severity of a finding of `rule` that has `own` by itself; `None` where it is not reported.
    pub fn severity(&self, rule: &Rule, own: Severity) -> Option<Severity> {
        match self.levels.get(rule.code) {
            None => Some(own),
            Some(Level::Off) => None,
            Some(Level::At(severity)) => Some(*severity),
        }
    }
}
