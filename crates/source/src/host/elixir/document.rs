//! An Elixir document from edit to edit: its sites and its functions.

use std::sync::{Arc, OnceLock};

use ropey::RopeBuilder;
use rowan::{GreenNode, NodeOrToken};

use super::{
    Elixir, declarations::Declarations, module::Facts, modules, pieces::PIECE, places,
    sites::Sites, tools,
};
use crate::{
    host::{PlacedUnit, RolesIn, UnitChange, search, token_tree, units::Units},
    syntax::shared::forget_slots,
    text::{Text, TextEdit, TextRange, TextSize},
};

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
    pub fn facts(&self) -> &Arc<Facts> {
        self.declarations().facts()
    }

    /// The last functions, if they are up to date.
    pub fn known_facts(&self) -> Option<&Arc<Facts>> {
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
