//! What private functions are given: a parameter is what all callers in the same module give for it.

use std::{iter, sync::Arc};

use super::{FEW, Names, is_definition};
use crate::{
    host::{
        elixir::{
            call::before_pipe,
            contract::{each_item, items},
            flow::{
                expr::{Expr, Parameter},
                reader::Reader,
            },
            lookup,
        },
        moving::Keyed,
        token_tree::{Element, Kind},
    },
    text::{TextRange, TextSize},
};

/// A parameter with more callers is not followed.
const MOST_CALLERS: usize = 16;

/// Longer pipelines are not followed from their beginning at each call.
const LONGEST_PIPE: usize = 256;

/// A call of a function of the same module, or another place that names such a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) function: String,
    /// What it gives, counted from where the first of it begins; `None` where that cannot be seen.
    given: Option<Vec<Option<Arc<Expr>>>>,
}

impl Keyed for Call {
    fn keys(&self) -> impl Iterator<Item = u64> {
        iter::once(lookup::calls_of(&self.function))
    }
}

impl Call {
    /// What can be told from it.
    pub(super) fn says(&self) -> (&str, Option<&[Option<Arc<Expr>>]>) {
        (&self.function, self.given.as_deref())
    }
}

/// The parameters of a private function that `statement` defines, each with what it is bound to.
pub fn parameters<'t>(statement: &[Element<'t>]) -> Vec<(Vec<Element<'t>>, Arc<Expr>)> {
    let [word, name, parameters, ..] = statement else {
        return Vec::new();
    };
    if word.text() != "defp" || parameters.kind() != Kind::Parens {
        return Vec::new();
    }
    let parameters = items(parameters);
    let arity = parameters.len();
    let bound = parameters.into_iter().enumerate().map(|(index, pattern)| {
        let parameter = Parameter {
            function: name.text().to_owned(),
            arity,
            index,
            at: word.range.start(),
        };
        (pattern, Arc::new(Expr::Parameter(Box::new(parameter))))
    });
    bound.collect()
}

impl Names {
    /// Adds the call at `at` of `item`, where a name of a function or its arguments begin there.
    pub fn add_call(&mut self, item: &[Element<'_>], at: usize, reader: Reader<'_>) {
        let name = &item[at];
        let before = at.checked_sub(1).map(|it| &item[it]);
        let is_ours = !before.is_some_and(|it| matches!(it.text(), "." | "@" | "%"));
        if !is_ours || is_definition(item) || defines_attribute(item) {
            return;
        }
        let piped = before.filter(|it| it.text() == "|>");
        let piped = piped.map(|_| {
            let value = before_pipe(&item[..at]).filter(|it| it.len() <= LONGEST_PIPE)?;
            reader.whole(value)
        });
        let given = match item.get(at + 1) {
            Some(next) if next.kind() == Kind::Parens && touch(name, next) => {
                let mut given: Vec<_> = piped.into_iter().collect();
                each_item(next, &mut |item| given.push(reader.whole(item)));
                Some(given)
            }
            Some(next) if begins_argument(next) => None,
            _ if piped.is_some() => Some(piped.into_iter().collect()),
            _ => return,
        };
        if given.as_ref().is_none_or(|it| !it.is_empty()) {
            self.push_call(name, given);
        }
    }

    /// Adds the function that `&` at `at` of `item` makes a value, and that is given `element`.
    pub fn add_captured(&mut self, item: &[Element<'_>], at: usize, element: Option<&Arc<Expr>>) {
        let [name, slash, arity, ..] = &item[at + 1..] else {
            return;
        };
        if name.kind() != Kind::Symbol || slash.text() != "/" {
            return;
        }
        let given = match (at, arity.text(), element) {
            (0, "1", Some(element)) => Some(vec![Some(Arc::clone(element))]),
            _ => None,
        };
        self.push_call(name, given);
    }

    fn push_call(&mut self, name: &Element<'_>, given: Option<Vec<Option<Arc<Expr>>>>) {
        let at = name.range.start();
        let known = given.iter().flatten().flatten();
        let base = known.fold(at, |start, it| start.min(it.start()));
        let on = |it: Option<Arc<Expr>>| it.map(|it| Arc::new(it.rebased(base)));
        let call = Call {
            function: name.text().to_owned(),
            given: given.map(|all| all.into_iter().map(on).collect()),
        };
        self.calls.push_alike([at, base], call, FEW);
    }

    /// What the callers of the function that is defined at `place` give for a parameter of it; `None` where not all of
    /// them can be seen.
    pub fn given(&self, parameter: &Parameter, place: TextSize) -> Option<Vec<(&Expr, TextSize)>> {
        let clauses = self.clauses(&parameter.function, parameter.arity, place);
        let scope = self.scope_of_private(clauses)?;
        let key = lookup::calls_of(&parameter.function);
        let calls = self.calls.keyed(key, self.calls.beginning_in(scope));
        self.given_by(calls, parameter, scope)
    }

    /// The block that sees the function of these clauses, where nothing outside of it does.
    pub(super) fn scope_of_private(
        &self,
        clauses: impl Iterator<Item = usize>,
    ) -> Option<TextRange> {
        let mut scope: Option<TextRange> = None;
        for index in clauses {
            let [_, first, end, ..] = self.functions.place(index);
            let function = self.functions.item(index);
            let is_alone = function.arity.0 == function.arity.1;
            let here = TextRange::new(first, end);
            if !function.is_private || !is_alone || scope.is_some_and(|it| it != here) {
                return None;
            }
            scope = Some(here);
        }
        scope
    }

    /// What the calls at these indices give for `parameter`, apart from those outside of `scope`.
    pub(super) fn given_by(
        &self,
        calls: impl Iterator<Item = usize>,
        parameter: &Parameter,
        scope: TextRange,
    ) -> Option<Vec<(&Expr, TextSize)>> {
        let mut all = Vec::new();
        for index in calls {
            let [at, base] = self.calls.place(index);
            let call = self.calls.item(index);
            if call.function != parameter.function || !scope.contains(at) {
                continue;
            }
            let given = call.given.as_ref()?;
            if given.len() == parameter.arity {
                all.push((&**given[parameter.index].as_ref()?, base));
            }
            if all.len() > MOST_CALLERS {
                return None;
            }
        }
        Some(all)
    }
}

/// Whether an item is an attribute with its value, such as `@spec`, and not an expression that begins with one.
fn defines_attribute(item: &[Element<'_>]) -> bool {
    let [at, name, value, ..] = item else {
        return false;
    };
    at.text() == "@" && !touch(name, value) && begins_argument(value)
}

/// Whether an argument of a call without parentheses may begin with `element`.
fn begins_argument(element: &Element<'_>) -> bool {
    match element.kind() {
        Kind::Symbol => !matches!(
            element.text(),
            "and"
                | "or"
                | "in"
                | "not"
                | "when"
                | "do"
                | "end"
                | "else"
                | "after"
                | "rescue"
                | "catch"
        ),
        Kind::Operator => matches!(element.text(), "%" | "@" | "&"),
        Kind::DoBlock | Kind::Comma => false,
        _ => true,
    }
}

fn touch(before: &Element<'_>, after: &Element<'_>) -> bool {
    before.range.end() == after.range.start()
}
