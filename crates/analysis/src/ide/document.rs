//! One open document: its text, its units, and the analysis of each unit.

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
mod version;

pub(super) use indices::Indices;
pub use once::Once;
pub(super) use tool_places::ToolPlaces;
pub use version::{Difference, Version};

use std::{
    iter,
    sync::{Arc, OnceLock},
};

use crate::{
    ide::{
        Asks, Settings,
        analysis::{Before, UnitAnalysis},
        directives::Directives,
        document::{
            enough::is_unchecked,
            forgetting::Forgetting,
            found::{FoundIn, Severities, severities},
            installed::Installed,
            interned::Interned,
        },
        duplicate_tools::EntryNames,
        functions::{Named, Scope, UnitFunctions},
        mentions::{Mention, Mentions},
        tools::{Change, Tools, UnitTools},
        unit::SharedTrees,
    },
    model::{Edition, parse_signature},
};
use signature_ls_source::{
    cancel,
    host::{
        HAS_SMALL_STEPS, HostDocument, HostKind, PlacedUnit, SeenComments, UnitKind,
        elixir::module::Facts, evidence::Evidence, search,
    },
    parallel,
    text::{Text, TextRange, TextSize},
};

/// The number of units around a place whose texts are read. People write one or two.
const MOST_AROUND: usize = 8;

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
        document.analyse_all();
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
        document.analyse_once();
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

    /// Whether a unit needs the document's own functions.
    fn needs_scope(&self) -> bool {
        let units = self.host.units();
        let asks = |at: usize| UnitFunctions::new(&units[at].unit).asks();
        parallel::flags(units.len(), &asks).contains(&true)
    }

    fn analyse_all(&mut self) {
        self.analyse_once();
        self.prepare_for_edits();
    }

    /// Reads of its units what only edits and requests need.
    fn prepare_for_edits(&mut self) {
        self.mentions();
        if !self.needs_tools() {
            let mut tools = Tools::of_document(self.host.kind(), self.edition());
            tools.follow(&[], &tools_said(&self.analyses));
            self.tools = Arc::new(tools);
        }
    }

    /// Whether a unit needs the tools of the document: a program that does not list its own.
    fn needs_tools(&self) -> bool {
        let units = self.host.units();
        self.programs
            .iter()
            .any(|it| !Tools::are_of_call(&units[it].unit))
    }

    fn mentions(&self) -> &Mentions {
        self.mentions.get_or_init(|| Mentions::of(&self.analyses))
    }

    /// Analyzes all units of a document that is maybe not edited.
    fn analyse_once(&mut self) {
        if self.late_scope.is_some() && self.needs_scope() {
            self.host.read_functions();
            self.scope = Arc::clone(self.current_scope());
            self.late_scope = None;
        }
        self.tools = Arc::new(Tools::of_document(self.host.kind(), self.edition()));
        self.read_evidence();
        self.analyses = match self.forgets() {
            true => self.analyse_for_findings(),
            false => self.analyse_units(None),
        };
        self.mentions = OnceLock::new();
        self.programs = Indices::among(&self.analyses, &|it| it.is_program);
        self.naming_tools = Indices::among(&self.analyses, &names_tools);
        self.asking = Indices::among(&self.analyses, &is_asking);
        self.named = Named::default();
        self.named.replace(iter::empty(), functions(&self.analyses));
        let asks = self.named.asks(&self.scope);
        self.set_asks(asks);
        self.entry_names = match self.host.kind() {
            HostKind::Catalog => EntryNames::of(&self.analyses),
            _ => EntryNames::default(),
        };
        let change = match self.needs_tools() {
            true => replace_tools(&mut self.tools, &[], &self.analyses),
            false => Change::default(),
        };
        self.check_programs();
        self.found_in = FoundIn::of(&self.severities(&self.analyses));
        self.unchecked = Indices::among(&self.analyses, &is_unchecked);
        if !change.is_empty() {
            let units = self.host.units();
            let others = |&index: &usize| !self.reads_tools(&units[index]);
            let others: Vec<_> = self.programs.iter().filter(others).collect();
            self.look_again(&others);
        }
        self.check_if_needed();
    }

    /// Whether it forgets what tells nothing. In a page, documents are edited.
    fn forgets(&self) -> bool {
        HAS_SMALL_STEPS && self.is_for_findings
    }

    /// Looks for the units that tell whether possible ones count.
    fn read_evidence(&mut self) {
        let units = self.host.units();
        self.evidence = Indices::among(units, &|it| it.unit.is_evidence());
        self.possible = Indices::among(units, &depends_on_others);
    }

    /// The analyses of all units; units with the same text share one.
    fn analyse_units(&self, forgetting: Option<&mut Forgetting>) -> Vec<Arc<UnitAnalysis>> {
        let units = self.host.units();
        let shared = SharedTrees::default();
        let interned = Interned::default();
        self.in_stretches(0..units.len(), forgetting, &|index, is_checked| {
            let placed = &units[index];
            // The tools of the document are not known yet.
            let is_checked = is_checked && !self.reads_tools(placed);
            let analyse = || self.analyse(placed, None, &shared, is_checked);
            interned.get_or_analyse(&self.text, placed, analyse)
        })
    }

    /// Checks the units that read tools, now that those are known.
    fn check_programs(&mut self) {
        let units = self.host.units();
        let programs = self.programs.iter();
        let programs: Vec<_> = programs
            .filter(|&it| self.reads_tools(&units[it]))
            .collect();
        let shared = SharedTrees::default();
        let interned = Interned::default();
        let mut forgetting = self.forgets().then(|| Forgetting::of_programs(self));
        let indices = programs.iter().copied();
        let checked = self.in_stretches(indices, forgetting.as_mut(), &|index, is_checked| {
            let placed = &units[index];
            let analyse = || self.analyse(placed, None, &shared, true);
            match is_checked {
                true if self.analyses[index].is_unread => {
                    interned.get_or_analyse(&self.text, placed, analyse)
                }
                true => self.checked(index, &shared),
                false => Arc::clone(&self.analyses[index]),
            }
        });
        for (index, analysis) in programs.into_iter().zip(checked) {
            self.analyses[index] = analysis;
        }
    }

    /// Analyzes the programs again that are affected by a change of the tools.
    fn look_at_programs(&mut self, change: &Change) {
        if change.is_empty() {
            return;
        }
        let units = self.host.units();
        let programs = self.programs.iter();
        let concerned: Vec<_> = programs
            .filter(|&index| {
                let program = units[index].unit.program();
                self.analyses[index].lists_tools || change.concerns(program, &self.tools)
            })
            .collect();
        self.look_again(&concerned);
    }

    /// Analyzes the units at `indices` again; returns their old and new facts. Their errors count as those of new units
    /// do: what is known of a tool can turn all of its calls into errors.
    fn look_again(
        &mut self,
        indices: &[usize],
    ) -> (Vec<Arc<UnitAnalysis>>, Vec<Arc<UnitAnalysis>>) {
        let shared = SharedTrees::default();
        let mut forgetting = self.forgets().then(|| Forgetting::new(self));
        let concerned = indices.iter().copied();
        let added = self.in_stretches(concerned, forgetting.as_mut(), &|index, is_checked| {
            let placed = &self.host.units()[index];
            let is_checked = is_checked && self.analyses[index].is_checked();
            Arc::new(self.analyse(placed, None, &shared, is_checked))
        });
        let mut removed = Vec::with_capacity(indices.len());
        for (&index, analysis) in indices.iter().zip(&added) {
            let severities = severities(analysis, &self.settings);
            self.found_in.set(index, severities);
            let before = std::mem::replace(&mut self.analyses[index], Arc::clone(analysis));
            if before.mentions != analysis.mentions
                && let Some(mentions) = self.mentions.get_mut()
            {
                mentions.splice(index..index + 1, 1, &self.analyses);
            }
            removed.push(before);
        }
        if added.iter().any(is_unchecked) {
            self.unchecked = Indices::among(&self.analyses, &is_unchecked);
        }
        (removed, added)
    }

    fn analyse(
        &self,
        placed: &PlacedUnit,
        before: Option<Before<'_>>,
        shared: &SharedTrees,
        is_checked: bool,
    ) -> UnitAnalysis {
        let known = self.known(shared);
        UnitAnalysis::new(
            &placed.unit,
            &self.text,
            placed.start,
            known,
            before,
            is_checked,
        )
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

    /// Whether a unit is checked when the tools of the document are known. A unit that is left out is analyzed again
    /// instead, as one whose prompt lists tools.
    fn reads_tools(&self, placed: &PlacedUnit) -> bool {
        placed.unit.is_program() && !self.leaves_out(placed)
    }

    fn set_asks(&mut self, asks: Asks) {
        if asks != *self.asks {
            self.asks = Arc::new(asks);
        }
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

    fn severities(&self, analyses: &[Arc<UnitAnalysis>]) -> Vec<Severities> {
        let severities = analyses.iter().map(|it| severities(it, &self.settings));
        severities.collect()
    }

    /// The units with their analyses, in the order of their starts.
    pub(crate) fn units(&self) -> impl Iterator<Item = (&PlacedUnit, &UnitAnalysis)> {
        let analyses = self.analyses.iter().map(|analysis| {
            cancel::check();
            &**analysis
        });
        self.host.units().iter().zip(analyses)
    }

    /// The unit at `index` with its analysis.
    pub(crate) fn unit(&self, index: usize) -> (&PlacedUnit, &UnitAnalysis) {
        cancel::check();
        (&self.host.units()[index], &self.analyses[index])
    }

    /// The indices of the units that name functions.
    pub(crate) fn naming_functions(&self) -> impl Iterator<Item = usize> {
        self.asking.iter()
    }

    /// The indices of the units with a mention, in rising order.
    pub(crate) fn mentioning(&self, mention: Mention) -> impl Iterator<Item = usize> {
        self.mentions().units(mention)
    }

    /// The units that contain `offset` with their analyses, innermost last.
    pub(crate) fn units_at(
        &self,
        offset: TextSize,
    ) -> impl Iterator<Item = (&PlacedUnit, &UnitAnalysis)> {
        let indices = self.host.units_around(offset).into_iter();
        indices.map(|index| (&self.host.units()[index], &*self.analyses[index]))
    }

    /// The innermost of [`Self::units_at`], the innermost first: few, for those who read the text of each. Calls that
    /// share a literal come after one that the place is in.
    pub(crate) fn innermost_at(
        &self,
        offset: TextSize,
    ) -> impl Iterator<Item = (&PlacedUnit, &UnitAnalysis)> {
        let mut units: Vec<_> = self.units_at(offset).collect();
        units.reverse();
        let is_beside = |placed: &PlacedUnit| !placed.own_range().contains_inclusive(offset);
        units.sort_by_key(|(placed, _)| is_beside(placed));
        units.into_iter().take(MOST_AROUND)
    }

    /// The units that overlap `range` with their analyses, in the order of their starts.
    pub(crate) fn units_in(
        &self,
        range: TextRange,
    ) -> impl Iterator<Item = (&PlacedUnit, &UnitAnalysis)> {
        let indices = self.indices_in(range);
        indices.map(|index| self.unit(index))
    }

    /// The indices of the units that overlap or touch `range`.
    pub(crate) fn indices_in(&self, range: TextRange) -> impl Iterator<Item = usize> + use<> {
        let units = self.host.units();
        let first = units.partition_point(|it| it.start <= range.start());
        let end = units.partition_point(|it| it.start <= range.end());
        let around = self.host.units_around(range.start()).into_iter();
        around.chain(first..end.max(first))
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

/// Whether what is found in a unit depends on whether the document shows that it uses the library.
fn depends_on_others(placed: &PlacedUnit) -> bool {
    is_possible(placed) || placed.unit.kind == UnitKind::AssumedArguments
}

fn names_tools(analysis: &Arc<UnitAnalysis>) -> bool {
    !analysis.tools.named.is_empty()
}

fn is_asking(analysis: &Arc<UnitAnalysis>) -> bool {
    analysis.functions.asks()
}

/// Replaces the facts of the `removed` units about tools by those of the `added` ones.
fn replace_tools(
    tools: &mut Arc<Tools>,
    removed: &[Arc<UnitAnalysis>],
    added: &[Arc<UnitAnalysis>],
) -> Change {
    let removed = tools_said(removed);
    let added = tools_said(added);
    // If the tools were shared, they would have to be copied.
    if removed.is_empty() && added.is_empty() {
        return Change::default();
    }
    Arc::make_mut(tools).replace(&removed, &added)
}

fn tools_said(units: &[Arc<UnitAnalysis>]) -> Vec<&UnitTools> {
    let said = units.iter().map(|it| &it.tools);
    said.filter(|it| !it.is_empty()).collect()
}

fn functions(units: &[Arc<UnitAnalysis>]) -> impl Iterator<Item = &UnitFunctions> {
    units.iter().map(|it| &*it.functions)
}

#[cfg(test)]
mod tests;
