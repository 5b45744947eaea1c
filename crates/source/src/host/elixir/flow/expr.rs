//! Expressions that evaluate to an agent, a step or a part of what a step returned.

use std::sync::Arc;

use super::keys::AgentKeys;
use crate::{
    host::{
        elixir::{
            literal::{key_and_value, key_text},
            names::Binder,
            tools::Capture,
        },
        flow::{Key, KeyForm},
        token_tree::{Element, Kind},
    },
    text::TextSize,
};

/// An expression. Its places count from where the statement or value that it is part of is counted. A document may have
/// one for each line: what is large or rare is in a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// A variable or an attribute.
    Name {
        /// What binds it.
        binder: Binder,
        /// Its name, without a sign.
        name: String,
        /// Where it begins.
        at: TextSize,
    },
    /// A call of a function of the same module.
    Local {
        /// The function's name.
        name: Box<str>,
        /// The number of its arguments.
        arity: usize,
        /// Where it begins.
        at: TextSize,
    },
    /// A call of a function of another module, which is as written.
    Remote(Box<Capture>),
    /// `SubAgent.new(…)`, or the agent that a prompt alone makes in `SubAgent.run("…", …)`.
    Agent(Box<AgentKeys>),
    /// A call that runs an agent.
    Run {
        /// The agent.
        agent: Arc<Expr>,
        /// What the call says of the agent that it makes of a prompt. For another one, only the mode counts.
        overrides: Box<AgentKeys>,
        /// Whether it evaluates to a step, or to a tuple of one.
        is_step: bool,
    },
    /// `SubAgent.compile(agent, …)`
    Compiled(Arc<Expr>),
    /// `compiled.execute.(…)`
    Execute(Arc<Expr>),
    /// The second element of `{:ok, …}`.
    Ok(Arc<Expr>),
    /// `{:ok, …}`
    Wrapped(Arc<Expr>),
    /// What is under a key.
    Get(Arc<Expr>, Box<Key>),
    /// Any element of a list.
    Element(Arc<Expr>),
    /// A function, which returns that.
    Function(Arc<Expr>),
    /// What a function returns, or the task that calls it.
    Called(Arc<Expr>),
    /// A list, each element of which a function returned: that.
    Each(Arc<Expr>),
    /// A list, each element of which is that, a part of another list.
    All(Arc<Expr>),
    /// A list of these elements. A map or keyword list is one of entries, as far as their values are expressions of ours.
    List(Arc<[Expr]>),
    /// An entry of a map or keyword list.
    Entry(Box<MapKey>, Arc<Expr>),
    /// Something else, for which these parts of a value are read.
    Other(Arc<[Expr]>),
    /// What a private function is given.
    Parameter(Box<Parameter>),
}

/// A key of a map as it is when the code runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapKey {
    name: String,
    /// Whether it is a string; otherwise it is an atom.
    is_string: bool,
}

/// A parameter of a private function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The function's name.
    pub function: String,
    /// The number of its arguments.
    pub arity: usize,
    /// Which argument it is, from 0.
    pub index: usize,
    /// Where the function is defined.
    pub at: TextSize,
}

impl MapKey {
    /// The key of an entry, and its value.
    pub fn of<'s, 't>(entry: &'s [Element<'t>]) -> Option<(Self, &'s [Element<'t>])> {
        let (key, value) = key_and_value(entry)?;
        let key = Self {
            name: key_text(key)?.to_owned(),
            is_string: key.kind() == Kind::String,
        };
        Some((key, value))
    }

    /// Whether `key` reads what is under it.
    pub fn is_read_by(&self, key: &Key) -> bool {
        key.name.as_deref() == Some(&*self.name) && (key.form == KeyForm::String) == self.is_string
    }
}

impl Expr {
    /// What is under `key` of it.
    pub fn get(self: &Arc<Self>, key: Key) -> Self {
        Self::Get(Arc::clone(self), Box::new(key))
    }

    /// The same expression, counted from `base`.
    pub fn rebased(&self, base: TextSize) -> Self {
        let on = |it: &Arc<Self>| Arc::new(it.rebased(base));
        match self {
            Self::Name { binder, name, at } => Self::Name {
                binder: *binder,
                name: name.clone(),
                at: *at - base,
            },
            Self::Local { name, arity, at } => Self::Local {
                name: name.clone(),
                arity: *arity,
                at: *at - base,
            },
            Self::Remote(_) => self.clone(),
            Self::Agent(keys) => Self::Agent(Box::new(keys.rebased(base))),
            Self::Run {
                agent,
                overrides,
                is_step,
            } => Self::Run {
                agent: on(agent),
                overrides: Box::new(overrides.rebased(base)),
                is_step: *is_step,
            },
            Self::Compiled(agent) => Self::Compiled(on(agent)),
            Self::Execute(agent) => Self::Execute(on(agent)),
            Self::Ok(of) => Self::Ok(on(of)),
            Self::Wrapped(it) => Self::Wrapped(on(it)),
            Self::Get(of, key) => {
                let mut key = key.clone();
                key.map_ranges(&|range| range - base);
                Self::Get(on(of), key)
            }
            Self::Element(of) => Self::Element(on(of)),
            Self::Function(body) => Self::Function(on(body)),
            Self::Called(of) => Self::Called(on(of)),
            Self::Each(of) => Self::Each(on(of)),
            Self::All(of) => Self::All(on(of)),
            Self::List(elements) => {
                Self::List(elements.iter().map(|it| it.rebased(base)).collect())
            }
            Self::Other(parts) => Self::Other(parts.iter().map(|it| it.rebased(base)).collect()),
            Self::Entry(key, value) => Self::Entry(key.clone(), on(value)),
            Self::Parameter(parameter) => {
                let mut parameter = parameter.clone();
                parameter.at -= base;
                Self::Parameter(parameter)
            }
        }
    }

    /// Takes the part from which keys lead on from `other` if it is the same there.
    pub fn share_with(&mut self, other: &Self) {
        let (Self::Get(of, _), Self::Get(same, _)) = (self, other) else {
            return;
        };
        if of == same {
            of.clone_from(same);
        } else if let Some(own) = Arc::get_mut(of) {
            own.share_with(same);
        }
    }

    /// The least place in it.
    pub fn start(&self) -> TextSize {
        match self {
            Self::Name { at, .. } | Self::Local { at, .. } => *at,
            Self::Remote(_) => TextSize::from(u32::MAX),
            Self::Agent(keys) => keys.start(),
            Self::Run {
                agent, overrides, ..
            } => agent.start().min(overrides.start()),
            Self::Compiled(of)
            | Self::Execute(of)
            | Self::Ok(of)
            | Self::Wrapped(of)
            | Self::Element(of)
            | Self::Function(of)
            | Self::Called(of)
            | Self::Each(of)
            | Self::All(of)
            | Self::Entry(_, of) => of.start(),
            Self::Get(of, key) => of.start().min(key.range.start()),
            Self::List(elements) | Self::Other(elements) => {
                let starts = elements.iter().map(Self::start);
                starts.min().unwrap_or(TextSize::from(u32::MAX))
            }
            Self::Parameter(parameter) => parameter.at,
        }
    }
}

impl Parameter {
    /// Whether `other` is the same parameter, perhaps of another clause.
    pub fn is_same(&self, other: &Self) -> bool {
        self.function == other.function && self.arity == other.arity && self.index == other.index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_small() {
        assert!(size_of::<Expr>() <= 4 * size_of::<usize>());
    }
}
