//! The bindings of a document by their names, for those who look up many.

use std::ops::Range;

use foldhash::HashMap;

use super::{Binder, Bindings, BoundAt, Names, What};
use crate::host::elixir::flow::expr::{Expr, Parameter};
use crate::{order, parallel, text::TextSize};

/// The number of bindings that one thread reads; so few in tests that these join several lists.
const STRETCH: usize = if cfg!(test) { 4 } else { 4096 };

/// What [`Names::at`] and [`Names::function`] answer, in less time: they look at each binding before a place.
pub struct Index<'n> {
    names: &'n Names,
    variables: ByName<'n>,
    attributes: ByName<'n>,
    /// By the name and the number of arguments.
    functions: HashMap<(&'n str, usize), Scopes>,
    /// The indices of the calls of the functions of each name.
    calls: HashMap<&'n str, Vec<usize>>,
}

/// The bindings of one kind.
struct ByName<'n> {
    bindings: &'n Bindings,
    /// Where each of them begins.
    starts: Vec<TextSize>,
    names: HashMap<&'n str, Scopes>,
    barriers: Scopes,
    /// The indices of the clauses by where they end.
    clauses: HashMap<TextSize, Vec<usize>>,
}

/// Bindings in the order in which they take effect or are written.
#[derive(Default)]
struct Scopes(Vec<Scope>);

struct Scope {
    index: usize,
    start: TextSize,
    end: TextSize,
    /// Where the last of those up to this one ends.
    last_end: TextSize,
}

impl<'n> Index<'n> {
    /// The index of `names`.
    pub fn new(names: &'n Names) -> Self {
        let mut functions: HashMap<_, Scopes> = HashMap::default();
        let all = names.functions.iter().enumerate();
        for (index, ([_, start, end, ..], function)) in all {
            let (least, most) = function.arity;
            for arity in least..=most {
                let scopes = functions.entry((&*function.name, arity)).or_default();
                scopes.0.push(Scope::new(index, start, end));
            }
        }
        for scopes in functions.values_mut() {
            order::by_start(&mut scopes.0, |it| it.start);
            scopes.find_last_ends();
        }
        let mut calls: HashMap<_, Vec<_>> = HashMap::default();
        for (index, (_, call)) in names.calls.iter().enumerate() {
            calls.entry(&*call.function).or_default().push(index);
        }
        Self {
            names,
            calls,
            variables: ByName::new(&names.variables),
            attributes: ByName::new(&names.attributes),
            functions,
        }
    }

    /// What `name` stands for at `place`.
    pub fn at(&self, binder: Binder, name: &str, place: TextSize) -> Option<BoundAt<'n>> {
        match binder {
            Binder::Variable => self.variables.at(name, place),
            Binder::Attribute => self.attributes.at(name, place),
            Binder::Function => self.function(name, 0, place),
        }
    }

    /// What the function returns that has this name and takes so many arguments, where it can be called at `place`.
    pub fn function(&self, name: &str, arity: usize, place: TextSize) -> Option<BoundAt<'n>> {
        let scopes = self.functions.get(&(name, arity))?;
        let before = scopes.0.partition_point(|it| it.start <= place);
        let mut clauses = scopes.around(before, place);
        match (clauses.next(), clauses.next()) {
            (Some(only), None) => self.names.returned(only.index),
            _ => None,
        }
    }
}

impl<'n> Index<'n> {
    /// What the callers of the function that is defined at `place` give for a parameter of it; `None` where not all of
    /// them can be seen.
    pub fn given(
        &self,
        parameter: &Parameter,
        place: TextSize,
    ) -> Option<Vec<(&'n Expr, TextSize)>> {
        let scopes = self
            .functions
            .get(&(&parameter.function, parameter.arity))?;
        let before = scopes.0.partition_point(|it| it.start <= place);
        let clauses = scopes.around(before, place).map(|it| it.index);
        let scope = self.names.scope_of_private(clauses)?;
        let calls = self.calls.get(&*parameter.function)?;
        self.names.given_by(calls.iter().copied(), parameter, scope)
    }
}

impl<'n> ByName<'n> {
    fn new(bindings: &'n Bindings) -> Self {
        let all = 0..bindings.len();
        let stretches: Vec<_> = { all.clone().step_by(STRETCH) }
            .map(|first| first..all.end.min(first + STRETCH))
            .collect();
        let stretches = parallel::map_long(&stretches, |it| Self::of_stretch(bindings, it.clone()));
        let mut by_name = Self::empty(bindings);
        for stretch in stretches {
            by_name.append(stretch);
        }
        for scopes in by_name.names.values_mut() {
            scopes.find_last_ends();
        }
        by_name.barriers.find_last_ends();
        by_name
    }

    fn empty(bindings: &'n Bindings) -> Self {
        Self {
            bindings,
            starts: Vec::new(),
            names: HashMap::default(),
            barriers: Scopes::default(),
            clauses: HashMap::default(),
        }
    }

    /// The bindings at some indices, without [`Scope::last_end`].
    fn of_stretch(bindings: &'n Bindings, stretch: Range<usize>) -> Self {
        let mut by_name = Self::empty(bindings);
        let items = stretch.clone().zip(bindings.slice(stretch));
        for (index, ([first, start, end, _], what)) in items {
            by_name.starts.push(first);
            let scopes = match what {
                What::Name(name, _) => by_name.names.entry(name).or_default(),
                What::Barrier => &mut by_name.barriers,
                What::Clause => {
                    by_name.clauses.entry(end).or_default().push(index);
                    continue;
                }
            };
            scopes.0.push(Scope::new(index, start, end));
        }
        by_name
    }

