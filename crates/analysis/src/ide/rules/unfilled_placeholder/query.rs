//! `(tool/llm-query {:prompt "Is {{text}} new?" :item x})`: the other arguments are the values of the prompt.

use super::names::{Given, unfilled};
use crate::{
    contract::{Value, ValueKind},
    ide::{
        Diagnostic, Fix, Severity,
        rules::{MAX_FINDINGS, unused_parameter},
        unit::UnitView,
    },
    model::lower_text,
};
use signature_ls_source::{
    host::{
        HAS_SMALL_STEPS,
        lisp::{Arguments, NamedArgument, ToolCall},
    },
    syntax::{fragment::Fragment, kind::SyntaxNode, template},
    text::{TextEdit, TextRange, TextSize},
};

/// The library's tool, in normal form.
const QUERY: &str = "llm_query";

/// The arguments that are no values of the prompt.
const CONTROLS: [&str; 4] = ["prompt", "signature", "llm", "response_template"];

/// Checks the queries of a program.
pub(super) fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let is_query = |it: &ToolCall| unit.edition.is_normal_name(QUERY, &it.name);
    if HAS_SMALL_STEPS && !unit.has_call(&is_query) {
        return;
    }
    for call in unit.program().calls.iter().filter(|it| is_query(it)) {
        if unit.tools.names_one(&call.name) || found.len() >= MAX_FINDINGS {
            return;
        }
        found.extend(of_call(unit, call).into_iter().flatten());
    }
}

fn of_call(unit: &UnitView<'_>, call: &ToolCall) -> Option<Vec<Diagnostic>> {
    let (Arguments::Pairs(arguments)
    | Arguments::Map {
        entries: arguments,
        is_complete: true,
        ..
    }) = &call.arguments
    else {
        return None;
    };
    let normal = |it: &NamedArgument| unit.edition.normal_name(&it.name);
    let argument = |name: &str| arguments.iter().find(|it| normal(it) == name);
    let takes_params = argument("signature").and_then(|it| takes_params(unit, it));
    if let Some(found) = takes_params {
        return Some(vec![found]);
    }
    // In code, a prompt beside a signature is a unit of its own.
    if unit.program_literal().is_none() && argument("signature").is_some() {
        return None;
    }
    let prompt = unit.program_value(argument("prompt")?.value?)?;
    let ValueKind::String(text) = &prompt.kind else {
        return None;
    };
    let given = arguments
        .iter()
        .filter(|it| !CONTROLS.contains(&&*normal(it)));
    let given: Vec<_> = given.map(|it| Given::unknown(&it.name)).collect();
    let root = SyntaxNode::new_root(template::parse(Fragment::plain(text)));
    let unfilled = unfilled(unit.edition, &root, &given, MAX_FINDINGS);
    let diagnostics = unfilled.into_iter().map(|it| {
        let place = place(&prompt, text, it.range);
        it.diagnose("query", place)
    });
    Some(diagnostics.collect())
}

/// The diagnostic about parameters in the signature of a query: its prompt is filled before, so that it uses none.
fn takes_params(unit: &UnitView<'_>, argument: &NamedArgument) -> Option<Diagnostic> {
    let value = unit.program_value(argument.value?)?;
    let ValueKind::String(text) = &value.kind else {
        return None;
    };
    let lowered = lower_text(text, unit.edition);
    if lowered.signature.params.is_empty() || !lowered.problems.is_empty() {
        return None;
    }
    let message = format!(
        "The prompt of a query is filled before it is compared with the signature; write only `{}`.",
        lowered.signature.output
    );
    let range = value.range;
    let mut found = Diagnostic::new(&unused_parameter::RULE, range, message);
    found.severity = Severity::Error;
    let is_plain = range.len() == TextSize::of(&**text) + TextSize::of("\"\"");
    if is_plain {
        let params = TextRange::up_to(lowered.signature.output.range.start());
        let edits = vec![TextEdit::delete(params + range.start() + TextSize::of('"'))];
        let fix = Fix::offered("Remove the parameters".to_owned(), edits);
        found = found.with_fix(fix);
    }
    Some(found)
}

