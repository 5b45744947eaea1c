//! Tests of agents in maps and lists of keys, of options and functions that are bound to names, and of compiled agents.

use crate::{ide::testing::found_in, model::Edition};
use signature_ls_source::host::HostKind;

const AGENTS: &str = r#"
finder = SubAgent.new(prompt: "Find {{n}}", signature: "(n :int) -> {title :string}")
agents = %{finder: finder, "w" => SubAgent.new(prompt: "Write {{title}}", signature: "(title :string) -> {text :string}")}
keyed = [finder: finder, count: 2]
{:ok, compiled} = SubAgent.compile(finder, llm: llm)
@writer SubAgent.compile!(finder)
"#;

fn found(code: &str) -> Vec<String> {
    let code = format!("{AGENTS}{code}\n");
    found_in(HostKind::Elixir, &code, Edition::V0_11)
}

#[track_caller]
fn finds_one(cases: &[(&str, &str)]) {
    for (code, expected) in cases {
        assert_eq!(found(code), [*expected], "{code}");
    }
}

#[track_caller]
fn finds_nothing(cases: &[&str]) {
    let nothing: [&str; 0] = [];
    for code in cases {
        assert_eq!(found(code), nothing, "{code}");
    }
}

#[test]
fn agents_in_maps_are_followed() {
    finds_one(&[
        (
            "SubAgent.run(agents.finder, context: %{n: \"x\"})",
            "value-type: \"x\"",
        ),
        (
            "SubAgent.run!(agents[:finder], context: %{n: \"x\"})",
            "value-type: \"x\"",
        ),
        (
            "SubAgent.run(keyed[:finder], context: %{n: \"x\"})",
            "value-type: \"x\"",
        ),
        (
            "Map.fetch!(agents, :finder) |> SubAgent.run!(context: %{n: \"x\"})",
            "value-type: \"x\"",
        ),
        (
            "SubAgent.run(agents[\"w\"], context: %{title: 1})",
            "value-type: 1",
        ),
        (
            "%{finder: it} = agents\nSubAgent.run(it, context: %{n: \"x\"})",
            "value-type: \"x\"",
        ),
        (
            "s = SubAgent.run!(agents.finder, llm: llm)\ns.return[\"titel\"]",
            "unknown-result-key: titel",
        ),
        (
            "s = SubAgent.run!(agents.finder) |> SubAgent.then!(agents[\"w\"])\ns.return[\"txet\"]",
            "unknown-result-key: txet",
        ),
        (
            "all = %{inner: agents}\nSubAgent.run(all.inner.finder, context: %{n: \"x\"})",
            "value-type: \"x\"",
        ),
        (
            "runs = %{first: SubAgent.run!(finder)}\nruns.first.return[\"titel\"]",
            "unknown-result-key: titel",
        ),
        (
            "defmodule A do\n  defp agents, do: %{f: SubAgent.new(prompt: \"Go.\", signature: \"{a :int}\")}\n  def go, do: SubAgent.run!(agents().f).return[\"b\"]\nend",
            "unknown-result-key: b",
        ),
    ]);
}

#[test]
fn agents_in_maps_that_are_not_certain_are_no_finding() {
    finds_nothing(&[
        "SubAgent.run(agents.other, context: %{n: \"x\"})",
        "SubAgent.run(agents[key], context: %{n: \"x\"})",
        "SubAgent.run(agents[\"finder\"], context: %{n: \"x\"})",
        "SubAgent.run(agents.w, context: %{title: 1})",
        "agents = Map.put(agents, :finder, other)\nSubAgent.run(agents.finder, context: %{n: \"x\"})",
        "agents = %{agents | finder: other}\nSubAgent.run(agents.finder, context: %{n: \"x\"})",
        "two = %{a: finder, a: other}\nSubAgent.run(two.a, context: %{n: \"x\"})",
        "if x, do: agents = %{finder: other}\nSubAgent.run(agents.finder, context: %{n: \"x\"})\nend",
        "fun = fn agents -> SubAgent.run(agents.finder, context: %{n: \"x\"}) end",
        "a = %{b: b}\nb = %{a: a}\nSubAgent.run(b.a.b.a, context: %{n: \"x\"})",
        "m = %{m: m.m}\nSubAgent.run(m.m, context: %{n: \"x\"})",
    ]);
}

