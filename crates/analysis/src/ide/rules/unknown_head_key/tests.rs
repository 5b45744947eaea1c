use crate::{
    ide::testing::{applied, document, found_in},
    model::Edition,
};
use signature_ls_source::host::HostKind;

fn found(tool: &str, edition: Edition) -> Vec<String> {
    let code = format!("SubAgent.new(prompt: \"Go.\", tools: %{{\"search\" => {tool}}})\n");
    found_in(HostKind::Elixir, &code, edition)
}

#[test]
fn keys_that_the_signature_lacks_are_found() {
    for (tool, expected) in [
        (
            r#"{fn %{"qury" => q} -> q end, "(query :string) -> :string"}"#,
            &["unknown-head-key: \"qury\""][..],
        ),
        (
            r#"{fn %{"query" => q, "limit" => n} -> {q, n} end, signature: "(query :string) -> :any", description: "Finds."}"#,
            &["unknown-head-key: \"limit\""],
        ),
        (
            r#"{fn %{"a" => a} -> a
                %{"name" => n} -> n
                %{"querry" => q} -> q end, "(a :int?, query :string?) -> :any"}"#,
            &["unknown-head-key: \"querry\""],
        ),
        (
            r#"{fn %{"qury" => q} -> q end, "(query: string, limit :int) -> :string"}"#,
            &["unknown-head-key: \"qury\"", "colon-after-name: : "],
        ),
        (
            r#"{fn %{"x" => x} -> x end, "() -> :any"}"#,
            &["unknown-head-key: \"x\""],
        ),
    ] {
        assert_eq!(found(tool, Edition::V0_11), expected, "{tool}");
    }
}

#[test]
fn keys_that_may_be_given_are_no_finding() {
    for tool in [
        r#"{fn %{"query" => q} -> q end, "(query :string, limit :int?) -> :string"}"#,
        r#"{fn %{"page_size" => n} -> n end, "(page-size :int) -> :int"}"#,
        r#"{fn %{"user" => %{"nam" => n}} -> n end, "(user {name :string}) -> :string"}"#,
        r#"{fn args -> args["qury"] end, "(query :string) -> :string"}"#,
        r#"{fn %{"qury" => q} -> q end, :skip}"#,
        r#"{fn %{"qury" => q} -> q end, "(..., limit :int) -> :string"}"#,
        r#"{fn %{"limit" => n} -> n end, "(query :string, limit) -> :string"}"#,
        r#"{fn %{"qury" => q} -> q end, "none"}"#,
        r#"fn %{"qury" => q} -> q end"#,
        r##"{fn %{"q#{x}" => q} -> q end, "(query :string) -> :string"}"##,
    ] {
        let nothing: [&str; 0] = [];
        let found = found(tool, Edition::V0_11);
        let found = found.into_iter().filter(|it| it.starts_with("unknown"));
        assert_eq!(found.collect::<Vec<_>>(), nothing, "{tool}");
    }
    let early = r#"{fn %{"qury" => q} -> q end, "(query :string) -> :string"}"#;
    let nothing: [&str; 0] = [];
    assert_eq!(found(early, Edition::V0_4), nothing);
}

#[test]
fn heads_are_checked_wherever_the_tuple_is() {
    let tuple = r#"{fn %{"qury" => q} -> q end, signature: "(query :string) -> :string"}"#;
    for code in [
        format!("search = {tuple}\n"),
        format!("def tools, do: %{{\"search\" => {tuple}}}\n"),
        format!("defp search(path) do\n  {tuple}\nend\n"),
        format!("%{{\"a\" => %{{\"b\" => {tuple}}}}}\n"),
    ] {
        let found = found_in(HostKind::Elixir, &code, Edition::V0_11);
        assert_eq!(found, ["unknown-head-key: \"qury\""], "{code}");
    }
    let nothing: [&str; 0] = [];
    for code in [
        r#"x = {fn %{"qury" => q} -> q end, "query"}"#,
        r#"x = {fn %{"qury" => q} -> q end, signature: "() -> :any"}"#,
    ] {
        let found = found_in(HostKind::Elixir, code, Edition::V0_11);
        assert_eq!(found, nothing, "{code}");
    }
}

fn found_beside(function: &str, tool: &str) -> Vec<String> {
    let code = format!(
        "defmodule A do\n  {function}\n\n  def go, do: SubAgent.new(prompt: \"Go.\", tools: %{{\"search\" => {tool}}})\nend\n"
    );
    let found = found_in(HostKind::Elixir, &code, Edition::V0_11);
    let found = found.into_iter().filter(|it| it.starts_with("unknown"));
    found.collect()
}

