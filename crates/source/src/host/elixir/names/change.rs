//! Which names may stand for something else after an edit.

use super::{
    super::lookup::{self, Touched},
    Binder, Bindings, Function, Names, What, name_key, scope, scope_after,
};
use crate::{
    host::{HAS_SMALL_STEPS, units::moved},
    text::{TextEdit, TextRange, TextSize},
};

impl Names {
    /// Puts `new`, the bindings of the statements that `edit` touched, in the place of those in `old`. Returns the names
    /// that may stand for something else now; `None` if all may.
    pub fn replace(&mut self, old: TextRange, new: Names, edit: &TextEdit) -> Option<Touched> {
        let variables = self.variables.beginning_in(old);
        let attributes = self.attributes.beginning_in(old);
        let functions = self.functions.beginning_in(old);
        let bodies = self.bodies.beginning_in(old);
        let calls = self.calls.beginning_in(old);
        let change = Change {
            before: self,
            after: &new,
            old,
            edit,
        };
        let touched = HAS_SMALL_STEPS.then(|| change.touched());

        self.calls.replace(calls, &new.calls, edit);
        self.variables.replace(variables, &new.variables, edit);
        self.attributes.replace(attributes, &new.attributes, edit);
        self.functions.replace(functions, &new.functions, edit);
        self.bodies.replace(bodies, &new.bodies, edit);
        touched
    }
}

/// The statements that an edit touches.
struct Change<'a> {
    /// All names before the edit.
    before: &'a Names,
    /// Those of the statements after it.
    after: &'a Names,
    /// The statements before it.
    old: TextRange,
    edit: &'a TextEdit,
}

/// The ends of the blocks of clauses that an edit changes, before and after it.
type Clauses = [Vec<TextSize>; 2];

