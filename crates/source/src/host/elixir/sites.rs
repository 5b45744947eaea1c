//! The places of signatures, prompts and tools in Elixir code, from edit to edit.

use rowan::GreenNode;

use super::{
    Elixir,
    declarations::Declarations,
    find::{self, Reading},
    links::{Links, Parts},
    modules::{self, Modules, Statements},
    pieces::PIECE,
    region,
};
use crate::{
    host::{
        HAS_SMALL_STEPS, PlacedUnit, RolesIn, UnitChange,
        token_tree::{self, Element, SyntaxNode},
        units::Units,
    },
    text::{Text, TextEdit, TextRange, TextSize},
};

/// The places of signatures, prompts and tools in Elixir code, updated from edit to edit.
#[derive(Debug, Clone)]
pub struct Sites {
    pub(super) tree: GreenNode,
    pub(super) links: Links,
    statements: Statements,
    modules: Modules,
    is_example: bool,
}

impl Sites {
    /// Parses all of `text`; returns its units too, in the order of their starts. `is_example` tells whether the text
    /// may leave out most of its program. A text that is only read `once` cannot be edited.
    pub fn parse(
        text: &str,
        roles: RolesIn<'_>,
        is_example: bool,
        once: bool,
    ) -> (Self, Vec<PlacedUnit>) {
        let tree = match once {
            true => token_tree::parse_once::<Elixir>(text),
            false => token_tree::parse::<Elixir>(text),
        };
        let modules = modules::guess(text);
        let (mut sites, parts) = Self::read(tree, modules, roles, is_example, once);
        let units = sites.link(parts, roles, once);
        (sites, units)
    }

    /// The parts of a text with this tree, after a guess at its modules.
    pub(super) fn read(
        tree: GreenNode,
        guess: Modules,
        roles: RolesIn<'_>,
        is_example: bool,
        once: bool,
    ) -> (Self, Parts) {
        let root = Element::node(&tree, TextSize::default());
        let find = |modules: &Modules| {
            let reading = Reading {
                is_once: once,
                ..reading(roles, modules, is_example)
            };
            find::find((root, false), root.range, reading)
        };
        let mut modules = guess.in_example(is_example);
        let mut parts = find(&modules);
        let said = parts.statements.modules().in_example(is_example);
        if said != modules {
            modules = said;
            // The others take its room.
            drop(parts);
            parts = find(&modules);
        }
        let sites = Self {
            tree,
            links: Links::default(),
            statements: std::mem::take(&mut parts.statements),
            modules,
            is_example,
        };
        (sites, parts)
    }

    /// The units of its parts, with the values of names in them.
    pub(super) fn link(&mut self, parts: Parts, roles: RolesIn<'_>, once: bool) -> Vec<PlacedUnit> {
        let (links, units) = Links::new(parts, roles, once);
        self.links = links;
        units
    }

