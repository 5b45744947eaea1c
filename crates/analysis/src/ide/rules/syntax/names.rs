//! Names of parameters and fields.

use super::{Fault, SyntaxRule, say, signature_rule};
use crate::{ide::Fix, model::meant};
use signature_ls_source::{
    syntax::{
        error::ErrorKind,
        kind::{SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken},
    },
    text::TextEdit,
};

pub(super) const MISSING_NAME: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MissingName,
    rule: signature_rule(
        "missing-name",
        "Parameter or field without a name",
        "Models and tools pass values by name, so every type here needs a name before it.",
        "(:string) -> :int",
        "(name :string) -> :int",
    ),
    describe: |fault| {
        if fault.parent().is_some_and(|it| is_in_tuple(&it)) {
            return say("There are no tuples; write a record with names, `{name :type}`.");
        }
        say("A name is missing before this type: write `name :type`.").fix(Fix::offered(
            "Add a name",
            vec![fault.replace(format!("{} ", free_name(fault)))],
        ))
    },
};

/// The number of items whose names are compared with a new one.
const MOST_COMPARED: usize = 64;

/// A name that no other item of the list has.
fn free_name(fault: &Fault<'_>) -> String {
    let list = fault.parent().and_then(|item| item.parent());
    let items = list.iter().flat_map(SyntaxNode::children);
    let names = items.take(MOST_COMPARED).filter_map(|it| it.first_child());
    let names = names.map(|it| meant::name(&it.text().to_string()).replace('-', "_"));
    let taken: Vec<_> = names.collect();
    let numbered = (2..).map(|it| format!("name_{it}"));
    let mut names = std::iter::once("name".to_owned()).chain(numbered);
    names.find(|it| !taken.contains(it)).unwrap_or_default()
}

/// Whether `field` is in a tuple of Elixir: none of the first fields of its record has a name.
pub(in crate::ide::rules) fn is_in_tuple(field: &SyntaxNode) -> bool {
    let Some(record) = field.parent() else {
        return false;
    };
    let fields = record
        .children()
        .filter(|it| it.kind() == SyntaxKind::Field);
    let fields: Vec<_> = fields.take(3).collect();
    fields.len() > 1
        && fields
            .iter()
            .all(|it| it.children().any(|it| it.kind() == NAMELESS))
}

const NAMELESS: SyntaxKind = SyntaxKind::Error(ErrorKind::MissingName);

/// Keeps only the first missing name of a tuple, because its parts are one mistake.
pub(super) fn keep_one_of_tuple(nodes: &mut Vec<(ErrorKind, SyntaxNode)>) {
    nodes.retain(|(kind, node)| {
        let field = node.parent().filter(|_| *kind == ErrorKind::MissingName);
        let is_later = |it: &SyntaxNode| {
            it.prev_sibling()
                .is_some_and(|it| it.kind() == SyntaxKind::Field)
        };
        field.is_none_or(|it| !(is_later(&it) && is_in_tuple(&it)))
    });
}

pub(in crate::ide::rules) const INVALID_NAME: SyntaxRule = SyntaxRule {
    kind: ErrorKind::InvalidName,
    rule: signature_rule(
        "invalid-name",
        "Invalid name",
        "A name begins with an ASCII letter or `_` and continues with letters, digits, `_` and `-`. It has no \
         quotes, dots or accented letters.",
        "{\"name\" :string}",
        "{name :string}",
    ),
    describe: |fault| {
        let text = fault.text();
        let message =
            format!("`{text}` is not a name; use letters, digits, `_` and `-`, a letter first.");
        let bare = meant::unquoted(&text);
        let fixed = meant::name(&text);
        let edit = vec![fault.replace(fixed.clone())];
        let title = format!("Write `{fixed}`");
        match fixed == bare {
            _ if fixed.is_empty() => say(message),
            true if !has_escapes(fault) && !is_unfinished(fault) => {
                say(message).fix(Fix::safe(title, edit))
            }
            _ => say(message).fix(Fix::offered(title, edit)),
        }
    },
};

/// Whether more of the name may follow, as in `"first name"`.
fn is_unfinished(fault: &Fault<'_>) -> bool {
    let next = fault.node.next_sibling();
    next.is_some_and(|it| it.kind() == SyntaxKind::Error(ErrorKind::Unexpected))
}

/// Whether the name has escapes other than those of quotes, whose characters may not be meant.
fn has_escapes(fault: &Fault<'_>) -> bool {
    let text = fault.node.text().to_string();
    let mut parts = text.split('\\').skip(1);
    parts.any(|it| !it.starts_with(['"', '\'']))
}