    /// Adds later bindings.
    fn append(&mut self, later: Self) {
        self.starts.extend(later.starts);
        for (name, scopes) in later.names {
            self.names.entry(name).or_default().0.extend(scopes.0);
        }
        self.barriers.0.extend(later.barriers.0);
        for (end, clauses) in later.clauses {
            self.clauses.entry(end).or_default().extend(clauses);
        }
    }

    fn at(&self, name: &str, place: TextSize) -> Option<BoundAt<'n>> {
        let seen = self.starts.partition_point(|start| *start <= place);
        let is_seen = |it: &&Scope| !self.is_ended(it, place, seen);
        let nearest = |scopes: &Scopes| {
            let before = scopes.0.partition_point(|it| it.index < seen);
            scopes
                .around(before, place)
                .find(is_seen)
                .map(|it| it.index)
        };
        let index = nearest(self.names.get(name)?)?;
        if nearest(&self.barriers).is_some_and(|barrier| barrier > index) {
            return None;
        }
        match self.bindings.item(index) {
            What::Name(_, bound) => Some(BoundAt {
                bound: bound.as_ref()?,
                start: self.bindings.place(index)[3],
            }),
            What::Clause | What::Barrier => None,
        }
    }

    /// Whether a clause among the first `seen` bindings ends what is in the same block before it.
    fn is_ended(&self, scope: &Scope, place: TextSize, seen: usize) -> bool {
        let Some(clauses) = self.clauses.get(&scope.end) else {
            return false;
        };
        let from = clauses.partition_point(|&it| it <= scope.index);
        let until = clauses.partition_point(|&it| it < seen);
        // A clause takes effect where it begins.
        place < scope.end && from < until
    }
}

impl Scopes {
    fn find_last_ends(&mut self) {
        let mut last = TextSize::default();
        for scope in &mut self.0 {
            last = last.max(scope.end);
            scope.last_end = last;
        }
    }

    /// Those among the first `count` that contain `place`, the last one first.
    fn around(&self, count: usize, place: TextSize) -> impl Iterator<Item = &Scope> {
        let before = self.0[..count].iter().rev();
        let before = before.take_while(move |it| place < it.last_end);
        before.filter(move |it| it.start <= place && place < it.end)
    }
}

impl Scope {
    fn new(index: usize, start: TextSize, end: TextSize) -> Self {
        Self {
            index,
            start,
            end,
            last_end: end,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        super::{Body, Bound, Function},
        *,
    };

    const NAMES: [&str; 3] = ["a", "b", "c"];

    /// Where something is, of what kind it is, its name, and whether it has a value.
    type Raw = ([u32; 3], u8, usize, bool);

    fn raw() -> impl Strategy<Value = Vec<Raw>> {
        let one = (
            [0..40_u32, 0..40, 0..40],
            0..9_u8,
            0..3_usize,
            any::<bool>(),
        );
        proptest::collection::vec(one, 0..30)
    }

    fn bound(is_bound: bool) -> Option<Box<Bound>> {
        is_bound.then(|| {
            Box::new(Bound {
                elements: Box::default(),
                signature: None,
                is_prompt: false,
                flow: None,
                text: crate::later::Later::default(),
            })
        })
    }

    fn names(variables: Vec<Raw>, functions: Vec<Raw>) -> Names {
        let mut names = Names::default();
        // Its value is in a place of its own, so that each can be told from the others.
        for (value, (place, kind, name, is_bound)) in (100..).zip(variables) {
            let [one, other, end] = place;
            let what = match kind {
                0 | 1 => What::Clause,
                2 => What::Barrier,
                _ => What::Name(NAMES[name].to_owned(), bound(is_bound)),
            };
            let (start, first) = match what {
                What::Clause => (one, one),
                _ => (one.min(other), one.max(other)),
            };
            let place = [start, first, end, value];
            names.variables.push(place.map(TextSize::from), what);
        }
        for (value, ([start, first, end], arity, name, is_bound)) in (200..).zip(functions) {
            let arity = usize::from(arity);
            let function = Function {
                name: NAMES[name].to_owned(),
                arity: (arity / 3, arity / 3 + arity % 3),
                is_private: false,
                body: Body::Value(bound(is_bound)),
            };
            let place = [start, first, end, value, value];
            names.functions.push(place.map(TextSize::from), function);
        }
        names.sort();
        names
    }

    proptest! {
        #[test]
        fn the_index_answers_as_the_list_does(variables in raw(), functions in raw()) {
            let names = names(variables, functions);
            let index = Index::new(&names);
            let start = |found: Option<BoundAt<'_>>| found.map(|it| it.start);
            for place in (0..42).map(TextSize::from) {
                for name in NAMES {
                    prop_assert_eq!(
                        start(index.at(Binder::Variable, name, place)),
                        start(names.at(Binder::Variable, name, place)),
                        "{} at {:?}", name, place
                    );
                    for arity in 0..6 {
                        prop_assert_eq!(
                            start(index.function(name, arity, place)),
                            start(names.function(name, arity, place)),
                            "{}/{} at {:?}", name, arity, place
                        );
                    }
                }
            }
        }
    }
}
