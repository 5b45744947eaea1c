//! Elixir source: its lexer, and the places in it where signatures, prompts and tools are.
//!
//! A literal is a site if a key, a call or an attribute before it says so; [`RolesIn`] lists these. The value must be
//! exactly one string: not a charlist, not an expression. Comments have no sites, and the code in an interpolation is
//! like any other.

mod bound;
mod call;
mod code;
pub mod contract;
mod declarations;
mod doc;
mod find;
mod flow;
mod found;
pub mod head;
#[cfg(test)]
mod judge;
mod lexer;
mod links;
pub(super) mod literal;
mod lookup;
mod makes;
pub mod module;
mod modules;
mod names;
pub mod owners;
mod pieces;
pub mod places;
mod program;
mod reads;
mod recover;
mod region;
mod statement;
mod string_body;
#[cfg(test)]
mod tests;
pub mod tool_forms;
pub mod tools;
pub mod unclosed;

pub use lexer::{Elixir, string_len, texts};

use std::sync::{Arc, OnceLock};

use declarations::Declarations;
use find::Reading;
use links::{Links, Parts};
use module::Facts;
use modules::{Modules, Statements};
use pieces::PIECE;
use ropey::RopeBuilder;
use rowan::{GreenNode, NodeOrToken};

use crate::{
    host::{
        HAS_SMALL_STEPS, PlacedUnit, RolesIn, UnitChange, search,
        token_tree::{self, Element, SyntaxNode},
        units::Units,
    },
    syntax::shared::forget_slots,
    text::{Text, TextEdit, TextRange, TextSize},
};

fn reading<'r>(roles: RolesIn<'r>, modules: &'r Modules, is_example: bool) -> Reading<'r> {
    Reading {
        roles,
        modules,
        is_example,
        is_once: false,
        piece: PIECE,
    }
}

/// The units of an example in Elixir, in the order of their starts.
pub fn units(text: &str, roles: RolesIn<'_>) -> Vec<PlacedUnit> {
    Sites::parse(text, roles, true, true).1
}

/// The places of signatures, prompts and tools in Elixir code, updated from edit to edit.
#[derive(Debug, Clone)]
pub struct Sites {
    tree: GreenNode,
    links: Links,
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
    fn read(
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
    fn link(&mut self, parts: Parts, roles: RolesIn<'_>, once: bool) -> Vec<PlacedUnit> {
        let (links, units) = Links::new(parts, roles, once);
        self.links = links;
        units
    }

    fn root(&self) -> Element<'_> {
        Element::node(&self.tree, TextSize::default())
    }

    /// Forgets the code; returns it and, if it `keeps_functions`, what it declares. The facts of that take the room of the
    /// tree.
    fn forget_tree(&mut self, keeps_functions: bool) -> (GreenNode, Declarations) {
        let declarations = match keeps_functions {
            true => Declarations::read_once(self.root()),
            false => Declarations::default(),
        };
        let tree = std::mem::replace(&mut self.tree, token_tree::parse::<Elixir>(""));
        (tree, declarations)
    }

