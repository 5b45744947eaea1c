//! Tests of chains of agents: what is reported, and what is not.

use proptest::prelude::*;

use crate::{
    ide::{
        Document, Settings, Severity, names,
        testing::{beside, follow_piece_edits, found_in, piece_edits, shown},
    },
    model::Edition,
};
use signature_ls_source::{
    host::HostKind,
    text::{TextEdit, TextRange, size},
};

const AGENTS: &str = r#"
finder = SubAgent.new(prompt: "Find.", signature: "(n :int) -> {title :string, tags [:string], by {name :string}}")
writer = SubAgent.new(prompt: "Write {{title}}", signature: "(title :string) -> {text :string}")
counter = SubAgent.new(prompt: "Count.", signature: "(title :int, tags :string?) -> :int")
noted = SubAgent.new(prompt: "Note {{title}}", signature: "(title :string, note :string?) -> :int")
sorter = SubAgent.new(prompt: "Sort.", signature: "{sort_key :string}")
hyphened = SubAgent.new(prompt: "Use {{sort-key}}", signature: "(sort-key :string) -> :int")
"#;

/// The diagnostics in code after the agents.
fn found(code: &str) -> Vec<String> {
    found_in(
        HostKind::Elixir,
        &format!("{AGENTS}{code}\n"),
        Edition::V0_11,
    )
}

#[test]
fn the_context_of_an_agent_with_a_name_is_checked() {
    for (code, expected) in [
        (
            r#"SubAgent.run(finder, context: %{n: "x"})"#,
            "value-type: \"x\"",
        ),
        (
            r#"finder |> SubAgent.run(context: %{n: "x"})"#,
            "value-type: \"x\"",
        ),
        (
            r#"SubAgent.run(finder, [llm: llm, context: %{n: "x"}])"#,
            "value-type: \"x\"",
        ),
        (
            r#"finder |> SubAgent.run!([context: %{n: "x"}]) |> SubAgent.then!(writer)"#,
            "value-type: \"x\"",
        ),
        (
            r#"SubAgent.run!(SubAgent.new([prompt: "Go.", signature: "(n :int) -> :any"]), context: %{n: "x"})"#,
            "value-type: \"x\"",
        ),
        (
            r#"SubAgent.run!(finder, context: %{n: 1, m: 2})"#,
            "unknown-input: m",
        ),
        (
            r#"SubAgent.run(finder, context: %{m: 2})"#,
            "missing-value: %{m: 2}",
        ),
        (
            r#"SubAgent.run(finder, [{:context, %{n: "x"}}])"#,
            "value-type: \"x\"",
        ),
        // The signature of a run only counts beside a prompt.
        (
            r#"SubAgent.run(finder, context: %{n: "x"}, signature: "(n :string) -> :any")"#,
            "value-type: \"x\"",
        ),
    ] {
        assert!(
            found(code).iter().any(|it| it == expected),
            "{code}: {:?}",
            found(code)
        );
    }
    for code in [
        r#"SubAgent.run(finder, context: %{n: 1})"#,
        r#"SubAgent.run(finder, [context: %{n: 1}])"#,
        r#"SubAgent.run(finder, [context: %{n: "x"}] ++ options)"#,
        r#"SubAgent.run(finder, context: %{n: "x"}, signature_validation: :disabled)"#,
        r#"SubAgent.run(finder, context: %{n: x})"#,
        r#"SubAgent.run(finder, Keyword.put(opts, :context, %{n: "x"}))"#,
        "finder = other()\nSubAgent.run(finder, context: %{n: \"x\"})",
        "finder = if x, do: finder, else: writer\nSubAgent.run(finder, context: %{n: \"x\"})",
        "fn finder -> SubAgent.run(finder, context: %{n: \"x\"}) end",
        "def f(finder), do: SubAgent.run(finder, context: %{n: \"x\"})",
        "case x do\n  finder -> SubAgent.run(finder, context: %{n: \"x\"})\nend",
    ] {
        assert!(found(code).is_empty(), "{code}: {:?}", found(code));
    }
}

#[test]
fn a_prompt_is_checked_against_the_signature_in_options_that_are_not_written_out() {
    let options = r#"[signature: "(n :string) -> {text :string}", llm: llm]"#;
    for (code, expected) in [
        (
            format!("opts = {options}\n{{:ok, step}} = SubAgent.run(\"Hi {{{{m}}}}\", opts)"),
            Some("unknown-placeholder: m"),
        ),
        (
            format!("@opts {options}\n{{:ok, step}} = SubAgent.run(\"Hi {{{{m}}}}\", @opts)"),
            Some("unknown-placeholder: m"),
        ),
        (
            format!("{{:ok, step}} = SubAgent.run(\"Hi {{{{m}}}}\", {options} ++ opts)"),
            Some("unknown-placeholder: m"),
        ),
        (
            format!("{{:ok, step}} = SubAgent.run(\"Hi {{{{m}}}}\", Keyword.merge(opts, {options}))"),
            Some("unknown-placeholder: m"),
        ),
        (
            "{:ok, step} = SubAgent.run(\"Hi {{m}}\", Keyword.merge(opts, llm: llm, signature: \"(n :string) -> {text :string}\"))"
                .to_owned(),
            Some("unknown-placeholder: m"),
        ),
        // Another signature may replace it.
        (
            format!("{{:ok, step}} = SubAgent.run(\"Hi {{{{m}}}}\", Keyword.merge({options}, opts))"),
            None,
        ),
        (
            format!("{{:ok, step}} = SubAgent.run(\"Hi {{{{m}}}}\", opts ++ {options})"),
            None,
        ),
        (
            format!("opts = {options}\nopts = other(opts)\n{{:ok, step}} = SubAgent.run(\"Hi {{{{m}}}}\", opts)"),
            None,
        ),
    ] {
        let found = found(&format!("{code}\nstep.return[\"txet\"]"));
        let read = expected.map(|_| "unknown-result-key: txet");
        let expected: Vec<_> = expected.into_iter().chain(read).collect();
        assert_eq!(found, expected, "{code}");
    }
    for code in [
        "SubAgent.run(\"Hi {{n}}\", [signature: \"(n :string) -> :int\"] ++ opts)",
        "opts = [signature: \"(n :string) -> :int\", context: %{n: \"x\"}]\nSubAgent.run(\"Hi {{n}}\", opts)",
        "opts = [context: %{n: \"x\"}]\nSubAgent.run(\"Hi {{n}}\", opts)",
    ] {
        assert!(found(code).is_empty(), "{code}: {:?}", found(code));
    }
}

