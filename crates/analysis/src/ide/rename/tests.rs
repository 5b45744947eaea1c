use expect_test::{Expect, expect};

use super::*;
use crate::ide::{
    references,
    testing::{applied, document, marked},
};
use signature_ls_source::host::HostKind;

#[track_caller]
fn check(kind: HostKind, fixture: &str, new: &str, expected: Expect) {
    let (document, offset) = marked(kind, fixture);
    let shown = match rename(&document, offset, new) {
        Ok(None) => "nothing".to_owned(),
        Err(Refusal(reason)) => reason,
        Ok(Some(edits)) => {
            let mut text = document.text().rope().to_string();
            for edit in edits.iter().rev() {
                edit.apply(&mut text);
            }
            text
        }
    };
    expected.assert_eq(&shown);
}

#[test]
fn a_parameter_with_all_that_names_it() {
    let agent = r#"
SubAgent.run("{{#items}}{{id}}{{/items}} {{topic}} {{ topic }}",
  signature: "(topic :string, items [{id :int}]) -> {topic :int}",
  context: %{"topic" => "a", items: [%{id: 1}]}
)
"#;
    check(
        HostKind::Elixir,
        &agent.replacen("{{topic", "{{to$0pic", 1),
        "main_subject",
        expect![[r#"

            SubAgent.run("{{#items}}{{id}}{{/items}} {{main_subject}} {{ main_subject }}",
              signature: "(main_subject :string, items [{id :int}]) -> {topic :int}",
              context: %{"main_subject" => "a", items: [%{id: 1}]}
            )
        "#]],
    );
    check(
        HostKind::Elixir,
        &agent.replacen("#items", "#it$0ems", 1),
        "rows",
        expect![[r#"

            SubAgent.run("{{#rows}}{{id}}{{/rows}} {{topic}} {{ topic }}",
              signature: "(topic :string, rows [{id :int}]) -> {topic :int}",
              context: %{"topic" => "a", rows: [%{id: 1}]}
            )
        "#]],
    );
    check(
        HostKind::Elixir,
        &agent.replacen("[{id", "[{i$0d", 1),
        "key",
        expect![[r#"

            SubAgent.run("{{#items}}{{key}}{{/items}} {{topic}} {{ topic }}",
              signature: "(topic :string, items [{key :int}]) -> {topic :int}",
              context: %{"topic" => "a", items: [%{key: 1}]}
            )
        "#]],
    );
}

/// Whatever place is asked about: all that a rename changes are references.
#[test]
fn references_are_what_a_rename_changes() {
    let bound = "opts = [signature: \"(rows :int, tag :string) -> :int\", context: %{rows: 1, tag: \"x\"}, llm: llm()]\nSubAgent.run(\"Do {{rows}} {{tag}}\", opts)\n";
    for text in [
        bound.to_owned(),
        format!("defmodule T do\n  test \"x\" do\n{bound}  end\nend\n"),
    ] {
        let document = document(HostKind::Elixir, &text);
        let places: Vec<_> = text.match_indices("tag").map(|(at, _)| size(at)).collect();
        assert_eq!(places.len(), 3);
        for at in &places {
            let renamed = rename(&document, *at, "new")
                .expect("a rename")
                .expect("edits");
            let renamed: Vec<_> = renamed.iter().map(|it| it.range.start()).collect();
            assert_eq!(renamed, places, "{text}");
            let found = references(&document, *at, true);
            let found: Vec<_> = found.iter().map(|it| it.start()).collect();
            assert_eq!(found, places, "{text}");
        }
    }
}

#[test]
fn an_input_with_its_description() {
    let agent = "SubAgent.new(prompt: \"{{topic}}\", signature: \"(top$0ic :string) -> {topic :int}\", context_descriptions: %{topic: \"What.\"}, field_descriptions: %{topic: \"How many.\"})";
    check(
        HostKind::Elixir,
        agent,
        "subject",
        expect![[
            r#"SubAgent.new(prompt: "{{subject}}", signature: "(subject :string) -> {topic :int}", context_descriptions: %{subject: "What."}, field_descriptions: %{topic: "How many."})"#
        ]],
    );
}

#[test]
fn a_listed_tool_with_its_parameters_and_fields() {
    let agent = r#"
SubAgent.new(
  prompt: """
  Use these tools:
  search(query :string, page {size :int}) -> [{id :int}]
    Finds things.
  """,
  tools: %{"search" => {&A.search/1, "(query :string, page {size :int}) -> [{id :int}]"}}
)
"#;
    for (name, at, new) in [
        ("search", "\"sea$0rch\"", "find"),
        ("search", "  sea$0rch(", "find"),
        ("query", "\"(que$0ry", "words"),
        ("size", "{si$0ze :int}}) -> [{id :int}]\"", "count"),
        ("id", "[{i$0d :int}]\"", "key"),
        ("query", "\"(que$0ry", "search_words"),
        ("query", "\"(que$0ry", "search-words"),
        ("query", "  search(que$0ry", "search_words"),
        ("id", "[{i$0d :int}]\"", "main_key"),
        ("id", "[{i$0d :int}]\n", "main_key"),
    ] {
        let fixture = agent.replacen(&at.replace("$0", ""), at, 1);
        let fixture = match name {
            "size" => agent.replacen(
                "page {size :int}) -> [{id :int}]\"",
                "page {si$0ze :int}) -> [{id :int}]\"",
                1,
            ),
            _ => fixture,
        };
        let (document, offset) = marked(HostKind::Elixir, &fixture);
        let edits = rename(&document, offset, new)
            .expect("no refusal")
            .expect("a name");
        let fixed = applied(agent, &edits);
        let function = "&A.search/1";
        let renamed = agent
            .replace(function, "$1")
            .replace(name, new)
            .replace("$1", function);
        assert_eq!(fixed, renamed);
    }
}

#[test]
fn a_name_with_a_hyphen_and_the_placeholders_that_ask_for_it() {
    let agent = |edition: &str| {
        format!(
            r#"# signature-ls: edition {edition}
SubAgent.run("{{{{order-count}}}} {{{{#items}}}}{{{{unit-price}}}}{{{{/items}}}}",
  signature: "(order-$0count :int, items [{{unit-price :int}}]) -> :int",
  context: %{{"order-count" => 1, items: [%{{"unit-price" => 1}}]}}
)
"#
        )
    };
    check(
        HostKind::Elixir,
        &agent("0.11"),
        "order_total",
        expect![[r##"
            # signature-ls: edition 0.11
            SubAgent.run("{{order-total}} {{#items}}{{unit-price}}{{/items}}",
              signature: "(order_total :int, items [{unit-price :int}]) -> :int",
              context: %{"order-total" => 1, items: [%{"unit-price" => 1}]}
            )
        "##]],
    );
    check(
        HostKind::Elixir,
        &agent("0.11")
            .replace("$0", "")
            .replacen("unit-price :", "unit$0-price :", 1),
        "price",
        expect![[r##"
            # signature-ls: edition 0.11
            SubAgent.run("{{order-count}} {{#items}}{{price}}{{/items}}",
              signature: "(order-count :int, items [{price :int}]) -> :int",
              context: %{"order-count" => 1, items: [%{"price" => 1}]}
            )
        "##]],
    );
    check(
        HostKind::Elixir,
        &agent("0.4").replace("{{#items}}{{unit-price}}{{/items}}", ""),
        "order_total",
        expect![[r##"
            # signature-ls: edition 0.4
            SubAgent.run("{{order_total}} ",
              signature: "(order_total :int, items [{unit-price :int}]) -> :int",
              context: %{"order_total" => 1, items: [%{"unit-price" => 1}]}
            )
        "##]],
    );
}

#[test]
fn an_argument_in_its_own_spelling() {
    check(
        HostKind::Lisp,
        r#"{:tools {"search" "(order_id :int, page :int?) -> :any"}}
(tool/search {:order-$0id 1 :page 2})
(tool/search :order_id 1)
"#,
        "order_number",
        expect![[r#"
            {:tools {"search" "(order_number :int, page :int?) -> :any"}}
            (tool/search {:order-number 1 :page 2})
            (tool/search :order_number 1)
        "#]],
    );
    check(
        HostKind::Lisp,
        r#"{:tools {"search" "(id :int) -> :any"}}
(tool/sear$0ch {:id 1})
(tool/search :id 1)
"#,
        "find_order",
        expect![[r#"
            {:tools {"find_order" "(id :int) -> :any"}}
            (tool/find_order {:id 1})
            (tool/find_order :id 1)
        "#]],
    );
}

#[test]
fn a_parameter_of_a_function_with_its_body() {
    check(
        HostKind::Lisp,
        r#"(defn refund "Doc" {:signature "(order_id :int, reason :string) -> :any"}
  [order-id reason]
  (let [x order-id] (str "order-id" x reason {:order-id order-id})))
"#
        .replacen("(order_id", "(order$0_id", 1)
        .as_str(),
        "ticket",
        expect![[r#"
            (defn refund "Doc" {:signature "(ticket :int, reason :string) -> :any"}
              [ticket reason]
              (let [x ticket] (str "order-id" x reason {:order-id ticket})))
        "#]],
    );
    check(
        HostKind::Lisp,
        r#"(defn refund "Doc" {:signature "(order$0_id :int) -> :any"} [{:keys [order-id]}] (f order-id))"#,
        "ticket_id",
        expect![[
            r#"(defn refund "Doc" {:signature "(ticket_id :int) -> :any"} [{:keys [ticket-id]}] (f ticket-id))"#
        ]],
    );
    check(
        HostKind::Lisp,
        r#"(defn f "Doc" {:signature "(order$0_id :int) -> :any"} [order-id] (let [id 1] order-id))"#,
        "id",
        expect!["`id` is taken: the function uses it for something else."],
    );
    check(
        HostKind::Lisp,
        r#"(defn f "Doc" {:signature "(i$0d :int, m :map) -> :any"} [id m] (let [{:keys [id]} m] id))"#,
        "key",
        expect!["Cannot see all uses: in line 1 `:keys` binds it again."],
    );
}

#[test]
fn samples_and_front_matter() {
    check(
        HostKind::Prompt,
        "---\nsignature: \"(user {name :string, age :int}) -> {name :string}\"\ninput: {user: {name: x, \"age\": 1}}\noutput: {name: y}\n---\n{{user.na$0me}} {{#user}}{{name}}{{/user}}",
        "full_name",
        expect![[r#"
            ---
            signature: "(user {full_name :string, age :int}) -> {name :string}"
            input: {user: {full_name: x, "age": 1}}
            output: {name: y}
            ---
            {{user.full_name}} {{#user}}{{full_name}}{{/user}}"#]],
    );
}

#[test]
fn a_tool_whose_key_is_before_its_object() {
    let json = r#"{"tools": {"search": {"signature": "(id :int) -> :any"}}}"#;
    check(
        HostKind::Json,
        &json.replace("\"search", "\"sea$0rch"),
        "find",
        expect![[r#"{"tools": {"find": {"signature": "(id :int) -> :any"}}}"#]],
    );
    let yaml = "tools:\n  sea$0rch:\n    signature: \"(id :int) -> :any\"\n  - x\n";
    check(
        HostKind::Yaml,
        &yaml.replace("  - x\n", ""),
        "find",
        expect![[r#"
            tools:
              find:
                signature: "(id :int) -> :any"
        "#]],
    );
    check(
        HostKind::Lisp,
        r#"{:tools {:search {:signature "(id :int) -> :any"}}} (tool/sea$0rch {:id 1})"#,
        "find",
        expect![[r#"{:tools {:find {:signature "(id :int) -> :any"}}} (tool/find {:id 1})"#]],
    );
}

/// Renames the name at `offset`, which is written at `expected` places, and renames it back.
#[track_caller]
fn check_round_trip(document: &Document, offset: TextSize, new: &str, expected: usize) {
    let text = document.text().whole();
    let prepared = prepare_rename(document, offset);
    let old = prepared.expect("can be renamed").expect("a name").name;
    let edits = rename(document, offset, new);
    let edits = edits.unwrap_or_else(|it| panic!("{it:?} in {text}"));
    let edits = edits.expect("a name");
    let places: Vec<_> = edits.iter().map(|it| it.range).collect();
    assert_eq!(places.len(), expected, "{text}");
    assert_eq!(references(document, offset, true), places, "{text}");
    let after = document.with_edits(&edits);
    let before = { edits.iter() }.filter(|it| it.range.end() < offset);
    let moved = before.fold(offset, |at, it| {
        at + TextSize::of(it.insert.as_str()) - it.range.len()
    });
    let back = rename(&after, moved, &old);
    let back = back.unwrap_or_else(|it| panic!("back: {it:?} in {text}"));
    assert_eq!(applied(&after.text().whole(), &back.expect("a name")), text);
}

/// Two agents, each with a tool `get` and one other.
const AGENTS: [(HostKind, &str); 5] = [
    (
        HostKind::Elixir,
        r#"SubAgent.new(prompt: "Go.", signature: "() -> :any", tools: %{"get" => &A.get/1, "FIRST" => {&A.s/1, "(q :string) -> :any"}})
SubAgent.new(prompt: "Go.", signature: "() -> :any", tools: %{"get" => &A.get/1, "SECOND" => {&A.f/1, "(q :string, n :int) -> :any"}})
"#,
    ),
    (
        HostKind::Elixir,
        "prompt = \"Go.\"\nSubAgent.new(prompt: prompt, tools: %{get: &A.get/1, FIRST: &A.s/1})\nSubAgent.new(prompt: prompt, tools: %{get: &A.get/1, SECOND: &A.s/1})\n",
    ),
    (
        HostKind::Yaml,
        "a:\n  tools:\n    get: \"() -> :any\"\n    FIRST: \"(q :string) -> :any\"\nb:\n  tools:\n    SECOND: \"(p :string) -> :any\"\n    get: \"() -> :any\"\n",
    ),
    (
        HostKind::Yaml,
        "- tools:\n    FIRST:\n      signature: \"(q :string) -> :any\"\n    # Reads.\n    get:\n      signature: \"() -> :any\"\n- tools:\n    get:\n      signature: \"() -> :any\"\n\n    SECOND:\n      signature: \"(q :string) -> :any\"\n",
    ),
    (
        HostKind::Json,
        "[\n  {\n    \"tools\": {\n      \"get\": \"() -> :any\",\n      \"FIRST\": \"(q :string) -> :any\"\n    }\n  },\n  {\n    \"tools\": {\n      \"get\": \"() -> :any\",\n      \"SECOND\": \"(q :string) -> :any\"\n    }\n  }\n]\n",
    ),
];

#[test]
fn tools_of_agents_without_a_common_program_are_different() {
    for (kind, agents) in AGENTS {
        for second in ["search", "find"] {
            let text = agents
                .replace("FIRST", "sea$0rch")
                .replace("SECOND", second);
            let (document, offset) = marked(kind, &text);
            check_round_trip(&document, offset, "find", 1);
            let taken = rename(&document, offset, "get");
            let Refusal(reason) = taken.expect_err(&text);
            assert_eq!(reason, "`get` is taken: another tool has that name.");
        }
    }
}

#[test]
fn a_program_that_may_mean_several_tools_makes_them_one() {
    let program = "Lisp.run(\"(tool/search {:q 1})\")\n";
    for (kind, agents) in AGENTS.into_iter().take(2) {
        let agents = agents
            .replace("FIRST", "sea$0rch")
            .replace("SECOND", "search");
        let (document, offset) = marked(kind, &format!("{agents}{program}"));
        check_round_trip(&document, offset, "find", 3);
    }
}

#[test]
fn a_tool_that_a_prompt_lists_is_renamed_there() {
    let listing = "search(query :string) -> :any";
    for (kind, text) in [
        (
            HostKind::Prompt,
            "---\nsignature: \"() -> :any\"\ntools:\n  search: \"(query :string) -> :any\"\n---\nUse it.\n\nLISTING\n",
        ),
        (
            HostKind::Yaml,
            "signature: \"() -> :any\"\nprompt: |\n  Use it.\n\n  LISTING\ntools:\n  search: \"(query :string) -> :any\"\n",
        ),
        (
            HostKind::Json,
            r#"{"signature": "() -> :any", "prompt": "Use it.\n\nLISTING\n", "tools": {"search": "(query :string) -> :any"}}"#,
        ),
        (
            HostKind::Elixir,
            "SubAgent.new(\n  signature: \"() -> :any\",\n  prompt: \"\"\"\n  LISTING\n  \"\"\",\n  tools: %{\"search\" => {&A.b/1, \"(query :string) -> :any\"}}\n)\n",
        ),
    ] {
        let text = text.replace("LISTING", listing);
        let document = document(kind, &text);
        for name in ["search", "query"] {
            for (at, _) in text.match_indices(name) {
                check_round_trip(&document, size(at), "other", 2);
            }
        }
    }
}

#[test]
fn data_without_a_signature() {
    check(
        HostKind::Elixir,
        "Lisp.run(\"(count data/ord$0ers)\", context: %{orders: [1]})\n",
        "all_orders",
        expect![[r#"
            Lisp.run("(count data/all_orders)", context: %{all_orders: [1]})
        "#]],
    );
}

#[test]
fn what_is_shared_is_renamed_everywhere() {
    check(
        HostKind::Elixir,
        r#"
prompt = "{{top$0ic}}"
SubAgent.run(prompt, signature: "(topic :string) -> :any", context: %{topic: 1})
SubAgent.run(prompt, signature: "(topic :int) -> :any")
"#,
        "subject",
        expect![[r#"

            prompt = "{{subject}}"
            SubAgent.run(prompt, signature: "(subject :string) -> :any", context: %{subject: 1})
            SubAgent.run(prompt, signature: "(subject :int) -> :any")
        "#]],
    );
}

#[test]
fn a_name_that_is_taken_or_none_is_refused() {
    let agent = "---\nsignature: \"(to$0pic :string, lang_code :string, items [{name :string}]) -> :any\"\n---\n{{topic}}{{#items}}{{topic}}{{/items}}";
    check(
        HostKind::Prompt,
        agent,
        "lang-code",
        expect!["`lang-code` is taken: a parameter or field beside it has that name."],
    );
    check(
        HostKind::Prompt,
        agent,
        "2x",
        expect![
            "`2x` is not a name: start with a letter or `_`, then use letters, digits, `_` and `-`."
        ],
    );
    check(
        HostKind::Prompt,
        agent,
        "name",
        expect!["`name` is taken: in line 4 it would stand for something else."],
    );
    check(
        HostKind::Lisp,
        r#"{:tools {"sea$0rch" "(id :int) -> :any" "get" "() -> :any"}}"#,
        "get",
        expect!["`get` is taken: another tool has that name."],
    );
}

/// Of all places that cannot be read, wherever the name is asked for.
#[test]
fn a_refusal_names_the_first_place() {
    let agents: String = (0..6)
        .map(|it| format!("b{it} = SubAgent.new(prompt: \"{{{{topic}}}} #{{more}}\", signature: \"(topic :string) -> :any\")\n"))
        .collect();
    let steps: String = (0..6)
        .map(|it| format!("SubAgent.then!(step, b{it}, llm: llm)\n"))
        .collect();
    let text = format!(
        "a = SubAgent.new(prompt: \"Go.\", signature: \"{{topic :string}}\")\n{agents}step = SubAgent.run!(a, llm: llm)\n{steps}step.return[\"topic\"]\n"
    );
    let places: Vec<_> = text.match_indices("topic").map(|(at, _)| at).collect();
    assert_eq!(places.len(), 14);
    let document = document(HostKind::Elixir, &text);
    for at in places {
        let Err(Refusal(reason)) = rename(&document, size(at), "x") else {
            panic!("the rename at {at} is not refused");
        };
        assert!(reason.contains("in line 2 "), "{reason}");
    }
}

#[test]
fn what_cannot_be_seen_is_refused() {
    let call = |prompt: &str, context: &str| {
        format!(
            "SubAgent.run(\"{prompt}\", signature: \"(to$0pic :string, u {{n :int}}) -> :any\", context: {context})"
        )
    };
    check(
        HostKind::Elixir,
        &call("#{intro} {{topic}}", "%{topic: 1}"),
        "x",
        expect!["Cannot see all uses: in line 1 the prompt has an interpolation that may name it."],
    );
    check(
        HostKind::Elixir,
        &call("{{topic}}", "context"),
        "x",
        expect![
            "Cannot see all uses: in line 1 a value is only known at run time and may name it."
        ],
    );
    check(
        HostKind::Elixir,
        &call("{{topic}}", "%{topic: topic(), u: u}"),
        "x",
        expect![[
            r#"SubAgent.run("{{x}}", signature: "(x :string, u {n :int}) -> :any", context: %{x: topic(), u: u})"#
        ]],
    );
    check(
        HostKind::Elixir,
        &call("{{topic}}", "%{topic: 1, u: u}")
            .replace("$0", "")
            .replacen("{n", "{$0n", 1),
        "x",
        expect![
            "Cannot see all uses: in line 1 a value is only known at run time and may name it."
        ],
    );
    check(
        HostKind::Lisp,
        "{:tools {\"search\" \"(i$0d :int) -> :any\"}}\n(tool/search args)",
        "key",
        expect![
            "Cannot see all uses: in line 2 the arguments of a call are only known at run time."
        ],
    );
}

#[test]
fn nothing_of_ours_is_nothing() {
    for fixture in [
        "x = $0foo",
        "SubAgent.ru$0n(\"{{a}}\")",
        "tools: %{\"a\" => &M.f$0/1}",
    ] {
        check(HostKind::Elixir, fixture, "x", expect!["nothing"]);
    }
}

#[test]
fn a_prompt_or_program_that_is_read_at_run_time_may_name_anything() {
    let inputs = "(to$0pic :string) -> {title :string}";
    let output = "(topic :string) -> {ti$0tle :string}";
    let prompts = [
        "def a(p), do: SubAgent.new(prompt: p, signature: \"№\")\n",
        "SubAgent.new(prompt: build(1), signature: \"№\")\n",
        "SubAgent.new(prompt: \"Hi \" <> \"{{topic}}\", signature: \"№\")\n",
        "SubAgent.run(File.read!(\"a\"), signature: \"№\", context: %{topic: 1})\n",
        "@s \"№\"\ndef a(p), do: SubAgent.run(p, signature: @s)\n",
    ];
    let programs = [
        "def a(p), do: Lisp.run(p, signature: \"№\")\n",
        "Lisp.run(File.read!(\"a.clj\"), signature: \"№\")\n",
    ];
    for (texts, signatures) in [
        (&prompts[..], &[inputs][..]),
        (&programs, &[inputs, output]),
    ] {
        for (text, signature) in texts
            .iter()
            .flat_map(|text| signatures.iter().map(move |it| (text, it)))
        {
            let fixture = text.replace('№', signature);
            let (document, offset) = marked(HostKind::Elixir, &fixture);
            let refused = rename(&document, offset, "other").expect_err(&fixture);
            assert!(
                refused.0.contains("is only known at run time"),
                "{fixture}: {}",
                refused.0
            );
            assert!(prepare_rename(&document, offset).is_err(), "{fixture}");
        }
    }
    for lisp in [
        "{:prompt my-prompt :signature \"(to$0pic :string) -> :int\"}\n",
        "{:program my-program :signature \"(topic :string) -> {ti$0tle :string}\"}\n",
        "(def program '(return {:title data/to$0pic}))\n",
    ] {
        let (document, offset) = marked(HostKind::Lisp, lisp);
        assert!(rename(&document, offset, "other").is_err(), "{lisp}");
    }
    // Known values and literals without a program hide nothing.
    for text in [
        "@p \"{{topic}}\"\nSubAgent.new(prompt: @p, signature: \"(to$0pic :string) -> :int\")\n",
        "SubAgent.new(prompt: nil, signature: \"(to$0pic :string) -> :int\")\n",
        "a = SubAgent.new(prompt: \"{{topic}}\", signature: \"(to$0pic :string) -> :int\")\nSubAgent.run(a, context: %{topic: 1})\n",
        "p = \"(return data/topic)\"\nLisp.run(p, signature: \"(to$0pic :string) -> :int\")\n",
        "p = \"{{topic}}\"\np |> SubAgent.run(signature: \"(to$0pic :string) -> :int\")\n",
    ] {
        let (document, offset) = marked(HostKind::Elixir, text);
        assert!(rename(&document, offset, "other").is_ok(), "{text}");
    }
}

#[test]
fn the_head_of_a_tools_function_follows_or_keeps_the_name() {
    check(
        HostKind::Elixir,
        "Lisp.run(\"(tool/find {:some-q 1})\", tools: %{\"find\" => {fn %{\"some_q\" => q} -> q\n  %{\"n\" => n} -> n end, \"(so$0me_q :string, n :int) -> :int\"}})\n",
        "other_q",
        expect![[r#"
            Lisp.run("(tool/find {:other-q 1})", tools: %{"find" => {fn %{"other_q" => q} -> q
              %{"n" => n} -> n end, "(other_q :string, n :int) -> :int"}})
        "#]],
    );
    for (head, signature) in [
        ("def find(%{\"q\" => q}), do: q", "(q$0 :string) -> :int"),
        (
            "def find(%{\"n\" => n}), do: n\n  def find(%{\"q\" => q}), do: q",
            "(q$0 :string, n :int) -> :int",
        ),
    ] {
        let text = format!(
            "defmodule A do\n  {head}\n  def go, do: SubAgent.new(prompt: \"Go.\", tools: %{{\"f\" => {{&find/1, \"{signature}\"}}}})\nend\n"
        );
        check(
            HostKind::Elixir,
            &text,
            "other",
            expect!["The head of `find/1` reads `q`, which is not renamed; change it there first."],
        );
        let plain = text
            .replace(" :string", " {q :string}")
            .replace("q$0 {q", "user {q$0");
        let (document, offset) = marked(HostKind::Elixir, &plain);
        assert!(rename(&document, offset, "other").is_ok(), "{plain}");
    }
}

#[test]
fn the_keys_that_a_function_reads_follow_or_keep_the_name() {
    let tool = |function: &str| {
        let agent = "SubAgent.new(prompt: \"Go.\", tools: %{\"f\" => {FUNCTION, \"(q$0 :string, user {name :string}) -> :int\"}})\n";
        agent.replace("FUNCTION", function)
    };
    for (function, expected) in [
        (
            "fn args -> args[\"q\"] end",
            "fn args -> args[\"other\"] end",
        ),
        (
            "fn %{\"q\" => q} = all -> [q, Map.get(all, \"q\", 1), \"qq\"] end",
            "fn %{\"other\" => q} = all -> [q, Map.get(all, \"other\", 1), \"qq\"] end",
        ),
        ("fn args -> run(args) end", "fn args -> run(args) end"),
    ] {
        let (document, offset) = marked(HostKind::Elixir, &tool(function));
        let edits = rename(&document, offset, "other")
            .expect(function)
            .expect(function);
        let renamed = tool(expected).replace("(q$0 ", "(other ");
        assert_eq!(
            applied(&document.text().rope().to_string(), &edits),
            renamed
        );
    }
    let long = format!("fn args -> args[\"q\"] {} end", "+ 1".repeat(8_000));
    for function in [
        "fn args -> case args do %{\"q\" => q} -> q end end",
        "fn args -> get_in(args, [\"q\"]) end",
        &long,
    ] {
        let (document, offset) = marked(HostKind::Elixir, &tool(function));
        let Refusal(reason) = rename(&document, offset, "other").expect_err(function);
        assert!(
            reason.ends_with("the function of the tool may read it."),
            "{reason}"
        );
    }
    let nested = tool("fn %{\"user\" => %{\"name\" => name}} -> name end");
    let nested = nested.replace("q$0 ", "q ").replace("{name ", "{na$0me ");
    let (document, offset) = marked(HostKind::Elixir, &nested);
    assert!(rename(&document, offset, "other").is_err());
}

#[test]
fn names_that_keys_bind_follow() {
    check(
        HostKind::Elixir,
        "Lisp.run(\"(let [{:keys [id na$0me] :or {name 1}} (tool/get)] (str name id (let [name 2] name)))\", tools: %{\"get\" => {&B.l/0, \"() -> {id :int, name :string}\"}})\n",
        "full_name",
        expect![[r#"
            Lisp.run("(let [{:keys [id full-name] :or {full-name 1}} (tool/get)] (str full-name id (let [name 2] name)))", tools: %{"get" => {&B.l/0, "() -> {id :int, full_name :string}"}})
        "#]],
    );
}

#[test]
fn inputs_in_the_text_of_a_prompt_follow() {
    check(
        HostKind::Elixir,
        "SubAgent.run(\"Count data/order-rows, then `data/order_rows` {{n}} metadata/order_rows\", signature: \"(order$0_rows [:int], n :int) -> :int\")\n",
        "all_rows",
        expect![[r#"
            SubAgent.run("Count data/all-rows, then `data/all_rows` {{n}} metadata/order_rows", signature: "(all_rows [:int], n :int) -> :int")
        "#]],
    );
    // From the prompt, too.
    check(
        HostKind::Prompt,
        "---\nsignature: '(rows [:int]) -> :int'\ninput: {rows: [1]}\n---\nCount data/ro$0ws.\n",
        "all_rows",
        expect![[r#"
            ---
            signature: '(all_rows [:int]) -> :int'
            input: {all_rows: [1]}
            ---
            Count data/all_rows.
        "#]],
    );
}

#[test]
fn a_name_that_would_cause_a_diagnostic_is_refused() {
    // Names that begin with `_` are hidden in this edition.
    let prompt = "---\n# signature-ls: edition 0.5\nsignature: \"(topic$0 :string) -> :int\"\n---\n{{topic}}\n";
    let (document, offset) = marked(HostKind::Prompt, prompt);
    assert!(rename(&document, offset, "other").is_ok());
    let Refusal(reason) = rename(&document, offset, "_other").expect_err("it is hidden");
    assert!(
        reason.starts_with("`_other` would cause a diagnostic in line 5: "),
        "{reason}"
    );
    // Existing errors remain.
    let faulty = prompt.replace("{{topic}}", "{{topic}} {{unknown}} {{#topic}}");
    let (document, offset) = marked(HostKind::Prompt, &faulty);
    assert!(rename(&document, offset, "other").is_ok());
}

#[test]
fn a_name_of_several_files_that_would_cause_a_diagnostic_is_refused() {
    let code = "# signature-ls: edition 0.5\ndefmodule A do\n  def agent do\n    SubAgent.new(prompt: \"{{topic}}\", signature: \"(to$0pic :string) -> :int\")\n  end\nend\n";
    let (document, offset) = marked(HostKind::Elixir, code);
    let shared = shared_by_rename(&document, offset);
    assert!(!shared.is_empty());
    assert!(rename_shared(&document, &shared, Some(offset), "other").is_ok());
    let Refusal(reason) =
        rename_shared(&document, &shared, Some(offset), "_other").expect_err("it is hidden");
    assert!(
        reason.starts_with("`_other` would cause a diagnostic in line 4: "),
        "{reason}"
    );
}

#[test]
fn an_agent_as_a_tool_is_renamed_with_the_calls_of_the_tool() {
    for made in [
        "SubAgent.as_tool(SubAgent.new(prompt: \"F {{topic}}\", signature: \"(topic :string) -> {topics :int}\"))",
        "SubAgent.new(prompt: \"F {{topic}}\", signature: \"(topic :string) -> {topics :int}\") |> SubAgent.as_tool()",
    ] {
        let text = format!(
            "Lisp.run(\"(:topics (tool/find {{:topic data/x}}))\", context: %{{x: 1}}, tools: %{{\"find\" => {made}}})\n"
        );
        for place in ["(topic :", "{{topic", ":topic data"] {
            let offset = size(text.find(place).expect("a place") + 2);
            let document = document(HostKind::Elixir, &text);
            let edits = rename(&document, offset, "subject")
                .expect("no refusal")
                .expect("edits");
            let expected = ["(", "{{", ":"].iter().fold(text.clone(), |text, mark| {
                text.replace(&format!("{mark}topic "), &format!("{mark}subject "))
                    .replace(&format!("{mark}topic}}"), &format!("{mark}subject}}"))
            });
            assert_eq!(applied(&text, &edits), expected, "{place}");
        }
    }
}

/// What the other use would become is not seen, so nothing is renamed.
#[test]
fn names_of_texts_that_are_used_or_written_elsewhere_are_refused() {
    for (kind, text) in [
        (
            HostKind::Elixir,
            "def f(sig), do: SubAgent.run(\"{{na$0me}}\", signature: sig, context: %{name: 1})\n",
        ),
        (
            HostKind::Elixir,
            "SubAgent.run(\"{{na$0me}}\", signature: signature())\n",
        ),
        (
            HostKind::Yaml,
            "a:\n  signature: &s \"(na$0me :string) -> :any\"\n  prompt: \"{{name}}\"\nb:\n  signature: *s\n  prompt: \"{{name}}\"\n",
        ),
        (
            HostKind::Yaml,
            "a:\n  signature: &s \"(name :string) -> :any\"\n  prompt: \"{{name}}\"\nb:\n  signature: *s\n  prompt: \"{{na$0me}}\"\n",
        ),
        (
            HostKind::Yaml,
            "a: &a\n  signature: \"(na$0me :string) -> :any\"\nb:\n  <<: *a\n  prompt: \"{{name}}\"\n",
        ),
        (
            HostKind::Yaml,
            "a: &a\n  signature: \"(name :string) -> :any\"\nb:\n  <<: [*a]\n  prompt: \"{{na$0me}}\"\n",
        ),
        (
            HostKind::Yaml,
            "p: &p \"{{name}}\"\na:\n  signature: \"(na$0me :string) -> :any\"\n  prompt: *p\n",
        ),
    ] {
        let (document, offset) = marked(kind, text);
        let Err(Refusal(reason)) = rename(&document, offset, "other") else {
            panic!("{text}");
        };
        assert!(reason.starts_with("Cannot see all uses: "), "{reason}");
    }
}

/// A name keeps its hyphens or underscores, and a program gets a key that is typed in it as it is: renaming back from a
/// name of one word restores the text. Symbols of a program get hyphens, as its own names have.
#[test]
fn a_rename_and_one_back_restore_the_text() {
    for key in ["order_count", "order-count", "count"] {
        let text = format!(
            "{{:tools {{\"search\" \"(order_count :int) -> {{order_count :int}}\"}}}}\n\n(let [{{:keys [{key}]}} (tool/search {{:{key} 1}})] (+ {key} 1))\n(:{key} (tool/search {{:{key} 2}}))\n"
        )
        .replace("order_count :", &format!("{} :", key.replace('-', "_")));
        for (at, _) in text
            .match_indices(key)
            .chain(text.match_indices("order_count :"))
        {
            let offset = size(at);
            let before = document(HostKind::Lisp, &text);
            let Ok(Some(edits)) = rename(&before, offset, "n") else {
                panic!("{text} at {at}");
            };
            let renamed = applied(&text, &edits);
            let moved: i64 = { edits.iter() }
                .filter(|it| it.range.start() < offset)
                .map(growth)
                .sum();
            let offset = size(usize::try_from(i64::try_from(at).unwrap() + moved).unwrap());
            let written = &text[at..][..key.len()];
            let between = document(HostKind::Lisp, &renamed);
            let edits = rename(&between, offset, written).unwrap().unwrap();
            let is_key = at > text.find("\n\n").unwrap() && text[..at].ends_with(':');
            if is_key || key != "order_count" {
                assert_eq!(applied(&renamed, &edits), text, "{at}");
            }
        }
    }
}

/// A program finds the signature of its tool wherever that is written, and however the program is passed.
#[test]
fn an_argument_of_a_tool_whose_signature_is_bound_to_a_name() {
    for (bound, tools) in [
        ("@sig \"(a :int) -> :int\"", "%{\"x\" => {&M.x/1, @sig}}"),
        (
            "@sig \"(a :int) -> :int\"",
            "%{\"x\" => {&M.x/1, signature: @sig}}",
        ),
        (
            "@tools %{\"x\" => {&M.x/1, \"(a :int) -> :int\"}}",
            "@tools",
        ),
        ("", "%{\"x\" => {&M.x/1, \"(a :int) -> :int\"}}"),
    ] {
        for call in [
            format!("PtcRunner.Lisp.run(\"(tool/x {{:a 1}})\", tools: {tools})"),
            format!("\"(tool/x {{:a 1}})\" |> PtcRunner.Lisp.run(tools: {tools})"),
            format!("~S|(tool/x {{:a 1}})|\n    |> PtcRunner.Lisp.run(tools: {tools})"),
            format!("src = \"(tool/x {{:a 1}})\"\n    src |> PtcRunner.Lisp.run(tools: {tools})"),
            format!("tools = {tools}\n    PtcRunner.Lisp.run(\"(tool/x {{:a 1}})\", tools: tools)"),
        ] {
            let text = format!("defmodule A do\n  {bound}\n  def go do\n    {call}\n  end\nend\n");
            let document = document(HostKind::Elixir, &text);
            let places = [
                text.find("(a :int").unwrap() + 1,
                text.find(":a 1").unwrap() + 1,
            ];
            for at in places {
                let found = references(&document, size(at), true);
                let mut found: Vec<_> = found.iter().map(|it| usize::from(it.start())).collect();
                found.sort_unstable();
                let mut expected = places;
                expected.sort_unstable();
                assert_eq!(found, expected, "{text}");
            }
        }
    }
}
