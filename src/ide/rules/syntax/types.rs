//! Types.

use super::{Fault, SyntaxRule, say, signature_rule};
use crate::{
    ide::Fix,
    model::{Edition, type_words},
    syntax::{
        error::{ErrorKind, error_nodes},
        fragment::Fragment,
        kind::{SyntaxElement, SyntaxKind, SyntaxNode},
        signature::{self, ast::Type},
    },
    text::TextEdit,
};

pub(super) const MISSING_TYPE: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MissingType,
    rule: signature_rule(
        "missing-type",
        "Every name has a type",
        "A parameter or field is a name and a type. `:any` takes anything.",
        "(query, limit :int) -> [:map]",
        "(query :any, limit :int) -> [:map]",
    ),
    describe: |fault| {
        let description = say("A type is missing here; write one, such as `:any`.");
        let list_goes_on = fault.parent().and_then(|item| item.next_sibling_or_token());
        let next_is_name = std::iter::successors(list_goes_on, |it| it.next_sibling_or_token())
            .find(|it| it.kind() != SyntaxKind::Whitespace)
            .is_some_and(|it| matches!(it.kind(), SyntaxKind::Param | SyntaxKind::Field));
        match next_is_name {
            true => description.fix(Fix::offered("Add `:any,`", vec![fault.replace(" :any,")])),
            false => description.fix(Fix::safe("Add `:any`", vec![fault.replace(" :any")])),
        }
    },
};

pub(super) const BARE_TYPE_WORD: SyntaxRule = SyntaxRule {
    kind: ErrorKind::BareTypeWord,
    rule: signature_rule(
        "bare-type-word",
        "Type words begin with a colon",
        "`string` is a name; the type is `:string`.",
        "{name string}",
        "{name :string}",
    ),
    describe: |fault| {
        let word = fault.text();
        let (types, certain) = types_for(&word, fault.edition);
        let Some(first) = types.first() else {
            return say(format!(
                "Types begin with a colon, and `:{word}` is none; write `:any` or another type."
            ))
            .fix(Fix::offered("Write `:any`", vec![fault.replace(":any")]));
        };
        let mut description = say(format!("Types begin with a colon: write `{first}`."));
        for (index, ty) in types.iter().enumerate() {
            let edits = vec![fault.replace(ty.clone())];
            let title = format!("Write `{ty}`");
            let safe = certain && index == 0;
            description = description.fix(if safe {
                Fix::safe(title, edits)
            } else {
                Fix::offered(title, edits)
            });
        }
        description
    },
};

/// The types that `word` may mean, best first, and whether the first one is sure.
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
        "Type words are made of letters",
        "A type word is a colon and one of the words `string int float bool keyword datetime map any`.",
        ":s'tring",
        ":string",
    ),
    describe: |fault| {
        let text = fault.text();
        let letters: String = text.chars().filter(char::is_ascii_alphabetic).collect();
        let (types, certain) = types_for(&letters, fault.edition);
        match types.first() {
            Some(ty) => {
                let edits = vec![fault.replace(ty.clone())];
                let title = format!("Write `{ty}`");
                say(format!("`{text}` is not a type; did you mean `{ty}`?")).fix(if certain {
                    Fix::safe(title, edits)
                } else {
                    Fix::offered(title, edits)
                })
            }
            None => say(format!(
                "`{text}` is not a type; type words are made of letters, such as `:string`."
            )),
        }
    },
};

pub(super) const SPACE_AFTER_COLON: SyntaxRule = SyntaxRule {
    kind: ErrorKind::SpaceAfterColon,
    rule: signature_rule(
        "space-after-colon",
        "No space stands behind the colon of a type",
        "The colon and the word are one: `:int`.",
        "(limit : int) -> :int",
        "(limit :int) -> :int",
    ),
    describe: |fault| {
        say("No space stands between the colon and the type word; remove it.")
            .fix(Fix::safe("Remove the space", vec![fault.delete()]))
    },
};