#[test]
fn options_that_are_bound_to_a_name_are_checked() {
    finds_one(&[
        (
            "opts = [context: %{n: \"x\"}, llm: llm]\nSubAgent.run(finder, opts)",
            "value-type: \"x\"",
        ),
        (
            "opts = [llm: llm, context: %{n: \"x\"}]\nfinder |> SubAgent.run!(opts)",
            "value-type: \"x\"",
        ),
        (
            "opts = [context: %{m: 1, n: 1}]\nSubAgent.run(finder, opts)",
            "unknown-input: m",
        ),
        (
            "opts = [llm: llm]\ns = SubAgent.run!(finder, opts)\ns.return[\"titel\"]",
            "unknown-result-key: titel",
        ),
        (
            "opts = [signature: \"{a :int}\"]\ns = SubAgent.run!(finder, opts)\ns.return[\"b\"]",
            "unknown-result-key: b",
        ),
        (
            "opts = [prompt: \"Go.\", signature: \"{a :int}\"]\ns = SubAgent.run!(SubAgent.new(opts))\ns.return[\"b\"]",
            "unknown-result-key: b",
        ),
    ]);
    finds_nothing(&[
        "SubAgent.run(finder, opts)",
        "opts = [context: %{n: 1}]\nSubAgent.run(finder, opts)",
        "opts = [context: %{n: \"x\"}] ++ more\nSubAgent.run(finder, opts)",
        "opts = [context: %{n: \"x\"}]\nopts = Keyword.put(opts, :llm, llm)\nSubAgent.run(finder, opts)",
        "opts = [context: %{m: \"x\"}, signature: signature]\nSubAgent.run(prompt, opts)",
        "opts = [context: %{n: \"x\"}]\nSubAgent.run(other, opts)",
        "s = SubAgent.run!(finder, opts)\ns.return[\"titel\"]",
    ]);
}

#[test]
fn the_inputs_of_a_compiled_agent_are_checked() {
    finds_one(&[
        ("compiled.execute.(%{n: \"x\"}, [])", "value-type: \"x\""),
        ("compiled.execute.(%{n: 1, m: 2})", "unknown-input: m"),
        ("compiled.execute.(%{})", "missing-value: %{}"),
        (
            "x = f(compiled.execute.(%{\"n\" => \"x\"}, llm: llm))",
            "value-type: \"x\"",
        ),
        (
            "args = %{n: \"x\"}\ncompiled.execute.(args, [])",
            "value-type: \"x\"",
        ),
        (
            "s = SubAgent.run!(finder)\ncompiled.execute.(%{n: s.return[\"title\"]})",
            "chained-coercion: s.return[\"title\"]",
        ),
    ]);
    finds_nothing(&[
        "compiled.execute.(%{n: 1}, [])",
        "compiled.execute.(args, [])",
        "compiled.execute.()",
        "other.execute.(%{n: \"x\"})",
        "compiled.run.(%{n: \"x\"})",
        "finder.execute(%{n: \"x\"})",
    ]);
}

#[test]
fn calls_of_the_agent_itself_are_checked() {
    let run = |signature: &str, call: &str| {
        let code = format!(
            "sig = \"(chunk :string) -> {{found [:string]}}\"\nPtcRunner.Lisp.run(\"{call}\", signature: {signature}, tools: %{{\"worker\" => :self}})\n"
        );
        found_in(HostKind::Elixir, &code, Edition::V0_11)
    };
    let own = "\"(chunk :string) -> {found [:string]}\"";
    for signature in [own, "sig"] {
        let expected = ["unknown-argument: :chnk", "missing-argument: :chnk"];
        let mut found = run(signature, "(tool/worker {:chnk 1})");
        found.retain(|it| expected.contains(&it.as_str()));
        assert!(!found.is_empty(), "{signature}");
        let nothing: [&str; 0] = [];
        assert_eq!(run(signature, "(tool/worker {:chunk \\\"a\\\"})"), nothing);
    }
}

