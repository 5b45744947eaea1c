//! One open document: its text, its units, and the analysis of each unit.

mod enough;
mod found;
mod indices;
mod installed;
mod interned;
mod tool_places;
mod version;

pub(super) use tool_places::ToolPlaces;
pub use version::{Difference, Version};

use std::{
    borrow::Cow,
    collections::{BTreeSet, HashMap},
    iter,
    ops::Range,
    sync::{Arc, OnceLock},
};

use crate::{
    cancel,
    host::{
        HostDocument, HostKind, PlacedUnit, SeenComments, UnitChange, elixir::module::Facts,
        evidence::Evidence, search,
    },
    ide::{
        Answers, Asks, Diagnostic, Settings,
        analysis::{Before, UnitAnalysis},
        directives::Directives,
        document::{
            enough::is_unchecked,
            found::{FoundIn, Severities, severities},
            indices::Indices,
            installed::Installed,
            interned::Interned,
        },
        duplicate_tools::EntryNames,
        functions::{Named, Scope, UnitFunctions},
        mentions::{Mention, Mentions},
        suppression::{Findings, MOST_IN_DOCUMENT, Reported, Sieve},
        tools::{Change, Tools, UnitTools},
        unit::{Known, Name, SharedTrees, Target, UnitNames, UnitView},
    },
    model::{Edition, parse_signature},
    parallel,
    text::{Text, TextEdit, TextRange, TextSize},
};

/// An edit takes as long as a parse of this many bytes, and of four times what it reads.
const COST_OF_EDIT: usize = 1024;

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
    mentions: Mentions,
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
    /// The units after so many errors that their diagnostics were not needed.
    unchecked: Indices,
    /// The units that show that the document uses the library.
    evidence: Indices,
    /// The units that count only if the document uses the library.
    possible: Indices,
}

/// When more functions than this change, it is faster to look at all units that name some.
const MOST_NAMES: usize = 32;

impl Document {
    /// Parses all of `text`. Functions of other files are unknown until it gets [answers](Self::set_answers).
    pub fn new(kind: HostKind, text: &str, settings: Settings) -> Self {
        Self::of_whole(kind, Text::from(text), text, settings)
    }

    /// The same, where `whole` is `text` in one piece.
    pub fn of_whole(kind: HostKind, text: Text, whole: &str, settings: Settings) -> Self {
        let host = HostDocument::parse_whole(kind, &text, whole, &settings.roles);
        Self::of(text, whole, host, settings)
    }

    /// Parses `text` like [`Self::new`], but skips the parse if nothing in it can count: for files that are read
    /// once. [`Self::text`] is empty then. For the heads of functions in such a text, the caller has to use
    /// [`Self::new`].
    pub fn closed(kind: HostKind, text: &str, settings: Settings) -> Self {
        let (roles, is_ours) = (&settings.roles, settings.is_ours);
        let (rope, host) = HostDocument::parse_closed(kind, text, roles, is_ours);
        let whole = if rope.is_empty() { "" } else { text };
        Self::of(rope, whole, host, settings)
    }

    /// Whether `text`, from which it was created with [`Self::closed`], has heads of functions that were not read.
    pub fn has_unread_heads(&self, text: &str) -> bool {
        self.host.kind().facts().has_functions
            && self.host.is_idle()
            && !self.is_overfull()
            && search::heads(text).next().is_some()
    }

    /// Whether it has so many signatures and prompts that it is not analyzed, or not any more.
    pub fn is_overfull(&self) -> bool {
        self.host.is_overfull()
    }

