//! The signatures that declare names, and those of tools.

use crate::{
    host::Role,
    ide::{
        Document,
        analysis::UnitAnalysis,
        fragment::{Fragment, Tree},
    },
    model::{Edition, FieldId, Lowered},
    text::{TextRange, TextSize},
};

/// The signature that begins at `start`.
pub(crate) fn signature_at(document: &Document, start: TextSize) -> Option<&Lowered> {
    let mut units = document.units_at(start);
    units.find_map(|(placed, analysis)| {
        let mut fragments = analysis.fragments.iter();
        let fragment = fragments.find(|it| {
            placed.start + it.start == start && matches!(it.tree, Tree::Signature { .. })
        });
        fragment?.lowered()
    })
}

/// The declaration of a field of the signature that begins at `signature`.
pub(crate) fn declaration(
    document: &Document,
    signature: TextSize,
    field: FieldId,
) -> Option<TextRange> {
    let lowered = signature_at(document, signature)?;
    Some(lowered.names.get(field)?.range + signature)
}

/// The signatures of a tool, and their starts.
pub(crate) fn signatures_of<'a>(
    document: &'a Document,
    unit: Option<usize>,
    tool: &str,
) -> Vec<(TextSize, &'a Lowered)> {
    if let Some(unit) = unit {
        return own_signatures(document, unit, tool);
    }
    let all = document.units().flat_map(|(placed, analysis)| {
        let fragments = tool_fragments(document, analysis, tool);
        fragments.filter_map(|it| Some((placed.start + it.start, it.lowered()?)))
    });
    let all: Vec<_> = all.collect();
    let shared = |it: &&(TextSize, &Lowered)| owner_of_tools(document, it.0).is_none();
    let open: Vec<_> = all.iter().filter(shared).copied().collect();
    if open.is_empty() { all } else { open }
}

/// The unit around `offset` that contains a program and its tools.
fn owner_of_tools(document: &Document, offset: TextSize) -> Option<usize> {
    let mut units = document.host().units_around(offset).into_iter();
    units.find(|&unit| {
        let (placed, _) = document.unit(unit);
        let tools = placed.unit.argument("tools");
        placed.unit.program.literal.is_some()
            && tools.is_some_and(|it| (it.value + placed.start).contains_inclusive(offset))
    })
}

fn own_signatures<'a>(
    document: &'a Document,
    unit: usize,
    tool: &str,
) -> Vec<(TextSize, &'a Lowered)> {
    let (placed, _) = document.unit(unit);
    let Some(tools) = placed.unit.argument("tools") else {
        return Vec::new();
    };
    let range = tools.value + placed.start;
    let inside = document.host().units_in(range).map(|it| document.unit(it));
    let signatures = inside.flat_map(|(placed, analysis)| {
        let fragments = tool_fragments(document, analysis, tool);
        fragments.filter_map(|it| Some((placed.start + it.start, it.lowered()?)))
    });
    signatures
        .filter(|(start, _)| range.contains(*start))
        .collect()
}

/// The signatures in a unit of tools with that name.
fn tool_fragments<'a>(
    document: &Document,
    analysis: &'a UnitAnalysis,
    tool: &str,
) -> impl Iterator<Item = &'a Fragment> {
    let edition = document.edition();
    analysis.fragments.iter().filter(move |it| {
        let name = it.name.as_ref().filter(|_| it.role == Role::Tool);
        name.is_some_and(|it| edition.normal_name(it) == tool)
    })
}

/// The path of an input, in normal form.
fn input_path(lowered: &Lowered, field: FieldId, edition: Edition) -> Option<Vec<String>> {
    path_of(lowered, field, edition).filter(|_| lowered.names.is_input(field))
}

/// The path of a parameter or field, in normal form.
pub(super) fn path_of(lowered: &Lowered, field: FieldId, edition: Edition) -> Option<Vec<String>> {
    let (names, signature) = (&lowered.names, &lowered.signature);
    let path = names.ancestry(field).into_iter().map(|it| {
        let field = names.field(signature, it)?;
        Some(edition.normal_name(&field.name))
    });
    path.collect()
}

/// The tool whose signature begins at `signature`, and the path of one of its inputs.
pub(super) fn argument_of(
    document: &Document,
    signature: TextSize,
    field: FieldId,
) -> Option<(String, Vec<String>)> {
    let edition = document.edition();
    let mut units = document.units_at(signature);
    units.find_map(|(placed, analysis)| {
        let mut fragments = analysis.fragments.iter();
        let fragment = fragments.find(|it| placed.start + it.start == signature)?;
        let tool = fragment
            .name
            .as_ref()
            .filter(|_| fragment.role == Role::Tool)?;
        let path = input_path(fragment.lowered()?, field, edition)?;
        Some((edition.normal_name(tool), path))
    })
}
