//! Resolves names: variables and module attributes that are bound to a string, to tools or to an agent.
//!
//! An index of all bindings of a document, not an interpreter. Where a name may have been bound to
//! anything else in between (by a pattern, a clause, an expression), it stands for nothing here.

mod calls;
mod index;

pub use calls::parameters;
pub use index::Index;

use std::{convert::identity, iter, sync::Arc};

use crate::{
    host::{
        HAS_SMALL_STEPS,
        evidence::{self, Evidence},
        moving::{Keyed, Moving},
        object::Literal,
        token_tree::{Element, Kept, Kind},
        units::moved,
    },
    text::{TextEdit, TextRange, TextSize},
};

use calls::Call;

use super::{
    contract::{items, options},
    flow::{
        expr::Expr,
        pattern::Pattern,
        reader::{LONGEST_LIST, Reader},
    },
    literal::{literal, only_string, text_of},
    lookup::{self, EVERYWHERE, Touched},
    tools,
};

/// The attributes that Elixir itself gives a meaning.
const RESERVED: [&str; 8] = [
    "doc",
    "moduledoc",
    "typedoc",
    "spec",
    "type",
    "typep",
    "opaque",
    "impl",
];

/// The words that begin the definition of a function, which sees no variables around it.
const DEFINITIONS: [&str; 4] = ["def", "defp", "defmacro", "defmacrop"];

/// The name of what the clauses of a block are matched with; no variable has it.
const SUBJECT: &str = " ";

/// The first argument of a function that is written with `&`.
pub const CAPTURED: &str = "&1";

/// The bindings of a document, in the order of the text.
#[derive(Debug, Clone, Default)]
pub struct Names {
    variables: Bindings,
    attributes: Bindings,
    /// Where a clause of a function begins, the block in which it can be called, and its body.
    functions: Moving<Function, 5>,
    /// What the statements in the bodies of functions return.
    bodies: Bindings,
    /// Where the name of each call begins, and where what it gives is counted from.
    calls: Moving<Call, 2>,
}

/// Makes of a value what a pattern is matched with.
pub(super) type Drawn = fn(Arc<Expr>) -> Arc<Expr>;

/// Where the statement of each begins, where the binding takes effect and where its block ends, and where its value
/// begins.
type Bindings = Moving<What, 4>;

/// A clause of a function.
#[derive(Debug, Clone)]
struct Function {
    name: String,
    /// How many arguments it takes at least and at most.
    arity: (usize, usize),
    /// Whether only its module sees it.
    is_private: bool,
    body: Body,
}

/// Where a function can be called.
fn scope([_, start, end, ..]: [TextSize; 5]) -> TextRange {
    match HAS_SMALL_STEPS {
        true => TextRange::new(start, end.max(start)),
        false => EVERYWHERE,
    }
}

/// The same after `edit`.
fn scope_after(place: [TextSize; 5], edit: &TextEdit) -> TextRange {
    scope(place.map(|it| moved(it, edit)))
}

/// What a function returns.
#[derive(Debug, Clone)]
enum Body {
    /// What is after `do:`.
    Value(Option<Box<Bound>>),
    /// The last statement of its block.
    Block,
}

/// What a name is bound to: a string, a map of tools, or what makes a tool or an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// What it is, counted from where it begins.
    elements: Vec<Kept>,
    /// How sure it is that it is a signature.
    pub signature: Option<Evidence>,
    /// Whether it reads as a prompt.
    pub is_prompt: bool,
    /// The expression of agents and steps that it is, counted from where it begins.
    flow: Option<Arc<Expr>>,
}

/// What a name is bound to and where that begins.
#[derive(Debug, Clone, Copy)]
pub struct BoundAt<'n> {
    /// What it is.
    pub bound: &'n Bound,
    /// Where it begins.
    pub start: TextSize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    /// A name and what it is bound to, if that is of interest.
    Name(String, Option<Box<Bound>>),
    /// The beginning of a clause (`… ->`), where the clause before it in the same block ends.
    Clause,
    /// Nothing outside is seen from here.
    Barrier,
}

