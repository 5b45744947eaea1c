//! The names that a form defines, and those that it takes from outside.

use foldhash::HashMap;

use rowan::GreenNodeData;

use super::{
    expr::{ExprKind, Shape, is_open, is_string, shape, single},
    forms::{Form, Members},
};
use crate::{
    host::{quoted, token_tree::Element},
    text::TextSize,
};

/// The names in a form, each maybe several times.
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

/// An [expression](super::expr::Expr) as far as names are concerned: it is smaller, and has no place.
#[derive(Clone, Copy)]
enum Part<'e> {
    Symbol(&'e str),
    Keyword(&'e str),
    String(&'e GreenNodeData),
    Group {
        shape: Shape,
        is_last: bool,
        green: &'e GreenNodeData,
    },
    Other,
}

/// The parts of one.
enum Parts<'e> {
    One(Option<Part<'e>>),
    All(Members<'e>),
}

impl<'e> Part<'e> {
    /// A top-level form.
    fn top(form: &Form<'e>) -> Self {
        match form.element.as_node() {
            Some(green) if form.is_plain() && is_open(&form.element) => Self::Group {
                shape: Shape::Open,
                is_last: true,
                green,
            },
            _ if form.is_plain() => Self::of(&form.element, false),
            _ => Self::Other,
        }
    }

    fn of(element: &Element<'e>, is_last: bool) -> Self {
        let Some(green) = element.as_node() else {
            return match single(element) {
                ExprKind::Symbol(name) => Self::Symbol(name),
                ExprKind::Keyword(name) => Self::Keyword(name),
                _ => Self::Other,
            };
        };
        match shape(element, is_last) {
            Some(shape) => Self::Group {
                shape,
                is_last,
                green,
            },
            None if is_string(element) => Self::String(green),
            None => Self::Other,
        }
    }

    fn is(&self, shape: Shape) -> bool {
        matches!(self, Self::Group { shape: it, .. } if *it == shape)
    }

    fn is_key(&self) -> bool {
        matches!(self, Self::Keyword(_) | Self::String(_))
    }

    /// Whether it is the keyword or string `key`.
    fn is_key_of(&self, key: &str) -> bool {
        match self {
            Self::Keyword(name) => *name == key,
            Self::String(green) => quoted::content(&element(green)).0 == key,
            _ => false,
        }
    }

    fn parts(&self) -> Parts<'e> {
        let Self::Group {
            shape,
            is_last,
            green,
        } = *self
        else {
            return Parts::One(None);
        };
        let element = element(green);
        match shape {
            Shape::Open => Parts::One(Some(Self::of(&element, true))),
            Shape::ShortFunction => Parts::One(Some(Self::Group {
                shape: Shape::List,
                is_last,
                green,
            })),
            Shape::Vector | Shape::Map | Shape::List => Parts::All(Members::of(&element, is_last)),
        }
    }
}

/// `green` anywhere.
fn element(green: &GreenNodeData) -> Element<'_> {
    Element::node(green, TextSize::default())
}

impl<'e> Iterator for Parts<'e> {
    type Item = Part<'e>;

    fn next(&mut self) -> Option<Part<'e>> {
        let (form, is_last) = match self {
            Self::One(one) => return one.take(),
            Self::All(members) => members.next()?,
        };
        Some(match form.is_plain() {
            true => Part::of(&form.element, is_last),
            false => Part::Other,
        })
    }
}

impl<'e> Names<'e> {
    /// The names in a top-level form.
    pub fn of(form: &Form<'e>) -> Self {
        let mut names = Self::default();
        names.read(&Part::top(form));
        names
    }

    fn read(&mut self, part: &Part<'e>) {
        match part {
            Part::Symbol(name) if self.bound.contains(name) => {}
            Part::Symbol(name) => self.free.push(name),
            Part::Group { shape, .. } => {
                let outer = self.bound.len();
                match shape {
                    Shape::List => self.list(&mut part.parts()),
                    _ => self.all(&mut part.parts()),
                }
                self.bound.truncate(outer);
            }
            Part::Keyword(_) | Part::String(_) | Part::Other => {}
        }
    }

    fn all(&mut self, items: &mut Parts<'e>) {
        for item in items {
            self.read(&item);
        }
    }

    fn list(&mut self, items: &mut Parts<'e>) {
        let Some(head) = items.next() else {
            return;
        };
        self.read(&head);
        let Part::Symbol(name) = head else {
            return self.all(items);
        };
        match name {
            "def" | "defonce" => {
                self.define(items);
                self.all(items);
            }
            "defn" | "defn-" => match self.define(items) {
                true => self.function(items),
                false => self.all(items),
            },
            "fn" | "fn*" => self.function(items),
            "let" | "let*" | "loop" | "for" | "doseq" | "when-let" | "when-some" => {
                match items.next() {
                    Some(bindings) if bindings.is(Shape::Vector) => {
                        self.bindings(&mut bindings.parts());
                    }
                    Some(other) => self.read(&other),
                    None => {}
                }
                self.all(items);
            }
            _ => self.all(items),
        }
    }

    /// Reads the name of a definition; returns whether it has one.
    fn define(&mut self, items: &mut Parts<'e>) -> bool {
        match items.next() {
            Some(Part::Symbol(name)) => {
                self.defined.push(name);
                return true;
            }
            Some(other) => self.read(&other),
            None => {}
        }
        false
    }

    /// Reads what follows on the name of a function: its parameters and its body, or a list of both for each arity.
    fn function(&mut self, rest: &mut Parts<'e>) {
        while let Some(item) = rest.next() {
            if item.is(Shape::Vector) {
                item.parts().for_each(|it| self.bind(&it));
                return self.all(rest);
            }
            if item.is(Shape::List) {
                let outer = self.bound.len();
                self.function(&mut item.parts());
                self.bound.truncate(outer);
            } else {
                self.read(&item);
            }
        }
    }

    fn bindings(&mut self, items: &mut Parts<'e>) {
        while let Some(pattern) = items.next() {
            match items.next() {
                Some(inner)
                    if matches!(pattern, Part::Keyword("let")) && inner.is(Shape::Vector) =>
                {
                    self.bindings(&mut inner.parts());
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
    fn bind(&mut self, pattern: &Part<'e>) {
        if let Part::Symbol(name) = pattern {
            return self.bound.push(name);
        }
        let mut items = pattern.parts();
        if pattern.is(Shape::Vector) {
            return items.for_each(|it| self.bind(&it));
        }
        if !pattern.is(Shape::Map) {
            return;
        }
        while let Some(key) = items.next() {
            match items.next() {
                Some(defaults) if key.is_key_of("or") => {
                    let values = defaults.parts().skip(1).step_by(2);
                    values.for_each(|it| self.read(&it));
                }
                Some(names) if key.is_key() => self.bind(&names),
                Some(read) => {
                    self.read(&read);
                    self.bind(&key);
                }
                None => self.read(&key),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::host::{
        lisp::{Lisp, forms::Forms, root},
        token_tree,
    };

    /// The names that the form defines, and those that it does not bind.
    fn names(text: &str) -> String {
        let tree = token_tree::parse::<Lisp>(text);
        let root = root(&tree);
        let form = Forms::of(&root).next().expect("a form");
        let names = Names::of(&form);
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
