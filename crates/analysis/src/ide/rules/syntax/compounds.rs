//! Lists and records, and the notations of other languages for them.

use super::{SyntaxRule, describe_all, say, signature_rule};
use crate::{
    ide::{Fix, fixes::safe_edits},
    model::{Edition, Problem, ProblemKind, meant, parse_signature},
};
use signature_ls_source::{
    syntax::{
        error::ErrorKind,
        fragment::Fragment,
        kind::{SyntaxKind, SyntaxNode},
        signature::{self, ast::is_type},
    },
    text::TextEdit,
};

pub(super) const COLON_BEFORE_COMPOUND: SyntaxRule = SyntaxRule {
    kind: ErrorKind::ColonBeforeCompound,
    rule: signature_rule(
        "colon-before-compound",
        "Colon before a list or record",
        "Only type words begin with a colon.",
        ":{id :int}",
        "{id :int}",
    ),
    describe: |fault| {
        let text = fault.text();
        let (message, title) = match text.contains('%') {
            true => (
                "Lists and records take neither `:` nor `%`; remove them.",
                "Remove them",
            ),
            false => (
                "Lists and records take no colon; remove it.",
                "Remove the colon",
            ),
        };
        say(message).fix(Fix::safe(title, vec![fault.replace(fault.after_name(""))]))
    },
};

pub(super) const GENERIC_TYPE: SyntaxRule = SyntaxRule {
    kind: ErrorKind::GenericType,
    rule: signature_rule(
        "generic-type",
        "Generic type",
        "There are no generic types and no phrases such as `list of string`. A list of strings is `[:string]`.",
        "(tags list[string]) -> :int",
        "(tags [:string]) -> :int",
    ),
    describe: |fault| {
        let text = fault.text();
        let wrong = match text.contains(['[', '<', '(', '{']) {
            _ if meant::is_phrase(&text) => "are not phrases",
            true => "have no parameters",
            false => "have no modules",
        };
        match meant::generic_text(&text, fault.edition) {
            Some(ty) => {
                let ty = repaired(ty, fault.edition);
                let title = format!("Write `{ty}`");
                let edits = vec![fault.replace(fault.after_name(&ty))];
                say(format!("Types {wrong}; write `{ty}` for `{text}`.")).fix(
                    match is_sound(&ty, fault.edition) {
                        true => Fix::safe(title, edits),
                        false => Fix::offered(title, edits),
                    },
                )
            }
            None => say(format!("Types {wrong}, as in `{text}`; write `:any`."))
                .fix(Fix::offered("Write `:any`", vec![fault.replace(":any")])),
        }
    },
};

pub(super) const EMPTY_LIST: SyntaxRule = SyntaxRule {
    kind: ErrorKind::EmptyList,
    rule: signature_rule(
        "empty-list",
        "List without an element type",
        "`[]` has no element type. A list of anything is `[:any]`.",
        "[]",
        "[:any]",
    ),
    describe: |fault| {
        let title = "Write `[:any]`";
        let edits = vec![fault.replace(":any")];
        let list = fault.parent();
        let is_closed = list.is_some_and(|list| {
            let mut parts = list.children_with_tokens();
            parts.any(|it| it.kind() == SyntaxKind::RBracket)
        });
        say("A list of what? Write `[:any]` or the type of its elements.").fix(match is_closed {
            true => fault.fix_missing(title, edits),
            false => Fix::offered(title, edits),
        })
    },
};

pub(super) const LIST_OF_SEVERAL: SyntaxRule = SyntaxRule {
    kind: ErrorKind::ListOfSeveral,
    rule: signature_rule(
        "list-of-several",
        "List with several element types",
        "All elements of a list have the same type. Use a record with named fields for values of different types, \
         or `[:any]`.",
        "[:int, :string]",
        "[:any]",
    ),
    describe: |fault| {
        if fault.text().trim() == "," {
            return say("A list has exactly one element type; remove the comma.")
                .fix(Fix::safe("Remove it", vec![fault.delete_with_space()]));
        }
        let description = say(
            "A list has exactly one element type; name the fields of a record instead, or write `[:any]`.",
        );
        let first = fault
            .parent()
            .and_then(|list| list.children().find(|it| is_type(it.kind())));
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
        "Type in parentheses",
        "Parentheses only hold parameters. Fields are written in braces: `{id :int}`.",
        "() -> (id :int)",
        "() -> {id :int}",
    ),
    describe: |fault| {
        let description =
            say("Parentheses hold parameters only; write a record as `{name :type}`.");
        let Some(edits) = meant::without_parentheses(fault.node) else {
            return description.fix(Fix::offered("Write `:any`", vec![fault.replace(":any")]));
        };
        let ty = meant::edited(fault.node, &edits);
        let title = format!("Write `{ty}`");
        description.fix(match is_sound(&ty, fault.edition) {
            true => Fix::safe(title, edits),
            false => Fix::offered(title, edits),
        })
    },
};

/// `ty` with the names and types in it as they are meant.
fn repaired(mut ty: String, edition: Edition) -> String {
    let root = SyntaxNode::new_root(signature::parse(Fragment::plain(&ty)));
    let fixes = safe_edits(describe_all(&root, edition));
    fixes.iter().rev().for_each(|it| it.apply(&mut ty));
    let problems = parse_signature(&ty, edition).1;
    let unknown = { problems.iter().rev() }.filter(|it| it.kind == ProblemKind::UnknownType);
    for Problem { range, .. } in unknown {
        if let Some(meant) = meant::certain_word(ty[*range].trim_start_matches(':'), edition) {
            TextEdit::replace(*range, meant).apply(&mut ty);
        }
    }
    ty
}

/// Whether `ty` has at most one error, so that it is no worse than the original, whose errors may hide others.
fn is_sound(ty: &str, edition: Edition) -> bool {
    parse_signature(ty, edition).1.len() <= 1
}

pub(super) const OPTIONAL_COMPOUND: SyntaxRule = SyntaxRule {
    kind: ErrorKind::OptionalCompound,
    rule: signature_rule(
        "optional-compound",
        "Optional list or record",
        "The published grammar allows `[:int]?` and `{a :int}?`, but every released parser rejects them, even \
         where the reference itself produces them. `:any?` may be nil.",
        "(ids [:int]?) -> :int",
        "(ids :any?) -> :int",
    ),
    describe: |fault| {
        let description =
            say("No released parser accepts `?` after a list or a record; write `:any?`.");
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
