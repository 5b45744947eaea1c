//! `{{text}}` in the prompt of a run without a signature, whose context, a map or a step, lacks it.

mod elsewhere;
mod kinds;
mod names;
mod query;
mod response;

use names::{Given, unfilled};

use crate::{
    contract::{Entry, ValueKind},
    ide::{
        Diagnostic, Rule, Sample, Severity,
        rules::{Check, MAX_FINDINGS},
        unit::UnitView,
    },
    model::spelling::is_slip,
};
use signature_ls_source::host::Notation;

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "unfilled-placeholder",
    severity: Severity::Warning,
    summary: "Placeholder without a value in a run",
    explanation: "A run without a signature takes the names of its prompt from `context:`. A placeholder whose name is not in the \
                  map, or not in the result if `context:` is a step, is not replaced, so the model sees `{{text}}`. If a value \
                  in the map is no text for its placeholder, the whole prompt is sent unfilled. The prompt \
                  may be that of an agent elsewhere in the file, also one that `then` runs. The prompt of \
                  `(tool/llm-query {…})` takes its names from the other \
                  arguments. A `response_template` takes them from the fields of the model's answer; the call fails if one of \
                  its placeholders has no value, or a list, a record or a map.",
    wrong: Sample::elixir("SubAgent.run(\"Summarize {{text}}\", context: %{tetx: article})\n"),
    right: Sample::elixir("SubAgent.run(\"Summarize {{text}}\", context: %{text: article})\n"),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    elsewhere::check(unit, found);
    query::check(unit, found);
    response::check(unit, found);
    let Some(names) = given(unit) else {
        return;
    };
    let context = context(unit);
    for prompt in unit.prompts() {
        for unfilled in unfilled(unit.edition, &prompt.root, &names, MAX_FINDINGS) {
            // Entries without a call may omit others.
            let is_meant = || unfilled.near.is_some_and(|it| is_slip(&unfilled.name, it));
            if unit.is_certain() || is_meant() {
                let range = unfilled.range + prompt.start;
                found.push(unfilled.diagnose("context", range));
            }
        }
        if let (true, Some(entries)) = (unit.is_certain(), &context) {
            found.extend(kinds::check(unit, &prompt, entries));
        }
    }
}

/// The names in the context of a run without a signature; `None` if there may be more.
fn given(unit: &UnitView<'_>) -> Option<Vec<Given>> {
    let is_run = unit.notation() == Notation::Elixir;
    let has_signature = unit.argument("signature").is_some()
        || unit.signatures().next().is_some()
        || unit.flow().agent.is_some();
    if !is_run || has_signature {
        return None;
    }
    if let Some(step) = &unit.flow().context {
        return Given::of_record(unit.type_of(step)?);
    }
    Given::of_map(context(unit)?)
}