pub(super) const COLON_BEFORE_NAME: SyntaxRule = SyntaxRule {
    kind: ErrorKind::ColonBeforeName,
    rule: signature_rule(
        "colon-before-name",
        "Colon before a name",
        "An early guide wrote records like Clojure maps: `{:id :int :name :string}`. No release accepts them. \
         Names have no colon, and commas separate the fields.",
        "{:id :int :name :string}",
        "{id :int, name :string}",
    ),
    describe: |fault| {
        let name = fault.text().trim_start_matches(':').to_owned();
        let edits = without_colon_keys(fault);
        let (message, title) = match edits.iter().any(|edit| edit.insert == ",") {
            true => (
                format!("Names take no colon, and commas separate them: write `{name} :type, …`."),
                "Write plain names and commas",
            ),
            false => (
                format!("Names take no colon: write `{name} :type`."),
                "Write plain names",
            ),
        };
        say(message).fix(Fix::safe(title, edits))
    },
};

/// The edits that turn all keys with colons of the list into names, and add commas.
fn without_colon_keys(fault: &Fault<'_>) -> Vec<TextEdit> {
    let Some(list) = fault.parent().and_then(|item| item.parent()) else {
        return vec![fault.delete()];
    };
    let items: Vec<_> = list
        .children()
        .filter(|it| matches!(it.kind(), SyntaxKind::Field | SyntaxKind::Param))
        .collect();
    let mut edits = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let first = item
            .first_token()
            .filter(|token| token.kind() == SyntaxKind::Colon);
        let is_key = first
            .as_ref()
            .and_then(|colon| colon.next_token())
            .is_some_and(|it| is_in_name(&it));
        edits.extend(
            first
                .filter(|_| is_key)
                .map(|colon| TextEdit::delete(colon.text_range())),
        );
        let is_last = index + 1 == items.len();
        if !is_last && !comma_follows(item) {
            edits.push(TextEdit::insert(item.text_range().end(), ","));
        }
    }
    edits
}

fn is_in_name(token: &SyntaxToken) -> bool {
    token
        .parent()
        .is_some_and(|it| it.kind() == SyntaxKind::Name)
}

fn comma_follows(item: &SyntaxNode) -> bool {
    let next = std::iter::successors(
        item.next_sibling_or_token(),
        SyntaxElement::next_sibling_or_token,
    );
    next.map(|it| it.kind())
        .find(|&kind| kind != SyntaxKind::Whitespace)
        == Some(SyntaxKind::Comma)
}

pub(in crate::ide::rules) const COLON_AFTER_NAME: SyntaxRule = SyntaxRule {
    kind: ErrorKind::ColonAfterName,
    rule: signature_rule(
        "colon-after-name",
        "Colon after a name",
        "The colon belongs to the type: `name :string`, not `name: string`.",
        "(name: string) -> :int",
        "(name :string) -> :int",
    ),
    describe: |fault| {
        let in_word = fault
            .parent()
            .is_some_and(|it| it.kind() == SyntaxKind::PrimitiveType);
        let space_follows = fault
            .node
            .next_sibling_or_token()
            .is_some_and(|it| it.kind() == SyntaxKind::Whitespace);
        let space_before = fault
            .token_before()
            .is_some_and(|it| it.kind() == SyntaxKind::Whitespace);
        let insert = match (in_word, space_follows || space_before) {
            (true, _) => " :",
            (false, true) => "",
            (false, false) => " ",
        };
        let (message, title) = match in_word {
            true => (
                "The colon belongs to the type: write `name :type`.",
                "Move the colon to the type",
            ),
            false => ("Names take no colon; remove it.", "Remove the colon"),
        };
        say(message).fix(Fix::safe(title, vec![fault.replace(insert)]))
    },
};

pub(super) const QUESTION_AFTER_NAME: SyntaxRule = SyntaxRule {
    kind: ErrorKind::QuestionAfterName,
    rule: signature_rule(
        "question-after-name",
        "`?` after a name",
        "Mark the type as optional, not the name: `limit :int?`.",
        "(limit? :int) -> :int",
        "(limit :int?) -> :int",
    ),
    describe: |fault| {
        let description = say("`?` belongs after the type: write `name :type?`.");
        match fault.sibling_type() {
            Some(ty) if ty.kind() == SyntaxKind::PrimitiveType => {
                let edits = vec![fault.delete(), TextEdit::insert(ty.text_range().end(), "?")];
                description.fix(Fix::safe("Move `?` after the type", edits))
            }
            _ => description.fix(Fix::offered("Remove `?`", vec![fault.delete()])),
        }
    },
};
