//! Contracts: coercion, modes, messages, and where values are.

use signature_ls_analysis::{
    contract::{Direction, Mode},
    model::Edition,
};
use signature_ls_source::host::HostKind;

use crate::harness::{codes, findings, held};

const EDITION: Edition = Edition::V0_11;

fn given(value: &str, ty: &str) -> (Vec<String>, Vec<String>) {
    held(value, ty, Direction::Input, Mode::Enabled, EDITION)
}

#[test]
fn coercion_rules() {
    let warned = |text: &str| (Vec::new(), vec![text.to_owned()]);
    let silent = || (Vec::new(), Vec::new());
    let cases = [
        ("\"42\"", ":int", warned("coerced string \"42\" to int")),
        (
            "\"3.14\"",
            ":float",
            warned("coerced string \"3.14\" to float"),
        ),
        ("\"42\"", ":float", warned("coerced string \"42\" to float")),
        (
            "\"true\"",
            ":bool",
            warned("coerced string \"true\" to bool"),
        ),
        (
            "\"false\"",
            ":bool",
            warned("coerced string \"false\" to bool"),
        ),
        (
            "\"a\"",
            ":keyword",
            warned("coerced string \"a\" to keyword"),
        ),
        ("42", ":float", silent()),
    ];
    for (value, ty, expected) in cases {
        assert_eq!(given(value, ty), expected, "{value} to {ty}");
    }
    for (value, ty) in [
        ("42.0", ":int"),
        ("\"hello\"", ":int"),
        ("\"42abc\"", ":int"),
        ("\"3.14abc\"", ":float"),
        ("\"yes\"", ":bool"),
        ("\" 42\"", ":int"),
    ] {
        assert_eq!(given(value, ty).0.len(), 1, "{value} to {ty}");
    }
}

#[test]
fn nested_structures_are_coerced() {
    let value = r#"[{"id": "42", "name": "Alice"}]"#;
    let (errors, warnings) = given(value, "[{id :int, name :string}]");
    assert!(errors.is_empty());
    assert_eq!(warnings, ["[0].id: coerced string \"42\" to int"]);
}

#[test]
fn input_validation() {
    let found = findings(
        HostKind::Lisp,
        EDITION,
        "{:tools {\"check\" \"(id :int, name :string) -> :bool\"}}\n(tool/check {:id \"42\" :name \"Alice\"})\n",
    );
    assert_eq!(
        found,
        ["coerced-value `\"42\"` id: coerced string \"42\" to int."]
    );
}

