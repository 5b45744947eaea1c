//! The tools that a call in Elixir registers.

use foldhash::{HashMap, HashSet};

use crate::{
    contract::ValueKind,
    ide::{
        Diagnostic, Fix, Rule, Sample, Severity,
        diagnostic::{Elsewhere, Outside},
        rules::{Check, MAX_FINDINGS, values},
        unit::UnitView,
    },
};
use signature_ls_source::{
    host::elixir::{
        tool_forms::list_to_map,
        tools::{Capture, Form, Tool},
    },
    text::{TextEdit, TextRange, TextSize},
};

pub(super) const CHECK: Check = Check {
    rules: &[
        &INVALID_TOOL,
        &ATOM_TOOL_NAME,
        &DUPLICATE_TOOL,
        &TOOL_ARITY,
        &UNMAPPED_SPEC,
    ],
    run,
};

/// The longest signature that a message shows, in bytes.
const LONGEST_SHOWN: usize = 512;

/// The longest signature that a fix writes beside a function, in bytes.
const LONGEST_WRITTEN: usize = 2048;

static INVALID_TOOL: Rule = Rule {
    code: "invalid-tool",
    severity: Severity::Error,
    summary: "Invalid tool",
    explanation: "A tool is `&MyApp.search/1`, `fn args -> … end`, a tuple of a function and a signature, options \
                  or `:skip`, `LLMTool.new(…)`, or `SubAgent.as_tool(…)`. The reference rejects anything else, such as \
                  an agent itself or the `{:ok, tool}` of `PtcRunner.Tool.new(…)`, with `:invalid_tool_format`. It raises if \
                  `tools:` is a list, and if neither the agent nor `as_tool` has a `description:`.",
    wrong: Sample::elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => {&MyApp.search/1, :any}})\n",
    ),
    right: Sample::elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => {&MyApp.search/1, \"(query :string) -> :any\"}})\n",
    ),
};

static ATOM_TOOL_NAME: Rule = Rule {
    code: "atom-tool-name",
    severity: Severity::Error,
    summary: "Atom as the name of a tool",
    explanation: "Tools are looked up by strings. With atoms as keys, as in `%{search: &MyApp.search/1}`, the library raises when the \
                  program runs.",
    wrong: Sample::elixir("SubAgent.new(prompt: \"Go.\", tools: %{search: &MyApp.search/1})\n"),
    right: Sample::elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => &MyApp.search/1})\n",
    ),
};

static DUPLICATE_TOOL: Rule = Rule {
    code: "duplicate-tool",
    severity: Severity::Error,
    summary: "Duplicate tool name",
    explanation: "In a map, the last of two tools with the same name replaces the first. In a catalog it is \
                  unclear which one is meant. If a value of the `context:` has the name of a tool, the run raises, so a required input cannot have \
                  it. A tool that is repeated word for word can be removed. Otherwise \
                  there is no fix, because programs may mean either one.",
    wrong: Sample::elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => &MyApp.search/1, \"search\" => &MyApp.find/1})\n",
    ),
    right: Sample::elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => &MyApp.search/1, \"find\" => &MyApp.find/1})\n",
    ),
};

static TOOL_ARITY: Rule = Rule {
    code: "tool-arity",
    severity: Severity::Warning,
    summary: "Tool function that does not take one argument",
    explanation: "Every tool is called with one argument, the map of all arguments. A `fn` with another number of \
                  parameters raises at each call. Captures such as `&search/2` are not reported, because the \
                  library's own manual shows them.",
    wrong: Sample::elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"add\" => {fn a, b -> a + b end, \"(a :int, b :int) -> :int\"}})",
    ),
    right: Sample::elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"add\" => {fn %{\"a\" => a, \"b\" => b} -> a + b end, \"(a :int, b :int) -> :int\"}})",
    ),
};

static UNMAPPED_SPEC: Rule = Rule {
    code: "unmapped-spec",
    severity: Severity::Warning,
    summary: "`@spec` without a signature",
    explanation: "A tool without an explicit signature uses its function's `@spec`. Types such as `pid()`, unions \
                  and types of other modules become `:any`. Write a more precise signature, or `:skip`.",
    wrong: Sample::elixir(
        "defmodule MyApp do\n  @spec stop(pid()) :: boolean()\n  def stop(process), do: process\n\n  \
         def agent, do: SubAgent.new(prompt: \"Go.\", tools: %{\"stop\" => &stop/1})\nend\n",
    ),
    right: Sample::elixir(
        "defmodule MyApp do\n  @spec stop(pid()) :: boolean()\n  def stop(process), do: process\n\n  \
         def agent, do: SubAgent.new(prompt: \"Go.\", tools: %{\"stop\" => {&stop/1, \"(process :any) -> :bool\"}})\nend\n",
    ),
};

