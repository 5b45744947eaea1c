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

use std::sync::Arc;

use crate::{
    ide::{fragment::Fragment, functions::Scope, tools::Tools},
    model::{Edition, Lowered, placeholders::Uses},
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
