//! Resolves names: variables and module attributes that are bound to a string, to tools or to an agent.
//!
//! An index of all bindings of a document, not an interpreter. Where a name may have been bound to
//! anything else in between (by a pattern, a clause, an expression), it stands for nothing here.

mod bound;
mod calls;
mod change;
mod index;
mod statement;
mod table;

pub use bound::{Bound, BoundAt};
pub use calls::parameters;
pub use index::Index;
pub use statement::{
    asserted, drawn_by, first_argument, is_branch_word, is_clauses_word, is_definition, subject,
};

use std::{iter, sync::Arc};

use crate::{
    host::{
        HAS_SMALL_STEPS,
        moving::{Keyed, Moving},
        token_tree::Kept,
        units::moved,
    },
    text::{TextEdit, TextRange, TextSize},
};

use calls::Call;
use statement::before;

use super::{
    flow::{expr::Expr, reader::Reader},
    lookup::{self, EVERYWHERE},
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
#[derive(Debug, Clone, PartialEq, Eq)]
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
#[derive(Debug, Clone, PartialEq, Eq)]
enum Body {
    /// What is after `do:`.
    Value(Option<Box<Bound>>),
    /// The last statement of its block.
    Block,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    /// A name and what it is bound to, if that is of interest.
    Name(String, Option<Box<Bound>>),
    /// The beginning of a clause (`… ->`) or of a branch (`else`), where the one before it in the same block ends.
    Clause,
    /// Nothing outside is seen from here.
    Barrier,
}

/// What a value says to those who call the function that returns it: the expression of agents and steps that it is, and
/// the map.
type Says<'a> = (Option<&'a Expr>, Option<&'a [Kept]>);

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

/// The number of items that one more is compared with: programs write a binding and a call again and again.
const FEW: usize = 2;

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
    /// Whether the text is not edited, so that only the last statement of a body counts.
    pub is_once: bool,
}

impl Names {
    /// Adds what the clauses in `block` are matched with.
    pub fn add_subject(&mut self, block: TextRange, subject: Option<&Expr>) {
        let value = subject.map_or(block.start(), |it| it.start().min(block.start()));
        let bound = subject.map(|it| Bound::part(it, value));
        // It ends before the block does, as no clause ends it.
        let end = before(block.end()).max(block.start());
        let place = [block.start(), block.start(), end, value];
        let what = What::Name(SUBJECT.to_owned(), bound);
        self.variables.push_alike(place, what, FEW);
    }

    /// Adds what the function that `capture` is, written with `&`, is given.
    pub fn add_capture(&mut self, capture: TextRange, given: &Expr) {
        let value = given.start().min(capture.start());
        let place = [capture.start(), capture.start(), capture.end(), value];
        let bound = Bound::part(given, value);
        let what = What::Name(CAPTURED.to_owned(), Some(bound));
        self.variables.push_alike(place, what, FEW);
    }

    /// Whether a block that begins at `start` is the body of a function.
    pub fn is_body(&self, start: TextSize) -> bool {
        // It begins after the name of its function, and no other function begins in between.
        let before = self.functions.before(start);
        let mut nearest = self.functions.slice(before.saturating_sub(1)..before);
        nearest.any(|([.., block, _], it)| block == start && matches!(it.body, Body::Block))
    }

    /// The stretch around `place` of the function's body around it, up to the next function.
    pub fn stretch_around(&self, place: TextSize) -> Option<TextRange> {
        let next = self.functions.before(place);
        let [.., first, end] = self.functions.place(next.checked_sub(1)?);
        let body = TextRange::new(first, end);
        let next = (next < self.functions.len()).then(|| self.functions.place(next)[0]);
        let end = next.map_or(end, |next| next.min(end));
        body.contains(place).then(|| TextRange::new(first, end))
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
    fn says(&self) -> (&str, (usize, usize), bool, Option<Says<'_>>) {
        let body = match &self.body {
            Body::Value(bound) => bound.as_deref().map(Bound::says),
            Body::Block => None,
        };
        (&self.name, self.arity, self.is_private, body)
    }

    fn takes(&self, arity: usize) -> bool {
        (self.arity.0..=self.arity.1).contains(&arity)
    }
}

impl What {
    fn says(&self) -> Option<Says<'_>> {
        match self {
            Self::Name(_, bound) => bound.as_deref().map(Bound::says),
            Self::Clause | Self::Barrier => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{
        Notation, Roles,
        elixir::{Elixir, find, modules, sites::reading},
        token_tree::{self, Element},
    };

    /// A text that is not edited may have a statement for each line.
    #[test]
    fn of_a_body_that_is_not_edited_only_the_last_statement_is_kept() {
        let lines = "  a = b\n  if a do\n    SubAgent.run(a)\n  end\n".repeat(100);
        let text = format!("def f do\n{lines}end\ndef g do\n{lines}end\n");
        let tree = token_tree::parse::<Elixir>(&text);
        let root = Element::node(&tree, TextSize::default());
        let (modules, roles) = (modules::guess(&text), Roles::default());
        let bodies = |is_once| {
            let reading = reading(roles.of(Notation::Elixir), &modules, false);
            let reading = find::Reading { is_once, ..reading };
            let parts = find::find((root, false), root.range, reading);
            let bodies = parts.names.bodies;
            let places: Vec<_> = bodies.iter().map(|(place, _)| place).collect();
            places
        };
        let (all, last) = (bodies(false), bodies(true));
        assert_eq!((all.len(), last.len()), (400, 2));
        assert_eq!(last, [all[199], all[399]]);
    }
}
