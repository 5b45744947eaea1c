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
];

proptest! {
    #[test]
    fn an_edit_leads_to_what_a_full_parse_finds(edits in any_edits(PIECES)) {
        let triage = include_str!("test_data/ok/triage.prompt");
        check_edits(HostKind::Prompt, triage, &edits);
        check_edits(HostKind::Markdown, triage, &edits);
        for text in [include_str!("test_data/ok/crlf.prompt"), "---\n---", "Bare {{a}}\n", ""] {
            check_edits(HostKind::Prompt, text, &edits);
        }
    }
}
