//! What names stand for: variables and module attributes that are bound to a string, to tools or to an agent.
//!
//! An index of all bindings of a document, not an interpreter. Where a name may have been bound to
//! anything else in between (by a pattern, a clause, an expression), it stands for nothing here.

use crate::{
    host::{
        evidence::{self, Evidence},
        object::Literal,
        token_tree::{Element, Kept, Kind},
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

/// What a name is bound to: a string, a map of tools, or what makes a tool or an agent.
#[derive(Debug, Clone)]
pub struct Bound {
    start: TextSize,
    elements: Vec<Kept>,
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
    /// A name and what it is bound to, if that is of interest.
    Name(String, Option<Bound>),
    /// The beginning of a clause (`… ->`), where the clause before it in the same block ends.
    Clause,
    /// Nothing outside is seen from here.
    Barrier,
}

impl Bound {
    /// Keeps `value`, if it is of interest.
    fn of(value: &[Element<'_>]) -> Option<Self> {
        let start = value.first()?.range.start();
        let text = only_string(value).map(|string| text_of(&string));
        let is_group = |it: &Element<'_>| matches!(it.kind, Kind::Braces | Kind::Parens);
        if text.is_none() && !value.last().is_some_and(is_group) {
            return None;
        }
        Some(Self {
            start,
            elements: value.iter().map(|it| Kept::new(it, start)).collect(),
            signature: text.as_deref().and_then(evidence::of_signature),
            is_prompt: text.as_deref().is_some_and(evidence::is_prompt),
        })
    }

    /// Where it begins.
    pub fn start(&self) -> TextSize {
        self.start
    }

    /// Where it stands.
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
                let what = What::Name(name.to_owned(), Bound::of(value));
                self.attributes.push(Binding {
                    start,
                    scope: rest,
                    what,
                });
            }
            [name, equals, value @ ..] if name.kind == Kind::Symbol && equals.text() == "=" => {
                add(rest, What::Name(name.text().to_owned(), Bound::of(value)));
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

    /// What `name` stands for at `place`.
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
            bound.start = at(bound.start);
        }
    }
    bindings.splice(first..last.max(first), new);
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