#[test]
fn agents_of_attributes_and_functions_are_followed() {
    let new = r#"SubAgent.new(prompt: "Go.", signature: "(n :int) -> {count :int}")"#;
    for (agent, used) in [
        (format!("@agent {new}"), "@agent"),
        (format!("defp agent, do: {new}"), "agent()"),
        (format!("def agent() do\n    {new}\n  end"), "agent()"),
        (
            format!("def agent do\n    made = {new}\n    made\n  end"),
            "agent()",
        ),
        (format!("def agent(opts), do: {new}"), "agent(1)"),
        (
            "@signature \"(n :int) -> {count :int}\"\n  @agent SubAgent.new(prompt: \"Go.\", signature: @signature)"
                .to_owned(),
            "@agent",
        ),
    ] {
        let text = format!(
            "defmodule A do\n  {agent}\n\n  def run do\n    {{:ok, step}} = SubAgent.run({used}, context: %{{n: \"x\"}})\n    \
             step.return[\"conut\"]\n  end\nend\n"
        );
        let found = found_in(HostKind::Elixir, &text, Edition::V0_11);
        assert_eq!(
            found,
            ["value-type: \"x\"", "unknown-result-key: conut"],
            "{text}"
        );
    }
    let later = format!(
        "defmodule A do\n  def run, do: SubAgent.run(agent(), context: %{{n: \"x\"}})\n  defp agent, do: {new}\nend\n"
    );
    assert_eq!(
        found_in(HostKind::Elixir, &later, Edition::V0_11),
        ["value-type: \"x\""]
    );
    let cyclic = "a = b\nb = a\nSubAgent.run(a, context: %{n: 1})\ndef c, do: d()\ndef d, do: c()\nSubAgent.run(c(), context: 1)\n";
    assert!(found_in(HostKind::Elixir, cyclic, Edition::V0_11).is_empty());
}

/// The diagnostics in `code` beside other files.
fn found_beside(others: &str, code: &str) -> Vec<String> {
    let document = beside(others, code);
    let found = document.diagnostics().into_iter();
    found
        .map(|it| format!("{}: {}", it.rule.code, shown(&document, it.range)))
        .collect()
}

#[test]
fn agents_of_functions_in_other_files_are_followed() {
    let new = r#"SubAgent.new(prompt: "Go.", signature: "(n :int) -> {count :int}")"#;
    let run = |agent: &str| {
        format!(
            "alias MyApp.Agents\n{{:ok, step}} = SubAgent.run({agent}, context: %{{n: \"x\"}})\nstep.return[\"conut\"]\n"
        )
    };
    let module = |body: &str| format!("defmodule MyApp.Agents do\n  {body}\nend\n");
    let expected = ["value-type: \"x\"", "unknown-result-key: conut"];
    for (body, agent) in [
        (format!("def finder, do: {new}"), "MyApp.Agents.finder()"),
        (format!("def finder(), do: {new}"), "Agents.finder()"),
        (format!("def finder do\n    {new}\n  end"), "Agents.finder()"),
        (
            format!("def finder(opts \\\\ []) do\n    made = {new}\n    log(opts)\n    made\n  end"),
            "Agents.finder(1)",
        ),
        (
            format!("@finder {new}\n  def finder, do: @finder"),
            "Agents.finder()",
        ),
        (
            format!("def finder, do: build()\n  defp build do\n    {new}\n  end"),
            "Agents.finder()",
        ),
        (
            "@sig \"(n :int) -> {count :int}\"\n  def finder, do: PtcRunner.SubAgent.new(prompt: \"Go.\", signature: @sig)"
                .to_owned(),
            "Agents.finder()",
        ),
        (
            "alias PtcRunner.SubAgent, as: Agent\n  def finder, do: Agent.new(signature: \"(n :int) -> {count :int}\")"
                .to_owned(),
            "Agents.finder()",
        ),
    ] {
        let (others, code) = (module(&body), run(agent));
        assert_eq!(found_beside(&others, &code), expected, "{others}{code}");
    }
    for (body, agent) in [
        (format!("defp finder, do: {new}"), "Agents.finder()"),
        (format!("def finder, do: {new}"), "Agents.finder(1)"),
        (format!("def finder, do: {new}"), "Other.finder()"),
        (
            format!("def finder(1), do: {new}\n  def finder(2), do: other()"),
            "Agents.finder(1)",
        ),
        (
            format!("def finder do\n    {new}\n  rescue\n    _ -> {new}\n  end"),
            "Agents.finder()",
        ),
        (
            format!(
                "def finder do\n    made = {new}\n    {{made, x}} = other(made)\n    made\n  end"
            ),
            "Agents.finder()",
        ),
        (
            format!("alias Other.SubAgent\n  def finder, do: {new}"),
            "Agents.finder()",
        ),
        (
            "def finder, do: more()\n  def more, do: finder()".to_owned(),
            "Agents.finder()",
        ),
        (
            format!("def finder, do: {new} |> change()"),
            "Agents.finder()",
        ),
        (
            format!("def finder do\n    if x do\n      {new}\n    end\n  end"),
            "Agents.finder()",
        ),
    ] {
        let (others, code) = (module(&body), run(agent));
        let nothing: [&str; 0] = [];
        assert_eq!(found_beside(&others, &code), nothing, "{others}{code}");
    }
    let strict = module(&format!(
        "def finder, do: {}",
        new.replace(
            "{count :int}\")",
            "{count :int}\", signature_validation: :strict)"
        )
    ));
    let code = "SubAgent.run(MyApp.Agents.finder(), context: %{n: \"1\"})\n";
    assert_eq!(found_beside(&strict, code), ["value-type: \"1\""]);
}

