//! The settings of a project or a user.

use std::collections::BTreeMap;

use crate::{
    host::Roles,
    ide::{Rule, Severity},
    model::Edition,
};

/// The settings of a project or a user for a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// The rules of the language that apply, unless a comment in the document names others.
    pub edition: Edition,
    /// Whether somebody chose that edition, so that what code installs does not count.
    pub is_edition_chosen: bool,
    /// The configured levels of rules, by code; other rules keep their own severity.
    pub levels: BTreeMap<String, Level>,
    /// What keys and calls mean.
    pub roles: Roles,
    /// Whether the project uses the library or has settings of ours, so that what may be ours is.
    pub is_ours: bool,
    /// The maximum width of a formatted line; `None` for the default.
    pub line_width: Option<usize>,
    /// Which inlay hints are shown.
    pub hints: Hints,
}

/// Which inlay hints an editor shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hints {
    /// The signature that a function in `tools:` gets from its spec.
    pub signatures: bool,
    /// The types of placeholders.
    pub placeholders: bool,
    /// The type of a step's result, or of a part of it, where it is bound to a name.
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