fn run(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    if let Some(tool) = unit.tool_name().filter(|it| it.is_repeated) {
        let range = TextRange::up_to(unit.len());
        let mut repeated = repeated_entry(&tool.name, range);
        repeated.elsewhere.push(Elsewhere {
            outside: Outside::ToolName(tool.name.to_string()),
            range: TextRange::up_to(TextSize::of(&*tool.name)),
            message: format!("The first `{}` is here.", tool.name),
        });
        found.push(repeated);
    }
    // Other programs have maps of tools too.
    if !unit.takes_tools() {
        return;
    }
    found.extend(atom_names(unit));
    found.extend(clashes(unit));
    let tools = unit.tools_registered().unwrap_or_default();
    let mut seen = HashMap::default();
    let (values, inputs) = match tools {
        [] => Default::default(),
        _ => (context_names(unit), required_inputs(unit)),
    };
    for (index, tool) in tools.iter().enumerate() {
        if found.len() > MAX_FINDINGS {
            break;
        }
        found.extend(form(unit, tool));
        found.extend(arity(tool));
        let Some(name) = tool.name.as_deref() else {
            continue;
        };
        if values.contains(name) {
            let message =
                format!("`{name}` is both a tool and a value of the context; rename one.");
            found.push(Diagnostic::new(&DUPLICATE_TOOL, name_range(tool), message));
        } else if inputs.contains(name) {
            let message = format!("`{name}` is both a tool and a required input; rename one.");
            found.push(Diagnostic::new(&DUPLICATE_TOOL, name_range(tool), message));
        }
        if let Some(first) = seen.insert(name, tool) {
            let before = index.checked_sub(1).and_then(|it| tools.get(it));
            found.push(duplicate(unit, name, [first, tool], before));
        }
    }
}

/// The diagnostic about the second of two tools with the same name; `before` is the tool before that.
fn duplicate(
    unit: &UnitView<'_>,
    name: &str,
    [first, second]: [&Tool; 2],
    before: Option<&Tool>,
) -> Diagnostic {
    let range = name_range(second);
    let is_same = unit.code(first.range) == unit.code(second.range);
    let end_before = before.map(|it| it.range.end()).filter(|_| is_same);
    let removal = end_before.filter(|&end| {
        let between = unit.code(TextRange::new(end, second.key.start()));
        between.trim() == ","
    });
    let Some(end) = removal else {
        let message = format!("A tool `{name}` is already in this map; rename one of them.");
        return Diagnostic::new(&DUPLICATE_TOOL, range, message);
    };
    let message = format!("The same tool `{name}` is already in this map; remove one of them.");
    let edits = vec![TextEdit::delete(TextRange::new(end, second.range.end()))];
    Diagnostic::new(&DUPLICATE_TOOL, range, message).with_fix(Fix::safe("Remove it", edits))
}

/// The single diagnostic about tool names that are atoms: the first of them makes the library raise.
fn atom_names(unit: &UnitView<'_>) -> Option<Diagnostic> {
    let tools = unit.tools_registered().unwrap_or_default().iter();
    let atoms: Vec<_> = tools.filter(|it| is_atom(unit, it)).collect();
    let first = atoms.first()?;
    let as_string = |tool: &Tool| {
        let name = tool.name.as_deref().unwrap_or_default();
        let arrow = if unit.code(tool.key).ends_with(':') {
            " =>"
        } else {
            ""
        };
        format!("\"{name}\"{arrow}")
    };
    let message = format!("Names of tools are strings; write `{}`.", as_string(first));
    let edits = atoms
        .iter()
        .map(|tool| TextEdit::replace(tool.key, as_string(tool)));
    let fix = Fix::safe("Write strings", edits.collect());
    Some(Diagnostic::new(&ATOM_TOOL_NAME, name_range(first), message).with_fix(fix))
}

fn is_atom(unit: &UnitView<'_>, tool: &Tool) -> bool {
    let key = unit.code(tool.key);
    tool.name.is_some() && (key.ends_with(':') || key.starts_with(':'))
}

/// The diagnostic about the name at `range`, which an earlier entry of the catalog has.
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
            let message = match unit.code(range).starts_with("{&") {
                true => {
                    "This is not a tool; write `{function, signature: \"…\", description: \"…\"}`."
                }
                false => {
                    "This is not a tool; write a function, or `{function, \"(name :type) -> :type\"}`."
                }
            };
            Some(Diagnostic::new(&INVALID_TOOL, range, message))
        }
        Form::Agent(module) => {
            let message = format!("An agent is not a tool; write `{module}.as_tool(…)`.");
            let edits = vec![
                TextEdit::insert(range.start(), format!("{module}.as_tool(")),
                TextEdit::insert(range.end(), ")"),
            ];
            let fix = Fix::offered("Make the agent a tool", edits);
            Some(Diagnostic::new(&INVALID_TOOL, range, message).with_fix(fix))
        }
        Form::List => {
            let message = "`tools:` takes a map, not a list; write `%{\"name\" => …}`.";
            let edits = list_to_map(&unit.code(range)).map(|edits| {
                let moved = |it: TextEdit| TextEdit::replace(it.range + range.start(), it.insert);
                edits.into_iter().map(moved).collect()
            });
            let mut diagnostic = Diagnostic::new(&INVALID_TOOL, range, message);
            diagnostic
                .fixes
                .extend(edits.map(|edits| Fix::offered("Write a map", edits)));
            Some(diagnostic)
        }
        Form::Function(Some(capture)) => {
            let message = unmapped(unit, capture)?;
            let mut diagnostic = Diagnostic::new(&UNMAPPED_SPEC, range, message);
            diagnostic.fixes.extend(explicit(unit, capture, range));
            Some(diagnostic)
        }
        Form::Undescribed => {
            let message = "The agent has no description, and `as_tool` raises; add `description:` to one of them.";
            Some(Diagnostic::new(&INVALID_TOOL, range, message))
        }
        Form::Result => {
            let message = "This is `{:ok, tool}`; write `elem(…, 1)` around it.";
            let edits = vec![
                TextEdit::insert(range.start(), "elem("),
                TextEdit::insert(range.end(), ", 1)"),
            ];
            let fix = Fix::offered("Take the tool", edits);
            Some(Diagnostic::new(&INVALID_TOOL, range, message).with_fix(fix))
        }
        Form::Function(None) | Form::Described(_) | Form::Itself | Form::Unknown => None,
    }
}

