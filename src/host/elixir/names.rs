//! What names stand for: variables and module attributes that are bound to a string, to tools or to an agent.
//!
//! An index of all bindings of a document, not an interpreter. Where a name may have been bound to
//! anything else in between (by a pattern, a clause, an expression), it stands for nothing here.

use std::sync::Arc;

use crate::{
    host::{
        evidence::{self, Evidence},
        object::Literal,
        token_tree::{Element, Kept, Kind},
        units::moved,
    },
    text::{TextEdit, TextRange, TextSize},
};

use super::{
    contract::items,
    flow::{
        expr::{Expr, Reader},
        pattern::Pattern,
    },
    literal::{literal, only_string, text_of},
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

/// The bindings of a document, in the order of the text.
#[derive(Debug, Clone, Default)]
pub struct Names {
    variables: Vec<Binding>,
    attributes: Vec<Binding>,
    functions: Vec<Function>,
    /// What the statements in the bodies of functions come to.
    bodies: Vec<Binding>,
}

/// A clause of a function.
#[derive(Debug, Clone)]
struct Function {
    /// Where its statement begins.
    start: TextSize,
    name: String,
    /// How many arguments it takes at least and at most.
    arity: (usize, usize),
    /// The block that it is in, in which it can be called.
    scope: TextRange,
    body: Body,
}

/// What a function comes to.
#[derive(Debug, Clone)]
enum Body {
    /// What is after `do:`.
    Value(Option<Bound>),
    /// The last statement of this block.
    Block(TextRange),
}

/// What a name is bound to: a string, a map of tools, or what makes a tool or an agent.
#[derive(Debug, Clone)]
pub struct Bound {
    start: TextSize,
    elements: Vec<Kept>,
    /// How sure it is that it is a signature.
    pub signature: Option<Evidence>,
    /// Whether it reads as a prompt.
    pub is_prompt: bool,
    /// The expression of agents and steps that it is, counted from where it begins.
    flow: Option<Arc<Expr>>,
}

#[derive(Debug, Clone)]
struct Binding {
    /// Where its statement begins.
    start: TextSize,
    /// Where it takes effect, and where its block ends.
    scope: TextRange,
    what: What,
}

#[derive(Debug, Clone)]
enum What {
    /// A name and what it is bound to, if that is of interest.
    Name(String, Option<Bound>),
    /// The beginning of a clause (`… ->`), where the clause before it in the same block ends.
    Clause,
    /// Nothing outside is seen from here.
    Barrier,
}

impl Bound {
    /// Keeps `value`, if it is of interest.
    fn of(value: &[Element<'_>], reader: Reader<'_>) -> Option<Self> {
        let start = value.first()?.range.start();
        let text = only_string(value).map(|string| text_of(&string));
        let flow = match text {
            Some(_) => None,
            None => reader.whole(value),
        };
        let is_group = |it: &Element<'_>| matches!(it.kind, Kind::Braces | Kind::Parens);
        if text.is_none() && flow.is_none() && !value.last().is_some_and(is_group) {
            return None;
        }
        Some(Self {
            start,
            elements: value.iter().map(|it| Kept::new(it, start)).collect(),
            signature: text.as_deref().and_then(evidence::of_signature),
            is_prompt: text.as_deref().is_some_and(evidence::is_prompt),
            flow: flow.map(|it| Arc::new(it.rebased(start))),
        })
    }

    /// What a pattern binds a name to: a part of the value that begins at `start`.
    fn part(expr: &Expr, start: TextSize) -> Self {
        Self {
            start,
            elements: Vec::new(),
            signature: None,
            is_prompt: false,
            flow: Some(Arc::new(expr.rebased(start))),
        }
    }

    /// The expression of agents and steps that it is, counted from where it begins.
    pub fn flow(&self) -> Option<&Expr> {
        self.flow.as_deref()
    }

    /// Where it begins.
    pub fn start(&self) -> TextSize {
        self.start
    }

    /// Where it is.
    pub fn range(&self) -> TextRange {
        let last = self.value().last().map(|it| it.range);
        last.map_or(TextRange::empty(self.start), |last| {
            TextRange::new(self.start, last.end())
        })
    }

    /// The elements that it is.
    pub fn value(&self) -> Vec<Element<'_>> {
        let elements = self.elements.iter();
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
            self.bodies.push(Binding {
                start,
                scope: TextRange::new(start, end),
                what: What::Name(String::new(), Bound::of(elements, around.reader)),
            });
        }
        let reader = around.reader;
        let mut add = |scope, what| self.variables.push(Binding { start, scope, what });
        let statement = TextRange::new(start, end);
        let rest = TextRange::new(end, block_end.max(end));
        if is_head {
            let clause = TextRange::new(start, rest.end());
            add(clause, What::Clause);
            let pattern = (Pattern::of(elements, &subject(start)), start);
            symbols(elements, &mut |name| {
                add(clause, bound_by(Some(&pattern), name))
            });
            return;
        }
        match elements {
            [_, rest @ ..] if is_definition(elements) => {
                add(statement, What::Barrier);
                self.functions.extend(function(rest, start, around));
            }
            [word, ..] if word.text() == "defmodule" => self.attributes.push(Binding {
                start,
                scope: statement,
                what: What::Barrier,
            }),
            [sign, name, value @ ..] if sign.text() == "@" => {
                let name = name.text();
                if value.is_empty() || RESERVED.contains(&name) {
                    return;
                }
                let what = What::Name(name.to_owned(), Bound::of(value, reader));
                self.attributes.push(Binding {
                    start,
                    scope: rest,
                    what,
                });
            }
            [name, equals, value @ ..] if name.kind == Kind::Symbol && equals.text() == "=" => {
                add(
                    rest,
                    What::Name(name.text().to_owned(), Bound::of(value, reader)),
                );
                let value_end = last_operator(value, "=");
                symbols(&value[..value_end], &mut |name| {
                    add(rest, What::Name(name.to_owned(), None));
                });
            }
            _ => matches(elements, "=", reader, &mut |what| add(rest, what)),
        }
        match elements.iter().position(|it| it.text() == "with") {
            Some(with) => {
                for clause in elements[with + 1..].split(|it| it.kind == Kind::Comma) {
                    let Some(last) = clause.last() else {
                        continue;
                    };
                    let value_end = match last.kind {
                        Kind::DoBlock => last.range.start(),
                        _ => last.range.end(),
                    };
                    let scope = TextRange::new(value_end, end);
                    matches(clause, "<-", reader, &mut |what| add(scope, what));
                    matches(clause, "=", reader, &mut |what| add(scope, what));
                }
            }
            None => {
                let generators = &elements[..last_operator(elements, "<-")];
                symbols(generators, &mut |name| {
                    add(statement, What::Name(name.to_owned(), None));
                });
            }
        }
    }

    /// Adds what the clauses in `block` are matched with.
    pub fn add_subject(&mut self, block: TextRange, subject: Option<&Expr>) {
        let bound = subject.map(|it| Bound::part(it, it.start()));
        // It ends before the block does, as no clause ends it.
        let end = block.end().checked_sub(TextSize::from(1));
        let end = end.map_or(block.end(), |it| it.max(block.start()));
        self.variables.push(Binding {
            start: block.start(),
            scope: TextRange::new(block.start(), end),
            what: What::Name(SUBJECT.to_owned(), bound),
        });
    }

    /// Whether a block that begins at `start` is the body of a function.
    pub fn is_body(&self, start: TextSize) -> bool {
        let is_it = |it: &Function| matches!(it.body, Body::Block(block) if block.start() == start);
        self.functions.iter().any(is_it)
    }

    /// What the function comes to that has this name and takes so many arguments, where it can be called at `place`.
    pub fn function(&self, name: &str, arity: usize, place: TextSize) -> Option<&Bound> {
        let is_meant = |it: &&Function| {
            let (least, most) = it.arity;
            it.name == name && (least..=most).contains(&arity) && it.scope.contains(place)
        };
        let mut clauses = self.functions.iter().filter(is_meant);
        let (only, None) = (clauses.next()?, clauses.next()) else {
            return None;
        };
        let block = match &only.body {
            Body::Value(bound) => return bound.as_ref(),
            Body::Block(block) => block,
        };
        let end = self.bodies.partition_point(|it| it.start < block.end());
        let last = self.bodies[..end].last()?;
        match &last.what {
            What::Name(_, bound) if block.contains(last.start) => bound.as_ref(),
            _ => None,
        }
    }

    /// Puts the bindings in the order of the text.
    pub fn sort(&mut self) {
        self.variables.sort_by_key(|it| it.start);
        self.attributes.sort_by_key(|it| it.start);
        self.functions.sort_by_key(|it| it.start);
        self.bodies.sort_by_key(|it| it.start);
    }

    /// Puts `new`, the bindings of the statements that `edit` touched, in the place of those in `old`. Returns whether
    /// functions come to something else.
    pub fn replace(&mut self, old: TextRange, new: Names, edit: &TextEdit) -> bool {
        let functions = between(&self.functions, old).iter().map(Function::says);
        let bodies = between(&self.bodies, old).iter().map(Binding::says);
        let is_same = functions.eq(new.functions.iter().map(Function::says))
            && bodies.eq(new.bodies.iter().map(Binding::says));
        replace(&mut self.variables, old, new.variables, edit);
        replace(&mut self.attributes, old, new.attributes, edit);
        replace(&mut self.functions, old, new.functions, edit);
        replace(&mut self.bodies, old, new.bodies, edit);
        !is_same
    }

    /// What `name` stands for at `place`.
    pub fn at(&self, binder: Binder, name: &str, place: TextSize) -> Option<&Bound> {
        let bindings = match binder {
            Binder::Variable => &self.variables,
            Binder::Attribute => &self.attributes,
            Binder::Function => return self.function(name, 0, place),
        };
        let before = bindings.partition_point(|it| it.start <= place);
        let mut ended = Vec::new();
        for binding in bindings[..before].iter().rev() {
            let scope = binding.scope;
            if !(scope.start() <= place && place < scope.end()) || ended.contains(&scope.end()) {
                continue;
            }
            match &binding.what {
                What::Name(it, bound) if it == name => return bound.as_ref(),
                What::Name(..) => {}
                What::Clause => ended.push(scope.end()),
                What::Barrier => return None,
            }
        }
        None
    }
}

