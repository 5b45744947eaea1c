//! Clojure and PTC-Lisp: where signatures are in maps and metadata, and what programs do with tools.
//!
//! A unit is a map with a signature or a prompt, a definition with a signature in its metadata, or a
//! top-level form whose [`Program`] can be checked. What `#_` or `(comment …)` discards is not
//! there.

mod call;
mod code;
pub mod expr;
mod find;
pub mod forms;
mod lexer;
mod linked;
mod program;
#[cfg(test)]
mod tests;

pub use lexer::Lisp;
pub use program::{
    Arguments, Arity, CallStyle, Function, NamedArgument, Namespace, Namespaces, Parameter,
    Program, ProgramLiteral, Reference, Return, ToolCall,
};

use std::sync::Arc;

use rowan::{GreenNode, GreenNodeData};

use crate::{
    host::{
        PlacedUnit, RolesIn, UnitChange,
        evidence::Evidence,
        lisp::{
            expr::Expr,
            forms::{Form, Item, Items},
        },
        token_tree::{self, Element},
        units::{Units, moved},
    },
    syntax::reparse::Reparsed,
    text::{Text, TextEdit, TextRange, TextSize},
};

/// The units of a whole Lisp text that is one program, in the order in which they begin.
pub fn units(text: &str, roles: RolesIn<'_>) -> Vec<PlacedUnit> {
    let tree = token_tree::parse::<Lisp>(text);
    let mut units = find::find(Items::new(root(&tree).elements()), roles);
    if !units.is_empty() {
        linked::link(&top_level(&tree), &mut units);
    }
    units
}

fn top_level(tree: &GreenNodeData) -> Vec<Form<'_>> {
    let items = Items::new(root(tree).elements());
    let forms = items.filter_map(|item| match item {
        Item::Form(form) => Some(form),
        Item::Meta(_) => None,
    });
    forms.collect()
}

/// The units of a snippet that may be in any Lisp: a program is only ours if it calls tools as no other language
/// does, or if something around it is.
pub fn snippet_units(text: &str, roles: RolesIn<'_>) -> Vec<PlacedUnit> {
    let mut units = units(text, roles);
    for placed in &mut units {
        if placed.unit.sites.is_empty() && !placed.unit.program.calls_by_name() {
            Arc::make_mut(&mut placed.unit).evidence = Evidence::Possible;
        }
    }
    units
}

/// All that a program does, of which `text` is the whole.
///
/// What its last form comes to is returned too, where that is a literal.
pub fn program(text: &str, roles: RolesIn<'_>) -> Program {
    let tree = token_tree::parse::<Lisp>(text);
    let mut program = Program::default();
    for placed in find::find(Items::new(root(&tree).elements()), roles) {
        program.add(&placed.unit.program, |range| range + placed.start);
    }
    let forms = top_level(&tree);
    let code = forms.iter();
    program.code = code
        .map(|it| Expr::of(it, TextSize::from(0), &[]))
        .collect();
    if let Some(last) = forms.last().filter(|it| it.is_literal()) {
        program.returns.push(Return {
            range: last.range,
            value: Some(last.range),
        });
    }
    program
}

fn root(tree: &GreenNodeData) -> Element<'_> {
    Element::node(tree, TextSize::from(0))
}

/// What is kept of a Lisp document from edit to edit.
#[derive(Debug, Clone)]
pub struct Document {
    tree: GreenNode,
    /// Where the top-level forms end: there, no prefix waits for what comes next.
    ends: Vec<TextSize>,
}

impl Document {
    /// Reads the whole of `text`.
    pub fn parse(text: &Text, roles: RolesIn<'_>) -> (Self, Vec<PlacedUnit>) {
        let tree = token_tree::parse::<Lisp>(&text.slice(TextRange::up_to(text.len())));
        let units = find::find(Items::new(root(&tree).elements()), roles);
        let ends = form_ends(&root(&tree), TextRange::up_to(tree.text_len()));
        let ends = ends.collect();
        (Self { tree, ends }, units)
    }

    /// The tree of the whole text.
    pub fn tree(&self) -> &GreenNode {
        &self.tree
    }

    /// Follows an edit by looking at the top-level forms around it; `None` where all of the document has
    /// to be read again.
    pub fn edit(
        &mut self,
        edit: &TextEdit,
        units: &mut Units,
        roles: RolesIn<'_>,
    ) -> Option<UnitChange> {
        let Reparsed { green, range } = token_tree::reparse::<Lisp>(&self.tree, edit)?;
        let root = root(&green);
        let inserted = TextSize::of(edit.insert.as_str());
        let before_edit = |offset: TextSize| offset + edit.range.len() - inserted;

        let first = self.ends.partition_point(|end| *end <= range.start());
        let start = match first.checked_sub(1) {
            Some(previous) => self.ends[previous],
            None => TextSize::from(0),
        };
        let mut new_ends = Vec::new();
        let mut met = None;
        for end in form_ends(&root, TextRange::new(start, green.text_len())) {
            new_ends.push(end);
            if range.end() <= end {
                met = self.ends.binary_search(&before_edit(end)).ok();
            }
            if met.is_some() {
                break;
            }
        }
        let end = match (met, new_ends.last()) {
            (Some(_), Some(end)) => *end,
            _ => green.text_len(),
        };
        let found = find::find(
            Items::new(root.elements_in(TextRange::new(start, end))),
            roles,
        );
        let removed = units.beginning_in(TextRange::new(start, before_edit(end)));

        let behind = met.map_or(self.ends.len(), |met| met + 1);
        for end in &mut self.ends[behind..] {
            *end = moved(*end, edit);
        }
        self.ends.splice(first..behind, new_ends);
        self.tree = green;
        Some(units.replace(removed, found, edit))
    }
}

/// Where the top-level forms in `range` end, which begins after one.
fn form_ends<'t>(root: &Element<'t>, range: TextRange) -> impl Iterator<Item = TextSize> + use<'t> {
    Items::new(root.elements_in(range)).filter_map(|item| match item {
        Item::Form(form) => Some(form.range.end()),
        Item::Meta(_) => None,
    })
}
