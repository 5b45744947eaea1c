//! The code of a program as expressions, without blanks, comments and what is discarded.

use std::{cell::OnceCell, sync::Arc};

use rowan::{GreenNodeData, NodeOrToken};

use super::{
    forms::{Form, Forms, Members, is_map},
    kept::{KeptCode, Places},
};
use crate::{
    host::{
        quoted,
        token_tree::{Element, Kind},
    },
    text::{TextRange, TextSize},
};

/// The maximum number of expressions in one that are read at once. Types are inferred in as many steps.
pub const MOST: usize = 20_000;

/// The expressions of a program, read for a while.
#[derive(Debug)]
pub struct Exprs<'t> {
    /// Those of its code, but no more than [`MOST`].
    pub code: Vec<Expr<'t>>,
    /// The earlier definitions that it refers to.
    pub before: Vec<Expr<'t>>,
}

impl<'t> Exprs<'t> {
    /// The expressions of `code`, and those of the definitions `before` it.
    pub(super) fn of(
        code: impl IntoIterator<Item = &'t KeptCode>,
        before: &'t [Arc<KeptCode>],
    ) -> Self {
        let code = code.into_iter().flat_map(KeptCode::exprs);
        Self {
            code: code.take(MOST).collect(),
            before: before.iter().flat_map(|it| it.exprs()).collect(),
        }
    }
}

/// An expression and where it is. What is in it is read when it is needed.
#[derive(Debug)]
pub struct Expr<'t> {
    /// All of it, in bytes from the unit's start.
    pub range: TextRange,
    node: Node<'t>,
}

#[derive(Debug)]
enum Node<'t> {
    /// One without expressions in it.
    Single(ExprKind<'t>),
    /// A string with escapes or line ends, as written.
    Text(Box<str>),
    Group(Group<'t>),
}

#[derive(Debug)]
struct Group<'t> {
    shape: Shape,
    /// Whether all that is around it ends with it because it is not closed.
    is_last: bool,
    /// Where `green` begins in its tree.
    start: TextSize,
    green: &'t GreenNodeData,
    reader: Reader<'t>,
    items: OnceCell<Box<[Expr<'t>]>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Vector,
    Map,
    List,
    ShortFunction,
    Open,
}

/// What an expression is.
#[derive(Debug, Clone, Copy)]
pub enum ExprKind<'e> {
    /// `nil`
    Nil,
    /// `true` or `false`
    Bool,
    /// An integer.
    Int,
    /// A number with a point or an exponent.
    Float,
    /// A string with its text as written.
    String(&'e str),
    /// A keyword without its colon.
    Keyword(&'e str),
    /// A name.
    Symbol(&'e str),
    /// `[a b]`
    Vector(&'e [Expr<'e>]),
    /// The keys and values of a map in turn.
    Map(&'e [Expr<'e>]),
    /// `(f a b)`
    List(&'e [Expr<'e>]),
    /// `#(f %)` with its one form.
    ShortFunction(&'e [Expr<'e>]),
    /// A form that is not closed, read as if it were closed at its end: more may follow in it.
    Open(&'e [Expr<'e>]),
    /// `#{a b}` of single values.
    Set,
    /// What is quoted, tagged, not closed, or known only when the program runs.
    Other,
}

impl<'e> Expr<'e> {
    /// What it is. The expressions in it are kept with it, but no more than [`MOST`].
    pub fn kind(&'e self) -> ExprKind<'e> {
        let group = match &self.node {
            Node::Single(kind) => return *kind,
            Node::Text(text) => return ExprKind::String(text),
            Node::Group(group) => group,
        };
        let items = || &**group.items.get_or_init(|| group.read().into());
        match group.shape {
            Shape::Vector => ExprKind::Vector(items()),
            Shape::Map => ExprKind::Map(items()),
            Shape::List => ExprKind::List(items()),
            Shape::ShortFunction => ExprKind::ShortFunction(items()),
            Shape::Open => ExprKind::Open(items()),
        }
    }
}

impl<'t> Expr<'t> {
    /// Reads all expressions in it. They are not kept with it.
    pub fn parts(&self) -> Parts<'t> {
        match &self.node {
            Node::Group(group) => group.parts(),
            _ => Parts::One(None),
        }
    }

    /// Whether it is `(f a b)`.
    pub fn is_list(&self) -> bool {
        self.shape() == Some(Shape::List)
    }

    /// Whether it is `[a b]`.
    pub fn is_vector(&self) -> bool {
        self.shape() == Some(Shape::Vector)
    }

    /// Whether it is not closed.
    pub fn is_open(&self) -> bool {
        self.shape() == Some(Shape::Open)
    }

    fn shape(&self) -> Option<Shape> {
        match &self.node {
            Node::Group(group) => Some(group.shape),
            _ => None,
        }
    }

