//! What an edit, or what becomes known of other files, changes.

use std::{
    collections::BTreeSet,
    ops::Range,
    sync::{Arc, OnceLock},
};

use foldhash::HashMap;

use super::{
    Document,
    analyze::{depends_on_others, functions, is_asking, names_tools, replace_tools},
};
use crate::ide::{
    Answers,
    analysis::{Before, UnitAnalysis},
    document::enough::is_unchecked,
    functions::{Scope, UnitFunctions},
    mentions::Mention,
    unit::SharedTrees,
};
use signature_ls_source::{
    cancel,
    host::{HostKind, PlacedUnit, UnitChange},
    text::{TextEdit, TextRange, TextSize},
};

/// An edit takes as long as a parse of this many bytes, and of four times what it reads.
const COST_OF_EDIT: usize = 1024;

/// When more functions than this change, it is faster to look at all units that name some.
const MOST_NAMES: usize = 32;

impl Document {
    /// Applies `edit`, analyzing only what it affects.
    pub fn edit(&mut self, edit: &TextEdit) {
        cancel::check();
        self.follow(edit);
        self.check_if_needed();
    }

    /// The document after `edit`, whose diagnostics are not needed.
    pub(crate) fn unchecked_with(&self, edit: &TextEdit) -> Self {
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
            let whole = self.text.whole();
            let installed = self.read_installed(&whole);
            self.installed = installed;
        }
        let change = self.host.edit(&self.text, edit);
        let old_scope = self.follow_facts(&change);
        let inserted = change.removed.start..change.removed.start + change.inserted;
        if self.follow_evidence(&change) {
            self.directives.edit(&self.text, edit);
            self.named_edition = self.read_edition();
            return self.analyze_all();
        }
        let replaced_one = change.removed.len() == 1 && inserted.len() == 1;
        let before = touched.filter(|(index, ..)| replaced_one && *index == change.removed.start);
        let kept: HashMap<_, _> = change.same.iter().map(|&(old, new)| (new, old)).collect();
        let shared = self.trees_beside(&change);
        let analyses = self.in_stretches(inserted, None, &|index, is_checked| {
            if let Some(&old) = kept.get(&index) {
                return Arc::clone(&self.analyses[old]);
            }
            if let Some(known) = self.analysis_beside(&change, index) {
                return known;
            }
            let placed = &self.host.units()[index];
            let before = before.as_ref().map(|(_, placed, analysis)| Before {
                unit: &placed.unit,
                analysis,
                start: placed.start,
                edit,
            });
            Arc::new(self.analyze(placed, before, &shared, is_checked))
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
            self.analyze_all();
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
        let possible = units.iter().map(depends_on_others);
        self.possible.splice(change.removed.clone(), possible);
        let differs = was_ours == self.evidence.is_empty() && !self.settings.is_ours;
        differs && !self.possible.is_empty()
    }

    /// The units directly before and after the changed ones, with their analyses.
    fn beside(
        &self,
        change: &UnitChange,
    ) -> impl Iterator<Item = (&PlacedUnit, &Arc<UnitAnalysis>)> {
        let (first, end) = (change.removed.start, change.removed.end);
        let before = first.checked_sub(1).map(|it| (it, it));
        let after = (first + change.inserted, end);
        let units = self.host.units();
        let both = before.into_iter().chain([after]);
        both.filter_map(move |(new, old)| Some((units.get(new)?, &self.analyses[old])))
    }

    /// The trees of the units beside the changed ones. Files that programs write have many equal literals.
    fn trees_beside(&self, change: &UnitChange) -> SharedTrees {
        let shared = SharedTrees::default();
        for (placed, analysis) in self.beside(change) {
            shared.insert(&placed.unit, analysis.parts(), &self.text, placed.start);
        }
        shared
    }

    /// The analysis of a unit beside the changed ones that equals the new unit at `index`.
    fn analysis_beside(&self, change: &UnitChange, index: usize) -> Option<Arc<UnitAnalysis>> {
        let own = &self.host.units()[index];
        let code = |it: &PlacedUnit| self.text.slice(it.range());
        let is_equal = |(it, analysis): &(&PlacedUnit, &Arc<UnitAnalysis>)| {
            it.unit == own.unit && analysis.is_checked() && code(it) == code(own)
        };
        let (_, analysis) = self.beside(change).find(is_equal)?;
        Some(Arc::clone(analysis))
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
        let mut shared = Vec::new();
        if self.host.kind() == HostKind::Catalog {
            let old = &self.analyses[removed.clone()];
            let names = self.entry_names.splice(removed.clone(), old, &analyses);
            shared = names.into_iter().map(str::to_owned).collect();
        }
        let inserted = analyses.len();
        let mentions = analyses.iter().map(|it| &it.mentions);
        let same = { self.analyses[removed.clone()].iter() }
            .map(|it| &it.mentions)
            .eq(mentions);
        self.analyses.splice(removed.clone(), analyses);
        if !same && let Some(mentions) = self.mentions.get_mut() {
            mentions.splice(removed, inserted, &self.analyses);
        }
        self.share_names(&shared);
    }

    /// Records which entries of a catalog have one of the `names`, each of which belongs to two entries now.
    fn share_names(&mut self, names: &[String]) {
        if names.len() > MOST_NAMES {
            return self.entry_names.share_all(&self.analyses);
        }
        let edition = self.edition();
        for name in names {
            let mention = Mention::tool(&edition.normal_name(name));
            let sharing: Vec<_> = self.mentions().units(mention).collect();
            for index in sharing {
                self.entry_names.share(index);
            }
        }
    }

    /// The innermost unit that contains the whole edit, or that of the whole file: its index, the unit and its analysis.
    fn unit_around(&self, edit: &TextEdit) -> Option<(usize, PlacedUnit, Arc<UnitAnalysis>)> {
        let units = self.host.units();
        let last = units
            .partition_point(|placed| placed.start <= edit.range.start())
            .checked_sub(1)?;
        let is_around = |it: &usize| units[*it].range().contains_range(edit.range);
        let index = [last, 0].into_iter().find(is_around)?;
        let analysis = Arc::clone(&self.analyses[index]);
        Some((index, units[index].clone(), analysis))
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
        let are_many = self.forgets() || changed.names().nth(MOST_NAMES).is_some();
        let asking: BTreeSet<_> = match are_many {
            true => self.asking.iter().collect(),
            false => { changed.names() }
                .flat_map(|it| self.mentions().units(Mention::function(it)))
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

    /// The same document, prepared for edits if it was read with [`Self::closed`].
    pub fn opened(&self) -> Self {
        let host = self.host.opened(&self.text);
        if host.units().len() == self.host.units().len() && !self.forgets() {
            let mut document = Self {
                host,
                ..self.clone()
            };
            document.prepare_for_edits();
            return document;
        }
        let (text, settings) = (self.text.clone(), self.settings.clone());
        let mut document = Self::prepared(text, &self.text.whole(), host, settings);
        document.analyze_all();
        document.set_answers(Arc::clone(self.scope.answers()));
        document
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
    pub fn with_edits(&self, edits: &[TextEdit]) -> Self {
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
        let (kind, settings) = (self.host.kind(), self.settings.clone());
        let mut document = Self::of_whole(kind, text.clone(), &text.whole(), settings);
        document.set_answers(Arc::clone(self.scope.answers()));
        document
    }
}
