use proptest::prelude::*;

use super::{testing::parts, *};
use crate::{
    host::{HostDocument, PlacedUnit, elixir::module::facts, evidence::Evidence},
    text::Text,
    work,
};

fn roles() -> Roles {
    Roles::default()
}

/// Each byte is looked at a few times, not once for each definition before it.
#[test]
fn heads_of_a_long_text_are_found_at_once() {
    for part in ["defp g(: ++", "def", "def f(% ", "def f(%{a: a}) "] {
        let text = part.repeat(1 << 17);
        let expected = if part.contains(')') { 1 << 17 } else { 0 };
        assert_eq!(heads(&text).count(), expected, "{part}");
    }
    let found: Vec<_> = heads("defp  a?(%{b: 1}), def b(x), def\nc (%{a: (1)})").collect();
    assert_eq!(found, ["a?", "c"]);
    let found: Vec<_> = heads("def f(x \\\\ g(1), %{a: a}), do: x").collect();
    assert_eq!(found, ["f"]);
}

/// A string that is not closed, a long line and many comments are not read again for each word in them, which would take
/// minutes.
#[test]
fn many_words_hide_none_that_a_few_show() {
    for part in [
        "@doc ~S(``` a: :int ",
        "prompt: ~s(",
        "signature: \"#{",
        "prompt: \"a\", ",
        "# signature:\n",
        "signature:\n# ",
        "{ # {\n",
        "#{",
        "{fn a -> b end, ~s(",
        "prompt: x, ",
        "{&f/1, ",
        "tools: [x, ",
    ] {
        let (few, many) = (part.repeat(4), part.repeat(1 << 16));
        for kind in [HostKind::Elixir, HostKind::Markdown] {
            for search in [may_count, may_matter] {
                let found = [&few, &many].map(|text| search(kind, text, &roles()));
                assert!(found[0] <= found[1], "{kind:?} {part}");
            }
        }
    }
}

/// Brackets that are not closed are not read again for each key in them.
#[test]
fn twice_the_keys_are_twice_the_work() {
    for part in [
        "{\"tools\": {",
        "{\"tools\": [\n",
        "{\"prompt\": {",
        "\"tools\": {\"x\": 1,\n",
        "\"tools\": {'x': 1, ",
        "tools: [\n",
        "signature: [a, ",
    ] {
        for (kind, end) in [HostKind::Json, HostKind::Yaml]
            .into_iter()
            .flat_map(|kind| ["", "// end\n", "\"", "}"].map(|end| (kind, end)))
        {
            let read = |count: usize| {
                let text = part.repeat(count) + end;
                work::counted(|| [may_count, may_matter].map(|it| it(kind, &text, &roles())))
            };
            let (few, many) = (read(500), read(1_000));
            assert!(
                many <= 2 * few + 64,
                "{kind:?} {part:?}: {few} bytes, then {many}"
            );
        }
    }
}

/// A text without a hit has no units apart from heads of functions and namespaces. What cannot count may also have
/// units that only count if something else does, and tools without contracts.
#[track_caller]
fn check(kind: HostKind, text: &str) {
    let may_matter = may_matter(kind, text, &roles());
    if may_matter && may_count(kind, text, &roles()) {
        return;
    }
    let document = HostDocument::parse(kind, &Text::from(text), &roles());
    for placed in document.units() {
        let unit = &placed.unit;
        let program = unit.program();
        // What it returns is compared with a signature, which is a site.
        let says_nothing = program.calls.is_empty() && program.references.is_empty();
        let names_tools = !may_matter && unit.tools.is_some();
        let is_silent = unit.sites.is_empty() && says_nothing && !names_tools;
        let is_possible = may_matter && unit.evidence == Evidence::Possible;
        assert!(is_silent || is_possible, "{kind:?} {text:?}: {unit:?}");
        if let Some(name) = unit.function_head().map(|it| &it.name) {
            assert!(heads(text).any(|it| *it == **name), "{name} in {text:?}");
        }
    }
}

fn units(json: &str) -> Vec<PlacedUnit> {
    let document = HostDocument::parse(HostKind::Json, &Text::from(json), &roles());
    document.units().to_vec()
}

