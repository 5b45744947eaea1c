use proptest::prelude::*;

use super::*;
use crate::ide::{analysis::Before, fragment::Tree, highlights, hover, testing::beside};
use signature_ls_source::text::{TextEdit, TextRange, size};

/// Pieces of every host, valid and invalid.
fn piece() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "---\n",
        "signature: ",
        "\"(user {name :string}, limit :int?) -> :int\"",
        "\"",
        "'",
        "prompt: ",
        "{{user.name}}",
        "{{usr}}",
        "{{#limit}}",
        "{{/limit}}",
        "{{",
        "}}",
        "\n",
        "  ",
        "x: 1\n",
        ":strng",
        "SubAgent.run(",
        ")",
        "\"\"\"\n",
        "#{a}",
        "{",
        "}",
        "[",
        "]",
        ", ",
        "# signature-ls: ignore unknown-type\n",
        "é😀",
        "\\",
        "|\n  ",
        "%{",
        " do\n",
        "end\n",
        "```elixir\n",
        "```\n",
        "(:signature \"",
        "tools: ",
        "description: ",
        "&F.f/1, ",
        "\r\n",
        "@signature ",
        "@prompt ",
        "Lisp.run(\"",
        "(tool/f {:a 1})",
        "(tool/g_h)",
        "(tool/fg {:a 1})",
        "{:tools {\"f\" \"(a :int) -> :any\"}}\n",
        "{:tools {\"g-h\" \"(b :int) -> :any\" \"f\" \"() -> :int\"}}\n",
        "tools:\n  f: \"(a :int) -> :any\"\n",
        "(ns a)\n",
        "(return 1)",
        "data/x ",
        "context: %{a: 1}",
        "\"f\" => {&f/1, \"(a :string) -> :any\"}",
        "~S(",
        "search(query :string) -> :strng\n",
        "get(id :int) ->\n  :map\n",
    ])
}

fn kinds() -> impl Strategy<Value = HostKind> {
    proptest::sample::select(HostKind::ALL.to_vec())
}

/// Pieces of programs and of their tools.
fn tool_piece() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "(tool/f {:a 1})\n",
        "(tool/fg {:a 1})\n",
        "(tool/g_h {:b \"x\"})\n",
        "{:tools {\"f\" \"(a :int) -> :any\"}}\n",
        "{:tools {\"f\" \"(a :string) -> :any\" \"g-h\" \"(b :int) -> :any\"}}\n",
        "{:tools {\"g_h\" \"(b :int) -> :any\"}}\n",
        "(ns a)\n",
        ";; signature-ls: edition 0.4\n",
        "f",
        ":int",
        "\"",
        "}",
        "(",
        "\n",
    ])
}

/// Modules that name each other, and single characters of them.
fn module_piece() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "defmodule A do\n  alias B.C\n  def f(a), do: a\nend\n\n",
        "defmodule B do\n  defmodule C do\n    def f(%{\"x\" => x}), do: x\n    @spec g(any()) :: any()\n    def g(x), do: x\n  \
         end\nend\n\n",
        "defmodule D do\n  alias __MODULE__.E\n  alias A.B, as: F\n  def k(llm), do: SubAgent.run(E.g(), llm: llm)\nend\n\n",
        "defmodule D.E do\n  import A\n  def g, do: SubAgent.new(prompt: \"P\", signature: \"() -> {a :int}\")\nend\n\n",
        "SubAgent.new(prompt: \"P\", tools: %{\"f\" => &A.f/1, \"g\" => &C.g/1, \"h\" => &F.C.f/1, \"k\" => &f/1})\n\n",
        "SubAgent.new(prompt: \"P\", tools: %{\"f\" => &Ax.f/1, \"g\" => &B.C.f/1, \"g\" => &B.f/1})\n\n",
        "x",
        "A",
        ".",
        "C",
        "\n",
    ])
}

