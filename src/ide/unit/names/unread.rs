//! Prompts and programs that are only known at run time and may use names of the signature beside them.

use super::{Blind, BlindKind, Owner};
use crate::{
    host::{Notation, Unread},
    ide::{fragment::Tree, unit::UnitView},
};

/// The places of `view` that may name inputs, or fields of the result.
pub(super) fn of(view: &UnitView<'_>) -> Vec<Blind> {
    let Some(unread) = first_argument(view).or_else(|| argument(view)) else {
        return Vec::new();
    };
    let (what, owners) = match unread.is_program {
        true => (BlindKind::Program, &[Owner::Inputs, Owner::Output][..]),
        false => (BlindKind::Prompt, &[Owner::Inputs][..]),
    };
    let blind = owners.iter().map(|owner| Blind {
        range: unread.range,
        what,
        owner: owner.clone(),
        path: Vec::new(),
    });
    blind.collect()
}

/// The first argument of a call in Elixir. One that refers to a literal or an agent elsewhere is known.
fn first_argument(view: &UnitView<'_>) -> Option<Unread> {
    let unread = view.unit.unread?;
    let is_known = match unread.is_program {
        true => view.program().literal.is_some(),
        false => has_prompt(view) || runs_known_agent(view),
    };
    (!is_known).then_some(unread)
}

/// The value of a key for prompts, or for programs in Lisp.
fn argument(view: &UnitView<'_>) -> Option<Unread> {
    let is_lisp = view.notation() == Notation::Lisp;
    let is_code = is_lisp || view.notation() == Notation::Elixir;
    let prompt = view
        .unit
        .argument("prompt")
        .filter(|_| is_code && !has_prompt(view));
    let has_program = !view.program().is_empty() || !view.program().code.is_empty();
    let program = view
        .unit
        .argument("program")
        .filter(|_| is_lisp && !has_program);
    let unread = |it: &crate::host::Argument, is_program| Unread {
        range: it.value,
        is_program,
    };
    let prompt = prompt.map(|it| unread(it, false));
    let mut values = prompt.into_iter().chain(program.map(|it| unread(it, true)));
    values.find(|it| may_be_text(&view.code(it.range)))
}

fn runs_known_agent(view: &UnitView<'_>) -> bool {
    let agent = view.flow().agent.as_ref();
    agent.is_some_and(|it| view.source(it.source).is_some())
}

fn has_prompt(view: &UnitView<'_>) -> bool {
    let mut fragments = view.fragments.iter();
    fragments.any(|it| matches!(it.tree, Tree::Template { .. }))
}

/// Whether an expression may be a text: a number, an atom and the like are not.
fn may_be_text(code: &str) -> bool {
    let is_other = |c: char| c.is_ascii_digit() || matches!(c, ':' | '-' | '[' | '{' | '%');
    !code.starts_with(is_other) && !matches!(code, "" | "nil" | "true" | "false")
}
