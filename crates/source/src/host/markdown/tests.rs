use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{Document, blocks, units_in_doc};
use crate::{
    host::{
        HostKind, Roles,
        test_support::{
            any_edits, check_deleted_lines, check_edits, check_fixtures, check_places,
            check_replacements, render,
        },
    },
    text::Text,
};

#[test]
fn fixtures() {
    check_fixtures("markdown/test_data");
}

#[test]
fn a_doc_is_read_without_its_indentation() {
    let doc = "\
    Adds 🎈.

    ```sig
    (a :int,
     b :int)
    -> :int
    ```

   - item

     > ~~~ yaml
     > prompt: |
     >   Deep {{a}}
     >   down
     > ~~~

        not in a fence
    ";
    let units = units_in_doc(doc, 4, &Roles::default());
    check_places(doc, &units);
    expect![[r#"
        unit 4:5..6:12
          signature 4:5 "(a :int,\n     b :int)\n    -> :int"
            Margin 5:1 "    "
            Margin 6:1 "    "
        unit 12:8..15:1
          prompt 12:16 "Deep {{a}}\n     >   down\n"
            Margin 14:1 "     >   "
    "#]]
    .assert_eq(&render(doc, &units));
}

#[test]
fn indented_code_in_a_doc_is_elixir() {
    let doc = "Text.\n\n    {:ok, step} = SubAgent.run(\"Go\",\n      signature: \"(a :int) -> :int\")\n\n\
               - item\n\n      \"get\" => {&A.get/1, signature: \"() -> :any\"}\n";
    let units = units_in_doc(doc, 0, &Roles::default());
    check_places(doc, &units);
    let sites = units
        .iter()
        .flat_map(|it| it.unit.sites.iter().map(|site| site.content + it.start));
    let texts: Vec<_> = sites.map(|range| &doc[range]).collect();
    assert_eq!(texts, ["Go", "(a :int) -> :int", "() -> :any"]);
    assert_eq!(blocks::scan(doc).code, []);
}

#[track_caller]
fn check_typed(text: &str, expect: Expect) {
    let typed = blocks::scan(text).code.into_iter().map(|block| {
        let pieces = block.pieces.iter();
        let pieces = pieces.map(|piece| &text[*piece + block.start]);
        pieces.collect::<Vec<_>>()
    });
    expect.assert_eq(&format!("{:?}", typed.collect::<Vec<_>>()));
}

#[test]
fn sessions_of_the_shell_are_what_was_typed() {
    check_typed(
        "    iex> f(\n    ...>   1\n    ...> )\n    {:ok, \"\"}\n    iex(12)>g()\n    ...(12)>  |> h\n\ntext\n\n    iex\n",
        expect![[r#"[["f(\n", "  1\n", ")\n", "g()\n", " |> h\n"]]"#]],
    );
    check_typed(
        "> ```elixir\n>\n> iex> a\n> b\n> ```\n",
        expect![[r#"[["a\n"]]"#]],
    );
    check_typed(
        "```\niex> a\n```\n```ex\na\niex> b\n```\n",
        expect![[r#"[["a\n"], ["a\niex> b\n"]]"#]],
    );
}

/// The cell between stops being one, so that its agent has its signature from another cell with the same text.
#[test]
fn a_signature_of_a_notebook_is_where_its_cell_is() {
    let cell = "```elixir\nagent = SubAgent.new(prompt: \"Go\", signature: \"(a :int) -> {b :int}\")\n```\n\n";
    let step =
        "```elixir\n{:ok, step} = SubAgent.run(agent, context: %{a: 1})\nstep.return.b\n```\n\n";
    let other = "```elixir\nx = 1\n```\n\n".repeat(5);
    let cells = [cell, &other, &cell.replace("elixir", "elixir\n"), &other];
    let text = [cells.concat(), [step, &other].concat().repeat(3)].concat();
    let edits = [("elixir\n\n", "elix\n-ir\n\n"), ("elix\n-ir", "elixir")];
    check_replacements(HostKind::Livebook, &text, &edits);
}

#[test]
fn every_line_end_ends_a_line() {
    for text in TEXTS.iter().copied().chain([BLOCKS.concat().as_str()]) {
        let text = text.replace('\r', "");
        let cr = text.replace('\n', "\r");
        let (expected, found) = (blocks::scan(&text), blocks::scan(&cr));
        assert_eq!(found.starts, expected.starts, "{text}");
        assert_eq!(found.code, expected.code, "{text}");
    }
    let guide = include_str!("test_data/ok/guide.md");
    let lines = "```sig\n(a :int) -> :int\n(b :int) -> :int\n```\n\n```elixir\n# x\nSubAgent.run(\"{{a}}\", signature: \"(a :int) -> :int\")\n```\n";
    for (text, is_livebook) in [(guide, false), (lines, false), (lines, true)] {
        let read = |text: &str| {
            let (_, units) =
                Document::parse(&Text::from(text), text, &Roles::default(), is_livebook);
            let units = units.iter();
            let sites =
                units.flat_map(|it| it.unit.sites.iter().map(|site| site.content + it.start));
            sites.collect::<Vec<_>>()
        };
        let found = read(text);
        assert!(!found.is_empty());
        assert_eq!(read(&text.replace('\n', "\r")), found, "{text}");
    }
    let text =
        "# x\r\r```elixir\rSubAgent.run(\"{{usr}}\", signature: \"(user :int) -> :int\")\r```\r";
    let document = Text::from(text);
    let (_, units) = Document::parse(&document, text, &Roles::default(), false);
    let sites = units
        .iter()
        .flat_map(|it| it.unit.sites.iter().map(|site| site.content + it.start));
    let texts: Vec<_> = sites.map(|range| &text[range]).collect();
    assert_eq!(texts, ["{{usr}}", "(user :int) -> :int"]);
}

const PIECES: &[&str] = &[
    "```",
    "```\n",
    "\n```sig\n",
    "\n~~~~yaml\n",
    "~~~",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "> ",
    "- ",
    "1. ",
    "    ",
    "  ",
    "\t",
    "# ",
    "---\n",
    "===\n",
    "<!--",
    "-->",
    "<div>",
    "[a]: /b \"",
    "[^x]: ",
    "|a|\n|-|\n",
    "(a :int) -> :int",
    "signature: ",
    "iex> ",
    "{:error, 1}\n",
    "😀",
    "\u{feff}",
    "`",
];

const BLOCKS: &[&str] = &[
    "para\ngraph\n",
    "# heading\n",
    "```sig\n(a :int)\n-> :int\n```\n",
    "~~~yaml\nprompt: x\n\nsignature: :int\n~~~\n",
    "> quote\n> ```sig\n> (b :int,\n> c :int) -> :int\n> ```\n",
    "- list\n\n  ```sig\n  :int\n  ```\n",
    "1. one\n2. two\n",
    "    indented\n\n    more\n",
    "<!-- comment\n\nstill -->\n",
    "<div>\n```sig\n:any\n```\n</div>\n",
    "[ref]: /url\n\"title\"\n",
    "[^1]: note\n\n    ```sig\n    :map\n    ```\n",
    "|a|b|\n|-|-|\n|c|d|\n",
    "setext\n===\n",
    "```elixir\niex> Signature.parse(\"a\")\n{:error, 1}\n```\n",
    "    iex> Signature.parse(\"a\")\n    1\n",
    "---\n",
    "\n",
    "\n",
    "\n",
    "\n",
];

const CELLS: &[&str] = &[
    "```elixir\nMix.install([{:ptc_runner, \"~> 0.10\"}])\n```\n",
    "```elixir\nsig = \"(a :int) -> {b :int}\"\n```\n",
    "```elixir\nsig = \"() -> ...\"\ntool = {&f/1, sig}\n```\n",
    "```elixir\nagent = SubAgent.new(prompt: \"Go\", signature: sig)\n```\n",
    "```elixir\n{:ok, step} = SubAgent.run(agent, tools: %{\"t\" => tool}, context: %{a: 1})\nstep.return.b\n```\n",
    "```elixir\ndef run(agent), do: SubAgent.run(agent)\nalias A, as: SubAgent\n```\n",
    "```elixir\nf(\n```\n",
    "```sig\n(c :int) -> :int\n```\n",
    "> ```elixir\n> SubAgent.run(agent, signature: \"() -> :int\")\n> ```\n",
    "Some words, 🎈 and more.\n",
    "# heading\n",
    "\n",
    "\n",
    "\n",
];

const PIECES_OF_CELLS: &[&str] = &[
    "```",
    "```elixir\n",
    "\n",
    "\n\n",
    "> ",
    "x",
    " ",
    "sig = \"() -> :int\"\n",
    "step.return.b\n",
    "Mix.install(",
    "alias A, as: SubAgent\n",
    "def f do\n",
    "end",
    ")",
    "\"",
    "...",
    "🎈",
];

const TEXTS: &[&str] = &[
    include_str!("test_data/ok/guide.md"),
    include_str!("test_data/ok/front.md"),
];

proptest! {
    #[test]
    fn an_edit_leads_to_what_a_full_parse_finds(
        text in proptest::sample::select(TEXTS),
        edits in any_edits(PIECES),
    ) {
        check_edits(HostKind::Markdown, text, &edits);
    }

    #[test]
    fn an_edit_among_any_blocks_leads_to_what_a_full_parse_finds(
        blocks in proptest::collection::vec(proptest::sample::select(BLOCKS), 0..16),
        edits in any_edits(PIECES),
    ) {
        check_edits(HostKind::Markdown, &blocks.concat(), &edits);
        let crlf = blocks.concat().replace('\n', "\r\n");
        check_edits(HostKind::Markdown, &crlf, &edits);
        let cr = blocks.concat().replace('\n', "\r");
        check_edits(HostKind::Markdown, &cr, &edits);
    }

    #[test]
    fn blocks_do_not_depend_on_what_is_parsed_at_once(
        blocks in proptest::collection::vec(proptest::sample::select(BLOCKS), 0..16),
        window in 1_usize..100,
    ) {
        let text = blocks.concat();
        let found = blocks::scan_in_windows(&text, None, window);
        let expected = blocks::scan(&text);
        prop_assert_eq!(found.starts, expected.starts, "{}", text);
        prop_assert_eq!(found.code, expected.code, "{}", text);
    }

    #[test]
    fn lines_that_are_deleted_take_only_themselves_along(
        blocks in proptest::collection::vec(proptest::sample::select(CELLS), 0..4),
    ) {
        // The code is too far away to be read again.
        let text = format!("\n#\n{}\n\n{}", "Text ".repeat(200), blocks.join("\n"));
        check_deleted_lines(HostKind::Livebook, &text);
        check_deleted_lines(HostKind::Markdown, &text);
    }

    #[test]
    fn an_edit_of_a_notebook_leads_to_what_a_full_parse_finds(
        blocks in proptest::collection::vec(proptest::sample::select(CELLS), 0..16),
        edits in any_edits(PIECES_OF_CELLS),
    ) {
        let text = blocks.join("\n");
        check_edits(HostKind::Livebook, &text, &edits);
        check_edits(HostKind::Markdown, &text, &edits);
        check_edits(HostKind::Livebook, &text.replace('\n', "\r"), &edits);
        check_edits(HostKind::Livebook, &format!("---\na: b\n---\n\n{text}"), &edits);
    }
}
