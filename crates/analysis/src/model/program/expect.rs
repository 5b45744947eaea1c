//! Values where a type is wanted: arguments of tools, and what a program returns.

use std::rc::Rc;

use foldhash::{HashMap, HashMapExt};

use super::{
    Declared, Fault, Origin, Taker, Ty, Undeclared,
    eval::Eval,
    function::{Arg, Closure, Function},
    library::Library,
    ty::Parts,
};
use crate::model::{
    Edition, Field, Fields, Primitive, Signature, Type, TypeKind,
    fit::{self, Fit},
};
use signature_ls_source::host::lisp::{
    Namespace,
    expr::{Expr, ExprKind},
};

/// Tools with more parameters are not checked: each call looks at all of them.
const MAX_PARAMS: usize = 256;

impl Taker<'_> {
    /// The output of the program.
    pub(super) fn output() -> Self {
        Self {
            tool: None,
            path: String::new(),
        }
    }

    fn at(&self, name: &str) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        Self {
            tool: self.tool,
            path: format!("{}{dot}{name}", self.path),
        }
    }

    fn at_index(&self, index: usize) -> Self {
        Self {
            tool: self.tool,
            path: format!("{}[{index}]", self.path),
        }
    }
}

impl<'a> Eval<'a, '_> {
    /// The call of a tool that `(head rest…)` is: what it evaluates to.
    pub(super) fn tool(&mut self, head: &'a Expr<'a>, rest: &'a [Expr<'a>]) -> Option<Ty<'a>> {
        let written = head.as_symbol()?;
        let (name, args) = match (written, rest) {
            ("call", [name, args @ ..]) => match name.kind() {
                ExprKind::String(name) => (name, args),
                _ => return None,
            },
            _ => (self.tool_name(written)?, rest),
        };
        self.all(args);
        let Some((name, signature)) = (self.world.tool)(name) else {
            return Some(undeclared(name));
        };
        self.arguments(name, signature, args);
        Some(output(name, signature))
    }

    /// What a call of the tool evaluates to that `written` names in code.
    pub(super) fn tool_output(&self, written: &'a str) -> Option<Ty<'a>> {
        let name = self.tool_name(written)?;
        Some(match (self.world.tool)(name) {
            Some((name, signature)) => output(name, signature),
            None => undeclared(name),
        })
    }

    /// Notes that `value` comes without a name into the `step` of a thread that calls the tool `head`.
    pub(super) fn expect_names(&mut self, value: &Arg<'a>, head: &'a Expr<'a>, step: &'a Expr<'a>) {
        let written = head.as_symbol().filter(|it| !self.is_bound(it));
        let Some((namespace, tool)) = written.and_then(|it| it.split_once('/')) else {
            return;
        };
        // A prelude may define functions in `ctx`.
        if (self.world.namespace)(namespace) != Some(Namespace::Tool) {
            return;
        }
        if value.ty.is_certainly_no_map() {
            let range = value.expr.unwrap_or(step).range;
            self.fault(Fault::Unnamed { range, tool });
        }
    }

    fn tool_name(&self, written: &'a str) -> Option<&'a str> {
        let (namespace, name) = written.split_once('/')?;
        let namespace = (self.world.namespace)(namespace)?;
        matches!(namespace, Namespace::Tool | Namespace::Context).then_some(name)
    }

    fn arguments(&mut self, tool: &'a str, signature: &'a Signature, args: &'a [Expr<'a>]) {
        if signature.params.len() > MAX_PARAMS {
            return;
        }
        let pairs = match args {
            [only] => match only.kind() {
                ExprKind::Map(pairs) => pairs,
                _ => return,
            },
            [first, ..] if first.as_keyword().is_some() => args,
            _ => return,
        };
        let taker = Taker {
            tool: Some(tool),
            path: String::new(),
        };
        self.expect_fields(pairs, &signature.params, &taker);
    }

    fn expect_fields(&mut self, pairs: &'a [Expr<'a>], fields: &'a Fields, taker: &Taker<'a>) {
        if fields.len() > MAX_PARAMS {
            return;
        }
        let edition = self.world.edition;
        let pairs = pairs.chunks_exact(2);
        let named =
            pairs.filter_map(|pair| Some((edition.normal_name(pair[0].as_key()?), &pair[1])));
        let named: Vec<_> = named.collect();
        let mut counts: HashMap<&str, u32> = HashMap::with_capacity(named.len());
        for (name, _) in &named {
            *counts.entry(name).or_default() += 1;
        }
        // Of several values of one name, either may count.
        for (name, value) in named.iter().filter(|(name, _)| counts[name.as_str()] == 1) {
            if let Some(field) = fields.named(name, edition) {
                self.expect(value, &field.ty, &taker.at(name));
            }
        }
    }

    /// Notes what cannot be right where `expr` is given for `wanted`. Literals are left to those who check values.
    pub(super) fn expect(&mut self, expr: &'a Expr<'a>, wanted: &'a Type, taker: &Taker<'a>) {
        if !self.is_recording() || !self.spend(1) {
            return;
        }
        match (expr.kind(), &wanted.kind) {
            (ExprKind::Map(pairs), TypeKind::Record(fields)) => {
                self.expect_fields(pairs, fields, taker);
            }
            (ExprKind::Vector(items), TypeKind::List(element)) => {
                for (index, item) in items.iter().enumerate() {
                    self.expect(item, element, &taker.at_index(index));
                }
            }
            (ExprKind::Symbol(_) | ExprKind::List(_) | ExprKind::Set, _) => {
                let given = match expr.kind() {
                    ExprKind::Set => Some(Ty::set()),
                    _ => self.types.of(expr.range),
                };
                let Some(given) = given.filter(|_| !wanted.optional || !self.may_be_nil(expr))
                else {
                    return;
                };
                let fit = match given.fit(wanted, taker, self.world.edition) {
                    Fit::Unknown if taker.tool.is_none() && self.is_text_for(expr, wanted) => {
                        Fit::Never
                    }
                    fit => fit,
                };
                if matches!(fit, Fit::Coerced | Fit::Never) {
                    self.fault(Fault::Value {
                        range: expr.range,
                        given,
                        wanted,
                        fit,
                        taker: taker.clone(),
                    });
                }
            }
            _ => {}
        }
    }

    /// Whether `expr` is a form that may evaluate to `nil`, which its type does not tell.
    fn may_be_nil(&mut self, expr: &'a Expr<'a>) -> bool {
        let ExprKind::List([head, rest @ ..]) = expr.kind() else {
            return matches!(expr.kind(), ExprKind::Nil);
        };
        let Some(name) = head.as_symbol().filter(|it| !self.is_bound(it)) else {
            return false;
        };
        match name {
            "let" | "let*" | "do" => rest.last().is_some_and(|it| self.may_be_nil(it)),
            "if" | "if-not" | "if-let" | "if-some" => match rest {
                [_, then, otherwise] => self.may_be_nil(then) || self.may_be_nil(otherwise),
                _ => true,
            },
            "and" | "or" | "when" | "when-not" | "when-let" | "when-some" | "when-first"
            | "cond" | "case" | "condp" | "some->" | "some->>" => true,
            _ => false,
        }
    }

    /// Whether `expr` makes a string where a program may return none. What a tool declares as one may be another value.
    fn is_text_for(&mut self, expr: &'a Expr<'a>, wanted: &Type) -> bool {
        let is_none = match wanted.kind {
            TypeKind::Primitive(Primitive::Datetime) => true,
            TypeKind::Primitive(Primitive::Keyword) => {
                !self.world.edition.returns_text_for_keywords()
            }
            _ => false,
        };
        let ExprKind::List([head, args @ ..]) = expr.kind() else {
            return false;
        };
        let name = head.as_symbol().filter(|it| is_none && !self.is_bound(it));
        let function = name.and_then(Library::find);
        function.is_some_and(|it| it.makes_text(args.len(), self.world.edition))
    }

    /// The type of what `return` gives, if that is validated.
    pub(super) fn validated(&self) -> Option<&'a Type> {
        self.world.output.filter(|_| !self.world.returns_last)
    }

    /// Notes that the `step` of a thread that returns gets a `value` that cannot be right.
    pub(super) fn expect_returned(&mut self, value: &Arg<'a>, step: &'a Expr<'a>) {
        let Some(wanted) = self.validated().filter(|_| !self.may_return) else {
            return;
        };
        let taker = Taker::output();
        let fit = value.ty.fit(wanted, &taker, self.world.edition);
        if fit == Fit::Never {
            self.fault(Fault::Value {
                range: value.expr.unwrap_or(step).range,
                given: value.ty.clone(),
                wanted,
                fit,
                taker,
            });
        }
    }

    /// Looks into the function that a signature describes.
    pub(super) fn signed(&mut self, closure: Closure<'a>, params: &'a Fields) {
        let edition = self.world.edition;
        let typed = |field: &'a Field| {
            Ty::Declared(Declared {
                ty: &field.ty,
                origin: Origin::Agent,
            })
        };
        self.done.insert(closure.range);
        for arity in &closure.arities {
            let names = arity.params.unwrap_or_default().iter();
            let types: Vec<_> = names
                .take_while(|it| it.as_symbol() != Some("&"))
                .map(|param| match param.kind() {
                    ExprKind::Symbol(name) => {
                        let found = params.named(name, edition);
                        found.map_or(Ty::Unknown, typed)
                    }
                    ExprKind::Map(_) => {
                        let fields = params.iter().map(|it| {
                            let name = edition.normal_name(&it.name).into_boxed_str();
                            (name, typed(it))
                        });
                        Ty::record(fields.collect())
                    }
                    _ => Ty::Unknown,
                })
                .collect();
            self.run(&closure, arity, &types);
        }
    }
}

