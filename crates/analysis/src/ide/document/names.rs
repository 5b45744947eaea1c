//! The names of a unit, with what the document knows.

use std::borrow::Cow;

use super::Document;
use crate::ide::{
    analysis::UnitAnalysis,
    tools::Tools,
    unit::{Input, Known, Name, SharedTrees, Target, UnitNames, UnitView},
};
use signature_ls_source::{host::PlacedUnit, text::TextSize};

impl Document {
    /// The tools that the program in a unit can call.
    pub(crate) fn tools_of(&self, placed: &PlacedUnit) -> Cow<'_, Tools> {
        let own = Tools::of_call(self.input(placed, &SharedTrees::default()));
        own.map_or(Cow::Borrowed(&*self.tools), Cow::Owned)
    }

    /// A unit with what the document knows beside it.
    pub(super) fn input<'a>(
        &'a self,
        placed: &'a PlacedUnit,
        shared: &'a SharedTrees,
    ) -> Input<'a> {
        Input {
            unit: &placed.unit,
            text: &self.text,
            start: placed.start,
            known: Known {
                edition: self.edition(),
                scope: &self.scope,
                tools: &self.tools,
                is_ours: self.is_ours(),
                shared,
            },
        }
    }

    /// The names of a unit, apart from those in its prompts, computed when they are first needed.
    pub(crate) fn names_of<'a>(
        &self,
        placed: &PlacedUnit,
        analysis: &'a UnitAnalysis,
    ) -> &'a UnitNames {
        analysis.names(self.input(placed, &SharedTrees::default()))
    }

    /// The names of a unit whose target `is_meant`, in bytes from the unit's start.
    pub(crate) fn names_meant(
        &self,
        placed: &PlacedUnit,
        analysis: &UnitAnalysis,
        is_meant: impl Fn(&Target) -> bool,
    ) -> Vec<Name> {
        analysis.names_meant(self.input(placed, &SharedTrees::default()), is_meant)
    }

    /// The name at `offset` of a unit, in bytes from the unit's start.
    pub(crate) fn name_at(
        &self,
        placed: &PlacedUnit,
        analysis: &UnitAnalysis,
        offset: TextSize,
    ) -> Option<Name> {
        analysis.name_at(self.input(placed, &SharedTrees::default()), offset)
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
        let input = self.input(placed, &shared).with_tools(Some(&tools));
        look(&analysis.view(input))
    }
}
