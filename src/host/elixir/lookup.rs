//! Resolves names and records which were looked up, so that a result knows what it depends on.

use std::{
    cell::RefCell,
    hash::{DefaultHasher, Hash, Hasher},
};

use super::{
    flow::expr::{Expr, Parameter},
    names::{Binder, BoundAt, Index, Names},
};
use crate::text::{TextRange, TextSize};

/// A name and what binds it, as a number. A collision only costs a superfluous lookup.
pub type Key = u64;

/// Looks names up.
pub struct Lookup<'n> {
    names: Source<'n>,
    asked: RefCell<Vec<Key>>,
}

/// The source of lookups.
#[derive(Clone, Copy)]
pub enum Source<'n> {
    /// The bindings themselves.
    List(&'n Names),
    /// An index, which takes longer to build than a few lookups.
    Index(&'n Index<'n>),
}

impl<'n> Lookup<'n> {
    /// Looks up in `names`.
    pub fn new(names: Source<'n>) -> Self {
        Self {
            names,
            asked: RefCell::default(),
        }
    }

    /// The value of `name` at `place`.
    pub fn at(&self, binder: Binder, name: &str, place: TextSize) -> Option<BoundAt<'n>> {
        self.note(binder, name);
        match self.names {
            Source::List(names) => names.at(binder, name, place),
            Source::Index(index) => index.at(binder, name, place),
        }
    }

    /// The result of the function with this name and arity, if it can be called at `place`.
    pub fn function(&self, name: &str, arity: usize, place: TextSize) -> Option<BoundAt<'n>> {
        self.note(Binder::Function, name);
        match self.names {
            Source::List(names) => names.function(name, arity, place),
            Source::Index(index) => index.function(name, arity, place),
        }
    }

    /// What the callers of the function that is defined at `place` give for a parameter of it; `None` where not all of
    /// them can be seen.
    pub fn given(
        &self,
        parameter: &Parameter,
        place: TextSize,
    ) -> Option<Vec<(&'n Expr, TextSize)>> {
        self.note(Binder::Function, &parameter.function);
        self.note_key(calls_of(&parameter.function));
        match self.names {
            Source::List(names) => names.given(parameter, place),
            Source::Index(index) => index.given(parameter, place),
        }
    }

    /// The names that were looked up.
    pub fn asked(self) -> Box<[Key]> {
        self.asked.into_inner().into()
    }

    fn note(&self, binder: Binder, name: &str) {
        self.note_key(key(binder, name));
    }

    fn note_key(&self, key: Key) {
        let mut asked = self.asked.borrow_mut();
        if !asked.contains(&key) {
            asked.push(key);
        }
    }
}

fn key(binder: Binder, name: &str) -> Key {
    let mut hasher = DefaultHasher::new();
    (binder, name).hash(&mut hasher);
    hasher.finish()
}

/// The key of all calls of the functions of that name.
fn calls_of(name: &str) -> Key {
    let mut hasher = DefaultHasher::new();
    ("calls", name).hash(&mut hasher);
    hasher.finish()
}

/// The names whose value may change with an edit, outside of the statements that it touched.
#[derive(Debug, Default)]
pub struct Touched {
    variables: Vec<Key>,
    others: Vec<Key>,
    /// Whether clauses were added or removed, which hide the variables of those before them.
    pub clauses: bool,
    /// The body of the function around the edit: nothing else sees its variables.
    pub block: Option<TextRange>,
}

impl Touched {
    /// Adds a name.
    pub fn add(&mut self, binder: Binder, name: &str) {
        let keys = match binder {
            Binder::Variable => &mut self.variables,
            Binder::Attribute | Binder::Function => &mut self.others,
        };
        let key = key(binder, name);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }

    /// Adds the calls of the functions of that name.
    pub fn add_calls(&mut self, name: &str) {
        let key = calls_of(name);
        if !self.others.contains(&key) {
            self.others.push(key);
        }
    }

    /// Whether there are any.
    pub fn is_any(&self) -> bool {
        self.clauses || !self.variables.is_empty() || !self.others.is_empty()
    }

    /// Removes the names that are not `asked` for anywhere.
    pub fn retain(&mut self, is_asked: impl Fn(&Key) -> bool) {
        self.variables.retain(&is_asked);
        self.others.retain(is_asked);
    }

    /// The range after the edit outside of which it affects no use, if there is one.
    pub fn only_in(&self) -> Option<TextRange> {
        self.block.filter(|_| self.others.is_empty())
    }

    /// Whether it affects a use at `place` after the edit that depends on the names that it `asked` for.
    pub fn concerns(&self, place: TextSize, asked: &[Key]) -> bool {
        let sees_variables = || self.block.is_none_or(|it| it.contains(place));
        let is_variable = |it: &Key| self.clauses || self.variables.contains(it);
        asked.iter().any(|it| self.others.contains(it))
            || asked.iter().any(is_variable) && sees_variables()
    }
}
