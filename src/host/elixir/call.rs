//! Calls: which function a list of arguments belongs to, and what is piped into it.

use super::{
    literal::{is_text, only_string},
    names::Binder,
};
use crate::host::token_tree::{Element, Kind};

/// So many elements before a pipe are searched for where the expression begins that is piped.
const MOST_PIPED: usize = 1024;

/// A value that is a string or may stand for one.
#[derive(Debug, Clone, Copy)]
pub enum Argument<'t> {
    /// A string.
    String(Element<'t>),
    /// A name.
    Name(Binder, &'t str),
}

impl<'t> Argument<'t> {
    /// What `value` is; `None` where it is anything else.
    pub fn of(value: &[Element<'t>]) -> Option<Self> {
        match value {
            [sign, name] if sign.text() == "@" && name.kind == Kind::Symbol => {
                Some(Self::Name(Binder::Attribute, name.text()))
            }
            [name] if name.kind == Kind::Symbol => Some(Self::Name(Binder::Variable, name.text())),
            value => only_string(value).map(Self::String),
        }
    }
}

/// A call's function, in the row of elements before its arguments.
#[derive(Debug, Clone, Copy)]
pub struct Callee<'s, 't> {
    before: &'s [Element<'t>],
    path: &'s [Element<'t>],
}

impl<'s, 't> Callee<'s, 't> {
    /// The function whose name `before` ends with, such as `PtcRunner.SubAgent.run`.
    pub fn ending(before: &'s [Element<'t>]) -> Option<Self> {
        let mut first = before.len().checked_sub(1)?;
        if !is_name(&before[first]) {
            return None;
        }
        while first >= 2 && before[first - 1].text() == "." && is_name(&before[first - 2]) {
            first -= 2;
        }
        let (before, path) = before.split_at(first);
        Some(Self { before, path })
    }

    /// The function's name and, before it, those of its module.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &'t str> + Clone + use<'s, 't> {
        self.path.iter().step_by(2).map(|name| name.text())
    }

    /// Whether its first argument precedes a pipe.
    pub fn is_piped(&self) -> bool {
        self.before.last().is_some_and(|last| last.text() == "|>")
    }

    /// The whole expression that is piped into it, unless that is longer than any that people write.
    pub fn before_pipe(&self) -> Option<&'s [Element<'t>]> {
        let (pipe, before) = self.before.split_last()?;
        if pipe.text() != "|>" {
            return None;
        }
        let nearby = &before[before.len().saturating_sub(MOST_PIPED)..];
        match nearby.iter().rposition(binds_weaker_than_pipe) {
            Some(at) => Some(&nearby[at + 1..]),
            None => (nearby.len() == before.len()).then_some(before),
        }
    }

    /// The elements of its name.
    pub fn path(&self) -> &'s [Element<'t>] {
        self.path
    }

    /// What is piped into it as its first argument, where that is all of it.
    pub fn piped(&self) -> Option<Argument<'t>> {
        let [before @ .., value, pipe] = self.before else {
            return None;
        };
        let (before, value) = match before {
            [before @ .., sign] if sign.text() == "@" => {
                (before, &self.before[before.len()..=before.len() + 1])
            }
            _ => (before, std::slice::from_ref(value)),
        };
        let stands_alone = before.last().is_none_or(binds_weaker_than_pipe);
        let is_value = is_text(value.last()?) || value.last()?.kind == Kind::Symbol;
        (pipe.text() == "|>" && stands_alone && is_value).then(|| Argument::of(value))?
    }
}

/// Whether `element` can be part of a function's name.
pub fn is_name(element: &Element) -> bool {
    matches!(element.kind, Kind::Symbol | Kind::Alias)
}

/// Whether an operator before `a |> b` has all of that as its operand.
pub fn binds_weaker_than_pipe(operator: &Element) -> bool {
    match operator.kind {
        Kind::Key | Kind::QuotedKey => true,
        Kind::Operator => matches!(
            operator.text(),
            "=" | "<-"
                | "=>"
                | "=="
                | "!="
                | "==="
                | "!=="
                | "=~"
                | "&&"
                | "||"
                | "|"
                | "\\\\"
                | "::"
                | "&"
        ),
        Kind::Symbol => matches!(operator.text(), "and" | "or" | "when"),
        _ => false,
    }
}
