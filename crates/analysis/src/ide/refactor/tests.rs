use expect_test::{Expect, expect};

use super::*;
use crate::ide::{
    Settings,
    testing::{applied, marked},
};
use signature_ls_source::{host::HostKind, text::size};

/// Each refactoring at `$0` with its result.
#[track_caller]
fn check(kind: HostKind, fixture: &str, expected: &Expect) {
    let (document, offset) = marked(kind, fixture);
    let mut shown = String::new();
    for it in refactorings(&document, offset) {
        let text = applied(&document.text().whole(), &it.edits);
        shown.push_str(&format!("{}\n{text}\n", it.title));
    }
    expected.assert_eq(&shown);
}

/// The refactorings that nearly apply at `$0`, with the reasons.
#[track_caller]
fn check_unavailable(kind: HostKind, fixture: &str, expected: &[(&str, &str)]) {
    let (document, offset) = marked(kind, fixture);
    let found = offers(&document, offset).into_iter();
    let found: Vec<_> = found.filter_map(Result::err).collect();
    let found: Vec<_> = { found.iter() }
        .map(|it| (it.title.as_str(), it.reason.as_str()))
        .collect();
    assert_eq!(found, expected, "{fixture}");
}

#[test]
fn a_refactoring_that_nearly_applies_says_why_it_does_not() {
    let agent = |signature: &str, prompt: &str| {
        format!("SubAgent.new(signature: \"{signature}\", prompt: \"{prompt}\")\n")
    };
    let of_user = "Make parameters of the fields of `user`";
    let record = "Move the parameters into a record `input`";
    for (signature, prompt, expected) in [
        (
            "(us$0er {name :string}) -> :int",
            "{{user}}",
            (of_user, "The prompt uses `user` as a whole."),
        ),
        (
            "(us$0er {name :string}, name :int) -> :int",
            "{{user.name}}",
            (of_user, "Another parameter is named `name`."),
        ),
        (
            "(us$0er {name :string}) -> :int",
            "{{user.name}} #{more}",
            (
                of_user,
                "Cannot see all uses: in line 1 the prompt has an interpolation that may name it.",
            ),
        ),
        (
            "(na$0me :string, age :int) -> :int",
            "{{name}} {{age}} #{more}",
            (
                record,
                "Cannot see all uses: in line 1 the prompt has an interpolation that may name it.",
            ),
        ),
        (
            "(user :strng$0) -> :int",
            "{{user}}",
            (FORMAT, "The signature has an error."),
        ),
    ] {
        check_unavailable(HostKind::Elixir, &agent(signature, prompt), &[expected]);
    }
    check_unavailable(
        HostKind::Elixir,
        "defmodule A do\n  def run(q), do: q\n  def agent, do: SubAgent.new(prompt: \"Go.\", tools: %{\"run\" => &A.r$0un/1})\nend\n",
        &[(
            "Write the signature that the `@spec` gives",
            "`run/1` has no `@spec` that can be read.",
        )],
    );
    let by_name = "The function of the tool reads its arguments by these names.";
    check_unavailable(
        HostKind::Catalog,
        "find(us$0er {name :string}) -> :any\n",
        &[(of_user, by_name)],
    );
    check_unavailable(
        HostKind::Yaml,
        "tools:\n  find: \"(na$0me :string, age :int) -> :any\"\n",
        &[(record, by_name)],
    );
    check_unavailable(
        HostKind::Elixir,
        &agent("(us$0er {name :string}) -> :int", "{{user.name}}"),
        &[],
    );
}

#[test]
fn what_a_program_reads_keeps_its_place() {
    let program = "```clojure\n(count data/user)\n```";
    for (params, title) in [
        (
            "us$0er {name :string}",
            "Make parameters of the fields of `user`",
        ),
        (
            "user {name :string}, n$0 :int",
            "Move the parameters into a record `input`",
        ),
    ] {
        check_unavailable(
            HostKind::Prompt,
            &format!(
                "---\nsignature: '({params}) -> :int'\n---\n{{{{user.name}}}} {{{{n}}}}\n\n{program}\n"
            ),
            &[(title, "A program reads `data/user`.")],
        );
    }
}

