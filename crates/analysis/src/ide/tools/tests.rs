use crate::ide::{Document, Settings, hover, listing, rename};
use signature_ls_source::{
    host::HostKind,
    text::{TextEdit, TextRange, size},
};

/// The diagnostics of `text`: codes and texts.
fn found(kind: HostKind, text: &str) -> Vec<String> {
    let document = Document::new(kind, text, Settings::default());
    let found = document.diagnostics();
    let found = found
        .iter()
        .map(|it| format!("{} {}", it.rule.code, &text[it.range]));
    found.collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(found(HostKind::Elixir, text), expected, "{text}");
}

#[test]
fn tools_that_calls_make_have_contracts() {
    for tool in [
        "LLMTool.new(prompt: \"{{text}}\", signature: \"(text :int) -> :any\")",
        "SubAgent.as_tool(SubAgent.new(prompt: \"{{text}}\", description: \"d\", signature: \"(text :int) -> :any\"))",
        "SubAgent.new(prompt: \"{{text}}\", description: \"d\", signature: \"(text :int) -> :any\") |> SubAgent.as_tool()",
        "%PtcRunner.Tool{name: \"cls\", signature: \"(text :int) -> :any\"}",
        "{tool, \"(text :int) -> :any\"}",
        "{@tool, \"(text :int) -> :any\"}",
        "{tool(1), signature: \"(text :int) -> :any\"}",
    ] {
        let text = format!("Lisp.run(~S|(tool/cls {{:text 5.5}})|, tools: %{{\"cls\" => {tool}}})");
        check(&text, &["value-type 5.5"]);
    }
}

#[test]
fn programs_in_a_guide_call_the_tools_of_its_listings() {
    let text = "```signature\nsearch(query :string, limit :int?) -> [:map]\n  Finds pages.\n```\n\n> ```clojure\n> (tool/search {:query 5 :limt 1})\n> ```\n";
    assert_eq!(
        found(HostKind::Markdown, text),
        ["value-type 5", "unknown-argument :limt"]
    );
    let document = Document::new(HostKind::Markdown, text, Settings::default());
    let call = text.find("tool/search").expect("the call") + 7;
    let shown = hover(&document, size(call)).expect("a tool").markdown;
    assert!(
        shown.contains("search(query :string, limit :int?)"),
        "{shown}"
    );
    let renamed = rename(&document, size(call), "find").expect("no refusal");
    let renamed = renamed.expect("edits").into_iter();
    let names = renamed.map(|it| document.text().slice(it.range).into_owned());
    assert_eq!(names.collect::<Vec<_>>(), ["search", "search"]);
}

#[test]
fn names_stand_for_programs_tools_and_agents() {
    let bindings = [
        "sig = \"(text :int) -> :any\"\n",
        "agent = SubAgent.new(prompt: \"{{text}}\", signature: sig)\n",
        "tools = %{\"cls\" => SubAgent.as_tool(agent, description: \"d\")}\n",
        "source = \"(tool/cls {:text 5.5})\"\n",
        "Lisp.run(source, tools: tools)\n",
    ];
    check(&bindings.concat(), &["value-type 5.5"]);
    let rebound = bindings
        .concat()
        .replace("Lisp.run", "source = other()\nLisp.run");
    check(&rebound, &[]);
    check(
        "defmodule A do\n  @source \"(tool/cls {:text 5.5})\"\n  @handlers %{\"cls\" => {@f, \"(text :int) -> :any\"}}\n  \
         def run, do: Lisp.run(@source, tools: @handlers)\nend\n",
        &["value-type 5.5"],
    );
    check(
        "handlers = %{\"bad\" => :not_a_function}\nLisp.run(\"1\", tools: handlers)\n",
        &["invalid-tool :not_a_function"],
    );
}

#[test]
fn a_name_that_stands_for_itself_ends() {
    check(
        "tools = tools\nx = x\nLisp.run(x, tools: %{\"a\" => x})\n",
        &[],
    );
}