pub(super) const DOUBLED_COLON: SyntaxRule = SyntaxRule {
    kind: ErrorKind::DoubledColon,
    rule: signature_rule(
        "doubled-colon",
        "One colon begins a type word",
        "Elixir's specs write `::`; a signature writes `:`.",
        "(limit ::int) -> :int",
        "(limit :int) -> :int",
    ),
    describe: |fault| {
        say("One colon is enough before a type word; remove the other.")
            .fix(Fix::safe("Remove the colon", vec![fault.delete()]))
    },
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

pub(super) const LONE_COLON: SyntaxRule = SyntaxRule {
    kind: ErrorKind::LoneColon,
    rule: signature_rule(
        "lone-colon",
        "A type word stands behind the colon",
        "A colon alone is no type.",
        "(limit :) -> :int",
        "(limit :any) -> :int",
    ),
    describe: |fault| {
        say("A type word is missing behind the colon, such as `:any`.")
            .fix(Fix::offered("Write `:any`", vec![fault.replace(":any")]))
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
            Some(ty) => say(format!(
                "Types have no parameters; write `{ty}` for `{text}`."
            ))
            .fix(Fix::safe(format!("Write `{ty}`"), vec![fault.replace(ty)])),
            None => say(format!(
                "Types have no parameters, as in `{text}`; a list is `[:type]`."
            )),
        }
    },
};

/// What `list[string]` and its like mean, written as a type.
fn plain_type(text: &str, edition: Edition) -> Option<String> {
    let text = text.trim();
    let Some((word, rest)) = text.split_once('[').filter(|(word, _)| !word.is_empty()) else {
        let is_type = text.starts_with([':', '{', '[']);
        let word = text.trim_end_matches('?');
        let optional = if word == text { "" } else { "?" };
        return match is_type {
            true => Some(text.to_owned()),
            false => types_for(word, edition)
                .0
                .first()
                .map(|ty| format!("{ty}{optional}")),
        };
    };
    let inner = rest.strip_suffix(']')?;
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
        description.fix(match is_sound(&ty) {
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

/// Whether `ty` has no more faults as a signature than the one that it was written for.
fn is_sound(ty: &str) -> bool {
    let root = SyntaxNode::new_root(signature::parse(Fragment::plain(ty)));
    error_nodes(&root).len() <= 1
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

pub(super) const SPACE_BEFORE_QUESTION: SyntaxRule = SyntaxRule {
    kind: ErrorKind::SpaceBeforeQuestion,
    rule: signature_rule(
        "space-before-question",
        "No space stands before `?`",
        "`?` belongs to the type word before it.",
        "(limit :int ?) -> :int",
        "(limit :int?) -> :int",
    ),
    describe: |fault| {
        say("No space stands between a type and its `?`; remove it.")
            .fix(Fix::safe("Remove the space", vec![fault.delete()]))
    },
};

pub(super) const DOUBLED_QUESTION: SyntaxRule = SyntaxRule {
    kind: ErrorKind::DoubledQuestion,
    rule: signature_rule(
        "doubled-question",
        "One `?` is enough",
        "A type is optional or it is not.",
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
        "`?` stands behind the type",
        "What may be left out is marked behind its type: `:int?`.",
        "(limit ?:int) -> :int",
        "(limit :int?) -> :int",
    ),
    describe: |fault| {
        let description = say("`?` stands behind the type: write `:type?`.");
        match type_behind(fault) {
            Some(ty @ Type::Primitive(_)) => {
                let edits = vec![fault.delete(), TextEdit::insert(ty.text_range().end(), "?")];
                description.fix(Fix::safe("Move `?` behind the type", edits))
            }
            _ => description.fix(Fix::offered("Remove `?`", vec![fault.delete()])),
        }
    },
};

fn type_behind(fault: &Fault<'_>) -> Option<Type> {
    std::iter::successors(fault.node.next_sibling(), |it| it.next_sibling()).find_map(Type::cast)
}