/// What has a place in the text.
trait Placed {
    fn start(&self) -> TextSize;

    fn move_by(&mut self, at: &impl Fn(TextSize) -> TextSize);
}

impl Placed for Binding {
    fn start(&self) -> TextSize {
        self.start
    }

    fn move_by(&mut self, at: &impl Fn(TextSize) -> TextSize) {
        self.start = at(self.start);
        self.scope = TextRange::new(at(self.scope.start()), at(self.scope.end()));
        if let What::Name(_, Some(bound)) = &mut self.what {
            bound.start = at(bound.start);
        }
    }
}

impl Placed for Function {
    fn start(&self) -> TextSize {
        self.start
    }

    fn move_by(&mut self, at: &impl Fn(TextSize) -> TextSize) {
        let range = |it: TextRange| TextRange::new(at(it.start()), at(it.end()));
        self.start = at(self.start);
        self.scope = range(self.scope);
        match &mut self.body {
            Body::Value(Some(bound)) => bound.start = at(bound.start),
            Body::Value(None) => {}
            Body::Block(block) => *block = range(*block),
        }
    }
}

impl Function {
    /// What callers see of it.
    fn says(&self) -> (&str, (usize, usize), Option<&Expr>) {
        let body = match &self.body {
            Body::Value(bound) => bound.as_ref().and_then(Bound::flow),
            Body::Block(_) => None,
        };
        (&self.name, self.arity, body)
    }
}