/// Values of the keys of JSON and YAML, in lines that are indented at random.
fn keyed() -> impl Strategy<Value = String> {
    let part = proptest::sample::select(vec![
        "signature:",
        "prompt:",
        "tools:",
        "\"signature\":",
        "\"prompt\" :",
        "\"tools\":",
        "'tools':",
        "a:",
        "\"b\":",
        "? tools\n:",
        "(a :int) -> :int",
        "\"(a :int)\"",
        "'(a :int)'",
        "\"(a\n",
        ":int)\"",
        "\"(a, number)\"",
        "\" [number]\"",
        "\"\\u0028number)\"",
        "\"=> number\"",
        "\"→ a number\"",
        "\"a number\"",
        "'(a\n",
        ":int)'",
        "Say {{a}}",
        "\"Say {{a}}\"",
        "\"f({ prompt: 'x' })\",\n",
        "\"a, tools:\\n- b\"",
        "(a",
        ":int)",
        "|\n",
        ">-\n",
        "&q",
        "*q",
        "<<: *q",
        "&q (a :int)",
        "!t",
        "{",
        "}",
        "[",
        "]",
        ",",
        ", ",
        "- ",
        "-",
        "# c\n",
        "// c\n",
        "/* c */",
        "\n",
        "\n  ",
        "\n    ",
        "\n ",
        "\r\n",
        "\r",
        "\t",
        " ",
        "\"",
        "'",
        "\n\n",
        "---\n",
        "1",
        "null",
        "x",
        "description: b",
        "name: c",
        "é",
    ]);
    proptest::collection::vec(part, 0..30).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn values_are_searched_where_they_are(text in keyed()) {
        for kind in [HostKind::Json, HostKind::Yaml] {
            check(kind, &text);
        }
    }

    #[test]
    fn code_without_functions_as_values_names_no_tools(text in parts()) {
        prop_assert!(may_name_tools(&text) || facts(&text).tools().next().is_none(), "{}", text);
    }

    #[test]
    fn what_the_search_leaves_out_holds_nothing(text in parts()) {
        for kind in HostKind::ALL {
            check(*kind, &text);
        }
    }
}

#[test]
fn a_key_directly_after_a_comment_is_found() {
    let json = "{/* c */signature: \"(a :in) -> :int\"}";
    assert!(!units(json).is_empty());
    assert!(may_matter(HostKind::Json, json, &roles()));
}

#[test]
fn texts_without_evidence_do_not_count() {
    for (kind, text, expected) in [
        (
            HostKind::Elixir,
            "field :tools, :map\nlist(tools: [A], prompt: \"Go\")",
            false,
        ),
        (
            HostKind::Elixir,
            "x = [tools: %{\"a\" => {&f/1, \"(q :string) -> :int\"}}]",
            true,
        ),
        (HostKind::Elixir, "ask(prompt: \"Find {{name}}\")", true),
        (
            HostKind::Elixir,
            "ask(prompt: \"Find ${{ name }} {{ .Values.x }}\")",
            false,
        ),
        (
            HostKind::Json,
            "{\"prompts\": \"Go\", \"devtools\": \"{{a}}\"}",
            false,
        ),
        (
            HostKind::Json,
            "{\n\"a\": \"create({ prompt: 'x' })\", \"b\": \"{{a}}\"}",
            false,
        ),
        (
            HostKind::Json,
            "{\n\"a\": [\"some tools:\\n- one\"], \"b\": \"a :int\"}",
            false,
        ),
        (
            HostKind::Json,
            "{\n\"a\": \"\", prompt: 'Say {{a}}', \"b\": 1}",
            true,
        ),
        (HostKind::Json, "{\"a\": \"b, prompt: 'Say {{a}}'}", true),
        (
            HostKind::Json,
            "{\"devtools\": 1, \"label\": \"a signature (a :int)\"}",
            false,
        ),
        (HostKind::Json, "{\"signature\": \"(a :\"}", true),
        (HostKind::Json, "{\"signature\": \"()->:int\"}", true),
        (
            HostKind::Json,
            "{\"signature\": \"(a:int)-\\u003e:int\"}",
            true,
        ),
        (
            HostKind::Json,
            "{\"prompt\": \"Say \\\"hi\\\"\", \"rows\": \"{{rows}}\"}",
            false,
        ),
        (
            HostKind::Json,
            "{\"a\": \"{\\\"signature\\\": \\\"(a :int)\\\"}\"}",
            false,
        ),
        (
            HostKind::Elixir,
            "x = [tools: [{:map, :int}, {a, :string}]]",
            false,
        ),
        (
            HostKind::Elixir,
            "x = [tools: [{MyTool.new(:int), \"a\"}]]",
            false,
        ),
        (HostKind::Yaml, "signature: sha256:abc\nimage: a:int", false),
        (HostKind::Yaml, "signature: >\n  :int\n", true),
        (HostKind::Yaml, "signature: :int\n", true),
        (
            HostKind::Markdown,
            "A signature of tools: `x`.\n\n```yaml\na: 1\n```\n",
            false,
        ),
        (HostKind::Yaml, "a: &q (a :int) -> :int\n", true),
        (HostKind::Yaml, "a: b && (c :int)\n", false),
        (HostKind::Markdown, "```sig\n(a :int) -> :int\n```\n", true),
        (
            HostKind::Markdown,
            "```signature\n{state---\n:enum[pending active]}\n```\n",
            true,
        ),
    ] {
        assert_eq!(may_count(kind, text, &roles()), expected, "{text}");
    }
}

