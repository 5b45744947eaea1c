//! One open document: its text, its units, and the analysis of each unit.

mod analyze;
mod change;
mod enough;
mod forgetting;
mod found;
mod indices;
mod installed;
mod interned;
mod names;
mod once;
mod reports;
mod tool_places;
mod units;
mod version;

pub(super) use indices::Indices;
pub use once::Once;
pub(super) use tool_places::ToolPlaces;
pub use version::{Difference, Version};

use std::sync::{Arc, OnceLock};

use crate::{
    ide::{
        Asks, Settings,
        analysis::UnitAnalysis,
        directives::Directives,
        document::{found::FoundIn, installed::Installed},
        duplicate_tools::EntryNames,
        functions::{Named, Scope},
        mentions::Mentions,
        tools::Tools,
    },
    model::{Edition, parse_signature},
};
use signature_ls_source::{
    host::{
        HostDocument, HostKind, PlacedUnit, SeenComments, elixir::module::Facts,
        evidence::Evidence, search,
    },
    text::{Text, TextSize},
};

/// A text of so many bytes is worth the time to free its code before its units are analyzed.
const LONG: usize = 512 * 1024;

/// A document and everything that is known about it.
#[derive(Debug, Clone)]
pub struct Document {
    text: Text,
    host: HostDocument,
    settings: Settings,
    directives: Directives,
    /// The edition that one of them names.
    named_edition: Option<Edition>,
    /// The edition that its code installs.
    installed: Installed,
    /// The functions that its units know.
    scope: Arc<Scope>,
    /// The same with the document's own functions as they are now, if no unit needs these: they are read when a
    /// feature does.
    late_scope: Option<OnceLock<Arc<Scope>>>,
    tools: Arc<Tools>,
    /// One per unit of the host, in the same order.
    analyses: Vec<Arc<UnitAnalysis>>,
    /// Not known of a document that is only checked.
    mentions: OnceLock<Mentions>,
    /// The units that are programs.
    programs: Indices,
    /// The units that name tools.
    naming_tools: Indices,
    /// The units that name functions.
    asking: Indices,
    named: Named,
    asks: Arc<Asks>,
    entry_names: EntryNames,
    /// The units with diagnostics.
    found_in: FoundIn,
    /// Whether diagnostics are computed when units are analyzed, and not only when they are needed.
    is_checked: bool,
    /// Whether only its findings are needed, so that what tells nothing is forgotten.
    is_for_findings: bool,
    /// The units after so many errors that their diagnostics were not needed.
    unchecked: Indices,
    /// The units that show that the document uses the library.
    evidence: Indices,
    /// The units that count only if the document uses the library.
    possible: Indices,
}

impl Document {
    /// Parses all of `text`. Functions of other files are unknown until it gets [answers](Self::set_answers).
    pub fn new(kind: HostKind, text: &str, settings: Settings) -> Self {
        Self::of_whole(kind, Text::from(text), text, settings)
    }

    /// The same, where `whole` is `text` in one piece.
    pub fn of_whole(kind: HostKind, text: Text, whole: &str, settings: Settings) -> Self {
        let host = HostDocument::parse_whole(kind, &text, &|| whole.into(), &settings.roles);
        let mut document = Self::prepared(text, whole, host, settings);
        document.analyze_all();
        document
    }

    /// Parses `text` like [`Self::new`], but skips the parse if nothing in it can count: for files that are read
    /// once. [`Self::text`] is empty then. For the heads of functions in such a text, the caller has to use
    /// [`Self::new`]. Of other texts, what only edits and requests about functions or comments need is not kept;
    /// [`Self::opened`] has it.
    pub fn closed(kind: HostKind, text: &mut String, settings: Settings) -> Self {
        Self::read_once(kind, text, settings, false)
    }

    /// The same for a document that is only asked for its findings. Units of a long text in which nothing is found are
    /// forgotten.
    pub fn for_findings(kind: HostKind, text: &mut String, settings: Settings) -> Self {
        Self::read_once(kind, text, settings, true)
    }

    fn read_once(
        kind: HostKind,
        text: &mut String,
        settings: Settings,
        is_for_findings: bool,
    ) -> Self {
        let (roles, is_ours) = (&settings.roles, settings.is_ours);
        let (rope, host) = HostDocument::parse_closed(kind, text, roles, is_ours);
        let mut whole = match host.is_idle() && !host.is_overfull() {
            true => String::new(),
            false => std::mem::take(text),
        };
        let mut document = Self::prepared(rope.unwrap_or_default(), &whole, host, settings);
        let needs_scope = document.needs_scope();
        // Entries of a catalog are compared by the names in their analyses.
        document.is_for_findings =
            is_for_findings && whole.len() >= LONG && kind != HostKind::Catalog;
        if (needs_scope || whole.len() >= LONG) && document.directives.is_empty() {
            let text = document.host.forget_code(needs_scope, &mut whole);
            document.text = text.unwrap_or(document.text);
        }
        if document.text.is_empty() {
            document.text = Text::from(&*whole);
        }
        drop(whole);
        document.analyze_once();
        document
    }

    /// Whether nothing of it was kept, because nothing in it can count.
    pub fn is_idle(&self) -> bool {
        self.host.is_idle() && !self.is_overfull()
    }

    /// Whether `text`, from which it was created with [`Self::closed`], has heads of functions that were not read.
    pub fn has_unread_heads(&self, text: &str) -> bool {
        self.host.kind().facts().has_functions
            && self.is_idle()
            && search::heads(text).next().is_some()
    }

