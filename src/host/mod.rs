//! Where signatures, prompts, tools and values are in a document, not what they mean.
//!
//! A [`HostDocument`] is one open document: its host's tree and the [`Unit`]s found in it, both kept
//! current from edit to edit. Each kind of host has a folder or file of its own below this one and a
//! line in the table of [`HostKind::facts`].

mod catalog;
mod comments;
pub mod elixir;
pub mod evidence;
pub mod flow;
mod foreign;
mod front_matter;
mod json;
pub mod kind;
pub mod lisp;
mod markdown;
mod moving;
pub mod object;
mod prompt_file;
mod quoted;
mod roles;
pub mod search;
mod site;
#[cfg(test)]
mod test_support;
pub mod token_tree;
mod tool_names;
mod units;
pub mod values;
pub mod yaml;

use std::sync::Arc;

pub use front_matter::{FrontMatter, find as front_matter};
pub use kind::HostKind;
pub use markdown::units_in_doc;
pub use roles::{AddedName, FormRole, KeyRole, NameKind, Roles, RolesIn, fixed_role};
pub use site::{Argument, Notation, Role, Site, Unit};
pub use tool_names::ToolName;

use crate::{
    host::{prompt_file::PromptFile, units::Units},
    text::{Text, TextEdit, TextRange, TextSize},
};

/// A unit and where it begins in its document.
#[derive(Debug, Clone)]
pub struct PlacedUnit {
    /// The byte of the document at which the unit begins; ranges in the unit count from here.
    pub start: TextSize,
    /// The unit; the same `Arc` as before an edit where the edit did not touch it.
    pub unit: Arc<Unit>,
    /// The bytes of the document at which the signatures begin that flow into it, in the order of its sources.
    pub origins: Vec<TextSize>,
}

impl PlacedUnit {
    /// A unit into which nothing flows.
    pub fn new(start: TextSize, unit: impl Into<Arc<Unit>>) -> Self {
        Self {
            start,
            unit: unit.into(),
            origins: Vec::new(),
        }
    }

    /// Where it is after `edit`, which does not touch it.
    fn moved(&self, edit: &TextEdit) -> Self {
        let mut unit = self.clone();
        unit.start = units::moved(unit.start, edit);
        unit.move_origins(edit);
        unit
    }

    fn move_origins(&mut self, edit: &TextEdit) {
        for origin in &mut self.origins {
            *origin = units::moved(*origin, edit);
        }
    }
}

/// Which units an edit replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitChange {
    /// Indices of the units that went, in the list before the edit.
    pub removed: std::ops::Range<usize>,
    /// How many came in their place.
    pub inserted: usize,
    /// Those that went and came again unchanged: the index before the edit and the one after it.
    pub same: Vec<(usize, usize)>,
}

/// A document as its host sees it.
#[derive(Debug, Clone)]
pub struct HostDocument {
    roles: Roles,
    host: Host,
    units: Units,
}

/// What each kind of host keeps of a document.
#[derive(Debug, Clone)]
enum Host {
    Elixir(elixir::Document),
    Prompt(PromptFile),
    SignedMarkdown(PromptFile),
    Markdown(markdown::Document),
    Yaml(yaml::Document),
    Json(json::Document),
    Lisp(lisp::Document),
    Catalog(catalog::Document),
    /// None of our words is in the text.
    Idle(HostKind),
}

impl HostDocument {
    /// Reads a text that nobody edits: without our words in it, nothing is parsed, and nothing is known of the
    /// functions in it either. What [`search::heads`] finds in it matters where one of those functions is a tool in
    /// another file.
    pub fn parse_closed(kind: HostKind, text: &Text, whole: &str, roles: &Roles) -> Self {
        match search::may_matter(kind, whole, roles) {
            true => Self::parse(kind, text, roles),
            false => Self {
                roles: roles.clone(),
                host: Host::Idle(kind),
                units: Units::default(),
            },
        }
    }

    /// Parses the whole of `text`, in which keys and calls mean what `roles` say.
    pub fn parse(kind: HostKind, text: &Text, roles: &Roles) -> Self {
        let (host, units) = match kind {
            HostKind::Elixir => {
                let (document, units) = elixir::Document::parse(text, roles.of(Notation::Elixir));
                (Host::Elixir(document), units)
            }
            HostKind::Prompt => {
                let (file, units) = PromptFile::parse(text, roles);
                (Host::Prompt(file), units)
            }
            HostKind::Markdown => match PromptFile::parse_if_signed(text, roles) {
                Some((file, units)) => (Host::SignedMarkdown(file), units),
                None => {
                    let (document, units) = markdown::Document::parse(text, roles);
                    (Host::Markdown(document), units)
                }
            },
            HostKind::Yaml => {
                let (document, units) = yaml::Document::parse(text, roles.of(Notation::Yaml));
                (Host::Yaml(document), units)
            }
            HostKind::Json => {
                let (document, units) = json::Document::parse(text, roles.of(Notation::Json));
                (Host::Json(document), units)
            }
            HostKind::Lisp => {
                let (document, units) = lisp::Document::parse(text, roles.of(Notation::Lisp));
                (Host::Lisp(document), units)
            }
            HostKind::Catalog => {
                let (document, units) = catalog::Document::parse(text);
                (Host::Catalog(document), units)
            }
        };
        let units = Units::from(units);
        let roles = roles.clone();
        Self { roles, host, units }
    }

