//! The tools that a call in Elixir registers.

use foldhash::HashMap;

use crate::ide::{
    Diagnostic, Fix, Rule, Sample, Severity,
    diagnostic::{Elsewhere, Outside},
    rules::Check,
    unit::UnitView,
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
        &UNMAPPED_SPEC,
    ],
    run,
};

static INVALID_TOOL: Rule = Rule {
    code: "invalid-tool",
    severity: Severity::Error,
    summary: "Invalid tool",
    explanation: "A tool is `&MyApp.search/1`, `fn args -> … end`, a tuple of a function and a signature, options \
                  or `:skip`, `LLMTool.new(…)`, or `SubAgent.as_tool(…)`. The reference rejects anything else, such as \
                  an agent itself, with `:invalid_tool_format`. It raises if `tools:` is a list.",
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
                  unclear which one is meant. A tool that is repeated word for word can be removed. Otherwise \
                  there is no fix, because programs may mean either one.",
    wrong: Sample::elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => &MyApp.search/1, \"search\" => &MyApp.find/1})\n",
    ),
    right: Sample::elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => &MyApp.search/1, \"find\" => &MyApp.find/1})\n",
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
            outside: Outside::ToolName(tool.name.clone()),
            range: TextRange::up_to(TextSize::of(tool.name.as_str())),
            message: format!("The first `{}` is here.", tool.name),
        });
        found.push(repeated);
    }
    // Other programs have maps of tools too.
    if !unit.is_certain() {
        return;
    }
    found.extend(atom_names(unit));
    let tools = unit.tools_registered().unwrap_or_default();
    let mut seen = HashMap::default();
    for (index, tool) in tools.iter().enumerate() {
        found.extend(form(unit, tool));
        let Some(name) = &tool.name else {
            continue;
        };
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
            let message =
                "This is not a tool; write a function, or `{function, \"(name :type) -> :type\"}`.";
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
            let message = "`tools:` is not a list; write a map, `%{\"name\" => …}`.";
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
        Form::Function(None) | Form::Described(_) | Form::Itself | Form::Unknown => None,
    }
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

/// The fix that adds the signature of the spec to the function at `range`, or states that it has none.
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

#[cfg(test)]
mod tests {
    use crate::{
        ide::testing::{applied, document, found_in},
        model::Edition,
    };
    use signature_ls_source::host::HostKind;

    /// The text after the fix of `duplicate-tool`.
    fn without_duplicate(tools: &str) -> Option<String> {
        let text = format!("SubAgent.new(prompt: \"Go.\", tools: %{{{tools}}})\n");
        let found = document(HostKind::Elixir, &text).diagnostics();
        let found = found.iter().find(|it| it.rule.code == "duplicate-tool");
        let fix = found.expect("a duplicate").fixes.first()?;
        let fixed = applied(&text, &fix.edits);
        let tools = fixed.strip_prefix("SubAgent.new(prompt: \"Go.\", tools: %{")?;
        Some(tools.trim_end().trim_end_matches("})").to_owned())
    }

    #[test]
    fn the_tools_that_a_function_returns_are_checked_where_they_are_registered() {
        let tools = "%{\"search\" => &search/1, \"stop\" => \"none\", list: &stop/1}";
        let found = |tools: &str, run: &str| {
            let text = format!(
                "defmodule A do\n  alias PtcRunner.SubAgent\n  def search(%{{query: q}}), do: q\n  {tools}\n  {run}\nend\n"
            );
            found_in(HostKind::Elixir, &text, Edition::V0_11)
        };
        let run = "def run(llm), do: SubAgent.run(\"Go\", tools: tools(), llm: llm)";
        let expected = ["invalid-tool: \"none\"", "atom-tool-name: list"];
        let one_line = found(&format!("defp tools, do: {tools}"), run);
        assert_eq!(one_line[0], "atom-keys: query:");
        assert_eq!(one_line[1..], expected);
        let block = found(&format!("defp tools() do\n    {tools}\n  end"), run);
        assert_eq!(block, expected);
        for (tools, run) in [
            (
                format!("defp tools, do: {tools}"),
                "def run, do: other(tools: tools())",
            ),
            (format!("defp tools(1), do: {tools}"), run),
            (format!("defp tools, do: add({tools})"), run),
            (format!("defp tools do\n    if x, do: {tools}\n  end"), run),
            (
                "defp tools, do: %{\"search\" => fn %{\"q\" => q} -> q end}".to_owned(),
                run,
            ),
        ] {
            let nothing: [&str; 0] = [];
            let mut found = found(&tools, run);
            found.retain(|it| !it.starts_with("atom-keys"));
            assert_eq!(found, nothing, "{tools}");
        }
    }

