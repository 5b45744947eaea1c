//! Tools of one name that are different: those of agents that share no program.

use super::{
    key_before,
    places::{in_unit, units_with_tool},
    unit_with_own,
};
use crate::ide::{Document, unit::Target};
use signature_ls_source::{
    host::Notation,
    text::{TextRange, TextSize, size},
};

/// The tools that more units name are taken for one.
const MOST_UNITS: usize = 256;

/// The maximum number of lines from the key of a tool to the key of all tools.
const MOST_LINES: usize = 1_000;

/// The agent that has the tool `name`, in normal form, which `unit` names; `None` if all tools of that name are one.
pub(super) fn agent(document: &Document, unit: usize, name: &str) -> Option<TextSize> {
    let agents = agents(document, name).into_iter();
    let mut own = agents.filter(|(it, _)| *it == unit);
    own.next().map(|(_, agent)| agent)
}

/// The units that name the tool `name`, in normal form, and their agents; none if a program or a listing may mean the tool
/// of any of them.
pub(super) fn agents(document: &Document, name: &str) -> Vec<(usize, TextSize)> {
    let units = units_with_tool(document, name);
    if units.len() > MOST_UNITS {
        return Vec::new();
    }
    let shared = units.into_iter();
    let shared = shared.filter(|it| unit_with_own(document, *it, name).is_none());
    let agents: Option<Vec<_>> = shared
        .map(|it| Some((it, agent_of(document, it, name)?)))
        .collect();
    agents.unwrap_or_default()
}

/// Whether an `agent` with the tool `name` may have the tool `other` too, which `unit` names. Both are in normal form.
pub(super) fn may_have(
    document: &Document,
    (agent, name): (TextSize, &str),
    (unit, other): (usize, &str),
) -> bool {
    let agents = [name, other].map(|it| agent_of(document, unit, it));
    agents.contains(&Some(agent)) || agents == [None, None]
}

/// A place that stands for the agent whose tool `name` is in `unit`, if that is certain: in Elixir the key of the tool,
/// elsewhere the line around the keys of all its tools.
fn agent_of(document: &Document, unit: usize, name: &str) -> Option<TextSize> {
    let (placed, analysis) = document.unit(unit);
    let edition = document.edition();
    let mut calls = placed.unit.program().calls.iter();
    if analysis.lists_tools || calls.any(|it| edition.is_normal_name(name, &it.name)) {
        return None;
    }
    match placed.unit.notation {
        Notation::Elixir => {
            let around = document.host().units_around(placed.start).into_iter();
            let mut tools = [unit].into_iter().chain(around).flat_map(|it| {
                let (around, _) = document.unit(it);
                let tools = around.unit.tools.iter().flatten();
                let tools = tools.filter(move |tool| {
                    it == unit || (tool.range + around.start).contains(placed.start)
                });
                tools.map(|it| (it, it.key.start() + around.start))
            });
            let (_, key) = tools.find(|(it, _)| {
                let name_of = it.name.as_ref();
                name_of.is_some_and(|it| edition.is_normal_name(name, it))
            })?;
            Some(key)
        }
        Notation::Yaml | Notation::Json => {
            let is_it =
                |it: &Target| matches!(it, Target::Tool(it) if edition.is_normal_name(name, it));
            let key = in_unit(document, unit, is_it).into_iter().next();
            let key = key.or_else(|| key_before(document, unit))?;
            line_around(document, key.name.range.start())
        }
        Notation::Lisp => None,
    }
}

/// The start of the line that is indented less than that of the key at `offset`, if the key is the first one of its own
/// line.
fn line_around(document: &Document, offset: TextSize) -> Option<TextSize> {
    let text = document.text();
    let line = text.line_range(offset);
    let before = text.slice(TextRange::new(line.start(), offset));
    let indentation = before.trim_end_matches(['"', '\'']).len();
    if !before[..indentation].trim_start().is_empty() {
        return None;
    }
    let mut start = line.start();
    for _ in 0..MOST_LINES {
        let line = text.line_range(start.checked_sub(size(1))?);
        let written = text.slice(line);
        let content = written.trim_start();
        let is_less = written.len() - content.len() < indentation;
        if is_less && !content.is_empty() && !content.starts_with('#') {
            return Some(line.start());
        }
        start = line.start();
    }
    None
}