impl Bound {
    /// Keeps `value`, if it is of interest.
    fn of(value: &[Element<'_>], reader: Reader<'_>) -> Option<Box<Self>> {
        let start = value.first()?.range.start();
        let text = only_string(value).map(|string| text_of(&string));
        let flow = match text {
            Some(_) => None,
            None => reader.whole(value),
        };
        let is_group = |it: &Element<'_>| matches!(it.kind, Kind::Braces | Kind::Parens);
        let is_kept = flow.is_some()
            || value.last().is_some_and(is_group)
            || tools::is_function(value)
            || matches!(value, [list] if is_options(list));
        if text.is_none() && !is_kept {
            return None;
        }
        Some(Box::new(Self {
            elements: value.iter().map(|it| Kept::new(it, start)).collect(),
            signature: text.as_deref().and_then(evidence::of_signature),
            is_prompt: text.as_deref().is_some_and(evidence::is_prompt),
            flow: flow.map(|it| Arc::new(it.rebased(start))),
        }))
    }

    /// What a pattern binds a name to: a part of the value that begins at `start`.
    fn part(expr: &Expr, start: TextSize) -> Box<Self> {
        Box::new(Self {
            elements: Vec::new(),
            signature: None,
            is_prompt: false,
            flow: Some(Arc::new(expr.rebased(start))),
        })
    }

    /// The expression of agents and steps that it is, counted from where it begins.
    pub fn flow(&self) -> Option<&Expr> {
        self.flow.as_deref()
    }
}

impl BoundAt<'_> {
    /// Where it is.
    pub fn range(&self) -> TextRange {
        let last = self.value().last().map(|it| it.range);
        last.map_or(TextRange::empty(self.start), |last| {
            TextRange::new(self.start, last.end())
        })
    }

    /// The elements that it is.
    pub fn value(&self) -> Vec<Element<'_>> {
        let elements = self.bound.elements.iter();
        elements.map(|it| it.element(self.start)).collect()
    }

    /// The string that it is.
    pub fn literal(&self) -> Option<Literal> {
        only_string(&self.value()).map(|string| literal(&string))
    }
}

/// What binds a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Binder {
    /// A variable.
    Variable,
    /// A module attribute, without its sign.
    Attribute,
    /// A call of a function of the same module without arguments.
    Function,
}

/// The key of what hides names.
const WALL: u64 = 0;

/// The key of the bindings of `name`.
fn name_key(name: &str) -> u64 {
    lookup::key(Binder::Variable, name)
}

/// What is known of the statement that binds names.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// Reads its expressions.
    pub reader: Reader<'a>,
    /// The block that it is in.
    pub block: TextRange,
    /// Whether the block is the body of a function.
    pub is_body: bool,
}

