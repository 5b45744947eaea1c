//! A function and its specs.

use std::{ops::RangeInclusive, sync::Arc};

use crate::{host::flow::Source, rare::Rare};

/// A function, public or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// The name.
    pub name: Box<str>,
    /// The arities with which it can be called; several if arguments have defaults.
    pub arities: Arities,
    /// The head of the first clause, such as `def run(query, limit \\ 10)`.
    pub head: Box<str>,
    /// The first line of its documentation.
    pub(in crate::host::elixir) doc: Option<Arc<String>>,
    /// An atom key in the map that a clause takes as its only argument.
    pub atom_key: Option<Box<str>>,
    /// The string keys in the maps that clauses take as their only argument.
    pub string_keys: Rare<Vec<String>>,
    /// Whether a clause matches string keys and no atom keys.
    pub matches_strings: bool,
    /// The number of its clauses.
    pub clauses: u32,
    /// The signature of the agent that it returns, if it is public and that is certain.
    pub agent: Option<Arc<Source>>,
}

impl Function {
    /// The first line of its documentation.
    pub fn doc(&self) -> Option<String> {
        self.doc.as_deref().cloned()
    }

    /// Whether other modules can call it.
    pub(in crate::host::elixir) fn is_public(&self) -> bool {
        self.head.starts_with("def ")
    }

    /// The function whose first clause is `clause`, with its documentation.
    pub(in crate::host::elixir) fn with_doc(
        clause: &Arc<Self>,
        doc: Option<Arc<String>>,
    ) -> Arc<Self> {
        let mut function = Arc::clone(clause);
        if doc.is_some() {
            Self::own(&mut function).doc = doc;
        }
        function
    }

    /// It, apart from those who share it.
    #[inline(never)]
    pub(in crate::host::elixir) fn own(shared: &mut Arc<Self>) -> &mut Self {
        Arc::make_mut(shared)
    }

    /// Whether `other`, which follows it, is another clause of the same function.
    pub(in crate::host::elixir) fn is_continued_by(&self, other: &Self) -> bool {
        self.name == other.name && self.arities.most() == other.arities.most()
    }

    /// Adds what a further clause says.
    pub(in crate::host::elixir) fn add_clause(&mut self, clause: &Function) {
        if self.atom_key.is_none() {
            self.atom_key.clone_from(&clause.atom_key);
        }
        if !clause.string_keys.is_empty() {
            let string_keys = self.string_keys.make_mut();
            string_keys.extend_from_slice(&clause.string_keys);
        }
        self.matches_strings |= clause.matches_strings;
        self.clauses += clause.clauses;
    }

    /// Whether it equals `other`, apart from documentation.
    pub fn differs_in_docs_only(&self, other: &Self) -> bool {
        let Self {
            name,
            arities,
            head,
            doc: _,
            atom_key,
            string_keys,
            matches_strings,
            clauses,
            agent,
        } = self;
        (name, arities, head) == (&other.name, &other.arities, &other.head)
            && (atom_key, string_keys) == (&other.atom_key, &other.string_keys)
            && (matches_strings, clauses) == (&other.matches_strings, &other.clauses)
            && agent == &other.agent
    }
}

/// The numbers of arguments with which a function can be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arities {
    least: u32,
    most: u32,
}

impl Arities {
    /// From `least` to `most`.
    pub(in crate::host::elixir) fn new(least: usize, most: usize) -> Self {
        let [least, most] = [least, most].map(|it| u32::try_from(it).unwrap_or(u32::MAX));
        Self { least, most }
    }

    /// The least number.
    pub(in crate::host::elixir) fn least(self) -> usize {
        self.least as usize
    }

    /// The greatest number.
    pub fn most(self) -> usize {
        self.most as usize
    }

    /// All of them.
    pub fn all(self) -> RangeInclusive<usize> {
        self.least()..=self.most()
    }

    /// Whether it can be called with so many arguments.
    pub(in crate::host::elixir) fn contains(self, arity: usize) -> bool {
        self.all().contains(&arity)
    }
}

/// A `@spec`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::host::elixir) struct Spec {
    pub(in crate::host::elixir) name: Box<str>,
    pub(in crate::host::elixir) arity: usize,
    pub(in crate::host::elixir) text: Box<str>,
}