    /// The name that it is.
    pub fn as_symbol(&self) -> Option<&'t str> {
        match self.node {
            Node::Single(ExprKind::Symbol(name)) => Some(name),
            _ => None,
        }
    }

    /// The keyword that it is, without its colon.
    pub fn as_keyword(&self) -> Option<&'t str> {
        match self.node {
            Node::Single(ExprKind::Keyword(name)) => Some(name),
            _ => None,
        }
    }

    /// The key that it is: a keyword or a string.
    pub fn as_key(&self) -> Option<&str> {
        match &self.node {
            Node::Single(ExprKind::Keyword(name) | ExprKind::String(name)) => Some(name),
            Node::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it is the same keyword or string as `other`.
    pub fn is_same_key(&self, other: &Expr<'_>) -> bool {
        let key = self.as_key();
        let are_alike = self.as_keyword().is_some() == other.as_keyword().is_some();
        key.is_some() && are_alike && key == other.as_key()
    }

    /// The key without its colon or quotes, where it is one.
    pub fn key_range(&self) -> TextRange {
        let mark = TextSize::of(':');
        let (start, end) = (self.range.start(), self.range.end());
        match self.node {
            Node::Single(ExprKind::Keyword(_)) => TextRange::new(start + mark, end),
            Node::Single(ExprKind::String(_)) | Node::Text(_) => {
                TextRange::new(start + mark, end - mark)
            }
            _ => self.range,
        }
    }
}

/// The expressions in one.
pub enum Parts<'t> {
    /// One that is read already, or none.
    One(Option<Expr<'t>>),
    /// Those of a list, a vector or a map.
    All(All<'t>),
}

impl<'t> Iterator for Parts<'t> {
    type Item = Expr<'t>;

    fn next(&mut self) -> Option<Expr<'t>> {
        match self {
            Self::One(one) => one.take(),
            Self::All(all) => all.next(),
        }
    }
}

/// The expressions of a list, a vector, a map or a text.
pub struct All<'t> {
    reader: Reader<'t>,
    members: Members<'t>,
}

impl<'t> Iterator for All<'t> {
    type Item = Expr<'t>;

    fn next(&mut self) -> Option<Expr<'t>> {
        let (form, is_last) = self.members.next()?;
        Some(self.reader.read(&form.element, form.is_plain(), is_last))
    }
}

impl<'t> Group<'t> {
    fn read(&self) -> Vec<Expr<'t>> {
        let All { reader, members } = match self.parts() {
            Parts::One(one) => return one.into_iter().collect(),
            Parts::All(all) => all,
        };
        // Blanks are between most of them.
        let likely = (self.green.children().len() / 2).min(MOST);
        let mut items = Vec::with_capacity(likely);
        members.for_each(|(form, is_last)| {
            if items.len() < MOST {
                items.push(reader.read(&form.element, form.is_plain(), is_last));
            }
        });
        items
    }

    fn parts(&self) -> Parts<'t> {
        let element = Element::node(self.green, self.start);
        match self.shape {
            Shape::Open => Parts::One(Some(self.reader.read(&element, true, true))),
            Shape::ShortFunction => Parts::One(Some(Expr {
                range: self.reader.place(element.range),
                node: Node::Group(Self {
                    shape: Shape::List,
                    items: OnceCell::new(),
                    ..*self
                }),
            })),
            Shape::Vector | Shape::Map | Shape::List => Parts::All(All {
                reader: self.reader,
                members: Members::of(&element, self.is_last),
            }),
        }
    }
}

/// Reads expressions of some code.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'t> {
    pub(super) places: Option<&'t Places>,
}

