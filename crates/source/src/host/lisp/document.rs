//! A Lisp document from edit to edit.

use std::{iter, ops::Range, sync::Arc};

use rowan::{GreenNode, GreenNodeData};

use super::{
    Lisp, data, doubt_file, find,
    forms::{Form, Forms, Items},
    is_clojure, link,
    linked::{self, Links},
    root,
};
use crate::{
    host::{
        HAS_SMALL_STEPS, PlacedUnit, RolesIn, UnitChange,
        token_tree::{self, Element},
        units::{Units, moved, moved_back},
    },
    syntax::reparse::Reparsed,
    text::{Text, TextEdit, TextRange, TextSize},
};

/// A Lisp document, updated from edit to edit.
#[derive(Debug, Clone)]
pub struct Document {
    tree: GreenNode,
    /// The ends of the top-level forms: no prefix is pending there.
    ends: Vec<TextSize>,
    /// What these forms define and refer to, once there are types to pass.
    links: Option<Links>,
    /// Whether it has an `ns` form, which programs in PTC-Lisp do not have.
    is_clojure: bool,
    /// Whether forms may be discarded or metadata.
    suspends: bool,
}

impl Document {
    /// Parses all of `text`.
    pub fn parse(text: &str, roles: RolesIn<'_>) -> (Self, Vec<PlacedUnit>) {
        let tree = token_tree::parse::<Lisp>(text);
        let mut units = find::find(Items::new(root(&tree).elements()), roles);
        let is_clojure = is_clojure(&units);
        doubt_file(&mut units, is_clojure);
        let links = link(&root(&tree), &mut units);
        let mut ends = Vec::new();
        Forms::of(&root(&tree)).for_each(|it| ends.push(it.range.end()));
        let document = Self {
            suspends: data::suspends(iter::once(text), &root(&tree)),
            tree,
            ends,
            links,
            is_clojure,
        };
        (document, units)
    }

    /// The tree of the whole text.
    pub fn tree(&self) -> &GreenNode {
        &self.tree
    }

    /// Applies an edit by reading the top-level forms around it; `None` if the whole document has to be parsed again.
    pub fn edit(
        &mut self,
        text: &Text,
        edit: &TextEdit,
        units: &mut Units,
        roles: RolesIn<'_>,
    ) -> Option<UnitChange> {
        let Reparsed { green, range } = token_tree::reparse::<Lisp>(&self.tree, edit)?;
        let did_suspend = self.suspends;
        self.suspends = match did_suspend {
            true => {
                !data::suspends_in(&root(&self.tree), edit.range)
                    || data::suspends(text.rope().chunks(), &root(&green))
            }
            false => data::suspends_in(&root(&green), range),
        };
        let is_plain = HAS_SMALL_STEPS && !did_suspend && !self.suspends;
        let in_data = match is_plain {
            true => self.edit_data(&green, range, edit, units, roles),
            false => None,
        };
        let change = match in_data {
            Some(change) => change,
            None => self.edit_forms(&green, range, edit, units, roles)?,
        };
        self.tree = green;
        Some(change)
    }

    /// Applies an edit by reading the top-level forms around the range `changed` of the new tree, which was reparsed; `None`
    /// if the whole document has to be parsed again.
    fn edit_forms(
        &mut self,
        green: &GreenNodeData,
        changed: TextRange,
        edit: &TextEdit,
        units: &mut Units,
        roles: RolesIn<'_>,
    ) -> Option<UnitChange> {
        let root = root(green);
        let before_edit = |offset: TextSize| moved_back(offset, edit);

        let first = self.ends.partition_point(|end| *end <= changed.start());
        let start = start_of(&self.ends, first);
        let mut new_forms = Vec::new();
        let mut met = None;
        for form in Forms::in_range(&root, TextRange::new(start, green.text_len())) {
            let end = form.range.end();
            new_forms.push(form);
            if changed.end() <= end {
                met = self.ends.binary_search(&before_edit(end)).ok();
            }
            if met.is_some() {
                break;
            }
        }
        let end = match (met, new_forms.last()) {
            (Some(_), Some(form)) => form.range.end(),
            _ => green.text_len(),
        };
        let has_ns = self.is_clojure;
        // The units in a range whose ends are those of top-level forms.
        let find_in = |range| {
            let mut units = find::find(Items::new(root.elements_in(range)), roles);
            doubt_file(&mut units, has_ns);
            units
        };
        let mut found = find_in(TextRange::new(start, end));
        if self.links.is_none() && linked::has_types(&found) {
            return None;
        }
        let mut removed = units.beginning_in(TextRange::new(start, before_edit(end)));
        if is_clojure(&found) || is_clojure(&units.as_slice()[removed.clone()]) {
            return None;
        }

        let following = met.map_or(self.ends.len(), |met| met + 1);
        for end in &mut self.ends[following..] {
            *end = moved(*end, edit);
        }
        let new_ends = new_forms.iter().map(|it| it.range.end());
        self.ends.splice(first..following, new_ends);
        if let Some(links) = &mut self.links {
            let edited = Edited {
                root: &root,
                ends: &self.ends,
                edit,
                units,
                find_in: &find_in,
            };
            edited.link(links, first..following, new_forms, &mut found, &mut removed);
        }
        Some(units.replace(removed, found, edit))
    }