    pub(super) fn root(&self) -> Element<'_> {
        Element::node(&self.tree, TextSize::default())
    }

    /// Forgets the code; returns it and, if it `keeps_functions`, what it declares. The facts of that take the room of the
    /// tree.
    pub(super) fn forget_tree(&mut self, keeps_functions: bool) -> (GreenNode, Declarations) {
        let declarations = match keeps_functions {
            true => Declarations::read_once(self.root()),
            false => Declarations::default(),
        };
        let tree = std::mem::replace(&mut self.tree, token_tree::parse::<Elixir>(""));
        (tree, declarations)
    }

    /// Forgets what only an edit needs.
    pub(super) fn forget_links(&mut self) {
        self.links = Links::default();
        self.statements = Statements::default();
    }

    /// Applies an edit to the code, which is the same in `text`, and its `units`; `None` if all of it has to be parsed
    /// again.
    pub fn edit(
        &mut self,
        text: &Text,
        edit: &TextEdit,
        units: &mut Units,
        roles: RolesIn<'_>,
    ) -> Option<UnitChange> {
        self.follow(text, edit, units, roles)
            .map(|(change, _)| change)
    }

    /// The same, with the range in which the edit can have changed units.
    pub(super) fn follow(
        &mut self,
        text: &Text,
        edit: &TextEdit,
        units: &mut Units,
        roles: RolesIn<'_>,
    ) -> Option<(UnitChange, Seen)> {
        let reparsed = token_tree::reparse::<Elixir>(&self.tree, edit)?;
        let find = |around| Seen::find(&self.tree, &reparsed.green, reparsed.range, edit, around);
        // A unit of the whole list may depend on each item.
        let is_unit = |start| units.begins_at(start) || self.links.has_use_at(start);
        let items = HAS_SMALL_STEPS
            .then(|| find(&region::items_around))
            .flatten();
        let items = items.filter(|it| !is_unit(it.block().range.start()));
        let statements = |root: &_, range| Some(region::around(root, range));
        let seen = items.or_else(|| find(&statements))?;
        let block = seen.block();
        let block = (block, self.links.is_body(block.range.start()));
        let is_example = self.is_example;
        let before = reading(roles, &self.modules, is_example);
        let mut parts = find::find(block, seen.new, before);
        let said = std::mem::take(&mut parts.statements);
        if self.statements.replace(seen.old, said, edit) {
            let modules = self.statements.modules().in_example(is_example);
            if modules != self.modules {
                let code = (text, &reparsed.green);
                if !HAS_SMALL_STEPS || !modules.mean_the_same(&self.modules, code, seen.new) {
                    return None;
                }
                parts = find::find(block, seen.new, reading(roles, &modules, is_example));
                self.modules = modules;
            }
        }
        self.tree = reparsed.green;
        let change = self.links.edit(units, seen.old, parts, edit, roles);
        Some((change, seen))
    }
}

pub(super) fn reading<'r>(
    roles: RolesIn<'r>,
    modules: &'r Modules,
    is_example: bool,
) -> Reading<'r> {
    Reading {
        roles,
        modules,
        is_example,
        is_once: false,
        piece: PIECE,
    }
}

/// Widens a range of a tree to whole statements or items; returns the node that contains them too.
type Widen<'f> = dyn Fn(&SyntaxNode, TextRange) -> Option<(SyntaxNode, TextRange)> + 'f;

/// The range of a document in which an edit can have changed units.
pub(super) struct Seen {
    /// The range before the edit.
    pub(super) old: TextRange,
    /// The same stretch after the edit.
    pub(super) new: TextRange,
    /// The block or the list of the range after the edit.
    block: SyntaxNode,
}

impl Seen {
    pub(super) fn block(&self) -> Element<'_> {
        Element::node(self.block.green(), self.block.text_range().start())
    }

    /// Widens `reparsed` to all that is `around` it, before and after the edit: whole statements, or items of a list.
    fn find(
        old: &GreenNode,
        new: &GreenNode,
        reparsed: TextRange,
        edit: &TextEdit,
        around: &Widen<'_>,
    ) -> Option<Self> {
        let old_root = SyntaxNode::new_root(old.clone());
        let new_root = SyntaxNode::new_root(new.clone());
        let inserted = TextSize::of(edit.insert.as_str());
        let deleted = edit.range.len();
        let mut new = with_neighbors(reparsed, new.text_len());
        loop {
            let (block, after) = around(&new_root, new)?;
            let as_before = TextRange::new(after.start(), after.end() - inserted + deleted);
            let (_, old) = around(&old_root, as_before)?;
            let both = TextRange::new(old.start(), old.end() - deleted + inserted);
            if both == after {
                return Some(Self {
                    old,
                    new: after,
                    block,
                });
            }
            new = both;
        }
    }
}

/// `range` with one more byte on each side, if there is one.
fn with_neighbors(range: TextRange, len: TextSize) -> TextRange {
    let one = TextSize::from(1);
    let start = range.start().checked_sub(one).unwrap_or_default();
    TextRange::new(start, (range.end() + one).min(len))
}