impl<'t> Reader<'t> {
    /// The expressions of the forms in `element`.
    pub(super) fn all(self, element: &Element<'t>) -> All<'t> {
        All {
            reader: self,
            members: Members::of(element, false),
        }
    }

    /// The expression of a top-level form.
    pub(super) fn top(self, element: &Element<'t>, is_plain: bool) -> Expr<'t> {
        let green = element.as_node();
        let open = green.filter(|_| is_plain && is_open(element));
        match open {
            Some(green) => Expr {
                range: self.place(element.range),
                node: self.group(green, element.range.start(), Shape::Open, true),
            },
            None => self.read(element, is_plain, false),
        }
    }

    /// The expression of a form; `is_last` if everything around it ends with it because it is not closed.
    fn read(self, element: &Element<'t>, is_plain: bool, is_last: bool) -> Expr<'t> {
        let range = element.range;
        let is_elsewhere = || self.places.is_some_and(|it| it.is_elsewhere(range));
        let node = match element.as_node() {
            _ if !is_plain || is_elsewhere() => Node::Single(ExprKind::Other),
            Some(green) => self.node(element, green, is_last),
            None => Node::Single(single(element.kind(), element.text())),
        };
        Expr {
            range: self.place(range),
            node,
        }
    }

    fn node(self, element: &Element<'t>, green: &'t GreenNodeData, is_last: bool) -> Node<'t> {
        match shape(element, is_last) {
            Some(shape) => self.group(green, element.range.start(), shape, is_last),
            None if is_string(element) => string(element, green),
            None if is_set(element) => Node::Single(ExprKind::Set),
            None => Node::Single(ExprKind::Other),
        }
    }

    fn group(
        self,
        green: &'t GreenNodeData,
        start: TextSize,
        shape: Shape,
        is_last: bool,
    ) -> Node<'t> {
        Node::Group(Group {
            shape,
            is_last,
            start,
            green,
            reader: self,
            items: OnceCell::new(),
        })
    }

    fn place(self, range: TextRange) -> TextRange {
        self.places.map_or(range, |it| it.place(range))
    }
}

/// Whether a top-level form is not closed.
pub(super) fn is_open(element: &Element<'_>) -> bool {
    element.kind().is_group() && !element.is_closed()
}

/// The shape of a group in code; `is_last` if everything around it ends with it because it is not closed.
pub(super) fn shape(element: &Element<'_>, is_last: bool) -> Option<Shape> {
    if !element.kind().is_group() || !(is_last || element.is_closed()) {
        return None;
    }
    match element.kind() {
        Kind::Brackets => Some(Shape::Vector),
        Kind::Braces if is_map(element) => Some(Shape::Map),
        Kind::Parens if element.opening() == "(" => Some(Shape::List),
        Kind::Parens => Some(Shape::ShortFunction),
        _ => None,
    }
}

/// Whether it is a set that is closed and holds no other groups.
fn is_set(element: &Element<'_>) -> bool {
    let is_single = |form: Form<'_>| !form.element.kind().is_group();
    element.kind() == Kind::Braces
        && element.opening() == "#{"
        && element.is_closed()
        && Forms::of(element).all(is_single)
}

/// Whether it is a string that is closed.
pub(super) fn is_string(element: &Element<'_>) -> bool {
    element.kind() == Kind::String && element.is_closed()
}

/// What a token is.
pub(super) fn single(kind: Kind, text: &str) -> ExprKind<'_> {
    match kind {
        Kind::Number => number(text),
        Kind::Atom => match text.strip_prefix(':') {
            Some(name) if !name.starts_with(':') => ExprKind::Keyword(name),
            _ => ExprKind::Other,
        },
        Kind::Symbol => match text {
            "nil" => ExprKind::Nil,
            "true" | "false" => ExprKind::Bool,
            name => ExprKind::Symbol(name),
        },
        _ => ExprKind::Other,
    }
}

/// A string that is closed.
fn string<'t>(string: &Element<'t>, green: &'t GreenNodeData) -> Node<'t> {
    let mut parts = green.children().skip(1);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(NodeOrToken::Token(text)), Some(_), None) => {
            Node::Single(ExprKind::String(text.text()))
        }
        _ => Node::Text(quoted::content(string).0.into()),
    }
}

fn number<'t>(text: &str) -> ExprKind<'t> {
    let digits = text.trim_start_matches(['+', '-']);
    let is_of = |more: &[u8]| {
        let mut bytes = digits.bytes();
        !digits.is_empty() && bytes.all(|it| it.is_ascii_digit() || more.contains(&it))
    };
    match () {
        () if is_of(b"") => ExprKind::Int,
        () if is_of(b".eE+-") => ExprKind::Float,
        () => ExprKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{
        lisp::{Lisp, root},
        token_tree,
    };

    fn is_read(expr: &Expr<'_>) -> bool {
        matches!(&expr.node, Node::Group(group) if group.items.get().is_some())
    }

    #[test]
    fn only_what_is_looked_at_is_read() {
        let tree = token_tree::parse::<Lisp>("(f [1 (g)] {:a [2]})\n(h)");
        let code = KeptCode::of_all(&root(&tree));
        let exprs: Vec<_> = code.exprs().collect();
        let ExprKind::List([_, vector, map]) = exprs[0].kind() else {
            panic!("a list of three: {exprs:?}");
        };
        assert!(is_read(&exprs[0]) && !is_read(vector) && !is_read(map) && !is_read(&exprs[1]));
        assert!(matches!(map.kind(), ExprKind::Map([_, _])) && !is_read(vector));
    }

    /// A document of 100,000 lines has tens of thousands of forms.
    #[test]
    fn kept_code_is_small() {
        assert!(size_of::<KeptCode>() <= 40, "{}", size_of::<KeptCode>());
        assert!(size_of::<Expr<'_>>() <= 48, "{}", size_of::<Expr<'_>>());
    }
}
