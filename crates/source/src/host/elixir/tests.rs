use std::sync::Arc;

use proptest::prelude::*;

use super::{
    Document, Elixir,
    find::{self, Reading},
    links::Links,
    modules,
    pieces::PIECE,
    units,
};
use crate::{
    host::{
        HostDocument, HostKind, Notation, PlacedUnit, Role, Roles,
        flow::Written,
        search,
        test_support::{any_edits, check_edits, check_fixtures, check_replacements},
        token_tree::{self, Element, testing::text_of},
    },
    text::{Text, TextEdit, TextSize, size},
};

#[test]
fn fixtures() {
    check_fixtures("elixir/test_data");
}

#[test]
fn indented_code_in_documentation_is_read() {
    let text = "@moduledoc \"\"\"\nFor example:\n\n    SubAgent.run(\"Go\", signature: \"(a :int) -> :int\")\n\"\"\"\n";
    let document = HostDocument::parse(HostKind::Elixir, &Text::from(text), &Roles::default());
    let sites = document
        .our_units(false)
        .flat_map(|it| it.unit.sites.iter().map(|site| site.content + it.start));
    let texts: Vec<_> = sites.map(|range| &text[range]).collect();
    assert_eq!(texts, ["Go", "(a :int) -> :int"]);
}

#[test]
fn a_text_that_is_read_once_is_the_same_afterwards() {
    let line = "SubAgent.run(\"Grüße {{a}}\", signature: \"(a :int) -> :int\")\r\n\t)";
    let roles = Roles::default();
    for count in [1, 512 * 1024 / line.len() + 1] {
        let text = line.repeat(count);
        let mut whole = text.clone();
        let (_, mut closed) =
            HostDocument::parse_closed(HostKind::Elixir, &mut whole, &roles, true);
        assert_eq!(closed.units().len(), count);
        assert!(whole == text);
        let put_together = closed.forget_code(true, &mut whole);
        assert_eq!(put_together.is_some(), count > 1);
        assert!(put_together.is_none_or(|it| it.whole() == text));
    }
}

#[test]
fn an_agent_that_becomes_a_tool_has_the_name_of_the_tool() {
    let agent = "SubAgent.new(name: \"child\", prompt: \"{{q}}\", signature: \"(q :int) -> :int\")";
    for (tools, name) in [
        (format!("%{{\"key\" => SubAgent.as_tool({agent})}}"), "key"),
        (
            format!("%{{\"key\" => SubAgent.as_tool({agent}, llm: f({agent}))}}"),
            "key",
        ),
        (
            format!("%{{\"key\" => {agent} |> SubAgent.as_tool()}}"),
            "key",
        ),
        (format!("%{{\"key\" => {agent}}}"), "key"),
        (format!("%{{\"key\" => f({agent})}}"), "child"),
        (format!("%{{\"key\" => {agent} |> f()}}"), "child"),
        (
            format!("f(%{{\"key\" => SubAgent.as_tool({agent})}})"),
            "child",
        ),
    ] {
        let text = format!("SubAgent.new(prompt: \"x\", tools: {tools})\n");
        let roles = Roles::default();
        let document = HostDocument::parse(HostKind::Elixir, &Text::from(text.as_str()), &roles);
        let units = document.our_units(true);
        let sites = units.flat_map(|it| it.unit.sites.iter());
        let signature = sites.into_iter().find(|it| it.role == Role::Signature);
        let found = signature.and_then(|it| it.name.clone());
        assert_eq!(found.as_deref(), Some(name), "{text}");
    }
}

/// The functions of `Signature.Parser` are those of `Signature`, under every name of the module.
#[test]
fn the_parser_of_signatures_is_called_by_any_of_its_names() {
    for (before, call, is_read) in [
        ("", "PtcRunner.SubAgent.Signature.Parser", true),
        (
            "alias PtcRunner.SubAgent.Signature.Parser\n",
            "Parser",
            true,
        ),
        (
            "alias PtcRunner.SubAgent.Signature.Parser, as: P\n",
            "P",
            true,
        ),
        (
            "alias PtcRunner.SubAgent.Signature\n",
            "Signature.Parser",
            true,
        ),
        (
            "alias PtcRunner.SubAgent\n",
            "SubAgent.Signature.Parser",
            true,
        ),
        (
            "alias PtcRunner.SubAgent.{Signature.Parser, Definition}\n",
            "Parser",
            true,
        ),
        ("import PtcRunner.SubAgent.Signature.Parser\n", "", true),
        ("alias PtcRunner.Lisp.Parser\n", "Parser", false),
        ("", "PtcRunner.Lisp.Parser", false),
        ("alias MyApp.Signature.Parser\n", "Parser", false),
        ("", "Parser", false),
    ] {
        let call = [call, "parse(\"ed25519:beef\")"].map(str::to_owned);
        let call = call
            .into_iter()
            .filter(|it| !it.is_empty())
            .collect::<Vec<_>>();
        let text = format!("{before}{}\n", call.join("."));
        let roles = Roles::default();
        let document = HostDocument::parse(HostKind::Elixir, &Text::from(text.as_str()), &roles);
        let mut units = document.our_units(false);
        let is_found = units.any(|it| it.unit.sites.iter().any(|it| it.role == Role::Signature));
        assert_eq!(is_found, is_read, "{text}");
        assert!(
            !is_read || search::may_matter(HostKind::Elixir, &text, &roles),
            "{text}"
        );
    }
}