/// The place of `range` of the `text` of `prompt`: the whole prompt, where it has escapes.
fn place(prompt: &Value, text: &str, range: TextRange) -> TextRange {
    let quote = TextSize::of('"');
    match prompt.range.len() == TextSize::of(text) + quote + quote {
        true => range + prompt.range.start() + quote,
        false => prompt.range,
    }
}

#[cfg(test)]
mod tests {
    use crate::{ide::testing::found_in, model::Edition};
    use signature_ls_source::host::HostKind;

    fn found(kind: HostKind, code: &str) -> Vec<String> {
        found_in(kind, code, Edition::V0_11)
    }

    #[test]
    fn a_query_gives_its_prompt_the_other_arguments() {
        let nothing: &[&str] = &[];
        let unfilled: &[&str] = &["unfilled-placeholder: tetx"];
        for (call, expected) in [
            (
                r#"(tool/llm-query {:prompt "Is {{tetx}}?" :text 1})"#,
                unfilled,
            ),
            (
                r#"(tool/llm_query :prompt "Is {{tetx}}?" :text 1)"#,
                unfilled,
            ),
            (
                r#"(tool/llm-query {:prompt "Is {{tetx}}?" :llm x})"#,
                unfilled,
            ),
            (
                r#"(tool/llm-query {:prompt "{{text}} {{item-no}}" :text 1 :item_no 2})"#,
                nothing,
            ),
            (
                r#"(tool/llm-query {:prompt "{{text.name}}{{#tags}}{{.}}{{/tags}}" :text t})"#,
                nothing,
            ),
            (
                r#"(tool/llm-query {:prompt (str "{{tetx}}") :text 1})"#,
                nothing,
            ),
            (r#"(tool/llm-query {:prompt "{{tetx}}" key 1})"#, nothing),
            (r#"(tool/ask {:prompt "{{tetx}}" :text 1})"#, nothing),
        ] {
            assert_eq!(found(HostKind::Lisp, call), expected, "{call}");
            let in_elixir = format!("Lisp.run(~S|{call}|, llm_query: true)\n");
            assert_eq!(found(HostKind::Elixir, &in_elixir), expected, "{in_elixir}");
        }
    }

    #[test]
    fn the_signature_of_a_query_has_no_parameters() {
        for (signature, is_found) in [
            ("(text :string) -> {label :string}", true),
            ("() -> {label :string}", false),
            ("{label :string}", false),
            ("(text :string -> :int", false),
        ] {
            let call = format!(
                "(tool/llm-query {{:prompt \"Is {{{{text}}}}?\" :signature \"{signature}\" :text \"x\"}})"
            );
            for (kind, code) in [
                (HostKind::Lisp, call.clone()),
                (HostKind::Elixir, format!("Lisp.run(~S|{call}|)\n")),
            ] {
                let found = found(kind, &code);
                let expected = format!("unused-parameter: \"{signature}\"");
                assert_eq!(found.contains(&expected), is_found, "{code}: {found:?}");
                assert!(!is_found || found.len() == 1, "{code}: {found:?}");
            }
        }
    }

    #[test]
    fn a_prompt_beside_a_signature_is_checked_once() {
        let call = r#"(tool/llm-query {:prompt "Is {{tetx}}?" :signature "{new :bool}" :text 1})"#;
        assert_eq!(found(HostKind::Lisp, call), ["unknown-placeholder: tetx"]);
        let in_elixir = format!("Lisp.run(~S|{call}|)\n");
        assert_eq!(
            found(HostKind::Elixir, &in_elixir),
            ["unfilled-placeholder: tetx"]
        );
    }

    #[test]
    fn a_name_after_escapes_is_reported_at_the_prompt() {
        let code = r#"Lisp.run("(tool/llm-query {:prompt \"Is {{tetx}}?\" :text 1})")"#;
        assert_eq!(
            found(HostKind::Elixir, code),
            [r#"unfilled-placeholder: \"Is {{tetx}}?\""#]
        );
    }
}
