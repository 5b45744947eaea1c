//! The code of a program, kept as its tree: expressions are read from it where and when they are needed.

use std::sync::Arc;

use rowan::{GreenNode, GreenNodeData, GreenToken, NodeOrToken};

use super::{
    expr::{Expr, Reader},
    forms::Form,
    linked::{Name, numbers},
    scope::Names,
};
use crate::{
    host::token_tree::{Element, Kept, Kind},
    syntax::decode::Decoded,
    text::{TextRange, TextSize},
};

/// A top-level form, or all forms of a text.
#[derive(Debug, Clone)]
pub struct KeptCode {
    kept: Kept,
    /// Whether it is read as what it is: it has no prefix that changes its meaning.
    is_plain: bool,
    places: Option<Arc<Places>>,
}

/// What is known about the places in some code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Places {
    /// Forms with programs of their own, in the order in which they begin; in bytes of the code.
    elsewhere: Box<[TextRange]>,
    /// The literal whose text the code is, and the start of its content.
    literal: Option<(Arc<Decoded>, TextSize)>,
}

impl KeptCode {
    /// The code of `form`, in bytes from `start` on. The forms at `elsewhere`, in the order in which they begin, are left
    /// out.
    pub(super) fn of(form: &Form<'_>, start: TextSize, elsewhere: &[TextRange]) -> Self {
        let elsewhere = elsewhere.iter().map(|it| *it - start);
        let places = Places {
            elsewhere: elsewhere.collect(),
            literal: None,
        };
        Self {
            kept: Kept::new(&form.element, start),
            is_plain: form.is_plain(),
            places: (!places.elsewhere.is_empty()).then(|| Arc::new(places)),
        }
    }

    /// All forms of the text with the tree `root`.
    pub(super) fn of_all(root: &Element<'_>) -> Self {
        Self {
            kept: Kept::new(root, root.range.start()),
            is_plain: true,
            places: None,
        }
    }

    /// The same code, relative to a place `by` bytes earlier.
    pub(super) fn moved_by(&self, by: TextSize) -> Self {
        let mut moved = self.clone();
        let Some(places) = &mut moved.places else {
            moved.kept = self.kept.moved_by(by);
            return moved;
        };
        let places = Arc::make_mut(places);
        match &mut places.literal {
            Some((_, start)) => *start += by,
            None => {
                moved.kept = self.kept.moved_by(by);
                places.elsewhere.iter_mut().for_each(|it| *it += by);
            }
        }
        moved
    }

    /// The same code as the text of a literal whose content begins at `start`.
    pub(super) fn in_literal(mut self, decoded: &Arc<Decoded>, start: TextSize) -> Self {
        let places = Arc::make_mut(self.places.get_or_insert_default());
        places.literal = Some((Arc::clone(decoded), start));
        self
    }

    /// Its tree without its place: equal in equal texts.
    pub(super) fn green(&self) -> &NodeOrToken<GreenNode, GreenToken> {
        self.kept.green()
    }

    /// Whether it may define a name.
    pub(super) fn may_define(&self) -> bool {
        let element = self.kept.element(TextSize::default());
        element.as_node().is_some_and(has_definition)
    }

    /// The names that it defines and refers to.
    pub(super) fn names(&self) -> Names<'_> {
        let element = self.kept.element(TextSize::default());
        Names::of(&Form {
            element,
            range: element.range,
            prefix: if self.is_plain { "" } else { "'" },
        })
    }

    /// Whether it defines a name, or refers to one of those that are `shared`.
    pub(super) fn is_linked(&self, shared: &[Name]) -> bool {
        if shared.is_empty() && !self.may_define() {
            return false;
        }
        let names = self.names();
        let is_shared = |it: &Name| shared.binary_search(it).is_ok();
        !names.defined.is_empty() || numbers(names.free).iter().any(is_shared)
    }

    /// Its top-level expressions.
    pub fn exprs(&self) -> impl Iterator<Item = Expr<'_>> {
        let element = self.kept.element(TextSize::default());
        let reader = Reader {
            places: self.places.as_deref(),
        };
        let (all, one) = match element.kind() {
            Kind::Root => (Some(reader.all(&element)), None),
            _ => (None, Some(reader.top(&element, self.is_plain))),
        };
        all.into_iter().flatten().chain(one)
    }
}

/// Whether there is a word of definitions in `group`.
pub(super) fn has_definition(group: &GreenNodeData) -> bool {
    group.children().any(|it| match it {
        NodeOrToken::Node(node) => has_definition(node),
        NodeOrToken::Token(token) => token.text().starts_with("def"),
    })
}

/// Equal code has the same expressions: neither blanks nor the runs in its tree matter.
impl PartialEq for KeptCode {
    fn eq(&self, other: &Self) -> bool {
        let start = TextSize::default();
        self.is_plain == other.is_plain
            && self.places == other.places
            && is_same(&self.kept.element(start), &other.kept.element(start))
    }
}

impl Eq for KeptCode {}

fn is_same(one: &Element<'_>, other: &Element<'_>) -> bool {
    if one.kind() != other.kind() || one.range != other.range {
        return false;
    }
    match (one.as_node(), other.as_node()) {
        (Some(a), Some(b)) if std::ptr::eq(a, b) => return true,
        (None, None) => return one.text() == other.text(),
        _ => {}
    }
    let mut others = meaningful(other);
    meaningful(one).all(|it| others.next().is_some_and(|other| is_same(&it, &other)))
        && others.next().is_none()
}

fn meaningful<'t>(group: &Element<'t>) -> impl Iterator<Item = Element<'t>> {
    group.elements().filter(|it| !it.kind().is_trivia())
}

impl Places {
    /// Whether the form at `range` has a program of its own.
    pub(super) fn is_elsewhere(&self, range: TextRange) -> bool {
        let first = self
            .elsewhere
            .partition_point(|it| it.start() < range.start());
        let from_here = self.elsewhere[first..].iter();
        let mut same = from_here.take_while(|it| it.start() == range.start());
        same.any(|it| *it == range)
    }

    /// Where `range` of the code is in the unit.
    pub(super) fn place(&self, range: TextRange) -> TextRange {
        match &self.literal {
            Some((decoded, start)) => decoded.in_fragment(range) + *start,
            None => range,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        host::lisp::{KeptCode, program},
        host::{Notation, Roles},
        syntax::{
            decode::Decoded,
            fragment::{Escapes, Fragment},
        },
        text::{TextRange, TextSize},
    };
    use std::sync::Arc;

    /// The code of a program in a literal whose content begins at 10.
    fn in_literal(written: &str) -> KeptCode {
        let fragment = Fragment {
            text: written,
            escapes: Escapes::Backslash,
            foreign: &[],
        };
        let decoded = Decoded::of(fragment).expect("a text");
        let roles = Roles::default();
        let (program, _) = program(&decoded.text, roles.of(Notation::Lisp));
        let start = TextSize::from(10);
        let mut code = program.in_literal(&Arc::new(decoded), start).code;
        code.remove(0)
    }

    #[test]
    fn only_a_literal_with_escapes_is_kept_beside_its_code() {
        for (written, has_places) in [("(f \"a\") x", false), ("(f \\\"a\\\") x", true)] {
            let code = in_literal(written);
            assert_eq!(code.places.is_some(), has_places, "{written}");
            let last = code.exprs().last().expect("an expression");
            let end = TextSize::of(written) + TextSize::from(10);
            let expected = TextRange::new(end - TextSize::of('x'), end);
            assert_eq!(last.range, expected, "{written}");
        }
    }
}
