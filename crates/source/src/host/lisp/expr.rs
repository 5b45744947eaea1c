//! The code of a program as expressions, without blanks, comments and what is discarded.

use super::{
    forms,
    forms::{Form, Items, is_map},
};
use crate::{
    host::{
        quoted,
        token_tree::{Element, Kind},
    },
    text::{TextRange, TextSize},
};

/// An expression and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expr {
    /// All of it, in bytes from the unit's start.
    pub range: TextRange,
    /// What it is.
    pub kind: ExprKind,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExprKind {
    /// `nil`
    Nil,
    /// `true` or `false`
    Bool,
    /// An integer.
    Int,
    /// A number with a point or an exponent.
    Float,
    /// A string with its text as written.
    String(Box<str>),
    /// A keyword without its colon.
    Keyword(Box<str>),
    /// A name.
    Symbol(Box<str>),
    /// `[a b]`
    Vector(Box<[Expr]>),
    /// The keys and values of a map in turn.
    Map(Box<[Expr]>),
    /// `(f a b)`
    List(Box<[Expr]>),
    /// `#(f %)` with its one form.
    ShortFunction(Box<[Expr]>),
    /// A form that is not closed, read as if it were closed at its end: more may follow in it.
    Open(Box<[Expr]>),
    /// What is quoted, tagged, not closed, or known only when the program runs.
    Other,
}

impl Expr {
    /// The expression that `form` is, with ranges from `start` on. The forms at `elsewhere`, in the order in which they
    /// begin, are left out.
    pub fn of(form: &Form<'_>, start: TextSize, elsewhere: &[TextRange]) -> Self {
        let is_open = form.element.kind.is_group() && !form.element.is_closed();
        let expr = Self::read(form, (start, elsewhere), is_open, &mut Vec::new());
        match is_open {
            true => Self {
                range: expr.range,
                kind: ExprKind::Open(Box::new([expr])),
            },
            false => expr,
        }
    }

    /// The same for a form in it; `is_last` if everything around it ends with it because it is not closed. `finished`
    /// holds the expressions before it in the groups around it, so that each list is allocated once.
    fn read(
        form: &Form<'_>,
        (start, elsewhere): (TextSize, &[TextRange]),
        is_last: bool,
        finished: &mut Vec<Self>,
    ) -> Self {
        let range = form.element.range;
        let is_here = elsewhere.is_empty() || {
            let first = elsewhere.partition_point(|it| it.start() < range.start());
            let mut same = elsewhere[first..]
                .iter()
                .take_while(|it| it.start() == range.start());
            !same.any(|it| *it == range)
        };
        // A type hint does not change what a name stands for.
        let is_plain = form.is_bare() || form.prefix == "^";
        let kind = match is_here && is_plain {
            true => kind(&form.element, (start, elsewhere), is_last, finished),
            false => ExprKind::Other,
        };
        Self {
            range: range - start,
            kind,
        }
    }

    /// The same expression with other ranges.
    pub fn placed(&self, place: &impl Fn(TextRange) -> TextRange) -> Self {
        let all = |items: &[Expr]| items.iter().map(|it| it.placed(place)).collect();
        let kind = match &self.kind {
            ExprKind::Vector(items) => ExprKind::Vector(all(items)),
            ExprKind::Map(items) => ExprKind::Map(all(items)),
            ExprKind::List(items) => ExprKind::List(all(items)),
            ExprKind::ShortFunction(items) => ExprKind::ShortFunction(all(items)),
            ExprKind::Open(items) => ExprKind::Open(all(items)),
            other => other.clone(),
        };
        Self {
            range: place(self.range),
            kind,
        }
    }

    /// The expressions in it.
    pub fn parts(&self) -> &[Expr] {
        match &self.kind {
            ExprKind::Vector(items)
            | ExprKind::Map(items)
            | ExprKind::List(items)
            | ExprKind::ShortFunction(items)
            | ExprKind::Open(items) => items,
            _ => &[],
        }
    }

    /// The name that it is.
    pub fn as_symbol(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Symbol(name) => Some(name),
            _ => None,
        }
    }

    /// The key that it is: a keyword or a string.
    pub fn as_key(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Keyword(name) | ExprKind::String(name) => Some(name),
            _ => None,
        }
    }

    /// The key without its colon or quotes, where it is one.
    pub fn key_range(&self) -> TextRange {
        let mark = TextSize::of(':');
        match self.kind {
            ExprKind::Keyword(_) => TextRange::new(self.range.start() + mark, self.range.end()),
            ExprKind::String(_) => {
                TextRange::new(self.range.start() + mark, self.range.end() - mark)
            }
            _ => self.range,
        }
    }
}

fn kind(
    element: &Element<'_>,
    (start, elsewhere): (TextSize, &[TextRange]),
    is_last: bool,
    finished: &mut Vec<Expr>,
) -> ExprKind {
    let is_closed = element.is_closed();
    let mut all = || {
        let is_cut = is_last && !is_closed;
        let mut forms = forms(Items::new(element.elements())).peekable();
        let first = finished.len();
        while let Some(form) = forms.next() {
            let is_last = is_cut && forms.peek().is_none();
            let expr = Expr::read(&form, (start, elsewhere), is_last, finished);
            finished.push(expr);
        }
        finished.drain(first..).collect()
    };
    let is_whole = is_closed || is_last;
    let opening = || element.elements().next().map(|it| it.text());
    match element.kind {
        Kind::Number => number(element.text()),
        Kind::String if is_closed => ExprKind::String(quoted::content(element).0.into_boxed_str()),
        Kind::Atom => match element.text().strip_prefix(':') {
            Some(name) if !name.starts_with(':') => ExprKind::Keyword(name.into()),
            _ => ExprKind::Other,
        },
        Kind::Symbol => match element.text() {
            "nil" => ExprKind::Nil,
            "true" | "false" => ExprKind::Bool,
            name => ExprKind::Symbol(name.into()),
        },
        Kind::Brackets if is_whole => ExprKind::Vector(all()),
        Kind::Braces if is_whole && is_map(element) => ExprKind::Map(all()),
        Kind::Parens if is_whole => match opening() {
            Some("(") => ExprKind::List(all()),
            _ => ExprKind::ShortFunction(Box::new([Expr {
                range: element.range - start,
                kind: ExprKind::List(all()),
            }])),
        },
        _ => ExprKind::Other,
    }
}

fn number(text: &str) -> ExprKind {
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
