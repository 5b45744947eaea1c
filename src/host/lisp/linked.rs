//! Definitions, and the later forms that refer to them.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
    sync::Arc,
};

use super::{
    expr::{Expr, ExprKind},
    forms::Form,
    program::Program,
};
use crate::{
    counts::Counts,
    host::{Notation, PlacedUnit, Unit},
    parallel,
    text::{TextRange, TextSize},
};

/// The start of the places of definitions outside of the unit: after everything in it.
const ELSEWHERE: TextSize = TextSize::new(1 << 31);

/// The maximum number of definitions for one form.
const MAX_BEFORE: usize = 64;

/// The maximum length of these definitions together.
const MAX_BEFORE_LEN: TextSize = TextSize::new(16 * 1024);

/// A name as a number. A collision only costs superfluous work.
type Name = u64;

/// The names in the top-level forms of a program, in the order of the text.
#[derive(Debug, Clone, Default)]
pub struct Links {
    /// Shared, because a request may try an edit on a copy.
    forms: Vec<Arc<Names>>,
    /// The number of forms that define a name.
    defined: Counts<Name>,
    /// The number of forms that refer to it.
    referred: Counts<Name>,
}

/// The names in a top-level form.
#[derive(Debug, Clone)]
struct Names {
    defines: Box<[Name]>,
    /// In ascending order.
    refers: Box<[Name]>,
    /// Whether it has types of its own: those of a tool or of a signature.
    is_typed: bool,
    len: TextSize,
}

/// Whether there are types that definitions can pass from form to form.
pub fn has_types(units: &[PlacedUnit]) -> bool {
    units.iter().any(is_typed)
}

fn is_typed(placed: &PlacedUnit) -> bool {
    let program = &placed.unit.program;
    !program.calls.is_empty() || program.function.is_some()
}

