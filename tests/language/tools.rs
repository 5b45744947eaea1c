//! Tools: their forms, their specs, their calls, and their listings.

use signature_ls_analysis::{
    contract::json,
    model::{
        Edition,
        json_schema::{input_schema, output_schema, type_schema},
        parse_signature,
        render::prompt_entry,
        typespec::{DeclaredTypes, extract},
    },
};
use signature_ls_source::host::HostKind;

use crate::harness::{codes, findings, fixed, hovered, ty};

const EDITION: Edition = Edition::V0_11;

fn registered(tool: &str) -> Vec<&'static str> {
    let text = format!("SubAgent.new(prompt: \"Go.\", tools: %{{\"t\" => {tool}}})\n");
    codes(HostKind::Elixir, EDITION, &text)
}

#[test]
fn tool_formats() {
    for tool in [
        "&MyApp.get_user/1",
        "{&MyApp.search/1, \"(query :string) -> [:map]\"}",
        "{&MyApp.analyze/1, signature: \"(data :map) -> {score :float}\", description: \"Analyze\"}",
        "fn _args -> DateTime.utc_now() end",
        "{&MyApp.dynamic/1, :skip}",
        "LLMTool.new(prompt: \"{{a}}\", signature: \"(a :int) -> :any\")",
        "SubAgent.as_tool(agent)",
    ] {
        assert_eq!(registered(tool), [] as [&str; 0], "{tool}");
    }
    for tool in [
        "42",
        "nil",
        ":search",
        "\"() -> :any\"",
        "[&f/1]",
        "{&f/1, :any}",
        "{&f/1}",
    ] {
        assert_eq!(registered(tool), ["invalid-tool"], "{tool}");
    }
    for bound in [
        "tools = %{\"a\" => &f/1, \"b\" => 42}",
        "@my_tools %{\"a\" => &f/1, \"b\" => 42}",
    ] {
        assert_eq!(
            codes(HostKind::Elixir, EDITION, bound),
            [] as [&str; 0],
            "other programs have such maps too: {bound}"
        );
        let name = bound.split(' ').next().unwrap_or_default();
        let used = format!("{bound}\n\nSubAgent.run(\"Go.\", tools: {name})\n");
        assert_eq!(
            codes(HostKind::Elixir, EDITION, &used),
            ["invalid-tool"],
            "{used}"
        );
    }
    assert_eq!(
        codes(HostKind::Elixir, EDITION, "tools = %{hammer: 1}"),
        [] as [&str; 0]
    );
    let wrong = registered("LLMTool.new(prompt: \"{{b}}\", signature: \"(a :int) -> :any\")");
    assert!(wrong.contains(&"unknown-placeholder"));
    let wrong = registered("{&MyApp.search/1, \"(query :strng) -> [:map]\"}");
    assert_eq!(wrong, ["unknown-type"]);
}

#[test]
fn a_name_is_given_once() {
    let text = "SubAgent.new(prompt: \"Go.\", tools: %{\"a\" => &f/1, \"a\" => &g/1})\n";
    assert_eq!(codes(HostKind::Elixir, EDITION, text), ["duplicate-tool"]);
}

#[test]
fn type_mapping_from_specs() {
    let cases = [
        ("String.t()", ":string"),
        ("binary()", ":string"),
        ("integer()", ":int"),
        ("non_neg_integer()", ":int"),
        ("pos_integer()", ":int"),
        ("float()", ":float"),
        ("number()", ":float"),
        ("boolean()", ":bool"),
        ("atom()", ":keyword"),
        ("map()", ":map"),
        ("any()", ":any"),
        ("term()", ":any"),
        ("list(integer())", "[:int]"),
        ("[String.t()]", "[:string]"),
        ("list()", "[:any]"),
        ("%{key: integer()}", "{key :int}"),
        ("%{}", ":map"),
        ("%{String.t() => integer()}", ":map"),
        ("integer() | nil", ":int?"),
        (
            "{:ok, integer()} | {:error, String.t()}",
            "{result :int, error :string?}",
        ),
        ("DateTime.t()", ":string"),
        ("Date.t()", ":string"),
        ("Time.t()", ":string"),
        ("NaiveDateTime.t()", ":string"),
        ("id", ":int"),
        ("pid()", ":any"),
        ("reference()", ":any"),
        ("Other.t()", ":any"),
        ("integer() | float() | atom()", ":any"),
    ];
    let mut types = DeclaredTypes::default();
    types.declare("@type id :: integer()");
    for (spec, expected) in cases {
        let spec = format!("@spec f(String.t()) :: {spec}");
        let extracted = extract(&spec, Some("def f(name)"), &types).expect("a signature");
        assert_eq!(
            extracted.text(),
            format!("(name :string) -> {expected}"),
            "{spec}"
        );
        let without_head = extract(&spec, None, &types).expect("a signature");
        assert!(without_head.text().starts_with("(arg0 :string)"), "{spec}");
    }
}