#[test]
fn a_mistake_does_not_hide_what_a_refactoring_would_cause() {
    let title = "Move the parameters into a record `input`";
    let reason = "It would cause an error or a warning.";
    let agent = "a = SubAgent.new(prompt: \"{{topic}} {{count}}\", signature: \"(topic :string, NA$0ME :int) -> {n :int}\")\n";
    for run in [
        "SubAgent.run(a, context: %{topic: \"R\", count: 3})\n",
        "SubAgent.run(a, context: %{\"topic\" => \"R\", \"count\" => 3})\n",
        "SubAgent.run(a, context: %{topic: 1, count: 3})\n",
    ] {
        for name in ["co$0unt", "co$0nut"] {
            let fixture = format!("{}{run}", agent.replace("NA$0ME", name));
            check_unavailable(HostKind::Elixir, &fixture, &[(title, reason)]);
        }
    }
}

#[test]
fn no_refactoring_leaves_a_listing_behind() {
    let signature = "(query :string, page :int?) -> {id :int}";
    for (kind, text) in [
        (
            HostKind::Prompt,
            "---\nsignature: \"() -> :any\"\ntools:\n  search: \"SIGNATURE\"\n---\nUse it.\n\nsearchSIGNATURE\n",
        ),
        (
            HostKind::Elixir,
            "SubAgent.new(\n  signature: \"() -> :any\",\n  prompt: \"\"\"\n  searchSIGNATURE\n  \"\"\",\n  tools: %{\"search\" => {&A.b/1, \"SIGNATURE\"}}\n)\n",
        ),
    ] {
        let text = text.replace("SIGNATURE", signature);
        let document = Document::new(kind, &text, Settings::default());
        for at in 0..text.len() {
            for it in refactorings(&document, size(at)) {
                let after = document.with_edits(&it.edits);
                let mut reported = after.reported().into_iter();
                let is_outdated = reported.any(|it| it.code() == "outdated-listing");
                assert!(!is_outdated, "{} at {at}", it.title);
            }
        }
    }
}

#[test]
fn types_that_a_prompt_or_a_sample_needs_optional_stay_so() {
    let error = "It would cause an error or a warning.";
    for (fixture, title) in [
        (
            "---\nsignature: \"(note$0 :string?) -> {sum :int}\"\n---\n{{#note}}PS: {{note}}{{/note}}\n",
            "Make `note` required",
        ),
        (
            "---\nsignature: \"(user {name :string, a$0ge :int?}) -> :int\"\ninput: {user: {name: x}}\n---\n{{user.name}} {{user.age}}\n",
            "Make `age` required",
        ),
    ] {
        check_unavailable(HostKind::Prompt, fixture, &[(title, error)]);
    }
}

