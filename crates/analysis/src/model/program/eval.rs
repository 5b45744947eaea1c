//! Going through a program: expressions, names, and what is noted of them.

use std::rc::Rc;

use foldhash::{HashMap, HashSet};

use super::{
    Facts, Fault, Taker, Ty, Use, UseKind, World,
    function::{Arg, Arity, Closure, Function},
    library::Library,
    record::Record,
    special,
    types::Types,
};
use crate::model::Primitive;
use signature_ls_source::{
    host::{
        HAS_SMALL_STEPS,
        lisp::{
            Namespace,
            expr::{Expr, ExprKind, Exprs, MOST},
        },
    },
    text::{TextRange, TextSize},
};

/// Expressions that nest deeper are unknown.
const MAX_DEPTH: u32 = 48;
/// After so many steps, all that is left of a program is unknown. They take some ten milliseconds, for each key and
/// request.
const MAX_STEPS: u32 = MOST as u32;

/// The steps that each program may take, and those for each byte of it: several times what programs of people take. A
/// text may have thousands of programs, and takes only so many steps for its length.
const FEW_STEPS: u32 = 500;
const STEPS_OF_BYTE: u32 = 4;

/// Adds what is certain of a program to the `facts` about others.
pub fn infer<'a>(exprs: &'a Exprs<'a>, world: &World<'a, '_>, facts: Facts<'a>) -> Facts<'a> {
    let mut eval = Eval {
        world,
        facts,
        types: Types::default(),
        names: Vec::new(),
        env: None,
        globals: HashMap::default(),
        pending: Vec::new(),
        done: HashSet::default(),
        applied: HashMap::default(),
        running: Vec::new(),
        may_return: false,
        quiet: 0,
        branches: 0,
        is_before: false,
        depth: 0,
        steps: steps(exprs),
    };
    eval.is_before = true;
    for definition in &exprs.before {
        eval.quietly(|eval| eval.eval(definition));
    }
    eval.is_before = false;
    eval.program(&exprs.code);
    eval.facts
}

/// The steps that a program may take. They depend on its text alone.
fn steps(exprs: &Exprs<'_>) -> u32 {
    if !HAS_SMALL_STEPS || !exprs.before.is_empty() {
        return MAX_STEPS;
    }
    let lens = exprs.code.iter().map(|it| u32::from(it.range.len()));
    let len = lens.fold(0, u32::saturating_add);
    let most = len.saturating_mul(STEPS_OF_BYTE);
    most.saturating_add(FEW_STEPS).min(MAX_STEPS)
}

/// The names in force: the index of the last one that was bound.
pub(super) type Env = Option<usize>;

/// A name that is bound.
#[derive(Debug)]
struct Name<'a> {
    name: &'a str,
    ty: Ty<'a>,
    /// Where it is bound, where that is certain.
    place: Option<TextRange>,
    before: Env,
}

pub(super) struct Eval<'a, 'w> {
    pub(super) world: &'w World<'a, 'w>,
    pub(super) facts: Facts<'a>,
    /// The types of the expressions that are names and lists.
    pub(super) types: Types<'a>,
    names: Vec<Name<'a>>,
    pub(super) env: Env,
    /// What `def` and `defn` define.
    globals: HashMap<&'a str, (Ty<'a>, Option<TextRange>)>,
    /// The functions that are still to be looked into.
    pub(super) pending: Vec<Rc<Closure<'a>>>,
    /// Those that were.
    pub(super) done: HashSet<TextRange>,
    /// What functions with names are called with.
    pub(super) applied: HashMap<TextRange, Vec<Ty<'a>>>,
    /// The functions whose bodies are being looked into, so that recursion ends.
    pub(super) running: Vec<TextRange>,
    /// Whether a `return` was met, which may end the program.
    pub(super) may_return: bool,
    quiet: u32,
    /// How many conditions are around.
    branches: u32,
    /// Whether it is at the definitions before the program.
    is_before: bool,
    depth: u32,
    steps: u32,
}

