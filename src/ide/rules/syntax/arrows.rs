//! The frame of a signature: parameters, arrow, output.

use super::unfinished::missing_before_output;
use super::{SyntaxRule, say, signature_rule};
use crate::{
    ide::Fix,
    syntax::{
        error::ErrorKind,
        kind::{SyntaxElement, SyntaxKind, SyntaxNode},
    },
    text::TextEdit,
};

pub(super) const EMPTY_SIGNATURE: SyntaxRule = SyntaxRule {
    kind: ErrorKind::EmptySignature,
    rule: signature_rule(
        "empty-signature",
        "A signature says at least what comes out",
        "An empty string is no signature. Write the type of the output; `:any` if it may be anything.",
        "",
        ":any",
    ),
    describe: |fault| {
        say("An empty signature says nothing; write the type of the output, such as `:any`.")
            .fix(Fix::safe("Write `:any`", vec![fault.replace(":any")]))
    },
};

pub(super) const MISSING_PARAMS: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MissingParams,
    rule: signature_rule(
        "missing-parameters",
        "An arrow needs parameters before it",
        "Without inputs a signature is `() -> type` or just the type. The reference's own renderer prints the arrow \
         alone, and its parser refuses it.",
        "-> {count :int}",
        "() -> {count :int}",
    ),
    describe: |fault| {
        say("Parameters are missing before the arrow; write `() ->`, or only the type.")
            .fix(Fix::safe("Write `() ->`", vec![fault.replace("() ->")]))
            .fix(Fix::offered("Keep only the type", vec![fault.delete()]))
    },
};

pub(super) const MISSING_PARENS: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MissingParens,
    rule: signature_rule(
        "missing-parentheses",
        "Parameters stand in parentheses",
        "What comes before the arrow is a list of named parameters in parentheses.",
        "query :string, limit :int -> [:map]",
        "(query :string, limit :int) -> [:map]",
    ),
    describe: |fault| {
        let message = "Parameters stand in parentheses: write `(name :type) -> …`.";
        if !fault.range().is_empty() {
            let record = fault
                .node
                .first_child()
                .filter(|it| it.kind() == SyntaxKind::RecordType);
            return match record.map(|it| parentheses_for_braces(&it)) {
                Some(Some(edits)) => {
                    say(message).fix(Fix::safe("Write parentheses for the braces", edits))
                }
                Some(None) => say(message),
                None => say(message).fix(Fix::offered(
                    "Name the parameter",
                    vec![fault.replace(format!("(input {})", fault.text()))],
                )),
            };
        }
        let Some(list) = fault.parent() else {
            return say(message);
        };
        let mut edits = vec![TextEdit::insert(fault.range().start(), "(")];
        let is_closed = list
            .last_child_or_token()
            .is_some_and(|last| last.kind() == SyntaxKind::RParen);
        if !is_closed {
            edits.push(TextEdit::insert(list.text_range().end(), ")"));
        }
        say(message).fix(Fix::safe("Add the parentheses", edits))
    },
};

/// The edits that make parameters of a record; `None` where its brackets are no pair.
fn parentheses_for_braces(record: &SyntaxNode) -> Option<Vec<TextEdit>> {
    let brace = |it: Option<SyntaxElement>, kind| it?.into_token().filter(|it| it.kind() == kind);
    let open = brace(record.first_child_or_token(), SyntaxKind::LBrace)?;
    let close = brace(record.last_child_or_token(), SyntaxKind::RBrace)?;
    Some(vec![
        TextEdit::replace(open.text_range(), "("),
        TextEdit::replace(close.text_range(), ")"),
    ])
}

pub(super) const MISSING_ARROW: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MissingArrow,
    rule: signature_rule(
        "missing-arrow",
        "An arrow stands between the parameters and the output",
        "Write `->` behind the parameters.",
        "(query :string) [:map]",
        "(query :string) -> [:map]",
    ),
    describe: |fault| {
        say("The arrow is missing; write `->` between the parameters and the output.")
            .fix(Fix::safe("Add `->`", vec![fault.replace(" ->")]))
    },
};

