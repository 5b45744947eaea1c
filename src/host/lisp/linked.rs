//! Definitions and the forms after them that refer to them.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use super::{
    expr::{Expr, ExprKind},
    forms::Form,
    program::Program,
};
use crate::{
    host::{Notation, PlacedUnit, Unit},
    text::{TextRange, TextSize},
};

/// Where the places of definitions begin that are not in the unit: after all that can be in one.
const ELSEWHERE: TextSize = TextSize::new(1 << 31);

/// More definitions are not given to one form.
const MAX_BEFORE: usize = 64;

/// Gives the programs of `units` the definitions in `forms` before them that they refer to. A form that only refers to
/// some becomes a unit.
pub fn link(forms: &[Form<'_>], units: &mut Vec<PlacedUnit>) {
    let mut defined: HashMap<String, Vec<usize>> = HashMap::new();
    let mut definitions: Vec<(Arc<Expr>, BTreeSet<usize>)> = Vec::new();
    let mut added = Vec::new();
    for form in forms {
        let expr = Expr::of(form, form.range.start(), &[]);
        let before = needed(&expr, &defined, &definitions);
        if let Some(name) = defined_name(&expr) {
            let index = definitions.len();
            let place = |range: TextRange| range + ELSEWHERE;
            definitions.push((Arc::new(expr.placed(&place)), before.clone()));
            defined.entry(name.to_owned()).or_default().push(index);
        }
        if before.is_empty() || before.len() > MAX_BEFORE {
            continue;
        }
        let before = before.into_iter().map(|it| Arc::clone(&definitions[it].0));
        let before: Vec<_> = before.collect();
        let mut same = units.iter_mut().filter(|it| it.start == form.range.start());
        match same.find(|it| !it.unit.program.code.is_empty()) {
            Some(placed) => Arc::make_mut(&mut placed.unit).program.before = before,
            None => added.push(unit(form, expr, before)),
        }
    }
    units.append(&mut added);
    units.sort_by_key(|it| it.start);
}

fn unit(form: &Form<'_>, expr: Expr, before: Vec<Arc<Expr>>) -> PlacedUnit {
    let unit = Unit {
        len: form.range.len(),
        notation: Notation::Lisp,
        program: Program {
            code: vec![expr],
            before,
            ..Program::default()
        },
        ..Unit::default()
    };
    PlacedUnit::new(form.range.start(), unit)
}

/// The definitions that `expr` refers to, with those that these refer to.
fn needed(
    expr: &Expr,
    defined: &HashMap<String, Vec<usize>>,
    definitions: &[(Arc<Expr>, BTreeSet<usize>)],
) -> BTreeSet<usize> {
    if defined.is_empty() {
        return BTreeSet::new();
    }
    let mut needed = BTreeSet::new();
    for name in symbols(expr) {
        for index in defined.get(name).into_iter().flatten() {
            needed.insert(*index);
            needed.extend(&definitions[*index].1);
        }
    }
    needed
}

/// The name that a top-level form defines.
fn defined_name(expr: &Expr) -> Option<&str> {
    let ExprKind::List(items) = &expr.kind else {
        return None;
    };
    let [head, name, _, ..] = items.as_slice() else {
        return None;
    };
    let is_definition = matches!(head.as_symbol()?, "def" | "defonce" | "defn" | "defn-");
    name.as_symbol().filter(|_| is_definition)
}

fn symbols(expr: &Expr) -> HashSet<&str> {
    let mut symbols = HashSet::new();
    let mut left = vec![expr];
    while let Some(expr) = left.pop() {
        match &expr.kind {
            ExprKind::Symbol(name) => {
                symbols.insert(&**name);
            }
            ExprKind::Vector(items)
            | ExprKind::Map(items)
            | ExprKind::List(items)
            | ExprKind::ShortFunction(items) => left.extend(items),
            _ => {}
        }
    }
    symbols
}