/// The entries of the context, if it is a map.
fn context<'a>(unit: &UnitView<'a>) -> Option<&'a [Entry]> {
    match unit.argument_kind("context")? {
        ValueKind::Map(entries) => Some(entries),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::{ide::testing::found_in, model::Edition};
    use signature_ls_source::host::HostKind;

    fn found(code: &str) -> Vec<String> {
        found_in(HostKind::Elixir, code, Edition::V0_11)
    }

    #[test]
    fn placeholders_that_the_context_lacks_are_found() {
        for code in [
            r#"SubAgent.run("Read {{text}}", context: %{tetx: 1}, llm: llm)"#,
            r#"SubAgent.run("Read {{text}}", context: %{})"#,
            r#"SubAgent.run!("Read {{ text }}", llm: llm, context: %{"other" => 1})"#,
            r#""Read {{text}}" |> SubAgent.run(context: %{title: t})"#,
            r#"SubAgent.run("{{#tags}}{{x}}{{/tags}}{{text.name}}", context: %{})"#,
            r#"SubAgent.run("{{user.text}}", context: %{user: %{tetx: 1}})"#,
            r#"SubAgent.run("{{a.b.text}}", context: %{"a" => %{b: %{}}})"#,
            "prompt = \"Read {{text}}\"\nSubAgent.run(prompt, context: %{title: t})",
            "step = SubAgent.run!(\"Go.\", signature: \"{by {title :string}}\")\nSubAgent.run(\"{{by.text}}\", context: step)",
            "{:ok, step} = SubAgent.run(\"Go.\", signature: \"{title :string}\")\nSubAgent.run(\"Read {{text}}\", context: step)",
            "step = SubAgent.run!(\"Go.\", signature: \"{by {title :string}}\")\nSubAgent.run(\"Read {{text}}\", context: step.return[\"by\"])",
        ] {
            assert_eq!(found(code), ["unfilled-placeholder: text"], "{code}");
        }
    }

    #[test]
    fn the_fields_of_an_answer_fill_a_response_template() {
        let tool = |signature: &str, template: &str| {
            format!(
                "LLMTool.new(prompt: \"Is {{{{a}}}} new?\", {signature}, response_template: {template})"
            )
        };
        let own = "signature: \"(a :string) -> {new :bool, by {name :string}}\"";
        let json = "signature: \"(a :string) -> :keyword\", json_signature: \"(a :string) -> {new :bool}\"";
        for (signature, template, expected) in [
            (own, "\"(if {{nwe}} :a :b)\"", "nwe"),
            (own, "\"{{by.nmae}}\"", "nmae"),
            (own, "\"\"\"\n  (if {{new}} {{a}} :b)\n  \"\"\"", "a"),
            (json, "\"(if {{nwe}} :a :b)\"", "nwe"),
            (json, "\"{{by.name}}\"", "by"),
        ] {
            let code = tool(signature, template);
            let expected = [format!("unfilled-placeholder: {expected}")];
            assert_eq!(found(&code), expected, "{code}");
        }
        let nothing: [&str; 0] = [];
        for (signature, template) in [
            (own, "\"(if {{new}} {{by.name}} {{#other}}1{{/other}})\""),
            (own, "template"),
            (json, "\"(if {{new}} :a :b)\""),
            (json, "\"a \\\"{{x}}\\\"\""),
            ("signature: \"(a :string) -> :map\"", "\"{{x}}\""),
            ("signature: signature", "\"{{x}}\""),
            (
                "signature: \"(a :string) -> {b :int}\", json_signature: json",
                "\"{{x}}\"",
            ),
        ] {
            let code = tool(signature, template);
            assert_eq!(found(&code), nothing, "{code}");
        }
    }

    #[test]
    fn the_prompt_of_an_agent_with_a_name_is_compared_with_the_context_of_its_runs() {
        for (run, expected) in [
            ("SubAgent.run(agent, context: %{usr: 1, place: 2})", "usr"),
            (
                "SubAgent.preview_prompt(agent, context: %{usr: 1, place: 2})",
                "usr",
            ),
            (
                "agent |> SubAgent.run!(context: %{\"plcae\" => 1, user: u})",
                "plcae",
            ),
            ("SubAgent.run(agent, context: %{user: u})", "%{user: u}"),
            (
                "SubAgent.run(agent, prompt: \"Find\", context: %{user: u})",
                "%{user: u}",
            ),
        ] {
            let code = format!(
                "agent = SubAgent.new(prompt: \"Find {{{{user}}}} in {{{{place}}}}\")\n{run}"
            );
            assert_eq!(
                found(&code),
                [format!("unfilled-placeholder: {expected}")],
                "{code}"
            );
        }
        for run in [
            "SubAgent.run(agent, context: %{user: 1, place: 2, more: 3})",
            "SubAgent.run(agent, context: %{user: 1, place: 2, usr: 3})",
            "SubAgent.run(agent, context: context)",
            "SubAgent.run(agent, context: %{key => 1})",
            "SubAgent.run(agent, llm: llm)",
            "SubAgent.run!(agent, context: %{user: 1, place: 2}).return[\"any\"]",
        ] {
            let code = format!(
                "agent = SubAgent.new(prompt: \"Find {{{{user}}}} in {{{{place}}}}\")\n{run}"
            );
            let nothing: [&str; 0] = [];
            assert_eq!(found(&code), nothing, "{code}");
        }
    }

    #[test]
    fn a_step_fills_the_prompt_of_an_agent_with_a_name() {
        for run in [
            "{:ok, step} = SubAgent.run(finder, llm: llm)\nSubAgent.run(agent, llm: llm, context: step)",
            "{:ok, step} = SubAgent.run(finder, llm: llm)\nSubAgent.then!(step, agent, llm: llm)",
            "SubAgent.run(finder, llm: llm) |> SubAgent.then(agent, llm: llm)",
            "SubAgent.run!(finder, llm: llm) |> SubAgent.then!(agent, llm: llm)",
        ] {
            for (prompt, expected) in [
                ("{{order_idd}}", 1),
                ("{{order.nmae}} {{order_id}}", 1),
                ("{{order_id}} {{order-id}} {{order.name}} {{#x}}{{/x}}", 0),
            ] {
                let code = format!(
                    "finder = SubAgent.new(prompt: \"Find.\", signature: \"{{order_id :int, order {{name :string}}}}\")\nagent = SubAgent.new(prompt: \"Read {prompt}\")\n{run}"
                );
                let found = found(&code);
                assert_eq!(found.len(), expected, "{code}: {found:?}");
                assert!(
                    found
                        .iter()
                        .all(|it| it.starts_with("unfilled-placeholder")),
                    "{found:?}"
                );
            }
        }
    }

    #[test]
    fn only_slips_count_where_no_call_is_around() {
        let slip = "[prompt: \"Read {{text}}\", context: %{tetx: 1}]";
        assert_eq!(found(slip), ["unfilled-placeholder: text"]);
        let nothing: [&str; 0] = [];
        assert_eq!(
            found("[prompt: \"Read {{text}}\", context: %{title: 1}]"),
            nothing
        );
    }

    #[test]
    fn what_may_be_given_is_no_finding() {
        for code in [
            r#"SubAgent.run("Read {{text}}", context: %{text: 1})"#,
            r#"SubAgent.run("Read {{a_b}} {{user.name}}", context: %{"a-b": 1, user: u})"#,
            r#"SubAgent.run("{{user.text}}", context: %{user: %{"text" => 1}})"#,
            r#"SubAgent.run("{{user.text}}", context: %{user: %User{name: 1}})"#,
            r#"SubAgent.run("{{user.text}}", context: %{user: %{base | name: 1}})"#,
            r#"SubAgent.run("{{user.text}}", context: %{user: %{key => 1}})"#,
            r#"SubAgent.run("{{user.text}}", context: %{user: [name: 1]})"#,
            r#"SubAgent.run("Read {{text}}", context: context)"#,
            r#"SubAgent.run("Read {{text}}", context: %{key => 1})"#,
            r#"SubAgent.run("Read {{text}}", context: %{base | title: 1})"#,
            r#"SubAgent.run("Read {{text}}", context: Map.put(%{a: 1}, :text, 2))"#,
            r#"SubAgent.run("Read {{text}}", llm: llm)"#,
            r#"SubAgent.run("Read {{text}}", signature: signature, context: %{a: 1})"#,
            r##"SubAgent.run("Read {{#{name}}}", context: %{a: 1})"##,
            r#"SubAgent.run("{{#tags}}{{.}}{{/tags}}", context: %{a: 1})"#,
            r#"Other.run("Read {{text}}", context: %{a: 1})"#,
            "{:ok, step} = SubAgent.run(\"Go.\", signature: \"{text :string}\")\nSubAgent.run(\"Read {{text}}\", context: step)",
            "{:ok, step} = SubAgent.run(\"Go.\", signature: \":map\")\nSubAgent.run(\"Read {{text}}\", context: step)",
            "{:ok, step} = SubAgent.run(\"Go.\")\nSubAgent.run(\"Read {{text}}\", context: step)",
        ] {
            let nothing: [&str; 0] = [];
            assert_eq!(found(code), nothing, "{code}");
        }
    }
}
