//! The occurrences of symbols in a document.

use super::{
    Member, Place, Symbol, in_order, key_before, returned,
    signatures::{path_of, signature_at, signatures_of, tools_with, units_using},
    tools, unit_with_own,
};
use crate::{
    ide::{Document, analysis::UnitAnalysis, mentions::Mention, unit::Target},
    model::{Edition, FieldId},
};
use signature_ls_source::{host::PlacedUnit, text::TextSize};

/// All names that refer to `symbol`, including its declarations, in the order of the text.
pub(crate) fn places(document: &Document, symbol: &Symbol) -> Vec<Place> {
    places_in(document, symbol, &|_, _| true)
}

/// The names that refer to `symbol` and are `wanted`, by the index of their unit and their target.
pub(crate) fn places_in(
    document: &Document,
    symbol: &Symbol,
    wanted: &dyn Fn(usize, &Target) -> bool,
) -> Vec<Place> {
    let search = Search { document, wanted };
    let places = match symbol {
        Symbol::Field { signature, field } => search.of_field(*signature, *field),
        Symbol::Context { unit, name } => {
            search.in_unit(*unit, &|it| matches!(it, Target::Context(it) if it == name))
        }
        Symbol::Tool { unit, agent, name } => search.of_tool(*unit, *agent, name),
        Symbol::Member { unit, member } => search.of_member(*unit, member),
        Symbol::Returned(it) => returned::places(document, it, wanted),
        Symbol::Function(function) => search.in_units(
            document.naming_functions(),
            &|it| matches!(it, Target::Function(it) if it == function),
        ),
    };
    in_order(places)
}

/// A search for the names of a document that are `wanted`, by the index of their unit and their target.
struct Search<'a> {
    document: &'a Document,
    wanted: &'a dyn Fn(usize, &Target) -> bool,
}

impl Search<'_> {
    /// The names of a unit whose target `is_meant`.
    fn in_unit(&self, unit: usize, is_meant: &dyn Fn(&Target) -> bool) -> Vec<Place> {
        in_unit(self.document, unit, |it| {
            is_meant(it) && (self.wanted)(unit, it)
        })
    }

    /// The names of all these units whose target `is_meant`.
    fn in_units(
        &self,
        units: impl Iterator<Item = usize>,
        is_meant: &dyn Fn(&Target) -> bool,
    ) -> Vec<Place> {
        units.flat_map(|it| self.in_unit(it, is_meant)).collect()
    }

    /// The names of the tool `name` of the `unit` that has it, or of the document; only those of `agent`, if there is one.
    fn of_tool(&self, unit: Option<usize>, agent: Option<TextSize>, name: &str) -> Vec<Place> {
        let document = self.document;
        let edition = document.edition();
        let is_meant =
            |it: &Target| matches!(it, Target::Tool(it) if edition.is_normal_name(name, it));
        let units = match agent {
            Some(agent) => {
                let agents = tools::agents(document, name).into_iter();
                let own = agents.filter(|(_, it)| *it == agent);
                own.map(|(unit, _)| unit).collect()
            }
            None => units_with_tool(document, name),
        };
        let units = units.into_iter();
        let units = units.filter(|it| unit_with_own(document, *it, name) == unit);
        let named = units.flat_map(|it| {
            let key = key_before(document, it);
            let key = key
                .filter(|it| is_meant(&it.name.target) && (self.wanted)(it.unit, &it.name.target));
            self.in_unit(it, &is_meant).into_iter().chain(key)
        });
        named.collect()
    }

    /// The names of an argument or a result of a tool of `unit`, or of the document.
    fn of_member(&self, unit: Option<usize>, member: &Member) -> Vec<Place> {
        let document = self.document;
        let edition = document.edition();
        let units = units_naming(document, member).into_iter();
        let units = units.filter(|it| unit_with_own(document, *it, &member.tool) == unit);
        self.in_units(units, &|it| names_member(it, member, edition))
    }

    /// The names of a field of the signature that begins at `signature`.
    fn of_field(&self, signature: TextSize, field: FieldId) -> Vec<Place> {
        let mut places = self.in_unit_of_field(signature, field);
        places.extend(self.in_units_using_field(signature, field));
        let document = self.document;
        if document.naming_functions().next().is_some() {
            for it in returned::returned_with(document, signature, field) {
                places.extend(returned::places(document, &it, self.wanted));
            }
        }
        places.extend(self.of_field_of_tools(signature, field));
        places
    }

    /// The names of a field in the units of its signature.
    fn in_unit_of_field(&self, signature: TextSize, field: FieldId) -> Vec<Place> {
        let document = self.document;
        let mut places = Vec::new();
        for unit in document.host().units_around(signature) {
            let (placed, analysis) = document.unit(unit);
            let mut fragments = analysis.fragments.iter();
            let fragment = fragments.position(|it| placed.start + it.start == signature);
            if let Some(fragment) = fragment {
                let target = Target::Field { fragment, field };
                places.extend(self.in_unit(unit, &|it| *it == target));
            }
        }
        places
    }

    /// The names of a field in the units elsewhere into which its signature flows.
    fn in_units_using_field(&self, signature: TextSize, field: FieldId) -> Vec<Place> {
        let mut places = Vec::new();
        for unit in units_using(self.document, signature) {
            let mut origins = self.document.unit(unit).0.origins();
            if let Some(source) = origins.position(|it| it == Some(signature)) {
                let target = Target::Elsewhere { source, field };
                places.extend(self.in_unit(unit, &|it| *it == target));
            }
        }
        places
    }

    /// The names of a field as an argument or a result of the tools with its signature.
    fn of_field_of_tools(&self, signature: TextSize, field: FieldId) -> Vec<Place> {
        let document = self.document;
        let edition = document.edition();
        let lowered = signature_at(document, signature);
        let Some((lowered, path)) = lowered.and_then(|it| Some((it, path_of(it, field, edition)?)))
        else {
            return Vec::new();
        };
        let mut places = Vec::new();
        for tool in tools_with(document, signature) {
            let member = Member {
                tool,
                is_input: lowered.names.is_input(field),
                path: path.clone(),
            };
            let units = units_calling(document, signature, &member).into_iter();
            places.extend(self.in_units(units, &|it| names_member(it, &member, edition)));
        }
        places
    }
}

