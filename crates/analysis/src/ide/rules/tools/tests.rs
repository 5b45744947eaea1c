use crate::{
    ide::testing::{applied, document, found_in},
    model::Edition,
};
use signature_ls_source::{
    host::HostKind,
    text::{TextEdit, TextRange, size},
};

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

/// Other libraries have a `SubAgent`, too.
#[test]
fn tools_in_a_page_are_checked_beside_other_evidence() {
    let evidence = "```elixir\nPtcRunner.SubAgent.new(prompt: \"Go\")\n```\n\n";
    for prompt in ["C", "C {{x}}"] {
        for (tools, expected) in [
            ("%{mul: fn _ -> 1 end}", "atom-tool-name: mul"),
            ("%{\"mul\" => :search}", "invalid-tool: :search"),
            ("%{\"mul\" => {&f/1, sig: 1}}", "unknown-tool-option: sig:"),
        ] {
            let block = |name: &str| {
                format!("```elixir\n{name}(prompt: \"{prompt}\", tools: {tools})\n```\n")
            };
            let ours = block("SubAgent.new");
            let found = |text: &str| found_in(HostKind::Markdown, text, Edition::V0_11);
            assert_eq!(found(&format!("{evidence}{ours}")), [expected]);
            assert_eq!(found(&ours), [""; 0]);
            let other = format!("{evidence}{}", block("Other.new"));
            assert_eq!(found(&other), [""; 0]);
            // The evidence comes and goes while it is typed.
            let mut typed = document(HostKind::Markdown, &ours);
            typed.edit(&TextEdit::insert(0.into(), evidence));
            assert_eq!(typed.diagnostics().len(), 1);
            typed.edit(&TextEdit::delete(TextRange::up_to(size(evidence.len()))));
            assert_eq!(typed.diagnostics(), []);
        }
    }
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
            "a = SubAgent.new(prompt: \"y\", signature: \"() -> :int\", description: \"d\")\n",
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
            format!("{before}{call}(prompt: \"x\", signature: \"() -> :int\", tools: {tools})\n")
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

/// The library refuses the agent, not only where the map is written.
#[test]
fn an_agent_in_a_map_with_a_name_is_no_tool() {
    let agent = "SubAgent.new(prompt: \"y\", description: \"d\")";
    let call = "SubAgent.new(prompt: \"x\", tools: tools)\n";
    for (map, invalid) in [
        (format!("tools = %{{\"c\" => {agent}}}\n{call}"), Some(agent)),
        (
            format!("tools = %{{\"a\" => &f/1, \"c\" => {agent}}}\n{call}"),
            Some(agent),
        ),
        (
            format!("@tools %{{\"c\" => {agent}}}\n{}", call.replace("tools)", "@tools)")),
            Some(agent),
        ),
        (
            format!(
                "defmodule A do\n  alias PtcRunner.SubAgent\n  def tools, do: %{{\"c\" => {agent}}}\n  def a, do: {}end\n",
                call.replace("tools)", "tools())")
            ),
            Some(agent),
        ),
        (
            format!(
                "defmodule A do\n  alias PtcRunner.SubAgent\n  defp tools do\n    %{{\"c\" => {agent}}}\n  end\n\n  def a do\n    {call}  end\nend\n"
            ).replace("tools)", "tools())"),
            Some(agent),
        ),
        (format!("tools = %{{\"c\" => SubAgent.as_tool({agent})}}\n{call}"), None),
        (format!("tools = %{{\"c\" => {agent} |> SubAgent.as_tool()}}\n{call}"), None),
        (format!("tools = %{{\"c\" => MyApp.{agent}}}\n{call}"), None),
        (format!("tools = %{{\"c\" => {agent}}}\nother(tools)\n"), None),
    ] {
        let found = found_in(HostKind::Elixir, &map, Edition::V0_11);
        let expected = invalid.map(|it| format!("invalid-tool: {it}"));
        assert_eq!(found, Vec::from_iter(expected), "{map}");
    }
    let (_, fixed) = with_fix(&format!("tools = %{{\"c\" => {agent}}}\n{call}"));
    let right = format!("tools = %{{\"c\" => SubAgent.as_tool({agent})}}\n{call}");
    assert_eq!(fixed, Some(right));
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

fn found_for(tools: &str, edition: Edition) -> Vec<String> {
    let text = format!("SubAgent.new(prompt: \"Go.\", tools: %{{\"a\" => {tools}}})\n");
    found_in(HostKind::Elixir, &text, edition)
}

/// In every edition, a tool is called with one map. The manual of the library shows captures of other functions.
#[test]
fn the_function_of_a_tool_takes_one_argument() {
    let signature = "\"(x :int, y :int) -> :int\"";
    for (function, is_one) in [
        ("fn a, b -> a + b end", false),
        ("fn(a, b) -> a + b end", false),
        ("fn a, b when a > b -> a end", false),
        ("fn -> 1 end", false),
        ("fn () -> 1 end", false),
        ("&T.c/2", true),
        ("&c/0", true),
        ("&T.c/1", true),
        ("fn _ -> fn a, b -> a + b end end", true),
        ("fn {a, b} -> a + b end", true),
        ("fn %{\"x\" => a, \"y\" => b} -> a + b end", true),
        ("fn %{\"x\" => a} when a in [1, 2] -> a end", true),
        ("&T.c(&1, &2)", true),
        ("fn", true),
    ] {
        for tool in [
            function.to_owned(),
            format!("{{{function}, {signature}}}"),
            format!("{{{function}, signature: {signature}}}"),
            format!("{{{function}, :skip}}"),
        ] {
            for edition in [Edition::V0_4, Edition::V0_5, Edition::V0_11, Edition::Next] {
                let mut found = found_for(&tool, edition);
                found.retain(|it| it.starts_with("tool-arity"));
                assert_eq!(found.is_empty(), is_one, "{edition} {tool}: {found:?}");
            }
        }
    }
    let named = "f = fn a, b -> a + b end\nSubAgent.new(prompt: \"Go.\", tools: %{\"a\" => f})\n";
    let found = found_in(HostKind::Elixir, named, Edition::V0_11);
    assert_eq!(found, ["tool-arity: f"]);
}

/// What the library gives back in place of a tool, or refuses to make one of.
#[test]
fn a_result_and_an_undescribed_agent_are_no_tools() {
    let agent = "SubAgent.new(prompt: \"y\", signature: \"() -> :int\")";
    let described = agent.replace("signature:", "description: \"d\", signature:");
    for (tool, is_wrong) in [
        ("PtcRunner.Tool.new(\"a\", &A.f/1)".to_owned(), true),
        (
            "elem(PtcRunner.Tool.new(\"a\", &A.f/1), 1)".to_owned(),
            false,
        ),
        (":builtin_gerp".to_owned(), true),
        (":builtin_grep".to_owned(), false),
        (format!("SubAgent.as_tool({agent})"), true),
        (
            format!("PtcRunner.SubAgent.as_tool({agent}, name: \"b\")"),
            true,
        ),
        (format!("{agent} |> SubAgent.as_tool()"), true),
        (format!("SubAgent.as_tool({described})"), false),
        (
            format!("SubAgent.as_tool({agent}, description: \"d\")"),
            false,
        ),
        (format!("SubAgent.as_tool({agent}, opts)"), false),
        ("SubAgent.as_tool(SubAgent.new(opts))".to_owned(), false),
        (
            "SubAgent.as_tool(SubAgent.new(Keyword.put(opts, :prompt, \"y\")))".to_owned(),
            false,
        ),
        ("SubAgent.as_tool(child())".to_owned(), false),
        ("SubAgent.as_tool(child)".to_owned(), false),
    ] {
        for edition in [Edition::V0_4, Edition::V0_11] {
            let expected = is_wrong.then(|| format!("invalid-tool: {tool}"));
            assert_eq!(
                found_for(&tool, edition),
                Vec::from_iter(expected),
                "{tool}"
            );
        }
    }
    for (agent, is_wrong) in [(agent, true), (&described, false), ("other()", false)] {
        let text = format!(
            "child = {agent}\nSubAgent.new(prompt: \"Go.\", tools: %{{\"a\" => SubAgent.as_tool(child)}})\n"
        );
        let found = found_in(HostKind::Elixir, &text, Edition::V0_11);
        let expected = is_wrong.then(|| "invalid-tool: SubAgent.as_tool(child)".to_owned());
        assert_eq!(found, Vec::from_iter(expected), "{text}");
    }
    let result =
        "SubAgent.new(prompt: \"x\", tools: %{\"a\" => PtcRunner.Tool.new(\"a\", &A.f/1)})\n";
    let (_, fixed) = with_fix(result);
    let right = result
        .replace("PtcRunner", "elem(PtcRunner")
        .replace("/1)", "/1), 1)");
    assert_eq!(fixed, Some(right));
}

#[test]
fn a_tool_and_a_value_of_a_run_have_different_names() {
    let tools = "tools: %{\"search\" => fn _ -> 1 end}";
    for (code, is_wrong) in [
        (
            "SubAgent.run(\"Find {{search}}\", context: %{search: 1}, TOOLS)",
            true,
        ),
        (
            "SubAgent.run(\"Find {{search}}\", context: %{\"search\" => 1}, TOOLS)",
            true,
        ),
        (
            "SubAgent.run(\"Find {{query}}\", context: %{query: 1}, TOOLS)",
            false,
        ),
        (
            "Lisp.run(\"(tool/search {:q data/search})\", context: %{search: 1}, TOOLS)",
            false,
        ),
        ("Lisp.run(program, context: %{search: 1}, TOOLS)", false),
    ] {
        let text = format!("{}\n", code.replace("TOOLS", tools));
        let found = found_in(HostKind::Elixir, &text, Edition::V0_11);
        let expected = is_wrong.then(|| "duplicate-tool: \"search\"".to_owned());
        assert_eq!(found, Vec::from_iter(expected), "{text}");
    }
}

#[test]
fn the_tools_of_an_agent_elsewhere_have_other_names_than_the_values_of_its_runs() {
    let new = "SubAgent.new(prompt: \"Go {{d}}\", signature: \"(d :string?) -> :any\", TOOLS)";
    let tools = "tools: %{\"d\" => fn _ -> 1 end}";
    let new = &new.replace("TOOLS", tools);
    let bare = &format!("SubAgent.new(prompt: \"Go.\", {tools})");
    let named = &new.replace(tools, "tools: tools");
    let map = "tools = %{\"d\" => fn _ -> 1 end}";
    for (before, run, expected) in [
        (
            format!("a = {new}"),
            "SubAgent.run(a, llm: llm, context: %{d: \"x\"})",
            Some("d"),
        ),
        (
            format!("a = {bare}"),
            "SubAgent.run(a, context: %{d: \"x\"})",
            Some("d"),
        ),
        (
            format!("a = {new}"),
            "a |> SubAgent.run!(context: %{\"d\" => \"x\"})",
            Some("d"),
        ),
        (
            format!("{map}\na = {named}"),
            "SubAgent.run(a, context: %{d: \"x\"})",
            Some("d"),
        ),
        (
            format!("a = {new}\nc = %{{d: \"x\"}}"),
            "SubAgent.run(a, context: c)",
            Some("d"),
        ),
        (
            format!("a = {new}\no = [context: %{{d: \"x\"}}]"),
            "SubAgent.run(a, o)",
            Some("d"),
        ),
        (
            String::new(),
            "SubAgent.run(NEW, context: %{d: \"x\"})",
            Some("d"),
        ),
        (
            format!("def a, do: {new}"),
            "def b, do: SubAgent.run(a(), context: %{d: \"x\"})",
            Some("d"),
        ),
        (
            format!("a = {new}"),
            "SubAgent.run(a, context: %{e: \"x\"})",
            None,
        ),
        (
            format!("a = {new}"),
            "SubAgent.run(a, context: %{key => \"x\"})",
            None,
        ),
        (format!("a = {new}"), "SubAgent.run(a, context: c)", None),
        (
            format!("a = {new}"),
            "SubAgent.preview_prompt(a, context: %{d: \"x\"})",
            None,
        ),
        (
            format!("a = {new}"),
            "SubAgent.run(\"Go {{d}}\", context: %{d: \"x\"})",
            None,
        ),
        (
            format!("a = {named}"),
            "SubAgent.run(a, context: %{d: \"x\"})",
            None,
        ),
    ] {
        let text = format!("{before}\n{}\n", run.replace("NEW", new));
        let mut found = found_in(HostKind::Elixir, &text, Edition::V0_11);
        found.retain(|it| !it.starts_with("unknown-input"));
        let expected = expected.map(|it| format!("duplicate-tool: {it}"));
        assert_eq!(found, Vec::from_iter(expected), "{text}");
    }
}

/// An agent that needs an input with the name of a tool cannot run.
#[test]
fn a_tool_and_a_required_input_have_different_names() {
    let tools = "tools: %{\"d\" => &f/1}";
    for (code, is_wrong) in [
        (
            "SubAgent.new(prompt: \"{{d}}\", signature: \"(d :int) -> :any\", TOOLS)",
            true,
        ),
        (
            "SubAgent.new(prompt: \"{{d}}\", signature: \"(d :int) -> :any\", max_turns: 1, TOOLS)",
            false,
        ),
        (
            "SubAgent.new(prompt: \"{{d}}\", signature: \"(d :int?) -> :any\", TOOLS)",
            false,
        ),
        (
            "SubAgent.new(prompt: \"{{e}}\", signature: \"(e :int) -> {d :int}\", TOOLS)",
            false,
        ),
        (
            "SubAgent.run(\"{{d}}\", signature: \"(d :int) -> :any\", context: %{d: 1}, TOOLS)",
            true,
        ),
        (
            "LLMTool.new(prompt: \"{{d}}\", signature: \"(d :int) -> :any\", TOOLS)",
            false,
        ),
    ] {
        let text = format!("{}\n", code.replace("TOOLS", tools));
        let found = found_in(HostKind::Elixir, &text, Edition::V0_11);
        let expected = is_wrong.then(|| "duplicate-tool: \"d\"".to_owned());
        assert_eq!(found, Vec::from_iter(expected), "{text}");
    }
}

/// The message has just what its fix writes.
#[test]
fn an_atom_as_a_name_becomes_a_string() {
    for (text, right) in [
        ("PtcRunner.Tool.new(:a, &A.a/1)\n", "\"a\""),
        (
            "SubAgent.new(prompt: \"x\", tools: %{:a => &A.a/1})\n",
            "\"a\"",
        ),
        (
            "SubAgent.new(prompt: \"x\", tools: %{a: &A.a/1})\n",
            "\"a\" =>",
        ),
    ] {
        let found = document(HostKind::Elixir, text).diagnostics();
        let expected = format!("Names of tools are strings; write `{right}`.");
        assert_eq!(found[0].message, expected, "{text}");
        assert_eq!(found[0].fixes[0].edits[0].insert, right, "{text}");
    }
}
