//! The bindings of a document by their names, for those who look up many.

use super::{
    Binder, Bindings, BoundAt, Names, What,
    table::{Scope, Table, around, find_last_ends},
};
use crate::{
    host::elixir::{
        flow::expr::{Expr, Parameter},
        owners::hash,
    },
    order,
    text::TextSize,
};

/// What [`Names::at`] and [`Names::function`] answer, in less time: they look at each binding before a place.
pub struct Index<'n> {
    names: &'n Names,
    variables: ByName<'n>,
    attributes: ByName<'n>,
    /// By the name and the number of arguments.
    functions: Table,
    /// The calls of the functions of each name.
    calls: Table,
}

/// The bindings of one kind.
struct ByName<'n> {
    bindings: &'n Bindings,
    /// Where each of them begins.
    starts: Vec<TextSize>,
    names: Table,
    barriers: Vec<Scope>,
    /// The clauses by where they end.
    clauses: Table,
}

impl<'n> Index<'n> {
    /// The index of `names`.
    pub fn new(names: &'n Names) -> Self {
        let mut functions = Vec::with_capacity(names.functions.len());
        let all = names.functions.iter().enumerate();
        for (index, ([_, start, end, ..], function)) in all {
            let (least, most) = function.arity;
            for arity in least..=most {
                let hash = hash(&function.name, arity);
                functions.push(Scope::new(hash, index, (start, end)));
            }
        }
        order::by_start(&mut functions, |it| it.start);
        let mut calls = Vec::with_capacity(names.calls.len());
        for (index, ([at, _], call)) in names.calls.iter().enumerate() {
            calls.push(Scope::new(hash(&call.function, 0), index, (at, at)));
        }
        Self {
            names,
            variables: ByName::new(&names.variables),
            attributes: ByName::new(&names.attributes),
            functions: Table::new(&functions),
            calls: Table::new(&calls),
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
        let mut clauses = self.clauses(name, arity, place);
        match (clauses.next(), clauses.next()) {
            (Some(only), None) => self.names.returned(only),
            _ => None,
        }
    }

    /// What the callers of the function that is defined at `place` give for a parameter of it; `None` where not all of
    /// them can be seen.
    pub fn given(
        &self,
        parameter: &Parameter,
        place: TextSize,
    ) -> Option<Vec<(&'n Expr, TextSize)>> {
        let clauses = self.clauses(&parameter.function, parameter.arity, place);
        let scope = self.names.scope_of_private(clauses)?;
        let calls = self.calls.of(hash(&parameter.function, 0));
        let calls = calls.iter().map(Scope::index);
        self.names.given_by(calls, parameter, scope)
    }

    /// The indices of the clauses of the function that a call with this name and so many arguments at `place` calls.
    fn clauses(&self, name: &str, arity: usize, place: TextSize) -> impl Iterator<Item = usize> {
        let scopes = self.functions.of(hash(name, arity));
        let before = scopes.partition_point(|it| it.start <= place);
        let indices = around(&scopes[..before], place).map(Scope::index);
        indices.filter(move |index| {
            let it = self.names.functions.item(*index);
            it.name == name && it.takes(arity)
        })
    }
}

impl<'n> ByName<'n> {
    fn new(bindings: &'n Bindings) -> Self {
        let len = bindings.len();
        let (mut starts, mut names) = (Vec::with_capacity(len), Vec::with_capacity(len));
        let (mut barriers, mut clauses) = (Vec::new(), Vec::new());
        for (index, ([first, start, end, _], what)) in bindings.iter().enumerate() {
            starts.push(first);
            let (scopes, hash) = match what {
                What::Name(name, _) => (&mut names, hash(name, 0)),
                What::Barrier => (&mut barriers, 0),
                What::Clause => (&mut clauses, end.into()),
            };
            scopes.push(Scope::new(hash, index, (start, end)));
        }
        find_last_ends(&mut barriers);
        Self {
            bindings,
            starts,
            names: Table::new(&names),
            barriers,
            clauses: Table::new(&clauses),
        }
    }

    fn at(&self, name: &str, place: TextSize) -> Option<BoundAt<'n>> {
        let seen = self.starts.partition_point(|start| *start <= place);
        let nearest = |scopes: &[Scope], is_meant: &dyn Fn(usize) -> bool| {
            let before = scopes.partition_point(|it| it.index() < seen);
            let mut around = around(&scopes[..before], place);
            let found = around.find(|it| !self.is_ended(it, place, seen) && is_meant(it.index()));
            found.map(Scope::index)
        };
        let is_named = |index: usize| {
            let what = self.bindings.item(index);
            matches!(what, What::Name(it, _) if it == name)
        };
        let index = nearest(self.names.of(hash(name, 0)), &is_named)?;
        if nearest(&self.barriers, &|_| true).is_some_and(|barrier| barrier > index) {
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
        let clauses = self.clauses.of(scope.end.into());
        let next = clauses.partition_point(|it| it.index() <= scope.index());
        // A clause takes effect where it begins.
        place < scope.end && clauses.get(next).is_some_and(|it| it.index() < seen)
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
