use proptest::prelude::*;

use super::{Declarations, What};
use crate::{
    host::{
        HostDocument, HostKind, Notation, Roles,
        elixir::{Document, Elixir, module},
        token_tree::{self, Element},
    },
    text::{Text, TextEdit, TextRange, TextSize, size},
};

fn piece() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "defmodule A do\n",
        "defmodule A.B do\n",
        "end\n",
        "do\n",
        "\n",
        ";",
        "  @spec f(integer(), x) :: y\n",
        "@spec ",
        "@doc \"One.\"\n",
        "@doc \"\"\"\nTwo.\n\"\"\"\n",
        "@type t :: integer()\n",
        "  def f(a, b \\\\ 1), do: a\n",
        "def f(%{a: a}) do\n",
        "defp g(x) when x > 1 do\n",
        "alias A.{B, C}\n",
        "alias __MODULE__.D, as: E\n",
        "import A\n",
        "tools: %{\"f\" => &f/1, \"g\" => {&A.g/2, \"() -> :int\"}}",
        "@tools %{f: &f/1}\n",
        "tools: @tools",
        "tools: x",
        "x = %{\"f\" => &B.f/1}\n",
        "SubAgent.new(",
        "def h do\n  a = SubAgent.new(signature: \"(x :int) -> :int\")\n  a\nend\n",
        "def h, do: SubAgent.new(prompt: \"P\", signature: @sig)\n",
        "@sig \"(x :int) -> :int\"\n",
        "def k, do: h()\n",
        "a = b\n",
        "rescue\n",
        "alias A, as: SubAgent\n",
        "fn -> ",
        "if a do\n",
        ")",
        ", ",
        "[",
        "]",
        "\"",
        "#{",
        "}",
        "->",
        "```elixir\n",
        "```\n",
    ])
}

/// Modules that name each other.
fn module() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "defmodule A do\n  alias B.C\n  def f(a), do: a\nend\n\n",
        "defmodule B do\n  alias PtcRunner.SubAgent\n  def h, do: k()\n  defmodule C do\n    @type t :: any()\n    def g, do: \
         SubAgent.new(signature: \"() -> :int\")\n  end\n  def k, do: C.new(signature: \"() -> :int\")\nend\n\n",
        "defmodule D do\n  alias __MODULE__.E\n  alias A.{B, C}\n  tools: %{f: &B.f/1, g: &E.g/1}\nend\n\n",
        "defmodule D.E do\n  alias __MODULE__\n  import A\n  @spec g(t) :: t\n  def g(x), do: x\nend\n\n",
        "alias A.B, as: SubAgent\n",
    ])
}

/// Checks the facts after edits against those of the text that they make.
fn check_edits(
    kind: HostKind,
    text: &str,
    edits: Vec<(prop::sample::Index, usize, &str)>,
) -> Result<(), TestCaseError> {
    let roles = Roles::default();
    let mut text = Text::from(text);
    let mut document = HostDocument::parse(kind, &text, &roles);
    document.facts();
    for (at, len, insert) in edits {
        let at = at.index(usize::from(text.len()) + 1);
        let end = (at + len).min(text.len().into());
        let edit = TextEdit::replace(TextRange::new(size(at), size(end)), insert);
        text.apply(&edit);
        document.edit(&text, &edit);
        let fresh = HostDocument::parse(kind, &text, &roles);
        prop_assert_eq!(
            document.facts(),
            fresh.facts(),
            "{:?}",
            text.rope().to_string()
        );
    }
    Ok(())
}

/// What a module is named, and the names in it, are read again, and not the other modules.
#[test]
fn an_edit_of_a_name_of_a_module_changes_only_what_it_means() {
    let module = |number: usize| {
        format!(
            "defmodule M{number} do\n  alias Shop.User\n  alias Shop.Part{number}\n  def f(x), do: x\nend\n\n"
        )
    };
    let whole: String = (0..20).map(module).collect();
    let roles = Roles::default();
    for (at, insert) in [
        ("M11 do", "x"),
        ("M11 do", "."),
        ("odule M11", "("),
        ("Shop.User\n  alias Shop.Part11", "x"),
        ("Shop.Part11", "{"),
        ("11\n  def f", "0"),
        ("lias Shop.Part11", " "),
    ] {
        let start = whole.find(at).expect("it has it");
        let edit = TextEdit::insert(size(start), insert);
        let mut text = Text::from(&*whole);
        let roles_in = roles.of(Notation::Elixir);
        let (mut document, units) = Document::parse(&whole, roles_in);
        document.facts();
        text.apply(&edit);
        let change = document.edit(&text, &edit, &mut units.into(), roles_in);
        assert!(change.is_some());
        assert!(document.known_facts().is_some(), "{at:?}");
        let fresh = HostDocument::parse(HostKind::Elixir, &text, &roles);
        assert_eq!(Some(document.facts()), fresh.facts(), "{at:?}");
    }
}