/// Many functions with the same names in them.
fn functions() -> String {
    let function = |it: usize| {
        format!(
            "def f{it}(x) do\n  agent = SubAgent.new(prompt: \"{{{{a}}}}\", signature: \"(a :int) -> {{b :int}}\")\n  step = SubAgent.run!(agent, context: %{{a: x}})\n  step.return[\"b\"]\nend\n"
        )
    };
    (0..200).map(function).collect()
}

#[test]
fn an_edit_replaces_only_the_units_that_depend_on_it() {
    let before = functions();
    let middle = before.find("def f100").expect("a function");
    for (place, insert) in [
        ("a :int", "x"),
        ("agent, context", "x"),
        ("%{a: x", "{"),
        ("step.return", "x"),
    ] {
        let mut text = Text::from(before.as_str());
        let roles = Roles::default();
        let mut document = HostDocument::parse(HostKind::Elixir, &text, &roles);
        let at = middle + before[middle..].find(place).expect("a place");
        let edit = TextEdit::insert(size(at), insert);
        text.apply(&edit);
        let change = document.edit(&text, &edit);
        let replaced = change.removed.len() + change.inserted;
        assert!((1..20).contains(&replaced), "{place}: {change:?}");
    }
}

#[test]
fn calls_in_one_another_keep_a_unit_each() {
    let text = "x = \"(a :int) -> :int\"\nf(Lisp.run(x, Lisp.run(x, Lisp.run(x, y\n";
    for at in (0..10_000).step_by(100) {
        for insert in ["", ")"] {
            check_edits(HostKind::Elixir, text, &[(at, 0, insert.to_owned())]);
        }
    }
}

/// Words in texts and comments are no names of modules.
#[test]
fn an_edit_of_an_alias_reads_only_what_has_its_name() {
    let others =
        "SubAgent.run(\"S Su {{a}}\", signature: \"(a :int) -> :int\")\n# S.new\n~S|Su.b|\n"
            .repeat(400);
    let roles = Roles::default();
    for (at, is_local) in [(17, true), (18, false), (19, true)] {
        let whole = format!("alias PtcRunner.SubAgent\n{others}Su.run(\"\")\n");
        let mut text = Text::from(&*whole);
        let (mut document, units) = Document::parse(&whole, roles.of(Notation::Elixir));
        let edit = TextEdit::insert(size(at), "*");
        text.apply(&edit);
        let change = document.edit(&text, &edit, &mut units.into(), roles.of(Notation::Elixir));
        assert_eq!(change.is_some(), is_local, "{at}");
    }
}

#[test]
fn equal_units_are_one() {
    let text =
        "~T\"{{a}}\"\ndef f(%{a: a}), do: a\n~T\"{{b}}\"\ndef f(%{b: b}), do: b\n~T\"{{bc}}\"\n";
    let document = HostDocument::parse(HostKind::Elixir, &Text::from(text), &Roles::default());
    let [one, head, same, same_head, other] = document.units() else {
        panic!("{:?}", document.units());
    };
    assert!(Arc::ptr_eq(&one.unit, &same.unit) && !Arc::ptr_eq(&one.unit, &other.unit));
    assert!(Arc::ptr_eq(&head.unit, &same_head.unit));
}

#[test]
fn an_edit_in_a_function_head_moves_its_keys() {
    let text = "def f(%{a: a, b: [%{c: c}, {d}]} = x \\\\ %{e: fn y -> y end}), do: a\n\
                defp g(%{\"k\" => k, l: %{m: (1)}}) do\n  k\nend\n";
    for at in (0..10_000).step_by(40) {
        for insert in ["x", "{", "}", "(", "\"", "\n", ", z: 1", " do\n"] {
            for removed in [0, 100, 400] {
                check_edits(HostKind::Elixir, text, &[(at, removed, insert.to_owned())]);
            }
        }
    }
}

