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