    /// Forgets what only an edit needs.
    fn forget_links(&mut self) {
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
    fn follow(
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

/// An Elixir document, updated from edit to edit.
#[derive(Debug, Clone)]
pub struct Document {
    sites: Sites,
    /// Read on request: most documents never need them.
    declarations: OnceLock<Declarations>,
}

impl Document {
    /// Parses all of a text.
    pub fn parse(text: &str, roles: RolesIn<'_>) -> (Self, Vec<PlacedUnit>) {
        Self::new(Sites::parse(text, roles, false, false))
    }

    /// The same for a text that is only read once and cannot be edited. While its parts are read, a long one is kept only
    /// in the tree, and while many names are followed, only its functions are.
    pub fn parse_once(text: &mut String, roles: RolesIn<'_>) -> (Self, Vec<PlacedUnit>) {
        let tree = token_tree::parse_once::<Elixir>(text);
        let guess = modules::guess(text);
        let is_long = text.len() >= LONG;
        let may_forget = is_long && !search::may_have_directive(text);
        if is_long {
            *text = String::new();
        }
        let (mut sites, parts) = Sites::read(tree, guess, roles, false, true);
        let mut declarations = OnceLock::new();
        if may_forget && parts.has_many_uses() {
            *text = sites.root().full_text();
            let (tree, functions) = sites.forget_tree(true);
            drop(tree);
            forget_slots();
            declarations = OnceLock::from(Declarations::of_facts(functions.into_facts()));
        }
        let units = sites.link(parts, roles, true);
        if is_long {
            sites.forget_links();
        }
        if text.is_empty() {
            *text = sites.root().full_text();
        }
        let document = Self {
            sites,
            declarations,
        };
        (document, units)
    }

    fn new((sites, units): (Sites, Vec<PlacedUnit>)) -> (Self, Vec<PlacedUnit>) {
        let document = Self {
            sites,
            declarations: OnceLock::new(),
        };
        (document, units)
    }

    /// Forgets the code, apart from its functions if it `keeps_functions`: it cannot be edited any more. A long `text` is
    /// put together again from its tree, piece by piece in the place of that, and is empty before.
    pub fn forget_code(&mut self, keeps_functions: bool, text: &mut String) -> Option<Text> {
        self.sites.forget_links();
        if self.sites.root().range.is_empty() {
            if !keeps_functions {
                self.declarations = OnceLock::from(Declarations::of_facts(Facts::default()));
            }
            return None;
        }
        let is_long = text.len() >= LONG;
        if is_long {
            *text = String::new();
        }
        let (tree, declarations) = self.sites.forget_tree(keeps_functions);
        let text = is_long.then(|| {
            // They keep parts of the tree.
            forget_slots();
            text_of(tree)
        });
        self.declarations = OnceLock::from(Declarations::of_facts(declarations.into_facts()));
        text
    }

    /// Lets it share its `units` with the whole document, which keeps those that an edit does not change.
    pub fn share_units(&mut self, units: &Units) {
        self.sites.links.share_units(units);
    }

    /// Reads its functions on several threads. No lock may be held meanwhile, for which one of these threads waits.
    pub fn read_functions(&mut self) {
        if self.declarations.get().is_none() {
            self.declarations =
                OnceLock::from(Declarations::read_in_pieces(self.sites.root(), PIECE));
        }
    }

    fn declarations(&self) -> &Declarations {
        self.declarations
            .get_or_init(|| Declarations::read(self.sites.root()))
    }

    /// The document's functions; the same `Arc` as before if an edit does not change them.
    pub fn facts(&self) -> &Arc<module::Facts> {
        self.declarations().facts()
    }

    /// The last functions, if they are up to date.
    pub fn known_facts(&self) -> Option<&Arc<module::Facts>> {
        self.declarations.get()?.known_facts()
    }

    /// The tree of the whole text.
    pub fn tree(&self) -> &GreenNode {
        &self.sites.tree
    }

    /// The places of the function with the full name of its module.
    pub fn function_places(
        &self,
        text: &Text,
        function: &tools::Capture,
    ) -> Vec<places::FunctionPlace> {
        places::places(self.declarations(), text, function)
    }

    /// The function whose definition or spec has its name at `offset`, one per arity, and the place of the name.
    pub fn function_at(
        &self,
        text: &Text,
        offset: TextSize,
    ) -> Option<(TextRange, Vec<tools::Capture>)> {
        places::at(self.declarations(), text, offset)
    }

    /// The function whose body contains `offset`, one per arity.
    pub fn function_around(&self, offset: TextSize) -> Vec<tools::Capture> {
        places::around(self.declarations(), offset)
    }

    /// The bodies of the function with the full name of its module.
    pub fn bodies(&self, function: &tools::Capture) -> Vec<TextRange> {
        places::bodies(self.declarations(), function)
    }

    /// Applies an edit; `None` if the whole document, now `text`, has to be parsed again.
    pub fn edit(
        &mut self,
        text: &Text,
        edit: &TextEdit,
        units: &mut Units,
        roles: RolesIn<'_>,
    ) -> Option<UnitChange> {
        let (change, seen) = self.sites.follow(text, edit, units, roles)?;
        if let Some(declarations) = self.declarations.get_mut() {
            declarations.edit(seen.block(), (seen.old, seen.new), edit);
        }
        Some(change)
    }
}

/// A text of so many bytes is worth the time to put it together again from its tree.
const LONG: usize = 512 * 1024;

/// The text of a tree, which takes the place of what is freed of it.
fn text_of(tree: GreenNode) -> Text {
    let mut text = RopeBuilder::new();
    let mut left = vec![NodeOrToken::Node(tree)];
    while let Some(next) = left.pop() {
        match next {
            NodeOrToken::Node(node) => {
                left.extend(node.children().rev().map(|it| it.to_owned()));
            }
            NodeOrToken::Token(token) => text.append(token.text()),
        }
    }
    text.finish().into()
}

/// Widens a range of a tree to whole statements or items; returns the node that contains them too.
type Widen<'f> = dyn Fn(&SyntaxNode, TextRange) -> Option<(SyntaxNode, TextRange)> + 'f;

/// The range of a document in which an edit can have changed units.
struct Seen {
    /// The range before the edit.
    old: TextRange,
    /// The same stretch after the edit.
    new: TextRange,
    /// The block or the list of the range after the edit.
    block: SyntaxNode,
}

impl Seen {
    fn block(&self) -> Element<'_> {
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