#[test]
fn a_name_stands_for_a_literal_over_so_many_calls_and_no_further() {
    let call = "  def f(x) do\n    SubAgent.run(\"Hi {{a}}\", signature: @sig)\n  end\n";
    let calls = call.repeat(700);
    let text = format!("defmodule A do\n  @sig \"(a :int) -> :int\"\n{calls}end\n");
    let units = HostDocument::parse(HostKind::Elixir, &Text::from(&*text), &Roles::default());
    let has_signature = |it: &&PlacedUnit| it.unit.sites.len() == 2;
    assert_eq!(units.units().iter().filter(has_signature).count(), 601);

    let other = "  @sig \":int\"\n";
    for at in [10, 500, 8_500] {
        let edits = [
            (at, 0, call),
            (at, 0, "x"),
            (at, 70, ""),
            (at, 200, ""),
            (at, 0, other),
        ];
        let edits = edits.map(|(at, len, insert)| (at, len, insert.to_owned()));
        check_edits(HostKind::Elixir, &text, &edits);
    }
}

#[test]
fn what_a_function_with_a_module_in_it_returns_is_seen_outside_of_the_module() {
    let text = "def make do\n  defmodule A do\n    def g do\n      x\n    end\n  end\nend\n\nSubAgent.run(make(), context: %{a: 1})\n";
    let agent = "SubAgent.new(signature: \"(a :int) -> :int\")";
    check_replacements(HostKind::Elixir, text, &[("x\n", agent), (agent, "x\n")]);
}

#[test]
fn a_function_that_comes_into_a_block_is_not_seen_outside() {
    let lines = "x = 1\n".repeat(20);
    let agent = "def f, do: SubAgent.new(signature: \"(a :int) -> :int\")\n";
    let run = "SubAgent.run(f(), context: %{a: 1})\n";
    for tail in ["", "end\n"] {
        let text = [run, &lines, agent, tail, &lines].concat();
        let edits = [("def f", "if a do\ndef f"), ("if a do\n", "")];
        check_replacements(HostKind::Elixir, &text, &edits);
    }
}

#[test]
fn a_value_that_is_removed_with_much_text_before_it_is_not_seen_any_more() {
    let gone = "x = 1\n".repeat(400) + "agent = SubAgent.new(signature: sig)\n";
    let text = [
        "sig = \"(a :int) -> :int\"\nagent = make()\n",
        &gone,
        &"x = 2\n".repeat(100),
        "{:ok, step} = SubAgent.run(agent, context: %{a: 1})\n",
    ];
    check_replacements(HostKind::Elixir, &text.concat(), &[(&gone, "")]);
}

#[test]
fn a_call_in_a_module_gives_a_parameter_outside() {
    let text = "defp use(agent), do: SubAgent.run(agent, context: %{a: 1})\n\ndefmodule A do\n  def f do\n    use(SubAgent.new(signature: \"(a :int) -> :int\"))\n  end\nend\n";
    let edits = [
        ("(a :int)", "(b :int)"),
        ("SubAgent.new", "Agent.new"),
        ("Agent.new", "SubAgent.new"),
    ];
    check_replacements(HostKind::Elixir, text, &edits);
}

#[rustfmt::skip]
const PIECES: &[&str] = &[
    "signature: \"(a :int) -> :int\"", "prompt: \"Hi {{a}}\"", "SubAgent.run(", "SubAgent.new ",
    "\"text\"", "\"text #{f(prompt: \"x\")}\"", ", ", ")", "(", "[", "]", "%{", "{", "}", "&F.f/1, ",
    "\"key\" => ", "key: ", ":signature => ", "fn x ->", "end", " do\n", "\nend\n", "\n", "\n", "\n\n",
    "\n\n", "|> ", " |> Signature.parse()", "x = ", "\n|> f()", "# note\n", ";", "@signature ", "\"",
    "\"\"\"\n", "~S(", "#{", "def f do\n", "if a do\n", "  run(a)\n", "description: \"d\"", "é", " ",
    "x = \"(a :int) -> :int\"\n", "x = f(x)\n", "@x \"Hi {{a}}\"\n", "signature: x, ", "run(prompt: @x, ",
    "SubAgent.run(x)\n", "x |> SubAgent.run()\n", "case a do\n", " x -> ", "defmodule A do\n", "~T\"{{a}}\"",
    "@doc \"\"\"\n", "  iex> ", "  ...> ", "\n  ```elixir\n  ", "  ```\n", "  \"\"\"\n", "\\\"", "\\\\", "\\#",
    "Lisp.run(x, ", "tools: x, ", "tools: %{\"t\" => ", "x = %{\"t\" => {f, \"(a :int) -> :int\"}}\n",
    "x = \"(tool/t {:a 1})\"\n", "SubAgent.as_tool(x)", "x = SubAgent.new(signature: x)\n", "LLMTool.new(",
    "PtcRunner.Tool.new(\"t\", ", "%PtcRunner.Tool{name: \"t\", ", "Lisp.run(", "\"(tool/f {:a \\\"b\\\"})\"", "~S|(return 1) data/x|",
    "\nelse\n", "else ", "after\n",
];

