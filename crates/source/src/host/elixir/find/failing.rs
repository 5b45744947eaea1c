//! Statements whose author states that a call in them fails, as tests of errors do.

use std::collections::BTreeMap;

use super::items::is_code;
use crate::{
    host::{
        elixir::contract::items,
        token_tree::{Element, Kind},
    },
    text::{TextRange, TextSize},
};

/// Their places, none of which overlap.
#[derive(Clone, Default)]
pub(in crate::host::elixir) struct Failing {
    ends: BTreeMap<TextSize, TextSize>,
}

impl Failing {
    pub(super) fn add(&mut self, statement: TextRange) {
        if !self.contains(statement.end()) {
            self.ends.insert(statement.start(), statement.end());
        }
    }

    /// Whether what ends at `end` is in one of them.
    pub(in crate::host::elixir) fn contains(&self, end: TextSize) -> bool {
        let before = self.ends.range(..end).next_back();
        before.is_some_and(|(_, &last)| end <= last)
    }
}

/// Whether a statement is `assert_raise …` or `{:error, _} = …`. The statements of a `do` block are read without what is
/// around it, and so none of its own counts.
pub(super) fn is_failing(statement: &[Element<'_>]) -> bool {
    let is_block = |it: &Element<'_>| it.kind() == Kind::DoBlock;
    let expected = match statement {
        [assert, rest @ ..] if assert.text() == "assert" => rest,
        _ => statement,
    };
    let states = match expected {
        [call, arguments] if call.text() == "match?" => items(arguments)
            .first()
            .and_then(|it| it.first())
            .is_some_and(is_error),
        [pattern, sign, ..] if is_error(pattern) => matches!(sign.text(), "=" | "=="),
        [_, sign, call, ..] if sign.text() == "=" => is_raising(call),
        [call, ..] => is_raising(call),
        [] => false,
    };
    states && !statement.iter().any(is_block)
}

fn is_raising(call: &Element<'_>) -> bool {
    call.text() == "assert_raise"
}

/// Whether it is `:error` or a tuple that begins with it.
fn is_error(pattern: &Element<'_>) -> bool {
    let first = || pattern.elements().find(is_code);
    pattern.text() == ":error"
        || pattern.kind() == Kind::Braces && first().is_some_and(|it| it.text() == ":error")
}
