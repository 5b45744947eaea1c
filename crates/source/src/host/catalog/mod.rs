//! Catalogs (`.sig`): each entry is a unit, a tool with its description.

#[cfg(test)]
mod tests;

use std::{ptr, sync::Arc};

use foldhash::HashMap;
use rowan::GreenNode;

use crate::{
    host::{
        PlacedUnit, Role, Site, Unit, UnitChange, UnitKind,
        evidence::{self, Evidence},
        units::Units,
    },
    parallel,
    syntax::{
        catalog::{
            self, Line,
            ast::{self, Entry},
        },
        fragment::{Escapes, Foreign},
        kind::{SyntaxKind, SyntaxNode},
    },
    text::{Text, TextEdit, TextRange, TextSize},
};

/// Whether a file that begins with `text` is a catalog: OpenPGP, Standard ML and λProlog have files of the same name. At
/// least half of its lines begin entries or read as signatures of ours, or there are only comments.
pub fn is_catalog(text: &str) -> bool {
    let (mut ours, mut others) = (0_usize, 0_usize);
    for line in catalog::lines_at_margin(text) {
        let is_ours = match line {
            Line::Entry => true,
            Line::Other(line) => evidence::of_signature(line) == Some(Evidence::Likely),
        };
        match is_ours {
            true => ours += 1,
            false => others += 1,
        }
    }
    ours >= others
}

/// Whether `text`, which is `whole` in one piece, has more than `most` entries for certain. It is not parsed for that,
/// which takes memory.
pub fn certainly_has_more(text: &Text, whole: &str, most: usize) -> bool {
    text.rope().len_lines() > most && catalog::certainly_has_more(whole, most)
}

/// A catalog, updated from edit to edit.
#[derive(Debug, Clone)]
pub struct Document {
    green: GreenNode,
}

impl Document {
    /// Parses all of `text`; at most the first `most` units are returned.
    pub fn parse(text: &str, most: usize) -> (Self, Vec<PlacedUnit>) {
        let green = catalog::parse(text);
        let units = units(&green, most);
        (Self { green }, units)
    }

    /// Applies an edit; `None` if the whole document has to be parsed again.
    pub fn edit(&mut self, edit: &TextEdit, units: &mut Units) -> Option<UnitChange> {
        let reparsed = catalog::edit(&self.green, edit)?;
        self.green = reparsed.green;
        let root = SyntaxNode::new_root(self.green.clone());
        let mut entries = Entries::up_to(usize::MAX);
        entries.collect(&root, reparsed.range);
        let new_units = entries.units;
        let ranges = new_units.iter().map(|it| it.range());
        let new = ranges.fold(reparsed.range, TextRange::cover);
        let old_end = new.end() + edit.range.len() - TextSize::of(edit.insert.as_str());
        let removed = units.beginning_in(TextRange::new(new.start(), old_end));
        Some(units.replace(removed, new_units, edit))
    }
}

/// Finds the units of `text`, a catalog that is read once: `look` gets those of each stretch, and returns the least
/// length of the next one, if it needs one; that of the first is `first`.
pub fn in_stretches(
    text: &str,
    first: TextSize,
    look: &mut dyn FnMut(Vec<PlacedUnit>) -> Option<TextSize>,
) {
    catalog::in_stretches(text, first, &mut |start, green| {
        let mut entries = Entries::up_to(usize::MAX);
        let whole = TextRange::up_to(green.text_len());
        entries.collect(&SyntaxNode::new_root(green), whole);
        for unit in &mut entries.units {
            unit.start += start;
        }
        look(entries.units)
    });
}

/// At most `most` units of a whole catalog.
fn units(root: &GreenNode, most: usize) -> Vec<PlacedUnit> {
    let mut start = TextSize::default();
    let children = root.children().map(|child| {
        let place = start;
        start += child.text_len();
        (child.to_owned(), place)
    });
    let children: Vec<_> = children.collect();
    let found = parallel::map_long(&children, |(child, start)| {
        // Below a root of its own, a run of entries is at the start.
        let root = GreenNode::new(SyntaxKind::Catalog.into(), [child.clone()]);
        let mut entries = Entries::up_to(most);
        let whole = TextRange::up_to(root.text_len());
        entries.collect(&SyntaxNode::new_root(root), whole);
        for unit in &mut entries.units {
            unit.start += *start;
        }
        entries.units
    });
    let mut units = Vec::with_capacity(found.iter().map(Vec::len).sum());
    units.extend(found.into_iter().flatten().take(most));
    units
}

/// The number of units that are kept for entries with the same tree.
const MOST_REMEMBERED: usize = 64;

/// The units of entries, in the order of the text.
struct Entries {
    units: Vec<PlacedUnit>,
    most: usize,
    /// Units by the addresses of their trees: entries with the same tree share one.
    known: HashMap<usize, Arc<Unit>>,
}

impl Entries {
    fn up_to(most: usize) -> Self {
        Self {
            units: Vec::new(),
            most,
            known: HashMap::default(),
        }
    }

    /// Adds the units of the entries below `node` that overlap `range`.
    fn collect(&mut self, node: &SyntaxNode, range: TextRange) {
        for child in node.children() {
            if self.units.len() >= self.most {
                return;
            }
            let common = child.text_range().intersect(range);
            if common.is_none_or(TextRange::is_empty) {
                continue;
            }
            match child.kind() {
                SyntaxKind::Entries => self.collect(&child, range),
                _ => {
                    if let Some(entry) = Entry::cast(child) {
                        self.add(&entry);
                    }
                }
            }
        }
    }

    fn add(&mut self, entry: &Entry) {
        let tree = ptr::from_ref(entry.syntax().green()).addr();
        let start = entry.syntax().text_range().start();
        let unit = match self.known.get(&tree) {
            Some(unit) => Arc::clone(unit),
            None => {
                if self.known.len() == MOST_REMEMBERED {
                    self.known.clear();
                }
                let unit = Arc::new(unit(entry));
                self.known.insert(tree, Arc::clone(&unit));
                unit
            }
        };
        self.units.push(PlacedUnit::new(start, unit));
    }
}

fn unit(entry: &Entry) -> Unit {
    let range = entry.syntax().text_range();
    let name: Option<Arc<str>> = entry.name().map(|it| it.text().into());
    let site = |role: Role, content: TextRange, foreign: Vec<Foreign>| Site {
        role,
        name: name.clone(),
        literal: content - range.start(),
        content: content - range.start(),
        escapes: Escapes::None,
        foreign: foreign.into(),
    };
    let signature = entry
        .signature()
        .map(|it| site(Role::Tool, it.text_range(), ast::comments(&it)));
    let description = entry
        .description()
        .filter(|_| signature.is_some())
        .map(|it| site(Role::Description, it.text_range(), it.margins()));
    Unit {
        len: range.len(),
        sites: signature.into_iter().chain(description).collect(),
        kind: UnitKind::CatalogEntry(entry.syntax().green().to_owned()),
        evidence: Evidence::Certain,
        ..Unit::default()
    }
}