#[test]
fn types_that_require_explicit_signatures() {
    let module = |spec: &str, tool: &str| {
        let text = format!(
            "defmodule A do\n  @spec f({spec}) :: integer()\n  def f(it), do: it\n\n  def agent, do: SubAgent.new(prompt: \"Go.\", tools: %{{\"f\" => {tool}}})\nend\n"
        );
        codes(HostKind::Elixir, EDITION, &text)
    };
    for spec in [
        "pid()",
        "reference()",
        "Other.t()",
        "integer() | float() | atom()",
    ] {
        assert_eq!(module(spec, "&f/1"), ["unmapped-spec"], "{spec}");
        assert_eq!(module(spec, "&__MODULE__.f/1"), ["unmapped-spec"], "{spec}");
        assert_eq!(
            module(spec, "{&f/1, \"(it :any) -> :int\"}"),
            [] as [&str; 0],
            "{spec}"
        );
    }
    assert_eq!(module("String.t()", "&f/1"), [] as [&str; 0]);
}

const TOOLS: &str = "{:tools {\"search\" \"(query :string, limit :int) -> [{id :int}]\"
         \"fetch_page\" \"(url :string) -> {text :string}\"
         \"get_count\" \"() -> {count :int}\"}}\n";

fn called(call: &str) -> Vec<String> {
    findings(HostKind::Lisp, EDITION, &format!("{TOOLS}{call}\n"))
}

#[test]
fn calling_tools_from_programs() {
    for call in [
        "(tool/search {:query \"budget\" :limit 10})",
        "(tool/search :query \"budget\" :limit 10)",
        "(tool/fetch_page {:url \"https://example.com\"})",
        "(tool/get_count {})",
        "(tool/get_count)",
    ] {
        assert_eq!(called(call), [] as [&str; 0], "{call}");
    }
    for (call, right) in [
        (
            "(tool/search \"budget\" 10)",
            "(tool/search {:query \"budget\" :limit 10})",
        ),
        (
            "(tool/fetch_page \"https://example.com\")",
            "(tool/fetch_page {:url \"https://example.com\"})",
        ),
    ] {
        let text = format!("{TOOLS}{call}\n");
        let fixes = fixed(HostKind::Lisp, EDITION, &text, "positional-arguments");
        assert_eq!(fixes, [format!("{TOOLS}{right}\n")]);
    }
}

#[test]
fn arguments_are_checked_against_the_signature() {
    let cases = [
        (
            "(tool/serch {:query \"a\" :limit 1})",
            "unknown-tool `serch` There is no tool `serch`; did you mean `search`?",
        ),
        (
            "(tool/search {:query \"a\"})",
            "missing-argument `tool/search` `search` needs `:limit`; add `:limit 0`.",
        ),
        (
            "(tool/search {:query \"a\" :limit \"10\"})",
            "coerced-value `\"10\"` limit: coerced string \"10\" to int.",
        ),
        (
            "(tool/search {:query \"a\" :limit true})",
            "value-type `true` limit: expected int, got bool true.",
        ),
        (
            "(tool/search {:query \"a\" :limit 1 :lang \"en\"})",
            "unknown-argument `:lang` `search` has no parameter `lang`; remove the argument.",
        ),
        (
            "(tool/search {:query \"a\" :limit 1 :limit 2})",
            "duplicate-argument `:limit` limit: key \"limit\" is given twice.",
        ),
    ];
    for (call, finding) in cases {
        assert_eq!(called(call), [finding], "{call}");
    }
}

#[test]
fn string_keys_at_the_boundary() {
    let module = |head: &str| {
        format!(
            "defmodule A do\n  def search({head}), do: 1\n\n  def agent, do: SubAgent.new(prompt: \"Go.\", tools: %{{\"search\" => &search/1}})\nend\n"
        )
    };
    let text = module("%{query: query, limit: limit}");
    assert_eq!(codes(HostKind::Elixir, EDITION, &text), ["atom-keys"]);
    let right = module("%{\"query\" => query, \"limit\" => limit}");
    assert_eq!(codes(HostKind::Elixir, EDITION, &right), [] as [&str; 0]);
    assert_eq!(
        fixed(HostKind::Elixir, EDITION, &text, "atom-keys"),
        [right]
    );

    let nested = module("%{\"user\" => %{profile: %{name: name}}}");
    let right = module("%{\"user\" => %{\"profile\" => %{\"name\" => name}}}");
    assert_eq!(
        fixed(HostKind::Elixir, EDITION, &nested, "atom-keys"),
        [right]
    );

    let function = "SubAgent.new(prompt: \"Go.\", tools: %{\"t\" => fn %{id: id} -> id end})\n";
    let right = "SubAgent.new(prompt: \"Go.\", tools: %{\"t\" => fn %{\"id\" => id} -> id end})\n";
    assert_eq!(
        fixed(HostKind::Elixir, EDITION, function, "atom-keys"),
        [right]
    );
    for bound in [
        "@tools %{\"search\" => &search/1}\n  def agent, do: SubAgent.new(prompt: \"Go.\", tools: @tools)",
        "def agent do\n    mine = %{\"search\" => &search/1}\n    SubAgent.new(prompt: \"Go.\", tools: mine)\n  end",
    ] {
        let text = format!("defmodule A do\n  def search(%{{query: q}}), do: q\n  {bound}\nend\n");
        assert_eq!(
            codes(HostKind::Elixir, EDITION, &text),
            ["atom-keys"],
            "{bound}"
        );
    }
}

