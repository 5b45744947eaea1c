//! Binds names: parameters, `let` and destructuring.

use super::{Ty, UseKind, eval::Eval};
use signature_ls_source::host::lisp::expr::{Expr, ExprKind};

/// The names of the parameters of `#(f %)`.
const SHORT: [&str; 5] = ["%", "%1", "%2", "%3", "%&"];

impl<'a> Eval<'a, '_> {
    /// Binds the names in `pattern` to a value of the type `ty`, or to parts of it.
    pub(super) fn bind(&mut self, pattern: &'a Expr<'a>, ty: Ty<'a>) {
        if !self.spend(1) {
            return;
        }
        match pattern.kind() {
            ExprKind::Symbol(name) => self.bind_name(name, Some(pattern.range), ty),
            ExprKind::Vector(items) => {
                let known: Vec<_> = match ty.is_list() {
                    true => (0..items.len()).map(|index| ty.at(index)).collect(),
                    false => Vec::new(),
                };
                self.bind_parts(items, &known, Some(&ty));
            }
            ExprKind::Map(items) => self.bind_keys(items, &ty),
            _ => {}
        }
    }

    /// Binds the names in a list of parameters to the types of the arguments.
    pub(super) fn bind_items(&mut self, params: &'a [Expr<'a>], args: &[Ty<'a>]) {
        self.bind_parts(params, args, None);
    }

    /// Binds the names in a vector to the types of the parts of a value, which is `whole` where it is one.
    fn bind_parts(&mut self, patterns: &'a [Expr<'a>], parts: &[Ty<'a>], whole: Option<&Ty<'a>>) {
        let mut patterns = patterns.iter();
        let mut index = 0;
        while let Some(pattern) = patterns.next() {
            if pattern.as_symbol() == Some("&") {
                if let Some(rest) = patterns.next() {
                    let element = whole.filter(|it| it.is_list()).map(Ty::element);
                    self.bind(rest, element.map_or(Ty::Unknown, Ty::list));
                }
            } else if pattern.as_key() == Some("as") {
                if let Some(name) = patterns.next() {
                    self.bind(name, whole.cloned().unwrap_or_default());
                }
            } else {
                let ty = parts.get(index).cloned().unwrap_or_default();
                // There may be fewer parts than names.
                let ty = match ty {
                    Ty::Nil => Ty::Unknown,
                    ty => ty,
                };
                self.bind(pattern, ty);
                index += 1;
            }
        }
    }

    /// Binds the names in `{:keys [a b], c :d, :as all}`.
    fn bind_keys(&mut self, items: &'a [Expr<'a>], ty: &Ty<'a>) {
        let value_of = |key: &str| {
            let mut pairs = items.chunks_exact(2);
            let pair = pairs.find(|it| it[0].as_keyword() == Some(key));
            pair.map(|it| &it[1])
        };
        let defaults: Vec<_> = match value_of("or").map(Expr::kind) {
            Some(ExprKind::Map(pairs)) => pairs.chunks_exact(2).collect(),
            _ => Vec::new(),
        };
        for pair in &defaults {
            self.eval(&pair[1]);
        }
        let default = |name: &str| {
            let mut names = defaults.iter().map(|it| &it[0]);
            names.find(|it| it.as_symbol() == Some(name))
        };
        for pair in items.chunks_exact(2) {
            let (pattern, value) = (&pair[0], &pair[1]);
            let word = pattern.as_keyword();
            let word = word.map(|it| it.rsplit('/').next().unwrap_or(it));
            match (word, value.kind()) {
                (Some("keys" | "strs" | "syms"), ExprKind::Vector(names)) => {
                    for name in names {
                        self.bind_key(name, ty, &default);
                    }
                }
                (Some("as"), _) => self.bind(value, ty.clone()),
                (Some(_), _) => {}
                (None, _) => {
                    let has_default = pattern.as_symbol().and_then(default).is_some();
                    let part = self.read_key(ty, value, has_default);
                    self.bind(pattern, part);
                }
            }
        }
    }

    /// Binds a name to the value of the key of that name.
    fn bind_key(
        &mut self,
        expr: &'a Expr<'a>,
        ty: &Ty<'a>,
        default: &dyn Fn(&str) -> Option<&'a Expr<'a>>,
    ) {
        let (ExprKind::Symbol(written) | ExprKind::Keyword(written)) = expr.kind() else {
            return;
        };
        let name = written.rsplit('/').next().unwrap_or(written);
        let default = default(name);
        let part = self.read(ty, name, expr.key_range(), default.is_some());
        let part = match default {
            Some(default) => {
                let bound = UseKind::Local(Some(expr.key_range()));
                self.note(default.range, bound, &Ty::Unknown);
                Ty::Unknown
            }
            None => part,
        };
        self.bind_name(name, Some(expr.key_range()), part);
    }

    /// Binds the parameters of `#(f %)`.
    pub(super) fn bind_short(&mut self, args: &[Ty<'a>]) {
        let first = args.first().cloned().unwrap_or_default();
        for (index, name) in SHORT.into_iter().enumerate() {
            let ty = match index {
                0 => first.clone(),
                _ => args.get(index - 1).cloned().unwrap_or_default(),
            };
            let is_rest = name == "%&";
            self.bind_name(name, None, if is_rest { Ty::Unknown } else { ty });
        }
    }

    /// Binds all names in `patterns` to what nobody knows.
    pub(super) fn bind_unknown(&mut self, patterns: &'a [Expr<'a>]) {
        let mut left: Vec<&'a Expr<'a>> = patterns.iter().collect();
        while let Some(pattern) = left.pop() {
            match pattern.kind() {
                ExprKind::Symbol(name) => self.bind_name(name, None, Ty::Unknown),
                ExprKind::Vector(items) | ExprKind::Map(items) => left.extend(items),
                _ => {}
            }
        }
    }
}