/// Adds to the programs in `units` the definitions in `forms` before them that they refer to.
pub fn link(forms: &[Form<'_>], units: &mut Vec<PlacedUnit>) -> Links {
    let mut links = Links::default();
    links.replace(0..0, forms, units);
    let all = forms.iter().copied().enumerate().collect::<Vec<_>>();
    links.link(&all, |index| forms.get(index).copied(), units);
    links
}

impl Links {
    /// Replaces the forms at `old` by `forms` with their `units`. Returns the later forms that depend on what changed.
    pub fn replace(
        &mut self,
        old: Range<usize>,
        forms: &[Form<'_>],
        units: &[PlacedUnit],
    ) -> Vec<usize> {
        let names = parallel::map(forms, |form| Arc::new(Names::of(form, units)));
        let following = old.start + names.len();
        for it in &names {
            self.defined.extend(it.defines.iter().copied());
            self.referred.extend(it.refers.iter().copied());
        }
        let new = names.iter().flat_map(|it| &it.defines).copied();
        let mut touched: HashSet<_> = new.collect();
        for it in self.forms.splice(old, names).collect::<Vec<_>>() {
            self.defined.remove_all(&it.defines);
            self.referred.remove_all(&it.refers);
            touched.extend(&it.defines);
        }
        self.depending(following, touched)
    }

    /// The forms from `first` on that refer to names in `touched`, or to a definition that does.
    fn depending(&self, first: usize, mut touched: HashSet<Name>) -> Vec<usize> {
        let is_referred = |name: &Name| self.referred.contains(name);
        touched.retain(is_referred);
        let mut depending = Vec::new();
        if touched.is_empty() {
            return depending;
        }
        for (index, form) in self.forms.iter().enumerate().skip(first) {
            if form.refers_to(&touched) {
                touched.extend(form.defines.iter().filter(|it| is_referred(it)));
                depending.push(index);
            }
        }
        depending
    }

    /// Adds to the programs in `units` of the `forms` at these indices the definitions that they refer to. A form that
    /// only refers to some becomes a unit. `form_at` returns any form of the document.
    pub fn link<'t>(
        &self,
        forms: &[(usize, Form<'t>)],
        form_at: impl Fn(usize) -> Option<Form<'t>>,
        units: &mut Vec<PlacedUnit>,
    ) {
        let is_defined = |name: &Name| self.defined.contains(name);
        let mut forms = forms.iter().filter(|(index, _)| {
            let names = self.forms.get(*index);
            names.is_some_and(|it| it.refers.iter().any(is_defined))
        });
        let Some(first) = forms.next() else {
            return;
        };
        let definers = self.definers();
        let mut definitions = HashMap::new();
        let mut added = Vec::new();
        for (index, form) in [first].into_iter().chain(forms) {
            let before = self.before(*index, &definers);
            let before = before.iter().filter_map(|it| {
                let definition = definitions
                    .entry(*it)
                    .or_insert_with(|| form_at(*it).map(|it| definition(&it)));
                definition.clone()
            });
            let before: Vec<_> = before.collect();
            if before.is_empty() {
                continue;
            }
            let start = form.range.start();
            let first = units.partition_point(|it| it.start < start);
            let mut same = units[first..].iter_mut().take_while(|it| it.start == start);
            match same.find(|it| !it.unit.program.code.is_empty()) {
                Some(placed) => Arc::make_mut(&mut placed.unit).program.before = before,
                None => added.push(unit(form, before)),
            }
        }
        if !added.is_empty() {
            units.append(&mut added);
            units.sort_by_key(|it| it.start);
        }
    }

    /// The forms that define each name.
    fn definers(&self) -> HashMap<Name, Vec<usize>> {
        let mut definers: HashMap<_, Vec<_>> = HashMap::new();
        for (index, form) in self.forms.iter().enumerate() {
            for name in &form.defines {
                definers.entry(*name).or_default().push(index);
            }
        }
        definers
    }

    /// The definitions that the form at `index` refers to, and those before them that these refer to; none if no type
    /// is known in any of them, or if there are too many.
    fn before(&self, index: usize, definers: &HashMap<Name, Vec<usize>>) -> BTreeSet<usize> {
        let mut before = BTreeSet::new();
        let mut is_typed = self.forms[index].is_typed;
        let mut len = TextSize::default();
        let mut left = vec![index];
        while let Some(index) = left.pop() {
            for name in &self.forms[index].refers {
                let definers = definers.get(name).into_iter().flatten();
                for &definer in definers.take_while(|it| **it < index) {
                    if !before.insert(definer) {
                        continue;
                    }
                    let form = &self.forms[definer];
                    is_typed |= form.is_typed;
                    len += form.len;
                    if before.len() > MAX_BEFORE || len > MAX_BEFORE_LEN {
                        return BTreeSet::new();
                    }
                    left.push(definer);
                }
            }
        }
        match is_typed {
            true => before,
            false => BTreeSet::new(),
        }
    }
}

impl Names {
    fn of(form: &Form<'_>, units: &[PlacedUnit]) -> Self {
        let expr = Expr::of(form, form.range.start(), &[]);
        let mut defines = Vec::new();
        let mut refers = Vec::new();
        let mut left = vec![&expr];
        while let Some(expr) = left.pop() {
            match &expr.kind {
                ExprKind::Symbol(name) => refers.push(number(name)),
                ExprKind::List(items) => match defined_name(items) {
                    Some(name) => {
                        defines.push(number(name));
                        left.extend(&items[2..]);
                    }
                    None => left.extend(items),
                },
                ExprKind::Vector(items) | ExprKind::Map(items) | ExprKind::ShortFunction(items) => {
                    left.extend(items)
                }
                _ => {}
            }
        }
        refers.sort_unstable();
        refers.dedup();
        defines.sort_unstable();
        defines.dedup();
        let first = units.partition_point(|it| it.start < form.range.start());
        let mut inside = units[first..]
            .iter()
            .take_while(|it| it.start < form.range.end());
        Self {
            defines: defines.into(),
            refers: refers.into(),
            is_typed: inside.any(is_typed),
            len: form.range.len(),
        }
    }

    fn refers_to(&self, names: &HashSet<Name>) -> bool {
        match names.len() < self.refers.len() {
            true => names.iter().any(|it| self.refers.binary_search(it).is_ok()),
            false => self.refers.iter().any(|it| names.contains(it)),
        }
    }
}

/// A definition for programs elsewhere.
fn definition(form: &Form<'_>) -> Arc<Expr> {
    let place = |range: TextRange| range + ELSEWHERE;
    Arc::new(Expr::of(form, form.range.start(), &[]).placed(&place))
}

fn unit(form: &Form<'_>, before: Vec<Arc<Expr>>) -> PlacedUnit {
    let unit = Unit {
        len: form.range.len(),
        notation: Notation::Lisp,
        program: Program {
            code: vec![Expr::of(form, form.range.start(), &[])],
            before,
            ..Program::default()
        },
        ..Unit::default()
    };
    PlacedUnit::new(form.range.start(), unit)
}

/// The name that a list with these items defines.
fn defined_name(items: &[Expr]) -> Option<&str> {
    let [head, name, ..] = items else {
        return None;
    };
    let is_definition = matches!(head.as_symbol()?, "def" | "defonce" | "defn" | "defn-");
    name.as_symbol().filter(|_| is_definition)
}

fn number(name: &str) -> Name {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}
