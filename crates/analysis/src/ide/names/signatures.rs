//! The signatures that declare names, and those of tools.

use std::{borrow::Cow, collections::BTreeSet};

use foldhash::HashSet;

use super::Member;
use crate::{
    ide::{Document, analysis::UnitAnalysis, fragment::Tree, mentions::Mention},
    model::{Edition, FieldId, Lowered},
};
use signature_ls_source::{
    host::{PlacedUnit, Role, flow::letters_of},
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

/// The text of the literal whose content begins at `start`.
pub(super) fn text_at(document: &Document, start: TextSize) -> Option<Cow<'_, str>> {
    document.units_at(start).find_map(|(placed, _)| {
        let mut sites = placed.unit.sites.iter();
        let site = sites.find(|it| placed.start + it.content.start() == start)?;
        Some(document.text().slice(site.content + placed.start))
    })
}

/// The units elsewhere into which the signature flows whose text begins at `signature`, in rising order. There may be
/// others among them, into which another signature flows.
pub(crate) fn units_using(document: &Document, signature: TextSize) -> Vec<usize> {
    let mention = text_at(document, signature).map(|it| Mention::signature(letters_of(&it)));
    let units = mention.into_iter().flat_map(|it| document.mentioning(it));
    units.collect()
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
    let units = document.mentioning(Mention::tool(tool));
    let units = units.map(|it| document.unit(it));
    let all = each_once(units.flat_map(|(placed, analysis)| {
        let written = written(document, placed, analysis, tool);
        written.chain(registered(document, placed, tool))
    }));
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
        placed.unit.program_literal().is_some()
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
    let written = inside.flat_map(|(placed, analysis)| written(document, placed, analysis, tool));
    let written = written.filter(|(start, _)| range.contains(*start));
    // What is bound to a name is outside of the value.
    each_once(written.chain(registered(document, placed, tool)))
}

/// The signatures in a unit that are of a tool with that name.
fn written<'a>(
    document: &Document,
    placed: &PlacedUnit,
    analysis: &'a UnitAnalysis,
    tool: &str,
) -> impl Iterator<Item = (TextSize, &'a Lowered)> {
    let (edition, start) = (document.edition(), placed.start);
    let of_tool = analysis.fragments.iter().filter(move |it| {
        let name = it.name.as_ref().filter(|_| it.role == Role::Tool);
        name.is_some_and(|it| edition.is_normal_name(tool, it))
    });
    of_tool.filter_map(move |it| Some((start + it.start, it.lowered()?)))
}

/// The signatures of what a unit registers as a tool with that name. That of an agent is in the agent's own unit.
fn registered<'a>(
    document: &'a Document,
    placed: &PlacedUnit,
    tool: &str,
) -> impl Iterator<Item = (TextSize, &'a Lowered)> {
    let edition = document.edition();
    let tools = placed.unit.tools.iter().flatten();
    let named = tools.filter(move |it| {
        let name = it.name.as_ref();
        name.is_some_and(|it| edition.is_normal_name(tool, it))
    });
    named.filter_map(|it| {
        let start = it.signature()?.content.start() + placed.start;
        Some((start, signature_at(document, start)?))
    })
}

fn each_once<'a>(
    signatures: impl Iterator<Item = (TextSize, &'a Lowered)>,
) -> Vec<(TextSize, &'a Lowered)> {
    let mut seen = HashSet::default();
    signatures
        .filter(|(start, _)| seen.insert(*start))
        .collect()
}

/// The tools in normal form that have the signature whose text begins at `signature`.
pub(super) fn tools_with(document: &Document, signature: TextSize) -> BTreeSet<String> {
    let units = document.units_at(signature);
    let names = units.flat_map(|(placed, analysis)| {
        let at = signature.checked_sub(placed.start);
        let described = analysis.fragments.iter();
        let described = described.filter(move |it| it.role == Role::Tool && Some(it.start) == at);
        let registered = placed.unit.tools.iter().flatten();
        let registered =
            registered.filter(move |it| it.signature().map(|it| it.content.start()) == at);
        let described = described.filter_map(|it| it.name.as_ref());
        described.chain(registered.filter_map(|it| it.name.as_ref()))
    });
    names.map(|it| document.edition().normal_name(it)).collect()
}

/// The path of a parameter or field, in normal form.
pub(crate) fn path_of(lowered: &Lowered, field: FieldId, edition: Edition) -> Option<Vec<String>> {
    lowered.names.path(&lowered.signature, field, edition)
}

/// The member of a tool that a field of the signature is that begins at `signature`.
pub(super) fn member_of(
    document: &Document,
    signature: TextSize,
    field: FieldId,
) -> Option<Member> {
    let tool = tools_with(document, signature).pop_first()?;
    let lowered = signature_at(document, signature)?;
    Some(Member {
        tool,
        is_input: lowered.names.is_input(field),
        path: path_of(lowered, field, document.edition())?,
    })
}
