//! Properties of all features in agents whose signature is broken.

use proptest::{prelude::*, sample::Index};

use super::*;
use crate::ide::testing::document;
use signature_ls_source::{
    host::HostKind,
    text::{TextRange, TextSize, size},
};

const PIECES: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ", ",
    ":",
    "?",
    " -> ",
    "a",
    "b :int",
    "n",
    "*n",
    "&",
    "$",
    "**",
    "%",
    " ",
    "map{a :int}",
    ":string",
    "c {a :int, b}",
    "1",
    "String.t()",
];

const PROMPTS: &[&str] = &["Hi", "{{a}} {{m}}", "{{n}} {{c.a}}", "{{#c}}{{b}}{{/c}}"];

proptest! {
    #[test]
    fn nothing_in_a_broken_signature_fails(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 1..9),
        end in prop::sample::select(&["", ") -> :int"][..]),
        prompt in prop::sample::select(PROMPTS),
        places in prop::collection::vec(any::<Index>(), 3),
    ) {
        let signature = format!("(a :int, {}{end}", pieces.concat());
        for (kind, text) in [
            (HostKind::Elixir, format!("SubAgent.new(prompt: \"{prompt}\", signature: \"{signature}\")\n")),
            (HostKind::Prompt, format!("---\nsignature: \"{signature}\"\n---\n{prompt}\n")),
        ] {
            let document = document(kind, &text);
            let all = TextRange::up_to(TextSize::of(text.as_str()));
            document.diagnostics();
            quick_fixes(&document, all);
            fix_all(&document);
            format_signatures(&document);
            for place in &places {
                let at = size(place.index(text.len()));
                offers(&document, at);
                hover(&document, at);
                completion(&document, &[], at);
                signature_help(&document, at);
            }
        }
    }
}
