//! One open document: its text, its host's view of it, and what was found in each unit.

use std::{borrow::Cow, collections::HashMap, ops::Range, sync::Arc};

use rayon::prelude::*;

use crate::{
    host::{
        HostDocument, HostKind, PlacedUnit,
        elixir::module::{self, Facts},
        elixir_code,
    },
    ide::{
        Diagnostic, Functions, Settings,
        directives::Directives,
        functions::Scope,
        names::Names,
        suppression,
        tools::Tools,
        unit::{Before, Known, UnitAnalysis},
    },
    model::Edition,
    text::{Text, TextEdit, TextRange, TextSize},
};

/// Fewer units than this are not worth a thread.
const UNITS_PER_THREAD: usize = 64;

/// A document and all that is known of it.
#[derive(Debug, Clone)]
pub struct Document {
    text: Text,
    host: HostDocument,
    settings: Settings,
    directives: Directives,
    scope: Arc<Scope>,
    tools: Arc<Tools>,
    /// One for each unit of the host, in the same order.
    analyses: Vec<Arc<UnitAnalysis>>,
    /// How many of the units are programs.
    programs: usize,
    names: Names,
    /// The indices of those with findings, so that a keystroke need not look through all of them.
    found_in: Vec<usize>,
}

impl Document {
    /// Reads the whole of `text`, which knows its own functions only.
    pub fn new(kind: HostKind, text: &str, settings: Settings) -> Self {
        Self::in_project(kind, text, settings, Arc::default())
    }

    /// Reads the whole of `text`, with the functions of the project around it.
    pub fn in_project(
        kind: HostKind,
        text: &str,
        settings: Settings,
        functions: Arc<Functions>,
    ) -> Self {
        let text = Text::from(text);
        let host = HostDocument::parse(kind, &text, &settings.roles);
        let directives = Directives::find(&text);
        let mut document = Self {
            text,
            host,
            settings,
            directives,
            scope: Arc::default(),
            tools: Arc::default(),
            analyses: Vec::new(),
            programs: 0,
            names: Names::default(),
            found_in: Vec::new(),
        };
        let own = Arc::new(document.read_facts());
        document.scope = Arc::new(Scope::new(own, functions));
        document.analyse_all();
        document
    }

    fn analyse_all(&mut self) {
        self.tools = Arc::default();
        let units = self.host.units().par_iter().with_min_len(UNITS_PER_THREAD);
        self.analyses = units
            .map(|placed| Arc::new(self.analyse(placed, None)))
            .collect();
        self.programs = programs(&self.analyses);
        self.names = Names::default();
        if self.host.kind() == HostKind::Catalog {
            self.names.add(&self.analyses);
        }
        self.gather_tools();
        self.found_in = found_in(&self.analyses, 0).collect();
    }

    /// Gathers the tools that the document names, and where they changed looks at its programs again.
    fn gather_tools(&mut self) {
        if self.programs == 0 {
            return;
        }
        let tools = Tools::of_document(self.host.kind(), &self.text, &self.scope, self.units());
        if *self.tools == tools {
            return;
        }
        self.tools = Arc::new(tools);
        let units = self.host.units().iter().enumerate();
        let programs = units.filter(|(_, placed)| !placed.unit.program.is_empty());
        let analyses = programs.map(|(index, placed)| (index, self.analyse(placed, None)));
        for (index, analysis) in analyses.collect::<Vec<_>>() {
            self.analyses[index] = Arc::new(analysis);
        }
    }

    fn analyse(&self, placed: &PlacedUnit, before: Option<Before<'_>>) -> UnitAnalysis {
        UnitAnalysis::new(&placed.unit, &self.text, placed.start, self.known(), before)
    }

    /// Follows `edit`, looking anew only at what it touches.
    pub fn edit(&mut self, edit: &TextEdit) {
        let touched = self.unit_around(edit);
        self.text.apply(edit);
        let change = self.host.edit(&self.text, edit);
        let inserted = change.removed.start..change.removed.start + change.inserted;
        let replaced_one = change.removed.len() == 1 && inserted.len() == 1;
        let before = touched.filter(|(index, ..)| replaced_one && *index == change.removed.start);
        let kept: HashMap<_, _> = change.same.iter().map(|&(old, new)| (new, old)).collect();
        let analyses: Vec<_> = inserted
            .map(|index| {
                if let Some(&old) = kept.get(&index) {
                    return Arc::clone(&self.analyses[old]);
                }
                let placed = &self.host.units()[index];
                let before = before.as_ref().map(|(_, start, analysis)| Before {
                    analysis,
                    start: *start,
                    edit,
                });
                Arc::new(self.analyse(placed, before))
            })
            .collect();
        let changes_tools = |analysis: &Arc<UnitAnalysis>| analysis.concerns_programs;
        let changes_tools = analyses.iter().any(changes_tools)
            || self.analyses[change.removed.clone()]
                .iter()
                .any(changes_tools);
        self.splice(change.removed, analyses);
        if changes_tools && self.programs > 0 {
            self.gather_tools();
            self.found_in = found_in(&self.analyses, 0).collect();
        }
        let edition = self.edition();
        self.directives.edit(&self.text, edit);
        if self.edition() != edition {
            self.analyse_all();
        }
    }

    /// Replaces the analyses of the units that went by those of the units that came.
    fn splice(&mut self, removed: Range<usize>, analyses: Vec<Arc<UnitAnalysis>>) {
        let first = self
            .found_in
            .partition_point(|&index| index < removed.start);
        let last = self.found_in.partition_point(|&index| index < removed.end);
        for index in &mut self.found_in[last..] {
            *index = *index - removed.len() + analyses.len();
        }
        let found: Vec<_> = found_in(&analyses, removed.start).collect();
        self.found_in.splice(first..last, found);
        self.programs -= programs(&self.analyses[removed.clone()]);
        self.programs += programs(&analyses);
        if self.host.kind() == HostKind::Catalog {
            self.names.remove(&self.analyses[removed.clone()]);
            self.names.add(&analyses);
        }
        self.analyses.splice(removed, analyses);
    }

