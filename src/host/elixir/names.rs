//! What names stand for: variables and module attributes that are bound to a string.
//!
//! An index of all bindings of a document, not an interpreter. Where a name may have been bound to
//! anything else in between (by a pattern, a clause, an expression), it stands for nothing here.

use crate::{
    host::{
        evidence::{self, Evidence},
        object::Literal,
        token_tree::{Element, Kind},
        units::moved,
    },
    text::{TextEdit, TextRange, TextSize},
};

use super::literal::{literal, only_string, text_of};

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

/// The bindings of a document, in the order of the text.
#[derive(Debug, Clone, Default)]
pub struct Names {
    variables: Vec<Binding>,
    attributes: Vec<Binding>,
}

/// A string that a name is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// The string.
    pub literal: Literal,
    /// How sure it is that it is a signature.
    pub signature: Option<Evidence>,
    /// Whether it reads as a prompt.
    pub is_prompt: bool,
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
    /// A name and the string that it is bound to, if it is one.
    Name(String, Option<Bound>),
    /// The beginning of a clause (`… ->`), where the clause before it in the same block ends.
    Clause,
    /// Nothing outside is seen from here.
    Barrier,
}

/// What binds a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Binder {
    /// A variable.
    Variable,
    /// A module attribute, without its sign.
    Attribute,
}

impl Names {
    /// Adds what the statement of `elements` binds, in a block that ends at `block_end`. Before an arrow
    /// it is the head of a clause.
    pub fn add_statement(&mut self, elements: &[Element<'_>], block_end: TextSize, is_head: bool) {
        let (Some(first), Some(last)) = (elements.first(), elements.last()) else {
            return;
        };
        let start = first.range.start();
        let end = last.range.end();
        let mut add = |scope, what| self.variables.push(Binding { start, scope, what });
        let statement = TextRange::new(start, end);
        let rest = TextRange::new(end, block_end.max(end));
        if is_head {
            let clause = TextRange::new(start, rest.end());
            add(clause, What::Clause);
            symbols(elements, &mut |name| {
                add(clause, What::Name(name.to_owned(), None))
            });
            return;
        }
        match elements {
            [word, ..] if DEFINITIONS.contains(&word.text()) => add(statement, What::Barrier),
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
                let what = What::Name(name.to_owned(), bound(value));
                self.attributes.push(Binding {
                    start,
                    scope: rest,
                    what,
                });
            }
            [name, equals, value @ ..] if name.kind == Kind::Symbol && equals.text() == "=" => {
                add(rest, What::Name(name.text().to_owned(), bound(value)));
                let value_end = last_operator(value, "=");
                symbols(&value[..value_end], &mut |name| {
                    add(rest, What::Name(name.to_owned(), None));
                });
            }
            _ => {
                let pattern = &elements[..last_operator(elements, "=")];
                symbols(pattern, &mut |name| {
                    add(rest, What::Name(name.to_owned(), None))
                });
            }
        }
        let generators = &elements[..last_operator(elements, "<-")];
        symbols(generators, &mut |name| {
            self.variables.push(Binding {
                start,
                scope: statement,
                what: What::Name(name.to_owned(), None),
            });
        });
    }

    /// Puts the bindings in the order of the text.
    pub fn sort(&mut self) {
        self.variables.sort_by_key(|it| it.start);
        self.attributes.sort_by_key(|it| it.start);
    }

    /// Puts `new`, the bindings of the statements that `edit` touched, in the place of those in `old`.
    pub fn replace(&mut self, old: TextRange, new: Names, edit: &TextEdit) {
        replace(&mut self.variables, old, new.variables, edit);
        replace(&mut self.attributes, old, new.attributes, edit);
    }

    /// The string that `name` stands for at `place`.
    pub fn at(&self, binder: Binder, name: &str, place: TextSize) -> Option<&Bound> {
        let bindings = match binder {
            Binder::Variable => &self.variables,
            Binder::Attribute => &self.attributes,
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

fn replace(bindings: &mut Vec<Binding>, old: TextRange, new: Vec<Binding>, edit: &TextEdit) {
    let first = bindings.partition_point(|it| it.start < old.start());
    let last = bindings.partition_point(|it| it.start < old.end());
    let is_kept = |index: usize| index < first || last <= index;
    let kept = bindings.iter_mut().enumerate();
    for (_, binding) in kept.filter(|(index, _)| is_kept(*index)) {
        let at = |offset| moved(offset, edit);
        binding.start = at(binding.start);
        binding.scope = TextRange::new(at(binding.scope.start()), at(binding.scope.end()));
        if let What::Name(_, Some(bound)) = &mut binding.what {
            let literal = &mut bound.literal;
            let start = literal.literal.start();
            literal.literal = literal.literal - start + at(start);
            literal.content = literal.content - start + at(start);
        }
    }
    bindings.splice(first..last.max(first), new);
}

fn bound(value: &[Element<'_>]) -> Option<Bound> {
    let string = only_string(value)?;
    let text = text_of(&string);
    Some(Bound {
        literal: literal(&string),
        signature: evidence::of_signature(&text),
        is_prompt: evidence::is_prompt(&text),
    })
}

/// The index of the last operator of that text; 0 where there is none.
fn last_operator(elements: &[Element<'_>], text: &str) -> usize {
    let is_it = |it: &Element<'_>| it.kind == Kind::Operator && it.text() == text;
    elements.iter().rposition(is_it).unwrap_or(0)
}

/// Calls `found` with each name in `elements`, those in brackets too.
fn symbols(elements: &[Element<'_>], found: &mut impl FnMut(&str)) {
    let mut left = elements.to_vec();
    while let Some(element) = left.pop() {
        match element.kind {
            Kind::Symbol => found(element.text()),
            kind if kind.is_group() && !kind.is_block() => left.extend(element.elements()),
            _ => {}
        }
    }
}
