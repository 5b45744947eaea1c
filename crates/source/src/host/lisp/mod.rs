//! Clojure and PTC-Lisp: signatures in maps and metadata, and the use of tools in programs.
//!
//! A unit is a map with a signature or a prompt, a definition with a signature in its metadata, or a top-level form
//! whose [`Program`] can be checked. Forms that `#_` or `(comment …)` discards are ignored.

mod call;
mod code;
mod data;
mod definitions;
pub mod expr;
mod find;
pub mod forms;
mod function;
mod kept;
mod lexer;
mod linked;
mod placed;
mod program;
mod scope;
mod stretches;
#[cfg(test)]
mod tests;
mod uses;
mod waiting;

pub(super) use code::is_name_part;
pub use function::{Arity, Function, Local, Parameter};
pub use kept::KeptCode;
pub use lexer::Lisp;
pub use placed::{ChangedPrograms, PlacedPrograms};
pub use program::{Program, ProgramLiteral};
pub use stretches::Stretches;
pub use uses::{
    Arguments, CallStyle, NamedArgument, Namespace, Namespaces, Reference, Return, ToolCall,
};

use std::{iter, ops::Range, sync::Arc};

use rowan::{GreenNode, GreenNodeData};

use crate::{
    host::{
        HAS_SMALL_STEPS, PlacedUnit, Role, RolesIn, Unit, UnitChange,
        evidence::Evidence,
        lisp::{
            forms::{Form, Forms, Items},
            linked::Links,
        },
        token_tree::{self, Element},
        units::{Units, moved, moved_back},
    },
    parallel,
    syntax::{reparse::Reparsed, room::make_room},
    text::{Text, TextEdit, TextRange, TextSize},
};

/// The units of a whole Lisp text that is one program, in the order of their starts.
pub fn units(text: &str, roles: RolesIn<'_>) -> Vec<PlacedUnit> {
    let tree = token_tree::parse::<Lisp>(text);
    let root = root(&tree);
    let mut units = find::find(Items::new(root.elements()), roles);
    if linked::has_types(&units) && linked::defines(&root) {
        linked::link(&Forms::all(&root), &mut units);
    }
    units
}

/// Adds the earlier definitions to the programs of a whole text, if there are types to pass.
fn link(root: &Element<'_>, units: &mut Vec<PlacedUnit>) -> Option<Links> {
    linked::has_types(units).then(|| linked::link(&Forms::all(root), units))
}

/// The units of a snippet in any Lisp: a program only counts if it calls tools like no other language does, or if
/// something around it counts.
pub fn snippet_units(text: &str, roles: RolesIn<'_>) -> Vec<PlacedUnit> {
    let mut units = units(text, roles);
    doubt(&mut units);
    units
}

/// Programs that may also be code in another Lisp count only if something else in the document does.
fn doubt(units: &mut [PlacedUnit]) {
    doubt_where(units, &|it| !it.calls_by_name());
}

/// The same for a whole file: without an `ns` form, only calls with arguments that tools do not take are uncertain.
fn doubt_file(units: &mut [PlacedUnit], has_ns: bool) {
    match has_ns {
        true => doubt(units),
        false => doubt_where(units, &Program::only_calls_otherwise),
    }
}

/// Doubts the units that only have a program which `is_doubtful`.
fn doubt_where(units: &mut [PlacedUnit], is_doubtful: &(dyn Fn(&Program) -> bool + Sync)) {
    let doubtful = parallel::flags(units.len(), &|at| {
        let unit = &units[at].unit;
        unit.sites.is_empty() && is_doubtful(&unit.program)
    });
    // Equal units that follow one another stay one.
    let mut last: Option<(Arc<Unit>, Arc<Unit>)> = None;
    for (placed, _) in units.iter_mut().zip(doubtful).filter(|(_, it)| *it) {
        if let Some((certain, doubted)) = &last
            && Arc::ptr_eq(certain, &placed.unit)
        {
            placed.unit = Arc::clone(doubted);
            continue;
        }
        let is_shared = Arc::strong_count(&placed.unit) > 1;
        let certain = is_shared.then(|| Arc::clone(&placed.unit));
        Arc::make_mut(&mut placed.unit).evidence = Evidence::Possible;
        last = certain.map(|it| (it, Arc::clone(&placed.unit)));
    }
}

/// Whether an `ns` form shows that the code is Clojure.
fn is_clojure(units: &[PlacedUnit]) -> bool {
    let is_named = |at: usize| units[at].unit.program.namespaces.is_named;
    parallel::flags(units.len(), &is_named).contains(&true)
}

/// The program of `text`, which is all of it, and where the texts of signatures in it are.
///
/// The value of its last form is returned too, if that is a literal.
pub fn program(text: &str, roles: RolesIn<'_>) -> (Program, Vec<TextRange>) {
    let tree = token_tree::parse::<Lisp>(text);
    let mut program = Program::default();
    let mut signatures = Vec::new();
    let items = Items::new(root(&tree).elements());
    find::find_each(items, roles, 0, &mut |units, _| {
        for placed in units {
            make_room(&mut program.calls, placed.start.into(), text.len());
            program.add_uses(&placed.unit.program, placed.start);
            let sites = placed.unit.sites.iter();
            let signed = sites.filter(|it| matches!(it.role, Role::Signature | Role::Tool));
            signatures.extend(signed.map(|it| it.content + placed.start));
        }
        true
    });
    let root = root(&tree);
    program.code = vec![KeptCode::of_all(&root)];
    if let Some(last) = Forms::of(&root).last().filter(|it| it.is_literal()) {
        program.returns.make_mut().push(Return {
            range: last.range,
            value: Some(last.range),
        });
    }
    (program, signatures)
}

fn root(tree: &GreenNodeData) -> Element<'_> {
    Element::node(tree, TextSize::from(0))
}

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
        if HAS_SMALL_STEPS
            && !did_suspend
            && !self.suspends
            && let Some(change) = self.edit_data(&green, range, edit, units, roles)
        {
            self.tree = green;
            return Some(change);
        }
        let root = root(&green);
        let before_edit = |offset: TextSize| moved_back(offset, edit);

        let first = self.ends.partition_point(|end| *end <= range.start());
        let start = start_of(&self.ends, first);
        let mut new_forms = Vec::new();
        let mut met = None;
        for form in forms_in(&root, TextRange::new(start, green.text_len())) {
            let end = form.range.end();
            new_forms.push(form);
            if range.end() <= end {
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
        self.tree = green;
        Some(units.replace(removed, found, edit))
    }
}

impl Document {
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
        let form = forms_in(&root, TextRange::new(start, green.text_len())).next()?;
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
        let form_at = |index: usize| forms_in(self.root, stretch(self.ends, index)).next();
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

/// The top-level forms in `range`, which begins after one.
fn forms_in<'t>(root: &Element<'t>, range: TextRange) -> Forms<'t> {
    Forms::new(root.elements_in(range))
}
