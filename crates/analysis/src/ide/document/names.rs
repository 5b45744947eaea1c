//! The names of a unit, with what the document knows.

use std::borrow::Cow;

use super::Document;
use crate::ide::{
    analysis::UnitAnalysis,
    tools::Tools,
    unit::{Known, Name, SharedTrees, Target, UnitNames, UnitView},
};
use signature_ls_source::{host::PlacedUnit, text::TextSize};

impl Document {
    /// The tools that the program in a unit can call.
    pub(crate) fn tools_of(&self, placed: &PlacedUnit) -> Cow<'_, Tools> {
        let edition = self.edition();
        let (scope, shared) = (&self.scope, SharedTrees::default());
        let own = Tools::of_call(
            &placed.unit,
            &self.text,
            placed.start,
            edition,
            scope,
            &shared,
        );
        own.map_or(Cow::Borrowed(&*self.tools), Cow::Owned)
    }

    /// What the document knows beside a unit.
    pub(super) fn known<'a>(&'a self, shared: &'a SharedTrees) -> Known<'a> {
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
}
