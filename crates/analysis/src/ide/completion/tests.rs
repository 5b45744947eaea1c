mod hosts;
mod values;

use expect_test::{Expect, expect};

use super::*;
use crate::ide::testing::{applied, marked, shown};
use signature_ls_source::{host::HostKind, text::TextEdit};

/// The first completions at `$0`, with the new text and the range that it replaces.
#[track_caller]
fn check(kind: HostKind, fixture: &str, expected: &Expect) {
    let (document, offset) = marked(kind, fixture);
    let Some(found) = completion(&document, &[], offset) else {
        return expected.assert_eq("nothing");
    };
    let mut lines = vec![format!("over `{}`", shown(&document, found.replaced))];
    lines.extend(found.items.iter().take(6).map(|it| {
        let detail = it.detail.as_deref().unwrap_or_default();
        match it.text == it.label {
            true => format!("{} | {detail}", it.label),
            false => format!("{} `{}` | {detail}", it.label, it.text),
        }
    }));
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn a_parameter_before_another_one_leaves_it() {
    for (at, replaced) in [("$0x :int", "``"), ("x :int, $0", "``")] {
        let text =
            format!("SubAgent.run(\"{{{{x}}}} {{{{y}}}}\", signature: \"({at}) -> :int\")\n");
        let (document, offset) = marked(HostKind::Elixir, &text);
        let found = completion(&document, &[], offset).expect("completions");
        assert_eq!(
            format!("`{}`", shown(&document, found.replaced)),
            replaced,
            "{at}"
        );
        let texts: Vec<_> = found.items.iter().map(|it| it.text.as_str()).collect();
        let comma = if at.starts_with("$0") { ", " } else { "" };
        assert_eq!(texts, [format!("y :any{comma}")], "{at}");
    }
}

/// A prompt may use as many names as it has room for. What is typed selects among them.
#[test]
fn the_first_of_many_names_are_offered() {
    let prompt: String = (0..5_000).map(|it| format!("{{{{n{it}}}}} ")).collect();
    let labels = |typed: &str| {
        let text =
            format!("SubAgent.run(\"{prompt}\", signature: \"(x :int, {typed}$0) -> :int\")\n");
        let (document, offset) = marked(HostKind::Elixir, &text);
        let found = completion(&document, &[], offset).expect("completions");
        let labels = found.items.into_iter().map(|it| it.label);
        labels.collect::<Vec<_>>()
    };
    let all = labels("");
    assert_eq!((all.len(), all[0].as_str()), (MOST_ITEMS, "n0 :any"));
    assert_eq!(labels("N4999"), ["n4999 :any"]);
}

/// In Elixir, entries with colons follow those with arrows.
#[test]
fn keys_of_a_context_have_the_form_of_those_after_them() {
    for (context, expected) in [
        ("%{$0}", vec!["x: ", "y: "]),
        ("%{x: 1, $0}", vec!["y: "]),
        ("%{\"x\" => 1, $0}", vec!["\"y\" => "]),
        ("%{\n  $0,\n  \"x\" => 1\n}", vec!["\"y\" => "]),
        ("%{$0\n  \"x\" => 1\n}", vec!["\"y\" => "]),
        ("%{x: 1, $0 y: 2}", vec![]),
        ("%{$0, x: 1}", vec!["y: "]),
    ] {
        let text = format!(
            "SubAgent.run(\"{{{{x}}}} {{{{y}}}}\", signature: \"(x :int, y :int) -> :int\", context: {context})\n"
        );
        let (document, offset) = marked(HostKind::Elixir, &text);
        let found = completion(&document, &[], offset);
        let items = found.iter().flat_map(|it| &it.items);
        assert_eq!(
            items.map(|it| it.text.as_str()).collect::<Vec<_>>(),
            expected,
            "{context}"
        );
    }
}

#[test]
fn type_words_follow_colons() {
    check(
        HostKind::Elixir,
        "SubAgent.run(p, signature: \"(limit :$0) -> :int\")\n",
        &expect![[r#"
            over `:`
            :int | 
            :string | 
            :float | 
            :bool | 
            :keyword | 
            :datetime | "#]],
    );
    check(
        HostKind::Elixir,
        "SubAgent.run(p, signature: \"(limit :in$0t) -> :int\")\n",
        &expect![[r#"
            over `:int`
            :int | 
            :string | 
            :float | 
            :bool | 
            :keyword | 
            :datetime | "#]],
    );
    check(
        HostKind::Elixir,
        "SubAgent.run(p, signature: \"(created_at :$0",
        &expect![[r#"
            over `:`
            :datetime | 
            :string | 
            :int | 
            :float | 
            :bool | 
            :keyword | "#]],
    );
    check(
        HostKind::Json,
        "{\"signature\": \"(a :$0",
        &expect![[r#"
        over `:`
        :string | 
        :int | 
        :float | 
        :bool | 
        :keyword | 
        :datetime | "#]],
    );
    check(
        HostKind::Json,
        "{\"signature\": \"(a :$0\"}",
        &expect![[r#"
        over `:`
        :string | 
        :int | 
        :float | 
        :bool | 
        :keyword | 
        :datetime | "#]],
    );
    check(
        HostKind::Yaml,
        "signature: (a :$0\n",
        &expect![[r#"
        over `:`
        :string | 
        :int | 
        :float | 
        :bool | 
        :keyword | 
        :datetime | "#]],
    );
    check(
        HostKind::Yaml,
        "signature: '$0'\n",
        &expect![[r#"
        over ``
        :string | 
        :int | 
        :float | 
        :bool | 
        :keyword | 
        :datetime | "#]],
    );
    check(
        HostKind::Lisp,
        "{:signature \"(a {b :$0\"}",
        &expect![[r#"
        over `:`
        :string | 
        :int | 
        :float | 
        :bool | 
        :keyword | 
        :datetime | "#]],
    );
    check(
        HostKind::Catalog,
        "search(q :$0\n",
        &expect![[r#"
        over `:`
        :string | 
        :int | 
        :float | 
        :bool | 
        :keyword | 
        :datetime | "#]],
    );
    check(
        HostKind::Elixir,
        "SubAgent.run(p, signature: \"(items $0) -> :int\")\n",
        &expect![[r#"
            over ``
            […] `[:any]` | a list
            {…} `{}` | a record
            :string | 
            :int | 
            :float | 
            :bool | "#]],
    );
    check(
        HostKind::Elixir,
        "SubAgent.run(p, signature: \"(a :int) $0\")\n",
        &expect![[r#"
            over ``
            -> `-> ` | the type of the result"#]],
    );
    check(
        HostKind::Markdown,
        "```signature\n(a :$0\n```\n",
        &expect![[r#"
            over `:`
            :string | 
            :int | 
            :float | 
            :bool | 
            :keyword | 
            :datetime | "#]],
    );
}

#[test]
fn missing_parameters_of_a_prompt_are_offered() {
    check(
        HostKind::Elixir,
        "SubAgent.run(\"{{a}} {{#items}}{{id}}{{/items}}\", signature: \"(a :int, $0) -> :int\")\n",
        &expect![[r#"
            over ``
            items [{id :any}] | a section goes over it"#]],
    );
    check(
        HostKind::Prompt,
        "---\nsignature: \"($0\"\n---\n{{topic}}\n",
        &expect![[r#"
            over ``
            topic :any | a placeholder asks for it"#]],
    );
}

#[test]
fn placeholders_are_offered_path_by_path() {
    const HEAD: &str = "---\nsignature: '(user {name :string, age :int?}, items [{id :int}], tags [:string])  -> :int'\n---\n";
    for (body, expected) in [
        (
            "Hi {{$0",
            expect![[r#"
            over ``
            user `user}}` | {name :string, age :int?}
            items `items}}` | [{id :int}]
            tags `tags}}` | [:string]"#]],
        ),
        (
            "Hi {{us$0er}} x",
            expect![[r#"
            over `user`
            user | {name :string, age :int?}
            items | [{id :int}]
            tags | [:string]"#]],
        ),
        (
            "Hi {{ $0 }}",
            expect![[r#"
            over ``
            user | {name :string, age :int?}
            items | [{id :int}]
            tags | [:string]"#]],
        ),
        (
            "Hi {{user.$0",
            expect![[r#"
            over ``
            name `name}}` | :string
            age `age}}` | :int?"#]],
        ),
        (
            "Hi {{user.na$0}",
            expect![[r#"
            over `na`
            name `name}` | :string
            age `age}` | :int?"#]],
        ),
        (
            "{{#$0",
            expect![[r#"
            over ``
            user `user}}` | {name :string, age :int?}
            items `items}}` | [{id :int}]
            tags `tags}}` | [:string]"#]],
        ),
        (
            "{{#items}}{{$0}}{{/items}}",
            expect![[r#"
            over ``
            id | :int
            user | {name :string, age :int?}
            items | [{id :int}]
            tags | [:string]"#]],
        ),
        (
            "{{#items}}\n{{$0\n",
            expect![[r#"
            over ``
            id `id}}` | :int
            user `user}}` | {name :string, age :int?}
            items `items}}` | [{id :int}]
            tags `tags}}` | [:string]"#]],
        ),
        (
            "{{#tags}}{{$0",
            expect![[r#"
            over ``
            . `.}}` | the element itself
            user `user}}` | {name :string, age :int?}
            items `items}}` | [{id :int}]
            tags `tags}}` | [:string]"#]],
        ),
        (
            "{{#items}}{{/$0",
            expect![[r#"
            over ``
            items `items}}` | closes the section"#]],
        ),
        ("plain $0", expect!["nothing"]),
        ("{{user}} $0", expect!["nothing"]),
    ] {
        check(HostKind::Prompt, &format!("{HEAD}{body}"), &expected);
    }
    check(
        HostKind::Elixir,
        "SubAgent.run(\"Hi {{$0\", signature: \"(name :string) -> :int\")\n",
        &expect![[r#"
            over ``
            name `name}}` | :string"#]],
    );
    check(
        HostKind::Elixir,
        "SubAgent.run(\"\"\"\n  Hi {{$0\n  \"\"\", signature: \"(name :string) -> :int\")\n",
        &expect![[r#"
            over ``
            name `name}}` | :string"#]],
    );
    check(
        HostKind::Json,
        "{\"signature\": \"(name :string) -> :int\", \"prompt\": \"{{$0\"}",
        &expect![[r#"
            over ``
            name `name}}` | :string"#]],
    );
}

/// The text after accepting the completion with `label`, as a client without snippets that replaces the word does, and
/// the new text as a snippet. The braces of a prompt may be closed by the editor.
#[track_caller]
fn accepted(kind: HostKind, fixture: &str, label: &str) -> Option<(String, String)> {
    let (document, offset) = marked(kind, fixture);
    let found = completion(&document, &[], offset)?;
    let item = found.items.iter().find(|it| it.label == label)?;
    let text = fixture.replace("$0", "");
    let with = |new: &str| applied(&text, &[TextEdit::replace(found.replaced, new)]);
    let snippet = item.snippet.as_deref().unwrap_or(&item.text);
    Some((with(&item.text), with(snippet)))
}

/// Whether the editor has closed the braces or not, a section gets one closing tag.
#[test]
fn a_section_gets_its_closing_tag_once() {
    const HEAD: &str =
        "---\nsignature: \"(items [{id :int}], user {tags [:string]}) -> :string\"\n---\n";
    for (prompt, label, expected) in [
        ("A {{#$0 rest", "items", "A {{#items}}$0{{/items}} rest"),
        ("A {{#$0}} rest", "items", "A {{#items}}$0{{/items}} rest"),
        ("A {{#it$0}} rest", "items", "A {{#items}}$0{{/items}} rest"),
        (
            "A {{#it$0em}} rest",
            "items",
            "A {{#items}}$0{{/items}} rest",
        ),
        ("{{#user.$0}}", "tags", "{{#user.tags}}$0{{/user.tags}}"),
        (
            "{{^$0}} {{#items}}{{id}}{{/items}}",
            "items",
            "{{^items}}$0{{/items}} {{#items}}{{id}}{{/items}}",
        ),
        (
            "{{#user}}{{#$0}}{{/user}}",
            "items",
            "{{#user}}{{#items}}$0{{/items}}{{/user}}",
        ),
        (
            "{{#it$0}}\n{{id}}\n{{/items}}",
            "items",
            "{{#items}}\n{{id}}\n{{/items}}",
        ),
        (
            "{{#it$0}}{{id}}{{/items}}",
            "items",
            "{{#items}}{{id}}{{/items}}",
        ),
    ] {
        let fixture = format!("{HEAD}{prompt}\n");
        let found = accepted(HostKind::Prompt, &fixture, label);
        let (_, snippet) = found.expect(prompt);
        assert_eq!(snippet, format!("{HEAD}{expected}\n"), "{prompt}");
    }
}

/// What is there already is replaced, or nothing is offered.
#[test]
fn no_completion_doubles_what_follows() {
    for signature in [
        "(n :int) $0-> :int",
        "(n :int) -$0> :int",
        "(n :int) $0 -> :int",
        "(n $0[:int]) -> :int",
        "(n $0{a :int}) -> :int",
        "(n :int) -> $0[:int]",
        "$0(n :int) -> :int",
        "(n $0 :int) -> :int",
    ] {
        let text = format!("SubAgent.run(p, signature: \"{signature}\")\n");
        let (document, offset) = marked(HostKind::Elixir, &text);
        let found = completion(&document, &[], offset);
        assert_eq!(found.map(|it| it.items), None, "{signature}");
    }
    for (signature, expected) in [
        ("(n $0:int) -> :int", "(n :string) -> :int"),
        ("(n :int) -> $0:int?", "(n :int) -> :string?"),
    ] {
        let text = format!("SubAgent.run(p, signature: \"{signature}\")\n");
        let (after, _) = accepted(HostKind::Elixir, &text, ":string").expect(signature);
        assert_eq!(
            after,
            format!("SubAgent.run(p, signature: \"{expected}\")\n")
        );
    }
    let catalogs = [
        "search$0(q :string) -> :int\n",
        "s(id :int, # as\n  $0since :datetime?\n) -> :int\n",
    ];
    for catalog in catalogs {
        check(HostKind::Catalog, catalog, &expect!["nothing"]);
    }
}

#[test]
fn programs_are_offered_tools_arguments_and_data() {
    const HEAD: &str =
        "{:tools {\"get_user\" \"(user_id :int, verbose :bool?) -> {name :string}\"}}\n";
    for (body, expected) in [
        (
            "(tool/$0)",
            expect![[r#"
            over `tool/`
            tool/get_user | (user_id :int, verbose :bool?) -> {name :string}"#]],
        ),
        (
            "(to$0/get {:user-id 1})",
            expect![[r#"
            over `to/get`
            tool/get_user | (user_id :int, verbose :bool?) -> {name :string}"#]],
        ),
        (
            "(tool/ge$0",
            expect![[r#"
            over `tool/ge`
            tool/get_user | (user_id :int, verbose :bool?) -> {name :string}"#]],
        ),
        (
            "($0)",
            expect![[r#"
            over ``
            tool/get_user | (user_id :int, verbose :bool?) -> {name :string}"#]],
        ),
        (
            "(to$0)",
            expect![[r#"
            over `to`
            tool/get_user | (user_id :int, verbose :bool?) -> {name :string}"#]],
        ),
        (
            "(tool/get_user {$0})",
            expect![[r#"
            over ``
            :user-id `:user-id ` | :int
            :verbose `:verbose ` | :bool?"#]],
        ),
        (
            "(tool/get_user {:user-id 1 $0})",
            expect![[r#"
            over ``
            :verbose `:verbose ` | :bool?"#]],
        ),
        (
            "(tool/get_user :$0",
            expect![[r#"
            over `:`
            :user-id `:user-id ` | :int
            :verbose `:verbose ` | :bool?"#]],
        ),
        ("(tool/get_user {:user-id $0})", expect!["nothing"]),
    ] {
        check(HostKind::Lisp, &format!("{HEAD}{body}\n"), &expected);
    }
    check(
        HostKind::Elixir,
        "Lisp.run(~S|(return {:na$0})|, signature: \"(q :string) -> {name :string}\")\n",
        &expect![[r#"
            over `:na`
            :name `:name ` | :string"#]],
    );
    check(
        HostKind::Elixir,
        "Lisp.run(\"(count data/$0)\", context: %{orders: []}, signature: \"(q_x :string) -> :int\")\n",
        &expect![[r#"
            over `data/`
            data/q_x | :string
            data/orders | "#]],
    );
    check(
        HostKind::Elixir,
        "Lisp.run(\"(tool/$0\", tools: %{\"cls\" => {&M.f/1, \"(text :string) -> :any\"}})\n",
        &expect![[r#"
            over `tool/`
            tool/cls | (text :string) -> :any"#]],
    );
}

#[test]
fn keys_of_values_are_offered() {
    check(
        HostKind::Elixir,
        "SubAgent.run(\"{{a}}{{b}}\", signature: \"(a :int, b {c :int}) -> :int\", context: %{a: 1, $0})\n",
        &expect![[r#"
            over ``
            b `b: ` | {c :int}"#]],
    );
    check(
        HostKind::Elixir,
        "SubAgent.run(\"{{a}}{{b}}\", signature: \"(a :int, b {c :int}) -> :int\", context: %{b: %{$0",
        &expect![[r#"
            over ``
            c `c: ` | :int"#]],
    );
    check(
        HostKind::Json,
        "{\"signature\": \"(limit :int, q :string) -> :int\", \"input\": {\"q\": 1, \"$0\"}}",
        &expect![[r#"
            over `""`
            "limit" `"limit": ` | :int"#]],
    );
    check(
        HostKind::Yaml,
        "signature: '(limit :int, q :string) -> :int'\ninput:\n  q: 1\n  $0\n",
        &expect![[r#"
            over ``
            limit `limit: ` | :int"#]],
    );
    check(
        HostKind::Prompt,
        "---\nsignature: '(limit :int, q :string) -> :int'\ninput: {$0}\n---\n",
        &expect![[r#"
            over ``
            limit `limit: ` | :int
            q `q: ` | :string"#]],
    );
    check(
        HostKind::Prompt,
        "---\nsignature: ':int'\n$0\n---\n",
        &expect![[r#"
            over ``
            name `name: ` | the name of the agent
            description `description: ` | what the agent does, as other agents are shown it
            tools `tools: ` | tools by name, with their signatures
            input `input: ` | sample inputs
            output `output: ` | a sample output
            examples `examples: ` | samples of inputs and outputs"#]],
    );
}

#[test]
fn directives_and_captures_are_offered() {
    check(
        HostKind::Elixir,
        "# signature-ls: ignore unknown-t$0\n",
        &expect![[r#"
            over `unknown-t`
            empty-signature | Empty signature
            missing-parameters | Arrow without parameters
            missing-parentheses | Parameters without parentheses
            missing-arrow | Missing arrow
            wrong-arrow | Wrong arrow
            missing-output | Missing output type"#]],
    );
    check(
        HostKind::Elixir,
        "# signature-ls: edition 0.$0\n",
        &expect![[r#"
            over `0.`
            next | 
            0.11 | 
            0.5 | 
            0.4 | "#]],
    );
    check(
        HostKind::Elixir,
        "# signature-ls: $0\n",
        &expect![[r#"
        over ``
        ignore `ignore ` | do not report these rules on this or the next line
        edition `edition ` | the edition of this document"#]],
    );
    check(
        HostKind::Elixir,
        "defmodule M do\n  @doc \"Finds.\"\n  @spec find(String.t()) :: map()\n  def find(q), do: q\n  def agent, do: SubAgent.new(prompt: \"a\", tools: %{\"find\" => &$0})\nend\n",
        &expect![[r#"
            over ``
            find/1 | (q :string) -> :map"#]],
    );
}

#[test]
fn keys_of_flow_mappings_below_blocks_are_those_of_their_type() {
    const SIGNATURE: &str = "signature: '(user {name :string, address {city :string}}, n :int) -> {rows [{id :int}]}'\nprompt: '{{user.name}} {{n}}'\n";
    for (values, expected) in [
        ("input:\n  user: {name: A, $0}\n", "address"),
        ("input:\n  n: 1\n  user: {name: A, $0}\n", "address"),
        ("input:\n  user: {name: A, address: {$0}}\n", "city"),
        (
            "input:\n  user:\n    name: don't\n    address: {$0}\n",
            "city",
        ),
        ("output:\n  rows: [{$0}]\n", "id"),
        ("output:\n  rows:\n    - {$0}\n", "id"),
        ("input: {user: {name: A, $0}}\n", "address"),
        ("examples:\n  - {n: 1, user: {name: A, $0}}\n", "address"),
        ("examples:\n  - {n: 1, $0}\n", "user"),
        ("examples:\n  - input: {n: 1, $0}\n", "user"),
    ] {
        let (document, offset) = marked(HostKind::Yaml, &format!("{SIGNATURE}{values}"));
        let found = completion(&document, &[], offset).map(|it| it.items);
        let labels: Vec<_> = found.iter().flatten().map(|it| it.label.as_str()).collect();
        assert_eq!(labels, [expected], "{values}");
    }
    let list = "signature: ':int'\n---\nsignature: '() -> [{id :int}]'\noutput:\n  - {$0}\n";
    let (document, offset) = marked(HostKind::Yaml, list);
    let found = completion(&document, &[], offset).expect("completions");
    assert_eq!(found.items[0].label, "id");
}

#[test]
fn a_capture_is_replaced_as_a_whole() {
    for capture in [
        "&T$0.find/1",
        "&T.fi$0nd/1",
        "&$0T.find/1",
        "&T.find$0/1",
        "&T.find/1$0",
    ] {
        let code = format!(
            "defmodule T do\n  @spec find(String.t()) :: map()\n  def find(q), do: q\nend\nSubAgent.new(prompt: \"a\", tools: %{{\"a\" => {capture}, b: 1}})\n"
        );
        let (document, offset) = marked(HostKind::Elixir, &code);
        let Some(found) = completion(&document, &[], offset) else {
            assert_eq!(capture, "&T.find/1$0");
            continue;
        };
        assert_eq!(shown(&document, found.replaced), "T.find/1", "{capture}");
    }
}

#[test]
fn captures_are_offered_wherever_tools_are_named() {
    const MODULE: &str =
        "defmodule My.Tools do\n  @spec find(String.t()) :: map()\n  def find(q), do: q\nend\n";
    for (code, expected) in [
        (
            "defmodule A do\n  @tools %{\"find\" => &$0}\n  def run, do: SubAgent.run(\"x\", signature: \":int\", tools: @tools)\nend\n",
            Some("My.Tools.find/1"),
        ),
        (
            "defmodule A do\n  @tools %{\"find\" => &My.Tools.$0\n  def run, do: SubAgent.run(\"x\", signature: \":int\", tools: @tools)\nend\n",
            Some("My.Tools.find/1"),
        ),
        (
            "my_tools = %{\n  \"find\" => {&My.To$0, \"(q :string) -> :any\"}\n}\nSubAgent.run(\"x\", signature: \":int\", tools: my_tools)\n",
            Some("My.Tools.find/1"),
        ),
        (
            "defmodule A do\n  @tools %{\"a\" => {&run/1, description: \"uses tools\"}, \"b\" => &$0}\n  def run, do: SubAgent.run(\"x\", signature: \":int\", tools: @tools)\nend\n",
            Some("My.Tools.find/1"),
        ),
        (
            "alias My.Tools\nSubAgent.run(\"x\", signature: \":int\", tools: %{\"find\" => &$0})\n",
            Some("Tools.find/1"),
        ),
        (
            "x = %{\"find\" => &$0}\nSubAgent.run(\"x\", signature: \":int\")\n",
            None,
        ),
        (
            "tools = %{}\nf(&$0)\nSubAgent.run(\"x\", signature: \":int\")\n",
            None,
        ),
        ("tools = %{\"a\" => &$0}\n", None),
    ] {
        let (document, offset) = marked(HostKind::Elixir, &format!("{MODULE}{code}"));
        let found = completion(&document, &[], offset);
        let first = found.as_ref().and_then(|it| it.items.first());
        assert_eq!(first.map(|it| it.label.as_str()), expected, "{code}");
    }
}

#[test]
fn descriptions_of_fields_are_those_of_the_output() {
    check(
        HostKind::Elixir,
        "SubAgent.new(prompt: \"Go.\", signature: \"(q :int) -> {name :string, home {city :string}}\", field_descriptions: %{name: \"Its name\", $0})\n",
        &expect![[r#"
            over ``
            home `home: ` | {city :string}"#]],
    );
}

#[test]
fn keys_of_the_context_are_those_of_an_agent_elsewhere() {
    const NEW: &str =
        "SubAgent.new(prompt: \"{{topic}}\", signature: \"(topic :string, limit :int) -> :int\")";
    for code in [
        "agent = NEW\nSubAgent.run(agent, context: %{topic: \"a\", $0})\n",
        "agent = NEW\nSubAgent.run(agent, context: %{topic: \"a\", $0\n",
        "agent = NEW\nagent |> SubAgent.run(context: %{topic: \"a\", li$0})\n",
        "defmodule A do\n  @agent NEW\n  def run, do: SubAgent.run(@agent, context: %{\"topic\" => 1, $0})\nend\n",
        "defmodule A do\n  def agent, do: NEW\n  def run, do: SubAgent.run(agent(), context: %{topic: 1, l$0}, llm: 1)\nend\n",
    ] {
        let (document, offset) = marked(HostKind::Elixir, &code.replace("NEW", NEW));
        let found = completion(&document, &[], offset);
        let labels = found.map(|it| it.items.into_iter().map(|it| it.label).collect::<Vec<_>>());
        let labels = labels.unwrap_or_default().join(" ");
        assert_eq!(labels.trim_matches('"'), "limit", "{code}");
    }
}

#[test]
fn elsewhere_there_is_nothing() {
    check(
        HostKind::Elixir,
        "def f(x), do: foo($0)\n",
        &expect!["nothing"],
    );
    check(HostKind::Elixir, "x = \"{{$0\"\n", &expect!["nothing"]);
    check(
        HostKind::Json,
        "{\"signature\": 1, \"a\": \"$0\"}",
        &expect!["nothing"],
    );
    check(HostKind::Lisp, "(defn f [x] ($0))", &expect!["nothing"]);
    check(
        HostKind::Markdown,
        "Some (text) and $0\n",
        &expect!["nothing"],
    );
}

#[test]
fn fields_that_a_section_asks_for_are_offered_in_its_record() {
    for signature in ["(items [{id :int, $0}]) -> :int", "(items [{id :int, $0"] {
        let prompt = "{{#items}}{{id}} {{name}}{{/items}}";
        let call = format!("SubAgent.run(\"{prompt}\", signature: \"{signature}\")\n");
        check(
            HostKind::Elixir,
            &call,
            &expect![[r#"
                over ``
                name :any | a placeholder asks for it"#]],
        );
    }
    check(
        HostKind::Prompt,
        "---\nsignature: '(user {mail :string, $0}) -> :int'\n---\n{{user.mail}} {{user.address.city}}\n",
        &expect![[r#"
            over ``
            address {city :any} | a placeholder asks for it"#]],
    );
}

/// Wherever a key may be typed in a call.
#[test]
fn the_keys_of_a_tool_are_offered_in_every_form_of_a_call() {
    for call in [
        "(tool/search $0)",
        "(tool/search :$0)",
        "(tool/search {$0})",
        "(tool/search {:$0})",
        "(tool/search {$0",
        "(tool/search $0",
        "(tool/search :limit 1 $0)",
        "(->> [1] (map #(tool/search {$0})))",
    ] {
        let text = format!(
            "{{:tools {{\"search\" \"(query :string, limit :int?) -> [:map]\"}}}}\n\n{call}\n"
        );
        let (document, offset) = marked(HostKind::Lisp, &text);
        let found = completion(&document, &[], offset);
        let items = found.map(|it| it.items).unwrap_or_default();
        assert!(
            items.iter().any(|it| it.label == ":query"),
            "{call}: {items:?}"
        );
    }
}
