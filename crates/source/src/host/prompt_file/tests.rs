use proptest::prelude::*;

use crate::{
    host::{
        HostDocument, HostKind, Roles,
        test_support::{any_edits, check_edits, check_fixtures},
    },
    text::{Text, TextEdit},
};

#[test]
fn fixtures() {
    check_fixtures("prompt_file/test_data");
}

#[test]
fn a_closed_file_has_the_programs_of_an_open_one_and_can_be_edited() {
    let units = |document: &HostDocument| {
        let units = document.units().iter();
        let said = units.map(|it| {
            let unit = &it.unit;
            (it.start, unit.sites.clone(), unit.program().clone())
        });
        said.collect::<Vec<_>>()
    };
    let mut whole =
        "---\nsignature: \"(a :int) -> {b :int}\"\n---\n```clojure\n(return {:b data/a})\n```\n"
            .to_owned();
    let roles = Roles::default();
    for kind in [HostKind::Prompt, HostKind::Markdown] {
        let (text, mut closed) = HostDocument::parse_closed(kind, &mut whole, &roles, true);
        let text = text.unwrap_or_else(|| Text::from(&*whole));
        let open = HostDocument::parse(kind, &text, &roles);
        assert!(open.units()[0].unit.is_program());
        assert_eq!(units(&closed), units(&open));
        let mut opened = closed.opened(&text);
        let edit = TextEdit::insert(text.len(), "\n```clojure\n(return {:c 1})\n```\n");
        edit.apply(&mut whole);
        let text = Text::from(whole.as_str());
        let expected = units(&HostDocument::parse(kind, &text, &roles));
        for document in [&mut closed, &mut opened] {
            document.edit(&text, &edit);
            assert_eq!(units(document), expected);
        }
    }
}

const PIECES: &[&str] = &[
    "---",
    "---\n",
    "\n---\n",
    "...\n",
    "signature: ",
    "prompt: ",
    "tools:\n",
    "\n",
    "\r",
    "\r\n",
    "{{a}}",
    "\"",
    "😀",
    "\u{feff}",
    "```clojure\n",
    "```\n",
    "(tool/a {:b data/c})\n",
    "> ",
    "\n\n",
];

const TEXTS: &[&str] = &[
    include_str!("test_data/ok/triage.prompt"),
    include_str!("test_data/ok/crlf.prompt"),
    "---\n---",
    "Bare {{a}}\n",
    "---\nsignature: (a :int) -> :int\n---\nUse {{a}}.\n\n```clojure\n(tool/a {:b data/a})\n```\n\nMore.\n\n- x\n\n  ```clojure\n  \
     (return 1)\n  ```\n\n> ```ptc-lisp\n> (call 1)\n\nEnd.\n",
    "",
];

proptest! {
    #[test]
    fn an_edit_leads_to_what_a_full_parse_finds(
        text in proptest::sample::select(TEXTS),
        edits in any_edits(PIECES),
    ) {
        check_edits(HostKind::Prompt, text, &edits);
        check_edits(HostKind::Markdown, text, &edits);
    }
}
