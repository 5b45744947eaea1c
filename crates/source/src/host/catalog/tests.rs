use proptest::prelude::*;

use super::{Document, in_stretches};
use crate::{
    host::{
        HostKind, PlacedUnit, is_catalog,
        test_support::{any_edits, check_edits, check_fixtures},
    },
    text::TextSize,
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

/// Standard ML, λProlog and Twelf have files of the same name, and lines like entries.
#[test]
fn files_of_other_languages_are_no_catalogs() {
    for text in [
        "signature ORDER =\nsig\n  type t\n  val compare : t * t -> order\nend (* sig *)\n",
        "signature MAP =\nsig\n  type key\nend\n\n(* finite maps *)\ntype ('k, 'a) map\n",
        "signature Stack =\nsig\ndatatype ('a,'b,'c) stack =\n  Empty\nend;\n",
        "(* Terms\nremember (in the dictionary), and export them\n*)\nsignature A = sig end\n",
        "sig hc.\nkind form type.\ntype (::) A -> list A -> list A.\ninfixr (&) 3.\n",
        "tp : type.\ntm : tp -> type.\nlam (x : tp) -> tp.\n",
        "-----BEGIN PGP SIGNATURE-----\n\niQ (a)\n",
        "untrusted comment: signature (b)\nRUQ\n",
    ] {
        assert!(!is_catalog(text), "{text}");
    }
    for text in [
        "",
        "# Tools\n",
        "search(query :string) -> [:map]\n",
        "search (query :string) -> [:map]\n",
        "search(\n  query :string\n) -> [:map]\n  Finds.\n",
        "get user(a :int) -> :int\nsearch(query :string) -> [:map]\n",
        "Here are\nthe tools.\na(x :int) -> :int\nb(x :int) -> :int\n",
        "sear\nsearch(query :string) -> [:map]\n",
        "now -> :datetime\n",
        "(a :int) -> :int\n",
    ] {
        assert!(is_catalog(text), "{text}");
    }
}

proptest! {
    #[test]
    fn stretches_have_the_units_of_the_whole(
        pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..24),
        len in 1_u32..40,
    ) {
        let text = pieces.concat();
        let mut units = Vec::new();
        in_stretches(&text, TextSize::from(len), &mut |found| {
            units.extend(found);
            Some(TextSize::from(len))
        });
        let placed = |units: Vec<PlacedUnit>| units.into_iter().map(|it| (it.start, it.unit)).collect::<Vec<_>>();
        let whole = Document::parse(&text, usize::MAX).1;
        prop_assert_eq!(placed(units), placed(whole), "{}", text);
    }

    #[test]
    fn an_edit_leads_to_what_a_full_parse_finds(
        text in proptest::sample::select(TEXTS),
        edits in any_edits(PIECES),
    ) {
        check_edits(HostKind::Catalog, text, &edits);
        check_edits(HostKind::Catalog, &text.replace('\n', "\r\n"), &edits);
    }
}
