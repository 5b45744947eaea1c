//! Calls as they are written, with what is piped into them.

use std::sync::Arc;

use super::{
    expr::Expr,
    keys::{AgentKeys, agent_keys},
};
use crate::host::{
    elixir::{
        contract::{options_of, split},
        literal::key_text,
    },
    token_tree::{Element, Kind},
};

/// A call as it is written.
pub struct Call<'s, 't> {
    /// The function's name with its module.
    pub path: &'s [Element<'t>],
    /// What is between its parentheses.
    pub arguments: Vec<Vec<Element<'t>>>,
    /// What is piped into it.
    pub piped: Option<Arc<Expr>>,
}

impl<'t> Call<'_, 't> {
    /// The same call with its options out of their brackets; `None` if there are none.
    pub(super) fn with_options(&self) -> Option<Self> {
        let (last, arguments) = self.arguments.split_last()?;
        let (entries, more) = options_of(last)?;
        let mut arguments = arguments.to_vec();
        arguments.extend(split(entries));
        arguments.extend((!more.is_empty()).then_some(more));
        Some(Self {
            path: self.path,
            arguments,
            piped: self.piped.clone(),
        })
    }

    /// The argument at `index`, if it is written in the call and not piped into it.
    pub(super) fn written(&self, index: usize) -> Option<&Vec<Element<'t>>> {
        let piped = usize::from(self.piped.is_some());
        self.arguments.get(index.checked_sub(piped)?)
    }

    /// The argument `index` places after the first one.
    pub(super) fn after_first(&self, index: usize) -> Option<&Vec<Element<'t>>> {
        self.written(index + 1)
    }

    /// The value of the keyed argument `key`.
    pub fn value(&self, key: &str) -> Option<&[Element<'t>]> {
        self.arguments
            .iter()
            .find_map(|item| match item.as_slice() {
                [it, value @ ..] if it.kind == Kind::Key && key_text(it) == Some(key) => {
                    Some(value)
                }
                _ => None,
            })
    }

    /// What the keys from the argument at `first` on say; `None` where more may be said than can be seen.
    pub fn keys(&self, first: usize) -> Option<AgentKeys> {
        let piped = usize::from(self.piped.is_some());
        let items = self.arguments.get(first.saturating_sub(piped)..)?;
        agent_keys(items)
    }
}
