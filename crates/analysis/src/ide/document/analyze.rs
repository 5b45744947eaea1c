//! Analyzes the units of a document.

use std::{
    iter,
    sync::{Arc, OnceLock},
};

use super::{
    Document,
    enough::is_unchecked,
    forgetting::Forgetting,
    found::{FoundIn, Severities, severities},
    indices::Indices,
    interned::Interned,
    is_possible,
};
use crate::ide::{
    Asks,
    analysis::{Before, UnitAnalysis},
    duplicate_tools::EntryNames,
    functions::{Named, UnitFunctions},
    tools::{Change, Tools, UnitTools},
    unit::SharedTrees,
};
use signature_ls_source::{
    host::{HAS_SMALL_STEPS, HostKind, PlacedUnit, UnitKind},
    parallel,
};

impl Document {
    /// Whether a unit needs the document's own functions.
    pub(super) fn needs_scope(&self) -> bool {
        let units = self.host.units();
        let asks = |at: usize| UnitFunctions::new(&units[at].unit).asks();
        parallel::flags(units.len(), &asks).contains(&true)
    }

    pub(super) fn analyze_all(&mut self) {
        self.analyze_once();
        self.prepare_for_edits();
    }

    /// Reads of its units what only edits and requests need.
    pub(super) fn prepare_for_edits(&mut self) {
        self.mentions();
        if !self.needs_tools() {
            let mut tools = Tools::of_document(self.host.kind(), self.edition());
            tools.follow(&[], &tools_said(&self.analyses));
            self.tools = Arc::new(tools);
        }
    }

    /// Whether a unit needs the tools of the document: a program that does not list its own.
    pub(super) fn needs_tools(&self) -> bool {
        let units = self.host.units();
        self.programs
            .iter()
            .any(|it| !Tools::are_of_call(&units[it].unit))
    }

    /// Analyzes all units of a document that is maybe not edited.
    pub(super) fn analyze_once(&mut self) {
        if self.late_scope.is_some() && self.needs_scope() {
            self.host.read_functions();
            self.scope = Arc::clone(self.current_scope());
            self.late_scope = None;
        }
        self.tools = Arc::new(Tools::of_document(self.host.kind(), self.edition()));
        self.read_evidence();
        self.analyses = match self.forgets() {
            true => self.analyze_for_findings(),
            false => self.analyze_units(None),
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
    pub(super) fn forgets(&self) -> bool {
        HAS_SMALL_STEPS && self.is_for_findings
    }

    /// Looks for the units that tell whether possible ones count.
    pub(super) fn read_evidence(&mut self) {
        let units = self.host.units();
        self.evidence = Indices::among(units, &|it| it.unit.is_evidence());
        self.possible = Indices::among(units, &depends_on_others);
    }

    /// The analyses of all units; units with the same text share one.
    pub(super) fn analyze_units(
        &self,
        forgetting: Option<&mut Forgetting>,
    ) -> Vec<Arc<UnitAnalysis>> {
        let units = self.host.units();
        let shared = SharedTrees::default();
        let interned = Interned::default();
        self.in_stretches(0..units.len(), forgetting, &|index, is_checked| {
            let placed = &units[index];
            // The tools of the document are not known yet.
            let is_checked = is_checked && !self.reads_tools(placed);
            let analyze = || self.analyze(placed, None, &shared, is_checked);
            interned.get_or_analyze(&self.text, placed, analyze)
        })
    }

    /// Checks the units that read tools, now that those are known.
    pub(super) fn check_programs(&mut self) {
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
            let analyze = || self.analyze(placed, None, &shared, true);
            match is_checked {
                true if self.analyses[index].is_unread => {
                    interned.get_or_analyze(&self.text, placed, analyze)
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
    pub(super) fn look_at_programs(&mut self, change: &Change) {
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
    pub(super) fn look_again(
        &mut self,
        indices: &[usize],
    ) -> (Vec<Arc<UnitAnalysis>>, Vec<Arc<UnitAnalysis>>) {
        let shared = SharedTrees::default();
        let mut forgetting = self.forgets().then(|| Forgetting::new(self));
        let concerned = indices.iter().copied();
        let added = self.in_stretches(concerned, forgetting.as_mut(), &|index, is_checked| {
            let placed = &self.host.units()[index];
            let is_checked = is_checked && self.analyses[index].is_checked();
            Arc::new(self.analyze(placed, None, &shared, is_checked))
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

    pub(super) fn analyze(
        &self,
        placed: &PlacedUnit,
        before: Option<Before<'_>>,
        shared: &SharedTrees,
        is_checked: bool,
    ) -> UnitAnalysis {
        UnitAnalysis::new(self.input(placed, shared), before, is_checked)
    }

    /// Whether a unit is checked when the tools of the document are known. A unit that is left out is analyzed again
    /// instead, as one whose prompt lists tools.
    pub(super) fn reads_tools(&self, placed: &PlacedUnit) -> bool {
        placed.unit.is_program() && !self.leaves_out(placed)
    }

    pub(super) fn set_asks(&mut self, asks: Asks) {
        if asks != *self.asks {
            self.asks = Arc::new(asks);
        }
    }

    pub(super) fn severities(&self, analyses: &[Arc<UnitAnalysis>]) -> Vec<Severities> {
        let severities = analyses.iter().map(|it| severities(it, &self.settings));
        severities.collect()
    }
}

/// Whether what is found in a unit depends on whether the document shows that it uses the library.
pub(super) fn depends_on_others(placed: &PlacedUnit) -> bool {
    is_possible(placed) || placed.unit.kind == UnitKind::AssumedArguments
}

pub(super) fn names_tools(analysis: &Arc<UnitAnalysis>) -> bool {
    !analysis.tools.named.is_empty()
}

pub(super) fn is_asking(analysis: &Arc<UnitAnalysis>) -> bool {
    analysis.functions.asks()
}

/// Replaces the facts of the `removed` units about tools by those of the `added` ones.
pub(super) fn replace_tools(
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

pub(super) fn tools_said(units: &[Arc<UnitAnalysis>]) -> Vec<&UnitTools> {
    let said = units.iter().map(|it| &it.tools);
    said.filter(|it| !it.is_empty()).collect()
}

pub(super) fn functions(units: &[Arc<UnitAnalysis>]) -> impl Iterator<Item = &UnitFunctions> {
    units.iter().map(|it| &*it.functions)
}
