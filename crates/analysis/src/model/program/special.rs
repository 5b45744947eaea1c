//! Forms that are no calls: bindings, conditions, definitions.

use super::{Fault, Taker, Ty, eval::Eval, function::Closure, ty::join_all};
use crate::model::Primitive;
use signature_ls_source::host::lisp::expr::{Expr, ExprKind};

/// What the form `(name rest…)` evaluates to; `None` if it is a call.
pub(super) fn form<'a>(
    eval: &mut Eval<'a, '_>,
    list: &'a Expr<'a>,
    name: &str,
    rest: &'a [Expr<'a>],
) -> Option<Ty<'a>> {
    Some(match name {
        "let" | "let*" => eval.let_form(rest),
        "loop" => eval.loop_form(rest),
        "if" | "if-not" => eval.condition(rest),
        "when" | "when-not" => {
            eval.all(&rest[..rest.len().min(1)]);
            eval.perhaps(|eval| eval.body(rest.get(1..).unwrap_or_default()))
        }
        "if-let" | "if-some" => eval.bound_condition(rest, false),
        "when-let" | "when-some" => eval.bound_condition(rest, true),
        "when-first" => eval.when_first(rest),
        "cond" => eval.cond(rest),
        "case" => eval.case(rest),
        "condp" => eval.condp(rest),
        "do" => eval.body(rest),
        "and" => eval.and(rest),
        "or" => eval.or(rest),
        "fn" | "fn*" => {
            let rest = match rest.first() {
                Some(name) if name.as_symbol().is_some() => &rest[1..],
                _ => rest,
            };
            let env = eval.env;
            let closure = Closure::of(list.range, rest, env);
            closure.map_or(Ty::Unknown, |it| eval.closure(it))
        }
        "defn" | "defn-" => eval.defn(list, rest),
        "def" | "defonce" => eval.def(rest),
        "->" | "some->" => eval.thread(rest, true),
        "->>" | "some->>" => eval.thread(rest, false),
        "cond->" => eval.conditional_thread(rest, true),
        "cond->>" => eval.conditional_thread(rest, false),
        "as->" => eval.named_thread(rest),
        "doto" => {
            let ty = rest.first().map_or(Ty::Unknown, |it| eval.eval(it));
            eval.perhaps(|eval| eval.all(rest.get(1..).unwrap_or_default()));
            ty
        }
        "for" => {
            let around = eval.env;
            let ty = eval.comprehension(rest);
            eval.env = around;
            Ty::list(ty)
        }
        "doseq" => {
            let around = eval.env;
            eval.comprehension(rest);
            eval.env = around;
            Ty::Nil
        }
        "return" => eval.return_form(rest),
        "fail" | "recur" => {
            eval.all(rest);
            Ty::Nil
        }
        "comment" => Ty::Nil,
        "quote" | "ns" | "in-ns" | "require" | "alias" | "var" => Ty::Unknown,
        "where" => eval.all(rest.get(1..).unwrap_or_default()),
        "catch" => {
            let around = eval.env;
            let names = rest.len().min(2);
            eval.bind_unknown(&rest[..names]);
            let ty = eval.all(&rest[names..]);
            eval.env = around;
            ty
        }
        "try" => {
            eval.perhaps(|eval| eval.all(rest));
            Ty::Unknown
        }
        _ => return None,
    })
}

