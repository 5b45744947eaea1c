//! Type words and their marks.

use super::{
    Fault, SyntaxRule,
    leftovers::{is_near_word, is_torn},
    say, signature_rule,
};
use crate::{
    ide::{Fix, rules::unknown_type::not_nil},
    model::{Edition, meant, type_words},
};
use signature_ls_source::{
    syntax::{
        error::ErrorKind,
        kind::{SyntaxKind, SyntaxNode},
        signature::ast::is_type,
    },
    text::TextEdit,
};

pub(super) const MISSING_TYPE: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MissingType,
    rule: signature_rule(
        "missing-type",
        "Parameter or field without a type",
        "A parameter or field is a name and a type. `:any` accepts anything.",
        "(query, limit :int) -> [:map]",
        "(query :any, limit :int) -> [:map]",
    ),
    describe: |fault| {
        let description = say("A type is missing here; write one, such as `:any`.");
        let list_goes_on = fault.parent().and_then(|item| item.next_sibling_or_token());
        let next_is_name = std::iter::successors(list_goes_on, |it| it.next_sibling_or_token())
            .find(|it| it.kind() != SyntaxKind::Whitespace)
            .is_some_and(|it| matches!(it.kind(), SyntaxKind::Param | SyntaxKind::Field));
        let edits = vec![fault.replace(" :any")];
        match next_is_name {
            true => description.fix(Fix::offered("Add `:any,`", vec![fault.replace(" :any,")])),
            false if !is_whole_name(fault) => description.fix(Fix::offered("Add `:any`", edits)),
            false => description.fix(fault.fix_missing("Add `:any`", edits)),
        }
    },
};

/// Whether the word before the missing type is certainly a name: neither a part of one, as in `que,ry`, nor a type.
fn is_whole_name(fault: &Fault<'_>) -> bool {
    let name = fault.parent().and_then(|item| item.first_token());
    name.is_none_or(|it| {
        let is_type = type_words::primitive(it.text(), fault.edition).is_some();
        let (before, after) = fault.around(it.text_range());
        !is_type && !is_near_word(&before, &after)
    })
}

pub(super) const BARE_TYPE_WORD: SyntaxRule = SyntaxRule {
    kind: ErrorKind::BareTypeWord,
    rule: signature_rule(
        "bare-type-word",
        "Type word without a colon",
        "`string` is a name. The type is `:string`.",
        "{name string}",
        "{name :string}",
    ),
    describe: |fault| {
        let word = fault.text();
        let (types, certain) = types_for(&word, fault.edition);
        let is_optional = fault
            .node
            .next_sibling_or_token()
            .is_some_and(|it| it.kind() == SyntaxKind::Question);
        let Some(first) = types.first() else {
            return say(format!(
                "`{word}` is not a type; use {}.",
                type_words::all(fault.edition)
            ))
            .fix(Fix::offered("Write `:any`", vec![fault.replace(":any")]));
        };
        let mut description = say(match first.ends_with('?') {
            true => not_nil(&word, first),
            false => format!("Types begin with a colon: write `{first}`."),
        });
        let is_torn = *first != format!(":{word}") && is_part(fault);
        for (index, ty) in types.iter().enumerate() {
            let ty = match is_optional {
                true => ty.trim_end_matches('?'),
                false => ty,
            };
            let edits = vec![fault.replace(ty)];
            let title = format!("Write `{ty}`");
            let safe = certain && index == 0 && !is_torn;
            description = description.fix(if safe {
                Fix::safe(title, edits)
            } else {
                Fix::offered(title, edits)
            });
        }
        description
    },
};

/// Whether the word may be a part of a longer one.
fn is_part(fault: &Fault<'_>) -> bool {
    let (before, after) = fault.around(fault.range());
    is_torn(&before, &after)
}

/// The types that `word` may mean, best first, and whether the first one is certain.
pub(super) fn types_for(word: &str, edition: Edition) -> (Vec<String>, bool) {
    if type_words::primitive(word, edition).is_some() {
        return (vec![format!(":{word}")], true);
    }
    let suggestion = type_words::suggest(word, edition);
    (
        suggestion
            .replacements
            .iter()
            .map(|it| (*it).to_owned())
            .collect(),
        suggestion.certain,
    )
}

