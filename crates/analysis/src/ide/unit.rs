//! The facts about a unit: its literals and values as rules see them, and its names.

mod added;
mod alike;
mod flow;
mod names;
mod program;
mod samples;
mod shared;
#[cfg(test)]
mod value_tests;
mod view;

pub(crate) use alike::Alike;
pub(crate) use names::{Blind, BlindKind, Name, NameKind, Owner, Target, UnitNames, plain_name};
pub(crate) use samples::Sample;
pub(crate) use shared::SharedTrees;
pub(crate) use view::{PromptView, SignatureView, UnitView, most_findings};

use std::{borrow::Cow, sync::Arc};

use crate::{
    ide::{fragment::Fragment, functions::Scope, tools::Tools},
    model::{Edition, Lowered, placeholders::Uses},
};
use signature_ls_source::{
    host::{Site, Unit},
    text::{Text, TextSize},
};

/// The contents of a unit.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    /// One per site of the unit, in the same order.
    pub(crate) fragments: &'a [Fragment],
    /// The signatures that flow into the unit, apart from those with errors.
    pub(crate) sources: &'a [Option<Arc<Lowered>>],
    /// The meaning of the names in prompts, as computed by the last view of the unit.
    pub(crate) uses: &'a [Uses],
}

/// The context of a unit.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) edition: Edition,
    /// The functions of the workspace.
    pub(crate) scope: &'a Scope,
    /// The tools of the document.
    pub(crate) tools: &'a Tools,
    /// Whether the document shows that it uses the library.
    pub(crate) is_ours: bool,
    /// The trees of literals that several units share.
    pub(crate) shared: &'a SharedTrees,
}

/// What the analysis of a unit depends on: the unit at its place, and its context.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) unit: &'a Unit,
    /// The text of the document.
    pub(crate) text: &'a Text,
    /// Where the unit begins in it.
    pub(crate) start: TextSize,
    pub(crate) known: Known<'a>,
}

impl<'a> Input<'a> {
    /// The same with the tools that the unit declares itself, if it does.
    pub(crate) fn with_tools(self, own: Option<&'a Tools>) -> Self {
        let tools = own.unwrap_or(self.known.tools);
        let known = Known {
            tools,
            ..self.known
        };
        Self { known, ..self }
    }

    /// The content of a literal of the unit, as it is written.
    pub(crate) fn content(&self, site: &Site) -> Cow<'a, str> {
        self.text.slice(site.content + self.start)
    }
}
