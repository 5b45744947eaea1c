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

/// The arguments of a call.
pub fn slices<'s, 't>(items: &'s [Vec<Element<'t>>]) -> Vec<&'s [Element<'t>]> {
    items.iter().map(Vec::as_slice).collect()
}

/// A call as it is written.
pub struct Call<'s, 't> {
    /// The function's name with its module.
    pub path: &'s [Element<'t>],
    /// What is between its parentheses.
    pub arguments: Vec<&'s [Element<'t>]>,
    /// What is piped into it.
    pub piped: Option<Arc<Expr>>,
}

impl<'s, 't> Call<'s, 't> {
    /// What takes the place of its last argument, out of the brackets of options; `None` if there are none.
    pub(super) fn options(&self) -> Option<Vec<Vec<Element<'t>>>> {
        let (entries, more) = options_of(self.arguments.last()?)?;
        let mut options = split(entries);
        options.extend((!more.is_empty()).then_some(more));
        Some(options)
    }

    /// The same call with these options.
    pub(super) fn with_options<'o>(&'o self, options: &'o [Vec<Element<'t>>]) -> Call<'o, 't> {
        let mut arguments = self.arguments.clone();
        arguments.pop();
        arguments.extend(options.iter().map(Vec::as_slice));
        Call {
            path: self.path,
            arguments,
            piped: self.piped.clone(),
        }
    }

    /// The argument at `index`, if it is written in the call and not piped into it.
    pub(super) fn written(&self, index: usize) -> Option<&'s [Element<'t>]> {
        let piped = usize::from(self.piped.is_some());
        self.arguments.get(index.checked_sub(piped)?).copied()
    }

    /// The argument `index` places after the first one.
    pub(super) fn after_first(&self, index: usize) -> Option<&'s [Element<'t>]> {
        self.written(index + 1)
    }

    /// The value of the keyed argument `key`.
    pub fn value(&self, key: &str) -> Option<&'s [Element<'t>]> {
        self.arguments.iter().find_map(|item| match item {
            [it, value @ ..] if it.kind() == Kind::Key && key_text(it) == Some(key) => Some(value),
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
