//! The definitions in a long program that is read once, and the forms that refer to them.

use foldhash::{HashMap, HashSet};

use super::{
    forms::{Form, Forms},
    kept::has_definition,
    linked::{Adding, Definers, MOST_DEFINERS, Name, before, has_types, is_typed_in, numbers},
    scope,
};
use crate::{
    host::{PlacedUnit, token_tree::Element},
    order, parallel,
    text::{TextRange, TextSize},
};

/// The names that forms define, and the forms that define one of them or refer to it.
#[derive(Default)]
pub(super) struct Definitions {
    numbers: HashMap<Name, u32>,
    /// In the order of the text.
    forms: Vec<Linked>,
    /// The names of these forms: those that each defines, then those that it refers to.
    names: Vec<u32>,
    /// Each name with the forms that define it, ascending.
    definers: Vec<(u32, u32)>,
    has_types: bool,
}

/// A form that defines a name or refers to one.
struct Linked {
    range: TextRange,
    /// Where its names end.
    end: u32,
    /// Where those to which it refers begin.
    refers: u32,
    is_typed: bool,
}

impl Definitions {
    /// The names that are defined in a text with the tree `root`. `None` if there are none.
    pub(super) fn of(root: &Element<'_>) -> Option<Self> {
        let mut definitions = Self::default();
        let defining = |it: &Form<'_>| it.element.as_node().is_some_and(has_definition);
        for form in Forms::of(root).filter(defining) {
            for name in numbers(scope::Names::of(&form).defined) {
                let number = small(definitions.numbers.len());
                definitions.numbers.entry(name).or_insert(number);
            }
        }
        (!definitions.numbers.is_empty()).then_some(definitions)
    }

    /// Adds `forms`, which follow those before, with their `units`.
    pub(super) fn add(&mut self, forms: &[Form<'_>], units: &[PlacedUnit]) {
        self.has_types |= has_types(units);
        let names = parallel::map(forms, |form| {
            let names = scope::Names::of(form);
            [names.defined, names.free].map(numbers)
        });
        for (form, [defines, refers]) in forms.iter().zip(names) {
            let first = self.names.len();
            let known = |it: &Name| self.numbers.get(it).copied();
            self.names.extend(defines.iter().filter_map(known));
            let defined = self.names.len();
            self.names.extend(refers.iter().filter_map(known));
            if self.names.len() == first {
                continue;
            }
            let index = small(self.forms.len());
            let defines = self.names[first..defined].iter();
            self.definers.extend(defines.map(|it| (*it, index)));
            self.forms.push(Linked {
                range: form.range,
                end: small(self.names.len()),
                refers: small(defined),
                is_typed: is_typed_in(form, units),
            });
        }
    }

    /// Ends the forms.
    pub(super) fn finish(&mut self) {
        order::by_number(&mut self.definers, |(name, _)| *name);
    }

    /// Adds to the programs in `units` of the forms in `range` of `root` the definitions that they refer to. Forms
    /// `without` any refer to too many.
    pub(super) fn link(
        &self,
        root: &Element<'_>,
        range: TextRange,
        units: &mut Vec<PlacedUnit>,
        without: &mut HashSet<usize>,
    ) {
        let begins_before = |place: TextSize| {
            let is_before = |it: &Linked| it.range.start() < place;
            self.forms.partition_point(is_before)
        };
        let form_at = |index: usize| Forms::in_range(root, self.forms[index].range).next();
        let facts = |index: usize| {
            let form = &self.forms[index];
            (form.is_typed, form.range.len())
        };
        let definers = |index: usize| self.definers(index);
        let mut adding = Adding::default();
        for index in begins_before(range.start())..begins_before(range.end()) {
            if !self.has_types || self.refers(index).is_empty() {
                continue;
            }
            let before = before(index, &facts, &definers, without);
            match before.and_then(|it| Some((it, form_at(index)?))) {
                Some((before, form)) => adding.add(&form, &before, &form_at, units),
                None => {
                    without.insert(index);
                }
            }
        }
        adding.finish(units);
    }

    /// The names to which a form refers.
    fn refers(&self, index: usize) -> &[u32] {
        let form = &self.forms[index];
        &self.names[form.refers as usize..form.end as usize]
    }

    /// The forms before the one at `index` that define a name to which it refers.
    fn definers(&self, index: usize) -> Definers<'_> {
        let of_name = move |name: u32| {
            let first = self.definers.partition_point(|it| *it < (name, 0));
            let end = self
                .definers
                .partition_point(|it| *it < (name, small(index)));
            let definers = self.definers[first..end].iter().rev();
            definers.take(MOST_DEFINERS).map(|it| it.1 as usize)
        };
        Box::new(self.refers(index).iter().flat_map(move |it| of_name(*it)))
    }
}

/// A number as a shorter one: there are no more names and forms than bytes in a text.
pub(super) fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
