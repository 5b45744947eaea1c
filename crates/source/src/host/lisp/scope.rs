//! The names that a form defines, and those that it takes from outside.

use std::ops::Range;

use foldhash::HashMap;

use rowan::{GreenNodeData, NodeOrToken};

use super::{
    expr::{ExprKind, Shape, is_open, is_string, shape, single},
    forms::{Form, Members, is_blank, is_prefix},
};
use crate::{
    host::{
        quoted,
        token_tree::{Element, Kind},
    },
    text::TextSize,
};

/// The names in a form, each maybe several times, but not twice in a row where it is free.
#[derive(Debug, Default)]
pub struct Names<'e> {
    /// Those that it defines for the forms after it.
    pub defined: Vec<&'e str>,
    /// Those that it does not bind where it uses them. A name may be here too much, but not too little.
    pub free: Vec<&'e str>,
    /// Those that are bound where the reader is.
    bound: Bound<'e>,
    /// The parts of the groups around the reader.
    parts: Vec<Part<'e>>,
}

/// The names that are bound at a place, the innermost one last.
#[derive(Debug, Default)]
struct Bound<'e> {
    names: Vec<&'e str>,
    /// How often each is bound, apart from the first [`FEW`] of `names`.
    counts: HashMap<&'e str, usize>,
}

/// The length of a group that gets room for all its parts at once.
const LONG: TextSize = TextSize::new(64 * 1024);

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
#[derive(Debug, Clone, Copy)]
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
            return Self::single(element.kind(), element.text());
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

    fn single(kind: Kind, text: &'e str) -> Self {
        match single(kind, text) {
            ExprKind::Symbol(name) => Self::Symbol(name),
            ExprKind::Keyword(name) => Self::Keyword(name),
            _ => Self::Other,
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

    /// Adds the parts of it to `parts`.
    fn add_parts(&self, parts: &mut Vec<Self>) {
        let Self::Group {
            shape,
            is_last,
            green,
        } = *self
        else {
            return;
        };
        let element = element(green);
        match shape {
            Shape::Open => parts.push(Self::of(&element, true)),
            Shape::ShortFunction => parts.push(Self::Group {
                shape: Shape::List,
                is_last,
                green,
            }),
            Shape::Vector | Shape::Map | Shape::List => {
                let start = parts.len();
                if green.text_len() > LONG {
                    // A list that grows takes three times its room. The forms in it have parts, too.
                    parts.reserve(count(green) + 4 * FEW);
                }
                if !is_last && add_bare(green, parts) {
                    return;
                }
                parts.truncate(start);
                Members::of(&element, is_last).for_each(|(form, is_last)| {
                    parts.push(match form.is_plain() {
                        true => Self::of(&form.element, is_last),
                        false => Self::Other,
                    });
                });
            }
        }
    }
}

/// The number of forms in `group`, or more.
fn count(group: &GreenNodeData) -> usize {
    let counts = group.children().map(|it| {
        let kind = Kind::from_raw(it.kind());
        match it {
            _ if is_blank(kind) => 0,
            NodeOrToken::Node(run) if kind == Kind::Lines => count(run),
            _ => 1,
        }
    });
    counts.sum()
}

/// Adds the parts of `group` or of a run in it; returns whether that is all because no form has a prefix. Most have
/// none, so that their places need not be known.
fn add_bare<'e>(group: &'e GreenNodeData, parts: &mut Vec<Part<'e>>) -> bool {
    group.children().all(|child| {
        let kind = Kind::from_raw(child.kind());
        match child {
            _ if is_blank(kind) => return true,
            _ if is_prefix(kind) => return false,
            NodeOrToken::Node(run) if kind == Kind::Lines => return add_bare(run, parts),
            NodeOrToken::Node(node) => parts.push(Part::of(&element(node), false)),
            NodeOrToken::Token(token) => parts.push(Part::single(kind, token.text())),
        }
        true
    })
}

/// `green` anywhere.
fn element(green: &GreenNodeData) -> Element<'_> {
    Element::node(green, TextSize::default())
}

/// Those of [`Names::parts`] that are left of a group.
type Rest = Range<usize>;

impl<'e> Names<'e> {
    /// The names in a top-level form.
    pub fn of(form: &Form<'e>) -> Self {
        // Most forms have fewer.
        let mut names = Self {
            free: Vec::with_capacity(FEW),
            parts: Vec::with_capacity(2 * FEW),
            ..Self::default()
        };
        names.read(&Part::top(form));
        names
    }

    fn read(&mut self, part: &Part<'e>) {
        match part {
            Part::Symbol(name) if self.bound.contains(name) => {}
            // A long form may use one name again and again.
            Part::Symbol(name) if self.free.last() == Some(name) => {}
            Part::Symbol(name) => self.free.push(name),
            Part::Group { shape, .. } => {
                let outer = self.bound.len();
                match shape {
                    Shape::List => self.within(part, Self::list),
                    _ => self.within(part, Self::all),
                }
                self.bound.truncate(outer);
            }
            Part::Keyword(_) | Part::String(_) | Part::Other => {}
        }
    }