impl Names {
    /// Adds what the statement of `elements` binds. Before an arrow it is the head of a clause.
    pub fn add_statement(&mut self, elements: &[Element<'_>], around: Around<'_>, is_head: bool) {
        let (Some(first), Some(last)) = (elements.first(), elements.last()) else {
            return;
        };
        let start = first.range.start();
        let end = last.range.end();
        let block_end = around.block.end();
        if around.is_body {
            let what = What::Name(String::new(), Bound::of(elements, around.reader));
            self.bodies.push([start, start, end, start], what);
        }
        let reader = around.reader;
        let mut add = |scope: TextRange, (value, what)| {
            let place = [start, scope.start(), scope.end(), value];
            self.variables.push(place, what);
        };
        let statement = TextRange::new(start, end);
        let rest = TextRange::new(end, block_end.max(end));
        if is_head {
            let clause = TextRange::new(start, rest.end());
            add(clause, (start, What::Clause));
            let pattern = (
                Pattern::of(first_argument(elements), &subject(start)),
                start,
            );
            symbols(elements, &mut |name| {
                add(clause, (start, bound_by(Some(&pattern), name)));
            });
            return;
        }
        match elements {
            _ if is_definition(elements) => {
                add(statement, (start, What::Barrier));
                for (pattern, given) in parameters(elements) {
                    let bound = (Pattern::of(&pattern, &given), start);
                    symbols(&pattern, &mut |name| {
                        add(statement, (start, bound_by(Some(&bound), name)));
                    });
                }
                if let Some((place, function)) = function(elements, start, around) {
                    self.functions.push(place, function);
                }
            }
            [word, ..] if word.text() == "defmodule" => {
                let place = [start, statement.start(), statement.end(), start];
                self.attributes.push(place, What::Barrier);
            }
            [sign, name, value @ ..] if sign.text() == "@" => {
                let name = name.text();
                if value.is_empty() || RESERVED.contains(&name) {
                    return;
                }
                let (at, what) = bound_to(name, value, start, reader);
                let place = [start, rest.start(), rest.end(), at];
                self.attributes.push(place, what);
            }
            [name, equals, value @ ..] if name.kind == Kind::Symbol && equals.text() == "=" => {
                add(rest, bound_to(name.text(), value, start, reader));
                let value_end = last_operator(value, "=");
                symbols(&value[..value_end], &mut |name| {
                    add(rest, (start, What::Name(name.to_owned(), None)));
                });
            }
            _ => matches(elements, ("=", identity), reader, &mut |what| {
                add(rest, what)
            }),
        }
        match elements.iter().position(is_clauses_word) {
            Some(word) => {
                for clause in elements[word + 1..].split(|it| it.kind == Kind::Comma) {
                    let Some(last) = clause.last() else {
                        continue;
                    };
                    let value_end = match last.kind {
                        Kind::DoBlock => last.range.start(),
                        _ => last.range.end(),
                    };
                    let scope = TextRange::new(value_end, end);
                    let drawn = drawn_by(&elements[word]);
                    matches(clause, ("<-", drawn), reader, &mut |what| add(scope, what));
                    matches(clause, ("=", identity), reader, &mut |what| {
                        add(scope, what)
                    });
                }
            }
            None => {
                let generators = &elements[..last_operator(elements, "<-")];
                symbols(generators, &mut |name| {
                    add(statement, (start, What::Name(name.to_owned(), None)));
                });
            }
        }
    }

    /// Adds what the clauses in `block` are matched with.
    pub fn add_subject(&mut self, block: TextRange, subject: Option<&Expr>) {
        let value = subject.map_or(block.start(), |it| it.start().min(block.start()));
        let bound = subject.map(|it| Bound::part(it, value));
        // It ends before the block does, as no clause ends it.
        let end = block.end().checked_sub(TextSize::from(1));
        let end = end.map_or(block.end(), |it| it.max(block.start()));
        let place = [block.start(), block.start(), end, value];
        let what = What::Name(SUBJECT.to_owned(), bound);
        self.variables.push(place, what);
    }

    /// Adds what the function that `capture` is, written with `&`, is given.
    pub fn add_capture(&mut self, capture: TextRange, given: &Expr) {
        let value = given.start().min(capture.start());
        let place = [capture.start(), capture.start(), capture.end(), value];
        let bound = Bound::part(given, value);
        let what = What::Name(CAPTURED.to_owned(), Some(bound));
        self.variables.push(place, what);
    }

    /// Whether a block that begins at `start` is the body of a function.
    pub fn is_body(&self, start: TextSize) -> bool {
        // It begins after the name of its function, and no other function begins in between.
        let before = self.functions.before(start);
        let mut nearest = self.functions.slice(before.saturating_sub(1)..before);
        nearest.any(|([.., block, _], it)| block == start && matches!(it.body, Body::Block))
    }

    /// The body of the function around `place`.
    pub fn body_around(&self, place: TextSize) -> Option<TextRange> {
        let before = self.functions.before(place);
        let mut nearest = self.functions.slice(before.saturating_sub(1)..before);
        let ([.., first, end], _) = nearest.next()?;
        Some(TextRange::new(first, end)).filter(|it| it.contains(place))
    }

    /// What the function returns that has this name and takes so many arguments, where it can be called at `place`.
    pub fn function(&self, name: &str, arity: usize, place: TextSize) -> Option<BoundAt<'_>> {
        let mut clauses = self.clauses(name, arity, place);
        match (clauses.next()?, clauses.next()) {
            (only, None) => self.returned(only),
            _ => None,
        }
    }

