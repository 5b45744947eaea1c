//! Lists, records, and what other languages write for them.

use super::{Fault, SyntaxRule, say, signature_rule, types::types_for};
use crate::{
    ide::Fix,
    model::{Edition, parse_signature},
    syntax::{
        error::ErrorKind,
        kind::{SyntaxElement, SyntaxKind},
        signature::ast::Type,
    },
    text::TextEdit,
};

pub(super) const COLON_BEFORE_COMPOUND: SyntaxRule = SyntaxRule {
    kind: ErrorKind::ColonBeforeCompound,
    rule: signature_rule(
        "colon-before-compound",
        "Lists and records take no colon",
        "Only type words begin with a colon.",
        ":{id :int}",
        "{id :int}",
    ),
    describe: |fault| {
        say("Lists and records take no colon; remove it.")
            .fix(Fix::safe("Remove the colon", vec![fault.delete()]))
    },
};

pub(super) const GENERIC_TYPE: SyntaxRule = SyntaxRule {
    kind: ErrorKind::GenericType,
    rule: signature_rule(
        "generic-type",
        "A list is written in brackets",
        "There are no generic types. A list of strings is `[:string]`.",
        "(tags list[string]) -> :int",
        "(tags [:string]) -> :int",
    ),
    describe: |fault| {
        let text = fault.text();
        match plain_type(&text, fault.edition) {
            Some(ty) => {
                let title = format!("Write `{ty}`");
                let edits = vec![fault.replace(ty.clone())];
                say(format!(
                    "Types have no parameters; write `{ty}` for `{text}`."
                ))
                .fix(match is_sound(&ty, fault.edition) {
                    true => Fix::safe(title, edits),
                    false => Fix::offered(title, edits),
                })
            }
            None => say(format!(
                "Types have no parameters, as in `{text}`; a list is `[:type]`."
            )),
        }
    },
};

/// What `list[string]`, `list<string>` and their like mean, written as a type.
fn plain_type(text: &str, edition: Edition) -> Option<String> {
    let text = text.trim();
    if text.starts_with(['{', '[']) {
        return Some(text.to_owned());
    }
    let Some(bracket) = text.find(['[', '<']) else {
        return plain_word(text, edition);
    };
    let (word, rest) = text.split_at(bracket);
    let inner = rest
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .or_else(|| rest.strip_prefix('<')?.strip_suffix('>'))?;
    match word.trim_start_matches(':').to_ascii_lowercase().as_str() {
        "list" | "array" | "vector" | "seq" | "set" | "sequence" => {
            Some(format!("[{}]", plain_type(inner, edition)?))
        }
        "map" | "dict" | "record" | "object" | "hash" => Some(":map".to_owned()),
        "optional" | "maybe" => {
            let ty = plain_type(inner, edition)?;
            Some(if ty.starts_with(':') {
                format!("{}?", ty.trim_end_matches('?'))
            } else {
                ":any?".to_owned()
            })
        }
        _ => None,
    }
}

/// What a word means as a type, with its colon or without.
fn plain_word(text: &str, edition: Edition) -> Option<String> {
    if text.starts_with(':') {
        return Some(text.to_owned());
    }
    let word = text.trim_end_matches('?');
    let optional = if word == text { "" } else { "?" };
    let types = types_for(word, edition).0;
    types.first().map(|ty| format!("{ty}{optional}"))
}

pub(super) const EMPTY_LIST: SyntaxRule = SyntaxRule {
    kind: ErrorKind::EmptyList,
    rule: signature_rule(
        "empty-list",
        "A list names its element type",
        "`[]` does not say of what. A list of anything is `[:any]`.",
        "[]",
        "[:any]",
    ),
    describe: |fault| {
        say("A list of what? Write `[:any]` or the type of its elements.")
            .fix(Fix::safe("Write `[:any]`", vec![fault.replace(":any")]))
    },
};

