use proptest::prelude::*;

use super::*;
use crate::{
    ide::hover,
    text::{TextRange, size},
};

/// Pieces of every host, right and wrong.
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
        "~S(",
        "search(query :string) -> :strng\n",
        "get(id :int) ->\n  :map\n",
    ])
}

fn kinds() -> impl Strategy<Value = HostKind> {
    proptest::sample::select(HostKind::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// A document that followed edits finds what a document that was just opened finds.
    #[test]
    fn edits_find_what_reading_finds(
        kind in kinds(),
        pieces in proptest::collection::vec(piece(), 0..40),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..5_usize, piece()), 1..6),
    ) {
        let mut text = pieces.concat();
        let mut document = Document::new(kind, &text, Settings::default());
        for (at, len, insert) in edits {
            let boundaries: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let start = at.index(boundaries.len());
            let end = (start + len).min(boundaries.len() - 1);
            let edit = TextEdit::replace(TextRange::new(size(boundaries[start]), size(boundaries[end])), insert);
            let before = text.clone();
            edit.apply(&mut text);
            document.edit(&edit);
            let fresh = Document::new(kind, &text, Settings::default());
            prop_assert_eq!(document.diagnostics(), fresh.diagnostics(), "{:?}\n{:?}\nbecame\n{:?}", kind, before, text);
            let offset = size(boundaries[start].min(text.len()));
            prop_assert_eq!(hover(&document, offset), hover(&fresh, offset));
        }
    }
}
