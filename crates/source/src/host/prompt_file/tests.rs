use proptest::prelude::*;

use crate::host::{
    HostKind,
    test_support::{any_edits, check_edits, check_fixtures},
};

#[test]
fn fixtures() {
    check_fixtures("prompt_file/test_data");
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