#[test]
fn reads_of_a_result_are_checked() {
    let steps = [
        "{:ok, step} = SubAgent.run(finder, llm: llm)\nREAD",
        "step = SubAgent.run!(finder, llm: llm)\nREAD",
        "step = finder |> SubAgent.run!(llm: llm)\nREAD",
        "with {:ok, step} <- SubAgent.run(finder, llm: llm) do\n  READ\nend",
        "case SubAgent.run(finder, llm: llm) do\n  {:ok, step} -> READ\n  {:error, step} -> step.fail\nend",
        "finder |> SubAgent.run(llm: llm) |> case do\n  {:ok, step} -> READ\nend",
        "{:ok, compiled} = SubAgent.compile(finder, llm: llm)\nstep = compiled.execute.(%{n: 1}, [])\nREAD",
        "{:ok, compiled} = SubAgent.compile(finder, llm: llm)\n{:ok, step} = SubAgent.run(compiled, llm: llm)\nREAD",
    ];
    let reads = [
        (r#"step.return["titel"]"#, Some("unknown-result-key: titel")),
        (
            r#"step.return["by"]["nmae"]"#,
            Some("unknown-result-key: nmae"),
        ),
        (r#"step.return.title"#, Some("atom-result-key: title")),
        (r#"step.return[:title]"#, Some("atom-result-key: title")),
        (
            r#"Map.get(step.return, "titel")"#,
            Some("unknown-result-key: titel"),
        ),
        (
            r#"Map.fetch!(step.return, :title)"#,
            Some("atom-result-key: title"),
        ),
        (
            r#"{:ok, t} = Map.fetch(step.return, "titel")"#,
            Some("unknown-result-key: titel"),
        ),
        (
            r#"get_in(step.return, ["by", "nmae"])"#,
            Some("unknown-result-key: nmae"),
        ),
        (
            r#"step.return |> Map.get("titel") |> String.upcase()"#,
            Some("unknown-result-key: titel"),
        ),
        (
            r#"%{"titel" => t} = step.return"#,
            Some("unknown-result-key: titel"),
        ),
        (
            r#"%{return: %{title: t}} = step"#,
            Some("atom-result-key: title"),
        ),
        (
            r##"IO.puts("#{step.return["titel"]}")"##,
            Some("unknown-result-key: titel"),
        ),
        (r#"step.return["tags"]["x"]"#, Some("unknown-result-key: x")),
        (
            r#"assert Map.has_key?(step.return, "titel")"#,
            Some("unknown-result-key: titel"),
        ),
        (r#"if is_map_key(step.return, :title), do: 1"#, None),
        (
            r#"step.return |> Map.take([:title])"#,
            Some("atom-result-key: title"),
        ),
        (
            r#"Map.take(step.return, ["title", "tagz"])"#,
            Some("unknown-result-key: tagz"),
        ),
        (
            r#"{t, rest} = Map.pop(step.return["by"], "nmae")"#,
            Some("unknown-result-key: nmae"),
        ),
        (
            r#"step.return["byy"] |> Map.update!("name", &String.upcase/1)"#,
            Some("unknown-result-key: byy"),
        ),
        (
            r#"Access.get(step.return, "titel")"#,
            Some("unknown-result-key: titel"),
        ),
        (
            r#"get_in(step, [Access.key(:return), "titel"])"#,
            Some("unknown-result-key: titel"),
        ),
        (
            r#"assert step.return == %{"titel" => 0}"#,
            Some("unknown-result-key: titel"),
        ),
        (
            r#"assert %{title: "a"} == step.return"#,
            Some("atom-result-key: title"),
        ),
        (
            r#"assert step.return["by"] === %{"nmae" => "a"}, "a message""#,
            Some("unknown-result-key: nmae"),
        ),
        (r#"assert step.return["tags"] == ["a", "b"]"#, None),
        (r#"assert f(step.return) == %{titel: 1}"#, None),
        (
            r#"assert step.return == %{step.return | "title" => 1}"#,
            None,
        ),
        (r#"assert step.return != %{"titel" => 0}"#, None),
        (r#"refute step.return == %{"titel" => 0}"#, None),
        (r#"refute Map.has_key?(step.return, "titel")"#, None),
        (r#"assert not is_map_key(step.return, :title)"#, None),
        (
            r#"assert Map.has_key?(step.return, "titel") == false"#,
            None,
        ),
        (
            r#"Map.has_key?(step.return, :title) or Map.has_key?(step.return, "title")"#,
            None,
        ),
        (r#"if Map.has_key?(step.return, "error"), do: 1"#, None),
        (r#"refute(Map.has_key?(step.return, "titel"))"#, None),
        (
            r#"assert false == Map.has_key?(step.return, "titel")"#,
            None,
        ),
        (r#"assert Map.has_key?(step.return, "titel") != true"#, None),
        (r#"unless Map.has_key?(step.return, "titel"), do: 1"#, None),
        (r#"assert %{} == Map.take(step.return, ["titel"])"#, None),
        (r#"Map.take(step.return, [:title, "title"])"#, None),
        (r#"Map.take(step.return, keys)"#, None),
        (r#"Map.take(step.return, ["title"])["titel"]"#, None),
        (r#"step.return["title"]"#, None),
        (r#"step.return["by"]["name"]"#, None),
        (r#"step.return[key]"#, None),
        (r#"step.fail.reason"#, None),
        (r#"Enum.map(f(step.return["tags"]), & &1["x"])"#, None),
        (r#"step.return == %{title: 1}"#, None),
        (r#"step.return[:title] || step.return["title"]"#, None),
    ];
    for step in steps {
        for (read, expected) in reads {
            let code = step.replace("READ", read);
            let found = found(&code);
            // A compiled program decides about its keys itself.
            let is_atom = |it: &&str| it.starts_with("atom-result-key");
            let expected = expected.filter(|it| !(step.contains("compile") && is_atom(it)));
            assert_eq!(
                found.first().map(String::as_str),
                expected,
                "{code}: {found:?}"
            );
            assert!(found.len() < 2, "{code}: {found:?}");
        }
    }
}

#[test]
fn early_programs_return_atoms() {
    let text = format!("{AGENTS}step = SubAgent.run!(finder, llm: llm)\nREAD\n");
    for (read, expected) in [
        ("step.return.title", None),
        ("step.return[\"title\"]", None),
        ("step.return.titel", Some("unknown-result-key: titel")),
    ] {
        let text = text.replace("READ", read);
        let found = found_in(HostKind::Elixir, &text, Edition::V0_4);
        assert_eq!(found.first().map(String::as_str), expected, "{read}");
    }
}

#[test]
fn what_is_chained_is_checked() {
    for (code, expected) in [
        (
            "{:ok, step} = SubAgent.run(finder, llm: llm)\nSubAgent.run(writer, llm: llm, context: step)",
            vec![],
        ),
        (
            "{:ok, step} = SubAgent.run(finder, llm: llm)\nSubAgent.run(counter, llm: llm, context: step)",
            vec!["chained-coercion: step", "chained-type: step"],
        ),
        (
            "SubAgent.run!(writer, llm: llm) |> SubAgent.then!(writer, llm: llm)",
            vec!["missing-chained-input: SubAgent.then!"],
        ),
        (
            "SubAgent.run(writer, llm: llm) |> SubAgent.then(writer, llm: llm)",
            vec!["missing-chained-input: SubAgent.then"],
        ),
        (
            "step = SubAgent.run!(writer, llm: llm)\nSubAgent.then!(step, writer, llm: llm)",
            vec!["missing-chained-input: step"],
        ),
        // The step takes the place of the context.
        (
            "step = SubAgent.run!(finder, llm: llm)\nSubAgent.then!(step, writer, context: %{other: 1}, llm: llm)",
            vec![],
        ),
        (
            "SubAgent.run!(writer, llm: llm) |> SubAgent.then!(writer, context: %{}, llm: llm)",
            vec!["missing-chained-input: SubAgent.then!"],
        ),
        // `then` requires every input, by its exact name.
        (
            "SubAgent.run!(finder, llm: llm) |> SubAgent.then!(noted, llm: llm)",
            vec!["missing-chained-input: SubAgent.then!"],
        ),
        (
            "SubAgent.run(finder, llm: llm) |> SubAgent.then(noted, llm: llm)",
            vec!["missing-chained-input: SubAgent.then"],
        ),
        (
            "step = SubAgent.run!(finder, llm: llm)\nSubAgent.run(noted, llm: llm, context: step)",
            vec![],
        ),
        (
            "step = SubAgent.run!(sorter, llm: llm)\nSubAgent.then!(step, hyphened, llm: llm)",
            vec!["missing-chained-input: step"],
        ),
        (
            "step = SubAgent.run!(sorter, llm: llm)\nSubAgent.run(hyphened, llm: llm, context: step)",
            vec![],
        ),
        (
            "with {:ok, step1} <- SubAgent.run(writer, llm: llm),\n     {:ok, step2} <- SubAgent.run(writer, llm: llm, context: step1) do\n  {:ok, step2}\nend",
            vec!["missing-chained-input: step1"],
        ),
        (
            "step = SubAgent.run!(finder, llm: llm)\nSubAgent.run(writer, context: %{title: step.return[\"tags\"]})",
            vec!["chained-type: step.return[\"tags\"]"],
        ),
        (
            "step = SubAgent.run!(finder, llm: llm)\nSubAgent.run(\"{{t}}\", signature: \"(t :string) -> :any\", context: step)",
            vec!["missing-chained-input: step"],
        ),
        (
            "step = SubAgent.run!(finder, llm: llm)\nSubAgent.run(writer, context: other(step))",
            vec![],
        ),
        (
            "step = SubAgent.run!(finder, llm: llm)\nstep = change(step)\nSubAgent.run(counter, context: step)",
            vec![],
        ),
    ] {
        let mut found = found(code);
        found.sort();
        found.dedup();
        assert_eq!(found, expected, "{code}");
    }
}

#[test]
fn both_places_of_a_chain_are_named() {
    let text =
        format!("{AGENTS}SubAgent.run!(writer, llm: llm) |> SubAgent.then!(writer, llm: llm)\n");
    let document = Document::new(HostKind::Elixir, &text, Settings::default());
    let found = document.diagnostics();
    let chained = found
        .iter()
        .find(|it| it.rule.code == "missing-chained-input");
    let related = chained.expect("a finding").related.iter();
    let related = related.map(|it| &text[it.range]);
    assert_eq!(related.collect::<Vec<_>>(), ["{text :string}", "title"]);
}

#[test]
fn names_flow_from_cell_to_cell() {
    let cells = |install: &str| {
        format!(
            "# Notes\n\n```elixir\n{install}\n```\n\nAn agent:\n\n```elixir\nagent = SubAgent.new(prompt: \"Go.\", signature: \"(n :int) -> {{count :int}}\")\n```\n\n```elixir\n{{:ok, step}} = SubAgent.run(agent, context: %{{n: \"x\"}})\n```\n\n```elixir\nstep.return[\"conut\"]\n```\n"
        )
    };
    let notebook = cells("Mix.install([{:ptc_runner, \"~> 0.13\"}])");
    assert_eq!(
        found_in(HostKind::Markdown, &notebook, Edition::V0_4),
        ["value-type: \"x\"", "unknown-result-key: conut"]
    );
    let guide = cells("import A");
    assert!(found_in(HostKind::Markdown, &guide, Edition::V0_11).is_empty());
    // A Livebook can also be attached to a project that has the library.
    let long = format!("{guide}\n{}", "Some words.\n\n".repeat(6_000));
    for livebook in [guide, long] {
        assert_eq!(
            found_in(HostKind::Livebook, &livebook, Edition::V0_11),
            found_in(HostKind::Markdown, &notebook, Edition::V0_11)
        );
    }
}

#[test]
fn what_is_installed_tells_the_edition() {
    let text = |version: &str| {
        format!(
            "Mix.install([{{:ptc_runner, \"{version}\"}}])\n{AGENTS}step = SubAgent.run!(finder)\nstep.return.title\n"
        )
    };
    assert!(found_in(HostKind::Elixir, &text("~> 0.4.0"), Edition::V0_11).is_empty());
    let new = text("~> 0.13");
    assert_eq!(
        found_in(HostKind::Elixir, &new, Edition::V0_4),
        ["atom-result-key: title"]
    );
    let chosen = Settings {
        edition: Edition::V0_4,
        is_edition_chosen: true,
        ..Settings::default()
    };
    let document = Document::new(HostKind::Elixir, &new, chosen);
    assert_eq!(document.edition(), Edition::V0_4);
    let mut document = Document::new(HostKind::Elixir, &new, Settings::default());
    let at = size(new.find("0.13").expect("a version"));
    document.edit(&TextEdit::replace(TextRange::at(at, size(4)), "0.4.0"));
    let found = document.diagnostics().into_iter();
    let found: Vec<_> = found.filter(|it| it.severity > Severity::Hint).collect();
    assert!(found.is_empty(), "{found:?}");
}

/// Statements through which names of agents and steps flow.
const PIECES: &[&str] = &[
    "a = SubAgent.new(prompt: \"A\", signature: \"(x :int) -> {x :int, y :string}\")\n",
    "b = SubAgent.new(prompt: \"B\", signature: \"(y :int) -> {z :string}\")\n",
    "a = b\n",
    "s = SubAgent.run!(a, context: %{x: 1})\n",
    "{:ok, s} = SubAgent.run(b, context: s)\n",
    "s.return[\"y\"]\n",
    "s.return.z\n",
    "Map.take(s.return, [\"q\", \"y\"])\n",
    "SubAgent.then!(s, b)\n",
    "def f, do: SubAgent.new(prompt: \"F\", signature: \"{f :int}\")\n",
    "s = SubAgent.run!(f())\n",
    "def g do\n  SubAgent.run!(f())\nend\n",
    "s = g()\n",
    "case SubAgent.run(a) do\n  {:ok, s} -> s.return[\"f\"]\n  _ -> s\nend\n",
    "with {:ok, s} <- SubAgent.run(b), {:ok, t} <- SubAgent.run(a, context: s) do\n  t.return[\"q\"]\nend\n",
    "@a SubAgent.new(prompt: \"C\", signature: \"(z :string) -> :int\")\n",
    "SubAgent.run(@a, context: s)\n",
    "%{return: %{\"z\" => z}} = s\n",
    "def h do\n  q = SubAgent.new(prompt: \"H\", signature: \"{h :int}\")\n  SubAgent.run!(q)\nend\n",
    "s = h()\n",
    "@sig \"(x :int) -> {y :string}\"\n",
    "b = SubAgent.new(prompt: \"{{x}}\", signature: @sig)\n",
    "SubAgent.new(prompt: \"D\", tools: %{\"t\" => {f, @sig}})\n",
    "p = \"{{y}}\"\n",
    "defp next(s), do: SubAgent.run!(b, context: s)\n",
    "defp last({:ok, s}) do\n  s.return[\"q\"]\n  next(s)\nend\n",
    "def start do\n  s = SubAgent.run(a)\n  last(s)\nend\n",
    "next(s)\n",
    "c = %{x: \"1\"}\n",
    "SubAgent.run(a, context: c)\n",
    "[a, b] |> Enum.map(&next/1)\n",
    "SubAgent.new(prompt: p, signature: \"(y :int) -> :int\")\n",
    "o = [context: %{x: \"1\"}]\n",
    "o = [context: s, signature: \"{q :int}\"]\n",
    "s = SubAgent.run!(a, o)\n",
    "m = %{a: a, b: SubAgent.new(prompt: \"M\", signature: \"(m :int) -> {m :int}\")}\n",
    "m = [a: b]\n",
    "s = SubAgent.run!(m.b, context: %{m: \"x\"})\n",
    "a = m[:a]\n",
    "{:ok, k} = SubAgent.compile(b)\n",
    "s = k.execute.(%{y: \"1\"}, [])\n",
    "k.execute.(c)\n",
    "SubAgent.new(prompt: \"T\", tools: w())\n",
    "def w, do: %{\"t\" => &M.w/1, u: 1}\n",
    "def w do\n  %{\"t\" => {&M.w/1, \"(query :int) -> :int\"}}\nend\n",
    "w = fn %{\"qury\" => q} -> q end\n",
    "w = &M.w/1\n",
    "SubAgent.new(prompt: \"E\", tools: %{\"t\" => {w, \"(query :int) -> :int\"}, \"u\" => w})\n",
    "end\n",
    "do\n",
    "\n",
];

proptest! {
    #[test]
    fn an_edit_finds_what_a_fresh_document_has(
        chosen in prop::collection::vec(0..PIECES.len(), 1..12),
        edits in piece_edits(PIECES.len(), 40),
    ) {
        follow_piece_edits(HostKind::Elixir, PIECES, &chosen, edits, |document, fresh, text| {
            let origins = |it: &Document| it.host().units().iter().map(|it| (it.start, it.origins().collect::<Vec<_>>())).collect::<Vec<_>>();
            prop_assert_eq!(origins(document), origins(fresh), "{}", text);
            for (unit, placed) in document.host().units().iter().enumerate() {
                for origin in placed.origins().flatten() {
                    let is_declared = names::signature_at(document, origin).is_some();
                    let is_found = names::units_using(document, origin).contains(&unit);
                    prop_assert!(is_found || !is_declared, "{:?} in {}", origin, text);
                }
            }
            Ok(())
        })?;
    }
}

const LISTS: &str = r#"
finder = SubAgent.new(prompt: "Find.", signature: "{count :int, items [{id :int, tags [:string]}]}")
{:ok, step} = SubAgent.run(finder)
"#;

fn found_after_lists(code: &str) -> Vec<String> {
    found_in(
        HostKind::Elixir,
        &format!("{LISTS}{code}\n"),
        Edition::V0_11,
    )
}

#[test]
fn elements_of_lists_are_followed() {
    for code in [
        r#"for item <- step.return["items"], do: item["di"]"#,
        "rows = for item <- step.return[\"items\"], item[\"di\"] > 1 do\n  1\nend",
        r#"for %{"di" => id} <- step.return["items"], do: id"#,
        r#"Enum.map(step.return["items"], fn item -> item["di"] end)"#,
        r#"Enum.each(step.return["items"], fn %{"di" => id} -> id end)"#,
        r#"step.return["items"] |> Enum.filter(&(&1["id"] > 1)) |> Enum.map(& &1["di"])"#,
        r#"step.return["items"] |> Enum.map(&Map.get(&1, "di"))"#,
        r#"Enum.map_join(step.return["items"], ", ", fn item -> item["di"] end)"#,
        r#"Enum.reduce(step.return["items"], 0, fn item, sum -> sum + item["di"] end)"#,
        r#"step.return["items"] |> Enum.reduce(0, fn %{"di" => id}, sum -> sum + id end)"#,
        r#"hd(step.return["items"])["di"]"#,
        r#"Enum.map(hd(step.return["items"])["tags"], & &1["di"])"#,
        r#"Enum.at(step.return["items"], 0)["di"]"#,
        r#"(step.return["items"] |> Enum.sort_by(& &1["id"]) |> List.first())["di"]"#,
        "[first | _] = step.return[\"items\"]\nfirst[\"di\"]",
        "[_ | rest] = step.return[\"items\"]\nhd(rest)[\"di\"]",
        r#"[%{"di" => id}, _] = step.return["items"]"#,
    ] {
        assert_eq!(
            found_after_lists(code),
            ["unknown-result-key: di"],
            "{code}"
        );
    }
}

#[test]
fn functions_that_are_given_a_result_and_patterns_of_tests_are_followed() {
    for code in [
        r#"SubAgent.run!(finder) |> then(fn step -> step.return["di"] end)"#,
        r#"SubAgent.run!(finder) |> then(fn %{return: %{"di" => id}} -> id end)"#,
        r#"SubAgent.run!(finder) |> then(& &1.return["di"])"#,
        r#"SubAgent.run!(finder) |> tap(fn step -> IO.inspect(step.return["di"]) end)"#,
        r#"(SubAgent.run!(finder) |> tap(&IO.inspect/1)).return["di"]"#,
        r#"match?(%{"di" => _}, step.return)"#,
        r#"assert match?({:ok, %{return: %{"di" => _}}}, SubAgent.run(finder))"#,
        r#"assert {:ok, %{return: %{"di" => 1}}} = SubAgent.run(finder)"#,
        "assert {:ok, other} = SubAgent.run(finder)\nassert other.return[\"di\"] == 1",
        r#"assert %{"di" => 1} = step.return"#,
    ] {
        assert_eq!(
            found_after_lists(code),
            ["unknown-result-key: di"],
            "{code}"
        );
    }
}

#[test]
fn a_branch_sees_nothing_of_the_one_before() {
    let step = |keys: &str| format!("{{:ok, s}} = SubAgent.run(\"x\", signature: \"{keys}\")");
    let (outer, inner) = (step("{n :int}"), step("{m :int}"));
    for (first, second, end) in [
        ("if x do", "else", "end"),
        ("unless x do", "else", "end"),
        ("try do", "rescue\n  _ ->", "end"),
        ("try do", "after", "end"),
    ] {
        for (read, expected) in [("n", &[][..]), ("m", &["unknown-result-key: m"][..])] {
            let read = format!("s.return[\"{read}\"]");
            let branches = format!("{outer}\n{first}\n  {inner}\n{second}\n  {read}\n{end}");
            assert_eq!(found(&branches), expected, "{branches}");
            let one_line = format!("{outer}\n{first}\n  {inner}\n{second} {read}\n{end}");
            assert_eq!(found(&one_line), expected, "{one_line}");
        }
    }
    let rebound = format!("{outer}\nif x do\n  1\nelse\n  {inner}\n  s.return[\"m\"]\nend");
    assert_eq!(found(&rebound), [""; 0]);
}

#[test]
fn elements_that_are_not_certain_are_no_finding() {
    let nothing: [&str; 0] = [];
    for code in [
        r#"for item <- step.return["items"], do: item["id"]"#,
        r#"for {key, value} <- step.return, do: {key["di"], value["di"]}"#,
        r#"for item <- other(step.return["items"]), do: item["di"]"#,
        r#"Enum.map(step.return, fn {key, _} -> key["di"] end)"#,
        r#"Enum.map(step.return["items"], fn item -> item = f(item); item["di"] end)"#,
        r#"step.return["items"] |> Enum.map(&f/1) |> Enum.map(& &1["di"])"#,
        r#"Enum.reduce(step.return["items"], %{}, fn _, all -> all["di"] end)"#,
        r#"Enum.map(others, fn item -> item["di"] end)"#,
        r#"Enum.sort(step.return["items"], fn _, other -> other["di"] end)"#,
        r#"Enum.map(others, & &1["di"])"#,
        r#"Enum.at(step.return["items"], 0, %{})["di"]"#,
        r#"Enum.find(step.return["items"], %{}, & &1["id"])["di"]"#,
        r#"step.return["items"] |> MyApp.then(fn items -> items["di"] end)"#,
        r#"match?(%{"di" => _}, other)"#,
        "for item <- step.return[\"items\"], do: item\nitem[\"di\"]",
        "Enum.map(step.return[\"items\"], fn item -> item end)\nitem[\"di\"]",
        r#"assert %{"count" => 1} = step.return"#,
    ] {
        assert_eq!(found_after_lists(code), nothing, "{code}");
    }
}

#[test]
fn functions_and_tasks_that_are_bound_to_names_are_followed() {
    for code in [
        "go = fn -> SubAgent.run!(finder) end\ngo.().return[\"di\"]",
        "go = fn n -> SubAgent.run!(finder, context: %{n: n}) end\nother = go.(1)\nother.return[\"di\"]",
        "go = fn ->\n  IO.puts(\"x\")\n  SubAgent.run(finder)\nend\n{:ok, other} = go.()\nother.return[\"di\"]",
        "task = Task.async(fn -> SubAgent.run!(finder) end)\nTask.await(task).return[\"di\"]",
        "task = Task.async(fn -> SubAgent.run(finder) end)\n{:ok, other} = Task.await(task, 5000)\nother.return[\"di\"]",
        "(fn -> SubAgent.run!(finder) end |> Task.async() |> Task.await()).return[\"di\"]",
        "[one, _] = Enum.map(list, fn n -> SubAgent.run!(finder, context: %{n: n}) end)\none.return[\"di\"]",
        "list |> Enum.map(&SubAgent.run!(finder, context: %{n: &1})) |> Enum.map(& &1.return[\"di\"])",
        "[1, n] |> Task.async_stream(fn n -> SubAgent.run!(finder, context: %{n: n}) end) |> Enum.map(fn {:ok, it} -> it.return[\"di\"] end)",
        "list |> Task.async_stream(fn n -> SubAgent.run!(finder, context: %{n: n}) end) |> Enum.map(fn {:ok, it} -> it.return[\"di\"] end)",
        "list |> Enum.map(fn n -> Task.async(fn -> SubAgent.run!(finder, context: %{n: n}) end) end) |> Task.await_many() |> Enum.each(& &1.return[\"di\"])",
    ] {
        assert_eq!(
            found_after_lists(code),
            ["unknown-result-key: di"],
            "{code}"
        );
    }
}

#[test]
fn functions_that_are_not_certain_are_no_finding() {
    let nothing: [&str; 0] = [];
    for code in [
        "go = fn -> SubAgent.run!(finder) end\ngo = other\ngo.().return[\"di\"]",
        "go = fn -> :none\n   _ -> SubAgent.run!(finder) end\ngo.().return[\"di\"]",
        "go = fn -> SubAgent.run!(finder)\n  :done\nend\ngo.().return[\"di\"]",
        "go = fn -> go.() end\ngo.().return[\"di\"]",
        "go = fn step -> step end\ngo.(other).return[\"di\"]",
        "task = Task.async(fn -> SubAgent.run!(finder) end)\ntask.return[\"di\"]",
        "task = Task.async(M, :f, [])\nTask.await(task).return[\"di\"]",
        "steps = Enum.map(list, fn n -> SubAgent.run!(finder, context: %{n: n}) end)\nsteps.return[\"di\"]",
    ] {
        assert_eq!(found_after_lists(code), nothing, "{code}");
    }
}

/// What is found in a module with two agents and `code`.
fn found_in_module(code: &str) -> Vec<String> {
    let code = code.replace("\n ", "\n  ");
    let text = format!(
        "defmodule Chain do\n  @finder SubAgent.new(prompt: \"Find.\", signature: \"{{count :int, items [{{id :int}}]}}\")\n  \
         @next SubAgent.new(prompt: \"Go.\", signature: \"(subject :string) -> :int\")\n  {code}\nend\n"
    );
    found_in(HostKind::Elixir, &text, Edition::V0_11)
}

#[test]
fn parameters_of_private_functions_are_what_all_callers_give() {
    let start = "def start, do: go(SubAgent.run!(@finder))";
    for (code, expected) in [
        (
            format!("{start}\n defp go(step), do: SubAgent.run(@next, context: step)"),
            "missing-chained-input: step",
        ),
        (
            format!("{start}\n defp go(step) do\n  step.return[\"di\"]\n end"),
            "unknown-result-key: di",
        ),
        (
            "defp go({:ok, step}), do: step.return[\"di\"]\n defp go({:error, step}), do: step.fail\n def start do\n  \
             @finder |> SubAgent.run() |> go()\n end"
                .to_owned(),
            "unknown-result-key: di",
        ),
        (
            "def start do\n  {:ok, s} = SubAgent.run(@finder)\n  go(1, s)\n end\n defp go(_n, %{return: %{\"di\" => d}}), do: d"
                .to_owned(),
            "unknown-result-key: di",
        ),
        (
            "def start, do: first(@finder)\n defp first(agent), do: second(SubAgent.run!(agent))\n defp second(s), do: \
             s.return[\"di\"]"
                .to_owned(),
            "unknown-result-key: di",
        ),
        (
            "def start, do: go(SubAgent.run!(@finder), 3)\n defp go(s, 0), do: s.return[\"di\"]\n defp go(s, n), do: \
             go(s, n - 1)"
                .to_owned(),
            "unknown-result-key: di",
        ),
        (
            "def start, do: Enum.map(SubAgent.run!(@finder).return[\"items\"], &show/1)\n defp show(item), do: item[\"di\"]"
                .to_owned(),
            "unknown-result-key: di",
        ),
        (
            "def start, do: run(@finder).return[\"di\"]\n defp run(agent), do: SubAgent.run!(agent)".to_owned(),
            "unknown-result-key: di",
        ),
    ] {
        assert_eq!(found_in_module(&code), [expected], "{code}");
    }
}

#[test]
fn parameters_that_are_not_certain_are_no_finding() {
    let nothing: [&str; 0] = [];
    let head = "defp go(step), do: step.return[\"di\"]";
    let start = "def start, do: go(SubAgent.run!(@finder))";
    for code in [
        format!("{start}\n def go(step), do: step.return[\"di\"]"),
        format!("{start}\n {head}\n def other(x), do: go(x)"),
        format!("{start}\n {head}\n def other(x), do: go x"),
        format!("{start}\n {head}\n def other(x), do: x |> go"),
        format!("{start}\n {head}\n def other(x), do: x |> f() |> go()"),
        format!("{start}\n {head}\n def other(x), do: Enum.map(x, &go/1)"),
        format!("{start}\n {head}\n def other(x), do: Enum.map(x, &go(&1))"),
        format!("{start}\n {head}\n def other(x), do: f(&go/1, x)"),
        format!("{start}\n {head}\n def other(x), do: \"#{{go(x)}}\""),
        format!("{start}\n {head}\n def other, do: go(SubAgent.run!(@next))"),
        format!("{start}\n defp go(step \\\\ other()), do: step.return[\"di\"]"),
        format!("{start}\n defp go(step) do\n  step = f(step)\n  step.return[\"di\"]\n end"),
        head.to_owned(),
        "defp go(step), do: go(step).return[\"di\"]".to_owned(),
        "defp a(s), do: b(s)\n defp b(s), do: a(s).return[\"di\"]".to_owned(),
        format!(
            "{start}\n {head}\n defmodule Inner do\n  defp go(x), do: x\n  def f(x), do: go(x)\n end"
        ),
    ] {
        assert_eq!(found_in_module(&code), nothing, "{code}");
    }
}

#[test]
fn elements_of_lists_that_are_written_out_are_followed() {
    for (code, expected) in [
        (
            "[finder] |> Enum.map(&SubAgent.run!(&1, context: %{n: \"x\"}))",
            vec!["value-type: \"x\""],
        ),
        (
            "[finder] |> Task.async_stream(&SubAgent.run!(&1, context: %{n: \"x\"}))",
            vec!["value-type: \"x\""],
        ),
        (
            "for agent <- [finder, finder], do: SubAgent.run!(agent, context: %{n: \"x\"})",
            vec!["value-type: \"x\""],
        ),
        (
            "hd([SubAgent.run!(finder)]).return[\"di\"]",
            vec!["unknown-result-key: di"],
        ),
        (
            "[finder, writer] |> Enum.map(&SubAgent.run!(&1, context: %{n: \"x\"}))",
            vec![],
        ),
        (
            "[finder, other()] |> Enum.map(&SubAgent.run!(&1, context: %{n: \"x\"}))",
            vec![],
        ),
    ] {
        assert_eq!(found(code), expected, "{code}");
    }
}

#[test]
fn a_context_with_a_name_is_checked() {
    for (code, expected) in [
        (
            "inputs = %{n: \"x\"}\nSubAgent.run(finder, context: inputs)",
            vec!["value-type: \"x\""],
        ),
        (
            "inputs = %{m: 1}\nSubAgent.run!(finder, llm: llm, context: inputs)",
            vec!["missing-value: %{m: 1}", "unknown-input: m"],
        ),
        (
            "@inputs %{n: \"x\"}\ndef f, do: SubAgent.run(\"{{n}}\", signature: \"(n :int) -> :int\", context: @inputs)",
            vec!["value-type: \"x\""],
        ),
        (
            "inputs = %{n: \"x\"}\nSubAgent.run(finder, context: inputs)\nSubAgent.run(finder, context: inputs)",
            vec!["value-type: \"x\""],
        ),
        (
            "inputs = %{n: \"x\"}\ninputs = f(inputs)\nSubAgent.run(finder, context: inputs)",
            vec![],
        ),
        (
            "inputs = %{other | n: \"x\"}\nSubAgent.run(finder, context: inputs)",
            vec![],
        ),
        (
            "inputs = %{n: 1}\nSubAgent.run(finder, context: inputs)",
            vec![],
        ),
    ] {
        let mut found = found(code);
        found.sort();
        assert_eq!(found, expected, "{code}");
    }
}
