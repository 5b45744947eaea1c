//! The forms of tools in Elixir: a bare function, and a function with its signature.

use super::{Offer, Refactoring, Unavailable};
use crate::ide::{
    Document, fixes,
    tools::{signature_of_fields, with_signature},
};
use signature_ls_source::{
    host::elixir::tools::{Form, Tool},
    text::{TextEdit, TextRange, TextSize, size},
};

const EXPLICIT: &str = "Write the signature that the `@spec` gives";

pub(super) fn refactorings(document: &Document, offset: TextSize) -> Vec<Offer> {
    let mut found = Vec::new();
    for (placed, _) in document.units_at(offset) {
        let is_at = |it: &&Tool| (it.key.cover(it.range) + placed.start).contains_inclusive(offset);
        let tool = placed.unit.tools.iter().flatten().find(is_at);
        if let Some(tool) = tool {
            found.extend(explicit(document, tool, placed.start));
            found.extend(keyed(document, tool, placed.start).map(Ok));
        }
    }
    found.dedup();
    found
}

/// Converts `&A.run/2` to `{&A.run/2, "(q :string, n :int) -> [:map]"}`, using its `@spec`.
fn explicit(document: &Document, tool: &Tool, start: TextSize) -> Option<Offer> {
    let Form::Function(Some(capture)) = &tool.form else {
        return None;
    };
    let function = document.scope().resolve(capture)?;
    let Some(read) = function.signature() else {
        let name = &capture.name;
        let reason = format!(
            "`{name}/{}` has no `@spec` that can be read.",
            capture.arity
        );
        return Some(Err(Unavailable::new(EXPLICIT, reason)));
    };
    let of_fields = signature_of_fields(&function).flatten();
    let signature = of_fields.as_ref().unwrap_or(&read.extracted.signature);
    let edits = with_signature(tool.range + start, signature);
    fixes::are_harmless(document, &edits).then(|| Ok(Refactoring::new(EXPLICIT, edits)))
}

/// Converts between `{&A.run/2, "…"}` and `{&A.run/2, signature: "…"}`.
fn keyed(document: &Document, tool: &Tool, start: TextSize) -> Option<Refactoring> {
    let literal = tool.signature()?.literal + start;
    let range = tool.range + start;
    if !matches!(tool.form, Form::Described(_)) {
        return None;
    }
    let before = document
        .text()
        .slice(TextRange::new(range.start(), literal.start()));
    let following = document
        .text()
        .slice(TextRange::new(literal.end(), range.end()));
    let key = before
        .rfind("signature:")
        .filter(|at| before[at + "signature:".len()..].trim().is_empty());
    let is_only = following.trim() == "}" && before.matches(',').count() == 1;
    match key {
        None if is_only && before.trim_end().ends_with(',') => Some(Refactoring::new(
            "Write the signature under a key",
            vec![TextEdit::insert(literal.start(), "signature: ")],
        )),
        Some(at) if is_only => {
            let key = TextRange::new(range.start() + size(at), literal.start());
            Some(Refactoring::new(
                "Write the signature without a key",
                vec![TextEdit::delete(key)],
            ))
        }
        _ => None,
    }
}