    /// The indices of the clauses of the function that a call with this name and so many arguments at `place` calls.
    fn clauses(&self, name: &str, arity: usize, place: TextSize) -> impl Iterator<Item = usize> {
        let key = lookup::key(Binder::Function, name);
        let named = self.functions.keyed(key, 0..self.functions.len());
        named.filter(move |&index| {
            let [_, first, end, ..] = self.functions.place(index);
            let it = self.functions.item(index);
            first <= place && place < end && it.takes(arity) && it.name == name
        })
    }

    /// What the clause of a function at `index` returns.
    fn returned(&self, index: usize) -> Option<BoundAt<'_>> {
        let [.., first, end] = self.functions.place(index);
        let only = self.functions.item(index);
        if let Body::Value(bound) = &only.body {
            let bound = bound.as_ref()?;
            return Some(BoundAt {
                bound,
                start: first,
            });
        }
        let last = self.bodies.before(end).checked_sub(1)?;
        let ([start, .., value], what) = self.bodies.slice(last..last + 1).next()?;
        match what {
            What::Name(_, Some(bound)) if (first..end).contains(&start) => Some(BoundAt {
                bound,
                start: value,
            }),
            _ => None,
        }
    }

    /// Adds the bindings of other statements; see [`Self::sort`].
    pub fn append(&mut self, other: Self) {
        self.variables.append(other.variables);
        self.attributes.append(other.attributes);
        self.functions.append(other.functions);
        self.bodies.append(other.bodies);
        self.calls.append(other.calls);
    }

    /// Puts the bindings in the order of the text.
    pub fn sort(&mut self) {
        self.variables.sort();
        self.attributes.sort();
        self.functions.sort();
        self.bodies.sort();
        self.calls.sort();
    }

    /// Puts `new`, the bindings of the statements that `edit` touched, in the place of those in `old`. Returns the names
    /// that may stand for something else now.
    pub fn replace(&mut self, old: TextRange, new: Names, edit: &TextEdit) -> Touched {
        let variables = self.variables.beginning_in(old);
        let attributes = self.attributes.beginning_in(old);
        let functions = self.functions.beginning_in(old);
        let bodies = self.bodies.beginning_in(old);
        let calls = self.calls.beginning_in(old);
        let new_end = moved(old.end(), edit);
        let inserted = TextSize::of(edit.insert.as_str());
        let before_edit = |end: TextSize| end + edit.range.len() - inserted;

        let mut touched = Touched::default();
        let mut clauses = [Vec::new(), Vec::new()];
        let mut is_rebound = false;
        for (binder, range, old_list, new_list) in [
            (
                Binder::Variable,
                &variables,
                &self.variables,
                &new.variables,
            ),
            (
                Binder::Attribute,
                &attributes,
                &self.attributes,
                &new.attributes,
            ),
        ] {
            let (before, after) = changed(old_list.slice(range.clone()), new_list.iter(), edit);
            let before = before.into_iter();
            let before = before.map(|([_, _, end, _], what)| (0, moved(end, edit), what));
            let after = after.into_iter();
            let after = after.map(|([_, _, end, _], what)| (1, end, what));
            // Behind the next binding in the same block, that one is meant. It begins before the block ends.
            let until = |name: &str, end: TextSize| {
                let last = old_list.before(before_edit(end)).max(range.end);
                let later = old_list.keyed(name_key(name), range.end..last);
                let mut later = later.map(|index| (old_list.place(index), old_list.item(index)));
                let next = later.find(|([.., it, _], what)| {
                    moved(*it, edit) == end && matches!(what, What::Name(it, _) if it == name)
                });
                next.map_or(end, |([_, first, ..], _)| moved(first, edit))
            };
            for (side, end, what) in before.chain(after) {
                is_rebound |= matches!(what, What::Name(_, Some(_)));
                match what {
                    _ if end <= new_end => {}
                    What::Name(name, _) => {
                        let range = TextRange::new(old.start(), until(name, end));
                        touched.add_in(binder, name, range);
                    }
                    What::Clause => clauses[side].push(end),
                    What::Barrier => {}
                }
            }
        }
        if clauses[0] != clauses[1] {
            // A clause hides what is bound before it in the same block.
            let one = TextSize::from(1);
            for end in clauses.iter().flatten().map(|it| before_edit(*it)) {
                for (_, (place, what)) in self
                    .variables
                    .around(TextRange::new(end - one, end), (1, 2))
                {
                    if let What::Name(name, _) = what
                        && place[2] == end
                    {
                        touched.add(Binder::Variable, name);
                    }
                }
            }
        }
        let same_functions = same(
            self.functions.slice(functions.clone()),
            new.functions.iter(),
            edit,
            |[_, first, end, ..], it| (first, end, it.says()),
        );
        let same_bodies = same(
            self.bodies.slice(bodies.clone()),
            new.bodies.iter(),
            edit,
            |_, it| it.says(),
        );
        let within = |inner: &([TextSize; 5], &Function)| {
            let ([.., first, end], function) = *inner;
            first < old.start() && old.start() < end && matches!(function.body, Body::Block)
        };
        let before = TextRange::new(old.start(), old.start());
        let around = self.functions.around(before, (3, 4)).map(|(_, it)| it);
        let around: Vec<_> = around.filter(within).collect();
        if let Some(([.., first, end], _)) = around.last() {
            touched.block = Some(TextRange::new(*first, moved(*end, edit)));
        }
        let is_bound = is_rebound || touched.is_any();
        if !(same_functions && same_bodies) || is_bound {
            let before = self.functions.slice(functions.clone());
            let before = before.chain(around.iter().copied());
            let before = before.map(|(place, it)| (scope_after(place, edit), it));
            let after = new.functions.iter().map(|(place, it)| (scope(place), it));
            for (scope, function) in before.chain(after) {
                touched.add_in(Binder::Function, &function.name, scope);
            }
        }

        let same_calls = same(
            self.calls.slice(calls.clone()),
            new.calls.iter(),
            edit,
            |_, it| it.says(),
        );
        if !same_calls || is_bound {
            let block = around
                .last()
                .map(|([.., first, end], _)| TextRange::new(*first, *end));
            let body = block.filter(|_| is_bound);
            let body = body.map_or(calls.clone(), |it| self.calls.beginning_in(it));
            let before = self
                .calls
                .items(body)
                .chain(self.calls.items(calls.clone()));
            for call in before.chain(new.calls.items(0..new.calls.len())) {
                for scope in self.scopes_around(&call.function, old.start(), edit) {
                    touched.add_calls_in(&call.function, scope);
                }
            }
        }

        self.calls.replace(calls, &new.calls, edit);
        self.variables.replace(variables, &new.variables, edit);
        self.attributes.replace(attributes, &new.attributes, edit);
        self.functions.replace(functions, &new.functions, edit);
        self.bodies.replace(bodies, &new.bodies, edit);
        touched
    }

    /// Where the functions of that name can be called that can be called at `place` before `edit`.
    fn scopes_around(
        &self,
        name: &str,
        place: TextSize,
        edit: &TextEdit,
    ) -> impl Iterator<Item = TextRange> {
        let key = lookup::key(Binder::Function, name);
        let here = TextRange::at(place, TextSize::from(1));
        let callable = self.functions.around_with_key(key, here, (1, 2));
        callable.map(|(place, _)| scope_after(place, edit))
    }

    /// What `name` stands for at `place`.
    pub fn at(&self, binder: Binder, name: &str, place: TextSize) -> Option<BoundAt<'_>> {
        let bindings = match binder {
            Binder::Variable => &self.variables,
            Binder::Attribute => &self.attributes,
            Binder::Function => return self.function(name, 0, place),
        };
        let is_around = |[_, first, end, _]: [TextSize; 4]| first <= place && place < end;
        let mut ended = Vec::new();
        let mut seen = bindings.up_to(place);
        let mut elsewhere = 0_usize;
        for index in bindings.keyed(name_key(name), 0..seen).rev() {
            let [.., end, start] = bindings.place(index);
            let is_seen = is_around(bindings.place(index));
            elsewhere += usize::from(!is_seen);
            // Most functions of a file may bind the name.
            if !is_seen && !elsewhere.is_multiple_of(MOST_ELSEWHERE) {
                continue;
            }
            for wall in bindings.keyed(WALL, index + 1..seen).rev() {
                let [.., end, _] = bindings.place(wall);
                match bindings.item(wall) {
                    _ if !is_around(bindings.place(wall)) || ended.contains(&end) => {}
                    What::Clause => ended.push(end),
                    What::Barrier => return None,
                    What::Name(..) => {}
                }
            }
            seen = index;
            if !is_seen {
                continue;
            }
            match bindings.item(index) {
                What::Name(it, bound) if it == name && !ended.contains(&end) => {
                    let bound = bound.as_ref()?;
                    return Some(BoundAt { bound, start });
                }
                _ => {}
            }
        }
        None
    }
}