/// Pieces of prompts that show programs.
fn prompt_piece() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "---\n",
        "signature: \"(q :string, n :int) -> {a :int}\"\n",
        "tools:\n  f: \"(b :int) -> :any\"\n",
        "```clojure\n",
        "```\n",
        "```clojure\n(return {:a data/n})\n```\n",
        "```clojure\n(return {:a \"x\"})\n```\n",
        "```clojure\n(tool/f {:b \"x\" :c 1})\n(return {:b data/m})\n```\n",
        "```clojure\n(def x \"1\")\n(return {:a x})\n```\n",
        "```ptc-lisp\n(defn f [x] (tool/f {:c x}))\n(f 1)\n```\n",
        "```clojure\n(map :titel (tool/get))\n```\n",
        "```clojure\n(def rows (tool/get))\n```\n",
        "```clojure\n(tool/f {:b (map :titel rows)})\n```\n",
        "```clojure\n(do (defn g [r] (:titel r)) (g (first (tool/get))))\n(tool/f {:b (g data/q)})\n```\n",
        "(def rows 1)",
        "(tool/f)",
        "rows",
        "def ",
        "Two.\n\n",
        "Use {{q}} and {{m}}.\n",
        "{{#q}}",
        "{{",
        "> ",
        "\n",
        "x",
        "(",
        "\"",
    ])
}

/// Pieces of code that runs agents of its own and of another file.
fn agent_piece() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "defmodule M do\n",
        "  def f do\n",
        "  defp g(agent, step) do\n",
        "  test \"a\" do\n",
        "  end\n",
        "end\n",
        "    agent = SubAgent.new(prompt: \"Count.\", signature: \"{count :int}\")\n",
        "    agent = A.count()\n",
        "    agent = f()\n",
        "    {:ok, step} = SubAgent.run(agent)\n",
        "    step = SubAgent.run!(A.count())\n",
        "    step = File.read!(path)\n",
        "    g(agent, step)\n",
        "    step.return[\"conut\"]\n",
        "    step.return.count\n",
        "    %{\"conut\" => count} = step.return\n",
        "    %{count: count} = data = step.return\n",
        "    data[\"count\"][\"a\"]\n",
        "    x = %{\"end\" => \"\"\"\n  end\n  \"\"\"}\n",
        "    f(%{\"tools\" => %{\"a\" => %{\"as\" => step}}})\n",
        "\n",
        "  \"",
    ])
}

/// Compares the diagnostics of a text that is read once with those of its document, and those after its first edit.
#[track_caller]
fn check_closed(kind: HostKind, text: &str, is_ours: bool) {
    let other = "defmodule A do\n  def count, do: SubAgent.new(prompt: \"Count.\", signature: \"{count :int}\")\nend\n";
    let answers = beside(other, "").scope().answers().clone();
    let settings = Settings {
        is_ours,
        ..Settings::default()
    };
    let mut closed = Document::closed(kind, &mut text.to_owned(), settings.clone());
    let mut new = Document::new(kind, text, settings);
    for document in [&mut closed, &mut new] {
        document.set_answers(Arc::clone(&answers));
        document.check_if_needed();
    }
    assert_eq!(closed.diagnostics(), new.diagnostics(), "{kind:?} {text:?}");
    if !closed.is_idle() {
        let edit = TextEdit::replace(TextRange::default(), "\n");
        let [mut closed, mut new] = [closed.opened(), new];
        closed.edit(&edit);
        new.edit(&edit);
        assert_eq!(closed.diagnostics(), new.diagnostics(), "{kind:?} {text:?}");
    }
}

/// Edits: the place in the text, the number of removed characters, and the new text.
fn edits(
    piece: impl Strategy<Value = &'static str>,
) -> impl Strategy<Value = Vec<(prop::sample::Index, usize, &'static str)>> {
    proptest::collection::vec((any::<prop::sample::Index>(), 0..5_usize, piece), 1..6)
}

