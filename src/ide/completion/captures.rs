//! In the `tools:` of a call in Elixir: the functions that have a `@spec`.

use std::sync::Arc;

use super::{Completion, CompletionKind, Completions, Documentation, MOST_COMPLETIONS, Place};
use crate::{
    host::{Notation, elixir::module::Module},
    ide::Document,
    text::{TextRange, size},
};

/// The functions that can be written after `&` or `&Module.`.
pub(super) fn complete(
    document: &Document,
    place: &Place<'_>,
    others: &[Arc<Module>],
) -> Option<Completions> {
    let line = place.line();
    let start = line.rfind('&')?;
    let typed = &line[start + 1..];
    let is_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '?' | '!');
    if !typed.chars().all(is_path) {
        return None;
    }
    let in_tools = document.units_at(place.offset).any(|(placed, _)| {
        let is_elixir = placed.unit.notation == Notation::Elixir;
        let tools = placed.unit.argument("tools").filter(|_| is_elixir);
        tools.is_some_and(|it| (it.value + placed.start).contains_inclusive(place.offset))
    });
    if !in_tools {
        return None;
    }
    let items = document
        .scope()
        .functions_with_spec(others, typed, MOST_COMPLETIONS)
        .into_iter()
        .map(|it| {
            let item = Completion::new(it.written, CompletionKind::Function).detail(&it.signature);
            match it.doc {
                Some(doc) => item.documentation(Documentation::Text(doc)),
                None => item,
            }
        });
    let mut items: Vec<_> = items.collect();
    items.sort_by(|a, b| (a.label.contains('.'), &a.label).cmp(&(b.label.contains('.'), &b.label)));
    // A `/1` after the place belongs to what is replaced.
    let mut replaced = place.word(typed.len());
    let rest = place.rest();
    let behind = &rest[usize::from(replaced.end() - place.offset)..];
    let arity = behind.strip_prefix('/').map_or(0, |it| {
        1 + it.len() - it.trim_start_matches(|c: char| c.is_ascii_digit()).len()
    });
    replaced = TextRange::new(replaced.start(), replaced.end() + size(arity));
    Some(Completions { replaced, items })
}