pub(super) const WRONG_ARROW: SyntaxRule = SyntaxRule {
    kind: ErrorKind::WrongArrow,
    rule: signature_rule(
        "wrong-arrow",
        "The arrow is `->`",
        "Neither `=>` nor `→` nor a broken arrow is read as one.",
        "(query :string) => [:map]",
        "(query :string) -> [:map]",
    ),
    describe: |fault| {
        let doubled = fault
            .token_before()
            .is_some_and(|it| it.kind() == SyntaxKind::Arrow)
            || fault
                .node
                .prev_sibling_or_token()
                .and_then(|it| it.prev_sibling_or_token())
                .is_some_and(|it| it.kind() == SyntaxKind::Arrow);
        if doubled {
            return say("One arrow is enough; remove this one.").fix(Fix::safe(
                "Remove the second arrow",
                vec![fault.delete_with_space()],
            ));
        }
        say(format!("`{}` is not the arrow; write `->`.", fault.text()))
            .fix(Fix::safe("Write `->`", vec![fault.replace("->")]))
    },
};

pub(super) const MISSING_OUTPUT: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MissingOutput,
    rule: signature_rule(
        "missing-output",
        "Parameters need an output",
        "A signature with parameters goes on with an arrow and the type of what is returned; `:any` if it may be anything.",
        "(query :string)",
        "(query :string) -> :any",
    ),
    describe: |fault| {
        let before = fault.token_before().map(|token| token.kind());
        let arrow = fault.parent().is_some_and(|it| {
            it.children_with_tokens().any(|child| {
                matches!(
                    child.kind(),
                    SyntaxKind::Arrow
                        | SyntaxKind::Error(ErrorKind::WrongArrow | ErrorKind::MissingParams)
                )
            })
        });
        let space = if before == Some(SyntaxKind::Whitespace) {
            ""
        } else {
            " "
        };
        let insert = if arrow {
            format!("{space}:any")
        } else {
            format!("{space}-> :any")
        };
        let title = format!("Add `{}`", insert.trim_start());
        let mut edits = missing_before_output(fault.node);
        edits.push(fault.replace(insert));
        say("The output is missing; write `-> ` and its type behind the parameters, such as `-> :any`.")
            .fix(Fix::safe(title, edits))
    },
};

pub(super) const NAMED_SIGNATURE: SyntaxRule = SyntaxRule {
    kind: ErrorKind::NamedSignature,
    rule: signature_rule(
        "named-signature",
        "A signature has no name",
        "Listings show a tool as `name(parameters) -> type`. Its signature begins with the parenthesis; the name is the \
         key under which the tool is given.",
        "search(query :string) -> [:map]",
        "(query :string) -> [:map]",
    ),
    describe: |fault| {
        let space = fault
            .node
            .next_sibling_or_token()
            .filter(|it| it.kind() == SyntaxKind::Whitespace);
        let range = space.map_or(fault.range(), |space| {
            fault.range().cover(space.text_range())
        });
        say(format!(
            "A signature has no name; remove `{}`.",
            fault.text()
        ))
        .fix(Fix::safe("Remove the name", vec![TextEdit::delete(range)]))
    },
};

pub(super) const TRAILING_TEXT: SyntaxRule = SyntaxRule {
    kind: ErrorKind::TrailingText,
    rule: signature_rule(
        "trailing-text",
        "Nothing stands behind the output",
        "A signature ends with the type of its output.",
        "() -> :int or more",
        "() -> :int",
    ),
    describe: |fault| {
        say("The signature ends before this; remove it.")
            .fix(Fix::offered("Remove it", vec![fault.delete_with_space()]))
    },
};

pub(super) const SECOND_ARROW: SyntaxRule = SyntaxRule {
    kind: ErrorKind::SecondArrow,
    rule: signature_rule(
        "second-arrow",
        "A signature has one arrow",
        "Functions that return functions cannot be said. A tool that returns one returns `:any`.",
        "(a :int) -> :int -> :int",
        "(a :int) -> :int",
    ),
    describe: |fault| {
        say("A signature has one arrow; remove the second one and what follows it.")
            .fix(Fix::offered("Remove it", vec![fault.delete_with_space()]))
    },
};
