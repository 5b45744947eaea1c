//! What flows into a unit from code elsewhere: agents that names stand for, and what their runs return.
//!
//! A unit holds the *text* of the signatures that it depends on, never their places, so that it stays as it is until
//! one of them changes. Where they are is kept beside the unit ([`PlacedUnit::origins`](super::PlacedUnit::origins)).

mod shared_text;

pub use shared_text::{SharedText, letters_of};

use super::elixir::tools::Capture;
use crate::{
    rare::Blank,
    text::{TextRange, TextSize},
};

/// What flows into a unit. Ranges count from the unit's start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flow {
    /// The signatures that all of it comes from.
    pub sources: Vec<Source>,
    /// The agent that the unit runs, where its signature is elsewhere.
    pub agent: Option<Box<Given>>,
    /// The names of that agent's tools that values in the map it is given have, too.
    pub tools: Vec<String>,
    /// What the unit gives to its agent in the place of a map: a step or what it returned.
    pub context: Option<Box<Given>>,
    /// Whether that is the step of `then`, which must return every input.
    pub is_then: bool,
    /// The values of the map that it gives to its agent.
    pub values: Vec<Given>,
    /// The other places where it names agents and steps or reads results.
    pub reads: Vec<Given>,
}

impl Blank for Flow {
    const BLANK: &'static Self = &Self {
        sources: Vec::new(),
        agent: None,
        tools: Vec::new(),
        context: None,
        is_then: false,
        values: Vec::new(),
        reads: Vec::new(),
    };
}

/// A signature elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Source {
    /// Where it is.
    pub written: Written,
    /// The mode of validation of its agent; `None` where it is not said here.
    pub mode: Option<ModeText>,
    /// Whether its agent is compiled: then the program decides whether keys are strings or atoms.
    pub is_program: bool,
}

/// Where a signature is written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Written {
    /// In a literal of the document.
    Here(SharedText),
    /// Nowhere: the agent has this prompt alone.
    Prompt(SharedText),
    /// In the agent that a function returns, which may be in another file.
    Function(Capture),
}

impl Source {
    /// The signature `text`.
    pub fn here(text: SharedText, mode: Option<ModeText>) -> Self {
        Self {
            written: Written::Here(text),
            mode,
            is_program: false,
        }
    }

    /// The agent without a signature whose prompt is `text`.
    pub fn of_prompt(text: SharedText, mode: Option<ModeText>) -> Self {
        Self {
            written: Written::Prompt(text),
            mode,
            is_program: false,
        }
    }

    /// The same signature with the mode of its agent.
    pub fn with_mode(self, mode: Option<ModeText>) -> Self {
        Self { mode, ..self }
    }

    /// The function that returns its agent.
    pub fn function(&self) -> Option<&Capture> {
        match &self.written {
            Written::Here(_) | Written::Prompt(_) => None,
            Written::Function(capture) => Some(capture),
        }
    }
}

/// A mode of validation as code names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ModeText {
    /// By its name.
    Named(String),
    /// By an expression.
    Dynamic,
}

/// An expression and what it evaluates to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The whole expression.
    pub range: TextRange,
    /// The index of the signature that it comes from.
    pub source: usize,
    /// What it is before `path` and `keys` are followed.
    pub what: Flowing,
    /// What led into the result before this place.
    pub path: Vec<Part>,
    /// Those that lead on from there at this place.
    pub keys: Vec<Key>,
    /// Whether it is a name that is bound here.
    pub is_binding: bool,
}

/// A step into a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// To what is under a key; `None` where that is only known when the program runs.
    Key(Option<String>),
    /// To any element of a list.
    Element,
}

/// What an expression evaluates to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Flowing {
    /// An agent, compiled or not.
    Agent,
    /// `{:ok, agent}`
    CompiledAgent,
    /// A step.
    Step,
    /// `{:ok, step}` or `{:error, step}`
    Outcome,
    /// What a step returned, or a part of that.
    Data,
}

/// A key by which a result is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The name; `None` where it is only known when the program runs.
    pub name: Option<String>,
    /// Just the name.
    pub name_range: TextRange,
    /// The key as it is written, with colon, quotes or arrow.
    pub range: TextRange,
    /// How it is written.
    pub form: KeyForm,
    /// Whether an atom is no mistake: code such as `map[:count] || map["count"]` takes both.
    pub may_be_atom: bool,
    /// Whether a value without it is no mistake: nothing is read from there, but something is put there.
    pub may_be_missing: bool,
}

/// How a key is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyForm {
    /// `["count"]`, `Map.get(result, "count")`
    String,
    /// `[:count]`, `Map.get(result, :count)`
    Atom,
    /// `.count`
    Dot,
    /// `%{count: n}`
    Pattern,
}

impl Flow {
    /// Whether nothing flows.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty() && self.tools.is_empty()
    }

    /// All expressions, in no order.
    pub fn given(&self) -> impl Iterator<Item = &Given> {
        let calls = self
            .agent
            .as_deref()
            .into_iter()
            .chain(self.context.as_deref());
        calls.chain(&self.values).chain(&self.reads)
    }

    /// Frees room for more. A document may have tens of thousands, with one of each.
    pub fn shrink(&mut self) {
        self.sources.shrink_to_fit();
        self.tools.shrink_to_fit();
        self.values.shrink_to_fit();
        self.reads.shrink_to_fit();
        for given in self.given_mut() {
            given.path.shrink_to_fit();
            given.keys.shrink_to_fit();
        }
    }

    /// Moves all that is in it `by` bytes further on.
    pub fn move_by(&mut self, by: TextSize) {
        self.map_ranges(&|range| range + by);
    }

    /// Replaces its ranges.
    pub fn map_ranges(&mut self, map: &impl Fn(TextRange) -> TextRange) {
        for given in self.given_mut() {
            given.range = map(given.range);
            for key in &mut given.keys {
                key.map_ranges(map);
            }
        }
    }

    fn given_mut(&mut self) -> impl Iterator<Item = &mut Given> {
        let calls = self
            .agent
            .as_deref_mut()
            .into_iter()
            .chain(self.context.as_deref_mut());
        calls.chain(&mut self.values).chain(&mut self.reads)
    }
}

impl Key {
    /// Replaces its ranges.
    pub fn map_ranges(&mut self, map: &impl Fn(TextRange) -> TextRange) {
        self.name_range = map(self.name_range);
        self.range = map(self.range);
    }
}
