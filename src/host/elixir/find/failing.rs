//! Statements whose author states that a call in them fails, as tests of errors do.

use std::collections::BTreeMap;

use super::items::is_code;
use crate::{
    host::token_tree::{Element, Kind},
    text::{TextRange, TextSize},
};

/// Their places, none of which overlap.
#[derive(Clone, Default)]
pub(super) struct Failing {
    ends: BTreeMap<TextSize, TextSize>,
}

impl Failing {
    pub(super) fn add(&mut self, statement: TextRange) {
        if !self.contains(statement.end()) {
            self.ends.insert(statement.start(), statement.end());
        }
    }

    /// Whether what ends at `end` is in one of them.
    pub(super) fn contains(&self, end: TextSize) -> bool {
        let before = self.ends.range(..end).next_back();
        before.is_some_and(|(_, &last)| end <= last)
    }
}

/// Whether a statement is `assert_raise …` or `{:error, _} = …`. The statements of a `do` block are read without what is
/// around it, and so none of its own counts.
pub(super) fn is_failing(statement: &[Element<'_>]) -> bool {
    let is_block = |it: &Element<'_>| it.kind == Kind::DoBlock;
    let expected = match statement {
        [assert, rest @ ..] if assert.text() == "assert" => rest,
        _ => statement,
    };
    let states = match expected {
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

/// Whether a tuple begins with `:error`.
fn is_error(pattern: &Element<'_>) -> bool {
    pattern.kind == Kind::Braces && { pattern.elements().find(is_code) }
        .is_some_and(|it| it.text() == ":error")
}