#[test]
fn signatures_from_specs_count_for_calls() {
    let module = |call: &str| {
        format!(
            "defmodule A do
  @spec find(String.t(), integer()) :: [map()]
  def find(query, limit), do: []
  @spec all(map()) :: [map()]
  def all(args), do: []
  def go, do: Lisp.run(\"{call}\", tools: %{{\"find\" => &__MODULE__.find/2, \"all\" => &all/1}})
end
"
        )
    };
    let found = |call: &str| findings(HostKind::Elixir, EDITION, &module(call));
    assert_eq!(
        found("(tool/find {:query 5 :limit 1})"),
        ["value-type `5` query: expected string, got int 5."]
    );
    assert_eq!(found("(tool/all {:anything 5})"), [] as [&str; 0]);
    let text = module("(tool/find {:query data/q :limit 1})");
    let hover = hovered(HostKind::Elixir, EDITION, &text, "tool/find").expect("a hover");
    assert!(
        hover.contains("find(query :string, limit :int) -> [:map]"),
        "{hover}"
    );

    let guide = "```elixir
defmodule A do
  @spec find(String.t(), integer()) :: [map()]
  def find(query, limit), do: []
end
SubAgent.new(prompt: \"Go.\", tools: %{\"find\" => &A.find/2})
```

> ```clojure
> (tool/find {:query
>   5 :limit 1})
> ```
";
    let found = findings(HostKind::Markdown, EDITION, guide);
    assert_eq!(
        found.last().map(String::as_str),
        Some("value-type `5` query: expected string, got int 5.")
    );
}

#[test]
fn schema_generation_for_prompts() {
    let entry = |name: &str, signature: &str, description: &str| {
        let signature = parse_signature(signature, EDITION).0.expect("a signature");
        prompt_entry(name, &signature, Some(description), EDITION)
    };
    assert_eq!(
        entry(
            "search",
            "(query :string, limit :int) -> [{id :int, title :string}]",
            "Search for items matching query.",
        ),
        "search(query :string, limit :int) -> [{id :int, title :string}]\n  Search for items matching query."
    );
    assert_eq!(
        entry(
            "get_user",
            "(id :int) -> {name :string, email :string?}",
            "Fetch user by ID. Email may be null.",
        ),
        "get_user(id :int) -> {name :string, email :string?}\n  Fetch user by ID. Email may be null."
    );
}

#[test]
fn json_schema_of_types() {
    for (text, schema) in [
        (":string", r#"{"type":"string"}"#),
        (":keyword", r#"{"type":"string"}"#),
        (":datetime", r#"{"type":"string"}"#),
        (":int", r#"{"type":"integer"}"#),
        (":float", r#"{"type":"number"}"#),
        (":bool", r#"{"type":"boolean"}"#),
        (":any", r#"{"type":"object"}"#),
        (":map", r#"{"type":"object"}"#),
        ("[:int]", r#"{"items":{"type":"integer"},"type":"array"}"#),
    ] {
        let schema: serde_json::Value = serde_json::from_str(schema).expect("JSON");
        assert_eq!(type_schema(&ty(text, EDITION)), schema, "{text}");
    }
    let signature = parse_signature("(a :int, b :string?) -> [:int]", EDITION).0;
    let signature = signature.expect("a signature");
    let input = input_schema(&signature);
    assert_eq!(input["required"], serde_json::json!(["a"]));
    assert_eq!(input["additionalProperties"], serde_json::json!(false));
    assert_eq!(
        output_schema(&signature)["properties"]["items"]["type"],
        "array"
    );
    assert!(json::read(&input.to_string()).is_ok());
}

#[test]
fn any_expression_may_be_the_function_of_a_tool() {
    for function in [
        "tool",
        "@tool",
        "tool(1)",
        "M.tool(1)",
        "opts[:tool]",
        "&run/1",
    ] {
        for described in [
            "\"(q :strng) -> :any\"",
            "signature: \"(q :strng) -> :any\"",
        ] {
            let tool = format!("%{{\"search\" => {{{function}, {described}}}}}");
            let inline = format!("SubAgent.new(prompt: \"Go.\", tools: {tool})\n");
            let bound = format!("tools = {tool}\nSubAgent.new(prompt: \"Go.\", tools: tools)\n");
            for text in [inline, bound] {
                assert_eq!(
                    codes(HostKind::Elixir, EDITION, &text),
                    ["unknown-type"],
                    "{text}"
                );
            }
        }
    }
}