pub(super) const LIST_OF_SEVERAL: SyntaxRule = SyntaxRule {
    kind: ErrorKind::ListOfSeveral,
    rule: signature_rule(
        "list-of-several",
        "A list has one element type",
        "All elements of a list have one type. Values of different types side by side are a record with named fields, or \
         `[:any]`.",
        "[:int, :string]",
        "[:any]",
    ),
    describe: |fault| {
        let description = say(
            "A list has exactly one element type; name the fields of a record instead, or write `[:any]`.",
        );
        let first = fault
            .parent()
            .and_then(|list| list.children().find_map(Type::cast));
        match first {
            Some(first) => {
                let range = first.text_range().cover(fault.range());
                description.fix(Fix::offered(
                    "Write `[:any]`",
                    vec![TextEdit::replace(range, ":any")],
                ))
            }
            None => description,
        }
    },
};

pub(super) const PARENTHESIZED_TYPE: SyntaxRule = SyntaxRule {
    kind: ErrorKind::ParenthesizedType,
    rule: signature_rule(
        "parenthesized-type",
        "Parentheses hold parameters only",
        "Where a type is due, fields stand in braces: `{id :int}`.",
        "() -> (id :int)",
        "() -> {id :int}",
    ),
    describe: |fault| {
        let description =
            say("Parentheses hold parameters only; write a record as `{name :type}`.");
        let Some(edits) = without_parentheses(fault) else {
            return description;
        };
        let mut ty = fault.text();
        for edit in edits.iter().rev() {
            TextEdit::replace(edit.range - fault.range().start(), edit.insert.clone())
                .apply(&mut ty);
        }
        let title = format!("Write `{ty}`");
        description.fix(match is_sound(&ty, fault.edition) {
            true => Fix::safe(title, edits),
            false => Fix::offered(title, edits),
        })
    },
};

/// The edits that make a record of the parentheses around names, and take them away around a type; `None`
/// where they hold nothing or are not closed.
fn without_parentheses(fault: &Fault<'_>) -> Option<Vec<TextEdit>> {
    let tokens = fault
        .node
        .children_with_tokens()
        .filter_map(SyntaxElement::into_token)
        .filter(|token| token.kind() != SyntaxKind::Whitespace);
    let tokens: Vec<_> = tokens.collect();
    let [open, first, rest @ .., close] = tokens.as_slice() else {
        return None;
    };
    let is_type_word = first.kind() == SyntaxKind::Ident && rest.is_empty();
    let (opening, closing) = match first.kind() == SyntaxKind::Ident && !is_type_word {
        true => ("{", "}"),
        false => ("", ""),
    };
    Some(vec![
        TextEdit::replace(open.text_range(), opening),
        TextEdit::replace(close.text_range(), closing),
    ])
}

/// Whether `ty` has at most one fault, so that it is no worse than the one that it is written for. What
/// stood in that may hide others.
fn is_sound(ty: &str, edition: Edition) -> bool {
    parse_signature(ty, edition).1.len() <= 1
}

pub(super) const OPTIONAL_COMPOUND: SyntaxRule = SyntaxRule {
    kind: ErrorKind::OptionalCompound,
    rule: signature_rule(
        "optional-compound",
        "Lists and records cannot be optional",
        "The written grammar has `[:int]?` and `{a :int}?`, and every released parser refuses them, even where the \
         reference itself produces them. `:any?` may be nil.",
        "(ids [:int]?) -> :int",
        "(ids :any?) -> :int",
    ),
    describe: |fault| {
        let description =
            say("No released parser takes `?` behind a list or a record; write `:any?`.");
        let Some(whole) = fault.parent() else {
            return description;
        };
        description
            .fix(Fix::offered(
                "Write `:any?`",
                vec![TextEdit::replace(whole.text_range(), ":any?")],
            ))
            .fix(Fix::offered("Remove `?`", vec![fault.delete()]))
    },
};