impl Change<'_> {
    /// The names that may stand for something else.
    fn touched(&self) -> Touched {
        let Names {
            variables,
            attributes,
            ..
        } = self.before;
        let after = self.after;
        let mut touched = Touched::default();
        let mut clauses = Clauses::default();
        let is_rebound = [
            self.bindings(
                (Binder::Variable, variables, &after.variables),
                &mut touched,
                &mut clauses,
            ),
            self.bindings(
                (Binder::Attribute, attributes, &after.attributes),
                &mut touched,
                &mut clauses,
            ),
        ]
        .contains(&true);
        if clauses[0] != clauses[1] {
            self.hidden_by(&clauses, &mut touched);
        }
        let around = self.functions_around();
        touched.block = around
            .last()
            .map(|(place, _)| TextRange::new(place[3], moved(place[4], self.edit)));
        let is_bound = is_rebound || touched.is_any();
        self.functions(&around, is_bound, &mut touched);
        self.calls(&around, is_bound, &mut touched);
        touched
    }

    /// Adds the bindings that differ, and collects the clauses that do. Returns whether one has a value of interest.
    fn bindings(
        &self,
        (binder, before, after): (Binder, &Bindings, &Bindings),
        touched: &mut Touched,
        clauses: &mut Clauses,
    ) -> bool {
        let range = before.beginning_in(self.old);
        let (gone, new) = changed(before.slice(range.clone()), after.iter(), self.edit);
        let gone = gone.into_iter();
        let gone = gone.map(|([_, _, end, _], what)| (0, moved(end, self.edit), what));
        let new = new.into_iter();
        let new = new.map(|([_, _, end, _], what)| (1, end, what));
        let new_end = moved(self.old.end(), self.edit);
        let mut is_rebound = false;
        for (side, end, what) in gone.chain(new) {
            is_rebound |= matches!(what, What::Name(_, Some(_)));
            match what {
                _ if end <= new_end => {}
                What::Name(name, _) => {
                    let until = self.rebound(before, range.end, name, end);
                    touched.add_in(binder, name, TextRange::new(self.old.start(), until));
                }
                What::Clause => clauses[side].push(end),
                What::Barrier => {}
            }
        }
        is_rebound
    }

    /// Where `name`, bound in a block that ends at `end`, is bound again after the edit in the same block; its end if
    /// it is not. The next binding begins before the block ends.
    fn rebound(&self, bindings: &Bindings, first: usize, name: &str, end: TextSize) -> TextSize {
        let last = bindings.before(self.before_edit(end)).max(first);
        let later = bindings.keyed(name_key(name), first..last);
        let mut later = later.map(|index| (bindings.place(index), bindings.item(index)));
        let next = later.find(|([.., it, _], what)| {
            moved(*it, self.edit) == end && matches!(what, What::Name(it, _) if it == name)
        });
        next.map_or(end, |([_, first, ..], _)| moved(first, self.edit))
    }

    /// Adds the variables that a clause hides: those that are bound before it in the same block.
    fn hidden_by(&self, clauses: &Clauses, touched: &mut Touched) {
        let one = TextSize::from(1);
        for end in clauses.iter().flatten().map(|it| self.before_edit(*it)) {
            let range = TextRange::new(end - one, end);
            for (_, (place, what)) in self.before.variables.around(range, (1, 2)) {
                if let What::Name(name, _) = what
                    && place[2] == end
                {
                    touched.add(Binder::Variable, name);
                }
            }
        }
    }

    /// The clauses of functions whose blocks are around the edit, the innermost last; those that have a `rescue` or the like,
    /// too.
    fn functions_around(&self) -> Vec<Placed<'_, Function, 5>> {
        let start = self.old.start();
        let is_around = |inner: &Placed<'_, Function, 5>| {
            let ([.., first, end], _) = *inner;
            first < start && start < end
        };
        let around = self
            .before
            .functions
            .around(TextRange::empty(start), (3, 4));
        around.map(|(_, it)| it).filter(is_around).collect()
    }

    /// Adds the functions that differ, and those around the edit if they may return something else.
    fn functions(&self, around: &[Placed<'_, Function, 5>], is_bound: bool, touched: &mut Touched) {
        let Names {
            functions, bodies, ..
        } = self.before;
        let gone = functions.beginning_in(self.old);
        let has_same_functions = same(
            functions.slice(gone.clone()),
            self.after.functions.iter(),
            self.edit,
            |[_, first, end, ..], it| (first, end, it.says()),
        );
        let has_same_bodies = same(
            bodies.slice(bodies.beginning_in(self.old)),
            self.after.bodies.iter(),
            self.edit,
            |_, it| it.says(),
        );
        if has_same_functions && has_same_bodies && !is_bound {
            return;
        }
        let before = functions.slice(gone).chain(around.iter().copied());
        let before = before.map(|(place, it)| (scope_after(place, self.edit), it));
        let after = self.after.functions.iter();
        let after = after.map(|(place, it)| (scope(place), it));
        for (scope, function) in before.chain(after) {
            touched.add_in(Binder::Function, &function.name, scope);
        }
    }

    /// Adds the calls that differ, and those in the function around the edit if they may give something else.
    fn calls(&self, around: &[Placed<'_, Function, 5>], is_bound: bool, touched: &mut Touched) {
        let calls = &self.before.calls;
        let gone = calls.beginning_in(self.old);
        let is_same = same(
            calls.slice(gone.clone()),
            self.after.calls.iter(),
            self.edit,
            |_, it| it.says(),
        );
        if is_same && !is_bound {
            return;
        }
        let block = around.last().filter(|_| is_bound);
        let body = block.map(|([.., first, end], _)| TextRange::new(*first, *end));
        let body = body.map_or(gone.clone(), |it| calls.beginning_in(it));
        let before = calls.items(body).chain(calls.items(gone));
        for call in before.chain(self.after.calls.items(0..self.after.calls.len())) {
            for scope in self.scopes_around(&call.function) {
                touched.add_calls_in(&call.function, scope);
            }
        }
    }

    /// Where the functions of that name can be called that can be called at the edit.
    fn scopes_around(&self, name: &str) -> impl Iterator<Item = TextRange> {
        let key = lookup::key(Binder::Function, name);
        let here = TextRange::at(self.old.start(), TextSize::from(1));
        let functions = &self.before.functions;
        let callable = functions.around_with_key(key, here, (1, 2));
        callable.map(|(_, (place, _))| scope_after(place, self.edit))
    }

    /// The place of an end of a block before the edit.
    fn before_edit(&self, end: TextSize) -> TextSize {
        end + self.edit.range.len() - self.edit.inserted_range().len()
    }
}

/// An item with its positions.
type Placed<'a, T, const N: usize> = ([TextSize; N], &'a T);

/// The items of a stretch before and after `edit`, without those at both ends that it does not change.
fn changed<'a, T: PartialEq, const N: usize>(
    old: impl Iterator<Item = Placed<'a, T, N>>,
    new: impl Iterator<Item = Placed<'a, T, N>>,
    edit: &TextEdit,
) -> (Vec<Placed<'a, T, N>>, Vec<Placed<'a, T, N>>) {
    let (mut old, mut new): (Vec<_>, Vec<_>) = (old.collect(), new.collect());
    let is_same = |(old, new): &(&Placed<'_, T, N>, &Placed<'_, T, N>)| {
        old.0.map(|it| moved(it, edit)) == new.0 && old.1 == new.1
    };
    let head = old.iter().zip(&new).take_while(is_same).count();
    old.drain(..head);
    new.drain(..head);
    let tail = old.iter().rev().zip(new.iter().rev());
    let tail = tail.take_while(is_same).count();
    old.truncate(old.len() - tail);
    new.truncate(new.len() - tail);
    (old, new)
}

/// Whether the items of a stretch say the same after `edit` and end at the same places.
fn same<'a, T: 'a, S: PartialEq, const N: usize>(
    old: impl Iterator<Item = ([TextSize; N], &'a T)>,
    new: impl Iterator<Item = ([TextSize; N], &'a T)>,
    edit: &TextEdit,
    says: impl Fn([TextSize; N], &'a T) -> S,
) -> bool {
    let says = |place: [TextSize; N], it| (place[N - 1], says(place, it));
    let old = old.map(|(place, it)| says(place.map(|it| moved(it, edit)), it));
    old.eq(new.map(|(place, it)| says(place, it)))
}