pub(super) const MALFORMED_TYPE_WORD: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MalformedTypeWord,
    rule: signature_rule(
        "malformed-type-word",
        "Malformed type word",
        "A type word is a colon followed by one of `string int float bool keyword datetime map any`.",
        ":s'tring",
        ":string",
    ),
    describe: |fault| {
        let text = fault.text();
        let letters: String = text.chars().filter(char::is_ascii_alphabetic).collect();
        let (types, certain) = types_for(&letters, fault.edition);
        match types.first() {
            Some(ty) => {
                let is_whole = *ty == format!(":{letters}") || !is_part(fault);
                let ty = meant::marked_as(&text, ty);
                let edits = vec![fault.replace(ty.clone())];
                let title = format!("Write `{ty}`");
                // An escape without a meaning has no character.
                let text = match text == ty {
                    true => fault.node.text().to_string(),
                    false => text,
                };
                say(format!("`{text}` is not a type; did you mean `{ty}`?")).fix(
                    if certain && is_whole {
                        Fix::safe(title, edits)
                    } else {
                        Fix::offered(title, edits)
                    },
                )
            }
            None => say(format!(
                "`{text}` is not a type; type words are made of letters, such as `:string`."
            ))
            .fix(Fix::offered("Write `:any`", vec![fault.replace(":any")])),
        }
    },
};

pub(super) const SPACE_AFTER_COLON: SyntaxRule = SyntaxRule {
    kind: ErrorKind::SpaceAfterColon,
    rule: signature_rule(
        "space-after-colon",
        "Space after the colon of a type",
        "The colon and the word belong together: `:int`.",
        "(limit : int) -> :int",
        "(limit :int) -> :int",
    ),
    describe: |fault| {
        say("Remove the space between the colon and the type word.")
            .fix(Fix::safe("Remove the space", vec![fault.delete()]))
    },
};

pub(super) const DOUBLED_COLON: SyntaxRule = SyntaxRule {
    kind: ErrorKind::DoubledColon,
    rule: signature_rule(
        "doubled-colon",
        "More than one colon before a type",
        "Elixir's specs write `::`. A signature writes `:`.",
        "(limit ::int) -> :int",
        "(limit :int) -> :int",
    ),
    describe: |fault| {
        say("One colon is enough before a type word; remove the other.")
            .fix(Fix::safe("Remove the colon", vec![fault.delete()]))
    },
};

pub(super) const LONE_COLON: SyntaxRule = SyntaxRule {
    kind: ErrorKind::LoneColon,
    rule: signature_rule(
        "lone-colon",
        "Colon without a type",
        "Write a type word after the colon.",
        "(limit :) -> :int",
        "(limit :any) -> :int",
    ),
    describe: |fault| {
        say("A type word is missing after the colon, such as `:any`.")
            .fix(Fix::offered("Write `:any`", vec![fault.replace(":any")]))
    },
};

pub(super) const SPACE_BEFORE_QUESTION: SyntaxRule = SyntaxRule {
    kind: ErrorKind::SpaceBeforeQuestion,
    rule: signature_rule(
        "space-before-question",
        "Space before `?`",
        "`?` belongs directly after the type word.",
        "(limit :int ?) -> :int",
        "(limit :int?) -> :int",
    ),
    describe: |fault| {
        say("Remove the space between the type and its `?`.")
            .fix(Fix::safe("Remove the space", vec![fault.delete()]))
    },
};

pub(super) const DOUBLED_QUESTION: SyntaxRule = SyntaxRule {
    kind: ErrorKind::DoubledQuestion,
    rule: signature_rule(
        "doubled-question",
        "More than one `?` after a type",
        "One `?` makes a type optional.",
        ":int??",
        ":int?",
    ),
    describe: |fault| {
        say("One `?` is enough; remove the rest.").fix(Fix::safe("Remove it", vec![fault.delete()]))
    },
};

pub(super) const QUESTION_BEFORE_TYPE: SyntaxRule = SyntaxRule {
    kind: ErrorKind::QuestionBeforeType,
    rule: signature_rule(
        "question-before-type",
        "`?` before a type",
        "Write `?` after the type: `:int?`.",
        "(limit ?:int) -> :int",
        "(limit :int?) -> :int",
    ),
    describe: |fault| {
        let description = say("`?` belongs after the type: write `:type?`.");
        match type_of(fault) {
            Some(ty) if ty.kind() == SyntaxKind::PrimitiveType => {
                let mut edits = vec![fault.delete()];
                if !is_optional(&ty) {
                    edits.push(TextEdit::insert(ty.text_range().end(), "?"));
                }
                description.fix(Fix::safe("Move `?` after the type", edits))
            }
            _ => description.fix(Fix::offered("Remove `?`", vec![fault.delete()])),
        }
    },
};

/// The type after the `?`, or around it as in `:?int`.
fn type_of(fault: &Fault<'_>) -> Option<SyntaxNode> {
    let mut after = std::iter::successors(fault.node.next_sibling(), |it| it.next_sibling());
    let around = fault.parent();
    around
        .filter(|it| it.kind() == SyntaxKind::PrimitiveType)
        .or_else(|| after.find(|it| is_type(it.kind())))
}

fn is_optional(ty: &SyntaxNode) -> bool {
    ty.parent()
        .is_some_and(|it| it.kind() == SyntaxKind::OptionalType)
}
