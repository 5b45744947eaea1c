//! The settings of a project or a user.

use std::collections::BTreeMap;

use crate::{
    ide::{Rule, Severity, rules::page},
    model::Edition,
};
use signature_ls_source::host::Roles;

/// The settings of a project or a user for a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// The edition, unless a comment in the document sets another.
    pub edition: Edition,
    /// Whether that edition was chosen explicitly, so that the installed one does not count.
    pub is_edition_chosen: bool,
    /// The configured levels of rules, by code; other rules keep their own severity.
    pub levels: BTreeMap<String, Level>,
    /// The meaning of keys and calls.
    pub roles: Roles,
    /// Whether the project uses the library or has our settings, so that possible evidence suffices.
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

/// The configured level of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Not reported.
    Off,
    /// Reported with this severity.
    At(Severity),
}

impl Level {
    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::At(severity) => severity.name(),
        }
    }
}

impl Settings {
    /// The severity of a diagnostic of `rule` with the severity `own`; `None` if it is not reported.
    pub fn severity(&self, rule: &Rule, own: Severity) -> Option<Severity> {
        debug_assert!(page::names(rule, own), "{}: {own:?}", rule.code);
        match self.levels.get(rule.code) {
            None => Some(own),
            Some(Level::Off) => None,
            Some(Level::At(severity)) => Some(*severity),
        }
    }
}
