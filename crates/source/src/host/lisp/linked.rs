//! Definitions, and the later forms that refer to them.

use std::{hash::BuildHasher, ops::Range, sync::Arc};

use foldhash::{HashMap, HashSet, quality::FixedState};

use super::{
    forms::{Form, Forms},
    kept::KeptCode,
    program::Program,
    scope,
};
use crate::{
    cancel,
    counts::Counts,
    host::{
        Notation, PlacedUnit, Unit,
        moving::{Keyed, Moving},
        token_tree::Element,
    },
    order, parallel,
    text::{TextEdit, TextSize},
};

/// The start of the places of definitions outside of the unit: after everything in it.
const ELSEWHERE: TextSize = TextSize::new(1 << 31);

/// The maximum number of definitions for one form.
const MAX_BEFORE: usize = 64;

/// With so many definitions of one name, a form has none of them. The last ones come first, as one of them may be without
/// any itself.
pub(super) const MOST_DEFINERS: usize = MAX_BEFORE + 1;

/// The maximum length of these definitions together.
const MAX_BEFORE_LEN: TextSize = TextSize::new(16 * 1024);

/// With more forms than this to link, the definitions of all names are collected first.
const FEW: usize = 16;

/// A name as an even number. A collision only costs superfluous work.
pub type Name = u64;

/// The names in the top-level forms of a program, in the order of the text.
#[derive(Debug, Clone, Default)]
pub struct Links {
    /// The start of each.
    forms: Moving<Names, 1>,
    /// The number of forms that define a name.
    defined: Counts<Name>,
    /// The number of forms that refer to it.
    referred: Counts<Name>,
}

/// The names in a top-level form.
#[derive(Debug, Clone)]
struct Names {
    /// In ascending order.
    defines: Box<[Name]>,
    /// Those that it does not bind itself, in ascending order.
    refers: Box<[Name]>,
    /// Whether it has types of its own: those of a tool or of a signature.
    is_typed: bool,
    len: TextSize,
}

impl Keyed for Names {
    fn keys(&self) -> impl Iterator<Item = u64> {
        let defined = self.defines.iter().map(|it| as_defined(*it));
        defined.chain(self.refers.iter().map(|it| as_referred(*it)))
    }
}

/// The key of the forms that define a name.
fn as_defined(name: Name) -> u64 {
    name
}

/// The key of the forms that refer to a name.
fn as_referred(name: Name) -> u64 {
    name | 1
}

/// Whether there are types that definitions can pass from form to form.
pub fn has_types(units: &[PlacedUnit]) -> bool {
    units.iter().any(is_typed)
}

/// Whether there are such types in `form`, which `units` are of.
pub(super) fn is_typed_in(form: &Form<'_>, units: &[PlacedUnit]) -> bool {
    let first = units.partition_point(|it| it.start < form.range.start());
    let inside = &units[first..];
    has_types(&inside[..inside.partition_point(|it| it.start < form.range.end())])
}

fn is_typed(placed: &PlacedUnit) -> bool {
    let program = &placed.unit.program;
    !program.calls.is_empty() || program.function.is_some()
}

/// Whether a form of a program defines a name for other forms.
pub(super) fn defines(root: &Element<'_>) -> bool {
    Forms::of(root).any(|it| !scope::Names::of(&it).defined.is_empty())
}

