//! Signatures, prompts and programs that are written elsewhere or only known at run time, and may have the names of a unit.

use super::{Blind, BlindKind, Owner};
use crate::ide::{fragment::Tree, unit::UnitView};
use signature_ls_source::{
    host::{Argument, Notation, Unread},
    text::{TextRange, TextSize},
};

/// The places of `view` that may name inputs, or fields of the result.
pub(super) fn of(view: &UnitView<'_>) -> Vec<Blind> {
    let text = first_argument(view).or_else(|| argument(view)).map(|it| {
        let what = match it.is_program {
            true => BlindKind::Program,
            false => BlindKind::Prompt,
        };
        (it.range, what)
    });
    let signature = signature(view).map(|it| (it, BlindKind::Signature));
    let anchored = anchored(view).map(|it| (it, BlindKind::Anchor));
    let unread = text.into_iter().chain(signature).chain(anchored);
    let blind = unread.flat_map(|(range, what)| {
        let owners = match what {
            BlindKind::Prompt | BlindKind::Signature => &[Owner::Inputs][..],
            _ => &[Owner::Inputs, Owner::Output][..],
        };
        owners.iter().map(move |owner| Blind {
            range,
            what,
            owner: owner.clone(),
            path: Vec::new(),
        })
    });
    blind.collect()
}

/// A signature beside a prompt, where no literal is: a name in code, an alias or a merged mapping in YAML.
fn signature(view: &UnitView<'_>) -> Option<TextRange> {
    if view.agents_signature().is_some() || runs_known_agent(view) {
        return None;
    }
    let Some(signature) = view.unit.argument("signature") else {
        let merged = view.unit.argument("<<")?;
        return (view.notation() == Notation::Yaml).then_some(merged.value);
    };
    may_be_text(&view.code(signature.value)).then_some(signature.value)
}

/// A literal of YAML with an anchor, whose aliases use its text in other places.
fn anchored(view: &UnitView<'_>) -> Option<TextRange> {
    if view.notation() != Notation::Yaml {
        return None;
    }
    let mut literals = view.unit.sites.iter().map(|it| it.literal.start());
    let mut last = TextSize::default();
    let anchored = literals.find(|literal| {
        // An anchor is between the literal and the one before it.
        let from = std::mem::replace(&mut last, *literal).min(*literal);
        let before = view.code(TextRange::new(from, *literal));
        let word = before.split_whitespace().next_back();
        word.is_some_and(|it| it.starts_with('&'))
    });
    anchored.map(TextRange::empty)
}

/// The first argument of a call in Elixir. One that refers to a literal or an agent elsewhere is known.
fn first_argument(view: &UnitView<'_>) -> Option<Unread> {
    let unread = view.unit.extras.unread?;
    let is_known = match unread.is_program {
        true => view.program_literal().is_some(),
        false => has_prompt(view) || runs_known_agent(view),
    };
    (!is_known).then_some(unread)
}

/// The value of a key for prompts, or for programs in Lisp. In data only an alias of YAML stands for a text.
fn argument(view: &UnitView<'_>) -> Option<Unread> {
    let is_lisp = view.notation() == Notation::Lisp;
    let is_code = is_lisp || view.notation() == Notation::Elixir;
    let names_anchor = |it: TextRange| is_alias(view, &view.code(it));
    let prompt = view.unit.argument("prompt");
    let prompt = prompt.filter(|it| (is_code || names_anchor(it.value)) && !has_prompt(view));
    let has_program = !view.program().is_empty() || !view.program().code.is_empty();
    let program = view
        .unit
        .argument("program")
        .filter(|_| is_lisp && !has_program);
    let unread = |it: &Argument, is_program| Unread {
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

fn is_alias(view: &UnitView<'_>, code: &str) -> bool {
    view.notation() == Notation::Yaml && code.starts_with('*')
}

/// Whether an expression may be a text: a number, an atom and the like are not.
fn may_be_text(code: &str) -> bool {
    let is_other = |c: char| c.is_ascii_digit() || matches!(c, ':' | '-' | '[' | '{' | '%');
    !code.starts_with(is_other) && !matches!(code, "" | "nil" | "null" | "true" | "false")
}