fn names_member(target: &Target, member: &Member, edition: Edition) -> bool {
    let (tool, path) = match target {
        Target::Argument { tool, path } if member.is_input => (tool, path),
        Target::Result { tool, path } if !member.is_input => (tool, path),
        _ => return false,
    };
    *path == member.path && edition.normal_name(tool) == member.tool
}

/// The units that may name `member`, and whose calls of its tool refer to the signature that begins at `signature`.
pub(super) fn units_calling(
    document: &Document,
    signature: TextSize,
    member: &Member,
) -> Vec<usize> {
    let callers = units_naming(document, member).into_iter();
    let tool = member.tool.as_str();
    let is_of = |own| {
        let mut signatures = signatures_of(document, own, tool).into_iter();
        signatures.any(|(start, _)| start == signature)
    };
    let mut of_shared = None;
    let reaches = |unit: &usize| match unit_with_own(document, *unit, tool) {
        Some(own) => is_of(Some(own)),
        None => *of_shared.get_or_insert_with(|| is_of(None)),
    };
    callers.filter(reaches).collect()
}

/// The names of a unit with a matching target.
pub(super) fn in_unit(
    document: &Document,
    unit: usize,
    is_meant: impl Fn(&Target) -> bool,
) -> Vec<Place> {
    let (placed, analysis) = document.unit(unit);
    let meant = document.names_meant(placed, analysis, is_meant).into_iter();
    let meant = meant.map(|name| Place {
        unit,
        name: name.moved_by(placed.start),
    });
    meant.collect()
}

/// The units that register, call or list a tool of that name.
pub(super) fn units_with_tool(document: &Document, tool: &str) -> Vec<usize> {
    let units = document.mentioning(Mention::tool(tool));
    let units = units.filter(|it| {
        let (placed, analysis) = document.unit(*it);
        analysis.lists_tools || registers(document, analysis, tool) || calls(document, placed, tool)
    });
    units.collect()
}

/// The units that may name `member`: those that list or call its tool, or register it, whose prompts may list it. What the
/// tool gives is also read where a definition calls it.
pub(super) fn units_naming(document: &Document, member: &Member) -> Vec<usize> {
    let units = document.mentioning(Mention::tool(&member.tool));
    let callers = units.filter(|it| {
        let (placed, analysis) = document.unit(*it);
        let calls = || !member.is_input || calls(document, placed, &member.tool);
        analysis.lists_tools
            || analysis.is_program && calls()
            || registers(document, analysis, &member.tool)
    });
    callers.collect()
}

fn registers(document: &Document, analysis: &UnitAnalysis, tool: &str) -> bool {
    let edition = document.edition();
    let mut tools = analysis.tools.named.iter();
    tools.any(|it| edition.is_normal_name(tool, &it.name))
}

fn calls(document: &Document, placed: &PlacedUnit, tool: &str) -> bool {
    let edition = document.edition();
    let mut calls = placed.unit.program().calls.iter();
    calls.any(|it| edition.is_normal_name(tool, &it.name))
}