impl<'a> Eval<'a, '_> {
    fn program(&mut self, code: &'a [Expr<'a>]) {
        let mut ty = Ty::Nil;
        for form in code {
            self.may_return = false;
            ty = self.eval(form);
        }
        // Any of the functions may be called in the last form.
        self.look_into_functions();
        if let (Some(last), Some(output), true) =
            (code.last(), self.world.output, self.world.returns_last)
            && !matches!(ty, Ty::Nil)
            && !self.may_return
        {
            self.expect(last, output, &Taker::output());
        }
    }

    /// Whether what is seen is noted: not while a function is tried with some arguments.
    pub(super) fn is_recording(&self) -> bool {
        self.quiet == 0
    }

    /// Does something of which nothing is noted.
    pub(super) fn quietly<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.quiet += 1;
        let done = run(self);
        self.quiet -= 1;
        done
    }

    /// Does something that may not be done when the program runs.
    pub(super) fn perhaps<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.branches += 1;
        let done = run(self);
        self.branches -= 1;
        done
    }

    /// Does something one level deeper.
    pub(super) fn within(&mut self, run: impl FnOnce(&mut Self) -> Ty<'a>) -> Ty<'a> {
        if self.depth >= MAX_DEPTH {
            return Ty::Unknown;
        }
        self.depth += 1;
        let ty = run(self);
        self.depth -= 1;
        ty
    }

    /// Counts `steps`; says whether there are some left.
    pub(super) fn spend(&mut self, steps: u32) -> bool {
        self.steps = self.steps.saturating_sub(steps);
        self.steps > 0
    }

    /// What `expr` evaluates to.
    pub(super) fn eval(&mut self, expr: &'a Expr<'a>) -> Ty<'a> {
        if !self.spend(1) {
            return Ty::Unknown;
        }
        let ty = self.within(|eval| eval.kind(expr));
        if expr.as_symbol().is_some() || expr.is_list() {
            self.evaluated(expr, &ty);
        }
        ty
    }

    /// Notes what a name or a list evaluates to.
    pub(super) fn evaluated(&mut self, expr: &'a Expr<'a>, ty: &Ty<'a>) {
        if self.is_recording() {
            self.types.note(expr.range, ty.clone());
        }
    }

    fn kind(&mut self, expr: &'a Expr<'a>) -> Ty<'a> {
        match expr.kind() {
            ExprKind::Nil => Ty::Nil,
            ExprKind::Bool => Ty::Primitive(Primitive::Bool),
            ExprKind::Int => Ty::Primitive(Primitive::Int),
            ExprKind::Float => Ty::Primitive(Primitive::Float),
            ExprKind::String(_) => Ty::Primitive(Primitive::String),
            ExprKind::Keyword(_) => Ty::Function(Function::Key(expr)),
            ExprKind::Symbol(name) => self.symbol(name, expr.range),
            ExprKind::Vector(items) => {
                let items = items.iter().map(|it| self.eval(it)).collect();
                Ty::tuple(items)
            }
            ExprKind::Map(items) => self.map(items),
            ExprKind::List(items) => self.list(expr, items),
            ExprKind::ShortFunction(body) => {
                let params = None;
                self.closure(Closure {
                    range: expr.range,
                    arities: vec![Arity { params, body }],
                    env: self.env,
                })
            }
            ExprKind::Open(form) => {
                self.perhaps(|eval| eval.body(form));
                Ty::Unknown
            }
            ExprKind::Set => Ty::set(),
            ExprKind::Other => Ty::Unknown,
        }
    }

    /// What the last of the forms evaluates to.
    pub(super) fn body(&mut self, forms: &'a [Expr<'a>]) -> Ty<'a> {
        let mut ty = Ty::Nil;
        for form in forms {
            ty = self.eval(form);
        }
        ty
    }

    /// Looks at all forms, of which nothing is known together.
    pub(super) fn all(&mut self, forms: &'a [Expr<'a>]) -> Ty<'a> {
        self.body(forms);
        Ty::Unknown
    }

    fn map(&mut self, items: &'a [Expr<'a>]) -> Ty<'a> {
        let mut record = Some(Record::with_capacity(items.len().div_ceil(2)));
        for pair in items.chunks(2) {
            let (key, value) = (&pair[0], pair.get(1));
            if let (Some(name), None) = (key.as_keyword(), value) {
                let range = key.range;
                self.fault(Fault::Valueless { range, name });
            }
            let name = key.as_key().map(|it| self.world.edition.normal_name(it));
            if name.is_none() {
                self.eval(key);
            }
            let ty = value.map_or(Ty::Unknown, |it| self.eval(it));
            match (name, &mut record) {
                (Some(name), Some(record)) => record.add(&name, Some(key), ty),
                _ => record = None,
            }
        }
        record.map_or(Ty::dict(Ty::Unknown), Ty::of_record)
    }

    /// A function that is defined here. It is looked into once, also where nobody calls it.
    pub(super) fn closure(&mut self, closure: Closure<'a>) -> Ty<'a> {
        let closure = Rc::new(closure);
        if self.is_recording() {
            self.pending.push(closure.clone());
        }
        Ty::Function(Function::Closure(closure))
    }

    fn symbol(&mut self, name: &'a str, range: TextRange) -> Ty<'a> {
        if let Some((ty, place)) = self.local(name) {
            self.note(range, UseKind::Local(place), &ty);
            return ty;
        }
        if let Some((namespace, plain)) = name.split_once('/') {
            return match (self.world.namespace)(namespace) {
                Some(Namespace::Data | Namespace::Context) => {
                    let ty = (self.world.data)(plain);
                    let start = range.end() - TextSize::of(plain);
                    self.note(TextRange::new(start, range.end()), UseKind::Data, &ty);
                    ty
                }
                Some(Namespace::Tool) => Ty::Unknown,
                None => library(name),
            };
        }
        library(name)
    }

    fn list(&mut self, list: &'a Expr<'a>, items: &'a [Expr<'a>]) -> Ty<'a> {
        let Some((head, rest)) = items.split_first() else {
            return Ty::Nil;
        };
        if let Some(name) = head.as_symbol()
            && self.local(name).is_none()
        {
            if let Some(of) = Library::find(name) {
                let args = self.args(rest);
                let callee = Ty::Function(Function::Library(of));
                return self.call_value(head, callee, args);
            }
            if let Some(ty) = special::form(self, list, name, rest) {
                return ty;
            }
            if let Some(tool) = self.tool(head, rest) {
                return tool;
            }
            if !name.contains('/') {
                return self.unknown_form(rest);
            }
        }
        let args = self.args(rest);
        self.call(head, args)
    }

    /// A form of which nobody knows whether it is a macro, which may bind the names in a vector after it.
    fn unknown_form(&mut self, rest: &'a [Expr<'a>]) -> Ty<'a> {
        let around = self.env;
        if let Some(ExprKind::Vector(bound)) = rest.first().map(Expr::kind) {
            self.bind_unknown(bound);
        }
        for form in rest {
            self.eval(form);
        }
        self.env = around;
        Ty::Unknown
    }

    pub(super) fn args(&mut self, exprs: &'a [Expr<'a>]) -> Vec<Arg<'a>> {
        let arg = |expr| Arg {
            expr: Some(expr),
            ty: self.eval(expr),
        };
        exprs.iter().map(arg).collect()
    }

    /// A call of what `head` stands for.
    pub(super) fn call(&mut self, head: &'a Expr<'a>, args: Vec<Arg<'a>>) -> Ty<'a> {
        let ty = self.eval(head);
        self.call_value(head, ty, args)
    }

    /// A call of `head`, which evaluates to `ty`.
    fn call_value(&mut self, head: &'a Expr<'a>, ty: Ty<'a>, args: Vec<Arg<'a>>) -> Ty<'a> {
        let callee = Arg {
            expr: Some(head),
            ty,
        };
        match &callee.ty {
            Ty::Function(Function::Library(of)) => self.within(|eval| eval.library(*of, &args)),
            Ty::Function(_) => {
                let types: Vec<_> = args.into_iter().map(|it| it.ty).collect();
                self.apply(&callee, &types)
            }
            // A map is a function of its keys.
            of => match args.first().and_then(|it| it.expr) {
                Some(key) if head.as_symbol().is_some() && key.as_key().is_some() => {
                    self.read_key(of, key, args.len() > 1)
                }
                _ => Ty::Unknown,
            },
        }
    }

    /// The type of a name of the program and the place where it is bound.
    fn local(&mut self, name: &str) -> Option<(Ty<'a>, Option<TextRange>)> {
        let mut env = self.env;
        while let Some(index) = env {
            if !self.spend(1) {
                return Some((Ty::Unknown, None));
            }
            let bound = &self.names[index];
            if bound.name == name {
                return Some((bound.ty.clone(), bound.place));
            }
            env = bound.before;
        }
        let (ty, place) = self.globals.get(name)?;
        Some((ty.clone(), *place))
    }

    /// Binds `name` to a value of the type `ty`.
    pub(super) fn bind_name(&mut self, name: &'a str, place: Option<TextRange>, ty: Ty<'a>) {
        if let Some(place) = place {
            self.note(place, UseKind::Binding, &ty);
        }
        self.names.push(Name {
            name,
            ty,
            place,
            before: self.env,
        });
        self.env = Some(self.names.len() - 1);
    }

    /// Defines `name` for all that follows. What may be defined otherwise is unknown.
    pub(super) fn define(&mut self, name: &'a str, place: TextRange, ty: Ty<'a>) {
        let is_certain = self.branches == 0 && (self.is_recording() || self.is_before);
        let ty = match is_certain && !self.globals.contains_key(name) {
            true => ty,
            false => Ty::Unknown,
        };
        self.note(place, UseKind::Binding, &ty);
        let place = (!self.is_before).then_some(place);
        self.globals.insert(name, (ty, place));
    }

    /// Notes the type of a name.
    pub(super) fn note(&mut self, range: TextRange, what: UseKind<'a>, ty: &Ty<'a>) {
        if self.is_recording() && self.world.wants_uses {
            self.facts.uses.push(Use {
                range,
                what,
                ty: ty.clone(),
            });
        }
    }

    /// Notes what cannot be right.
    pub(super) fn fault(&mut self, fault: Fault<'a>) {
        if self.is_recording() {
            self.facts.faults.push(fault);
        }
    }

    /// Whether the program binds `name`.
    pub(super) fn is_bound(&mut self, name: &str) -> bool {
        self.local(name).is_some()
    }
}

/// The function of the language that `name` is, or nothing that is known.
fn library<'a>(name: &str) -> Ty<'a> {
    Library::find(name).map_or(Ty::Unknown, |it| Ty::Function(Function::Library(it)))
}