    /// The edition that applies: the one that the document names, else the one of the settings.
    pub fn edition(&self) -> Edition {
        let named = self.directives.edition(self.host.kind());
        named.unwrap_or(self.settings.edition)
    }

    /// The unit that contains all of the edit: its index, its start and what is known of it.
    fn unit_around(&self, edit: &TextEdit) -> Option<(usize, TextSize, Arc<UnitAnalysis>)> {
        let units = self.host.units();
        let index = units
            .partition_point(|placed| placed.start <= edit.range.start())
            .checked_sub(1)?;
        let placed = &units[index];
        let inside = edit.range.end() <= placed.start + placed.unit.len;
        inside.then(|| (index, placed.start, Arc::clone(&self.analyses[index])))
    }

    /// Looks at the tools and their functions again with the functions of the project.
    pub fn set_functions(&mut self, functions: Arc<Functions>) {
        let own = Arc::clone(self.scope.own());
        self.set_scope(Scope::new(own, functions));
    }

    /// Looks at the tools and their functions again with what the document says of its own functions, as
    /// [`Document::read_facts`] has read it.
    pub fn set_facts(&mut self, facts: Arc<Facts>) {
        let workspace = Arc::clone(self.scope.workspace());
        self.set_scope(Scope::new(facts, workspace));
    }

    fn set_scope(&mut self, scope: Scope) {
        if *self.scope == scope {
            return;
        }
        self.scope = Arc::new(scope);
        for index in 0..self.analyses.len() {
            let placed = &self.host.units()[index];
            if placed.unit.asks_for_functions() {
                self.analyses[index] = Arc::new(self.analyse(placed, None));
            }
        }
        self.gather_tools();
        self.found_in = found_in(&self.analyses, 0).collect();
    }

    /// Reads what the document says of its own functions, which takes as long as reading all of it.
    pub fn read_facts(&self) -> Facts {
        if let Some(facts) = self.host.facts() {
            return facts;
        }
        let mut facts = Facts::default();
        if self.host.kind() == HostKind::Markdown {
            let text = self.text.slice(TextRange::up_to(self.text.len()));
            for code in elixir_code(&text) {
                facts.add(module::facts(&code));
            }
        }
        facts
    }

    /// What it said of its own functions when that was read last.
    pub fn facts(&self) -> &Arc<Facts> {
        self.scope.own()
    }

    /// The tools that the program in a unit can call.
    pub(crate) fn tools_of(&self, placed: &PlacedUnit) -> Cow<'_, Tools> {
        let own = Tools::of_call(&placed.unit, &self.text, placed.start, self.known());
        own.map_or(Cow::Borrowed(&*self.tools), Cow::Owned)
    }

    fn known(&self) -> Known<'_> {
        Known {
            edition: self.edition(),
            scope: &self.scope,
            tools: &self.tools,
        }
    }

    /// What is known of functions here.
    pub(crate) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The text as it is now.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// Where signatures and what belongs to them stand.
    pub fn host(&self) -> &HostDocument {
        &self.host
    }

    /// The settings under which it was looked at.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Everything found that is to be reported, in the order of the text, ranges in bytes of the document.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let found = self.found_in.iter().flat_map(|&index| {
            let (start, analysis) = (self.host.units()[index].start, &self.analyses[index]);
            analysis.diagnostics.iter().map(move |diagnostic| {
                let literal = analysis.literal_start(diagnostic.range.start());
                (diagnostic.clone().moved_by(start), literal + start)
            })
        });
        let repeated = self.names.repeated(self.units()).into_iter().map(|it| {
            let start = it.range.start();
            (it, start)
        });
        let mut all: Vec<_> = found.chain(repeated).collect();
        // What stands in a literal that belongs to several units is found as often.
        all.sort_by_key(|(it, _)| (it.range.start(), it.range.end(), it.rule.code));
        all.dedup();
        suppression::sift(
            &self.text,
            &self.directives,
            &self.settings,
            all.into_iter(),
        )
    }

    /// The units with what is known of them, in the order in which they begin.
    pub(crate) fn units(&self) -> impl Iterator<Item = (&PlacedUnit, &UnitAnalysis)> {
        let analyses = self.analyses.iter().map(|analysis| &**analysis);
        self.host.units().iter().zip(analyses)
    }

    /// The units that contain `offset`, with what is known of them, innermost last.
    pub(crate) fn units_at(
        &self,
        offset: TextSize,
    ) -> impl Iterator<Item = (&PlacedUnit, &UnitAnalysis)> {
        let units = self.host.units();
        let end = units.partition_point(|placed| placed.start <= offset);
        let containing = move |placed: &&PlacedUnit| offset <= placed.start + placed.unit.len;
        let indices = (0..end).filter(move |&index| containing(&&units[index]));
        indices.map(move |index| (&units[index], &*self.analyses[index]))
    }
}

/// The indices of the analyses with findings, counted from `first`.
fn found_in(analyses: &[Arc<UnitAnalysis>], first: usize) -> impl Iterator<Item = usize> {
    let found = analyses
        .iter()
        .enumerate()
        .filter(|(_, analysis)| !analysis.diagnostics.is_empty());
    found.map(move |(index, _)| first + index)
}

fn programs(analyses: &[Arc<UnitAnalysis>]) -> usize {
    analyses.iter().filter(|it| it.is_program).count()
}

#[cfg(test)]
mod tests;