    /// The code and text of each diagnostic, and the text after the first fix.
    fn with_fix(text: &str) -> (Vec<String>, Option<String>) {
        let found = found_in(HostKind::Elixir, text, Edition::V0_11);
        let all = document(HostKind::Elixir, text).diagnostics();
        let fix = all.iter().find_map(|it| it.fixes.first());
        assert!(!fix.is_some_and(|it| it.safe), "{text}");
        (found, fix.map(|it| applied(text, &it.edits)))
    }

    #[test]
    fn agents_and_lists_are_no_tools() {
        let agent = "SubAgent.new(prompt: \"y\", signature: \"() -> :int\", description: \"d\")";
        let full = format!("PtcRunner.{agent}");
        let short = agent.replace("SubAgent", "Agent");
        let library = "alias PtcRunner.SubAgent, as: Agent\n";
        for (before, call, tools, invalid, fixed) in [
            (
                "",
                "SubAgent.new",
                format!("%{{\"c\" => {agent}}}"),
                agent,
                format!("%{{\"c\" => SubAgent.as_tool({agent})}}"),
            ),
            (
                "",
                "SubAgent.new",
                format!("%{{\"c\" => {full}}}"),
                full.as_str(),
                format!("%{{\"c\" => PtcRunner.SubAgent.as_tool({full})}}"),
            ),
            (
                library,
                "Agent.new",
                format!("%{{\"c\" => {short}}}"),
                short.as_str(),
                format!("%{{\"c\" => Agent.as_tool({short})}}"),
            ),
            (
                library,
                "Agent.new",
                format!("%{{\"c\" => {short},\n \"d\" => &f/1}}"),
                short.as_str(),
                format!("%{{\"c\" => Agent.as_tool({short}),\n \"d\" => &f/1}}"),
            ),
            (
                "a = SubAgent.new(prompt: \"y\", signature: \"() -> :int\")\n",
                "SubAgent.new",
                "%{\"c\" => a}".to_owned(),
                "a",
                "%{\"c\" => SubAgent.as_tool(a)}".to_owned(),
            ),
            (
                "",
                "SubAgent.new",
                "[search: &A.f/1]".to_owned(),
                "[search: &A.f/1]",
                "%{\"search\" => &A.f/1}".to_owned(),
            ),
            ("", "SubAgent.new", "[]".to_owned(), "[]", "%{}".to_owned()),
            (
                "",
                "LLMTool.new",
                "[{\"s\", &A.f/1}]".to_owned(),
                "[{\"s\", &A.f/1}]",
                "%{\"s\" => &A.f/1}".to_owned(),
            ),
        ] {
            let written = |tools: &str| {
                format!(
                    "{before}{call}(prompt: \"x\", signature: \"() -> :int\", tools: {tools})\n"
                )
            };
            let (found, fix) = with_fix(&written(&tools));
            assert_eq!(found, [format!("invalid-tool: {invalid}")], "{tools}");
            assert_eq!(fix, Some(written(&fixed)), "{tools}");
            assert_eq!(with_fix(&written(&fixed)), (vec![], None), "{tools}");
        }
        let (found, fix) = with_fix("SubAgent.run(\"x\", tools: [\"search\"])\n");
        assert_eq!((found.len(), fix), (1, None), "{found:?}");
        for text in [
            "PtcRunner.Lisp.run(program, tools: [{\"a\", &f/1}])\n",
            "PtcRunner.Lisp.run(\"(+ 1 2)\", tools: [])\n",
            "SubAgent.run(agent, tools: [])\n",
            "PtcRunner.LLM.call(model, %{tools: [tool]})\n",
            "Other.new(prompt: \"x\", tools: [a: &f/1])\n",
            "SubAgent.new(prompt: \"x\", tools: %{\"c\" => MyApp.SubAgent.new(prompt: \"y\")})\n",
            "SubAgent.new(prompt: \"x\", tools: %{\"c\" => SubAgent.new(prompt: \"y\") |> wrap()})\n",
            "SubAgent.new(prompt: \"x\", tools: %{\"c\" => wrap(SubAgent.new(prompt: \"y\"))})\n",
        ] {
            assert_eq!(with_fix(text), (vec![], None), "{text}");
        }
    }

    #[test]
    fn a_tool_that_is_repeated_word_for_word_is_removed() {
        for (tools, expected) in [
            ("\"a\" => &f/1, \"a\" => &f/1", Some("\"a\" => &f/1")),
            (
                "\"a\" => {&f/1, \"() -> :int\"},\n  \"b\" => &g/1,\n  \"a\" => {&f/1, \"() -> :int\"}\n",
                Some("\"a\" => {&f/1, \"() -> :int\"},\n  \"b\" => &g/1\n"),
            ),
            ("\"a\" => &f/1, \"a\" => &g/1", None),
            ("\"a\" => &f/1, # one\n \"a\" => &f/1", None),
        ] {
            assert_eq!(without_duplicate(tools).as_deref(), expected, "{tools}");
        }
    }
}
