//! The parts of a signature: parameters, arrow, output.

use super::unfinished::missing_before_output;
use super::{Fault, SyntaxRule, say, signature_rule};
use crate::{
    ide::{Diagnostic, Fix, Severity, unit::UnitView},
    model::Edition,
};
use signature_ls_source::{
    host::Notation,
    syntax::{
        error::{ErrorKind, error_nodes},
        kind::{SyntaxKind, SyntaxNode},
    },
    text::TextEdit,
};

pub(super) const EMPTY_SIGNATURE: SyntaxRule = SyntaxRule {
    kind: ErrorKind::EmptySignature,
    rule: signature_rule(
        "empty-signature",
        "Empty signature",
        "A signature needs an output type. Use `:any` if the output can be anything.",
        "",
        ":any",
    ),
    describe: |fault| {
        say("The signature is empty; write an output type, such as `:any`.")
            .fix(Fix::safe("Write `:any`", vec![fault.replace(":any")]))
    },
};

pub(super) const MISSING_PARAMS: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MissingParams,
    rule: signature_rule(
        "missing-parameters",
        "Arrow without parameters",
        "Without inputs, a signature is `() -> type` or just the type. The reference's own renderer prints the \
         arrow alone, but its parser rejects that. For a tool, only the list of tools that models see accepts it, from \
         release 0.5.0 on.",
        "-> {count :int}",
        "() -> {count :int}",
    ),
    describe: |fault| {
        say("Parameters are missing before the arrow; write `() ->`, or only the type.")
            .fix(Fix::safe("Write `() ->`", vec![fault.replace("() ->")]))
            .fix(Fix::offered("Keep only the type", vec![fault.delete()]))
    },
};

/// Lists of tools read an arrow alone like `() ->`, from release 0.5.0 on.
pub(super) fn accept_arrow_of_tool(faults: &mut [Diagnostic], unit: &UnitView<'_>) {
    // A tool with a prompt is an agent, too.
    let has_prompt = unit.argument("prompt").is_some() || unit.prompts().next().is_some();
    let is_listed = unit.notation() == Notation::Elixir && !has_prompt;
    if !is_listed || unit.edition < Edition::V0_5_0 {
        return;
    }
    let code = MISSING_PARAMS.rule.code;
    for fault in faults.iter_mut().filter(|it| it.rule.code == code) {
        fault.severity = Severity::Warning;
    }
}

pub(super) const MISSING_PARENS: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MissingParens,
    rule: signature_rule(
        "missing-parentheses",
        "Parameters without parentheses",
        "Before the arrow, a signature has a list of named parameters in parentheses.",
        "query :string, limit :int -> [:map]",
        "(query :string, limit :int) -> [:map]",
    ),
    describe: |fault| {
        let message = "Parameters need parentheses: write `(name :type) -> …`.";
        if !fault.range().is_empty() {
            let params = fault.node.first_child();
            if let Some((title, edits)) = params.as_ref().and_then(parentheses_for_brackets) {
                return say(message).fix(Fix::safe(title, edits));
            }
            if params.is_some_and(|it| it.kind() == SyntaxKind::RecordType) {
                return say(message);
            }
            return say(message).fix(Fix::offered(
                "Name the parameter",
                vec![fault.replace(format!("(input {})", fault.text()))],
            ));
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

/// The edits that turn `{…}` or `<…>` into parameters, with their title; `None` if the brackets are not a pair.
fn parentheses_for_brackets(params: &SyntaxNode) -> Option<(&'static str, Vec<TextEdit>)> {
    let open = params.first_child_or_token()?.into_token()?;
    let close = params.last_child_or_token()?.into_token()?;
    let title = match (open.text(), close.text()) {
        ("{", "}") => "Write parentheses for the braces",
        ("<", ">") => "Write parentheses for the angle brackets",
        ("[", "]") if holds_fields(params) => "Write parentheses for the square brackets",
        _ => return None,
    };
    let edits = vec![
        TextEdit::replace(open.text_range(), "("),
        TextEdit::replace(close.text_range(), ")"),
    ];
    Some((title, edits))
}

/// Whether the list has fields without braces in place of a type, as in `[query :string] -> :int`.
fn holds_fields(list: &SyntaxNode) -> bool {
    let first = list.first_child().and_then(|it| it.first_child());
    first.is_some_and(|it| it.kind() == SyntaxKind::Error(ErrorKind::MissingBraces))
}

/// Leaves the brackets around parameters to the error of the parentheses, which replace them.
pub(super) fn leave_brackets_to_params(nodes: &mut Vec<(ErrorKind, SyntaxNode)>) {
    let params = |node: &SyntaxNode| {
        node.first_child()
            .filter(|it| it.kind() == SyntaxKind::ListType)
    };
    let lists: Vec<_> = { nodes.iter() }
        .filter(|(kind, _)| *kind == ErrorKind::MissingParens)
        .filter_map(|(_, node)| params(node))
        .collect();
    nodes.retain(|(kind, node)| {
        let list = node.parent().and_then(|it| it.parent());
        *kind != ErrorKind::MissingBraces || !list.is_some_and(|it| lists.contains(&it))
    });
}

pub(super) const MISSING_ARROW: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MissingArrow,
    rule: signature_rule(
        "missing-arrow",
        "Missing arrow",
        "Write `->` between the parameters and the output.",
        "(query :string) [:map]",
        "(query :string) -> [:map]",
    ),
    describe: |fault| {
        say("The arrow is missing; write `->` between the parameters and the output.")
            .fix(fault.fix_missing("Add `->`", vec![fault.replace(" ->")]))
    },
};

pub(super) const WRONG_ARROW: SyntaxRule = SyntaxRule {
    kind: ErrorKind::WrongArrow,
    rule: signature_rule(
        "wrong-arrow",
        "Wrong arrow",
        "The arrow is `->`. `=>`, `→`, `- >` and words such as `returns` are not arrows.",
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
        say(format!("`{}` is not the arrow; write `->`.", fault.text())).fix(
            match fault.text().contains(['>', '→']) {
                true => Fix::safe("Write `->`", vec![fault.replace("->")]),
                // The word may also be the name of the output.
                false if fault.text().starts_with(char::is_alphabetic) => {
                    Fix::offered("Write `->`", vec![fault.replace("->")])
                }
                false if fault.text() == "," => {
                    fault.fix_missing("Write `->`", vec![fault.replace_with_space(" ->")])
                }
                false => fault.fix_missing("Write `->`", vec![fault.replace("->")]),
            },
        )
    },
};

pub(super) const MISSING_OUTPUT: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MissingOutput,
    rule: signature_rule(
        "missing-output",
        "Missing output type",
        "After the parameters, a signature needs an arrow and an output type. Use `:any` if the output can be \
         anything.",
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
        let message =
            "The output type is missing; write it after the parameters, such as `-> :any`.";
        say(message).fix(match has_arrow_in_parameters(fault) {
            true => Fix::offered(title, edits),
            false => fault.fix_missing(title, edits),
        })
    },
};

