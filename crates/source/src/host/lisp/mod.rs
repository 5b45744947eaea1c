//! Clojure and PTC-Lisp: signatures in maps and metadata, and the use of tools in programs.
//!
//! A unit is a map with a signature or a prompt, a definition with a signature in its metadata, or a top-level form
//! whose [`Program`] can be checked. Forms that `#_` or `(comment …)` discards are ignored.

mod call;
mod code;
mod data;
mod definitions;
mod document;
pub mod expr;
mod find;
pub mod forms;
mod function;
mod kept;
mod lexer;
mod linked;
mod placed;
mod program;
mod scope;
mod stretches;
#[cfg(test)]
mod tests;
mod uses;
mod waiting;

pub(super) use code::is_name_part;
pub use document::Document;
pub use function::{Arity, Function, Local, Parameter};
pub use kept::KeptCode;
pub use lexer::Lisp;
pub use placed::{ChangedPrograms, PlacedPrograms};
pub use program::{Program, ProgramLiteral};
pub use stretches::Stretches;
pub use uses::{
    Arguments, CallStyle, NamedArgument, Namespace, Namespaces, Reference, Return, ToolCall,
};

use std::sync::Arc;

use rowan::GreenNodeData;

use crate::{
    host::{
        PlacedUnit, Role, RolesIn, Unit,
        evidence::Evidence,
        lisp::{
            forms::{Forms, Items},
            linked::Links,
        },
        token_tree::{self, Element},
    },
    parallel,
    syntax::room::make_room,
    text::{TextRange, TextSize},
};

/// The units of a whole Lisp text that is one program, in the order of their starts.
pub fn units(text: &str, roles: RolesIn<'_>) -> Vec<PlacedUnit> {
    let tree = token_tree::parse::<Lisp>(text);
    let root = root(&tree);
    let mut units = find::find(Items::new(root.elements()), roles);
    if linked::has_types(&units) && linked::defines(&root) {
        linked::link(&Forms::all(&root), &mut units);
    }
    units
}

/// Adds the earlier definitions to the programs of a whole text, if there are types to pass.
fn link(root: &Element<'_>, units: &mut Vec<PlacedUnit>) -> Option<Links> {
    linked::has_types(units).then(|| linked::link(&Forms::all(root), units))
}

/// The units of a snippet in any Lisp: a program only counts if it calls tools like no other language does, or if
/// something around it counts.
pub fn snippet_units(text: &str, roles: RolesIn<'_>) -> Vec<PlacedUnit> {
    let mut units = units(text, roles);
    doubt(&mut units);
    units
}

/// Programs that may also be code in another Lisp count only if something else in the document does.
fn doubt(units: &mut [PlacedUnit]) {
    doubt_where(units, &|it| !it.calls_by_name());
}

/// The same for a whole file: without an `ns` form, only calls with arguments that tools do not take are uncertain.
fn doubt_file(units: &mut [PlacedUnit], has_ns: bool) {
    match has_ns {
        true => doubt(units),
        false => doubt_where(units, &Program::only_calls_otherwise),
    }
}

/// Doubts the units that only have a program which `is_doubtful`.
fn doubt_where(units: &mut [PlacedUnit], is_doubtful: &(dyn Fn(&Program) -> bool + Sync)) {
    let doubtful = parallel::flags(units.len(), &|at| {
        let unit = &units[at].unit;
        unit.sites.is_empty() && is_doubtful(&unit.program)
    });
    // Equal units that follow one another stay one.
    let mut last: Option<(Arc<Unit>, Arc<Unit>)> = None;
    for (placed, _) in units.iter_mut().zip(doubtful).filter(|(_, it)| *it) {
        if let Some((certain, doubted)) = &last
            && Arc::ptr_eq(certain, &placed.unit)
        {
            placed.unit = Arc::clone(doubted);
            continue;
        }
        let is_shared = Arc::strong_count(&placed.unit) > 1;
        let certain = is_shared.then(|| Arc::clone(&placed.unit));
        Arc::make_mut(&mut placed.unit).evidence = Evidence::Possible;
        last = certain.map(|it| (it, Arc::clone(&placed.unit)));
    }
}

/// Whether an `ns` form shows that the code is Clojure.
fn is_clojure(units: &[PlacedUnit]) -> bool {
    let is_named = |at: usize| units[at].unit.program.namespaces.is_named;
    parallel::flags(units.len(), &is_named).contains(&true)
}

/// The program of `text`, which is all of it, and where the texts of signatures in it are.
///
/// The value of its last form is returned too, if that is a literal.
pub fn program(text: &str, roles: RolesIn<'_>) -> (Program, Vec<TextRange>) {
    let tree = token_tree::parse::<Lisp>(text);
    let mut program = Program::default();
    let mut signatures = Vec::new();
    let items = Items::new(root(&tree).elements());
    find::find_each(items, roles, 0, &mut |units, _| {
        for placed in units {
            make_room(&mut program.calls, placed.start.into(), text.len());
            program.add_uses(&placed.unit.program, placed.start);
            let sites = placed.unit.sites.iter();
            let signed = sites.filter(|it| matches!(it.role, Role::Signature | Role::Tool));
            signatures.extend(signed.map(|it| it.content + placed.start));
        }
        true
    });
    let root = root(&tree);
    program.code = vec![KeptCode::of_all(&root)];
    if let Some(last) = Forms::of(&root).last().filter(|it| it.is_literal()) {
        program.returns.make_mut().push(Return {
            range: last.range,
            value: Some(last.range),
        });
    }
    (program, signatures)
}

fn root(tree: &GreenNodeData) -> Element<'_> {
    Element::node(tree, TextSize::from(0))
}
