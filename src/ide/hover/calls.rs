//! The tool that a program calls.

use super::Hover;
use crate::{
    host::{PlacedUnit, lisp::ToolCall},
    ide::Document,
    model::render::prompt_entry,
    text::TextSize,
};

/// Tells of the tool whose call has its name at `at`, in bytes from the unit's start.
pub(super) fn hover(document: &Document, placed: &PlacedUnit, at: TextSize) -> Option<Hover> {
    let is_at = |it: &&ToolCall| it.callee.contains_inclusive(at);
    let call = placed.unit.program.calls.iter().find(is_at)?;
    let tools = document.tools_of(placed);
    let edition = document.edition();
    let signature = tools.signature(&call.name)?;
    let entry = prompt_entry(&call.name, signature, None, edition);
    Some(Hover {
        range: call.callee,
        markdown: super::code(&entry),
    })
}
