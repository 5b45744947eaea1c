//! The analysis of one unit: the trees of its literals, their meaning, and the diagnostics of the rules.

mod before;
mod checked;

pub(crate) use before::Before;
use checked::{Checked, diagnostics};

use std::sync::{Arc, OnceLock};

use rowan::GreenNode;

use crate::{
    ide::{
        Diagnostic, Severity,
        fragment::{Fragment, Tree},
        functions::UnitFunctions,
        mentions::Mention,
        tools::{Tools, UnitTools},
        unit::{Input, Known, Name, Parts, Target, UnitNames, UnitView},
    },
    model::{Lowered, Signature, placeholders::Uses},
};
use signature_ls_source::{
    host::{Notation, Role, Site, Unit, evidence::Evidence},
    rare::Rare,
    syntax::{catalog::ast::Entry, kind::SyntaxNode},
    text::{TextEdit, TextSize},
};

/// The analysis of a unit. All ranges count from the unit's start, so that it stays valid when the text before the
/// unit changes.
#[derive(Debug, Clone)]
pub(crate) struct UnitAnalysis {
    /// One per site of the unit, in the same order.
    pub(crate) fragments: Box<[Fragment]>,
    /// The signatures that flow into the unit, apart from those with errors.
    sources: Rare<Vec<Option<Arc<Lowered>>>>,
    /// Computed later if the unit reads tools of others, and when first needed if the document has enough diagnostics
    /// before the unit.
    checked: OnceLock<Option<Box<Checked>>>,
    /// What it tells the rest of the document about tools.
    pub(crate) tools: UnitTools,
    /// What it tells about functions.
    pub(crate) functions: Rare<UnitFunctions>,
    /// What it mentions, sorted.
    pub(super) mentions: Box<[Mention]>,
    /// Whether it is a program, which may call tools.
    pub(crate) is_program: bool,
    /// Whether its prompts list tools of other units.
    pub(crate) lists_tools: bool,
    /// The highest severity of its diagnostics if they were forgotten, and their number.
    forgotten: Option<Severity>,
    left_out: u32,
    /// Whether it is in the place of one that was forgotten, which has to be computed again to check the unit.
    pub(crate) is_unread: bool,
    /// Computed when a name is first needed.
    names: OnceLock<Box<UnitNames>>,
}

impl UnitAnalysis {
    /// Analyzes a unit; `is_checked` tells whether its diagnostics are needed now.
    pub(crate) fn new(input: Input<'_>, before: Option<Before<'_>>, is_checked: bool) -> Self {
        let Input {
            unit, start, known, ..
        } = input;
        if unit.evidence == Evidence::Possible && !known.is_ours {
            let unit = &without_literals(unit);
            return Self::new(Input { unit, ..input }, None, true);
        }
        let fragments = fragments(input, before.as_ref());
        let sources = unit.flow.sources.iter();
        let sources: Vec<_> = sources
            .map(|it| known.shared.source(known.scope.source(it)?, known.edition))
            .collect();
        let parts = Parts {
            fragments: &fragments,
            sources: &sources,
            uses: before.as_ref().map_or(&[][..], |it| it.analysis.uses()),
        };
        let listed = match unit.notation {
            // A call registers its tools.
            Notation::Elixir => Vec::new(),
            _ => UnitView::new(input, parts).listed_tools(),
        };
        let checked = OnceLock::new();
        if is_checked {
            let of_programs = before.as_ref().and_then(|it| it.of_programs(unit, start));
            checked.get_or_init(|| Checked::new(input, parts, of_programs));
        }
        let tools = UnitTools::new(input, &fragments);
        let functions = UnitFunctions::new(unit);
        Self {
            checked,
            mentions: Mention::all(
                (unit, &listed),
                &fragments,
                (&tools, &functions),
                known.edition,
            ),
            tools,
            functions: functions.into(),
            is_program: !listed.is_empty() || unit.is_program(),
            lists_tools: !listed.is_empty(),
            fragments,
            sources: sources.into(),
            forgotten: None,
            left_out: 0,
            is_unread: false,
            names: OnceLock::new(),
        }
    }

    /// An analysis that tells nothing but what its unit tells about functions.
    pub(crate) fn nothing(functions: UnitFunctions) -> Self {
        Self {
            fragments: Box::default(),
            sources: Rare::default(),
            checked: OnceLock::from(None),
            tools: UnitTools::default(),
            functions: functions.into(),
            mentions: Box::default(),
            is_program: false,
            lists_tools: false,
            forgotten: None,
            left_out: 0,
            is_unread: false,
            names: OnceLock::new(),
        }
    }

    /// What is in the place of an analysis that was forgotten before its unit was checked.
    pub(crate) fn unread(is_program: bool) -> Self {
        Self {
            checked: OnceLock::new(),
            is_program,
            is_unread: true,
            ..Self::nothing(UnitFunctions::default())
        }
    }

