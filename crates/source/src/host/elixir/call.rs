//! Calls: the function of a list of arguments, and what is piped into it.

use super::{
    literal::{is_text, only_string},
    names::Binder,
};
use crate::host::token_tree::{Element, Kind};

/// The number of elements before a pipe that are searched for the start of the piped expression.
const MOST_PIPED: usize = 1024;

/// A value that is a string or may refer to one.
#[derive(Debug, Clone, Copy)]
pub enum Argument<'t> {
    /// A string.
    String(Element<'t>),
    /// A name.
    Name(Binder, &'t str),
}

impl<'t> Argument<'t> {
    /// The string or name that `value` is; `None` for anything else.
    pub fn of(value: &[Element<'t>]) -> Option<Self> {
        match value {
            [sign, name] if sign.text() == "@" && name.kind() == Kind::Symbol => {
                Some(Self::Name(Binder::Attribute, name.text()))
            }
            [name] if name.kind() == Kind::Symbol => {
                Some(Self::Name(Binder::Variable, name.text()))
            }
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
    /// The function whose name is at the end of `before`, such as `PtcRunner.SubAgent.run`.
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

    /// Whether a pipe passes its first argument.
    pub fn is_piped(&self) -> bool {
        self.before.last().is_some_and(|last| last.text() == "|>")
    }

    /// The whole expression that is piped into it, unless it is very long.
    pub fn before_pipe(&self) -> Option<&'s [Element<'t>]> {
        before_pipe(self.before)
    }

    /// The elements of its name.
    pub fn path(&self) -> &'s [Element<'t>] {
        self.path
    }

    /// The expression that is piped into it as its only first argument.
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
        let is_value = is_text(value.last()?) || value.last()?.kind() == Kind::Symbol;
        (pipe.text() == "|>" && stands_alone && is_value).then(|| Argument::of(value))?
    }
}

/// The whole expression before the pipe that `elements` end with, unless that is longer than any that people write.
pub fn before_pipe<'s, 't>(elements: &'s [Element<'t>]) -> Option<&'s [Element<'t>]> {
    let (pipe, before) = elements.split_last()?;
    if pipe.text() != "|>" {
        return None;
    }
    let nearby = &before[before.len().saturating_sub(MOST_PIPED)..];
    match nearby.iter().rposition(binds_weaker_than_pipe) {
        Some(at) => Some(&nearby[at + 1..]),
        None => (nearby.len() == before.len()).then_some(before),
    }
}

/// Whether `element` can be part of a function's name.
pub fn is_name(element: &Element) -> bool {
    matches!(element.kind(), Kind::Symbol | Kind::Alias)
}

/// Whether an operator before `a |> b` has all of it as its operand.
pub fn binds_weaker_than_pipe(operator: &Element) -> bool {
    match operator.kind() {
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
                | "<"
                | ">"
                | "<="
                | ">="
                | "&&"
                | "&&&"
                | "||"
                | "|||"
                | "|"
                | "\\\\"
                | "::"
                | "&"
        ),
        Kind::Symbol => matches!(operator.text(), "and" | "or" | "when"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        host::{elixir::Elixir, token_tree},
        text::TextSize,
    };

    /// The table of operators in the documentation of Elixir, from those that bind most to those that bind least.
    #[test]
    fn operators_bind_as_in_the_table() {
        let tighter = "** * / + - ++ -- +++ --- .. <> in |> <<< >>> <<~ ~>> <~ ~> <~>";
        let looser = "< > <= >= == != =~ === !== && &&& and || ||| or = => | :: when <- \\\\";
        for (operators, expected) in [(tighter, "a"), (looser, "c")] {
            for operator in operators.split(' ') {
                let text = format!("a {operator} c |>");
                let tree = token_tree::parse::<Elixir>(&text);
                let root = Element::node(&tree, TextSize::default());
                let elements = root.elements().filter(|it| !it.kind().is_trivia());
                let elements: Vec<_> = elements.collect();
                let piped = before_pipe(&elements).expect("an expression");
                assert_eq!(piped[0].text(), expected, "{operator}");
            }
        }
    }
}