/// What a tool gives back. One whose function says `{:ok, value} | {:error, reason}` is read as a record of both, and
/// gives just the value.
fn output<'a>(tool: &'a str, signature: &'a Signature) -> Ty<'a> {
    let ty = &signature.output;
    if let TypeKind::Record(fields) = &ty.kind
        && let [result, error] = &fields[..]
        && (result.name.as_str(), error.name.as_str()) == ("result", "error")
    {
        return Ty::Unknown;
    }
    Ty::Declared(Declared {
        ty,
        origin: Origin::Tool(tool),
    })
}

/// What a tool without a known signature gives back.
fn undeclared(tool: &str) -> Ty<'_> {
    Ty::Undeclared(Rc::new(Undeclared {
        tool,
        path: Vec::new(),
    }))
}

impl Ty<'_> {
    /// How a value of this type fits `wanted` where `taker` takes it.
    fn fit(&self, wanted: &Type, taker: &Taker<'_>, edition: Edition) -> Fit {
        if matches!(
            wanted.kind,
            TypeKind::Unknown | TypeKind::Primitive(Primitive::Any)
        ) {
            return Fit::Fits;
        }
        let of_type = |given: &Type| match taker.tool {
            Some(_) => fit::fit(given, wanted, edition),
            None => fit_returned(given, wanted, edition),
        };
        match self {
            Self::Declared(given) => of_type(given.ty),
            Self::Primitive(primitive) => of_type(&Type::primitive(*primitive)),
            Self::Function(Function::Key(_)) => of_type(&Type::primitive(Primitive::Keyword)),
            Self::Compound(compound) => compound.parts.fit(wanted, taker, edition),
            Self::Unknown | Self::Undeclared(_) | Self::Nil | Self::Function(_) => Fit::Unknown,
        }
    }
}