#[test]
fn registered_tools_are_checked_and_known() {
    check("PtcRunner.Tool.new(\"x\", 5)\n", &["invalid-tool 5"]);
    check(
        "PtcRunner.Tool.new(\"x\", {fn _ -> 1 end, :skp})\n",
        &["invalid-tool {fn _ -> 1 end, :skp}"],
    );
    let guide = "```elixir\nPtcRunner.Tool.new(\"search\", {&F.f/1, \"(query :string) -> :any\"})\n```\n\n\
                 ```clojure\n(tool/search {:query 5})\n(tool/serch {:query \"a\"})\n```\n";
    assert_eq!(
        found(HostKind::Markdown, guide),
        ["value-type 5", "unknown-tool serch"]
    );
    let quoted = "> ```elixir\n> Lisp.run(\"(tool/a {:n 5.5})\", tools: %{\"a\" => {f,\n> \"(n\n>   :int) -> :any\"}})\n> ```\n";
    assert_eq!(found(HostKind::Markdown, quoted), ["value-type 5.5"]);
}

#[test]
fn a_tool_of_a_program_has_a_hover() {
    let text = "tool = LLMTool.new(prompt: \"{{text}}\", signature: \"(text :int) -> :any\")\n\
                Lisp.run(\"(tool/cls {:text 5})\", tools: %{\"cls\" => tool})\n";
    let document = Document::new(HostKind::Elixir, text, Settings::default());
    let at = text.find("cls {").expect("a call");
    let hover = hover(&document, size(at)).expect("a hover");
    let shown = "```signature\ncls(text :int) -> :any\n```";
    assert!(hover.markdown.starts_with(shown), "{}", hover.markdown);
}

#[test]
fn names_of_tools_and_agents_are_listed() {
    let cases = [
        (
            HostKind::Prompt,
            "---\nname: mails\nsignature: \"() -> :int\"\n---\nHi",
        ),
        (
            HostKind::Yaml,
            "name: mails\nsignature: \"() -> :int\"\nprompt: Hi\n",
        ),
        (
            HostKind::Json,
            "{\"name\": \"mails\", \"signature\": \"() -> :int\"}",
        ),
        (
            HostKind::Lisp,
            "{:name \"mails\" :signature \"() -> :int\"}",
        ),
        (
            HostKind::Elixir,
            "SubAgent.new(name: \"mails\", prompt: \"Hi\", signature: \"() -> :int\")",
        ),
        (
            HostKind::Elixir,
            "%PtcRunner.Tool{name: \"mails\", signature: \"() -> :int\"}",
        ),
        (
            HostKind::Elixir,
            "PtcRunner.Tool.new(\"mails\", {&f/1, \"() -> :int\"})",
        ),
        (
            HostKind::Elixir,
            "PtcRunner.Tool.new(\"mails\", {&f/1, signature: \"() -> :int\"})",
        ),
        (
            HostKind::Elixir,
            "run(tools: %{\"mails\" => {tool, signature: \"() -> :int\"}})",
        ),
    ];
    for (kind, text) in cases {
        let document = Document::new(kind, text, Settings::default());
        let listed = listing(&document);
        let names: Vec<_> = listed.iter().map(|it| it.name.as_deref()).collect();
        assert_eq!(names, [Some("mails")], "{text}");
    }
}

#[test]
fn a_spec_without_a_valid_signature_is_reported_and_not_listed() {
    let text = "defmodule A do\n  @spec opt([integer()] | nil) :: integer()\n  def opt(i), do: i\n  \
                def agent, do: SubAgent.new(prompt: \"Go.\", tools: %{\"opt\" => &opt/1})\nend\n";
    check(text, &["unmapped-spec &opt/1"]);
    let document = Document::new(HostKind::Elixir, text, Settings::default());
    assert!(listing(&document).iter().all(|it| !it.is_sound));
}

#[test]
fn a_tool_without_a_readable_signature_is_a_tool() {
    for value in [
        "search-fn",
        "\"\"",
        "{:description \"d\"}",
        "nil",
        "\"finds things\"",
    ] {
        let text = format!(
            "{{:tools {{\"search\" {value} \"get\" \"(id :int) -> :map\"}}}}\n(tool/search {{:query \"x\"}})\n"
        );
        assert!(found(HostKind::Lisp, &text).is_empty(), "{text}");
        let listed = format!(
            "{{:tools [{{:name \"search\"}} {{:name \"get\" :signature \"(id :int) -> :map\"}} {value}]}}\n(tool/search)\n"
        );
        assert!(found(HostKind::Lisp, &listed).is_empty(), "{listed}");
    }
    let text = "{:tools {\"search\" f \"get\" \"(id :int) -> :map\"}}\n(tool/serch)\n";
    assert_eq!(found(HostKind::Lisp, text), ["unknown-tool serch"]);
}

