//! The names that a form defines, and those that it takes from outside.

use foldhash::HashMap;

use super::expr::{Expr, ExprKind};

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
    pub fn of(expr: &'e Expr) -> Self {
        let mut names = Self::default();
        names.read(expr);
        names
    }

    fn read(&mut self, expr: &'e Expr) {
        let outer = self.bound.len();
        match &expr.kind {
            ExprKind::Symbol(name) if self.bound.contains(name) => {}
            ExprKind::Symbol(name) => self.free.push(name),
            ExprKind::List(items) => self.list(items),
            _ => self.all(expr.parts()),
        }
        self.bound.truncate(outer);
    }

    fn all(&mut self, items: &'e [Expr]) {
        for item in items {
            self.read(item);
        }
    }

    fn list(&mut self, items: &'e [Expr]) {
        let Some((head, rest)) = items.split_first() else {
            return;
        };
        self.read(head);
        match (head.as_symbol(), rest) {
            (Some("def" | "defonce"), [name, rest @ ..]) if name.as_symbol().is_some() => {
                self.defined.extend(name.as_symbol());
                self.all(rest);
            }
            (Some("defn" | "defn-"), [name, rest @ ..]) if name.as_symbol().is_some() => {
                self.defined.extend(name.as_symbol());
                self.function(rest);
            }
            (Some("fn" | "fn*"), rest) => self.function(rest),
            (
                Some("let" | "let*" | "loop" | "for" | "doseq" | "when-let" | "when-some"),
                [bindings, body @ ..],
            ) => {
                match &bindings.kind {
                    ExprKind::Vector(pairs) => self.bindings(pairs),
                    _ => self.read(bindings),
                }
                self.all(body);
            }
            _ => self.all(rest),
        }
    }

    /// Reads what follows on the name of a function: its parameters and its body, or a list of both for each arity.
    fn function(&mut self, rest: &'e [Expr]) {
        for (index, item) in rest.iter().enumerate() {
            match &item.kind {
                ExprKind::Vector(parameters) => {
                    parameters.iter().for_each(|it| self.bind(it));
                    return self.all(&rest[index + 1..]);
                }
                ExprKind::List(clause) => {
                    let outer = self.bound.len();
                    self.function(clause);
                    self.bound.truncate(outer);
                }
                _ => self.read(item),
            }
        }
    }

    fn bindings(&mut self, items: &'e [Expr]) {
        for pair in items.chunks(2) {
            let [pattern, value] = pair else {
                return self.all(pair);
            };
            match (&pattern.kind, &value.kind) {
                (ExprKind::Keyword(word), ExprKind::Vector(inner)) if **word == *"let" => {
                    self.bindings(inner);
                }
                _ => {
                    self.read(value);
                    self.bind(pattern);
                }
            }
        }
    }

    /// Binds the names in a pattern; its defaults are read.
    fn bind(&mut self, pattern: &'e Expr) {
        match &pattern.kind {
            ExprKind::Symbol(name) => self.bound.push(name),
            ExprKind::Vector(items) => items.iter().for_each(|it| self.bind(it)),
            ExprKind::Map(items) => {
                for pair in items.chunks(2) {
                    match pair {
                        [key, defaults] if key.as_key() == Some("or") => {
                            let values = defaults.parts().iter().skip(1).step_by(2);
                            values.for_each(|it| self.read(it));
                        }
                        [key, names] if key.as_key().is_some() => self.bind(names),
                        [pattern, key] => {
                            self.read(key);
                            self.bind(pattern);
                        }
                        _ => self.all(pair),
                    }
                }
            }
            _ => {}
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
        let expr = Expr::of(&form, form.range.start(), &[]);
        let names = Names::of(&expr);
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