/// Adds to the programs in `units` the definitions in `forms` before them that they refer to.
pub fn link(forms: &[Form<'_>], units: &mut Vec<PlacedUnit>) -> Links {
    let mut links = Links::default();
    links.replace(0..0, forms, units, None);
    let mut all = forms.iter().copied().enumerate();
    links.link(&mut all, &|index| forms.get(index).copied(), units);
    links
}

impl Links {
    /// Replaces the forms at `old` by `forms` with their `units`, and moves the others by `edit`; without one, these are
    /// all forms. Returns the later forms that depend on what changed.
    pub fn replace(
        &mut self,
        old: Range<usize>,
        forms: &[Form<'_>],
        units: &[PlacedUnit],
        edit: Option<&TextEdit>,
    ) -> Vec<usize> {
        let names = parallel::map(forms, |form| Names::of(form, units));
        let following = old.start + names.len();
        for it in &names {
            self.defined.extend(it.defines.iter().copied());
            self.referred.extend(it.refers.iter().copied());
        }
        let mut touched = Vec::new();
        if edit.is_some() {
            touched.extend(names.iter().flat_map(|it| &it.defines).copied());
        }
        for it in self.forms.items(old.clone()) {
            self.defined.remove_all(&it.defines);
            self.referred.remove_all(&it.refers);
            touched.extend(&it.defines);
        }
        let starts = forms.iter().map(|form| [form.range.start()]);
        let new: Moving<_, 1> = starts.zip(names).collect();
        let Some(edit) = edit else {
            self.forms = new;
            return Vec::new();
        };
        self.forms.replace(old, &new, edit);
        self.depending(following, touched)
    }

    /// The forms from `first` on that refer to names in `touched`, or to a definition that does. Those that do so only
    /// through more than [`MAX_BEFORE`] definitions have none of them before and after the edit.
    fn depending(&self, first: usize, touched: Vec<Name>) -> Vec<usize> {
        let mut depending = HashSet::default();
        let mut followed = HashMap::default();
        let mut reached: Vec<_> = touched.into_iter().map(|name| (name, first)).collect();
        for _ in 0..=MAX_BEFORE {
            for (name, first) in std::mem::take(&mut reached) {
                cancel::check();
                let known = followed.entry(name).or_insert(usize::MAX);
                if *known <= first || !self.referred.contains(&name) {
                    continue;
                }
                *known = first;
                for index in self.forms.keyed(as_referred(name), first..self.forms.len()) {
                    if depending.insert(index) {
                        let defines = self.forms.item(index).defines.iter();
                        reached.extend(defines.map(|it| (*it, index + 1)));
                    }
                }
            }
        }
        sorted(depending)
    }

    /// Adds to the programs in `units` of the `forms` at these indices the definitions that they refer to. A form that
    /// only refers to some becomes a unit. `form_at` returns any form of the document.
    pub fn link<'t>(
        &self,
        forms: &mut dyn Iterator<Item = (usize, Form<'t>)>,
        form_at: &dyn Fn(usize) -> Option<Form<'t>>,
        units: &mut Vec<PlacedUnit>,
    ) {
        let refers = |index: usize| {
            let mut names = self.forms.item(index).refers.iter();
            names.any(|it| self.defined.contains(it))
        };
        let forms: Vec<_> = forms.filter(|(index, _)| refers(*index)).collect();
        let all = (forms.len() > FEW).then(|| self.definers());
        let definers = &|name: Name, end: usize| -> Vec<usize> {
            let Some(all) = &all else {
                let definers = self.forms.keyed(as_defined(name), 0..end);
                return definers.rev().take(MOST_DEFINERS).collect();
            };
            let definers = all.get(&name).map_or(&[][..], Vec::as_slice);
            let before = &definers[..definers.partition_point(|it| *it < end)];
            before.iter().rev().take(MOST_DEFINERS).copied().collect()
        };
        let definers_of = |index: usize| -> Definers<'_> {
            let refers = self.forms.item(index).refers.iter();
            let defined = refers.filter(|it| self.defined.contains(it));
            Box::new(defined.flat_map(move |it| definers(*it, index)))
        };
        let facts = |index: usize| {
            let form = self.forms.item(index);
            (form.is_typed, form.len)
        };
        let mut without = HashSet::default();
        let mut adding = Adding::default();
        for (index, form) in forms {
            cancel::check();
            let Some(before) = before(index, &facts, &definers_of, &without) else {
                without.insert(index);
                continue;
            };
            adding.add(&form, &before, form_at, units);
        }
        adding.finish(units);
    }

    /// The forms that define each name.
    fn definers(&self) -> HashMap<Name, Vec<usize>> {
        let mut definers: HashMap<_, Vec<_>> = HashMap::default();
        for (index, (_, form)) in self.forms.iter().enumerate() {
            for name in &form.defines {
                definers.entry(*name).or_default().push(index);
            }
        }
        definers
    }
}

/// The forms before one that define a name to which it refers, of each name the last ones first.
pub(super) type Definers<'a> = Box<dyn Iterator<Item = usize> + 'a>;

/// The definitions that the form at `index` refers to, and those before them that these refer to; none if no type
/// is known in any of them. `None` if there are too many, as for those `without` any. `facts` tells of a form whether it
/// has types of its own, and its length.
pub(super) fn before<'a>(
    index: usize,
    facts: &dyn Fn(usize) -> (bool, TextSize),
    definers: &dyn Fn(usize) -> Definers<'a>,
    without: &HashSet<usize>,
) -> Option<Vec<usize>> {
    let mut before = HashSet::default();
    let (mut is_typed, _) = facts(index);
    let mut len = TextSize::default();
    let mut left = vec![index];
    while let Some(index) = left.pop() {
        for definer in definers(index) {
            if !before.insert(definer) {
                continue;
            }
            let (has_types, own_len) = facts(definer);
            is_typed |= has_types;
            len += own_len;
            let is_too_long = before.len() > MAX_BEFORE || len > MAX_BEFORE_LEN;
            if is_too_long || without.contains(&definer) {
                return None;
            }
            left.push(definer);
        }
    }
    Some(match is_typed {
        true => sorted(before),
        false => Vec::new(),
    })
}

