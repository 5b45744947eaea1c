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
        let start = first.range.start();
        let end = last.range.end();
        let block_end = around.block.end();
        if around.is_body {
            let is_next = |last: TextSize| around.block.start() <= last && last < start;
            if around.is_once {
                self.bodies.pop_if(is_next);
            }
            let what = What::Name(String::new(), Bound::of(elements, around.reader));
            self.bodies
                .push_alike([start, start, end, start], what, FEW);
        }
        let reader = around.reader;
        let mut add = |scope: TextRange, (value, what)| {
            let place = [start, scope.start(), scope.end(), value];
            self.variables.push_alike(place, what, FEW);
        };
        let statement = TextRange::new(start, end);
        let rest = TextRange::new(end, block_end.max(end));
        let clause = TextRange::new(start, rest.end());
        if is_head {
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
        let elements = match elements {
            [word, branch @ ..] if is_branch_word(word) => {
                add(clause, (start, What::Clause));
                branch
            }
            elements => elements,
        };
        match elements {
            _ if is_definition(elements) => {
                let inside = match last.kind() {
                    // It ends before the block does, as no clause in it ends what the function is given.
                    Kind::DoBlock => TextRange::new(start, before(end).max(start)),
                    _ => statement,
                };
                add(inside, (start, What::Barrier));
                for (pattern, given) in parameters(elements) {
                    let bound = (Pattern::of(&pattern, &given), start);
                    symbols(&pattern, &mut |name| {
                        add(inside, (start, bound_by(Some(&bound), name)));
                    });
                }
                if let Some((place, function)) = function(elements, start, around) {
                    self.functions.push_alike(place, function, FEW);
                }
            }
            [word, ..] if word.text() == "defmodule" => {
                let place = [start, statement.start(), statement.end(), start];
                self.attributes.push_alike(place, What::Barrier, FEW);
            }
            [sign, name, value @ ..] if sign.text() == "@" => {
                let name = name.text();
                if value.is_empty() || RESERVED.contains(&name) {
                    return;
                }
                let (at, what) = bound_to(name, value, start, reader);
                let place = [start, rest.start(), rest.end(), at];
                self.attributes.push_alike(place, what, FEW);
            }
            [name, equals, value @ ..] if name.kind() == Kind::Symbol && equals.text() == "=" => {
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
                for clause in elements[word + 1..].split(|it| it.kind() == Kind::Comma) {
                    let Some(last) = clause.last() else {
                        continue;
                    };
                    let value_end = match last.kind() {
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
    let value = value.split(|it| it.kind() == Kind::DoBlock).next();
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
