//! In the `tools:` of a call in Elixir, and in a named map of tools: the functions with a `@spec`.

use std::sync::Arc;

use super::{Completion, CompletionKind, Completions, Documentation, MOST_COMPLETIONS, Place};
use crate::ide::{
    Document,
    scan::{Scan, scan},
};
use signature_ls_source::{
    host::{Notation, elixir::module::Module},
    order,
    text::{TextRange, size},
};

/// The length of the text before a place that is read, in bytes.
const MOST_BYTES: u32 = 64 * 1024;

/// The completions after `&` or `&Module.`.
pub(super) fn complete(
    document: &Document,
    place: &Place<'_>,
    others: &[Arc<Module>],
) -> Option<Completions> {
    let typed = &typed(document, place)?;
    let here = module_around(place);
    let items = document
        .scope()
        .functions_with_spec(others, here.as_deref(), typed, MOST_COMPLETIONS)
        .into_iter()
        .map(|it| {
            let item = Completion::new(it.written, CompletionKind::Function).detail(&it.signature);
            match it.doc {
                Some(doc) => item.documentation(Documentation::Text(doc)),
                None => item,
            }
        });
    let mut items: Vec<_> = items.collect();
    order::by_name(&mut items, |it| &it.label);
    order::by_number(&mut items, |it| it.label.contains('.'));
    // The rest of the path after the place is replaced too, with the arity.
    let rest = place.rest();
    let following = rest.trim_start_matches(is_path);
    let arity = following.strip_prefix('/').map_or(0, |it| {
        1 + it.len() - it.trim_start_matches(|c: char| c.is_ascii_digit()).len()
    });
    let end = place.offset + size(rest.len() - following.len() + arity);
    let replaced = TextRange::new(place.offset - size(typed.len()), end);
    Some(Completions { replaced, items })
}

/// The text between `&` and the place, if the function of a tool is expected there.
pub(super) fn typed(document: &Document, place: &Place<'_>) -> Option<String> {
    let line = place.line();
    let typed = &line[line.rfind('&')? + 1..];
    if !typed.chars().all(is_path) {
        return None;
    }
    let in_call = || {
        document.units_at(place.offset).any(|(placed, _)| {
            let is_elixir = placed.unit.notation == Notation::Elixir;
            let tools = placed.unit.argument("tools").filter(|_| is_elixir);
            tools.is_some_and(|it| (it.value + placed.start).contains_inclusive(place.offset))
        })
    };
    let is_among_tools = in_call() || (document.is_ours() && in_bound_tools(place));
    is_among_tools.then(|| typed.to_owned())
}

fn is_path(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '?' | '!')
}

/// The number of maps of tools before the place that are read.
const MOST_MAPS: usize = 8;

/// Whether the place is in a map whose name suggests tools: `@tools %{…}`, `my_tools = %{…}`.
fn in_bound_tools(place: &Place<'_>) -> bool {
    let before = place.before(MOST_BYTES);
    let named = before.rmatch_indices("tools").filter_map(|(at, word)| {
        let bound = before[at + word.len()..].trim_start();
        let bound = bound.strip_prefix('=').map_or(bound, str::trim_start);
        bound.starts_with("%{").then_some(bound)
    });
    // A closed map counts as an item.
    let is_open = |it: Scan| it.open.len() > 1 && it.open[0].items == ["%"];
    let mut named = named.take(MOST_MAPS);
    named.any(|bound| scan(bound, Notation::Elixir).is_some_and(is_open))
}

/// The module around the place, by the lines above it that are indented less.
fn module_around(place: &Place<'_>) -> Option<String> {
    let before = place.before(MOST_BYTES);
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = before.lines().rev();
    let mut inner = indent(lines.next()?);
    let mut names = Vec::new();
    for line in lines {
        let Some(rest) = line.trim_start().strip_prefix("defmodule ") else {
            continue;
        };
        if indent(line) < inner {
            inner = indent(line);
            names.push(rest.split([' ', ',']).next()?);
        }
    }
    names.reverse();
    (!names.is_empty()).then(|| names.join("."))
}
