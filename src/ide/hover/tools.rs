//! The function behind a tool: its signature and what it says of itself.

use super::Hover;
use crate::{
    host::{
        PlacedUnit,
        elixir::tools::{Form, Tool},
    },
    ide::Document,
    model::render::prompt_entry,
    text::TextSize,
};

/// Tells of the tool at `at`, in bytes from the unit's start, if it is a function with a spec.
pub(super) fn hover(document: &Document, placed: &PlacedUnit, at: TextSize) -> Option<Hover> {
    let tools = placed.unit.tools.as_deref()?;
    let covers = |it: &Tool| it.key.cover(it.range);
    let tool = tools.iter().find(|it| covers(it).contains_inclusive(at))?;
    let Form::Function(Some(capture)) = &tool.form else {
        return None;
    };
    let function = document.scope().resolve(capture)?;
    let extracted = function.signature()?;
    let name = tool.name.as_deref().unwrap_or(&capture.name);
    let doc = function.function.doc.as_deref();
    let entry = prompt_entry(name, &extracted.signature, doc, document.edition());
    let (module, arity) = (&function.module.name, capture.arity);
    Some(Hover {
        range: covers(tool),
        markdown: format!(
            "{}\nfrom the `@spec` of `{module}.{}/{arity}`",
            super::code(&entry),
            capture.name
        ),
    })
}