/// After so many bindings of a name in other blocks, the block that ends the search is looked for.
const MOST_ELSEWHERE: usize = 16;

impl Keyed for What {
    fn keys(&self) -> impl Iterator<Item = u64> {
        iter::once(match self {
            Self::Name(name, _) => name_key(name),
            Self::Clause | Self::Barrier => WALL,
        })
    }
}

impl Keyed for Function {
    fn keys(&self) -> impl Iterator<Item = u64> {
        iter::once(lookup::key(Binder::Function, &self.name))
    }
}

impl Function {
    /// What callers see of it.
    fn says(&self) -> (&str, (usize, usize), bool, Option<&Expr>) {
        let body = match &self.body {
            Body::Value(bound) => bound.as_deref().and_then(Bound::flow),
            Body::Block => None,
        };
        (&self.name, self.arity, self.is_private, body)
    }

    fn takes(&self, arity: usize) -> bool {
        (self.arity.0..=self.arity.1).contains(&arity)
    }
}

impl What {
    fn says(&self) -> Option<&Expr> {
        match self {
            Self::Name(_, bound) => bound.as_deref().and_then(Bound::flow),
            Self::Clause | Self::Barrier => None,
        }
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

/// Whether `element` begins a statement with clauses that match patterns.
pub(super) fn is_clauses_word(element: &Element<'_>) -> bool {
    element.kind == Kind::Symbol && matches!(element.text(), "with" | "for")
}

/// What a clause with `<-` after `word` matches its pattern with: `for` takes the elements of a list.
pub(super) fn drawn_by(word: &Element<'_>) -> Drawn {
    match word.text() {
        "for" => |list| Arc::new(Expr::Element(list)),
        _ => identity,
    }
}

/// What the head of a clause matches its first argument with.
pub(super) fn first_argument<'e, 't>(head: &'e [Element<'t>]) -> &'e [Element<'t>] {
    let mut arguments = head.split(|it| it.kind == Kind::Comma);
    arguments.next().unwrap_or_default()
}

