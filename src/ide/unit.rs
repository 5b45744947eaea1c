//! What is known of one unit: its literals and values as rules see them, and its names.

mod flow;
mod names;
mod program;
mod samples;
mod shared;
#[cfg(test)]
mod value_tests;
mod view;

pub(crate) use names::{Blind, BlindKind, Name, NameKind, Owner, Target, UnitNames, plain_name};
pub(crate) use samples::Sample;
pub(crate) use shared::SharedTrees;
pub(crate) use view::{PromptView, SignatureView, UnitView};

use std::sync::Arc;

use crate::{
    ide::{fragment::Fragment, functions::Scope, tools::Tools},
    model::{Edition, Lowered, placeholders::Uses},
};

/// What was read of a unit.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    /// One for each site of the unit, in the same order.
    pub(crate) fragments: &'a [Fragment],
    /// The signatures that flow into the unit, apart from those with faults.
    pub(crate) sources: &'a [Option<Arc<Lowered>>],
    /// What the last view of the unit found that the names of its prompts mean.
    pub(crate) uses: &'a [Uses],
}

/// What is known around a unit.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) edition: Edition,
    /// The functions of the workspace.
    pub(crate) scope: &'a Scope,
    /// The tools of the document.
    pub(crate) tools: &'a Tools,
    /// Whether something in the document shows that it is ours.
    pub(crate) is_ours: bool,
    /// The trees of literals that belong to several units.
    pub(crate) shared: &'a SharedTrees,
}
