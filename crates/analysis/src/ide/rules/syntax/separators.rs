//! Commas.

use super::{Fault, SyntaxRule, say, signature_rule};
use crate::ide::Fix;
use signature_ls_source::{
    syntax::{
        error::ErrorKind,
        kind::{SyntaxElement, SyntaxKind},
    },
    text::{TextEdit, TextSize},
};

pub(super) const MISSING_COMMA: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MissingComma,
    rule: signature_rule(
        "missing-comma",
        "Missing comma",
        "Unlike in Clojure, a comma is not white space: it separates fields and parameters.",
        "{id :int name :string}",
        "{id :int, name :string}",
    ),
    describe: |fault| {
        let edit = match after_strays(fault) {
            Some(end) => TextEdit::insert(end, ","),
            None => fault.replace(","),
        };
        let (title, edits) = ("Add the comma", vec![edit]);
        say("A comma is missing here; write `,` before the next name.").fix(
            match !follows_unexpected(fault)
                && precedes_name(fault)
                && !precedes_conjunction(fault)
                && !touches_both(fault)
            {
                true => Fix::safe(title, edits),
                false => Fix::offered(title, edits),
            },
        )
    },
};

/// The end of the stray brackets at the place of the comma, which belong to the item before it.
fn after_strays(fault: &Fault<'_>) -> Option<TextSize> {
    let following = std::iter::successors(
        fault.node.next_sibling_or_token(),
        SyntaxElement::next_sibling_or_token,
    );
    let strays = following.take_while(|it| {
        let kind = it.kind();
        matches!(
            kind,
            SyntaxKind::Whitespace | SyntaxKind::Error(ErrorKind::StrayCloser)
        )
    });
    let strays = strays.filter(|it| it.kind() != SyntaxKind::Whitespace);
    strays.last().map(|it| it.text_range().end())
}

/// Whether the item before the comma has, instead of a type, only characters that are invalid in a signature: then the
/// next word may be its type.
fn follows_unexpected(fault: &Fault<'_>) -> bool {
    let item = fault.node.prev_sibling();
    let last = item.and_then(|item| item.last_child());
    last.is_some_and(|it| it.kind() == SyntaxKind::Error(ErrorKind::Unexpected))
}

/// Whether the items touch, as in `{use}r :int`: the bracket before the comma may be a stray one in a name.
fn touches_both(fault: &Fault<'_>) -> bool {
    let next = fault.node.next_sibling_or_token();
    next.is_some_and(|it| matches!(it.kind(), SyntaxKind::Param | SyntaxKind::Field))
}

/// Whether a name follows the comma, so that certainly another item begins there.
fn precedes_name(fault: &Fault<'_>) -> bool {
    let item = fault.node.next_sibling();
    let first = item.and_then(|item| item.first_child());
    first.is_some_and(|it| {
        let kind = it.kind();
        matches!(
            kind,
            SyntaxKind::Name | SyntaxKind::Error(ErrorKind::InvalidName)
        )
    })
}

/// Whether the next name is a word that joins what is before and after it.
fn precedes_conjunction(fault: &Fault<'_>) -> bool {
    let name = { fault.node.next_sibling() }.and_then(|item| item.first_token());
    name.is_some_and(|it| matches!(&*it.text().to_ascii_lowercase(), "or" | "and"))
}

pub(super) const EXTRA_COMMA: SyntaxRule = SyntaxRule {
    kind: ErrorKind::ExtraComma,
    rule: signature_rule(
        "extra-comma",
        "Unnecessary comma",
        "Write a single comma, and only between two fields or parameters.",
        "{id :int,, name :string}",
        "{id :int, name :string}",
    ),
    describe: |fault| {
        say("This comma is one too many; remove it.")
            .fix(Fix::safe("Remove it", vec![fault.delete_with_space()]))
    },
};

pub(super) const TRAILING_COMMA: SyntaxRule = SyntaxRule {
    kind: ErrorKind::TrailingComma,
    rule: signature_rule(
        "trailing-comma",
        "Trailing comma",
        "Write commas only between two fields or parameters.",
        "{id :int, name :string,}",
        "{id :int, name :string}",
    ),
    describe: |fault| {
        say("Remove the trailing comma.")
            .fix(Fix::safe("Remove it", vec![fault.delete_with_space()]))
    },
};

pub(super) const WRONG_SEPARATOR: SyntaxRule = SyntaxRule {
    kind: ErrorKind::WrongSeparator,
    rule: signature_rule(
        "wrong-separator",
        "Wrong separator",
        "Commas separate fields and parameters.",
        "{id :int; name :string}",
        "{id :int, name :string}",
    ),
    describe: |fault| {
        let text = fault.text();
        match precedes_item(fault) {
            true => say(format!("`{text}` does not separate; write `,`."))
                .fix(Fix::safe("Write `,`", vec![fault.replace(",")])),
            false => say(format!("`{text}` separates nothing; remove it."))
                .fix(Fix::safe("Remove it", vec![fault.delete_with_space()])),
        }
    },
};

fn precedes_item(fault: &Fault<'_>) -> bool {
    let mut after = std::iter::successors(
        fault.node.next_sibling_or_token(),
        SyntaxElement::next_sibling_or_token,
    );
    let next = after.find(|it| it.kind() != SyntaxKind::Whitespace);
    next.is_some_and(|it| matches!(it.kind(), SyntaxKind::Param | SyntaxKind::Field))
}
