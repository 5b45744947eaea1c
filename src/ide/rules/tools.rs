//! The tools that a call in Elixir registers.

use std::collections::HashSet;

use crate::{
    host::elixir::tools::{Capture, Form, Tool},
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView},
    text::{TextEdit, TextRange, TextSize},
};

pub(super) const CHECK: Check = Check {
    rules: &[
        &INVALID_TOOL,
        &ATOM_TOOL_NAME,
        &DUPLICATE_TOOL,
        &UNMAPPED_SPEC,
    ],
    run,
};

static INVALID_TOOL: Rule = Rule {
    code: "invalid-tool",
    severity: Severity::Error,
    summary: "Invalid tool",
    explanation: "A tool is `&MyApp.search/1`, `fn args -> … end`, a tuple of a function and a signature, options \
                  or `:skip`, `LLMTool.new(…)`, or `SubAgent.as_tool(…)`. The reference rejects anything else \
                  with `:invalid_tool_format`.",
    wrong: Sample::Elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => {&MyApp.search/1, :any}})\n",
    ),
    right: Sample::Elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => {&MyApp.search/1, \"(query :string) -> :any\"}})\n",
    ),
};

static ATOM_TOOL_NAME: Rule = Rule {
    code: "atom-tool-name",
    severity: Severity::Error,
    summary: "Atom as the name of a tool",
    explanation: "Tools are looked up by strings. With atoms as keys, as in `%{search: &MyApp.search/1}`, the library raises when the \
                  program runs.",
    wrong: Sample::Elixir("SubAgent.new(prompt: \"Go.\", tools: %{search: &MyApp.search/1})\n"),
    right: Sample::Elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => &MyApp.search/1})\n",
    ),
};

static DUPLICATE_TOOL: Rule = Rule {
    code: "duplicate-tool",
    severity: Severity::Error,
    summary: "Duplicate tool name",
    explanation: "In a map, the last of two tools with the same name replaces the first. In a catalog it is \
                  unclear which one is meant.",
    wrong: Sample::Elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => &MyApp.search/1, \"search\" => &MyApp.find/1})\n",
    ),
    right: Sample::Elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => &MyApp.search/1, \"find\" => &MyApp.find/1})\n",
    ),
};

static UNMAPPED_SPEC: Rule = Rule {
    code: "unmapped-spec",
    severity: Severity::Warning,
    summary: "`@spec` without a signature",
    explanation: "A tool without an explicit signature uses its function's `@spec`. Types such as `pid()`, unions \
                  and types of other modules become `:any`. Write a more precise signature, or `:skip`.",
    wrong: Sample::Elixir(
        "defmodule MyApp do\n  @spec stop(pid()) :: boolean()\n  def stop(process), do: process\n\n  \
         def agent, do: SubAgent.new(prompt: \"Go.\", tools: %{\"stop\" => &stop/1})\nend\n",
    ),
    right: Sample::Elixir(
        "defmodule MyApp do\n  @spec stop(pid()) :: boolean()\n  def stop(process), do: process\n\n  \
         def agent, do: SubAgent.new(prompt: \"Go.\", tools: %{\"stop\" => {&stop/1, \"(process :any) -> :bool\"}})\nend\n",
    ),
};

fn run(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    if let Some(tool) = unit.tool_name().filter(|it| it.is_repeated) {
        let range = TextRange::up_to(unit.len());
        found.push(repeated_entry(&tool.name, range));
    }
    // Other programs have maps of tools too.
    if !unit.is_certain() {
        return;
    }
    found.extend(atom_names(unit));
    let mut names = HashSet::new();
    for tool in unit.tools_registered().unwrap_or_default() {
        found.extend(form(unit, tool));
        let Some(name) = &tool.name else {
            continue;
        };
        if !names.insert(name) {
            let message = format!("A tool `{name}` is already in this map; rename one of them.");
            found.push(Diagnostic::new(&DUPLICATE_TOOL, name_range(tool), message));
        }
    }
}