fn found_with_tool(function: &str, tool: &str) -> Vec<String> {
    let code =
        format!("{function}\nSubAgent.new(prompt: \"Go.\", tools: %{{\"search\" => {tool}}})\n");
    found_in(HostKind::Elixir, &code, Edition::V0_11)
}

#[test]
fn heads_of_functions_that_are_bound_to_names_are_checked() {
    let tool = "{search, \"(query :string) -> :string\"}";
    for function in [
        "search = fn %{\"qury\" => q} -> q end",
        "search = fn %{\"qury\" => q} when q > 1 ->\n  log(q)\n  q\nend",
    ] {
        let expected = [format!("unknown-head-key: {tool}")];
        assert_eq!(found_with_tool(function, tool), expected, "{function}");
    }
    let bound = "search = fn %{\"qury\" => q} -> q end\nmine = %{\"search\" => {search, signature: \"(query :string) -> :string\"}}\nSubAgent.new(prompt: \"Go.\", tools: mine)\n";
    let expected = ["unknown-head-key: {search, signature: \"(query :string) -> :string\"}"];
    assert_eq!(found_in(HostKind::Elixir, bound, Edition::V0_11), expected);
    let nothing: [&str; 0] = [];
    for function in [
        "search = fn %{\"query\" => q} -> q end",
        "search = fn args -> args[\"qury\"] end",
        "search = fn %{\"qury\" => q} -> q\n  %{\"query\" => q} -> q end",
        "search = fn %{\"qury\" => q} -> q end\nsearch = other",
        "if x do\n  search = fn %{\"qury\" => q} -> q end\nend",
        "search = wrap(fn %{\"qury\" => q} -> q end)",
    ] {
        assert_eq!(found_with_tool(function, tool), nothing, "{function}");
    }
}

/// The library reads the options that describe an agent only where a prompt makes it.
#[test]
fn what_a_run_says_of_an_agent_that_is_made_already_is_ignored() {
    finds_nothing(&[
        "SubAgent.run(finder, context: %{n: 1}, signature: \"(z :int) -> :int\")",
        "SubAgent.run(finder, context: %{n: 1}, prompt: \"Other {{z}}\", max_turns: 1)",
        "SubAgent.run(finder, context: %{n: 1}, tools: %{\"t\" => nil})",
        "tools = %{\"t\" => nil}\nSubAgent.run(finder, context: %{n: 1}, tools: tools)",
        "SubAgent.run(compiled, context: %{n: 1}, signature: \"(z :int) -> :int\")",
        "other = \"(z :int) -> :int\"\nSubAgent.run(finder, context: %{n: 1}, signature: other)",
        "bare = SubAgent.new(prompt: \"Go.\")\nSubAgent.run(bare, context: %{n: 1}, signature: \"(z :int) -> :int\")",
        "def a, do: SubAgent.new(prompt: \"Go {{q}}\")\ndef b, do: SubAgent.run(a(), context: %{q: 1}, signature: \"(z :int) -> :int\")",
    ]);
    finds_one(&[
        (
            "SubAgent.run(finder, context: %{}, signature: \"() -> :int\")",
            "missing-value: %{}",
        ),
        (
            "s = SubAgent.run!(finder, context: %{n: 1}, signature: \"{a :int}\")\ns.return[\"a\"]",
            "unknown-result-key: a",
        ),
        (
            "prompt = \"Go {{a}}\"\nSubAgent.run(prompt, context: %{a: 1}, signature: \"(a :string) -> :int\")",
            "value-type: 1",
        ),
    ]);
}