/// A pattern without the `assert` before it.
pub(super) fn asserted<'e, 't>(elements: &'e [Element<'t>]) -> &'e [Element<'t>] {
    match elements {
        [word, rest @ ..] if word.text() == "assert" => rest,
        elements => elements,
    }
}

/// Calls `found` with what the names of a pattern are bound to, which is before the last operator of that text and
/// matched with what is drawn from the value after it.
fn matches(
    elements: &[Element<'_>],
    (operator, drawn): (&str, Drawn),
    reader: Reader<'_>,
    found: &mut impl FnMut((TextSize, What)),
) {
    let at = last_operator(elements, operator);
    if at == 0 {
        return;
    }
    let value = elements.get(at + 1..).unwrap_or_default();
    let value = value.split(|it| it.kind == Kind::DoBlock).next();
    let value = value.unwrap_or_default();
    let Some(start) = elements.first().map(|it| it.range.start()) else {
        return;
    };
    let expr = reader.whole(value).map(drawn);
    let pattern = expr.map(|expr| (Pattern::of(asserted(&elements[..at]), &expr), start));
    symbols(&elements[..at], &mut |name| {
        found((start, bound_by(pattern.as_ref(), name)));
    });
}

/// Whether a statement defines a function, which sees no variables around it.
pub(super) fn is_definition(statement: &[Element<'_>]) -> bool {
    let word = statement.first();
    word.is_some_and(|word| DEFINITIONS.contains(&word.text()))
}

/// What the clauses around `at` are matched with.
pub(super) fn subject(at: TextSize) -> Arc<Expr> {
    Arc::new(Expr::Name {
        binder: Binder::Variable,
        name: SUBJECT.to_owned(),
        at,
    })
}

/// What a pattern binds `name` to, where its statement begins at that place.
fn bound_by(pattern: Option<&(Pattern<'_>, TextSize)>, name: &str) -> What {
    let bound = pattern.and_then(|(pattern, at)| Some(Bound::part(pattern.bound(name)?, *at)));
    What::Name(name.to_owned(), bound)
}

/// What `value` binds `name` to in the statement at `start`, and where that begins.
fn bound_to(
    name: &str,
    value: &[Element<'_>],
    start: TextSize,
    reader: Reader<'_>,
) -> (TextSize, What) {
    let at = value.first().map_or(start, |it| it.range.start());
    let bound = Bound::of(value, reader);
    (at, What::Name(name.to_owned(), bound))
}

/// Whether `list` may be the options of a run.
fn is_options(list: &Element<'_>) -> bool {
    list.range.len() <= LONGEST_LIST && options(list).is_some()
}

/// The clause of a function that `elements` define.
fn function(
    elements: &[Element<'_>],
    start: TextSize,
    around: Around<'_>,
) -> Option<([TextSize; 5], Function)> {
    let [word, name, rest @ ..] = elements else {
        return None;
    };
    let arity = match rest.first() {
        Some(parameters) if parameters.kind == Kind::Parens => {
            let items = items(parameters);
            let is_default = |it: &&Vec<Element<'_>>| it.iter().any(|it| it.text() == "\\\\");
            (
                items.len() - items.iter().filter(is_default).count(),
                items.len(),
            )
        }
        _ => (0, 0),
    };
    let (range, body) = match rest.last() {
        Some(block) if block.kind == Kind::DoBlock => match is_plain(block) {
            true => (block.range, Body::Block),
            false => (block.range, Body::Value(None)),
        },
        _ => {
            let at = rest.iter().position(|it| it.text() == "do:");
            let value = at.and_then(|at| rest.get(at + 1..)).unwrap_or_default();
            let at = value.first().map_or(start, |it| it.range.start());
            let bound = Bound::of(value, around.reader);
            (TextRange::empty(at), Body::Value(bound))
        }
    };
    let (scope, name) = (around.block, name.text().to_owned());
    let place = [
        start,
        scope.start(),
        scope.end(),
        range.start(),
        range.end(),
    ];
    let function = Function {
        name,
        arity,
        is_private: word.text() == "defp",
        body,
    };
    Some((place, function))
}

/// Whether a block has no `rescue` or the like, so that it returns its last statement.
fn is_plain(block: &Element<'_>) -> bool {
    let is_word = |it: Element<'_>| {
        it.kind == Kind::Symbol && matches!(it.text(), "rescue" | "catch" | "else" | "after")
    };
    !block.elements().any(is_word)
}

/// The index of the last operator of that text; 0 where there is none.
fn last_operator(elements: &[Element<'_>], text: &str) -> usize {
    let is_it = |it: &Element<'_>| it.kind == Kind::Operator && it.text() == text;
    elements.iter().rposition(is_it).unwrap_or(0)
}

/// Calls `found` with each name in `elements`, those in brackets too.
pub(super) fn symbols(elements: &[Element<'_>], found: &mut impl FnMut(&str)) {
    let mut left = elements.to_vec();
    while let Some(element) = left.pop() {
        match element.kind {
            Kind::Symbol => found(element.text()),
            kind if kind.is_group() && !kind.is_block() => left.extend(element.elements()),
            _ => {}
        }
    }
}