/// Applies `edits`, and compares the diagnostics after each with those of a new document.
fn compare(
    kind: HostKind,
    mut text: String,
    edits: Vec<(prop::sample::Index, usize, &'static str)>,
) -> Result<(), TestCaseError> {
    let mut document = Document::new(kind, &text, Settings::default());
    for (at, len, insert) in edits {
        let boundaries = text.char_indices().map(|(at, _)| at);
        let boundaries: Vec<usize> = boundaries.chain([text.len()]).collect();
        let start = at.index(boundaries.len());
        let end = (start + len).min(boundaries.len() - 1);
        let range = TextRange::new(size(boundaries[start]), size(boundaries[end]));
        let edit = TextEdit::replace(range, insert);
        let before = text.clone();
        edit.apply(&mut text);
        document.edit(&edit);
        let fresh = Document::new(kind, &text, Settings::default());
        prop_assert_eq!(
            document.diagnostics(),
            fresh.diagnostics(),
            "{:?}\n{:?}\nbecame\n{:?}",
            kind,
            before,
            text
        );
        prop_assert!(document.mentions().are_of(&document.analyses), "{}", text);
        let offset = size(boundaries[start].min(text.len()));
        prop_assert_eq!(hover(&document, offset), hover(&fresh, offset));
        for offset in (0..text.len()).step_by(text.len() / 16 + 1).map(size) {
            prop_assert_eq!(
                highlights(&document, offset),
                highlights(&fresh, offset),
                "at {:?}\n{:?}\nbecame\n{:?}",
                offset,
                before,
                text
            );
        }
    }
    let fresh = Document::new(kind, &text, Settings::default());
    prop_assert_eq!(document.facts(), fresh.facts(), "{:?}", text);
    prop_assert_eq!(document.scope(), fresh.scope(), "{:?}", text);
    prop_assert_eq!(document.asks(), fresh.asks(), "{:?}", text);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// What is not kept of a text that is read once has no diagnostics.
    #[test]
    fn a_closed_document_has_the_diagnostics_of_a_new_one(
        text in search::testing::parts(),
        is_ours in any::<bool>(),
    ) {
        for kind in HostKind::ALL {
            check_closed(*kind, &text, is_ours);
        }
    }

    /// The same for code that runs agents and reads what they return.
    #[test]
    fn closed_code_of_agents_has_the_diagnostics_of_a_new_document(
        pieces in proptest::collection::vec(agent_piece(), 0..20),
    ) {
        check_closed(HostKind::Elixir, &pieces.concat(), true);
    }

    /// The diagnostics after edits equal those of a new document.
    #[test]
    fn diagnostics_after_edits_equal_those_of_a_new_document(
        kind in kinds(),
        pieces in proptest::collection::vec(piece(), 0..40),
        edits in edits(piece()),
    ) {
        compare(kind, pieces.concat(), edits)?;
    }

    /// The same for texts with many tools and calls.
    #[test]
    fn diagnostics_after_edits_of_tools_equal_those_of_a_new_document(
        pieces in proptest::collection::vec(tool_piece(), 0..10),
        edits in edits(tool_piece()),
    ) {
        compare(HostKind::Lisp, pieces.concat(), edits)?;
    }

    /// The same for modules that name each other.
    #[test]
    fn diagnostics_after_edits_of_modules_equal_those_of_a_new_document(
        pieces in proptest::collection::vec(module_piece(), 0..8),
        edits in edits(module_piece()),
    ) {
        compare(HostKind::Elixir, pieces.concat(), edits)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// The diagnostics after edits of prompts that show programs equal those of a new document.
    #[test]
    fn diagnostics_after_edits_of_prompts_equal_those_of_a_new_document(
        pieces in proptest::collection::vec(prompt_piece(), 0..10),
        edits in edits(prompt_piece()),
    ) {
        let head = "---\nsignature: \"(q :string, n :int) -> {a :int}\"\ntools:\n  f: \"(b :int) -> :any\"\n  \
                    get: \"() -> [{id :int, title :string}]\"\n---\n";
        compare(HostKind::Prompt, format!("{head}{}", pieces.concat()), edits)?;
    }
}

#[test]
fn programs_of_a_prompt_know_what_others_in_it_define() {
    let head = "---\nsignature: \"(q :string) -> {a :int}\"\ntools:\n  f: \"(b :int) -> :any\"\n  \
                get: \"() -> [{id :int, title :string}]\"\n---\n{{q}}\n```clojure\n";
    let definition = "(def rows (tool/get))";
    for between in ["\n", "\n```\n\n```clojure\n"] {
        for use_of_name in [
            "(tool/f {:b (:titel (first rows))})",
            "(return {:a (:titel (first rows))})",
        ] {
            let end = "\n```\n";
            let mut text = format!("{head}{definition}{between}{end}");
            let mut document = Document::new(HostKind::Prompt, &text, Settings::default());
            let at = head.len() + definition.len() + between.len();
            for (offset, letter) in use_of_name.char_indices() {
                let edit = TextEdit::insert(size(at + offset), letter.to_string());
                edit.apply(&mut text);
                document.edit(&edit);
                document.diagnostics();
            }
            for document in [
                &document,
                &Document::new(HostKind::Prompt, &text, Settings::default()),
            ] {
                let found = document.diagnostics();
                let codes: Vec<_> = found.iter().map(|it| it.rule.code).collect();
                assert_eq!(codes, ["unknown-field"], "{text}");
            }
        }
    }
}

/// Each key in a signature leads to the findings and fixes of a new document, also where it changes no type.
#[test]
fn fixes_follow_the_types_that_they_change() {
    let text = "SubAgent.run(\"{{#rows}}{{txt}}{{/rows}} {{user.nme}}\", signature: \"(rows [{a :int, text :str}], \
                user {name :string?}) -> :int\")\n";
    let start = text.find("(rows").expect("a signature");
    let keys = ["i", ":", "?", " ", "s", ",", "}", "]", "# x\n"];
    for at in (start..text.len() - 3).filter(|at| text.is_char_boundary(*at)) {
        let inserted = keys.map(|key| TextEdit::insert(size(at), key));
        let deleted = TextEdit::delete(TextRange::at(size(at), size(1)));
        for edit in inserted.into_iter().chain([deleted]) {
            let undone = TextEdit::replace(edit.inserted_range(), &text[edit.range]);
            let mut document = Document::new(HostKind::Elixir, text, Settings::default());
            document.diagnostics();
            let mut after = text.to_owned();
            for edit in [&edit, &undone] {
                edit.apply(&mut after);
                document.edit(edit);
                let fresh = Document::new(HostKind::Elixir, &after, Settings::default());
                assert_eq!(document.diagnostics(), fresh.diagnostics(), "{after}");
            }
        }
    }
}

/// The names of a prompt are those of its signature, wherever they are after an edit that changes only their places.
#[test]
fn names_of_a_prompt_follow_their_parameters() {
    let text = "SubAgent.run(\"{{user}}\", signature: \"# c\n(user :string) -> :int\")\n";
    for (before, insert) in [("(user", " "), ("user :", " "), ("\n(", "x"), ("# c", "\n")] {
        let mut document = Document::new(HostKind::Elixir, text, Settings::default());
        let edit = TextEdit::insert(size(text.find(before).expect("a place")), insert);
        document.edit(&edit);
        let mut text = text.to_owned();
        edit.apply(&mut text);
        let offset = size(text.find("user").expect("a name"));
        let found = highlights(&document, offset);
        let places: Vec<_> = found.iter().map(|it| &text[it.range]).collect();
        assert_eq!(places, ["user", "user"], "{text}");
    }
}

#[test]
fn tools_are_known_to_the_first_program_and_to_the_next() {
    let tools = "{:tools {\"search\" \"(query :string) -> :any\"}}\n";
    let call = "(tool/serch {:query 1})\n";
    let mut text = tools.to_owned();
    let mut document = Document::new(HostKind::Lisp, &text, Settings::default());
    let mut codes_after = |range: std::ops::Range<usize>, insert: &str| {
        let edit = TextEdit::replace(TextRange::new(size(range.start), size(range.end)), insert);
        edit.apply(&mut text);
        document.edit(&edit);
        let found = document.diagnostics();
        found.iter().map(|it| it.rule.code).collect::<Vec<_>>()
    };
    let end = tools.len();
    assert_eq!(codes_after(end..end, call), ["unknown-tool"]);
    assert_eq!(codes_after(end..end + call.len(), ""), [""; 0]);
    let name = tools.find("search").expect("a tool");
    assert_eq!(codes_after(name..name + "search".len(), "serch"), [""; 0]);
    assert_eq!(codes_after(end - 1..end - 1, call), ["value-type"]);
}

#[test]
fn what_a_string_of_two_calls_has_is_reported_once() {
    let text = "def f do\n  prompt = \"{{b}} {{a}}\"\n  run = SubAgent.run(prompt, signature: \"(a :int) -> :int\")\n  \
                LLMTool.new(prompt: prompt, signature: \"(a :int) -> :int\")\nend\n";
    let found = Document::new(HostKind::Elixir, text, Settings::default()).diagnostics();
    let codes: Vec<_> = found.iter().map(|it| it.rule.code).collect();
    assert_eq!(codes, ["unknown-placeholder"]);
}

#[test]
fn a_literal_that_many_calls_use_is_parsed_once() {
    let calls = "  SubAgent.run(p, signature: \"(a :int) -> :int\")\n".repeat(600);
    let prompt = "{{x}}".repeat(1_000);
    let text = format!("def f do\n  p = \"{prompt}\"\n{calls}end\n");
    let document = Document::new(HostKind::Elixir, &text, Settings::default());
    let prompts = document
        .units()
        .flat_map(|(_, analysis)| &analysis.fragments);
    let trees = prompts.filter_map(|it| match &it.tree {
        Tree::Template { green, .. } => Some(std::ptr::from_ref(&**green)),
        Tree::Signature { .. } | Tree::Text => None,
    });
    let trees: Vec<_> = trees.collect();
    assert!((2..600).contains(&trees.len()), "{}", trees.len());
    assert!(trees.iter().all(|it| *it == trees[0]));
    let found = document.findings();
    assert!(found.reported.len() + found.left_out < 20_000);

    let short = text.replace(&prompt, "{{x}}");
    let document = Document::new(HostKind::Elixir, &short, Settings::default());
    assert!(
        document
            .units()
            .all(|(_, analysis)| analysis.fragments.len() == 2)
    );
    assert_eq!(document.findings().left_out, 0);
}

/// A string that absorbs another tool leaves the same number of units, elsewhere.
#[test]
fn a_tree_stays_with_its_literal() {
    let tools = "{:tools {\"f\" \"(b :int) -> :any\"}}";
    let mut text = format!("{tools}f:tools {{\"g\" \"{tools}\n");
    let mut document = Document::new(HostKind::Lisp, &text, Settings::default());
    let edit = TextEdit::replace(TextRange::at(size(16), size(1)), "\"");
    edit.apply(&mut text);
    document.edit(&edit);
    let fresh = Document::new(HostKind::Lisp, &text, Settings::default());
    assert_eq!(document.diagnostics(), fresh.diagnostics(), "{text}");
}

#[test]
fn errors_beyond_the_reported_ones_are_looked_for_when_they_matter() {
    for kind in [HostKind::Catalog, HostKind::Elixir] {
        let line = |it: usize| match kind {
            HostKind::Catalog => format!("f{it}( a :strng, b :strng) -> {{identifier :int}}\n"),
            _ => format!("Signature.parse(\"(a{it} :strng, b :strng) -> {{id :int}}\")\n"),
        };
        let lines: Vec<_> = (0..3_500).map(line).collect();
        let mut text = lines.concat();
        let mut document = Document::new(kind, &text, Settings::default());
        let first = document.unchecked.iter().next().expect("too many errors");
        let start_of = |index: usize| size(lines[..index].concat().len());
        let edits = [
            // At the end, where nothing is reported.
            TextEdit::replace(TextRange::new(start_of(3_400), start_of(3_401)), "\n"),
            // The number of errors stays above the limit, then falls below it.
            TextEdit::delete(TextRange::new(start_of(0), start_of(first - 900))),
            TextEdit::delete(TextRange::new(start_of(0), start_of(800))),
            TextEdit::insert(size(0), lines.concat()),
        ];
        for edit in edits {
            edit.apply(&mut text);
            document.edit(&edit);
            let fresh = Document::new(kind, &text, Settings::default());
            assert_eq!(document.diagnostics(), fresh.diagnostics());
            assert_eq!(crate::ide::format(&document), crate::ide::format(&fresh));
        }
        assert!(!document.unchecked.is_empty());
    }
}

#[test]
fn errors_that_comments_ignore_hide_no_others() {
    let ignored = |it| format!("# signature-ls: ignore unknown-type\nf{it}(a :strng) -> :int\n");
    let ignored: String = (0..3_000).map(ignored).collect();
    let text = format!("{ignored}g(a :flot) -> :int\n");
    let found = Document::new(HostKind::Catalog, &text, Settings::default()).diagnostics();
    let codes: Vec<_> = found.iter().map(|it| it.rule.code).collect();
    assert_eq!(codes, ["unknown-type"]);
}

#[test]
fn calls_that_are_errors_because_of_the_tools_count_as_errors() {
    let tools = "{:tools {\"search\" \"(q :string) -> :int\"}}\n";
    let calls: Vec<_> = (0..3_500)
        .map(|it| format!("(tool/serach{it} {{:q \"a\"}})\n"))
        .collect();
    let mut text = format!("{tools}{}", calls.concat());
    let mut document = Document::new(HostKind::Lisp, &text, Settings::default());
    assert!(!document.unchecked.is_empty());
    let start_of = |index: usize| size(tools.len() + calls[..index].concat().len());
    let edits = [
        TextEdit::replace(TextRange::at(size(10), size(6)), "lookup"),
        TextEdit::delete(TextRange::new(start_of(100), start_of(3_000))),
        TextEdit::insert(start_of(100), calls.concat()),
        TextEdit::delete(TextRange::new(size(0), size(tools.len()))),
        TextEdit::insert(size(0), tools),
    ];
    for edit in edits {
        edit.apply(&mut text);
        document.edit(&edit);
        let fresh = Document::new(HostKind::Lisp, &text, Settings::default());
        assert_eq!(document.diagnostics(), fresh.diagnostics());
    }
}

/// A prompt may show hundreds of programs.
#[test]
fn a_key_checks_the_program_around_it_and_those_that_share_names_with_it() {
    let whole = "---\nsignature: \"(a :int) -> {b :int}\"\n---\nOne.\n\n```clojure\n(return {:b \"1\"})\n```\n\nTwo.\n\n\
                 ```clojure\n(return {:b \"2\"})\n```\n```clojure\n(do (def n 3) (return {:b data/a}))\n```\n\
                 ```clojure\n(return {:b n})\n```\n";
    let document = Document::new(HostKind::Prompt, whole, Settings::default());
    let [placed] = document.host().units() else {
        panic!("one unit");
    };
    let analysis = &document.analyses[0];
    for (word, count) in [
        ("One", Some((2, 0))),
        ("Two", Some((2, 0))),
        ("\"1\"", Some((1, 1))),
        ("return", Some((1, 0))),
        ("\"2\"", Some((1, 1))),
        (":int", None),
        ("def", None),
        ("n})", None),
    ] {
        let at = whole.find(word).expect("it has it") + 1;
        let edit = TextEdit::insert(at.try_into().expect("short"), "x");
        let mut text = Text::from(whole);
        text.apply(&edit);
        let mut host = document.host().clone();
        host.edit(&text, &edit);
        let before = Before {
            unit: &placed.unit,
            analysis,
            start: placed.start,
            edit: &edit,
        };
        let known = before.of_programs(&host.units()[0].unit, placed.start);
        let known = known.map(|it| (it.found.len(), it.changed.code.len()));
        assert_eq!(known, count, "{word}");
    }
}
