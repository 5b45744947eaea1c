//! Threading forms: `->` and the like.

use super::{Ty, eval::Eval, function::Arg, special::is_special};
use signature_ls_source::host::lisp::expr::{Expr, ExprKind};

impl<'a> Eval<'a, '_> {
    pub(super) fn thread(&mut self, rest: &'a [Expr<'a>], is_first: bool) -> Ty<'a> {
        let Some((value, steps)) = rest.split_first() else {
            return Ty::Unknown;
        };
        let mut value = Arg {
            expr: Some(value),
            ty: self.eval(value),
        };
        for step in steps {
            value = Arg::of(self.step(value, step, is_first));
        }
        value.ty
    }

    /// A call into which `value` is put.
    fn step(&mut self, value: Arg<'a>, step: &'a Expr<'a>, is_first: bool) -> Ty<'a> {
        if !self.spend(1) {
            return Ty::Unknown;
        }
        let ExprKind::List(items) = step.kind() else {
            self.expect_names(&value, step, step);
            return self.call(step, vec![value]);
        };
        let Some((head, rest)) = items.split_first() else {
            return Ty::Unknown;
        };
        if is_first || rest.is_empty() {
            self.expect_names(&value, head, step);
        }
        if let Some(ty) = self.threaded_form(&value, step, (head, rest), is_first) {
            return ty;
        }
        let mut args = self.args(rest);
        match is_first {
            true => args.insert(0, value),
            false => args.push(value),
        }
        let ty = self.call(head, args);
        self.evaluated(step, &ty);
        ty
    }

    /// A form in a thread that is no call of a function.
    fn threaded_form(
        &mut self,
        value: &Arg<'a>,
        step: &'a Expr<'a>,
        (head, rest): (&'a Expr<'a>, &'a [Expr<'a>]),
        is_first: bool,
    ) -> Option<Ty<'a>> {
        let name = head.as_symbol()?;
        if self.is_bound(name) {
            return None;
        }
        if let Some(output) = self.tool_output(name) {
            self.all(rest);
            return Some(output);
        }
        match name {
            "->" | "some->" | "->>" | "some->>" => {
                let is_inner_first = !name.ends_with(">>");
                if !is_first {
                    return Some(self.all(rest));
                }
                let mut value = value.clone();
                for step in rest {
                    value = Arg::of(self.step(value, step, is_inner_first));
                }
                Some(value.ty)
            }
            "as->" if is_first => {
                let (name, steps) = rest.split_first()?;
                Some(self.named_steps(value.ty.clone(), name, steps))
            }
            "or" if is_first => {
                let ty = self.branches(rest);
                Some(value.ty.clone().join(ty))
            }
            "return" if rest.is_empty() => {
                self.expect_returned(value, step);
                self.may_return = true;
                Some(Ty::Nil)
            }
            _ if is_special(name) => {
                let around = self.env;
                if let Some(ExprKind::Vector(bound)) = rest.first().map(Expr::kind) {
                    self.bind_unknown(bound);
                }
                self.perhaps(|eval| eval.all(rest));
                self.env = around;
                Some(Ty::Unknown)
            }
            _ => None,
        }
    }

    /// Steps that may be left out: their type is certain where none of them changes it.
    pub(super) fn conditional_thread(&mut self, rest: &'a [Expr<'a>], is_first: bool) -> Ty<'a> {
        let Some((value, clauses)) = rest.split_first() else {
            return Ty::Unknown;
        };
        let mut value = Arg {
            expr: Some(value),
            ty: self.eval(value),
        };
        for clause in clauses.chunks_exact(2) {
            self.eval(&clause[0]);
            let before = value.ty.clone();
            let ty = self.perhaps(|eval| eval.step(value, &clause[1], is_first));
            value = Arg::of(before.join(ty));
        }
        value.ty
    }

    pub(super) fn named_thread(&mut self, rest: &'a [Expr<'a>]) -> Ty<'a> {
        let [value, name, steps @ ..] = rest else {
            return Ty::Unknown;
        };
        let ty = self.eval(value);
        self.named_steps(ty, name, steps)
    }

    fn named_steps(&mut self, mut ty: Ty<'a>, name: &'a Expr<'a>, steps: &'a [Expr<'a>]) -> Ty<'a> {
        let around = self.env;
        let Some(text) = name.as_symbol() else {
            return self.all(steps);
        };
        for (index, step) in steps.iter().enumerate() {
            let place = (index == 0).then_some(name.range);
            self.bind_name(text, place, ty);
            ty = self.eval(step);
        }
        self.env = around;
        ty
    }
}
