//! `{{text}}` in the prompt of a run that has no signature and whose context, a map or a step, lacks it.

use crate::{
    contract::{Value, ValueKind},
    host::{Notation, flow::Given},
    ide::{
        Diagnostic, Fix, Rule, Sample, Severity,
        rules::{Check, MAX_FINDINGS},
        unit::UnitView,
    },
    model::{TypeKind, spelling::nearest},
    syntax::template::ast::{Path, Tag, tags},
    text::{TextEdit, TextRange},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "unfilled-placeholder",
    severity: Severity::Warning,
    summary: "Every placeholder of a run has a value",
    explanation: "A run without a signature takes the names of its prompt from `context:`. A placeholder whose name is not in that \
                  map, or not in what that step returns, is sent as it is, so the model sees `{{text}}`.",
    wrong: Sample::Elixir("SubAgent.run(\"Summarize {{text}}\", context: %{tetx: article})\n"),
    right: Sample::Elixir("SubAgent.run(\"Summarize {{text}}\", context: %{text: article})\n"),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let Some(names) = given(unit) else {
        return;
    };
    let normal = |name: &str| unit.edition.normal_name(name);
    for prompt in unit.prompts() {
        let paths = tags(&prompt.root).filter_map(|tag| match tag {
            Tag::Placeholder(it) => it.path(),
            // Without a value, a section is left out, as it should be.
            _ => None,
        });
        let unfilled = paths.filter(|it| {
            let name = first(it);
            name.is_some_and(|(name, _)| names.iter().all(|it| normal(it) != normal(&name)))
        });
        for path in unfilled.take(MAX_FINDINGS) {
            let Some((name, range)) = first(&path) else {
                continue;
            };
            let range = range + prompt.start;
            let near = nearest(&name, names.iter().map(String::as_str));
            let message = match near {
                Some(near) => format!("The context has no `{name}`; did you mean `{near}`?"),
                None => format!(
                    "The context has no `{name}`; add it, or the model sees `{{{{{name}}}}}`."
                ),
            };
            let mut diagnostic = Diagnostic::new(&RULE, range, message);
            diagnostic.fixes.extend(near.map(|near| {
                let edits = vec![TextEdit::replace(range, near)];
                Fix::offered(format!("Write `{near}`"), edits)
            }));
            found.push(diagnostic);
        }
    }
}

/// The first name of a path that can be read, and its place in the prompt.
fn first(path: &Path) -> Option<(String, TextRange)> {
    if path.has_hole() {
        return None;
    }
    let name = path.segments().next()?;
    Some((name.text().to_owned(), name.text_range()))
}

/// The names in the context of a run that has no signature; `None` where more may be given.
fn given(unit: &UnitView<'_>) -> Option<Vec<String>> {
    let is_run = unit.notation() == Notation::Elixir && unit.is_certain();
    let has_signature = unit.argument("signature").is_some()
        || unit.signatures().next().is_some()
        || unit.flow().agent.is_some();
    if !is_run || has_signature {
        return None;
    }
    if let Some(step) = &unit.flow().context {
        return returned(unit, step);
    }
    let Value {
        kind: ValueKind::Map(entries),
        ..
    } = unit.argument_value("context")?
    else {
        return None;
    };
    entries.into_iter().map(|it| it.key.name).collect()
}

/// The names of what a step returned; `None` where that is not certain.
fn returned(unit: &UnitView<'_>, step: &Given) -> Option<Vec<String>> {
    let TypeKind::Record(fields) = &unit.type_of(step)?.kind else {
        return None;
    };
    let names: Vec<_> = fields.iter().map(|it| it.name.clone()).collect();
    (!names.is_empty()).then_some(names)
}

#[cfg(test)]
mod tests {
    use crate::{host::HostKind, ide::testing::found_in, model::Edition};

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
            "prompt = \"Read {{text}}\"\nSubAgent.run(prompt, context: %{title: t})",
            "{:ok, step} = SubAgent.run(\"Go.\", signature: \"{title :string}\")\nSubAgent.run(\"Read {{text}}\", context: step)",
            "step = SubAgent.run!(\"Go.\", signature: \"{by {title :string}}\")\nSubAgent.run(\"Read {{text}}\", context: step.return[\"by\"])",
        ] {
            assert_eq!(found(code), ["unfilled-placeholder: text"], "{code}");
        }
    }

    #[test]
    fn what_may_be_given_is_no_finding() {
        for code in [
            r#"SubAgent.run("Read {{text}}", context: %{text: 1})"#,
            r#"SubAgent.run("Read {{a_b}} {{user.name}}", context: %{"a-b": 1, user: u})"#,
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
