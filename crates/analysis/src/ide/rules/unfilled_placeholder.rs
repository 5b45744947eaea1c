//! `{{text}}` in the prompt of a run without a signature, whose context, a map or a step, lacks it.

mod kinds;
mod query;
mod response;

use crate::{
    contract::{Entry, ValueKind},
    ide::{
        Diagnostic, Fix, Rule, Sample, Severity,
        diagnostic::{Elsewhere, Outside},
        rules::{Check, MAX_FINDINGS, values::name_range},
        unit::UnitView,
    },
    model::{
        Edition, Type, TypeKind,
        spelling::{is_slip, nearest},
    },
};
use signature_ls_source::{
    host::{Notation, flow::Written},
    syntax::{
        kind::SyntaxNode,
        template::ast::{Tag, tags},
    },
    text::{TextEdit, TextRange},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

/// The maximum number of names of a prompt elsewhere that are reported at one run: thousands of runs may have the same
/// prompt.
const MOST_ELSEWHERE: usize = 16;

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
    elsewhere(unit, found);
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

/// A name that a prompt may take.
struct Given {
    name: String,
    /// The names in its value, if all of them are known.
    inside: Option<Vec<Given>>,
}

impl Given {
    /// A name whose value is not known.
    fn unknown(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            inside: None,
        }
    }

    /// The entries of a map; `None` if there may be more.
    fn of_map(entries: &[Entry]) -> Option<Vec<Self>> {
        let given = entries.iter().map(|it| {
            Some(Self {
                name: it.key.name.as_deref()?.to_owned(),
                inside: match &it.value.kind {
                    ValueKind::Map(entries) => Self::of_map(entries),
                    _ => None,
                },
            })
        });
        given.collect()
    }

    /// The fields of a record; `None` if there may be more.
    fn of_record(ty: &Type) -> Option<Vec<Self>> {
        let TypeKind::Record(fields) = &ty.kind else {
            return None;
        };
        let given = fields.iter().map(|it| Self {
            name: it.name.clone(),
            inside: Self::of_record(&it.ty),
        });
        (!fields.is_empty()).then(|| given.collect())
    }
}

/// A name in a prompt without a value.
struct Unfilled<'g> {
    name: String,
    /// Its place in the prompt.
    range: TextRange,
    /// The name before it, in whose value it is looked up.
    parent: Option<String>,
    /// The most similar name with a value.
    near: Option<&'g str>,
}

impl Unfilled<'_> {
    /// The diagnostic at `range`, the name unless that cannot be told, where `source` gives the values.
    fn diagnose(&self, source: &str, range: TextRange) -> Diagnostic {
        let name = &self.name;
        let source = match &self.parent {
            Some(parent) => format!("`{parent}` in the {source}"),
            None => format!("The {source}"),
        };
        let Some(near) = self.near else {
            let written = format!("{{{{{}}}}}", self.path());
            let message =
                format!("{source} has no `{name}`; add it, or the model sees `{written}`.");
            return Diagnostic::new(&RULE, range, message);
        };
        let message = format!("{source} has no `{name}`; did you mean `{near}`?");
        let diagnostic = Diagnostic::new(&RULE, range, message);
        if range.len() != self.range.len() {
            return diagnostic;
        }
        let edits = vec![TextEdit::replace(range, near)];
        diagnostic.with_fix(Fix::offered(format!("Write `{near}`"), edits))
    }

    fn path(&self) -> String {
        let parent = self.parent.iter().map(|it| format!("{it}."));
        parent.chain([self.name.clone()]).collect()
    }
}

/// The first names in the placeholders below `root` that are not among those `given`, at most so many.
fn unfilled<'g>(
    edition: Edition,
    root: &SyntaxNode,
    given: &'g [Given],
    most: usize,
) -> Vec<Unfilled<'g>> {
    let paths = tags(root).filter_map(|tag| match tag {
        Tag::Placeholder(it) => it.path().filter(|it| !it.has_hole()),
        // Without a value, a section is omitted, as intended.
        _ => None,
    });
    let unfilled = paths.filter_map(|path| {
        let (mut given, mut parent) = (given, None);
        for segment in path.segments() {
            let name = segment.text();
            let normal = edition.normal_name(name);
            let found = given
                .iter()
                .find(|it| edition.is_normal_name(&normal, &it.name));
            let Some(found) = found else {
                return Some(Unfilled {
                    name: name.to_owned(),
                    range: segment.text_range(),
                    parent,
                    near: nearest(name, given.iter().map(|it| it.name.as_str())),
                });
            };
            given = found.inside.as_deref()?;
            parent = Some(name.to_owned());
        }
        None
    });
    unfilled.take(most).collect()
}

/// Compares the context of a run, or the step of `then`, with the prompt of its agent, which is elsewhere and has no signature.
fn elsewhere(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let agent = unit.flow().agent.as_ref();
    let source = agent.and_then(|it| Some((it.source, unit.flow().sources.get(it.source)?)));
    let Some((index, source)) = source else {
        return;
    };
    let Written::Prompt(text) = &source.written else {
        return;
    };
    let has_own = unit.prompts().next().is_some()
        || unit.argument("prompt").is_some()
        || unit.argument("signature").is_some();
    let step = unit.flow().context.as_ref();
    let context = unit.argument_value("context");
    let entries = match context.as_ref().map(|it| &it.kind) {
        Some(ValueKind::Map(entries)) if step.is_none() => Some(&entries[..]),
        _ => None,
    };
    let names = match step {
        Some(step) => unit.type_of(step).and_then(Given::of_record),
        None => entries.and_then(Given::of_map),
    };
    let place = step.map_or(context.as_ref().map(|it| it.range), |it| Some(it.range));
    let (Some(names), Some(place), false) = (names, place, has_own) else {
        return;
    };
    let root = SyntaxNode::new_root(text.template().clone());
    for unfilled in unfilled(unit.edition, &root, &names, MOST_ELSEWHERE) {
        let (name, range) = (&unfilled.name, unfilled.range);
        let entries = match (&unfilled.parent, entries) {
            (Some(parent), Some(entries)) => match inside(entries, parent, unit.edition) {
                Some(entries) => entries,
                None => continue,
            },
            (_, entries) => entries.unwrap_or_default(),
        };
        let is_near = |it: &&Entry| it.key.name.as_deref().is_some_and(|it| is_slip(it, name));
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
                let path = unfilled.path();
                let instead = match (step, unfilled.near) {
                    (None, _) => "add it".to_owned(),
                    (Some(_), None) => "return it in the step".to_owned(),
                    (Some(_), Some(near)) => format!("write `{near}`, which the step returns"),
                };
                let message = format!(
                    "The prompt of the agent needs `{path}`; {instead}, or the model sees `{{{{{path}}}}}`."
                );
                Diagnostic::new(&RULE, place, message)
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

/// The entries of the map under `key`.
fn inside<'e>(entries: &'e [Entry], key: &str, edition: Edition) -> Option<&'e [Entry]> {
    let is_meant = |it: &&Entry| {
        let name = it.key.name.as_deref();
        name.is_some_and(|it| edition.is_same_name(it, key))
    };
    match &entries.iter().find(is_meant)?.value.kind {
        ValueKind::Map(entries) => Some(entries),
        _ => None,
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