    /// Applies an edit in a vector of data, after which the reparsed range of the new tree is `changed`; `None` if the
    /// edit has another effect.
    fn edit_data(
        &mut self,
        green: &GreenNodeData,
        changed: TextRange,
        edit: &TextEdit,
        units: &mut Units,
        roles: RolesIn<'_>,
    ) -> Option<UnitChange> {
        if self.links.is_some() {
            return None;
        }
        let root = root(green);
        let first = self.ends.partition_point(|end| *end <= changed.start());
        let start = start_of(&self.ends, first);
        let form = Forms::in_range(&root, TextRange::new(start, green.text_len())).next()?;
        let before_edit = |offset: TextSize| moved_back(offset, edit);
        if self.ends.get(first) != Some(&before_edit(form.range.end())) {
            return None;
        }
        let touched = data::touched(&form, changed, edit, units, roles)?;
        let mut found = find::find_items(touched.items, form, roles)?;
        if linked::has_types(&found) || is_clojure(&found) {
            return None;
        }
        doubt_file(&mut found, self.is_clojure);
        for end in &mut self.ends[first..] {
            *end = moved(*end, edit);
        }
        let old = TextRange::new(touched.range.start(), before_edit(touched.range.end()));
        let removed = units.beginning_in(old);
        Some(units.replace(removed, found, edit))
    }
}

/// A document after an edit, with the units before it.
struct Edited<'a, 't> {
    root: &'a Element<'t>,
    /// The ends of the top-level forms.
    ends: &'a [TextSize],
    edit: &'a TextEdit,
    units: &'a Units,
    /// Finds the units in a range whose ends are those of top-level forms.
    find_in: &'a dyn Fn(TextRange) -> Vec<PlacedUnit>,
}

impl<'t> Edited<'_, 't> {
    /// Links the units that were `found` in the `new` forms, which replace those at `old`. The units of later forms that
    /// depend on what changed are found again: `found` and `removed` are extended up to the last of these.
    fn link(
        &self,
        links: &mut Links,
        old: Range<usize>,
        new: Vec<Form<'t>>,
        found: &mut Vec<PlacedUnit>,
        removed: &mut Range<usize>,
    ) {
        let first = old.start;
        let depending = links.replace(old, &new, found, Some(self.edit));
        let form_at = |index: usize| Forms::in_range(self.root, stretch(self.ends, index)).next();
        links.link(&mut (first..).zip(new), &form_at, found);
        let stretches = depending.iter().map(|it| stretch(self.ends, *it));
        let stretches: Vec<_> = stretches.collect();
        let again = stretches.iter().flat_map(|it| (self.find_in)(*it));
        let mut again: Vec<_> = again.collect();
        let mut forms = depending.iter().filter_map(|&it| Some((it, form_at(it)?)));
        links.link(&mut forms, &form_at, &mut again);
        let mut again = again.into_iter().peekable();
        let before_edit = |offset: TextSize| moved_back(offset, self.edit);
        for range in stretches {
            let mut again: Vec<_> =
                iter::from_fn(|| again.next_if(|it| it.start < range.end())).collect();
            let old = TextRange::new(before_edit(range.start()), before_edit(range.end()));
            let old = self.units.beginning_in(old);
            let units = self.units.as_slice();
            let between = &units[removed.end..old.start];
            found.extend(between.iter().map(|it| it.moved(self.edit)));
            keep_same(&mut again, &units[old.clone()]);
            found.append(&mut again);
            removed.end = old.end;
        }
    }
}

/// From the end of the previous form to the end of the one at `index`.
fn stretch(ends: &[TextSize], index: usize) -> TextRange {
    TextRange::new(start_of(ends, index), ends[index])
}

/// The end of the form before the one at `index`.
fn start_of(ends: &[TextSize], index: usize) -> TextSize {
    let previous = index.checked_sub(1).map(|previous| ends[previous]);
    previous.unwrap_or_default()
}

/// Reuses the `old` units that equal `new` ones.
fn keep_same(new: &mut [PlacedUnit], old: &[PlacedUnit]) {
    for new in new {
        if let Some(old) = old.iter().find(|old| old.unit == new.unit) {
            new.unit = Arc::clone(&old.unit);
        }
    }
}