    /// Whether it has so many signatures and prompts that it is not analyzed, or not any more.
    pub fn is_overfull(&self) -> bool {
        self.host.is_overfull()
    }

    /// The document of `text`, which is `whole` in one piece, before its units are analyzed. The text may be empty as
    /// long as it is not needed.
    fn prepared(mut text: Text, whole: &str, host: HostDocument, settings: Settings) -> Self {
        let directives = Directives::find(whole);
        if text.is_empty() && !directives.is_empty() {
            text = Text::from(whole);
        }
        let edition = settings.edition;
        let mut document = Self {
            text,
            host,
            settings,
            directives,
            named_edition: None,
            installed: Installed::default(),
            scope: Arc::new(Scope::new(Arc::default(), Arc::default())),
            late_scope: Some(OnceLock::new()),
            tools: Arc::new(Tools::unknown(edition)),
            analyses: Vec::new(),
            mentions: OnceLock::new(),
            programs: Indices::default(),
            naming_tools: Indices::default(),
            asking: Indices::default(),
            named: Named::default(),
            asks: Arc::default(),
            entry_names: EntryNames::default(),
            found_in: FoundIn::default(),
            is_checked: true,
            is_for_findings: false,
            unchecked: Indices::default(),
            evidence: Indices::default(),
            possible: Indices::default(),
        };
        document.named_edition = document.read_edition();
        document.installed = document.read_installed(whole);
        document
    }

    /// The edition that applies: that of a comment, else the chosen one, else the one that the code installs, else the
    /// project's.
    pub fn edition(&self) -> Edition {
        let is_chosen = self.settings.is_edition_chosen;
        let installed = self.installed.edition().filter(|_| !is_chosen);
        let own = self.named_edition.or(installed);
        own.unwrap_or(self.settings.edition)
    }

    /// What the code installs; `whole` is the text in one piece.
    fn read_installed(&self, whole: &str) -> Installed {
        match self.host.kind().facts().has_functions {
            true => Installed::read(whole, self.settings.edition),
            false => Installed::default(),
        }
    }

    fn read_edition(&self) -> Option<Edition> {
        let mut seen = SeenComments::default();
        self.directives
            .edition(|at| self.host.is_comment(&self.text, at, &mut seen))
    }

    /// Whether something shows that the document uses the library.
    pub(crate) fn is_ours(&self) -> bool {
        self.settings.is_ours || !self.evidence.is_empty()
    }

    /// Whether a unit possibly counts, and nothing else in the document shows that it does.
    pub(crate) fn leaves_out(&self, placed: &PlacedUnit) -> bool {
        is_possible(placed) && !self.is_ours()
    }

    /// Whether it registers tools in Elixir, which may be functions of other files.
    pub fn registers_tools(&self) -> bool {
        self.named.registers_tools()
    }

    /// Whether it names functions as tools, of its own or of other files, or registers tools in Elixir.
    pub fn names_functions(&self) -> bool {
        self.named.names_functions()
    }

    /// What it asks of other files; the same `Arc` as before if an edit does not change it.
    pub fn asks(&self) -> &Arc<Asks> {
        &self.asks
    }

    /// Its own functions; the same `Arc` as before if an edit does not change them.
    pub fn facts(&self) -> &Arc<Facts> {
        self.current_scope().own()
    }

    /// Whether its programs can call tools that it does not name.
    pub fn calls_others_tools(&self) -> bool {
        self.host.kind() == HostKind::Lisp && !self.tools.is_complete()
    }

    /// The document with the `tools` of other files, each a name and a signature, for features that offer them. Its
    /// diagnostics do not change.
    pub fn with_tools(&self, tools: impl IntoIterator<Item = (String, Option<String>)>) -> Self {
        let mut document = self.clone();
        let edition = self.edition();
        let known = Arc::make_mut(&mut document.tools);
        for (name, signature) in tools {
            let signature = signature.and_then(|it| parse_signature(&it, edition).0);
            known.add_missing(&name, signature);
        }
        document
    }

    /// The functions in scope.
    pub(crate) fn scope(&self) -> &Scope {
        self.current_scope()
    }

    fn current_scope(&self) -> &Arc<Scope> {
        let Some(late) = &self.late_scope else {
            return &self.scope;
        };
        late.get_or_init(|| {
            let own = self.host.facts().cloned().unwrap_or_default();
            match own == *self.scope.own() {
                true => Arc::clone(&self.scope),
                false => {
                    let answers = Arc::clone(self.scope.answers());
                    Arc::new(self.scope.after(own, answers))
                }
            }
        })
    }

    /// The current text.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// The units and literals of the host.
    pub fn host(&self) -> &HostDocument {
        &self.host
    }

    /// The settings of its analysis.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The directives.
    pub(super) fn directives(&self) -> Directives {
        let mut seen = SeenComments::default();
        self.directives
            .in_comments(|at| self.host.is_comment(&self.text, at, &mut seen))
    }

    /// Whether what seems to be a comment ignores rules on the line at `offset`.
    pub(super) fn may_be_ignored_at(&self, offset: TextSize) -> bool {
        self.directives.ignoring_on(&self.text, offset).is_some()
    }
}

fn is_possible(placed: &PlacedUnit) -> bool {
    placed.unit.evidence == Evidence::Possible
}

#[cfg(test)]
mod tests;