/// A document may have a clause or a type for each line.
#[test]
fn declarations_take_little_room() {
    assert!(size_of::<What>() <= 4 * size_of::<usize>());
    let clauses = "def f(%{a: a}) do\na\nend\ndef f(%{b: b}), do: b\n".repeat(100);
    let text = format!("defmodule A do\n{clauses}end\ndefmodule B do\n{clauses}end\n");
    let tree = token_tree::parse::<Elixir>(&text);
    let root = Element::node(&tree, TextSize::default());
    // A module, a clause with its body, and a statement.
    assert_eq!(Declarations::read_once(root).all.len(), 2 * 4);
}

/// A module may have thousands of attributes that look like signatures.
#[test]
fn an_attribute_changes_only_the_functions_that_read_it() {
    let others = "  @other \"(a :int) -> :int\"\n  def g, do: 1\n";
    let read = "  @sig \"(x :int) -> :int\"\n  def f, do: SubAgent.new(signature: @sig)\n";
    let roles = Roles::default();
    for (code, at, is_known) in [
        (others.to_owned(), others, true),
        (format!("{others}{read}"), read, true),
        (
            format!("{read}  @agent SubAgent.new(signature: @sig)\n"),
            read,
            false,
        ),
    ] {
        let whole = format!("defmodule A do\n{code}end\n");
        let mut text = Text::from(&*whole);
        let roles_in = roles.of(Notation::Elixir);
        let (mut document, units) = Document::parse(&whole, roles_in);
        document.facts();
        let start = whole.find(at).expect("it has it");
        let signature = start + at.find("int").expect("it has one");
        let edit = TextEdit::insert(size(signature), "x");
        text.apply(&edit);
        let change = document.edit(&text, &edit, &mut units.into(), roles_in);
        assert!(change.is_some());
        assert_eq!(document.known_facts().is_some(), is_known, "{whole}");
        let fresh = HostDocument::parse(HostKind::Elixir, &text, &roles);
        assert_eq!(Some(document.facts()), fresh.facts(), "{whole}");
    }
}

proptest! {
    #[test]
    fn what_is_not_read_declares_nothing(pieces in proptest::collection::vec(piece(), 0..4)) {
        let text = pieces.concat();
        prop_assert_eq!(module::facts(&text), module::read(&text));
    }

    #[test]
    fn declarations_in_pieces_are_the_same(pieces in proptest::collection::vec(piece(), 0..40), len in 1_u32..64) {
        let text = pieces.concat();
        let tree = token_tree::parse::<Elixir>(&text);
        let root = Element::node(&tree, TextSize::default());
        let in_pieces = Declarations::read_in_pieces(root, TextSize::new(len));
        prop_assert!(in_pieces.all.iter().eq(Declarations::read(root).all.iter()), "{}", text);
    }

    #[test]
    fn facts_of_a_text_that_is_not_edited_are_the_same(pieces in proptest::collection::vec(piece(), 0..40)) {
        let roles = Roles::default();
        let mut whole = pieces.concat();
        let open = HostDocument::parse(HostKind::Elixir, &Text::from(&*whole), &roles);
        let (_, mut closed) = HostDocument::parse_closed(HostKind::Elixir, &mut whole, &roles, true);
        if !closed.is_idle() {
            closed.forget_code(true, &mut whole);
            prop_assert_eq!(closed.facts(), open.facts());
        }
    }

    #[test]
    fn facts_after_edits_are_those_of_the_text(
        kind in proptest::sample::select(vec![HostKind::Elixir, HostKind::Markdown]),
        pieces in proptest::collection::vec(piece(), 0..40),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..20_usize, piece()), 1..10),
    ) {
        check_edits(kind, &pieces.concat(), edits)?;
    }

    #[test]
    fn facts_after_edits_of_modules_are_those_of_the_text(
        modules in proptest::collection::vec(module(), 1..6),
        edits in proptest::collection::vec(
            (any::<prop::sample::Index>(), 0..2_usize, proptest::sample::select(vec!["", "x", "A", ".", " ", "\n", "{", ","])),
            1..8,
        ),
    ) {
        check_edits(HostKind::Elixir, &modules.concat(), edits)?;
    }
}