/// The finding about the names of tools that are atoms: one, as the first of them makes the library raise.
fn atom_names(unit: &UnitView<'_>) -> Option<Diagnostic> {
    let tools = unit.tools_registered().unwrap_or_default().iter();
    let atoms: Vec<_> = tools.filter(|it| is_atom(unit, it)).collect();
    let first = atoms.first()?;
    let name = first.name.as_deref()?;
    let message = format!("Names of tools are strings; write `\"{name}\" =>`.");
    let edits = atoms.iter().map(|tool| {
        let name = tool.name.as_deref().unwrap_or_default();
        let arrow = if unit.code(tool.key).ends_with(':') {
            " =>"
        } else {
            ""
        };
        TextEdit::replace(tool.key, format!("\"{name}\"{arrow}"))
    });
    let fix = Fix::safe("Write strings", edits.collect());
    Some(Diagnostic::new(&ATOM_TOOL_NAME, name_range(first), message).with_fix(fix))
}

fn is_atom(unit: &UnitView<'_>, tool: &Tool) -> bool {
    let key = unit.code(tool.key);
    tool.name.is_some() && (key.ends_with(':') || key.starts_with(':'))
}

/// The finding about the name at `range`, which an entry of the same catalog before it has.
pub(crate) fn repeated_entry(name: &str, range: TextRange) -> Diagnostic {
    let message = format!("A tool `{name}` is already defined above; rename one of them.");
    Diagnostic::new(&DUPLICATE_TOOL, range, message)
}

/// The key without its colon.
fn name_range(tool: &Tool) -> TextRange {
    let name = tool.name.as_deref().unwrap_or_default();
    let colon = TextSize::of(':');
    match tool.key.len() == TextSize::of(name) + colon {
        true => TextRange::at(tool.key.start(), TextSize::of(name)),
        false => tool.key,
    }
}

fn form(unit: &UnitView<'_>, tool: &Tool) -> Option<Diagnostic> {
    let range = tool.range;
    match &tool.form {
        Form::Invalid => {
            let message =
                "This is not a tool; write a function, or `{function, \"(name :type) -> :type\"}`.";
            Some(Diagnostic::new(&INVALID_TOOL, range, message))
        }
        Form::Function(Some(capture)) => {
            let message = unmapped(unit, capture)?;
            let mut diagnostic = Diagnostic::new(&UNMAPPED_SPEC, range, message);
            diagnostic.fixes.extend(explicit(unit, capture, range));
            Some(diagnostic)
        }
        Form::Function(None) | Form::Described(_) | Form::Unknown => None,
    }
}

/// What the spec of `capture` says that no signature can say.
fn unmapped(unit: &UnitView<'_>, capture: &Capture) -> Option<String> {
    let function = unit.scope.resolve(capture)?;
    let spec = function.spec()?;
    let Some(read) = function.signature() else {
        return Some(format!(
            "The `@spec` of `{}` has no equivalent signature; write one for the tool.",
            capture.name
        ));
    };
    let extracted = &read.extracted;
    if !read.is_accepted(unit.edition) {
        return Some(format!(
            "The `@spec` of `{}` becomes `{}`, which is not a valid signature; write one for the tool.",
            capture.name, extracted.text
        ));
    }
    let range = extracted.unmapped.first()?;
    let part = spec.get(usize::from(range.start())..usize::from(range.end()))?;
    let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = part.chars().take(40).collect();
    Some(format!(
        "`{short}` in the `@spec` of `{}` has no equivalent type; write a signature for the tool.",
        capture.name
    ))
}

/// The fix that writes the signature of the spec beside the function at `range`, or that it has none.
fn explicit(unit: &UnitView<'_>, capture: &Capture, range: TextRange) -> Option<Fix> {
    let read = unit.scope.resolve(capture)?.signature();
    let accepted = read.filter(|it| it.is_accepted(unit.edition));
    let code = unit.code(range);
    let (title, says) = match accepted {
        Some(read) => (
            "Write the signature",
            format!("\"{}\"", read.extracted.signature),
        ),
        None => ("Skip its validation", ":skip".to_owned()),
    };
    let edits = vec![TextEdit::replace(range, format!("{{{code}, {says}}}"))];
    Some(Fix::offered(title, edits))
}