impl Binding {
    fn says(&self) -> Option<&Expr> {
        match &self.what {
            What::Name(_, bound) => bound.as_ref().and_then(Bound::flow),
            What::Clause | What::Barrier => None,
        }
    }
}

/// Those that begin in `range`.
fn between<T: Placed>(bindings: &[T], range: TextRange) -> &[T] {
    let first = bindings.partition_point(|it| it.start() < range.start());
    let last = bindings.partition_point(|it| it.start() < range.end());
    &bindings[first..last.max(first)]
}

fn replace<T: Placed>(bindings: &mut Vec<T>, old: TextRange, new: Vec<T>, edit: &TextEdit) {
    let first = bindings.partition_point(|it| it.start() < old.start());
    let last = bindings.partition_point(|it| it.start() < old.end());
    let is_kept = |index: usize| index < first || last <= index;
    let kept = bindings.iter_mut().enumerate();
    for (_, binding) in kept.filter(|(index, _)| is_kept(*index)) {
        binding.move_by(&|offset| moved(offset, edit));
    }
    bindings.splice(first..last.max(first), new);
}

/// Calls `found` with what the names of a pattern are bound to, which is before the last operator of that text.
fn matches(
    elements: &[Element<'_>],
    operator: &str,
    reader: Reader<'_>,
    found: &mut impl FnMut(What),
) {
    let at = last_operator(elements, operator);
    if at == 0 {
        return;
    }
    let value = elements.get(at + 1..).unwrap_or_default();
    let value = value.split(|it| it.kind == Kind::DoBlock).next();
    let value = value.unwrap_or_default();
    let pattern = elements.first().and_then(|first| {
        let expr = reader.whole(value)?;
        Some((Pattern::of(&elements[..at], &expr), first.range.start()))
    });
    symbols(&elements[..at], &mut |name| {
        found(bound_by(pattern.as_ref(), name))
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

/// The clause of a function that `elements` are, without the word before it.
fn function(elements: &[Element<'_>], start: TextSize, around: Around<'_>) -> Option<Function> {
    let [name, rest @ ..] = elements else {
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
    let body = match rest.last() {
        Some(block) if block.kind == Kind::DoBlock => match is_plain(block) {
            true => Body::Block(block.range),
            false => Body::Value(None),
        },
        _ => {
            let at = rest.iter().position(|it| it.text() == "do:");
            let value = at.and_then(|at| rest.get(at + 1..));
            Body::Value(value.and_then(|it| Bound::of(it, around.reader)))
        }
    };
    Some(Function {
        start,
        name: name.text().to_owned(),
        arity,
        scope: around.block,
        body,
    })
}

/// Whether a block has no `rescue` or the like, so that it comes to its last statement.
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
