//! What is reused of the analysis of a unit before an edit.

use super::{
    UnitAnalysis,
    checked::{has_programs_in_prompt, is_all},
};
use crate::ide::{Diagnostic, fragment::Tree};
use signature_ls_source::{
    host::{
        Unit,
        lisp::{ChangedPrograms, Program},
    },
    text::{TextEdit, TextRange, TextSize},
};

/// What the rules of the programs in a prompt found before an edit, and the part of them that it changed.
pub(in crate::ide) struct FoundBefore {
    /// Those outside of the changed part.
    pub(in crate::ide) found: Vec<Diagnostic>,
    pub(in crate::ide) changed: Program,
    pub(super) shared_names: Vec<u64>,
}

/// An edit of the document, and the earlier analysis of the unit, whose trees can be reused.
pub(crate) struct Before<'a> {
    pub(crate) unit: &'a Unit,
    pub(crate) analysis: &'a UnitAnalysis,
    /// The place of the unit before the edit.
    pub(crate) start: TextSize,
    pub(crate) edit: &'a TextEdit,
}

impl Before<'_> {
    /// What the rules of programs found outside of the programs in the prompt of `unit` that the edit changed. The unit
    /// begins at `unit_start`.
    pub(in crate::ide) fn of_programs(
        &self,
        unit: &Unit,
        unit_start: TextSize,
    ) -> Option<FoundBefore> {
        let before = self.unit;
        if !has_programs_in_prompt(unit) || !has_programs_in_prompt(before) {
            return None;
        }
        let (prompt, above) = unit.sites.split_last()?;
        let is_in_prompt = self.edit.range.start() >= unit_start + prompt.content.start();
        let is_same_above =
            before.sites.split_last()?.1 == above && before.arguments == unit.arguments;
        let edit = TextEdit::replace(self.edit.range.checked_sub(unit_start)?, &*self.edit.insert);
        if self.start != unit_start || !is_in_prompt || !is_same_above {
            return None;
        }
        let programs = unit.placed_programs()?;
        let changed = programs.changed_since(before.placed_programs()?, &edit);
        let checked = self.analysis.checked.get()?.as_deref();
        let shared_names = checked.map_or_else(Vec::new, |it| it.shared_names.to_vec());
        let found = checked.map_or(&[][..], |it| &it.of_programs);
        let ChangedPrograms {
            removed,
            place,
            added,
        } = changed;
        let is_linked = removed.is_linked(&shared_names) || added.is_linked(&shared_names);
        let is_known = added.code.is_empty() && removed.code.is_empty() || is_all(found);
        if !is_known || is_linked || removed.namespaces != added.namespaces {
            return None;
        }
        let is_old = |it: &Diagnostic| place.is_some_and(|place| place.contains_range(it.range));
        let found = found.iter().filter(|it| !is_old(it));
        let found = found.map(|it| it.after(&edit)).collect::<Option<_>>()?;
        Some(FoundBefore {
            found,
            changed: added,
            shared_names,
        })
    }

    /// The tree of the site at `index` of `unit`, which begins at `unit_start` now, and the edit relative to it, if
    /// the edit is in the site's content.
    pub(super) fn tree_at(
        &self,
        index: usize,
        unit: &Unit,
        unit_start: TextSize,
    ) -> Option<(&Tree, TextEdit)> {
        if self.analysis.fragments.len() != unit.sites.len() {
            return None;
        }
        let site = &unit.sites[index];
        let fragment = &self.analysis.fragments[index];
        let start = self.start + fragment.start;
        if start != unit_start + site.content.start() {
            return None;
        }
        let len = match &fragment.tree {
            Tree::Signature { green, .. } | Tree::Template { green, .. } => green.text_len(),
            Tree::Text => return None,
        };
        let inside = TextRange::at(start, len).contains_range(self.edit.range);
        if !inside || fragment.role != site.role {
            return None;
        }
        let edit = TextEdit::replace(self.edit.range - start, self.edit.insert.clone());
        let len_after = len - edit.range.len() + TextSize::of(edit.insert.as_str());
        (len_after == site.content.len()).then_some((&fragment.tree, edit))
    }
}