#[test]
fn types_become_optional_and_forms_change() {
    check(
        HostKind::Catalog,
        "f(a :in$0t) -> :any\n",
        &expect![[r#"
        Make `a` optional
        f(a :int?) -> :any

    "#]],
    );
    check(
        HostKind::Elixir,
        "Signature.parse(\"[{id :int?$0}]\")\n",
        &expect![[r#"
            Make `id` required
            Signature.parse("[{id :int}]")

            Write the full form with parameters
            Signature.parse("() -> [{id :int?}]")

            Put each parameter on a line of its own
            Signature.parse("[{
              id :int?
            }]")

        "#]],
    );
    check(
        HostKind::Elixir,
        "Signature.parse(\"() -> :i$0nt\")\n",
        &expect![[r#"
            Make the output optional
            Signature.parse("() -> :int?")

            Write the shorthand without parameters
            Signature.parse(":int")

        "#]],
    );
    check(
        HostKind::Elixir,
        "Signature.parse(\"(a  :strng$0) -> :int\")\n",
        &expect![""],
    );
}

#[test]
fn signatures_change_their_lines() {
    check(
        HostKind::Elixir,
        "Signature.parse(\"(a :int, b {c :int}) $0-> :int\")\n",
        &expect![[r#"
            Put each parameter on a line of its own
            Signature.parse("(
              a :int,
              b {c :int}
            ) -> :int")

        "#]],
    );
    check(
        HostKind::Elixir,
        "Signature.parse(\"(\n  a :int\n) $0-> :int\")\n",
        &expect![[r#"
            Put the signature on one line
            Signature.parse("(a :int) -> :int")

        "#]],
    );
    check(
        HostKind::Json,
        "{\"signature\": \"(a :int)$0  -> :int\", \"prompt\": \"{{a}}\"}",
        &expect![[r#"
            Format signature
            {"signature": "(a :int) -> :int", "prompt": "{{a}}"}
        "#]],
    );
}

#[test]
fn a_menu_has_few_of_many_missing_parameters() {
    let names: String = (0..100).map(|name| format!("{{{{x{name}}}}} ")).collect();
    let text = format!("---\nsignature: '() -> :int'\n---\n$0{names}\n");
    let (document, offset) = marked(HostKind::Prompt, &text);
    assert_eq!(refactorings(&document, offset).len(), 1 + 8);
}

#[test]
fn parameters_follow_the_prompt() {
    check(
        HostKind::Prompt,
        "---\nsignature: '() -> :int'\n---\n{{#items}}{{id}}$0{{/items}} {{x}}\n",
        &expect![[r#"
            Add the 2 parameters that the prompt asks for
            ---
            signature: '(items [{id :any}], x :any) -> :int'
            ---
            {{#items}}{{id}}{{/items}} {{x}}

            Add the parameter `items [{id :any}]`
            ---
            signature: '(items [{id :any}]) -> :int'
            ---
            {{#items}}{{id}}{{/items}} {{x}}

            Add the parameter `x :any`
            ---
            signature: '(x :any) -> :int'
            ---
            {{#items}}{{id}}{{/items}} {{x}}

        "#]],
    );
    check(
        HostKind::Prompt,
        "---\nsignature: ':int'\n---\n{{x$0}}\n",
        &expect![[r#"
            Add the parameter `x :any`
            ---
            signature: '(x :any) -> :int'
            ---
            {{x}}

        "#]],
    );
    check(
        HostKind::Prompt,
        "---\nsignature: '(us$0er {name :string, tags [:string]}, n :int) -> :int'\n---\n{{user.name}} {{#user.tags}}{{.}}{{/user.tags}}\n",
        &expect![[r#"
            Make parameters of the fields of `user`
            ---
            signature: '(name :string, tags [:string], n :int) -> :int'
            ---
            {{name}} {{#tags}}{{.}}{{/tags}}

            Move the parameters into a record `input`
            ---
            signature: '(input {user {name :string, tags [:string]}, n :int}) -> :int'
            ---
            {{input.user.name}} {{#input.user.tags}}{{.}}{{/input.user.tags}}

            Put each parameter on a line of its own
            ---
            signature: '(
                user {name :string, tags [:string]},
                n :int
              ) -> :int'
            ---
            {{user.name}} {{#user.tags}}{{.}}{{/user.tags}}

        "#]],
    );
    check(
        HostKind::Prompt,
        "---\nsignature: '(a :int, n$0 :int) -> :int'\n---\n{{a}}\n",
        &expect![[r#"
            Remove the unused parameter `n`
            ---
            signature: '(a :int) -> :int'
            ---
            {{a}}

            Move the parameters into a record `input`
            ---
            signature: '(input {a :int, n :int}) -> :int'
            ---
            {{input.a}}

            Make `n` optional
            ---
            signature: '(a :int, n :int?) -> :int'
            ---
            {{a}}

            Put each parameter on a line of its own
            ---
            signature: '(
                a :int,
                n :int
              ) -> :int'
            ---
            {{a}}

        "#]],
    );
}

#[test]
fn tools_change_their_form() {
    const MODULE: &str = "defmodule M do\n  @spec find(String.t(), integer()) :: map()\n  def find(q, n), do: {q, n}\n  def a, do: SubAgent.new(prompt: \"a\", tools: %{\"find\" => TOOL})\nend\n";
    for (tool, expected) in [
        (
            "&fi$0nd/2",
            expect![[r#"
            Write the signature that the `@spec` gives: {&find/2, "(q :string, n :int) -> :map"}
        "#]],
        ),
        (
            "{&fi$0nd/2, \"(q :string, n :int) -> :map\"}",
            expect![[r#"
            Write the signature under a key: {&find/2, signature: "(q :string, n :int) -> :map"}
        "#]],
        ),
        (
            "{&fi$0nd/2, signature: \"(q :string, n :int) -> :map\"}",
            expect![[r#"
                Write the signature without a key: {&find/2, "(q :string, n :int) -> :map"}
            "#]],
        ),
    ] {
        let (document, offset) = marked(HostKind::Elixir, &MODULE.replace("TOOL", tool));
        let shown = refactorings(&document, offset).into_iter().map(|it| {
            let mut text = document.text().rope().to_string();
            it.edits.iter().rev().for_each(|edit| edit.apply(&mut text));
            let line = text
                .lines()
                .find(|it| it.contains("tools:"))
                .unwrap_or_default();
            let tool = line.split("=> ").nth(1).unwrap_or_default();
            format!("{}: {}\n", it.title, tool.trim_end_matches("})"))
        });
        expected.assert_eq(&shown.collect::<String>());
    }
}

/// Programs pass the fields of a map that the spec does not name.
#[test]
fn the_signature_of_a_map_has_its_fields() {
    let text = "defmodule M do\n  @spec find(%{q: String.t()}) :: map()\n  def find(%{\"q\" => q}), do: q\n  def a, do: SubAgent.new(prompt: \"a\", tools: %{\"find\" => &fi$0nd/1})\nend\n";
    let (document, offset) = marked(HostKind::Elixir, text);
    let found = refactorings(&document, offset);
    let written: Vec<_> = found[0].edits.iter().map(|it| &*it.insert).collect();
    assert_eq!(written, ["{", ", \"(q :string) -> :map\"}"]);
}

#[test]
fn an_unused_parameter_is_removed_with_its_samples() {
    const TITLE: &str = "Remove the unused parameter `b`";
    for (kind, fixture, expected) in [
        (
            HostKind::Lisp,
            "{:signature \"(a :int, b$0 :string) -> :int\" :prompt \"{{a}}\" :input {:a 1 :b \"x\"}}\n",
            Some("{:signature \"(a :int) -> :int\" :prompt \"{{a}}\" :input {:a 1}}\n"),
        ),
        (
            HostKind::Elixir,
            "SubAgent.run(\"{{a}}\", signature: \"(b$0 :string, a :int) -> :int\", context: %{\"b\" => \"x\", \"a\" => 1})\n",
            Some(
                "SubAgent.run(\"{{a}}\", signature: \"(a :int) -> :int\", context: %{\"a\" => 1})\n",
            ),
        ),
        (
            HostKind::Yaml,
            "prompt: '{{a}}'\nsignature: '(a :int, b$0 :int) -> :int'\ninput:\n  a: 1\n  b: 2\n",
            Some("prompt: '{{a}}'\nsignature: '(a :int) -> :int'\ninput:\n  a: 1\n"),
        ),
        (
            HostKind::Json,
            "{\"prompt\": \"{{a}}\", \"signature\": \"(a :int, b$0 :int?) -> :int\", \"input\": {\n  \"b\": 2,\n  \"a\": 1\n}}",
            Some(
                "{\"prompt\": \"{{a}}\", \"signature\": \"(a :int) -> :int\", \"input\": {\n  \"a\": 1\n}}",
            ),
        ),
        // A program or the text of the prompt uses it.
        (
            HostKind::Elixir,
            "SubAgent.run(\"{{a}} data/b\", signature: \"(a :int, b$0 :int) -> :int\")\n",
            None,
        ),
        (
            HostKind::Elixir,
            "x = SubAgent.new(prompt: \"{{a}}\", signature: \"(a :int, b$0 :int) -> :int\")\nSubAgent.run(x, context: %{a: 1, b: 2})\n",
            None,
        ),
    ] {
        assert_eq!(
            after(kind, fixture, TITLE).as_deref(),
            expected,
            "{fixture}"
        );
    }
}

#[test]
fn a_name_that_keeps_its_hyphens_is_not_renamed() {
    let text = "signature: \"(max_cost :float) -> :int\"\nprompt: \"{{max-$0cost}}\"\n";
    assert_eq!(after(HostKind::Yaml, text, "Rename"), None);
    let text = "signature: \"(max-$0cost :float) -> :int\"\nprompt: \"{{max-cost}}\"\n";
    let expected = "signature: \"(max_cost :float) -> :int\"\nprompt: \"{{max-cost}}\"\n";
    assert_eq!(
        after(HostKind::Yaml, text, "Rename").as_deref(),
        Some(expected)
    );
}

#[test]
fn names_get_the_spelling_of_signatures_everywhere() {
    for (kind, fixture, title, expected) in [
        (
            HostKind::Json,
            "{\"signature\": \"(order$0Count :int) -> :int\", \"prompt\": \"{{orderCount}}\", \"input\": {\"orderCount\": 1}}",
            "Rename `orderCount` to `order_count`",
            "{\"signature\": \"(order_count :int) -> :int\", \"prompt\": \"{{order_count}}\", \"input\": {\"order_count\": 1}}",
        ),
        (
            HostKind::Yaml,
            "signature: '(userName :string) -> :int'\nprompt: '{{user$0Name}}'\n",
            "Rename `userName` to `user_name`",
            "signature: '(user_name :string) -> :int'\nprompt: '{{user_name}}'\n",
        ),
    ] {
        assert_eq!(after(kind, fixture, title).as_deref(), Some(expected));
    }
    // A name that is taken is not changed.
    let taken = "f(aB$0 :int, a_b :int) -> :int\n";
    assert_eq!(
        after(HostKind::Catalog, taken, "Rename `aB` to `a_b`"),
        None
    );
}

#[test]
fn an_early_guides_form_becomes_todays() {
    const TITLE: &str = "Write the signature in today's form";
    for (kind, fixture, expected) in [
        (
            HostKind::Json,
            "{\"signature\": \"() -> {:id :int$0 :name :string}\"}",
            "{\"signature\": \"() -> {id :int, name :string}\"}",
        ),
        (
            HostKind::Elixir,
            "Signature.parse(\"{:id :int, :na$0me :string}\")\nSignature.parse(\"{:a :int}\")\n",
            "Signature.parse(\"{id :int, name :string}\")\nSignature.parse(\"{:a :int}\")\n",
        ),
    ] {
        assert_eq!(after(kind, fixture, TITLE).as_deref(), Some(expected));
    }
    let today = "Signature.parse(\"{id :in$0t}\")\n";
    assert_eq!(after(HostKind::Elixir, today, TITLE), None);
}

/// The text after the refactoring at `$0` whose title begins with `title`.
#[track_caller]
fn after(kind: HostKind, fixture: &str, title: &str) -> Option<String> {
    let (document, offset) = marked(kind, fixture);
    let mut found = refactorings(&document, offset).into_iter();
    let found = found.find(|it| it.title.starts_with(title))?;
    Some(applied(&document.text().whole(), &found.edits))
}

#[test]
fn samples_follow_a_record_and_its_fields() {
    let signatures = [
        "(filter$0 {name :string, top :int}, q :string) -> :any",
        "(name$0 :string, top :int, q :string) -> :any",
        "(input {name :string, top :int, q :string}) -> :any",
    ];
    let samples: [(HostKind, &str, [&str; 3]); 9] = [
        (
            HostKind::Json,
            "{\n  \"signature\": \"№\",\n  \"prompt\": \"{{q}}\",\n  \"input\": {\n~\n  }\n}\n",
            [
                "    \"filter\": {\n      \"name\": \"a\",\n      \"top\": 1\n    },\n    \"q\": \"b\"",
                "    \"name\": \"a\",\n    \"top\": 1,\n    \"q\": \"b\"",
                "    \"input\": {\n      \"name\": \"a\",\n      \"top\": 1,\n      \"q\": \"b\"\n    }",
            ],
        ),
        (
            HostKind::Elixir,
            "SubAgent.run(\"{{q}}\",\n  signature: \"№\",\n  context: %{\n~\n  }\n)\n",
            [
                "    filter: %{name: \"a\", top: 1},\n    q: \"b\"",
                "    name: \"a\", top: 1,\n    q: \"b\"",
                "    input: %{name: \"a\", top: 1,\n    q: \"b\"}",
            ],
        ),
        (
            HostKind::Elixir,
            "SubAgent.run(\"{{q}}\", signature: \"№\", context: %{~})\n",
            [
                "filter: %{name: \"a\", top: 1}, q: \"b\"",
                "name: \"a\", top: 1, q: \"b\"",
                "input: %{name: \"a\", top: 1, q: \"b\"}",
            ],
        ),
        (
            HostKind::Elixir,
            "SubAgent.run(\"{{q}}\", signature: \"№\", context: %{~})\n",
            [
                "\"q\" => \"b\", \"filter\" => %{\"top\" => 1, \"name\" => \"a\"}",
                "\"q\" => \"b\", \"top\" => 1, \"name\" => \"a\"",
                "\"input\" => %{\"q\" => \"b\", \"top\" => 1, \"name\" => \"a\"}",
            ],
        ),
        (
            HostKind::Json,
            "{\"signature\": \"№\", \"prompt\": \"{{q}}\", \"input\": {~}}\n",
            [
                "\"filter\": {\"name\": \"a\", \"top\": 1}, \"q\": \"b\"",
                "\"name\": \"a\", \"top\": 1, \"q\": \"b\"",
                "\"input\": {\"name\": \"a\", \"top\": 1, \"q\": \"b\"}",
            ],
        ),
        (
            HostKind::Lisp,
            "{:signature \"№\" :prompt \"{{q}}\" :input {~}}\n",
            [
                ":filter {:name \"a\" :top 1} :q \"b\"",
                ":name \"a\" :top 1 :q \"b\"",
                ":input {:name \"a\" :top 1 :q \"b\"}",
            ],
        ),
        (
            HostKind::Yaml,
            "signature: \"№\"\nprompt: \"{{q}}\"\ninput: {~}\n",
            [
                "filter: {name: a, top: 1}, q: b",
                "name: a, top: 1, q: b",
                "input: {name: a, top: 1, q: b}",
            ],
        ),
        (
            HostKind::Yaml,
            "signature: \"№\"\nprompt: \"{{q}}\"\ninput:\n~\n",
            [
                "  filter:\n    name: a\n    top: 1\n  q: b",
                "  name: a\n  top: 1\n  q: b",
                "  input:\n    name: a\n    top: 1\n    q: b",
            ],
        ),
        (
            HostKind::Prompt,
            "---\nsignature: \"№\"\ninput:\n~\n---\n{{q}}\n",
            [
                "    q: b\n    filter:\n        top: 1\n        name: a",
                "    q: b\n    top: 1\n    name: a",
                "    input:\n      q: b\n      top: 1\n      name: a",
            ],
        ),
    ];
    for (kind, text, samples) in samples {
        let made = |step: usize| {
            let prompt = if step == 2 { "{{input.q}}" } else { "{{q}}" };
            let text = text.replace('№', signatures[step]).replace("{{q}}", prompt);
            text.replace('~', samples[step])
        };
        let plain = |step: usize| made(step).replace("$0", "");
        let fields = after(kind, &made(0), "Make parameters of");
        assert_eq!(fields, Some(plain(1)), "{}", made(0));
        let record = after(kind, &made(1), "Move the parameters");
        assert_eq!(record, Some(plain(2)), "{}", made(1));
    }
}

#[test]
fn nothing_is_left_of_the_only_parameter() {
    let text = "SubAgent.run(\n  \"Go.\",\n  signature: \"(\n    a$0 :int\n  ) -> :int\",\n  context: %{\n    a: 1,\n  }\n)\n";
    assert_eq!(
        after(HostKind::Elixir, text, "Remove the unused").as_deref(),
        Some("SubAgent.run(\n  \"Go.\",\n  signature: \"() -> :int\",\n  context: %{}\n)\n")
    );
}

#[test]
fn descriptions_of_inputs_follow() {
    let agent = |params: &str, descriptions: &str| {
        format!(
            "SubAgent.new(prompt: \"{{{{b}}}}\", signature: \"({params}) -> :int\", context_descriptions: %{{{descriptions}}})\n"
        )
    };
    let text = agent("a$0 :int, b :int", "a: \"A.\", b: \"B.\"");
    assert_eq!(
        after(HostKind::Elixir, &text, "Remove the unused"),
        Some(agent("b :int", "b: \"B.\""))
    );
    // The library describes whole inputs only.
    for (text, title) in [
        (text.as_str(), "Move the parameters"),
        (
            &agent("a$0 {b :int}", "a: \"A.\"").replace("{{b}}", "{{a.b}}"),
            "Make parameters of",
        ),
    ] {
        assert_eq!(after(HostKind::Elixir, text, title), None, "{text}");
    }
}

#[test]
fn an_example_without_parts_cannot_have_a_record_named_as_one() {
    let yaml = |signature: &str, example: &str| {
        format!("signature: \"{signature}\"\nprompt: \"{{{{q}}}}\"\nexamples:\n{example}\n")
    };
    let record = "(filter$0 {name :string, top :int}, q :string) -> :any";
    let before =
        "  - filter:\n      name: a\n      top: 1\n    q: b\n  - {filter: {name: a, top: 1}, q: b}";
    let fields = "(name$0 :string, top :int, q :string) -> :any";
    let after_it = "  - name: a\n    top: 1\n    q: b\n  - {name: a, top: 1, q: b}";
    let found = after(HostKind::Yaml, &yaml(record, before), "Make parameters of");
    assert_eq!(found, Some(yaml(fields, after_it).replace("$0", "")));
    let found = after(
        HostKind::Yaml,
        &yaml(fields, after_it),
        "Move the parameters",
    );
    assert_eq!(found, None);
}

#[test]
fn a_record_stays_where_its_values_cannot_be_seen_or_written() {
    for text in [
        "SubAgent.run(\"{{f.a}}\", signature: \"(f$0 {a :int}, b :int) -> :int\", context: context)\n",
        "SubAgent.run(\"{{f.a}}\", signature: \"(f$0 {a :int}, b :int) -> :int\", context: %{f: f, b: 1})\n",
        "SubAgent.run(\"{{f.a}}\", signature: \"(f$0 {a :int}, b :int) -> :int\", context: %{\"b\" => 1, f: %{\"a\" => 1}})\n",
        "SubAgent.run(\"{{f.a}}\", signature: \"(f$0 {a :int}, b :int) -> :int\", context: %{f: %{a: 1 # one\n}, b: 1})\n",
        "SubAgent.run(prompt, signature: \"(f$0 {a :int}, b :int) -> :int\", context: %{f: %{a: 1}, b: 1})\n",
    ] {
        assert_eq!(
            after(HostKind::Elixir, text, "Make parameters of"),
            None,
            "{text}"
        );
    }
}

#[test]
fn parameters_are_added_as_long_as_that_can_be_tried() {
    let offered = |names: usize, length: usize| {
        let names: String = (0..names).map(|it| format!("{{{{x{it}}}}}")).collect();
        let text = format!(
            "---\nsignature: \"(a$0 :int) -> :int\"\n---\n{{{{a}}}} {names}\n{}",
            "some words\n".repeat(length)
        );
        let (document, offset) = marked(HostKind::Prompt, &text);
        let offers = offers(&document, offset).into_iter();
        let titles = offers.map(|it| it.map_or_else(|it| it.title, |it| it.title));
        titles.filter(|it| it.starts_with("Add the")).count()
    };
    assert_eq!(offered(10, 0), 9);
    assert_eq!(offered(10, 60_000), 4);
    assert_eq!(offered(10, 200_000), 2);
    assert_eq!(offered(2_000, 0), 0);
}

/// A signature on several lines is laid out again when its parameters become a record or the other way around.
#[test]
fn a_signature_on_several_lines_is_laid_out_again() {
    for (signature, expected) in [
        (
            "(\n    a$0 :int,\n    b :int\n  ) -> :int",
            "(\n    input {a :int, b :int}\n  ) -> :int",
        ),
        (
            "(a$0 :int,\n   b :int) -> :int",
            "(input {a :int, b :int}) -> :int",
        ),
        (
            "(a$0 :int, b :int) ->\n    :int",
            "(input {a :int, b :int}) -> :int",
        ),
        (
            "(\n    a$0 {\n      b :int,\n      c :int\n    }\n  ) -> :int",
            "(\n    b :int,\n    c :int\n  ) -> :int",
        ),
    ] {
        let text = |signature: &str| format!("prompt: Go\nsignature: |\n  {signature}\n");
        let (document, offset) = marked(HostKind::Yaml, &text(signature));
        let found = refactorings(&document, offset);
        let found = found
            .iter()
            .find(|it| it.title.contains(" record ") || it.title.contains(" fields "));
        let after = applied(&document.text().whole(), &found.expect(signature).edits);
        assert_eq!(after, text(expected));
    }
}