/// Items of a list.
#[rustfmt::skip]
const ITEMS: &[&str] = &[
    "SubAgent.new(prompt: \"Hi {{a}}\", signature: \"(a :int) -> :int\"),\n", "SubAgent.new(signature: @sig),\n", "@sig,\n",
    "%{prompt: \"{{b}}\", signature: \"(b :int) -> :int\"},\n", "{\"t\", fn x -> SubAgent.run(x, signature: sig) end},\n",
    "SubAgent.new(tools: %{\"t\" => {&f/1, \"(a :int) -> :int\"}}),\n", "f(step.return.b),\n",
];

/// Statements about modules, and calls of their functions.
#[rustfmt::skip]
const MODULES: &[&str] = &[
    "alias PtcRunner.SubAgent\n", "alias PtcRunner.{SubAgent, Signature}\n", "alias PtcRunner.S\n", "alias PtcRunner, as: S\n",
    "alias Other.SubAgent\n", "alias S.SubAgent\n", "import PtcRunner.SubAgent\n", "defmodule A do\n", "end\n",
    "SubAgent.run(\"{{a}}\", signature: \"(a :int) -> :int\")\n", "run(\"{{a}}\", signature: \"(a :int) -> :int\")\n",
    "S.SubAgent.run(\"{{a}}\")\n", "S.run(\"{{S}} S.run\", signature: \":int\")\n", "# S.run\n", "S", "x", ".", "\n",
];

/// Statements whose values depend on each other.
#[rustfmt::skip]
const STATEMENTS: &[&str] = &[
    "sig = \"(a :int) -> {b :int}\"\n", "sig = \"() -> :int\"\n", "@sig \"(a :int) -> {c :int}\"\n",
    "agent = SubAgent.new(prompt: \"Go\", signature: sig)\n", "agent = SubAgent.new(prompt: \"Go\", signature: @sig)\n",
    "agent = make()\n", "{:ok, step} = SubAgent.run(agent, llm: llm)\n", "step.return.b\n", "f(step.return.c)\n",
    "def make, do: SubAgent.new(signature: sig())\n", "defp sig, do: \"() -> {b :int}\"\n", "defp use(agent), do: SubAgent.run(agent)\n",
    "def make do\n", "test \"a\" do\n", "# ", "def run(agent) do\n", "use(agent)\n", "end\n", "case x do\n", "x ->\n", "if a do\n", "defmodule A do\n",
    "else\n", "rescue\n", "SubAgent.run(agent, signature: sig)\n", "agent |> SubAgent.run()\n", "other = 1\n", "x = agent\n", "agent = x\n", "\n",
];

#[test]
fn what_a_signature_flows_into_shares_its_text() {
    let runs = "  SubAgent.run(a, context: %{x: 1})\n  SubAgent.run(a, context: %{xy: 1})\n";
    let text = format!(
        "def f do\n  a = SubAgent.new(prompt: \"p\", signature: \"(x :int) -> :int\")\n{runs}end\n"
    );
    let document = HostDocument::parse(HostKind::Elixir, &Text::from(&*text), &Roles::default());
    let sources = document.units().iter().flat_map(|it| &it.unit.flow.sources);
    let texts: Vec<_> = sources
        .filter_map(|it| match &it.written {
            Written::Here(text) => Some(text),
            _ => None,
        })
        .collect();
    assert_eq!(texts.len(), 2);
    assert!(texts[0].is_one_with(texts[1]));
}

#[test]
fn calls_that_repeat_share_a_unit() {
    let call = "p = \"Hi {{x}}\"\nSubAgent.run(p, signature: \"(a :int) -> :int\")\n";
    let text = format!("def f do\n{}end\n", call.repeat(3));
    let roles = Roles::default();
    let units = units(&text, roles.of(Notation::Elixir));
    assert_eq!(units.len(), 3);
    assert!(units.iter().all(|it| Arc::ptr_eq(&it.unit, &units[0].unit)));
}

