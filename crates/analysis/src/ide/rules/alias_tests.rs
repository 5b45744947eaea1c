//! Agents in YAML whose signature is that of an alias or of a merge key.

use proptest::prelude::*;

use crate::ide::{
    Document, Refusal, Settings, completion, definitions, hover, rename,
    testing::{follow_piece_edits, located, marked, piece_edits},
};
use signature_ls_source::host::HostKind;

/// Agents whose prompts ask for what the signature under the anchor declares, and for something else.
const AGENTS: [&str; 4] = [
    "a:\n  signature: &s \"(topic :string, n :int) -> :any\"\nb:\n  signature: *s\n  prompt: \"{{$0topic}} {{nope}}\"\n",
    "- &base\n  signature: (topic :string, n :int) -> :any\n- prompt: \"{{$0topic}} {{nope}}\"\n  <<: *base\n",
    "base: &base\n  signature: '(topic :string, n :int) -> :any'\n  x: 1\nb: {<<: [*base], prompt: '{{$0topic}} {{nope}}'}\n",
    "base: &base\n  signature: |\n    (topic :string, n :int) -> :any\n<<: *base\nprompt: \"{{$0topic}} {{nope}}\"\n",
];

#[test]
fn a_prompt_has_the_signature_that_its_alias_stands_for() {
    for text in AGENTS {
        let (document, offset) = marked(HostKind::Yaml, text);
        let found = document.diagnostics();
        let codes: Vec<_> = found.iter().map(|it| it.rule.code).collect();
        assert_eq!(codes, ["unknown-placeholder"], "{text}");
        let hover = hover(&document, offset).map(|it| it.markdown);
        assert!(
            hover.is_some_and(|it| it.contains("topic :string")),
            "{text}"
        );
        let targets = definitions(&document, offset).into_iter();
        let targets: Vec<_> = targets.map(|it| located(&document, it.target)).collect();
        let line = text
            .lines()
            .position(|it| it.contains("topic :"))
            .expect("a line")
            + 1;
        assert!(
            matches!(&targets[..], [it] if it.starts_with(&format!("{line}:"))),
            "{targets:?} in {text}"
        );
        let offered = completion(&document, &[], offset).expect("completions");
        let labels: Vec<_> = offered.items.iter().map(|it| it.label.as_str()).collect();
        assert!(labels.starts_with(&["topic", "n"]), "{labels:?} in {text}");
    }
}

#[test]
fn a_name_that_an_anchor_gives_to_others_is_not_renamed() {
    let listed = "x:\n- &s \"(topic :string, n :int) -> :any\"\nb:\n  signature: *s\n  prompt: \"{{$0topic}}\"\n";
    for text in AGENTS.into_iter().chain([listed]) {
        let (document, offset) = marked(HostKind::Yaml, text);
        let Err(Refusal(reason)) = rename(&document, offset, "other") else {
            panic!("{text}");
        };
        assert!(
            reason.starts_with("Cannot see all uses: "),
            "{reason} in {text}"
        );
    }
}

#[test]
fn an_own_signature_and_an_ambiguous_anchor_come_first() {
    for text in [
        "a: &a\n  signature: (x :int) -> :any\nb:\n  <<: *a\n  signature: (topic :int) -> :any\n  prompt: \"{{topic}}\"\n",
        "a:\n  signature: &s (x :int) -> :any\nc:\n  signature: &s (y :int) -> :any\nb:\n  signature: *s\n  prompt: \"{{topic}}\"\n",
        "b:\n  signature: *s\n  prompt: \"{{topic}}\"\na:\n  signature: &s (x :int) -> :any\n",
    ] {
        let document = Document::new(HostKind::Yaml, text, Settings::default());
        assert!(document.diagnostics().is_empty(), "{text}");
    }
}

const PIECES: [&str; 14] = [
    "a:\n  signature: &s \"(topic :string) -> :any\"\n",
    "base: &b\n  signature: (topic :int, user {name :string}) -> :any\n  prompt: \"{{topic}}\"\n",
    "c:\n  signature: *s\n  prompt: \"{{topic}} {{nope}}\"\n",
    "d:\n  <<: *b\n  prompt: \"{{user.name}}\"\n  input: {topic: x}\n",
    "list:\n- &b\n  signature: (x :int) -> :any\n- <<: *b\n  prompt: '{{x}}'\n",
    "signature: *s\nprompt: \"{{topic}}\"\n",
    "<<: *b\n",
    "---\n",
    "&s ",
    "*b",
    "\"",
    "x: 1\n",
    "# c\n",
    "\n",
];

proptest! {
    #[test]
    fn an_edit_finds_what_a_fresh_document_has(
        chosen in prop::collection::vec(0..PIECES.len(), 1..10),
        edits in piece_edits(PIECES.len(), 60),
    ) {
        follow_piece_edits(HostKind::Yaml, &PIECES, &chosen, edits, |document, fresh, text| {
            let origins = |it: &Document| {
                let units = it.host().units().iter();
                units.map(|it| (it.start, it.origins().collect::<Vec<_>>(), it.unit.flow.clone())).collect::<Vec<_>>()
            };
            prop_assert_eq!(origins(document), origins(fresh), "{}", text);
            Ok(())
        })?;
    }
}
