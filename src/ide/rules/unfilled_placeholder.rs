//! `{{text}}` in the prompt of a run without a signature, whose context, a map or a step, lacks it.

use crate::{
    contract::{Entry, Value, ValueKind},
    host::{
        Notation,
        flow::{Given, Written},
    },
    ide::{
        Diagnostic, Fix, Rule, Sample, Severity,
        diagnostic::{Elsewhere, Outside},
        rules::{Check, MAX_FINDINGS, values::name_range},
        unit::UnitView,
    },
    model::{
        TypeKind,
        spelling::{is_slip, nearest},
    },
    syntax::{
        fragment::Fragment,
        kind::SyntaxNode,
        template::{
            self,
            ast::{Path, Tag, tags},
        },
    },
    text::{TextEdit, TextRange},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "unfilled-placeholder",
    severity: Severity::Warning,
    summary: "Placeholder without a value in a run",
    explanation: "A run without a signature takes the names of its prompt from `context:`. A placeholder whose name is not in that \
                  map, or not in what that step returns, is not replaced, so the model sees `{{text}}`. The prompt may be that \
                  of an agent elsewhere in the file.",
    wrong: Sample::Elixir("SubAgent.run(\"Summarize {{text}}\", context: %{tetx: article})\n"),
    right: Sample::Elixir("SubAgent.run(\"Summarize {{text}}\", context: %{text: article})\n"),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    elsewhere(unit, found);
    let Some(names) = given(unit) else {
        return;
    };
    for prompt in unit.prompts() {
        for (name, range) in unfilled(unit, &prompt.root, &names) {
            let range = range + prompt.start;
            let near = nearest(&name, names.iter().map(String::as_str));
            // Entries without a call may omit others.
            let is_meant = || near.is_some_and(|near| is_slip(&name, near));
            if !unit.is_certain() && !is_meant() {
                continue;
            }
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

/// The first names of the placeholders below `root` that are not among `names`, and their places.
fn unfilled(unit: &UnitView<'_>, root: &SyntaxNode, names: &[String]) -> Vec<(String, TextRange)> {
    let normal = |name: &str| unit.edition.normal_name(name);
    let paths = tags(root).filter_map(|tag| match tag {
        Tag::Placeholder(it) => it.path(),
        // Without a value, a section is omitted, as intended.
        _ => None,
    });
    let named = paths.filter_map(|it| first(&it));
    let unfilled = named.filter(|(name, _)| names.iter().all(|it| normal(it) != normal(name)));
    unfilled.take(MAX_FINDINGS).collect()
}

/// Compares the context of a run with the prompt of its agent, which is elsewhere and has no signature.
fn elsewhere(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let agent = unit.flow().agent.as_ref();
    let source = agent.and_then(|it| Some((it.source, unit.flow().sources.get(it.source)?)));
    let Some((index, source)) = source else {
        return;
    };
    let Written::Prompt {
        text,
        escapes,
        foreign,
    } = &source.written
    else {
        return;
    };
    let has_own = unit.prompts().next().is_some()
        || unit.argument("prompt").is_some()
        || unit.argument("signature").is_some();
    let Some(context) = unit.argument_value("context").filter(|_| !has_own) else {
        return;
    };
    let ValueKind::Map(entries) = &context.kind else {
        return;
    };
    let names: Option<Vec<_>> = entries.iter().map(|it| it.key.name.clone()).collect();
    let Some(names) = names else {
        return;
    };
    let root = SyntaxNode::new_root(template::parse(Fragment {
        text,
        escapes: *escapes,
        foreign,
    }));
    for (name, range) in unfilled(unit, &root, &names) {
        let is_near = |it: &&Entry| it.key.name.as_deref().is_some_and(|it| is_slip(it, &name));
        let mut diagnostic = match entries.iter().find(is_near) {
            Some(entry) => {
                let given = entry.key.name.as_deref().unwrap_or_default();
                let message =
                    format!("The prompt of the agent has no `{given}`; did you mean `{name}`?");
                let edits = vec![TextEdit::replace(name_range(entry, given), name.clone())];
                Diagnostic::new(&RULE, entry.key.range, message)
                    .with_fix(Fix::offered(format!("Write `{name}`"), edits))
            }
            None => {
                let message = format!(
                    "The prompt of the agent needs `{name}`; add it, or the model sees `{{{{{name}}}}}`."
                );
                Diagnostic::new(&RULE, context.range, message)
            }
        };
        diagnostic.elsewhere.push(Elsewhere {
            outside: Outside::Source(index),
            range,
            message: "The prompt names it here.".to_owned(),
        });
        found.push(diagnostic);
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

/// The names in the context of a run without a signature; `None` if there may be more.
fn given(unit: &UnitView<'_>) -> Option<Vec<String>> {
    let is_run = unit.notation() == Notation::Elixir;
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

/// The names in the result of a step; `None` if that is uncertain.
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
            "SubAgent.run(agent, prompt: \"Find\", context: %{usr: 1})",
            "SubAgent.run(agent, prompt: prompt, context: %{usr: 1})",
            "SubAgent.run(agent, signature: signature, context: %{usr: 1})",
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