/// A branch of a function (`else`, `rescue`) sees its parameters, and nothing outside of the function.
#[test]
fn branches_of_functions_see_what_their_functions_see() {
    let sites = |text: &str| {
        let units = units(text, Roles::default().of(Notation::Elixir));
        let sites = units.iter().flat_map(|it| it.unit.sites.iter());
        sites.filter(|it| it.role == Role::Signature).count()
    };
    let run = "SubAgent.run(agent, signature: sig)";
    for word in ["rescue", "else", "after", "catch"] {
        let outside = format!("sig = \"() -> :int\"\ndef f(agent) do\n  x\n{word}\n  {run}\nend\n");
        assert_eq!(sites(&outside), 0, "{outside}");
        let callers = "def g, do: f(SubAgent.new(prompt: \"Go\", signature: \"() -> {b :int}\"))\n";
        let given = format!(
            "defp f(agent) do\n  x\n{word}\n  SubAgent.run(agent, llm: llm)\nend\n{callers}"
        );
        let reads = units(&given, Roles::default().of(Notation::Elixir));
        let linked = reads.iter().filter(|it| !it.unit.flow.sources.is_empty());
        assert_eq!(linked.count(), 1, "{given}");
    }
}

/// A definition in the middle of another one, whose branch the connection crosses.
#[test]
fn names_outside_of_a_function_do_not_flow_into_its_branches() {
    let text = "agent = SubAgent.new(prompt: \"Go\", signature: @sig)\nsig = \"() -> :int\"\ndef make do\nelse\nSubAgent.run(agent, signature: sig)\ndef make do\n";
    let insert = "sig = \"(a :int) -> {b :int}\"\nprompt:";
    check_replacements(HostKind::Elixir, text, &[("prompt:", insert)]);
}

/// An edit in a function with a `rescue` or the like concerns what follows in it.
#[test]
fn an_agent_is_followed_in_functions_with_branches() {
    for word in ["rescue", "else", "after", "catch"] {
        let text = format!(
            "def f do\n  agent = SubAgent.new(prompt: \"Go\", signature: \"() -> {{b :int}}\")\n  \
             {{:ok, step}} = SubAgent.run(agent)\n  step.return.b\n{word}\n  _ -> :error\nend\n"
        );
        let edits = [("{b", "{c"), ("new(", "now("), ("now(", "new(")];
        check_replacements(HostKind::Elixir, &text, &edits);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]
    #[test]
    fn edits_among_connected_statements_find_what_reading_finds(
        text in text_of(STATEMENTS, 0..60),
        edits in any_edits(STATEMENTS),
    ) {
        check_edits(HostKind::Elixir, &text, &edits);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]
    #[test]
    fn edits_find_what_reading_finds(text in text_of(PIECES, 0..80), edits in any_edits(PIECES)) {
        check_edits(HostKind::Elixir, &text, &edits);
    }

    #[test]
    fn edits_of_names_of_modules_find_what_reading_finds(
        text in text_of(MODULES, 0..40),
        edits in any_edits(MODULES),
    ) {
        check_edits(HostKind::Elixir, &text, &edits);
    }

    #[test]
    fn pieces_contain_what_the_whole_contains(
        text in text_of(PIECES, 0..80),
        piece in 1_u32..80,
        is_example in any::<bool>(),
        is_once in any::<bool>(),
    ) {
        let tree = token_tree::parse::<Elixir>(&text);
        let root = Element::node(&tree, TextSize::default());
        let found = |piece: TextSize, is_once| {
            let modules = modules::guess(&text);
            let roles = Roles::default();
            let roles = roles.of(Notation::Elixir);
            let reading = Reading { roles, modules: &modules, is_example, is_once, piece };
            let parts = find::find((root, false), root.range, reading);
            let said = parts.statements.modules();
            let (_, units) = Links::new(parts, roles, is_once);
            format!("{said:?} {units:?}")
        };
        prop_assert_eq!(found(piece.into(), is_once), found(PIECE, false));
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 100,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]
    #[test]
    fn edits_in_long_lists_find_what_reading_finds(
        head in proptest::sample::select(&["@agents [\n", "agents = [\n", "def agents do\n[\n", "[\n", "f([\n", "[1] ++ [\n"][..]),
        items in text_of(ITEMS, 80..120),
        tail in proptest::sample::select(&["]\n", "nil]\n", "signature: \":int\"]\n", "] |> f()\n", "\n"][..]),
        edits in any_edits(PIECES),
    ) {
        let sig = "@sig \"(a :int) -> :int\"\nsig = \":int\"\n";
        let text = [sig, head, &items, tail, "end\nagents\n", sig].concat();
        check_edits(HostKind::Elixir, &text, &edits);
    }
}