    /// The document of `text`, which is `whole` in one piece.
    fn of(text: Text, whole: &str, host: HostDocument, settings: Settings) -> Self {
        let directives = Directives::find(whole);
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
            mentions: Mentions::default(),
            programs: Indices::default(),
            naming_tools: Indices::default(),
            asking: Indices::default(),
            named: Named::default(),
            asks: Arc::default(),
            entry_names: EntryNames::default(),
            found_in: FoundIn::default(),
            is_checked: true,
            unchecked: Indices::default(),
            evidence: Indices::default(),
            possible: Indices::default(),
        };
        document.named_edition = document.read_edition();
        document.installed = document.read_installed(whole);
        document.analyse_all();
        document
    }

    fn analyse_all(&mut self) {
        let mut units = self.host.units().iter();
        if self.late_scope.is_some() && units.any(|it| UnitFunctions::new(&it.unit).asks()) {
            self.scope = Arc::clone(self.current_scope());
            self.late_scope = None;
        }
        self.tools = Arc::new(Tools::of_document(self.host.kind(), self.edition()));
        let units = self.host.units();
        self.evidence = Indices::of(units.iter().map(|it| it.unit.is_evidence()));
        self.possible = Indices::of(units.iter().map(is_possible));
        self.analyses = self.analyse_units();
        self.mentions = Mentions::of(&self.analyses);
        self.programs = Indices::of(self.analyses.iter().map(|it| it.is_program));
        self.naming_tools = Indices::of(self.analyses.iter().map(names_tools));
        self.asking = Indices::of(self.analyses.iter().map(is_asking));
        self.named = Named::default();
        self.named.replace(iter::empty(), functions(&self.analyses));
        let asks = self.named.asks(&self.scope);
        self.set_asks(asks);
        self.found_in = FoundIn::of(&self.severities(&self.analyses));
        self.unchecked = Indices::of(self.analyses.iter().map(is_unchecked));
        self.entry_names = EntryNames::default();
        if self.host.kind() == HostKind::Catalog {
            self.entry_names.add(&self.analyses);
        }
        match self.programs.is_empty() {
            true => Arc::make_mut(&mut self.tools).follow(&[], &tools_said(&self.analyses)),
            false => {
                let change = replace_tools(&mut self.tools, &[], &self.analyses);
                self.look_at_programs(&change);
            }
        }
        self.check_if_needed();
    }

    /// The analyses of all units; units with the same text share one.
    fn analyse_units(&self) -> Vec<Arc<UnitAnalysis>> {
        let units = self.host.units();
        let shared = SharedTrees::default();
        let interned = Interned::default();
        self.in_stretches(0..units.len(), &|index, is_checked| {
            let placed = &units[index];
            let analyse = || self.analyse(placed, None, &shared, is_checked);
            interned.get_or_analyse(&self.text, placed, analyse)
        })
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
                let program = &units[index].unit.program;
                self.analyses[index].lists_tools || change.concerns(program, &self.tools)
            })
            .collect();
        self.look_again(&concerned);
    }

    /// Analyzes the units at `indices` again; returns their old and new facts.
    fn look_again(
        &mut self,
        indices: &[usize],
    ) -> (Vec<Arc<UnitAnalysis>>, Vec<Arc<UnitAnalysis>>) {
        let shared = SharedTrees::default();
        let analyse = |&index: &usize| {
            let placed = &self.host.units()[index];
            Arc::new(self.analyse(placed, None, &shared, self.analyses[index].is_checked()))
        };
        let added = parallel::map(indices, analyse);
        let mut removed = Vec::with_capacity(indices.len());
        for (&index, analysis) in indices.iter().zip(&added) {
            let severities = severities(analysis, &self.settings);
            self.found_in.set(index, severities);
            let before = std::mem::replace(&mut self.analyses[index], Arc::clone(analysis));
            if before.mentions != analysis.mentions {
                self.mentions.splice(index..index + 1, 1, &self.analyses);
            }
            removed.push(before);
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

    /// Applies `edit`, analyzing only what it affects.
    pub fn edit(&mut self, edit: &TextEdit) {
        cancel::check();
        self.follow(edit);
        self.check_if_needed();
    }

    /// The document after `edit`, whose diagnostics are not needed.
    pub(super) fn unchecked_with(&self, edit: &TextEdit) -> Self {
        cancel::check();
        let mut document = self.clone();
        document.is_checked = false;
        document.follow(edit);
        document
    }

    fn follow(&mut self, edit: &TextEdit) {
        let touched = self.unit_around(edit);
        let edition = self.edition();
        let did_install = self.installed.may_change(&self.text, edit.range);
        self.text.apply(edit);
        let inserted = TextRange::at(edit.range.start(), TextSize::of(edit.insert.as_str()));
        if did_install || self.installed.may_change(&self.text, inserted) {
            let whole = self.text.slice(TextRange::up_to(self.text.len()));
            let installed = self.read_installed(&whole);
            self.installed = installed;
        }
        let change = self.host.edit(&self.text, edit);
        let old_scope = self.follow_facts(&change);
        let inserted = change.removed.start..change.removed.start + change.inserted;
        if self.follow_evidence(&change) {
            self.directives.edit(&self.text, edit);
            self.named_edition = self.read_edition();
            return self.analyse_all();
        }
        let replaced_one = change.removed.len() == 1 && inserted.len() == 1;
        let before = touched.filter(|(index, ..)| replaced_one && *index == change.removed.start);
        let kept: HashMap<_, _> = change.same.iter().map(|&(old, new)| (new, old)).collect();
        let shared = SharedTrees::default();
        let analyses = self.in_stretches(inserted, &|index, is_checked| {
            if let Some(&old) = kept.get(&index) {
                return Arc::clone(&self.analyses[old]);
            }
            let placed = &self.host.units()[index];
            let before = before.as_ref().map(|(_, start, analysis)| Before {
                analysis,
                start: *start,
                edit,
            });
            Arc::new(self.analyse(placed, before, &shared, is_checked))
        });
        let removed = &self.analyses[change.removed.clone()];
        let tools = replace_tools(&mut self.tools, removed, &analyses);
        let replaced = self.named.replace(functions(removed), functions(&analyses));
        self.splice(change.removed, analyses);
        self.look_at_programs(&tools);
        let scope = old_scope.as_ref().unwrap_or(&self.scope);
        if let Some(asks) = self.named.asks_after(&replaced, scope, &self.scope) {
            self.set_asks(asks);
        }
        if let Some(old) = old_scope {
            self.look_at_asking(&old);
        }
        self.directives.edit(&self.text, edit);
        self.named_edition = self.read_edition();
        if self.edition() != edition {
            self.analyse_all();
        }
    }

    /// Updates the document's own functions; returns the old ones if they differ and units depend on them.
    fn follow_facts(&mut self, change: &UnitChange) -> Option<Arc<Scope>> {
        let new = &self.host.units()[change.removed.start..][..change.inserted];
        let mut new = new.iter().map(|it| UnitFunctions::new(&it.unit));
        if !self.named.asks_own() && !new.any(|it| it.asks()) {
            let known = match &self.late_scope {
                Some(late) => late.get(),
                None => Some(&self.scope),
            };
            if known.is_some_and(|it| self.host.may_have_other_facts(it.own())) {
                self.late_scope = Some(OnceLock::new());
            }
            return None;
        }
        self.late_scope = None;
        let own = self.host.facts().cloned().unwrap_or_default();
        if !Arc::ptr_eq(&own, self.scope.own()) && own.differs_in_docs_only(self.scope.own()) {
            self.scope = Arc::new(self.scope.with_docs(Arc::clone(&own)));
        }
        (own != *self.scope.own()).then(|| {
            let scope = self.scope.after(own, Arc::clone(self.scope.answers()));
            std::mem::replace(&mut self.scope, Arc::new(scope))
        })
    }

    /// Records which of the new units are evidence; returns whether that changes which possible units count.
    fn follow_evidence(&mut self, change: &UnitChange) -> bool {
        let units = &self.host.units()[change.removed.start..][..change.inserted];
        let was_ours = !self.evidence.is_empty();
        let evidence = units.iter().map(|it| it.unit.is_evidence());
        self.evidence.splice(change.removed.clone(), evidence);
        let possible = units.iter().map(is_possible);
        self.possible.splice(change.removed.clone(), possible);
        let differs = was_ours == self.evidence.is_empty() && !self.settings.is_ours;
        differs && !self.possible.is_empty()
    }

    /// Replaces the analyses of the removed units by those of the added ones.
    fn splice(&mut self, removed: Range<usize>, analyses: Vec<Arc<UnitAnalysis>>) {
        let found = self.severities(&analyses);
        self.found_in.splice(removed.clone(), &found);
        let unchecked = analyses.iter().map(is_unchecked);
        self.unchecked.splice(removed.clone(), unchecked);
        let programs = analyses.iter().map(|it| it.is_program);
        self.programs.splice(removed.clone(), programs);
        let naming_tools = analyses.iter().map(names_tools);
        self.naming_tools.splice(removed.clone(), naming_tools);
        let asking = analyses.iter().map(is_asking);
        self.asking.splice(removed.clone(), asking);
        if self.host.kind() == HostKind::Catalog {
            self.entry_names.remove(&self.analyses[removed.clone()]);
            self.entry_names.add(&analyses);
        }
        let inserted = analyses.len();
        let mentions = analyses.iter().map(|it| &it.mentions);
        let same = { self.analyses[removed.clone()].iter() }
            .map(|it| &it.mentions)
            .eq(mentions);
        self.analyses.splice(removed.clone(), analyses);
        if !same {
            self.mentions.splice(removed, inserted, &self.analyses);
        }
    }

    /// What it takes to follow `edits` one after the other, as the length of a text that takes as long to parse.
    fn cost_in_turn(&self, edits: &[TextEdit]) -> usize {
        let cost = |edit: &TextEdit| {
            let read = self.host.read_around(&self.text, edit.range.start());
            COST_OF_EDIT + 4 * usize::from(read)
        };
        edits.iter().map(cost).sum()
    }

    /// What [`Self::with_edits`] takes, as the length of a text that takes as long to parse.
    pub(crate) fn cost_of(&self, edits: &[TextEdit]) -> usize {
        self.cost_in_turn(edits).min(self.text.len().into())
    }

    /// The document after disjoint `edits`, which are in the order of the text. Before its diagnostics are listed,
    /// [`Self::check_if_needed`] checks what may have to be reported.
    pub(crate) fn with_edits(&self, edits: &[TextEdit]) -> Self {
        if edits.len() == 1 || self.cost_in_turn(edits) < self.text.len().into() {
            let mut document = self.clone();
            for edit in edits.iter().rev() {
                cancel::check();
                document.follow(edit);
            }
            return document;
        }
        let mut text = self.text.clone();
        for edit in edits.iter().rev() {
            text.apply(edit);
        }
        let whole = text.slice(TextRange::up_to(text.len()));
        let mut document = Self::new(self.host.kind(), &whole, self.settings.clone());
        document.set_answers(Arc::clone(self.scope.answers()));
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

    /// The unit that contains the whole edit: its index, its start and its analysis.
    fn unit_around(&self, edit: &TextEdit) -> Option<(usize, TextSize, Arc<UnitAnalysis>)> {
        let units = self.host.units();
        let index = units
            .partition_point(|placed| placed.start <= edit.range.start())
            .checked_sub(1)?;
        let placed = &units[index];
        let inside = edit.range.end() <= placed.start + placed.unit.len;
        inside.then(|| (index, placed.start, Arc::clone(&self.analyses[index])))
    }

    /// Sets the functions of other files. Returns whether anything was analyzed again.
    pub fn set_answers(&mut self, answers: Arc<Answers>) -> bool {
        if *self.scope.answers() == answers {
            return false;
        }
        let scope = self.scope.after(Arc::clone(self.facts()), answers);
        self.late_scope = None;
        let old = std::mem::replace(&mut self.scope, Arc::new(scope));
        self.look_at_asking(&old)
    }

    /// Analyzes the units again that name functions with another meaning in the `old` scope; returns whether there are
    /// any.
    fn look_at_asking(&mut self, old: &Scope) -> bool {
        let changed = self.named.changed(old, &self.scope);
        if changed.is_empty() {
            return false;
        }
        let asking: BTreeSet<_> = match changed.names().nth(MOST_NAMES) {
            Some(_) => self.asking.iter().collect(),
            None => { changed.names() }
                .flat_map(|it| self.mentions.units(Mention::function(it)))
                .collect(),
        };
        let concerned = |index: &usize| changed.concerns(&self.analyses[*index].functions);
        let concerned: Vec<_> = asking.into_iter().filter(concerned).collect();
        let (removed, added) = self.look_again(&concerned);
        let change = replace_tools(&mut self.tools, &removed, &added);
        self.look_at_programs(&change);
        self.check_if_needed();
        !concerned.is_empty()
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

    /// What it asks of other files; the same `Arc` as before if an edit does not change it.
    pub fn asks(&self) -> &Arc<Asks> {
        &self.asks
    }

    /// Its own functions; the same `Arc` as before if an edit does not change them.
    pub fn facts(&self) -> &Arc<Facts> {
        self.current_scope().own()
    }

    /// The tools that the program in a unit can call.
    pub(crate) fn tools_of(&self, placed: &PlacedUnit) -> Cow<'_, Tools> {
        let edition = self.edition();
        let own = Tools::of_call(&placed.unit, &self.text, placed.start, edition, &self.scope);
        own.map_or(Cow::Borrowed(&*self.tools), Cow::Owned)
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

    fn known<'a>(&'a self, shared: &'a SharedTrees) -> Known<'a> {
        Known {
            edition: self.edition(),
            scope: &self.scope,
            tools: &self.tools,
            is_ours: self.is_ours(),
            shared,
        }
    }

    /// The names of a unit, apart from those in its prompts, computed when they are first needed.
    pub(crate) fn names_of<'a>(
        &self,
        placed: &PlacedUnit,
        analysis: &'a UnitAnalysis,
    ) -> &'a UnitNames {
        let shared = SharedTrees::default();
        analysis.names(&placed.unit, &self.text, placed.start, self.known(&shared))
    }

    /// The names of a unit whose target `is_meant`, in bytes from the unit's start.
    pub(crate) fn names_meant(
        &self,
        placed: &PlacedUnit,
        analysis: &UnitAnalysis,
        is_meant: impl Fn(&Target) -> bool,
    ) -> Vec<Name> {
        let shared = SharedTrees::default();
        let known = self.known(&shared);
        analysis.names_meant(&placed.unit, &self.text, placed.start, known, is_meant)
    }

    /// The name at `offset` of a unit, in bytes from the unit's start.
    pub(crate) fn name_at(
        &self,
        placed: &PlacedUnit,
        analysis: &UnitAnalysis,
        offset: TextSize,
    ) -> Option<Name> {
        let shared = SharedTrees::default();
        let known = self.known(&shared);
        analysis.name_at(&placed.unit, &self.text, placed.start, known, offset)
    }

    /// Calls `look` with the view of a unit for rules.
    pub(crate) fn with_view<T>(
        &self,
        placed: &PlacedUnit,
        analysis: &UnitAnalysis,
        look: impl FnOnce(&UnitView<'_>) -> T,
    ) -> T {
        let shared = SharedTrees::default();
        let tools = self.tools_of(placed);
        let known = Known {
            tools: &tools,
            ..self.known(&shared)
        };
        look(&analysis.view(&placed.unit, &self.text, placed.start, known))
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

    /// The diagnostics, in the order of the text, with ranges in bytes of the document.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let reported = self.reported();
        reported.iter().map(Reported::diagnostic).collect()
    }

    /// The diagnostics, in the order of the text. Only reads units that have one.
    pub fn reported(&self) -> Vec<Reported> {
        let directives = self.directives();
        if !directives.is_empty() {
            return self
                .sifted(&directives, 0..self.analyses.len(), self.whole())
                .0;
        }
        let units = self
            .found_in
            .first(|index| self.unit(index), &self.settings);
        self.sifted(&directives, units, self.whole()).0
    }

    /// The diagnostics, and the number of omitted ones.
    pub fn findings(&self) -> Findings {
        let all = 0..self.analyses.len();
        let (reported, left_out) = self.sifted(&self.directives(), all, self.whole());
        Findings {
            reported: reported.iter().map(Reported::diagnostic).collect(),
            left_out,
        }
    }

    fn whole(&self) -> TextRange {
        TextRange::up_to(self.text.len())
    }

    /// The diagnostics of the units at `indices` and those of the document in `range`, and the number of omitted ones.
    fn sifted(
        &self,
        directives: &Directives,
        indices: impl IntoIterator<Item = usize>,
        range: TextRange,
    ) -> (Vec<Reported>, usize) {
        let mut sieve = Sieve::new(
            &self.text,
            directives,
            &self.settings,
            ToolPlaces::new(self),
        );
        for index in indices {
            cancel::check();
            sieve.sift(&self.host.units()[index], &self.analyses[index]);
        }
        // Later ones are only reported if a comment ignores earlier ones.
        let most = match directives.is_empty() {
            true => MOST_IN_DOCUMENT,
            false => usize::MAX,
        };
        let found = self.entry_names.repeated(self.units());
        let mut found = found.filter(|it| range.contains_inclusive(it.range().start()));
        for repeated in found.by_ref().take(most) {
            sieve.sift_one(repeated.found());
        }
        sieve.leave_out(found.count());
        sieve.finish()
    }

    fn severities(&self, analyses: &[Arc<UnitAnalysis>]) -> Vec<Severities> {
        let severities = analyses.iter().map(|it| severities(it, &self.settings));
        severities.collect()
    }

    /// The number of catalog entries whose name an earlier entry has.
    pub(super) fn count_repeated_entries(&self) -> usize {
        self.entry_names.count_repeated()
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
        self.mentions.units(mention)
    }

    /// The units that contain `offset` with their analyses, innermost last.
    pub(crate) fn units_at(
        &self,
        offset: TextSize,
    ) -> impl Iterator<Item = (&PlacedUnit, &UnitAnalysis)> {
        let indices = self.host.units_around(offset).into_iter();
        indices.map(|index| (&self.host.units()[index], &*self.analyses[index]))
    }
}

impl Document {
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

    /// The diagnostics in `range`, in the order of the text.
    pub(crate) fn reported_in(&self, range: TextRange) -> Vec<Reported> {
        for index in self.indices_in(range) {
            self.check_unit(index);
        }
        let (mut reported, _) = self.sifted(&self.directives(), self.indices_in(range), range);
        reported.retain(|it| range.contains_inclusive(it.range().start()));
        reported
    }

    /// The directives.
    pub(super) fn directives(&self) -> Directives {
        let mut seen = SeenComments::default();
        self.directives
            .in_comments(|at| self.host.is_comment(&self.text, at, &mut seen))
    }
}

fn is_possible(placed: &PlacedUnit) -> bool {
    placed.unit.evidence == Evidence::Possible
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
    units.iter().map(|it| &it.functions)
}

#[cfg(test)]
mod tests;