#[test]
fn a_name_is_given_once_in_every_host() {
    let signature = "\"(id :int) -> :map\"";
    let cases = [
        (
            HostKind::Json,
            format!("{{\"tools\": {{\"a\": {signature}, \"b\": 1, \"a\": {signature}}}}}"),
            "\"a\"",
        ),
        (
            HostKind::Json,
            format!(
                "{{\"tools\": [{{\"name\": \"a\", \"signature\": {signature}}}, {{\"name\": \"a\"}}]}}"
            ),
            "a",
        ),
        (
            HostKind::Yaml,
            format!("tools:\n  a: {signature}\n  b: 1\n  a: {signature}\n"),
            "a",
        ),
        (
            HostKind::Yaml,
            format!("tools:\n- name: a\n  signature: {signature}\n- name: a\n"),
            "a",
        ),
        (
            HostKind::Prompt,
            format!("---\ntools:\n  a: {signature}\n  a: {signature}\n---\n"),
            "a",
        ),
        (
            HostKind::Lisp,
            format!("{{:tools {{:a {signature} :b f \"a\" {signature}}}}}"),
            "\"a\"",
        ),
        (
            HostKind::Lisp,
            format!("{{:tools [{{:name \"a\" :signature {signature}}} {{:name \"a\"}}]}}"),
            "\"a\"",
        ),
    ];
    for (kind, text, name) in cases {
        assert_eq!(
            found(kind, &text),
            [format!("duplicate-tool {name}")],
            "{text}"
        );
    }
    let two = format!(
        "{{\"a\": {{\"tools\": {{\"a\": {signature}}}}}, \"b\": {{\"tools\": {{\"a\": {signature}}}}}}}"
    );
    assert!(found(HostKind::Json, &two).is_empty());
}

#[test]
fn names_of_tools_follow_edits() {
    let text = "{\"tools\": [{\"name\": \"a\", \"signature\": \"(id :int) -> :map\"}, {\"name\": \"b\", \"signature\": \"() -> :int\"}, \
                {\"name\": \"ab\"}], \"x\": {\"tools\": {\"a\": \"() -> :int\", \"b\": {\"signature\": \"() -> :int\"}, \"ab\": 1}}}";
    let mut document = Document::new(HostKind::Json, text, Settings::default());
    let mut text = text.to_owned();
    let edits = [
        ("\"name\": \"a", "b", 1),
        ("\"name\": \"a", "", 1),
        ("{\"a", "b", 1),
        ("\"x\": {\"tools\": {", "\"b\": 2, ", 0),
        ("\"b\": {\"signature", "x", 0),
        ("\"b\": {\"signature", "", 1),
        ("\"ab\"}", ", {\"name\": \"b\"}", 0),
        ("\"name\": \"b\", \"signature", "s", 0),
    ];
    for (place, insert, removed) in edits {
        let at = text.find(place).expect(place) + place.len();
        let removed = if insert.is_empty() { removed } else { 0 };
        let range = TextRange::at(size(at), size(removed));
        let edit = TextEdit::replace(range, insert);
        edit.apply(&mut text);
        document.edit(&edit);
        let fresh = Document::new(HostKind::Json, &text, Settings::default());
        assert_eq!(document.diagnostics(), fresh.diagnostics(), "{text}");
    }
}

/// Only the keys in a map of tools are names.
#[test]
fn a_tool_has_no_name_from_an_option() {
    let tool =
        "LLMTool.new(prompt: \"Rate {{text}}\", signature: \"(text :string) -> {score :int}\")";
    for (code, name) in [
        (format!("def judge, do: {tool}\n"), None),
        (format!("def judge do\n  {tool}\nend\n"), None),
        (format!("if x, do: {tool}, else: nil\n"), None),
        (format!("if x, do: nil, else: {tool}\n"), None),
        (format!("use(x, with: {tool})\n"), None),
        (format!("%{{\"judge\" => {tool}}}\n"), Some("judge")),
        (
            format!("SubAgent.new(prompt: \"x\", tools: %{{\"judge\" => {tool}}})\n"),
            Some("judge"),
        ),
    ] {
        let document = Document::new(HostKind::Elixir, &code, Settings::default());
        let listed = listing(&document);
        let named: Vec<_> = listed.iter().filter_map(|it| it.name.as_deref()).collect();
        assert_eq!(named, Vec::from_iter(name), "{code}");
    }
}