/// How a value of the type `given` fits `wanted` as an output, which is not coerced.
fn fit_returned(given: &Type, wanted: &Type, edition: Edition) -> Fit {
    use Primitive::{Float, Int};
    match fit::fit(given, wanted, edition) {
        Fit::Fits
            if !edition.returns_ints_for_floats()
                && given.kind == TypeKind::Primitive(Int)
                && wanted.kind == TypeKind::Primitive(Float) =>
        {
            Fit::Never
        }
        // What is declared may be written as a string at run time.
        Fit::Coerced => match (&given.kind, &wanted.kind) {
            (
                TypeKind::Primitive(Primitive::String),
                TypeKind::Primitive(Primitive::Int | Primitive::Float | Primitive::Bool),
            ) => Fit::Never,
            _ => Fit::Unknown,
        },
        fit => fit,
    }
}

impl Parts<'_> {
    fn fit(&self, wanted: &Type, taker: &Taker<'_>, edition: Edition) -> Fit {
        match (self, &wanted.kind) {
            (Self::List(element), TypeKind::List(wanted)) => element.fit(wanted, taker, edition),
            (Self::Tuple(elements), TypeKind::List(wanted)) => {
                let fits = elements.iter().map(|it| it.fit(wanted, taker, edition));
                fits.max().unwrap_or(Fit::Fits)
            }
            (Self::Record(_) | Self::Dict(_), TypeKind::Primitive(Primitive::Map)) => Fit::Fits,
            (Self::Dict(_), TypeKind::Record(_)) => Fit::Unknown,
            // Early releases pass it on, and take it for a map.
            (Self::Set, _) if taker.tool.is_some() && edition < Edition::V0_5 => Fit::Unknown,
            (Self::Set, TypeKind::Record(_) | TypeKind::Primitive(Primitive::Map)) => Fit::Unknown,
            (Self::Record(record), TypeKind::Record(wanted)) => {
                let fits = wanted.iter().map(|wanted| {
                    let name = edition.normal_name(&wanted.name);
                    match record.get(&name) {
                        Some(given) => given.fit(&wanted.ty, taker, edition),
                        None if wanted.ty.optional => Fit::Fits,
                        None => Fit::Never,
                    }
                });
                fits.max().unwrap_or(Fit::Fits)
            }
            _ => Fit::Never,
        }
    }
}