#[test]
fn tools_and_programs_that_may_count_are_hits() {
    for text in [
        "alias PtcRunner.Foo\nFoo.f tools: %{a: 1}",
        "f(fn -> Foo.f tools: %{a: 1} end)",
        "Lisp.run(x, tools: %{a: 1})",
        "f(%Tool{tools: [a]})",
        "f(tools: %{a: &g/1})",
        "f(tools: %{a: {g, \"(a :int) -> :int\"}})",
        "Lisp.run(\"(tool/a)\")",
        "x = ~S|(return 1)|\nLisp.run(x)",
        "Lisp.run(\"(t\\u006fol/a)\")",
        "f(tools: %{a: 1 # }\n, b: {g, \"(a :int) -> :int\"}})",
        "alias A.Signature\nSignature.Parser.parse(\"(a :int)\")",
        "x = {fn a -> g(fn -> a end) end, \"() -> :int\"}",
    ] {
        assert!(may_matter(HostKind::Elixir, text, &roles()), "{text}");
    }
}

#[test]
fn words_that_are_not_ours_are_no_hits() {
    for (kind, text) in [
        (
            HostKind::Elixir,
            "def run(signature, prompt), do: verify_signature(signature) # tools",
        ),
        (
            HostKind::Elixir,
            "f(prompt: prompt, tools: tools(a), signature: read(b) || \"() -> :int\")\nprompt = f(x)",
        ),
        (
            HostKind::Elixir,
            "import PtcRunner.Helpers\nLisp.run(source)\nsource = read()\ng(\"tools\", validation: :a)",
        ),
        (
            HostKind::Elixir,
            "x = {1, fn -> 1 end}\ny = {&1, \"a\"}\nalias MyApp.Lisp\n%{a: 1}",
        ),
        (HostKind::Elixir, "%{\n  a: 1\n}\n{ b, c }"),
        (
            HostKind::Elixir,
            "# What PtcRunner\n# sends.\nf(tools: [a])",
        ),
        (
            HostKind::Elixir,
            "x = [a: {b, \"c d\"}, b: {:ok, \"(a :int) -> :int\"}, c: {&f/1, :skip}, d: {&f/1}]",
        ),
        (
            HostKind::Elixir,
            "Parser.parse(\"a\")\nimport PtcRunner.Foo\n# A comment.\nx = {fn -> 1 end, a: 1}",
        ),
        (
            HostKind::Elixir,
            "when n in 1..@max_tools do\n~s({\"tools\":{\"a\":1}})\nf({1, fn -> [1] end}, tools: %{a: %{b: 1}})",
        ),
        (
            HostKind::Elixir,
            "Lisp.run(\"(+ \\\"a\\\" 1)\\n\")\nx = \"(inc 1)\"\nLisp.run(x)",
        ),
        (
            HostKind::Elixir,
            "f(%{\"tools\" => %{\"read\" => %{\"as\" => name}}, \"limit\" => 1}, tools: [a])\ntools = %{a: b}",
        ),
        (
            HostKind::Lisp,
            "(defn f [signature] (clojure.data/diff 1 2) (recall return))",
        ),
        (
            HostKind::Lisp,
            "(call-later 1) (callers) (returns 1) (return-if-changed x) (call* f) (return? 1)",
        ),
        (HostKind::Json, "{\"name\": \"a\", \"description\": \"b\"}"),
        (
            HostKind::Json,
            "{\"method\": \"tools/call\",\n\"tools\": {\"type\": \"array\", \"tools\": [\"a\"]}, \"prompt\": \"Go\"}",
        ),
        (HostKind::Yaml, "name: a\non: [push]\n"),
        (
            HostKind::Markdown,
            "# Title\n\nWords, `code`.\n\n```elixir\nf(x)\n```\n",
        ),
        (
            HostKind::Markdown,
            "<a id=\"a\"></a>\nUse `tool/a` and `Lisp.run(x)`.\n\n<!-- b -->\n\n```elixir\nf(x)\n```\n\nOr `(return 1)`.\n",
        ),
    ] {
        assert!(!may_matter(kind, text, &roles()), "{text}");
    }
}
