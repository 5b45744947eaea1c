//! Functions of tools that match atoms as keys.

use crate::{
    host::elixir::head::atom_keys,
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView},
    text::{TextEdit, TextRange, TextSize},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "atom-keys",
    severity: Severity::Warning,
    summary: "A tool's function matches strings as keys",
    explanation: "A tool gets its arguments with strings as keys, at every depth. A clause such as `def search(%{query: query})` \
                  never matches them.",
    wrong: Sample::Elixir(
        "defmodule MyApp do\n  def search(%{query: query}), do: query\n\n  \
         def agent, do: SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => {&search/1, \"(query :string) -> :any\"}})\nend\n",
    ),
    right: Sample::Elixir(
        "defmodule MyApp do\n  def search(%{\"query\" => query}), do: query\n\n  \
         def agent, do: SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => {&search/1, \"(query :string) -> :any\"}})\nend\n",
    ),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let Some((function, parameters)) = unit.head() else {
        return;
    };
    if !unit.scope.is_tool(function) {
        return;
    }
    let keys = atom_keys(&parameters);
    let (Some(first), Some(last)) = (keys.first(), keys.last()) else {
        return;
    };
    let name = name(&parameters, *first);
    let message = format!(
        "`{function}` is a tool, whose arguments have strings as keys; match `\"{name}\" =>` instead of `{name}:`."
    );
    let edits = keys.iter().map(|key| string_key(&parameters, *key));
    let fix = Fix::offered("Match strings as keys", edits.collect());
    found.push(Diagnostic::new(&RULE, first.cover(*last), message).with_fix(fix));
}

fn name(parameters: &str, key: TextRange) -> &str {
    parameters[key].trim_end_matches(':')
}

/// `query: ` becomes `"query" => `.
fn string_key(parameters: &str, key: TextRange) -> TextEdit {
    let name = name(parameters, key);
    let rest = &parameters[usize::from(key.end())..];
    let blanks = rest.len() - rest.trim_start_matches(' ').len();
    let blanks = TextSize::try_from(blanks).unwrap_or_default();
    TextEdit::replace(
        TextRange::new(key.start(), key.end() + blanks),
        format!("\"{name}\" => "),
    )
}
