//! Functions of tools that match atoms as keys.

use crate::{
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView},
    model::Edition,
};
use signature_ls_source::{
    host::elixir::tools::{Form, Tool},
    text::{TextEdit, TextRange, TextSize, size},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "atom-keys",
    severity: Severity::Warning,
    summary: "Tool function matches atom keys",
    explanation: "A tool receives its arguments with string keys, at every depth. A clause such as `def \
                  search(%{query: query})` never matches them. A function that matches strings in another clause is not \
                  reported. This applies from release 0.5.2; earlier releases \
                  pass atoms.",
    wrong: Sample::elixir(
        "defmodule MyApp do\n  def search(%{query: query}), do: query\n\n  \
         def agent, do: SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => {&search/1, \"(query :string) -> :any\"}})\nend\n",
    ),
    right: Sample::elixir(
        "defmodule MyApp do\n  def search(%{\"query\" => query}), do: query\n\n  \
         def agent, do: SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => {&search/1, \"(query :string) -> :any\"}})\nend\n",
    ),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    // Programs of this edition pass atoms.
    if unit.edition < Edition::V0_5 {
        return;
    }
    found.extend(of_clause(unit));
    for tool in unit.tools_registered().unwrap_or_default() {
        found.extend(of_fn(unit, tool));
        found.extend(of_named_fn(tool));
        found.extend(of_other_file(unit, tool));
    }
}

/// Checks the clause of a named function in this document.
fn of_clause(unit: &UnitView<'_>) -> Option<Diagnostic> {
    let head = unit.function_head()?;
    let function = &head.name;
    if !unit.scope.is_tool_without_strings(function) {
        return None;
    }
    let parameters = unit.code(TextRange::up_to(unit.len()));
    let key = name(&parameters[*head.keys.first()?]);
    let message = format!(
        "`{function}` is a tool, whose arguments have string keys; match `\"{key}\" =>` instead of `{key}:`."
    );
    diagnose(&head.keys, &parameters, TextSize::default(), message)
}

/// Checks a function that is defined at the registration of the tool.
fn of_fn(unit: &UnitView<'_>, tool: &Tool) -> Option<Diagnostic> {
    let code = unit.code(tool.range);
    let keys: Vec<_> = tool
        .details
        .atoms
        .iter()
        .map(|key| *key - tool.range.start())
        .collect();
    let key = name(&code[*keys.first()?]);
    let message =
        format!("A tool's arguments have string keys; match `\"{key}\" =>` instead of `{key}:`.");
    diagnose(&keys, &code, tool.range.start(), message)
}

/// Checks a function that is bound to a name, whose clause can only be fixed there.
fn of_named_fn(tool: &Tool) -> Option<Diagnostic> {
    let (function, key) = (
        tool.details.function.as_ref()?,
        tool.details.named_atom.as_ref()?,
    );
    let message = format!(
        "`{}` matches `{key}:`, but a tool's arguments have string keys; match `\"{key}\" =>` there.",
        function.name
    );
    Some(Diagnostic::new(&RULE, tool.range, message))
}

/// Checks a function of another file, whose clause can only be fixed there.
fn of_other_file(unit: &UnitView<'_>, tool: &Tool) -> Option<Diagnostic> {
    let (Form::Function(Some(capture)) | Form::Described(Some(capture))) = &tool.form else {
        return None;
    };
    let resolved = unit.scope.resolve(capture).filter(|it| !it.is_own)?;
    let has_strings = resolved.function.matches_strings;
    let key = resolved.function.atom_key.as_ref();
    let key = key.filter(|_| !has_strings)?;
    let (module, function) = (&resolved.module.name, &capture.name);
    let message = format!(
        "`{module}.{function}` matches `{key}:`, but a tool's arguments have string keys; match `\"{key}\" =>` there."
    );
    Some(Diagnostic::new(&RULE, tool.range, message))
}

