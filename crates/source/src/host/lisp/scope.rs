//! The names that a form defines, and those that it takes from outside.

use foldhash::HashMap;

use std::iter::Peekable;

use super::expr::{Expr, Parts};

/// The names in an expression, each maybe several times.
#[derive(Debug, Default)]
pub struct Names<'e> {
    /// Those that it defines for the forms after it.
    pub defined: Vec<&'e str>,
    /// Those that it does not bind where it uses them. A name may be here too much, but not too little.
    pub free: Vec<&'e str>,
    /// Those that are bound where the reader is.
    bound: Bound<'e>,
}

/// The names that are bound at a place, the innermost one last.
#[derive(Debug, Default)]
struct Bound<'e> {
    names: Vec<&'e str>,
    /// How often each is bound, apart from the first [`FEW`] of `names`.
    counts: HashMap<&'e str, usize>,
}

/// So many names are found faster without a map.
const FEW: usize = 16;

impl<'e> Bound<'e> {
    fn push(&mut self, name: &'e str) {
        if self.names.len() >= FEW {
            *self.counts.entry(name).or_default() += 1;
        }
        self.names.push(name);
    }

    fn contains(&self, name: &str) -> bool {
        let first = self.names.iter().take(FEW);
        { first }.any(|it| *it == name) || self.counts.get(name).is_some_and(|it| *it > 0)
    }

    fn len(&self) -> usize {
        self.names.len()
    }

    /// Leaves only the first `len` names.
    fn truncate(&mut self, len: usize) {
        for name in self.names.iter().skip(len.max(FEW)) {
            self.counts.entry(name).and_modify(|it| *it -= 1);
        }
        self.names.truncate(len);
    }
}

impl<'e> Names<'e> {
    /// The names in `expr`.
    pub fn of(expr: &Expr<'e>) -> Self {
        let mut names = Self::default();
        names.read(expr);
        names
    }

    fn read(&mut self, expr: &Expr<'e>) {
        let outer = self.bound.len();
        match expr.as_symbol() {
            Some(name) if self.bound.contains(name) => {}
            Some(name) => self.free.push(name),
            None if expr.is_list() => self.list(expr.parts()),
            None => self.all(expr.parts()),
        }
        self.bound.truncate(outer);
    }

    fn all(&mut self, items: impl Iterator<Item = Expr<'e>>) {
        for item in items {
            self.read(&item);
        }
    }

    fn list(&mut self, mut items: Parts<'e>) {
        let Some(head) = items.next() else {
            return;
        };
        self.read(&head);
        let mut rest = items.peekable();
        let is_named = rest.peek().is_some_and(|it| it.as_symbol().is_some());
        match head.as_symbol() {
            Some("def" | "defonce") if is_named => {
                self.define(&mut rest);
                self.all(rest);
            }
            Some("defn" | "defn-") if is_named => {
                self.define(&mut rest);
                self.function(rest);
            }
            Some("fn" | "fn*") => self.function(rest),
            Some("let" | "let*" | "loop" | "for" | "doseq" | "when-let" | "when-some") => {
                match rest.next() {
                    Some(bindings) if bindings.is_vector() => self.bindings(bindings.parts()),
                    other => self.all(other.into_iter()),
                }
                self.all(rest);
            }
            _ => self.all(rest),
        }
    }

    fn define(&mut self, rest: &mut Peekable<Parts<'e>>) {
        let name = rest.next();
        self.defined.extend(name.and_then(|it| it.as_symbol()));
    }

    /// Reads what follows on the name of a function: its parameters and its body, or a list of both for each arity.
    fn function(&mut self, mut rest: impl Iterator<Item = Expr<'e>>) {
        while let Some(item) = rest.next() {
            if item.is_vector() {
                item.parts().for_each(|it| self.bind(&it));
                return self.all(rest);
            }
            if item.is_list() {
                let outer = self.bound.len();
                self.function(item.parts().peekable());
                self.bound.truncate(outer);
            } else {
                self.read(&item);
            }
        }
    }

    fn bindings(&mut self, mut items: Parts<'e>) {
        while let Some(pattern) = items.next() {
            match items.next() {
                Some(inner) if pattern.as_keyword() == Some("let") && inner.is_vector() => {
                    self.bindings(inner.parts());
                }
                Some(value) => {
                    self.read(&value);
                    self.bind(&pattern);
                }
                None => self.read(&pattern),
            }
        }
    }

    /// Binds the names in a pattern; its defaults are read.
    fn bind(&mut self, pattern: &Expr<'e>) {
        if let Some(name) = pattern.as_symbol() {
            return self.bound.push(name);
        }
        let mut items = pattern.parts();
        if pattern.is_vector() {
            return items.for_each(|it| self.bind(&it));
        }
        if !pattern.is_map() {
            return;
        }
        while let Some(key) = items.next() {
            match (key.as_key(), items.next()) {
                (Some("or"), Some(defaults)) => self.all(defaults.parts().skip(1).step_by(2)),
                (Some(_), Some(names)) => self.bind(&names),
                (None, Some(read)) => {
                    self.read(&read);
                    self.bind(&key);
                }
                (_, None) => self.read(&key),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::host::{
        lisp::{Lisp, forms, forms::Items, root},
        token_tree,
    };

    /// The names that the form defines, and those that it does not bind.
    fn names(text: &str) -> String {
        let tree = token_tree::parse::<Lisp>(text);
        let root = root(&tree);
        let mut forms = forms(Items::new(root.elements()));
        let form = forms.next().expect("a form");
        let names = Names::of(&Expr::of(&form));
        format!("{} | {}", names.defined.join(" "), names.free.join(" "))
    }

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&names(text));
    }

    #[test]
    fn names_that_a_form_binds_are_its_own() {
        check(
            "(defn f [a {:keys [b] :or {b d} c :c}] (g a b c x))",
            expect!["f | defn d g x"],
        );
        check(
            "(defn f ([a] (f a 1)) ([a b] (+ a b c)))",
            expect!["f | defn f + c"],
        );
        check(
            "(let [a (b a) [c & d] a] (a c d e))",
            expect![" | let b a e"],
        );
        check(
            "(for [x xs :let [y x] :when (ok x y)] (z x y))",
            expect![" | for xs ok z"],
        );
        check("(do (let [a 1] a) a)", expect![" | do let a"]);
        check("(map (fn [x] (f x y)) x)", expect![" | map fn f y x"]);
        check(
            "(def n (if-let [a b] a c))",
            expect!["n | def if-let a b a c"],
        );
    }

    #[test]
    fn many_names_are_bound_like_few() {
        for count in [1, FEW - 1, FEW, FEW + 1, 3 * FEW] {
            let all: String = (0..count).map(|it| format!(" a{it}")).collect();
            let text = format!("(do (fn [{all}] (fn [a0 b] [a0 b{all}])) [b{all}])");
            assert_eq!(names(&text), format!(" | do fn fn b{all}"));
        }
    }
}