    /// The same for a unit with `count` diagnostics, `most` the highest severity, that others hide.
    pub(crate) fn hidden(most: Severity, count: usize) -> Self {
        let mut hidden = Self::unread(false);
        hidden.forget_diagnostics(most, count);
        hidden
    }

    /// Whether nothing is found in its unit.
    pub(crate) fn is_silent(&self) -> bool {
        self.is_checked() && self.known_diagnostics().is_empty()
    }

    /// Whether nothing depends on its unit, unless it is a program, but what refers to tools that it names, or on what
    /// functions are.
    pub(crate) fn is_apart(&self) -> bool {
        !self.tools.says_of_namespaces()
    }

    /// Forgets the tools that it names but one.
    pub(crate) fn forget_tools(&mut self) {
        let named = std::mem::take(&mut self.tools.named);
        self.tools.named = named.into_iter().take(1).collect();
    }

    /// The diagnostics, in the order of the text. `input` has the analyzed unit, at its present place.
    pub(crate) fn diagnostics(&self, input: Input<'_>) -> &[Diagnostic] {
        let read = || Checked::new(input, self.parts(), None);
        diagnostics(self.checked.get_or_init(read))
    }

    /// Its diagnostics if they are known, else none.
    pub(crate) fn known_diagnostics(&self) -> &[Diagnostic] {
        self.checked.get().map_or(&[], diagnostics)
    }

    /// The same without the rest.
    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        let checked = self.checked.into_inner().flatten();
        checked.map_or_else(Vec::new, |it| it.diagnostics)
    }

    /// Forgets its diagnostics, of which `most` is the highest severity and `count` the number. They are computed again if
    /// they are needed.
    pub(crate) fn forget_diagnostics(&mut self, most: Severity, count: usize) {
        self.checked = OnceLock::new();
        self.forgotten = Some(most);
        self.left_out = count.try_into().unwrap_or(u32::MAX);
    }

    /// The highest severity that its diagnostics can have, if they are not known.
    pub(crate) fn unseen(&self) -> Severity {
        self.forgotten.unwrap_or(Severity::Error)
    }

    /// The number of its diagnostics that were forgotten.
    pub(crate) fn left_out(&self) -> usize {
        match self.is_checked() {
            true => 0,
            false => self.left_out as usize,
        }
    }

    /// Whether its diagnostics are known.
    pub(crate) fn is_checked(&self) -> bool {
        self.checked.get().is_some()
    }

    /// The names of the unit, apart from those in prompts. `input` has the analyzed unit, at its present place.
    pub(crate) fn names(&self, input: Input<'_>) -> &UnitNames {
        let read = || {
            let own = Tools::of_call(input);
            let view = self.view(input.with_tools(own.as_ref()));
            Box::new(UnitNames::new(&view))
        };
        self.names.get_or_init(read)
    }

    /// The names whose target `is_meant`, in bytes from the unit's start.
    pub(crate) fn names_meant(
        &self,
        input: Input<'_>,
        is_meant: impl Fn(&Target) -> bool,
    ) -> Vec<Name> {
        let names = self.names(input).iter();
        let mut meant: Vec<_> = names.filter(|it| is_meant(&it.target)).collect();
        meant.extend(UnitNames::in_prompts(&self.view(input), is_meant));
        meant
    }

    /// The name at `offset`, in bytes from the unit's start.
    pub(crate) fn name_at(&self, input: Input<'_>, offset: TextSize) -> Option<Name> {
        let in_prompt = UnitNames::at_in_prompts(&self.view(input), offset);
        in_prompt.or_else(|| self.names(input).at(offset))
    }

    /// The signature that flows into the unit from a source.
    pub(crate) fn source(&self, index: usize) -> Option<&Lowered> {
        self.sources.get(index)?.as_deref()
    }

    /// The view of the unit for rules. `input` has the analyzed unit, at its present place.
    pub(crate) fn view<'a>(&'a self, input: Input<'a>) -> UnitView<'a> {
        UnitView::new(input, self.parts())
    }

    /// Its trees, and what is known of its prompts.
    pub(crate) fn parts(&self) -> Parts<'_> {
        Parts {
            fragments: &self.fragments,
            sources: &self.sources,
            uses: self.uses(),
        }
    }

    /// The meaning of the names in each prompt, if a rule needed that.
    fn uses(&self) -> &[Uses] {
        let checked = self.checked.get().and_then(Option::as_deref);
        checked.map_or(&[], |it| &it.uses)
    }

    /// Whether all names in its prompts are known to have a meaning under `signature`, so that a search for unknown
    /// names is not needed.
    pub(crate) fn knows_all_names(&self, signature: &Signature) -> bool {
        let is_template = |it: &&Fragment| matches!(it.tree, Tree::Template { .. });
        let templates = self.fragments.iter().filter(is_template).count();
        let uses = self.uses();
        uses.len() == templates && { uses.iter() }
            .all(|it| it.are_all_known() && it.signature() == signature)
    }

    /// The prompts without interpolations, each with its start in bytes from the unit's start, and with the meaning of
    /// its names if a rule needed that.
    pub(crate) fn static_prompts(
        &self,
    ) -> impl Iterator<Item = (TextSize, &GreenNode, Option<&Uses>)> {
        let templates = self.fragments.iter().filter_map(|it| match &it.tree {
            Tree::Template {
                green, has_holes, ..
            } => Some((it.start, green, *has_holes)),
            Tree::Signature { .. } | Tree::Text => None,
        });
        let uses = self.uses().iter().map(Some).chain(std::iter::repeat(None));
        let prompts = templates
            .zip(uses)
            .filter(|((.., has_holes), _)| !has_holes);
        prompts.map(|((start, green, _), uses)| (start, green, uses))
    }

    /// The signature beside the prompts, with its names and problems.
    pub(crate) fn prompts_lowered(&self) -> Option<&Lowered> {
        self.fragments.iter().find_map(Fragment::lowered)
    }

    /// The signature of the agent that `unit`, the analyzed one, defines or runs.
    pub(crate) fn signature(&self, unit: &Unit) -> Option<&Signature> {
        let elsewhere = || {
            let agent = unit.flow.agent.as_ref()?;
            Some(&*self.sources.get(agent.source)?.as_ref()?.signature)
        };
        let beside = self.prompts_lowered().map(|it| &*it.signature);
        beside.or_else(elsewhere)
    }

    /// The start of the literal of `unit` around `offset`, else `offset`; in bytes from the unit's start.
    pub(crate) fn literal_start(&self, unit: &Unit, offset: TextSize) -> TextSize {
        let mut literals = unit.sites.iter().zip(&self.fragments);
        let literal = literals.find(|(_, it)| it.contains(offset));
        let program = unit
            .program_literal()
            .filter(|it| it.content.contains_inclusive(offset));
        let literal = literal.map(|(site, _)| site.literal.start());
        let start = literal.or(program.map(|it| it.start));
        start.unwrap_or(offset)
    }
}