/// Adds definitions to the programs of forms.
#[derive(Default)]
pub(super) struct Adding {
    /// Those that were read so far, by the index of the form.
    definitions: HashMap<usize, Option<Arc<KeptCode>>>,
    /// The units of forms that had none.
    added: Vec<PlacedUnit>,
}

impl Adding {
    /// Adds the definitions in the forms at the indices `before` to the program of `form`, which is one of `units`.
    pub(super) fn add<'t>(
        &mut self,
        form: &Form<'_>,
        before: &[usize],
        form_at: &dyn Fn(usize) -> Option<Form<'t>>,
        units: &mut [PlacedUnit],
    ) {
        let before = before.iter().filter_map(|it| {
            let read = || form_at(*it).map(|it| definition(&it));
            self.definitions.entry(*it).or_insert_with(read).clone()
        });
        let before: Vec<_> = before.collect();
        if before.is_empty() {
            return;
        }
        let start = form.range.start();
        let first = units.partition_point(|it| it.start < start);
        let mut same = units[first..].iter_mut().take_while(|it| it.start == start);
        match same.find(|it| !it.unit.program.code.is_empty()) {
            Some(placed) => {
                let unit = Arc::make_mut(&mut placed.unit);
                unit.program.make_mut().before = before.into();
            }
            None => self.added.push(unit(form, before)),
        }
    }

    /// Adds the units of forms that had none.
    pub(super) fn finish(mut self, units: &mut Vec<PlacedUnit>) {
        if !self.added.is_empty() {
            units.append(&mut self.added);
            order::by_start(units, |it| it.start);
        }
    }
}

fn sorted(indices: HashSet<usize>) -> Vec<usize> {
    let mut indices: Vec<_> = indices.into_iter().collect();
    indices.sort_unstable();
    indices
}

impl Names {
    fn of(form: &Form<'_>, units: &[PlacedUnit]) -> Self {
        let names = scope::Names::of(form);
        Self {
            defines: numbers(names.defined),
            refers: numbers(names.free),
            is_typed: is_typed_in(form, units),
            len: form.range.len(),
        }
    }
}

/// A definition for programs elsewhere.
fn definition(form: &Form<'_>) -> Arc<KeptCode> {
    let code = KeptCode::of(form, form.range.start(), &[]);
    Arc::new(code.moved_by(ELSEWHERE))
}

fn unit(form: &Form<'_>, before: Vec<Arc<KeptCode>>) -> PlacedUnit {
    let program = Program {
        code: vec![KeptCode::of(form, form.range.start(), &[])],
        before: before.into(),
        ..Program::default()
    };
    let unit = Unit {
        len: form.range.len(),
        notation: Notation::Lisp,
        program: program.into(),
        ..Unit::default()
    };
    PlacedUnit::new(form.range.start(), unit)
}

/// The numbers of `names`, in ascending order and without repetition.
pub fn numbers(names: Vec<&str>) -> Box<[Name]> {
    let mut numbers: Vec<_> = names.into_iter().map(number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    // To shrink a list takes longer than to copy a short one.
    Box::from(&*numbers)
}

fn number(name: &str) -> Name {
    FixedState::default().hash_one(name) & !1
}