/// Whether an arrow is in the parentheses, as in `(a :int -> :map)`: then the output may be there too.
fn has_arrow_in_parameters(fault: &Fault<'_>) -> bool {
    let siblings = fault.parent().into_iter().flat_map(|it| it.children());
    let mut lists = siblings.filter(|it| it.kind() == SyntaxKind::ParamList);
    lists.any(|list| {
        let mut errors = error_nodes(&list).into_iter();
        errors.any(|(kind, node)| {
            matches!(kind, ErrorKind::Unexpected | ErrorKind::SignAfterName)
                && node.text().to_string().contains(['>', '→'])
        })
    })
}

pub(super) const NAMED_SIGNATURE: SyntaxRule = SyntaxRule {
    kind: ErrorKind::NamedSignature,
    rule: signature_rule(
        "named-signature",
        "Signature with a name",
        "Listings show a tool as `name(parameters) -> type`, and code defines it as `def name(parameters)`. The \
         signature begins at the parenthesis; the name is the key of the tool.",
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
        "Text after the output type",
        "A signature ends with its output type.",
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
        "More than one arrow",
        "A signature cannot describe a function that returns a function. Use `:any` for the returned function.",
        "(a :int) -> :int -> :int",
        "(a :int) -> :int",
    ),
    describe: |fault| {
        say("A signature has one arrow; remove the second one and what follows it.")
            .fix(Fix::offered("Remove it", vec![fault.delete_with_space()]))
    },
};

#[cfg(test)]
mod tests {
    use crate::{
        ide::{Document, Settings, Severity},
        model::Edition,
    };
    use signature_ls_source::host::HostKind;

    /// From release 0.5.0 on, the list of tools that a model sees reads an arrow alone.
    #[test]
    fn an_arrow_alone_is_no_error_for_a_tool() {
        for (code, is_tool) in [
            (
                "%PtcRunner.Tool{name: \"get\", signature: \"-> :map\"}\n",
                true,
            ),
            (
                "PtcRunner.Tool.new(\"a\", {fn _ -> 1 end, \"-> :int\"})\n",
                true,
            ),
            (
                "SubAgent.new(prompt: \"Go\", tools: %{\"a\" => {&A.a/1, signature: \"-> :map\"}})\n",
                true,
            ),
            (
                "SubAgent.new(prompt: \"Go\", signature: \"-> :int\")\n",
                false,
            ),
            (
                "LLMTool.new(prompt: \"Go\", signature: \"-> :int\")\n",
                false,
            ),
        ] {
            for edition in [
                Edition::V0_4,
                Edition::V0_5_0,
                Edition::V0_5,
                Edition::V0_11,
            ] {
                let settings = Settings {
                    edition,
                    ..Settings::default()
                };
                let document = Document::new(HostKind::Elixir, code, settings);
                let found = document.diagnostics().into_iter();
                let found = found.filter(|it| it.rule.code == "missing-parameters");
                let found: Vec<_> = found.map(|it| it.severity).collect();
                let expected = match is_tool && edition > Edition::V0_4 {
                    true => Severity::Warning,
                    false => Severity::Error,
                };
                assert_eq!(found, [expected], "{edition} {code}");
            }
        }
    }
}
