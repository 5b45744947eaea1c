//! What the rules find in one unit.

use super::before::FoundBefore;
use crate::{
    ide::{
        Diagnostic, literal, rules,
        tools::Tools,
        unit::{Input, Parts, UnitView},
    },
    model::placeholders::Uses,
};
use signature_ls_source::{
    host::{HAS_SMALL_STEPS, Notation, Role, Unit, evidence::Evidence},
    rare::Rare,
};

/// What the rules found in a unit.
#[derive(Debug, Clone)]
pub(super) struct Checked {
    /// In the order of the text.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The meaning of the names in each prompt, if it has a signature and a rule needed them.
    pub(super) uses: Vec<Uses>,
    /// What the rules of programs found, if there are programs in a prompt: an edit changes that only of the program
    /// around it.
    pub(super) of_programs: Rare<Vec<Diagnostic>>,
    /// The names that these programs share.
    pub(super) shared_names: Rare<Vec<u64>>,
}

impl Checked {
    /// Applies the rules to a unit; `None` if nothing is found and no name matters. What the rules of programs find in
    /// most of them may be known.
    pub(super) fn new(
        input: Input<'_>,
        parts: Parts<'_>,
        before: Option<FoundBefore>,
    ) -> Option<Box<Self>> {
        let unit = input.unit;
        if unit.is_meant_to_fail {
            return None;
        }
        let own = Tools::of_call(input);
        let new_view = || UnitView::new(input.with_tools(own.as_ref()), parts);
        let view = new_view();
        let before = before.filter(|_| HAS_SMALL_STEPS).and_then(|it| {
            let mut found = it.found;
            if !it.changed.code.is_empty() {
                let view = new_view().of_program(&it.changed);
                found.extend(rules::check_program(&view));
                if !is_all(&found) {
                    return None;
                }
            }
            Some((found, it.shared_names))
        });
        let keeps = has_programs_in_prompt(unit);
        let (of_programs, shared_names) = before.unwrap_or_else(|| {
            let names = keeps.then(|| unit.program().shared_names());
            (rules::check_program(&view), names.unwrap_or_default())
        });
        let kept = match keeps {
            true => of_programs.clone(),
            false => Vec::new(),
        };
        let diagnostics = check(&view, of_programs, input);
        let uses = view.into_uses();
        let is_empty = diagnostics.is_empty() && uses.is_empty() && shared_names.is_empty();
        let checked = || Self {
            diagnostics,
            uses,
            of_programs: kept.into(),
            shared_names: shared_names.into(),
        };
        (!is_empty).then(|| Box::new(checked()))
    }
}

/// Whether no check left anything out.
pub(super) fn is_all(found: &[Diagnostic]) -> bool {
    found.len() < rules::MAX_FINDINGS
}

/// The diagnostics of a unit that was checked.
pub(super) fn diagnostics(checked: &Option<Box<Checked>>) -> &[Diagnostic] {
    checked.as_deref().map_or(&[], |it| &it.diagnostics)
}

/// Whether the last literal of a unit is a prompt with programs in it, of which an edit elsewhere keeps the findings.
pub(super) fn has_programs_in_prompt(unit: &Unit) -> bool {
    let is_prompt = unit.sites.last().is_some_and(|it| it.role == Role::Prompt);
    HAS_SMALL_STEPS && is_prompt && unit.notation == Notation::Yaml && unit.is_program()
}

/// What the rules find in a unit, in the notation of its host.
fn check(view: &UnitView<'_>, of_programs: Vec<Diagnostic>, input: Input<'_>) -> Vec<Diagnostic> {
    let mut diagnostics = rules::check(view, of_programs);
    literal::fit(&mut diagnostics, input);
    // What may be a text of another language is not changed without a question.
    if input.unit.evidence == Evidence::Possible {
        let fixes = diagnostics.iter_mut().flat_map(|it| &mut it.fixes);
        fixes.for_each(|fix| fix.safe = false);
    }
    if HAS_SMALL_STEPS {
        diagnostics.iter_mut().for_each(Diagnostic::shrink);
        diagnostics.shrink_to_fit();
    }
    diagnostics
}