/// The diagnostic about `keys` of `code`, which is at `start`.
fn diagnose(
    keys: &[TextRange],
    code: &str,
    start: TextSize,
    message: String,
) -> Option<Diagnostic> {
    let range = keys.first()?.cover(*keys.last()?);
    let edits = keys.iter().map(|key| {
        let edit = string_key(code, *key);
        TextEdit::replace(edit.range + start, edit.insert)
    });
    let fix = Fix::offered("Match string keys", edits.collect());
    Some(Diagnostic::new(&RULE, range + start, message).with_fix(fix))
}

fn name(key: &str) -> &str {
    key.trim_end_matches(':')
}

/// Changes `query: ` to `"query" => `.
fn string_key(code: &str, key: TextRange) -> TextEdit {
    let name = name(&code[key]);
    let rest = &code[usize::from(key.end())..];
    let blanks = rest.len() - rest.trim_start_matches(' ').len();
    TextEdit::replace(
        TextRange::new(key.start(), key.end() + size(blanks)),
        format!("\"{name}\" => "),
    )
}

#[cfg(test)]
mod tests {
    use crate::{ide::testing::found_in, model::Edition};
    use signature_ls_source::host::HostKind;

    /// However the function of a tool is given.
    #[test]
    fn atom_keys_are_found_in_every_form_of_a_function() {
        let function = "fn %{q: q} -> q end";
        let run = format!(
            "SubAgent.new(prompt: \"x\", tools: %{{\"s\" => {{{function}, \"(q :string) -> :any\"}}}})\n"
        );
        for (text, expected) in [
            (run.clone(), "atom-keys: q:"),
            (
                run.replace(
                    &format!("{{{function}, \"(q :string) -> :any\"}}"),
                    function,
                ),
                "atom-keys: q:",
            ),
            (
                format!("run = {function}\n{}", run.replace(function, "run")),
                "atom-keys: run",
            ),
            (
                format!(
                    "run = {function}\nSubAgent.new(prompt: \"x\", tools: %{{\"s\" => run}})\n"
                ),
                "atom-keys: run",
            ),
            (
                format!(
                    "defmodule A do\n  @run {function}\n  def a, do: {}end\n",
                    run.replace(function, "@run")
                ),
                "atom-keys: @run",
            ),
        ] {
            let found = found_in(HostKind::Elixir, &text, Edition::V0_11);
            let [only] = found.as_slice() else {
                panic!("{text}: {found:?}");
            };
            assert!(only.starts_with("atom-keys: "), "{text}: {only}");
            let (found, expected) = (only.trim_matches('{'), expected);
            let found = found.replace("atom-keys: {", "atom-keys: ");
            assert!(found.starts_with(expected), "{text}: {found}");
            let strings = text.replace("q: q", "\"q\" => q");
            let both = text.replace("q: q} -> q", "q: q} -> q; %{\"q\" => q} -> q");
            for right in [strings, both] {
                assert!(
                    found_in(HostKind::Elixir, &right, Edition::V0_11).is_empty(),
                    "{right}"
                );
            }
            assert!(
                found_in(HostKind::Elixir, &text, Edition::V0_4).is_empty(),
                "{text}"
            );
        }
    }

    #[test]
    fn a_clause_that_matches_strings_is_enough() {
        let module = |clauses: &str| {
            format!(
                "defmodule A do\n  def a, do: SubAgent.new(prompt: \"x\", tools: %{{\"s\" => {{&s/1, \"(q :string) -> :any\"}}}})\n{clauses}end\n"
            )
        };
        let atoms = "  def s(%{q: q}), do: q\n";
        let strings = "  def s(%{\"q\" => q}), do: q\n";
        let found = |text: &str| found_in(HostKind::Elixir, text, Edition::V0_11);
        assert_eq!(found(&module(atoms)), ["atom-keys: q:"]);
        assert!(found(&module(&[atoms, strings].concat())).is_empty());
        assert!(found(&module(&[strings, atoms].concat())).is_empty());
    }
}