    /// Whether nothing of the text was parsed.
    pub fn is_idle(&self) -> bool {
        matches!(self.host, Host::Idle(_))
    }

    /// Follows `edit`; `text` is the document after it.
    pub fn edit(&mut self, text: &Text, edit: &TextEdit) -> UnitChange {
        let (roles, units) = (&self.roles, &mut self.units);
        let change = match &mut self.host {
            Host::Prompt(file) | Host::SignedMarkdown(file) => {
                file.edit_body(text, edit, units, roles)
            }
            Host::Markdown(document) => document.edit(text, edit, units, roles),
            Host::Yaml(document) => document.edit(text, edit, units, roles.of(Notation::Yaml)),
            Host::Json(document) => document.edit(text, edit, units, roles.of(Notation::Json)),
            Host::Lisp(document) => document.edit(edit, units, roles.of(Notation::Lisp)),
            Host::Elixir(document) => document.edit(edit, units, roles.of(Notation::Elixir)),
            Host::Catalog(document) => document.edit(edit, units),
            Host::Idle(_) => None,
        };
        change.unwrap_or_else(|| self.parse_again(text, edit))
    }

    fn parse_again(&mut self, text: &Text, edit: &TextEdit) -> UnitChange {
        let new = Self::parse(self.kind(), text, &self.roles);
        let all = 0..self.units.as_slice().len();
        self.host = new.host;
        self.units.replace(all, new.units.into(), edit)
    }

    /// The kind of the document.
    pub fn kind(&self) -> HostKind {
        match self.host {
            Host::Elixir(_) => HostKind::Elixir,
            Host::Prompt(_) => HostKind::Prompt,
            Host::Markdown(_) | Host::SignedMarkdown(_) => HostKind::Markdown,
            Host::Yaml(_) => HostKind::Yaml,
            Host::Json(_) => HostKind::Json,
            Host::Lisp(_) => HostKind::Lisp,
            Host::Catalog(_) => HostKind::Catalog,
            Host::Idle(kind) => kind,
        }
    }

    /// What the Elixir in it says of functions; the same `Arc` as before an edit that changes nothing of it.
    /// `None` for kinds that hold none.
    pub fn facts(&self) -> Option<&Arc<elixir::module::Facts>> {
        match &self.host {
            Host::Elixir(document) => Some(document.facts()),
            Host::Markdown(document) => Some(document.facts()),
            _ => None,
        }
    }

    /// The units whose literals are ours, in the order in which they begin; `in_project` tells whether the project
    /// shows that what may be ours is.
    pub fn our_units(&self, in_project: bool) -> impl Iterator<Item = &PlacedUnit> {
        let is_ours = in_project || self.units().iter().any(|it| it.unit.is_evidence());
        let units = self.units().iter();
        units.filter(move |it| is_ours || it.unit.evidence > evidence::Evidence::Possible)
    }

    /// The places of the function with the full name of its module, in an Elixir document.
    pub fn function_places(
        &self,
        text: &Text,
        function: &elixir::tools::Capture,
    ) -> Vec<elixir::places::FunctionPlace> {
        match &self.host {
            Host::Elixir(document) => document.function_places(text, function),
            _ => Vec::new(),
        }
    }

    /// The function that is defined or specified by the name at `offset`, one for each number of arguments that it
    /// takes, and where the name is.
    pub fn function_at(
        &self,
        text: &Text,
        offset: TextSize,
    ) -> Option<(TextRange, Vec<elixir::tools::Capture>)> {
        match &self.host {
            Host::Elixir(document) => document.function_at(text, offset),
            _ => None,
        }
    }

    /// The units in the order in which they begin, with those that may be ours.
    pub fn units(&self) -> &[PlacedUnit] {
        self.units.as_slice()
    }

    /// The indices of the units that begin in `range`.
    pub fn units_in(&self, range: TextRange) -> std::ops::Range<usize> {
        self.units.beginning_in(range)
    }

    /// The indices of the units that contain `offset` or end there, in rising order.
    pub fn units_around(&self, offset: TextSize) -> Vec<usize> {
        self.units.around(offset)
    }
}
