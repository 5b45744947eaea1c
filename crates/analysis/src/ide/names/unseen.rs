//! Places that may refer to a symbol and cannot be read.

use super::{
    Member, Symbol,
    places::{units_calling, units_naming},
    returned,
    signatures::{member_of, path_of, signature_at, units_using},
    unit_with_own,
};
use crate::{
    ide::{
        Document,
        unit::{Blind, BlindKind, Owner},
    },
    model::FieldId,
};
use signature_ls_source::{
    host::{Notation, PlacedUnit},
    text::{TextRange, TextSize},
};

/// A place that may refer to `symbol` and cannot be read.
pub(crate) fn unseen(document: &Document, symbol: &Symbol) -> Option<(TextRange, BlindKind)> {
    match symbol {
        Symbol::Field { signature, field } => {
            unseen_field(document, *signature, *field).or_else(|| {
                let member = member_of(document, *signature, *field)?;
                let mut units = units_calling(document, *signature, &member).into_iter();
                units.find_map(|unit| unseen_argument(document, unit, &member))
            })
        }
        Symbol::Context { unit, name } => blind(document, *unit, |it| {
            it.owner == Owner::Inputs && may_hold(it, std::slice::from_ref(name))
        }),
        Symbol::Member { unit, member } => {
            let units = units_naming(document, member).into_iter();
            let mut units = units.filter(|it| unit_with_own(document, *it, &member.tool) == *unit);
            units.find_map(|it| unseen_argument(document, it, member))
        }
        Symbol::Returned(returned) => returned::unseen(document, returned),
        Symbol::Tool { .. } | Symbol::Function(_) => None,
    }
}

/// A place in a unit that may name an argument of a tool and cannot be read.
fn unseen_argument(
    document: &Document,
    unit: usize,
    member: &Member,
) -> Option<(TextRange, BlindKind)> {
    let edition = document.edition();
    blind(document, unit, |it| {
        let is_owner =
            matches!(&it.owner, Owner::Tool(it) if edition.is_normal_name(&member.tool, it));
        member.is_input && is_owner && may_hold(it, &member.path)
    })
}

fn unseen_field(
    document: &Document,
    signature: TextSize,
    field: FieldId,
) -> Option<(TextRange, BlindKind)> {
    let known = signature_at(document, signature)?;
    let owner = match known.names.is_input(field) {
        true => Owner::Inputs,
        false => Owner::Output,
    };
    let path = path_of(known, field, document.edition())?;
    let around = document.host().units_around(signature).into_iter();
    let using = units_using(document, signature).into_iter();
    let running = using.filter(|it| runs(document.unit(*it).0, signature));
    let mut units = around.chain(running);
    units.find_map(|unit| {
        let (placed, analysis) = document.unit(unit);
        if let Some(anchor) = anchor_before(document, placed) {
            return Some((anchor, BlindKind::Anchor));
        }
        let mut signatures = analysis
            .fragments
            .iter()
            .filter(|it| it.lowered().is_some());
        let is_agents = signatures
            .next()
            .is_some_and(|it| placed.start + it.start == signature)
            || runs(placed, signature);
        let is_meant = |it: &Blind| is_agents && it.owner == owner && may_hold(it, &path);
        blind(document, unit, is_meant)
    })
}

/// The anchor of a mapping in YAML, by which others may contain its entries.
fn anchor_before(document: &Document, placed: &PlacedUnit) -> Option<TextRange> {
    /// The maximum length of an anchor with the white space after it.
    const LONGEST_ANCHOR: u32 = 128;
    if placed.unit.notation != Notation::Yaml {
        return None;
    }
    let literals = placed.unit.sites.iter().map(|it| it.literal.start());
    let keys = placed.unit.arguments.iter().map(|it| it.key_range.start());
    let first = literals.chain(keys).min()? + placed.start;
    let start = placed.start;
    let before = start.checked_sub(LONGEST_ANCHOR.into()).unwrap_or_default();
    let before = document.text().slice(TextRange::new(before, start));
    let word = before.split_whitespace().next_back().unwrap_or_default();
    // A mapping in block style begins with its anchor.
    let inside = document.text().slice(TextRange::new(start, first));
    let is_anchored = word.starts_with('&') || inside.starts_with('&');
    is_anchored.then(|| TextRange::empty(first))
}

/// Whether a unit runs the agent whose signature begins there.
fn runs(placed: &PlacedUnit, signature: TextSize) -> bool {
    let agent = placed.unit.flow.agent.as_ref();
    agent.is_some_and(|it| placed.origin(it.source) == Some(signature))
}

pub(super) fn blind(
    document: &Document,
    unit: usize,
    is_meant: impl Fn(&Blind) -> bool,
) -> Option<(TextRange, BlindKind)> {
    let (placed, analysis) = document.unit(unit);
    let mut blind = document.names_of(placed, analysis).blind.iter();
    let found = blind.find(|it| is_meant(it))?;
    Some((found.range + placed.start, found.what))
}

/// Whether a place may contain the last name of `path`.
pub(super) fn may_hold(blind: &Blind, path: &[String]) -> bool {
    match blind.what {
        BlindKind::Binding | BlindKind::Key => blind.path == path,
        _ => blind.path.len() < path.len() && path.starts_with(&blind.path),
    }
}
