//! What a statement binds.

use std::{convert::identity, sync::Arc};

use super::{
    super::{
        contract::items,
        flow::{expr::Expr, pattern::Pattern, reader::Reader},
    },
    Around, Binder, Body, Bound, Drawn, FEW, Function, Names, RESERVED, SUBJECT, What, parameters,
};
use crate::{
    host::token_tree::{Element, Kind},
    text::{TextRange, TextSize},
};

impl Names {
    /// Adds what the statement of `elements` binds. Before an arrow it is the head of a clause.
    pub fn add_statement(&mut self, elements: &[Element<'_>], around: Around<'_>, is_head: bool) {
        let (Some(first), Some(last)) = (elements.first(), elements.last()) else {
            return;
        };
        let mut statement = Statement {
            names: self,
            around,
            range: TextRange::new(first.range.start(), last.range.end()),
        };
        if around.is_body {
            statement.add_value(elements);
        }
        match is_head {
            true => statement.add_head(elements),
            false => statement.add(elements),
        }
    }
}

/// A statement whose bindings are added to `names`.
struct Statement<'n, 'm> {
    names: &'n mut Names,
    around: Around<'m>,
    range: TextRange,
}

impl Statement<'_, '_> {
    /// From its start to the end of its block.
    fn clause(&self) -> TextRange {
        self.range.cover(self.rest())
    }

    /// From its end to the end of its block.
    fn rest(&self) -> TextRange {
        let end = self.range.end();
        TextRange::new(end, self.around.block.end().max(end))
    }

    /// Adds what a variable is bound to in `scope`, and where that begins.
    fn add_variable(&mut self, scope: TextRange, (value, what): (TextSize, What)) {
        let place = [self.range.start(), scope.start(), scope.end(), value];
        self.names.variables.push_alike(place, what, FEW);
    }

    /// The same for a module attribute.
    fn add_attribute(&mut self, scope: TextRange, (value, what): (TextSize, What)) {
        let place = [self.range.start(), scope.start(), scope.end(), value];
        self.names.attributes.push_alike(place, what, FEW);
    }

