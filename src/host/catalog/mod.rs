//! Catalogs (`.sig`): each entry is a unit, a tool with its description.

#[cfg(test)]
mod tests;

use rowan::GreenNode;

use crate::{
    host::{PlacedUnit, Role, Site, Unit, UnitChange, UnitKind, evidence::Evidence, units::Units},
    syntax::{
        catalog::{
            self,
            ast::{self, Entry},
        },
        fragment::{Escapes, Foreign},
        kind::{SyntaxKind, SyntaxNode},
    },
    text::{Text, TextEdit, TextRange, TextSize},
};

/// What is kept of a catalog from edit to edit.
#[derive(Debug, Clone)]
pub struct Document {
    green: GreenNode,
}

impl Document {
    /// Reads the whole of `text`.
    pub fn parse(text: &Text) -> (Self, Vec<PlacedUnit>) {
        let whole = TextRange::up_to(text.len());
        let green = catalog::parse(&text.slice(whole));
        let mut units = Vec::new();
        collect(&SyntaxNode::new_root(green.clone()), whole, &mut units);
        (Self { green }, units)
    }

    /// Follows an edit; `None` where the whole document has to be read again.
    pub fn edit(&mut self, edit: &TextEdit, units: &mut Units) -> Option<UnitChange> {
        let reparsed = catalog::edit(&self.green, edit)?;
        self.green = reparsed.green;
        let root = SyntaxNode::new_root(self.green.clone());
        let mut new_units = Vec::new();
        collect(&root, reparsed.range, &mut new_units);
        let ranges = new_units
            .iter()
            .map(|it| TextRange::at(it.start, it.unit.len));
        let new = ranges.fold(reparsed.range, TextRange::cover);
        let old_end = new.end() + edit.range.len() - TextSize::of(edit.insert.as_str());
        let removed = units.beginning_in(TextRange::new(new.start(), old_end));
        Some(units.replace(removed, new_units, edit))
    }
}

/// Adds the units of the entries below `node` that share a byte with `range`.
fn collect(node: &SyntaxNode, range: TextRange, units: &mut Vec<PlacedUnit>) {
    for child in node.children() {
        let common = child.text_range().intersect(range);
        if common.is_none_or(TextRange::is_empty) {
            continue;
        }
        match child.kind() {
            SyntaxKind::Entries => collect(&child, range, units),
            _ => units.extend(Entry::cast(child).map(|entry| unit(&entry))),
        }
    }
}

fn unit(entry: &Entry) -> PlacedUnit {
    let range = entry.syntax().text_range();
    let name = entry.name().map(|it| it.text().to_owned());
    let site = |role: Role, content: TextRange, foreign: Vec<Foreign>| Site {
        role,
        name: name.clone(),
        literal: content - range.start(),
        content: content - range.start(),
        escapes: Escapes::None,
        foreign,
    };
    let signature = entry
        .signature()
        .map(|it| site(Role::Tool, it.text_range(), ast::comments(&it)));
    let description = entry
        .description()
        .filter(|_| signature.is_some())
        .map(|it| site(Role::Description, it.text_range(), it.margins()));
    let unit = Unit {
        len: range.len(),
        sites: signature.into_iter().chain(description).collect(),
        kind: UnitKind::CatalogEntry(entry.syntax().green().to_owned()),
        evidence: Evidence::Certain,
        ..Unit::default()
    };
    PlacedUnit::new(range.start(), unit)
}