    /// Reads the parts of a group.
    fn within(&mut self, group: &Part<'e>, read: fn(&mut Self, Rest)) {
        let start = self.parts.len();
        group.add_parts(&mut self.parts);
        read(self, start..self.parts.len());
        self.parts.truncate(start);
    }

    fn next(&self, rest: &mut Rest) -> Option<Part<'e>> {
        rest.next().map(|at| self.parts[at])
    }

    fn all(&mut self, rest: Rest) {
        for at in rest {
            let part = self.parts[at];
            self.read(&part);
        }
    }

    fn list(&mut self, mut rest: Rest) {
        let Some(head) = self.next(&mut rest) else {
            return;
        };
        self.read(&head);
        let Part::Symbol(name) = head else {
            return self.all(rest);
        };
        match name {
            "def" | "defonce" => {
                self.define(&mut rest);
            }
            "defn" | "defn-" => {
                let is_named = self.define(&mut rest);
                if is_named {
                    return self.function(rest);
                }
            }
            "fn" | "fn*" => return self.function(rest),
            "let" | "let*" | "loop" | "for" | "doseq" | "when-let" | "when-some" => {
                match self.next(&mut rest) {
                    Some(bindings) if bindings.is(Shape::Vector) => {
                        self.within(&bindings, Self::bindings);
                    }
                    Some(other) => self.read(&other),
                    None => {}
                }
            }
            _ => {}
        }
        self.all(rest);
    }

    /// Reads the name of a definition; returns whether it has one.
    fn define(&mut self, rest: &mut Rest) -> bool {
        match self.next(rest) {
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
    fn function(&mut self, mut rest: Rest) {
        while let Some(part) = self.next(&mut rest) {
            if part.is(Shape::Vector) {
                self.within(&part, Self::bind_all);
                return self.all(rest);
            }
            if part.is(Shape::List) {
                let outer = self.bound.len();
                self.within(&part, Self::function);
                self.bound.truncate(outer);
            } else {
                self.read(&part);
            }
        }
    }

    fn bindings(&mut self, mut rest: Rest) {
        while let Some(pattern) = self.next(&mut rest) {
            match self.next(&mut rest) {
                Some(inner)
                    if matches!(pattern, Part::Keyword("let")) && inner.is(Shape::Vector) =>
                {
                    self.within(&inner, Self::bindings);
                }
                Some(value) => {
                    self.read(&value);
                    self.bind(&pattern);
                }
                None => self.read(&pattern),
            }
        }
    }

    fn bind_all(&mut self, rest: Rest) {
        for at in rest {
            let part = self.parts[at];
            self.bind(&part);
        }
    }

    /// Binds the names in a pattern; its defaults are read.
    fn bind(&mut self, pattern: &Part<'e>) {
        match pattern {
            Part::Symbol(name) => self.bound.push(name),
            _ if pattern.is(Shape::Vector) => self.within(pattern, Self::bind_all),
            _ if pattern.is(Shape::Map) => self.within(pattern, Self::bind_keys),
            _ => {}
        }
    }

    fn bind_keys(&mut self, mut rest: Rest) {
        while let Some(key) = self.next(&mut rest) {
            match self.next(&mut rest) {
                Some(defaults) if key.is_key_of("or") => self.within(&defaults, Self::values),
                Some(names) if key.is_key() => self.bind(&names),
                Some(read) => {
                    self.read(&read);
                    self.bind(&key);
                }
                None => self.read(&key),
            }
        }
    }

    /// Reads every second part.
    fn values(&mut self, rest: Rest) {
        for at in rest.skip(1).step_by(2) {
            let part = self.parts[at];
            self.read(&part);
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
        // Prefixes are read in another way.
        let prefixed = text.replace('(', "(#_z ").replace('[', "[#_z ");
        assert_eq!(names(&prefixed), names(text));
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
    fn a_long_form_takes_room_for_its_parts_only() {
        let text = format!("(f{})", " (:key map)".repeat(20_000));
        let tree = token_tree::parse::<Lisp>(&text);
        let form = Forms::of(&root(&tree)).next().expect("a form");
        let names = Names::of(&form);
        assert_eq!(names.free, ["f", "map"]);
        let room = names.parts.capacity();
        assert!(room < 21_000, "{room}");
    }

    #[test]
    fn many_names_are_bound_like_few() {
        for count in [1, FEW - 1, FEW, FEW + 1, 3 * FEW] {
            let all: String = (0..count).map(|it| format!(" a{it}")).collect();
            let text = format!("(do (fn [{all}] (fn [a0 b] [a0 b{all}])) [b{all}])");
            assert_eq!(names(&text), format!(" | do fn b{all}"));
        }
    }
}