    /// Adds the names in `elements`, which are `pattern`.
    fn add_pattern(&mut self, elements: &[Element<'_>], pattern: Pattern<'_>, scope: TextRange) {
        let start = self.range.start();
        let bound = (pattern, start);
        symbols(elements, &mut |name| {
            self.add_variable(scope, (start, bound_by(Some(&bound), name)));
        });
    }

    /// Adds the names in `elements`, of whose values nothing is known.
    fn add_unknown(&mut self, elements: &[Element<'_>], scope: TextRange) {
        let start = self.range.start();
        symbols(elements, &mut |name| {
            self.add_variable(scope, (start, What::Name(name.to_owned(), None)));
        });
    }

    /// Adds its value, which the block returns if it is the last one there.
    fn add_value(&mut self, elements: &[Element<'_>]) {
        let (start, end) = (self.range.start(), self.range.end());
        let is_next = |last: TextSize| self.around.block.start() <= last && last < start;
        if self.around.is_once {
            self.names.bodies.pop_if(is_next);
        }
        let what = What::Name(String::new(), Bound::of(elements, self.around.reader));
        let place = [start, start, end, start];
        self.names.bodies.push_alike(place, what, FEW);
    }

    /// Adds what the head of a clause binds.
    fn add_head(&mut self, elements: &[Element<'_>]) {
        let (start, clause) = (self.range.start(), self.clause());
        self.add_variable(clause, (start, What::Clause));
        let pattern = Pattern::of(first_argument(elements), &subject(start));
        self.add_pattern(elements, pattern, clause);
    }

    fn add(&mut self, elements: &[Element<'_>]) {
        let elements = match elements {
            [word, branch @ ..] if is_branch_word(word) => {
                self.add_variable(self.clause(), (self.range.start(), What::Clause));
                branch
            }
            elements => elements,
        };
        if is_only_read(elements) {
            return;
        }
        self.add_bound(elements);
        match elements.iter().position(is_clauses_word) {
            Some(word) => self.add_clauses(&elements[word..]),
            None => self.add_unknown(&elements[..last_operator(elements, "<-")], self.range),
        }
    }

    /// Adds what it defines or matches, apart from what is drawn with `<-`.
    fn add_bound(&mut self, elements: &[Element<'_>]) {
        let (start, rest) = (self.range.start(), self.rest());
        let reader = self.around.reader;
        match elements {
            _ if is_definition(elements) => self.add_definition(elements),
            [word, ..] if word.text() == "defmodule" => {
                self.add_attribute(self.range, (start, What::Barrier));
            }
            [sign, name, value @ ..] if sign.text() == "@" => {
                self.add_attribute(rest, bound_to(name.text(), value, start, reader));
            }
            [name, equals, value @ ..] if name.kind() == Kind::Symbol && equals.text() == "=" => {
                self.add_variable(rest, bound_to(name.text(), value, start, reader));
                self.add_unknown(&value[..last_operator(value, "=")], rest);
            }
            _ => self.add_matches(elements, ("=", identity), rest),
        }
    }

    /// Adds a definition of a function and its parameters.
    fn add_definition(&mut self, elements: &[Element<'_>]) {
        let (start, end) = (self.range.start(), self.range.end());
        let inside = match elements.last().map(Element::kind) {
            // It ends before the block does, as no clause in it ends what the function is given.
            Some(Kind::DoBlock) => TextRange::new(start, before(end).max(start)),
            _ => self.range,
        };
        self.add_variable(inside, (start, What::Barrier));
        for (pattern, given) in parameters(elements) {
            self.add_pattern(&pattern, Pattern::of(&pattern, &given), inside);
        }
        if let Some((place, function)) = function(elements, start, self.around) {
            self.names.functions.push_alike(place, function, FEW);
        }
    }

    /// Adds what the clauses after a word such as `with`, the first of `elements`, bind.
    fn add_clauses(&mut self, elements: &[Element<'_>]) {
        let Some((word, clauses)) = elements.split_first() else {
            return;
        };
        for clause in clauses.split(|it| it.kind() == Kind::Comma) {
            let Some(last) = clause.last() else {
                continue;
            };
            let value_end = match last.kind() {
                Kind::DoBlock => last.range.start(),
                _ => last.range.end(),
            };
            let scope = TextRange::new(value_end, self.range.end());
            self.add_matches(clause, ("<-", drawn_by(word)), scope);
            self.add_matches(clause, ("=", identity), scope);
        }
    }

    /// Adds what the names of a pattern are bound to, which is before the last operator of that text and matched with
    /// what is drawn from the value after it.
    fn add_matches(
        &mut self,
        elements: &[Element<'_>],
        (operator, drawn): (&str, Drawn),
        scope: TextRange,
    ) {
        let at = last_operator(elements, operator);
        let Some(first) = elements.first().filter(|_| at > 0) else {
            return;
        };
        let value = elements.get(at + 1..).unwrap_or_default();
        let value = value.split(|it| it.kind() == Kind::DoBlock).next();
        let expr = self.around.reader.whole(value.unwrap_or_default());
        let start = first.range.start();
        let pattern =
            expr.map(|expr| (Pattern::of(asserted(&elements[..at]), &drawn(expr)), start));
        symbols(&elements[..at], &mut |name| {
            self.add_variable(scope, (start, bound_by(pattern.as_ref(), name)));
        });
    }
}

/// Whether a statement is a module attribute that is read, or one that Elixir gives a meaning.
fn is_only_read(statement: &[Element<'_>]) -> bool {
    match statement {
        [sign, name, value @ ..] if sign.text() == "@" => {
            value.is_empty() || RESERVED.contains(&name.text())
        }
        _ => false,
    }
}

/// The offset before `end`.
pub(super) fn before(end: TextSize) -> TextSize {
    end.checked_sub(TextSize::from(1)).unwrap_or(end)
}

/// Whether `element` begins another branch of a block, which sees nothing that the branch before it binds.
pub fn is_branch_word(element: &Element<'_>) -> bool {
    element.kind() == Kind::Symbol
        && matches!(element.text(), "else" | "rescue" | "catch" | "after")
}

/// Whether `element` begins a statement with clauses that match patterns.
pub fn is_clauses_word(element: &Element<'_>) -> bool {
    element.kind() == Kind::Symbol && matches!(element.text(), "with" | "for")
}

/// What a clause with `<-` after `word` matches its pattern with: `for` takes the elements of a list.
pub fn drawn_by(word: &Element<'_>) -> Drawn {
    match word.text() {
        "for" => |list| Arc::new(Expr::Element(list)),
        _ => identity,
    }
}

/// What the head of a clause matches its first argument with.
pub fn first_argument<'e, 't>(head: &'e [Element<'t>]) -> &'e [Element<'t>] {
    let mut arguments = head.split(|it| it.kind() == Kind::Comma);
    arguments.next().unwrap_or_default()
}

/// A pattern without the `assert` before it.
pub fn asserted<'e, 't>(elements: &'e [Element<'t>]) -> &'e [Element<'t>] {
    match elements {
        [word, rest @ ..] if word.text() == "assert" => rest,
        elements => elements,
    }
}

/// Whether a statement defines a function, which sees no variables around it.
pub fn is_definition(statement: &[Element<'_>]) -> bool {
    let word = statement.first();
    word.is_some_and(|word| matches!(word.text(), "def" | "defp" | "defmacro" | "defmacrop"))
}

/// What the clauses around `at` are matched with.
pub fn subject(at: TextSize) -> Arc<Expr> {
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
        Some(parameters) if parameters.kind() == Kind::Parens => {
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
        Some(block) if block.kind() == Kind::DoBlock => match is_plain(block) {
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
    !block.elements().any(|it| is_branch_word(&it))
}

/// The index of the last operator of that text; 0 where there is none.
fn last_operator(elements: &[Element<'_>], text: &str) -> usize {
    let is_it = |it: &Element<'_>| it.kind() == Kind::Operator && it.text() == text;
    elements.iter().rposition(is_it).unwrap_or(0)
}

/// Calls `found` with each name in `elements`, those in brackets too.
pub(super) fn symbols(elements: &[Element<'_>], found: &mut impl FnMut(&str)) {
    let mut left = elements.to_vec();
    while let Some(element) = left.pop() {
        match element.kind() {
            Kind::Symbol => found(element.text()),
            kind if kind.is_group() && !kind.is_block() => left.extend(element.elements()),
            _ => {}
        }
    }
}
