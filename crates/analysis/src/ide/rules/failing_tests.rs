//! Tests of code that states that a call fails.

use proptest::prelude::*;

use crate::{
    ide::testing::{document, follow_piece_edits, found_in, piece_edits},
    model::Edition,
};
use signature_ls_source::host::HostKind;

const AGENT: &str =
    "agent = SubAgent.new(prompt: \"Count {{n}}\", signature: \"(n :int) -> {count :int}\")\n";

const NEW: &str = "SubAgent.new(prompt: \"Count {{m}}\", signature: \"(n :int) -> :int\")";

/// The diagnostics of a test with `code`.
fn found(code: &str) -> Vec<String> {
    let text = format!("test \"errors\" do\n{AGENT}{code}\nend\n");
    found_in(HostKind::Elixir, &text, Edition::V0_11)
}

#[test]
fn what_is_meant_to_fail_has_no_errors() {
    for code in [
        "assert {:error, _} = Signature.parse(\"(a :strng) -> :int\")",
        "{:error, reason} = Signature.parse(\"(a :strng) -> :int\")",
        "assert {:error, _} == Signature.parse(\"(a :strng) -> :int\")",
        "assert {:error, _} = \"(a :strng) -> :int\" |> Signature.parse()",
        "sig = \"(n :int) -> :int\"\nassert {:error, s} = SubAgent.run(\"{{n}}\", signature: sig, context: %{n: \"no\"})",
        "assert {:error, s} = SubAgent.run(\"{{n}}\", signature: \"(n :int) -> :int\", context: %{n: \"no\"})",
        "assert {:error, step} = SubAgent.run(agent, llm: llm(), context: %{n: \"no\"})",
        "assert {:error, step} = agent |> SubAgent.run(context: %{})",
        "assert :error = SubAgent.run(agent, context: %{})",
        "assert match?({:error, _}, SubAgent.run(agent, context: %{}))",
        "{:ok, step} = SubAgent.run(agent, context: %{n: 1})\nassert_raise KeyError, fn -> Map.fetch!(step.return, \"zz\") end",
        "{:ok, step} = SubAgent.run(agent, context: %{n: 1})\n{:error, _} = parse(step.return[\"zz\"])",
        "assert_raise ArgumentError, fn -> ~T\"{{#a}}\" end",
        &format!("assert_raise ArgumentError, ~r/m/, fn -> {NEW} end"),
        &format!("assert_raise(ArgumentError, fn ->\n  x = 1\n  {NEW}\nend)"),
        &format!("error = assert_raise ArgumentError, fn -> run({NEW}) end"),
    ] {
        assert_eq!(found(code), [""; 0], "{code}");
    }
}

#[test]
fn what_is_around_it_is_checked() {
    let misspelled = ["unknown-placeholder: m"];
    for code in [
        NEW.to_owned(),
        format!("assert {{:ok, _}} = {NEW}"),
        format!("assert match?({{:ok, _}}, {NEW})"),
        format!("{NEW}\nassert_raise ArgumentError, fn -> 1 end"),
        format!("assert_raise ArgumentError, fn -> 1 end\n{NEW}"),
        format!("{{:error, _}} = if x do\n  {NEW}\nend"),
        format!("f(fn -> {{:error, _}} = x\n{NEW} end)"),
    ] {
        assert_eq!(found(&code), misspelled, "{code}");
    }
}

/// The output of a session of the shell states it, in documentation and in pages.
#[test]
fn a_session_shows_what_fails() {
    let call = "Signature.parse(\"(a :strng) -> :int\")";
    let misspelled = ["unknown-type: :strng"];
    for (session, fails) in [
        (format!("iex> {call}\n{{:error, \"unknown type\"}}\n"), true),
        (format!("iex> {call}\n** (ArgumentError) no type\n"), true),
        (
            format!("iex(1)> x =\n...(1)>   {call}\n{{:error, \"a\"}}\n"),
            true,
        ),
        (
            format!("iex> 1\n1\niex> {call}\n{{:error, 1}}\niex> 2\n2\n"),
            true,
        ),
        (format!("iex> {call}\n{{:ok, 1}}\n"), false),
        (format!("iex> {call}\n"), false),
        (format!("iex> {call}\niex> 1\n{{:error, 1}}\n"), false),
        (format!("iex> {call}\n1\n{{:error, 1}}\n"), false),
    ] {
        let evidence = "PtcRunner.Signature.parse(\"() -> :int\")";
        let indented = |margin: &str, text: &str| {
            let lines = text.lines().map(|it| format!("{margin}{it}\n"));
            lines.collect::<String>()
        };
        let page = format!("```elixir\n{evidence}\n```\n\n");
        let doc = indented("      ", &session);
        for (kind, text) in [
            (
                HostKind::Markdown,
                format!("{page}```elixir\n{session}```\n"),
            ),
            (
                HostKind::Markdown,
                format!("{page}{}", indented("    ", &session)),
            ),
            (
                HostKind::Markdown,
                format!(
                    "{page}{}",
                    indented("> ", &format!("```iex\n{session}```\n"))
                ),
            ),
            (
                HostKind::Elixir,
                format!(
                    "defmodule A do\n  @doc \"\"\"\n  Text.\n\n{doc}  \"\"\"\n  def a, do: {evidence}\nend\n"
                ),
            ),
        ] {
            let expected = if fails { &[][..] } else { &misspelled };
            assert_eq!(found_in(kind, &text, Edition::V0_11), expected, "{text}");
        }
    }
}

const PIECES: &[&str] = &[
    "assert_raise ArgumentError, fn -> ",
    "assert_raise(E, fn ->\n",
    "assert {:error, _} = ",
    "{:error, _} = if x do\n",
    "SubAgent.new(prompt: \"{{m}}\", signature: \"(n :int) -> :int\")\n",
    "Signature.parse(\"(a :strng) -> :int\")\n",
    "sig = \"(a :strng) -> :int\"\nSubAgent.run(\"{{b}}\", signature: sig)\n",
    "test \"t\" do\n",
    "{:ok, s} = SubAgent.run(\"{{n}}\", signature: \"(n :int) -> {a :int}\", context: %{n: 1})\n",
    "Map.fetch!(s.return, \"b\")\n",
    " end\n",
    "end)\n",
    "x = ",
    "\n",
];

proptest! {
    #[test]
    fn an_edit_finds_what_a_fresh_document_has(
        chosen in prop::collection::vec(0..PIECES.len(), 1..12),
        edits in piece_edits(PIECES.len(), 40),
    ) {
        follow_piece_edits(HostKind::Elixir, PIECES, &chosen, edits, |_, _, _| Ok(()))?;
    }
}

/// Pieces of a long block are read alone.
#[test]
fn a_long_function_is_meant_to_fail_as_a_whole() {
    let long = format!("x = 1\n{NEW}\n").repeat(4_000);
    let text = format!("assert_raise ArgumentError, fn ->\n{long}end\n");
    assert_eq!(document(HostKind::Elixir, &text).diagnostics(), []);
}
