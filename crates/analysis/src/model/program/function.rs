//! Functions as values, and what a call of one returns.

use std::rc::Rc;

use super::{
    Ty,
    eval::{Env, Eval},
    library::Library,
};
use signature_ls_source::{host::lisp::expr::Expr, text::TextRange};

/// A function.
#[derive(Debug, Clone)]
pub enum Function<'a> {
    /// A keyword, which reads the key of its name.
    Key(&'a Expr<'a>),
    /// A function of the language.
    Library(Library),
    /// A function that the program defines.
    Closure(Rc<Closure<'a>>),
    /// A function with its first arguments.
    Partial(Rc<(Ty<'a>, Vec<Ty<'a>>)>),
    /// Functions that are called one after another, the last one first.
    Composed(Rc<Vec<Ty<'a>>>),
    /// A function that always returns the same.
    Constant(Rc<Ty<'a>>),
}

/// A function that the program defines, and the names around it.
#[derive(Debug)]
pub struct Closure<'a> {
    /// The whole form that defines it.
    pub(super) range: TextRange,
    pub(super) arities: Vec<Arity<'a>>,
    pub(super) env: Env,
}

/// The parameters of a function and what it does with them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arity<'a> {
    /// `None` for `#(f %)`.
    pub(super) params: Option<&'a [Expr<'a>]>,
    pub(super) body: &'a [Expr<'a>],
}

impl<'a> Closure<'a> {
    /// The function that `rest` is: what follows `fn` and the name.
    pub(super) fn of(range: TextRange, rest: &'a [Expr<'a>], env: Env) -> Option<Self> {
        use signature_ls_source::host::lisp::expr::ExprKind::{List, Vector};
        let arity = |items: &'a [Expr<'a>]| {
            let (params, body) = items.split_first()?;
            match params.kind() {
                Vector(params) => Some(Arity {
                    params: Some(params),
                    body,
                }),
                _ => None,
            }
        };
        let arities: Option<Vec<_>> = match rest.iter().position(Expr::is_vector) {
            Some(at) => arity(&rest[at..]).map(|it| vec![it]),
            None => {
                let lists = rest.iter().filter_map(|it| match it.kind() {
                    List(items) => Some(arity(items)),
                    _ => None,
                });
                lists.collect()
            }
        };
        let arities = arities.filter(|it| !it.is_empty())?;
        Some(Self {
            range,
            arities,
            env,
        })
    }
}

impl<'a> Arity<'a> {
    /// Whether it takes that many arguments.
    fn takes(&self, count: usize) -> bool {
        let Some(params) = self.params else {
            return true;
        };
        match params.iter().position(|it| it.as_symbol() == Some("&")) {
            Some(rest) => count >= rest,
            None => count == params.len(),
        }
    }
}

/// An argument of a call.
#[derive(Debug, Clone)]
pub(super) struct Arg<'a> {
    /// The expression, where it is one of its own.
    pub(super) expr: Option<&'a Expr<'a>>,
    pub(super) ty: Ty<'a>,
}

impl<'a> Arg<'a> {
    pub(super) fn of(ty: Ty<'a>) -> Self {
        Self { expr: None, ty }
    }
}

impl<'a> Eval<'a, '_> {
    /// What a call of the function `callee` with `args` returns.
    pub(super) fn apply(&mut self, callee: &Arg<'a>, args: &[Ty<'a>]) -> Ty<'a> {
        if !self.spend(1) {
            return Ty::Unknown;
        }
        self.within(|eval| match &callee.ty {
            Ty::Function(Function::Key(key)) => {
                let of = args.first().cloned().unwrap_or_default();
                let is_here = callee.expr.is_some_and(|it| it.range == key.range);
                match is_here {
                    true => eval.read_key(&of, key, args.len() > 1),
                    false => eval.quietly(|eval| eval.read_key(&of, key, args.len() > 1)),
                }
            }
            Ty::Function(Function::Library(of)) => {
                let args: Vec<_> = args.iter().cloned().map(Arg::of).collect();
                eval.library(*of, &args)
            }
            Ty::Function(Function::Closure(closure)) => {
                let is_here = callee.expr.is_some_and(|it| it.range == closure.range);
                eval.call_closure(&closure.clone(), args, is_here)
            }
            Ty::Function(Function::Partial(partial)) => {
                let (inner, first) = &**partial;
                let args: Vec<_> = first.iter().chain(args).cloned().collect();
                eval.apply(&Arg::of(inner.clone()), &args)
            }
            Ty::Function(Function::Composed(functions)) => {
                let mut functions = functions.iter().rev();
                let Some(first) = functions.next() else {
                    return args.first().cloned().unwrap_or_default();
                };
                let mut ty = eval.apply(&Arg::of(first.clone()), args);
                for function in functions {
                    ty = eval.apply(&Arg::of(function.clone()), &[ty]);
                }
                ty
            }
            Ty::Function(Function::Constant(ty)) => (**ty).clone(),
            // A map is a function of its keys.
            _ => Ty::Unknown,
        })
    }

    /// Calls a function of the program. One that is written where it is called is looked into with these arguments;
    /// any other one later, with all arguments that it gets.
    fn call_closure(
        &mut self,
        closure: &Rc<Closure<'a>>,
        args: &[Ty<'a>],
        is_here: bool,
    ) -> Ty<'a> {
        let mut arities = closure.arities.iter();
        let Some(arity) = arities.find(|it| it.takes(args.len())) else {
            return Ty::Unknown;
        };
        if is_here && self.is_recording() && self.done.insert(closure.range) {
            return self.run(closure, arity, args);
        }
        if !is_here && self.is_recording() && closure.arities.len() == 1 {
            self.note_arguments(closure.range, args);
        }
        if self.running.contains(&closure.range) {
            return Ty::Unknown;
        }
        self.running.push(closure.range);
        let ty = self.quietly(|eval| eval.run(closure, arity, args));
        self.running.pop();
        ty
    }

    fn note_arguments(&mut self, function: TextRange, args: &[Ty<'a>]) {
        match self.applied.get_mut(&function) {
            Some(known) => {
                for (known, arg) in known.iter_mut().zip(args) {
                    *known = std::mem::take(known).join(arg.clone());
                }
            }
            None => {
                self.applied.insert(function, args.to_vec());
            }
        }
    }

    /// What the body of a function returns, given its arguments.
    pub(super) fn run(
        &mut self,
        closure: &Closure<'a>,
        arity: &Arity<'a>,
        args: &[Ty<'a>],
    ) -> Ty<'a> {
        let around = std::mem::replace(&mut self.env, closure.env);
        match arity.params {
            Some(params) => self.bind_items(params, args),
            None => self.bind_short(args),
        }
        let ty = self.body(arity.body);
        self.env = around;
        ty
    }

    /// Looks into the functions that were not called where they are written.
    pub(super) fn look_into_functions(&mut self) {
        while let Some(closure) = self.pending.pop() {
            if !self.done.insert(closure.range) {
                continue;
            }
            let known = self.applied.remove(&closure.range).unwrap_or_default();
            for arity in &closure.arities {
                self.run(&closure, arity, &known);
            }
        }
    }
}