#[test]
fn heads_of_named_functions_are_checked_where_they_are_registered() {
    let tool = r#"{&search/1, "(query :string, limit :int?) -> :string"}"#;
    let expected = [format!("unknown-head-key: {tool}")];
    for function in [
        r#"def search(%{"qury" => q}), do: q"#,
        r#"defp search(%{"qury" => q} = all) when is_map(all) do q end"#,
        "def search(%{\"query\" => q}), do: q\n  def search(%{\"lmit\" => n}), do: n",
    ] {
        assert_eq!(found_beside(function, tool), expected, "{function}");
    }
    let nothing: [&str; 0] = [];
    for function in [
        r#"def search(%{"query" => q, "limit" => _}), do: q"#,
        "def search(%{\"query\" => q}), do: q\n  def search(%{\"other\" => q}), do: q",
        r#"def search(%{"user" => %{"qury" => q}, "query" => _}, _), do: q"#,
        r#"def search(args), do: args["qury"]"#,
        r#"def search(args \\ %{"qury" => 1}), do: args"#,
        r#"def other(%{"qury" => q}), do: q"#,
    ] {
        assert_eq!(found_beside(function, tool), nothing, "{function}");
    }
    let of_spec = found_beside(r#"def search(%{"qury" => q}), do: q"#, "&search/1");
    assert_eq!(of_spec, nothing);
}

/// The signature of the spec is `(map {query :string}) -> :any`.
#[test]
fn a_map_without_a_name_is_found_where_it_is_registered() {
    let head = r#"def search(%{"query" => q}), do: q"#;
    let spec = "@spec search(%{query: String.t()}) :: any()";
    let found = |spec: &str, function: &str, tool: &str| {
        found_beside(&format!("{spec}\n  {function}"), tool)
    };
    let expected = ["unknown-head-key: &search/1"];
    assert_eq!(found(spec, head, "&search/1"), expected);
    assert_eq!(
        found("@spec search(map()) :: any()", head, "&search/1"),
        expected
    );
    let written = r#"{&search/1, "(query :string) -> :any"}"#;
    let nothing: [&str; 0] = [];
    for (spec, function, tool) in [
        (spec, head, written),
        (spec, head, "{&search/1, :skip}"),
        (spec, head, "{&search/1, description: \"Finds.\"}"),
        (spec, "def search(map), do: map[\"query\"]", "&search/1"),
        (
            spec,
            "def search(%{\"a\" => a}), do: a\n  def search(%{\"map\" => m}), do: m",
            "&search/1",
        ),
        (spec, "def search(%{} = args), do: args", "&search/1"),
        ("", head, "&search/1"),
    ] {
        assert_eq!(
            found(spec, function, tool),
            nothing,
            "{spec} {function} {tool}"
        );
    }
}

/// What is written in its place has no findings.
#[test]
fn the_signature_of_the_fields_is_offered() {
    let text = "defmodule A do\n  @spec search(%{query: String.t()}) :: map() | nil\n  def search(%{\"query\" => q}), do: q\n\n  \
                def go, do: SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => &search/1})\nend\n";
    let found = document(HostKind::Elixir, text).diagnostics();
    let fixed = applied(text, &found[0].fixes[0].edits);
    assert!(
        fixed.contains("{&search/1, \"(query :string) -> :map?\"}"),
        "{fixed}"
    );
    assert_eq!(document(HostKind::Elixir, &fixed).diagnostics(), []);
}

/// Keys arrive with underscores in every call, whatever the signature says.
#[test]
fn a_key_with_a_hyphen_is_never_passed() {
    let head = r#"fn %{"order-id" => o} -> o end"#;
    for (tool, place) in [
        (head.to_owned(), "\"order-id\""),
        (format!("{{{head}, :skip}}"), "\"order-id\""),
        (
            format!("{{{head}, \"(order_id :int) -> :int\"}}"),
            "\"order-id\"",
        ),
        (
            format!("{{{head}, \"(order-id :int) -> :int\"}}"),
            "\"order-id\"",
        ),
    ] {
        for edition in [Edition::V0_5, Edition::V0_11, Edition::Next] {
            let found = found(&tool, edition);
            let expected = format!("unknown-head-key: {place}");
            assert!(found.contains(&expected), "{tool}: {found:?}");
            let right = tool.replace("\"order-id\"", "\"order_id\"");
            let right = super::tests::found(&right, edition);
            assert!(
                !right.iter().any(|it| it.starts_with("unknown")),
                "{right:?}"
            );
        }
        let early = found(&tool, Edition::V0_4);
        assert!(
            !early.iter().any(|it| it.starts_with("unknown-head-key")),
            "{early:?}"
        );
    }
    let function = r#"def search(%{"order-id" => o}), do: o"#;
    for tool in ["&search/1", "{&search/1, \"(order_id :int) -> :int\"}"] {
        assert_eq!(
            found_beside(function, tool),
            [format!("unknown-head-key: {tool}")]
        );
    }
    let others = format!("Other.new(tools: %{{\"a\" => {head}}})\n");
    assert_eq!(
        found_in(HostKind::Elixir, &others, Edition::V0_11),
        Vec::<String>::new()
    );
}