#[test]
fn output_validation_is_strict() {
    let program = |value: &str| {
        let text = format!(
            "(defn run {{:signature \"() -> {{count :int, items [:string]}}\"}} [] (return {value}))\n"
        );
        findings(HostKind::Lisp, EDITION, &text)
    };
    assert_eq!(program(r#"{:count 5 :items ["a" "b"]}"#), [] as [&str; 0]);
    assert_eq!(
        program(r#"{:count "5" :items ["a" 1]}"#),
        [
            "returned-value `\"5\"` count: expected int, got string \"5\".",
            "returned-value `1` items[1]: expected string, got int 1.",
        ]
    );
}

#[test]
fn what_a_model_must_return() {
    let cases = [
        ("{answer :int}", "{:answer 42}"),
        (
            "{name :string, price :float, in_stock :bool}",
            "{:name \"Widget\" :price 99.99 :in_stock true}",
        ),
        (
            "[{id :int, title :string}]",
            "[{:id 1 :title \"First\"} {:id 2 :title \"Second\"}]",
        ),
        (
            "(user_id :int) -> {order_count :int, is_active :bool}",
            "{:order-count 5 :is-active true}",
        ),
    ];
    for (signature, value) in cases {
        let text =
            format!("---\nsignature: \"{signature}\"\n---\n```clojure\n(return {value})\n```\n");
        let found = codes(HostKind::Prompt, EDITION, &text);
        assert!(!found.contains(&"returned-value"), "{signature} {value}");
        let wrong =
            format!("---\nsignature: \"{signature}\"\n---\n```clojure\n(return \"x\")\n```\n");
        let found = codes(HostKind::Prompt, EDITION, &wrong);
        assert!(found.contains(&"returned-value"), "{signature}");
    }
}

#[test]
fn validation_modes() {
    let value = r#"{"id": "x", "more": 1}"#;
    let count = |mode| {
        let (errors, warnings) = held(value, "{id :int}", Direction::Output, mode, EDITION);
        (errors.len(), warnings.len())
    };
    assert_eq!(count(Mode::Enabled), (1, 0));
    assert_eq!(count(Mode::WarnOnly), (0, 1));
    assert_eq!(count(Mode::Disabled), (0, 0));
    assert_eq!(count(Mode::Strict), (2, 0));
    let strict = held("\"42\"", ":int", Direction::Input, Mode::Strict, EDITION);
    assert_eq!(strict.0.len(), 1, "nothing is coerced");
}

#[test]
fn the_mode_is_that_of_the_call_or_file() {
    for (mode, codes_found) in [
        ("enabled", &["value-type"][..]),
        ("warn_only", &["value-type"]),
        ("disabled", &[]),
        ("strict", &["value-type", "unknown-input"]),
    ] {
        for key in ["signature_validation", "validation"] {
            let file = format!(
                "---\nsignature: \"(n :int) -> :any\"\ninput: {{n: x, m: 1}}\n{key}: {mode}\n---\n{{{{n}}}}\n"
            );
            let mut found = codes(HostKind::Prompt, EDITION, &file);
            if mode != "strict" {
                found.retain(|code| *code != "unknown-input");
            }
            assert_eq!(found, codes_found, "{file}");
            let call = format!(
                "SubAgent.run(\"{{{{n}}}}\", signature: \"(n :int) -> :any\", context: %{{n: \"x\"}}, {key}: :{mode})"
            );
            let found = codes(HostKind::Elixir, EDITION, &call);
            assert_eq!(found.is_empty(), mode == "disabled", "{call}");
        }
    }
}

#[test]
fn messages_carry_the_path() {
    let ty = "{results [{customer {id :int}?, amount :float}]}";
    let ty = ty.replace("}?", "}");
    let value = r#"{"results": [{"customer": {"id": "abc"}, "amount": 1},
                                {"customer": {"id": 1}, "amount": 1},
                                {"customer": {"id": 1}, "amount": null}]}"#;
    let (errors, _) = held(value, &ty, Direction::Output, Mode::Enabled, EDITION);
    assert_eq!(
        errors,
        [
            "results[0].customer.id: expected int, got string \"abc\"",
            "results[2].amount: expected float, got nil",
        ]
    );
    let (_, warnings) = given(r#"{"limit": "10"}"#, "{limit :int}");
    assert_eq!(warnings, ["limit: coerced string \"10\" to int"]);
    let (errors, _) = held(
        "{}",
        "{limit :int}",
        Direction::Output,
        Mode::Enabled,
        EDITION,
    );
    assert_eq!(errors, ["limit: expected int, got nil"]);
}

#[test]
fn samples_in_front_matter() {
    let file = "---
signature: \"(query :string, limit :int) -> {count :int}\"
examples:
  - input: {query: a, limit: many}
    output: {count: \"5\"}
  - {query: b}
input: {query: a, limit: \"10\", topic: b}
output: {count: 5.5}
---
{{query}} {{limit}}
";
    assert_eq!(
        findings(HostKind::Prompt, EDITION, file),
        [
            "value-type `many` limit: expected int, got string \"many\".",
            "value-type `\"5\"` count: expected int, got string \"5\".",
            "missing-value `{query: b}` `limit` is missing; add `limit: 0`.",
            "coerced-value `\"10\"` limit: coerced string \"10\" to int.",
            "unknown-input `topic` `topic` is not an input of the signature; remove it, or add it there.",
            "value-type `5.5` count: expected int, got float 5.5.",
        ]
    );
}

#[test]
fn contexts_of_calls_in_elixir() {
    let call = r#"SubAgent.run("{{query}} {{limit}}",
  signature: "(query :string, limit :int, at :datetime?) -> :any",
  context: %{"query" => 5, :limit => "10", topic: 1})"#;
    let found = findings(HostKind::Elixir, EDITION, call);
    assert_eq!(
        found[1..],
        [
            "value-type `5` query: expected string, got int 5.",
            "coerced-value `\"10\"` limit: coerced string \"10\" to int.",
            "unknown-input `topic` `topic` is not an input of the signature; remove it, or add it there.",
        ]
    );
    let missing =
        r#"SubAgent.run("{{query}}", signature: "(query :string) -> :any", context: %{})"#;
    assert_eq!(codes(HostKind::Elixir, EDITION, missing), ["missing-value"]);
}

#[test]
fn programs_in_strings_are_checked_against_their_call() {
    let call = r#"Lisp.run("(do (tool/serch {:q \"é\"}) data/topc) {:n \"5\"}",
  signature: "() -> {n :int}", context: %{topic: 1},
  tools: %{"search" => {&S.run/1, "(q :string) -> :any"}})"#;
    assert_eq!(
        findings(HostKind::Elixir, EDITION, call),
        [
            "unknown-tool `serch` There is no tool `serch`; did you mean `search`?",
            "unknown-data `data/topc` The context has no `topc`; did you mean `topic`?",
            "returned-value `\\\"5\\\"` n: expected int, got string \"5\".",
        ]
    );
    let last = r#"Lisp.run(~S|{:n "5"}|, signature: "{n :int}")"#;
    assert_eq!(codes(HostKind::Elixir, EDITION, last), ["returned-value"]);
    for unknown in [
        r#"Lisp.run("(tool/#{name} {:q 1})", tools: %{})"#,
        r#"Lisp.run("(tool/search {:q 1})", tools: tools)"#,
        r#"Lisp.run("(count data/x)", context: context)"#,
        r#"Lisp.run("(f 1)", signature: "{n :int}")"#,
        r#"Lisp.run("(tool/x 1) data/y", prelude: p, tools: %{}, context: %{a: 1})"#,
    ] {
        assert_eq!(
            codes(HostKind::Elixir, EDITION, unknown),
            [] as [&str; 0],
            "{unknown}"
        );
    }
}