impl<'a> Eval<'a, '_> {
    /// Returns a value, unless there is a `return` in it, which comes before.
    fn return_form(&mut self, rest: &'a [Expr<'a>]) -> Ty<'a> {
        self.may_return = false;
        self.all(rest);
        if let ([value], Some(output), false) = (rest, self.validated(), self.may_return) {
            self.expect(value, output, &Taker::output());
        }
        if let ([_, second, ..], Some(_)) = (rest, self.world.output) {
            self.fault(Fault::Second(second.range));
        }
        self.may_return = true;
        Ty::Nil
    }

    fn let_form(&mut self, rest: &'a [Expr<'a>]) -> Ty<'a> {
        let around = self.env;
        let body = match rest.split_first() {
            Some((bindings, body)) => {
                if let ExprKind::Vector(bindings) = bindings.kind() {
                    self.bindings(bindings);
                }
                body
            }
            None => &[],
        };
        let ty = self.body(body);
        self.env = around;
        ty
    }

    fn bindings(&mut self, bindings: &'a [Expr<'a>]) {
        for pair in bindings.chunks_exact(2) {
            let ty = self.eval(&pair[1]);
            self.bind(&pair[0], ty);
        }
    }

    /// The names of a loop have other values in the next turn.
    fn loop_form(&mut self, rest: &'a [Expr<'a>]) -> Ty<'a> {
        let around = self.env;
        if let Some(ExprKind::Vector(bindings)) = rest.first().map(Expr::kind) {
            for pair in bindings.chunks_exact(2) {
                self.eval(&pair[1]);
                self.bind_unknown(&pair[..1]);
            }
        }
        self.perhaps(|eval| eval.body(rest.get(1..).unwrap_or_default()));
        self.env = around;
        Ty::Unknown
    }

    fn condition(&mut self, rest: &'a [Expr<'a>]) -> Ty<'a> {
        let Some((test, branches)) = rest.split_first() else {
            return Ty::Unknown;
        };
        self.eval(test);
        self.branches(branches)
    }

    /// One of `branches`, whose types have to agree.
    pub(super) fn branches(&mut self, branches: &'a [Expr<'a>]) -> Ty<'a> {
        let branches = branches.iter();
        let types: Vec<_> = branches
            .map(|it| self.perhaps(|eval| eval.eval(it)))
            .collect();
        join_all(types.into_iter())
    }

    fn bound_condition(&mut self, rest: &'a [Expr<'a>], is_body: bool) -> Ty<'a> {
        let Some((bindings, branches)) = rest.split_first() else {
            return Ty::Unknown;
        };
        let around = self.env;
        if let ExprKind::Vector(bindings) = bindings.kind() {
            self.bindings(bindings);
        }
        if is_body {
            let ty = self.perhaps(|eval| eval.body(branches));
            self.env = around;
            return ty;
        }
        let (then, otherwise) = branches.split_at(branches.len().min(1));
        let then = self.branches(then);
        self.env = around;
        let otherwise = self.branches(otherwise);
        then.join(otherwise)
    }

    fn when_first(&mut self, rest: &'a [Expr<'a>]) -> Ty<'a> {
        let around = self.env;
        if let Some(ExprKind::Vector(bindings)) = rest.first().map(Expr::kind)
            && let [pattern, list] = bindings
        {
            let element = self.eval(list).element();
            self.bind(pattern, element);
        }
        let ty = self.perhaps(|eval| eval.body(rest.get(1..).unwrap_or_default()));
        self.env = around;
        ty
    }

    fn cond(&mut self, rest: &'a [Expr<'a>]) -> Ty<'a> {
        let mut ty = Ty::Nil;
        for pair in rest.chunks(2) {
            self.eval(&pair[0]);
            ty = ty.join(self.branches(&pair[1..]));
        }
        ty
    }

    fn case(&mut self, rest: &'a [Expr<'a>]) -> Ty<'a> {
        let Some((value, clauses)) = rest.split_first() else {
            return Ty::Unknown;
        };
        self.eval(value);
        let mut ty = Ty::Nil;
        for clause in clauses.chunks(2) {
            // The last one alone is the default.
            ty = ty.join(self.branches(&clause[clause.len() - 1..]));
        }
        ty
    }

    fn condp(&mut self, rest: &'a [Expr<'a>]) -> Ty<'a> {
        let clauses = rest.get(2..).unwrap_or_default();
        self.all(&rest[..rest.len().min(2)]);
        if clauses.iter().any(|it| it.as_key() == Some(">>")) {
            return self.perhaps(|eval| eval.all(clauses));
        }
        let mut ty = Ty::Nil;
        for clause in clauses.chunks(2) {
            if let [test, _] = clause {
                self.eval(test);
            }
            ty = ty.join(self.branches(&clause[clause.len() - 1..]));
        }
        ty
    }

    /// The last one, or the first that is `nil` or `false`.
    fn and(&mut self, rest: &'a [Expr<'a>]) -> Ty<'a> {
        if self.world.edition.and_gives_booleans() {
            self.branches(rest);
            return Ty::Primitive(Primitive::Bool);
        }
        let mut may_be_false = Ty::Nil;
        let mut ty = Ty::Primitive(Primitive::Bool);
        for (index, form) in rest.iter().enumerate() {
            ty = self.perhaps(|eval| eval.eval(form));
            let is_last = index + 1 == rest.len();
            if !is_last && (ty.is_unknown() || ty.as_primitive() == Some(Primitive::Bool)) {
                may_be_false = may_be_false.join(ty.clone());
            }
        }
        ty.join(may_be_false)
    }

    /// The first one that is neither `nil` nor `false`, or the last.
    fn or(&mut self, rest: &'a [Expr<'a>]) -> Ty<'a> {
        self.branches(rest)
    }

    fn def(&mut self, rest: &'a [Expr<'a>]) -> Ty<'a> {
        let (Some(name), Some(value)) = (rest.first(), rest.get(1..).and_then(<[_]>::last)) else {
            return Ty::Unknown;
        };
        let ty = self.eval(value);
        if let Some(text) = name.as_symbol() {
            self.define(text, name.range, ty);
        }
        Ty::Unknown
    }

    fn defn(&mut self, list: &'a Expr<'a>, rest: &'a [Expr<'a>]) -> Ty<'a> {
        let Some((name, rest)) = rest.split_first() else {
            return Ty::Unknown;
        };
        let Some(text) = name.as_symbol() else {
            return self.all(rest);
        };
        let env = self.env;
        let Some(closure) = Closure::of(list.range, rest, env) else {
            return Ty::Unknown;
        };
        match self.world.params {
            Some(params) if self.is_recording() && self.done.is_empty() => {
                self.signed(closure, params);
            }
            _ => {
                let ty = self.closure(closure);
                self.define(text, name.range, ty);
            }
        }
        Ty::Unknown
    }

    /// The body of `for` and `doseq`; its names stay bound.
    fn comprehension(&mut self, rest: &'a [Expr<'a>]) -> Ty<'a> {
        let Some((bindings, body)) = rest.split_first() else {
            return Ty::Unknown;
        };
        if let ExprKind::Vector(bindings) = bindings.kind() {
            for pair in bindings.chunks_exact(2) {
                let (pattern, value) = (&pair[0], &pair[1]);
                match (pattern.kind(), value.kind()) {
                    (ExprKind::Keyword("let"), ExprKind::Vector(inner)) => {
                        self.bindings(inner);
                    }
                    (ExprKind::Keyword(_), _) => {
                        self.eval(value);
                    }
                    _ => {
                        let element = self.eval(value).element();
                        self.bind(pattern, element);
                    }
                }
            }
        }
        self.perhaps(|eval| eval.body(body))
    }
}

/// Whether a form of this name binds names or leaves some of its parts out.
pub(super) fn is_special(name: &str) -> bool {
    matches!(
        name,
        "let"
            | "let*"
            | "loop"
            | "if"
            | "if-not"
            | "when"
            | "when-not"
            | "if-let"
            | "if-some"
            | "when-let"
            | "when-some"
            | "when-first"
            | "cond"
            | "case"
            | "condp"
            | "do"
            | "and"
            | "or"
            | "fn"
            | "fn*"
            | "defn"
            | "defn-"
            | "def"
            | "defonce"
            | "->"
            | "->>"
            | "some->"
            | "some->>"
            | "cond->"
            | "cond->>"
            | "as->"
            | "doto"
            | "for"
            | "doseq"
            | "return"
            | "fail"
            | "recur"
            | "comment"
            | "quote"
            | "where"
            | "try"
            | "catch"
    )
}