/// The diagnostic about a `fn` that does not take exactly one argument.
fn arity(tool: &Tool) -> Option<Diagnostic> {
    let arity = tool.details.arity.filter(|it| *it != 1)?;
    if !matches!(tool.form, Form::Function(None) | Form::Described(None)) {
        return None;
    }
    let takes = match arity {
        0 => "takes no argument".to_owned(),
        _ => format!("takes {arity} arguments"),
    };
    let message = format!(
        "The function {takes}, but a tool is called with one map; write a function of one argument."
    );
    Some(Diagnostic::new(&TOOL_ARITY, tool.range, message))
}

/// The diagnostics about values in the context of a run with the names of tools of its agent, which is elsewhere.
fn clashes(unit: &UnitView<'_>) -> Vec<Diagnostic> {
    let tools = &unit.flow().tools;
    if tools.is_empty() {
        return Vec::new();
    }
    let Some(ValueKind::Map(entries)) = unit.argument_value("context").map(|it| it.kind) else {
        return Vec::new();
    };
    let clashing = entries.iter().filter_map(|entry| {
        let name = entry.key.name.as_deref()?;
        if !tools.iter().any(|it| it == name) {
            return None;
        }
        let message =
            format!("`{name}` is both a tool of the agent and a value of the context; rename one.");
        Some(Diagnostic::new(
            &DUPLICATE_TOOL,
            values::name_range(entry, name),
            message,
        ))
    });
    clashing.collect()
}

/// Whether the unit makes an agent of a prompt.
fn makes_agent(unit: &UnitView<'_>) -> bool {
    unit.prompts().next().is_some() && unit.program_literal().is_none() && !unit.is_llm_tool()
}

/// The inputs without which an agent does not run. One of a single turn may be compiled, and then takes any name.
fn required_inputs(unit: &UnitView<'_>) -> HashSet<String> {
    let turns = unit.argument("max_turns").map(|it| it.parse());
    let has_more = turns.is_none_or(|it: Result<u64, _>| it.is_ok_and(|it| it > 1));
    let signature = unit.agents_signature();
    let signature = signature.filter(|_| has_more && makes_agent(unit));
    let params = signature.into_iter().flat_map(|it| &it.params);
    let required = params.filter(|it| !it.ty.optional);
    required.map(|it| it.name.clone()).collect()
}

/// The names of the values in the context of an agent's run.
fn context_names(unit: &UnitView<'_>) -> HashSet<String> {
    let context = unit.argument_kind("context").filter(|_| makes_agent(unit));
    let Some(ValueKind::Map(entries)) = context else {
        return HashSet::default();
    };
    let names = entries.iter().filter_map(|it| it.key.name.as_deref());
    names.map(str::to_owned).collect()
}

/// What the spec of `capture` contains that signatures cannot express.
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
        let mut text = extracted.beginning(LONGEST_SHOWN);
        if text.len() > LONGEST_SHOWN {
            text.push('…');
        }
        return Some(format!(
            "The `@spec` of `{}` becomes `{text}`, which is not a valid signature; write one for the tool.",
            capture.name
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

/// The fix that adds the signature of the spec to the function at `range`, or states that it has none.
fn explicit(unit: &UnitView<'_>, capture: &Capture, range: TextRange) -> Option<Fix> {
    let read = unit.scope.resolve(capture)?.signature();
    let accepted = read.filter(|it| it.is_accepted(unit.edition));
    let code = unit.code(range);
    let (title, says) = match accepted {
        // Thousands of tools may have the same long type.
        Some(read) if read.extracted.beginning(LONGEST_WRITTEN).len() > LONGEST_WRITTEN => {
            return None;
        }
        Some(read) => (
            "Write the signature",
            format!("\"{}\"", read.extracted.signature),
        ),
        None => ("Skip its validation", ":skip".to_owned()),
    };
    let edits = vec![TextEdit::replace(range, format!("{{{code}, {says}}}"))];
    Some(Fix::offered(title, edits))
}

#[cfg(test)]
mod tests;
