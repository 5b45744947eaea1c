//! Definitions, references, renames and selections.

use serde::Serialize;
use signature_ls_analysis::ide::{self, Document, Refusal};
use signature_ls_source::text::TextSize;

use crate::{
    positions::{Range, changes, range},
    session::{Answer, json},
};

/// Where the name at `offset` is defined.
pub(super) fn definition(document: &Document, offset: TextSize) -> Vec<Range> {
    let links = ide::definitions(document, offset);
    let targets = links.iter().map(|it| range(document.text(), it.target));
    targets.collect()
}

/// Where the type of the name at `offset` is defined.
pub(super) fn type_definition(document: &Document, offset: TextSize) -> Vec<Range> {
    let links = ide::type_definitions(document, offset);
    let targets = links.iter().map(|it| range(document.text(), it.target));
    targets.collect()
}

/// What can be selected around `offset`, the smallest first.
pub(super) fn selection(document: &Document, offset: TextSize) -> Vec<Range> {
    let ranges = ide::selection(document, offset).into_iter();
    ranges.map(|it| range(document.text(), it)).collect()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reference {
    #[serde(flatten)]
    range: Range,
    is_definition: bool,
}

/// All occurrences of the name at `offset`.
pub(super) fn references(document: &Document, offset: TextSize) -> Vec<Reference> {
    let found = ide::highlights(document, offset).into_iter();
    let references = found.map(|it| Reference {
        range: range(document.text(), it.range),
        is_definition: it.is_definition,
    });
    references.collect()
}

#[derive(Serialize)]
struct Renamable {
    #[serde(flatten)]
    range: Range,
    name: String,
}

/// The name that can be renamed at `offset`, or why it cannot.
pub(super) fn prepare_rename(document: &Document, offset: TextSize) -> Answer {
    let found = ide::prepare_rename(document, offset).map_err(|Refusal(reason)| reason)?;
    json(found.map(|it| Renamable {
        range: range(document.text(), it.range),
        name: it.name,
    }))
}

/// The edits that rename the name at `offset`, or why it cannot be renamed.
pub(super) fn rename(document: &Document, offset: TextSize, name: &str) -> Answer {
    let edits = ide::rename(document, offset, name).map_err(|Refusal(reason)| reason)?;
    json(edits.map(|it| changes(document.text(), &it)))
}
