//! The names in a map or a list of tools that are duplicates, or have no signature.

use std::sync::Arc;

use foldhash::HashSet;

use crate::{
    host::{Notation, PlacedUnit, Role, Unit, UnitKind, evidence::Evidence},
    text::TextRange,
};

/// The name of a tool that needs its own unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolName {
    /// The name.
    pub name: Arc<str>,
    /// Whether the tool has a signature, which has its own unit.
    pub is_signed: bool,
    /// Whether an earlier tool has the same name.
    pub is_repeated: bool,
}

/// A tool in a map or a list of tools.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) name: String,
    /// Where its name is, in bytes of the document.
    pub(super) range: TextRange,
    pub(super) is_signed: bool,
}

/// The units of the names in one map or list that are duplicates or have no signature. If no tool has one, the map is
/// something else.
pub(super) fn units(tools: Vec<Named>, notation: Notation) -> Vec<PlacedUnit> {
    if !tools.iter().any(|it| it.is_signed) {
        return Vec::new();
    }
    let mut seen = HashSet::default();
    let mut units = Vec::new();
    for tool in tools {
        let is_repeated = !seen.insert(tool.name.clone());
        if is_repeated || !tool.is_signed {
            let unit = Unit {
                len: tool.range.len(),
                notation,
                evidence: Evidence::Possible,
                kind: UnitKind::ToolName(Box::new(ToolName {
                    name: tool.name.into(),
                    is_signed: tool.is_signed,
                    is_repeated,
                })),
                ..Unit::default()
            };
            units.push(PlacedUnit::new(tool.range.start(), unit));
        }
    }
    units
}

/// Whether one of `units` has the signature of the tool `name`.
pub(super) fn is_signed(units: &[PlacedUnit], name: &str) -> bool {
    units.iter().any(|it| signed(it).any(|it| it == name))
}

/// The names of the tools with their signature in a unit.
pub(super) fn signed(placed: &PlacedUnit) -> impl Iterator<Item = &str> {
    let sites = placed.unit.sites.iter();
    let tools = sites.filter(|site| site.role == Role::Tool);
    tools.filter_map(|site| site.name.as_deref())
}