/// A unit that may be one of another library, without what only counts in ours.
fn without_literals(unit: &Unit) -> Unit {
    let mut without = unit.clone();
    if without.sites.is_empty() {
        without.forget_programs();
    }
    without.sites.clear();
    without.evidence = Evidence::Likely;
    without
}

/// The literals of a unit. The tree of one that was edited, or that others have too, is reused.
fn fragments(input: Input<'_>, before: Option<&Before<'_>>) -> Box<[Fragment]> {
    let entry = input.unit.catalog_entry();
    let signature = entry.as_ref().and_then(Entry::signature);
    let fragments = input.unit.sites.iter().enumerate().map(|(index, site)| {
        let tree = match &signature {
            Some(tree) if site.role == Role::Tool => tree_in_entry(input, site, tree),
            _ => {
                let old = before.and_then(|it| it.tree_at(index, input.unit, input.start));
                tree_of(input, site, old)
            }
        };
        Fragment::of_tree(site, tree)
    });
    fragments.collect()
}

/// The tree of a signature that is part of the tree of its catalog entry.
fn tree_in_entry(input: Input<'_>, site: &Site, signature: &SyntaxNode) -> Tree {
    let known = input.known;
    let beside = known.shared.known(site, || input.content(site));
    let parsed = || {
        let green = signature.green().to_owned();
        known.shared.of_green(green, known.edition)
    };
    beside.unwrap_or_else(parsed)
}

/// The tree of a literal; `old` is that before an edit in it, with the edit.
fn tree_of(input: Input<'_>, site: &Site, old: Option<(&Tree, TextEdit)>) -> Tree {
    let Known {
        edition, shared, ..
    } = input.known;
    let content = || input.content(site);
    let parse = |content| Tree::parse(site, || content, edition, None);
    match old {
        // Without this, equal literals share less with each one that is edited and restored.
        Some(_) => shared
            .known(site, content)
            .unwrap_or_else(|| Tree::parse(site, content, edition, old)),
        None if site.role == Role::Description => parse(content()),
        None => shared.get_or_parse(site, input.unit.is_linked, content, parse),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A document of 100,000 lines has tens of thousands of them.
    #[test]
    fn analyzes_are_small() {
        let size = size_of::<UnitAnalysis>();
        assert!(size <= 112, "{size}");
        let size = size_of::<Fragment>();
        assert!(size <= 64, "{size}");
    }
}
