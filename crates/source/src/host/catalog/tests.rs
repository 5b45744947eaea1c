use proptest::prelude::*;

use crate::host::{
    HostKind,
    test_support::{any_edits, check_edits, check_fixtures},
};

#[test]
fn fixtures() {
    check_fixtures("catalog/test_data");
}

const PIECES: &[&str] = &[
    "tool_9(a :int) -> :int\n",
    "\nb(y :string,\n  z :int?) -> [{id :int}]\n",
    "search(",
    "(",
    ")",
    " -> ",
    ":int",
    "name",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "  ",
    "\t",
    "# ",
    " ; x",
    "  More of it.\n",
    "😀",
    "\u{feff}",
];

const TEXTS: &[&str] = &[
    include_str!("test_data/ok/tools.sig"),
    include_str!("test_data/ok/lines.sig"),
    include_str!("test_data/err/typing.sig"),
    include_str!("test_data/fuzz/prose.sig"),
    "",
];

proptest! {
    #[test]
    fn an_edit_leads_to_what_a_full_parse_finds(
        text in proptest::sample::select(TEXTS),
        edits in any_edits(PIECES),
    ) {
        check_edits(HostKind::Catalog, text, &edits);
        check_edits(HostKind::Catalog, &text.replace('\n', "\r\n"), &edits);
    }
}
