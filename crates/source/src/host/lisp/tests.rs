use std::sync::Arc;

use proptest::prelude::*;

use super::{Lisp, find, forms::Items, root};
use crate::{
    host::{
        HostKind, Notation, Roles,
        test_support::{self, any_edits, check_edits, check_fixtures, check_ranges, strings},
        token_tree::{MAX_DEPTH, parse, reparse},
    },
    syntax::runs::LEVELS,
    text::{TextEdit, size},
};

#[test]
fn fixtures() {
    check_fixtures("lisp/test_data");
}

#[test]
fn the_units_of_a_stretch_are_those_of_the_whole() {
    let text = "(tool/a {:b 1}) ^{:c (tool/d {:e 1})} (tool/f {:g 1})\n".repeat(3_000);
    let tree = parse::<Lisp>(&text);
    let items = || Items::new(root(&tree).elements());
    let roles = Roles::default();
    let roles = roles.of(Notation::Lisp);
    let mut units = Vec::new();
    find::find_each(items(), roles, 0, &mut |found, _| {
        units.extend(found.into_iter().map(|it| (it.start, it.unit)));
        true
    });
    let whole = find::find(items(), roles).into_iter();
    assert!(whole.map(|it| (it.start, it.unit)).eq(units));
}

/// Compares our strings with those of tree-sitter, if that finds no error.
#[track_caller]
fn compare(text: &str) -> bool {
    let kinds = ["str_lit", "regex_lit"];
    let judged = test_support::judged(tree_sitter_clojure_orchard::LANGUAGE, text, &kinds);
    if let Some(judged) = &judged {
        check_ranges(text, &strings(text, &parse::<Lisp>(text)), judged);
    }
    judged.is_some()
}

#[test]
fn fixtures_have_the_strings_that_tree_sitter_finds() {
    for text in test_support::fixtures("lisp/test_data/ok") {
        assert!(compare(&text), "tree-sitter finds an error in {text}");
    }
}

/// Whether the first quote of `leaf` reads as one that was meant to close a string: only closing brackets follow it on
/// its line, or a line that begins with a keyword.
fn begins_with_an_end(leaf: &str) -> bool {
    let lines = leaf.split_once('"').and_then(|(_, it)| it.split_once('\n'));
    lines.is_some_and(|(first, next)| {
        let is_end = first.chars().all(|c| ")]}, \t\r".contains(c));
        is_end && (first.contains([')', ']', '}']) || next.trim_start().starts_with(':'))
    })
}

/// A form as text, with white space, comments and prefixes between its tokens.
fn form() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => r#""([a-z :{}();,#😀\n\r\t/'-]|\\["\\nt]|\\u00e9|\\o101){0,8}""#,
        1 => r##"#"([a-z ();#😀\n]|\\["\\dQE]){0,6}""##,
        1 => r#"\\(a|newline|tab|space|u00e9|o101|"|\(|\]|\}|;|#|\\|😀|,|é)"#,
        1 => "[a-z][a-z*!?'#.-]{0,3}(/[a-z])?|::?[a-z]{1,3}(/[a-z])?|-?[0-9]{1,2}(/[1-9])?|nil|##Inf|0x1F|1e3M",
    ];
    let leaf = leaf.prop_filter("it reads as the end of a string", |it| {
        !begins_with_an_end(it)
    });
    leaf.prop_recursive(4, 32, 5, |inner| {
        let space = [
            "",
            " ",
            ", ",
            "\n  ",
            "\r\n",
            " ; \"\n",
            " #_ x ",
            " #_\"(\" ",
            " #_ #_ \"a\" [\"b\" ; )\n] ",
            " #! \" \n",
            ";; \\\" #_\n",
            "\t",
        ];
        let space = proptest::sample::select(space.to_vec());
        let prefix = proptest::sample::select(
            [
                "",
                "'",
                "`",
                "~",
                "@",
                "^:m x ",
                "~@",
                "#inst ",
                "#my/tag ^:a ",
                "#'x ",
                "^\"[B\" ",
                "^{:a \"b\"} [] ",
                "#^{\"c\" \\\"} [] ",
            ]
            .to_vec(),
        );
        let brackets = proptest::sample::select(
            [
                ("(", ")"),
                ("[", "]"),
                ("{", "}"),
                ("#{", "}"),
                ("#(", ")"),
                ("#:a{", "}"),
                ("#?(:clj ", ")"),
                ("[#?@(:cljs ", ")]"),
            ]
            .to_vec(),
        );
        let items = proptest::collection::vec((space, prefix, inner), 0..5);
        (brackets, items).prop_map(|((open, close), items)| {
            let items: Vec<_> = items
                .iter()
                .map(|(space, prefix, form)| format!("{space} {prefix}{form}"))
                .collect();
            format!("{open}{}{close}", items.concat())
        })
    })
}

const PIECES: &[&str] = &[
    "\"",
    "\\",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "#_",
    "^",
    "'",
    ";",
    "\n",
    "\n\n",
    " ",
    "#",
    ":signature ",
    "\":int\"",
    ":prompt",
    "(tool/f {:a 1})",
    "data/x ",
    "(return 1)",
    "(defn f {:signature \":int\"} [x] x)",
    "#_ #_",
    "😀",
    "\r\n",
    "#\"",
    ",",
];

const TEXTS: &[&str] = &[
    include_str!("test_data/ok/agents.clj"),
    include_str!("test_data/ok/calls.ptc"),
    include_str!("test_data/ok/data.edn"),
    include_str!("test_data/err/typing.clj"),
    include_str!("test_data/fuzz/prefixes.clj"),
];

const ITEMS: &[&str] = &[
    "{:signature \"(a :int)\" :prompt \"{{a}}\"}\n",
    "{:name \"x\" :tools [{:name \"t\" :signature \":int\"}]}\n",
    "[1 2]\n",
    "'",
    "#:a",
    "#{1}",
    "x ",
    "(a b) ",
    "\n",
];

const ENTRIES: &[&str] = &[
    ":a {:signature \"(a :int)\" :prompt \"{{a}}\"}\n",
    ":b\n {:name \"x\" :tools {:t {:signature \":int\"}}}\n",
    ":c {:tools [{:name \"t\" :signature \":int\"}] :prompt \"{{b}}\"} ; note\n",
    "\"d\" {:signature \"(d :int)\"}\n",
    ":tools {:t {:signature \":int\"} :u \"(u :int) -> :int\"}\n",
    ":keys {:signature \"(a :int)\"} ",
    "#:a{:signature \":int\"} ",
    ":prompt ",
    "'",
    "x ",
    "\n",
];

const FORMS: &[&str] = &[
    "(defn f {:signature \":int\"} [x] (tool/g x))\n",
    "{:signature \"(a :int)\"}\n",
    "data/x\n",
    "#_",
    "#_ #_ ",
    "^{:signature \":any\"} ",
    "'",
    "^:m x ",
    "(return 1)\n",
    "(def a (tool/g x))\n",
    "(def b (inc a))\n",
    "(def a 1)\n",
    "(inc b)\n",
    "(str a (f b))\n",
    "\n",
    "\n\n",
    "; note\n",
    "\"a\" ",
];

/// An opening bracket that is typed before or after an entry of a map in a vector, or between the maps, takes at most its
/// own map and the next one into itself.
#[test]
fn a_bracket_out_of_place_ends_where_the_next_item_begins() {
    let item = |it: usize| {
        format!(
            "  {{:name \"a{it}\"\n   :signature \"(a :int) -> :int\"\n   :tags [:b]\n   :retries 3\n   :last true}}\n\n"
        )
    };
    let all: String = (0..400).map(item).collect();
    let before = format!("{{:agents [\n{all}]}}\n");
    let tree = parse::<Lisp>(&before);
    let middle = before.find("  {:name \"a50\"").expect("an item");
    let end = middle + item(50).len();
    // There, what follows does not show that the bracket is out of place.
    let is_left_out = |at: usize, bracket| {
        let rest = &before[at..];
        rest.starts_with(" :last") || bracket == "{" && rest.starts_with(" :signature")
    };
    for at in middle + 1..end {
        for bracket in ["(", "[", "{"] {
            if is_left_out(at, bracket) {
                continue;
            }
            let edit = TextEdit::insert(size(at), bracket);
            let reparsed = reparse::<Lisp>(&tree, &edit).map(|it| u32::from(it.range.len()));
            let is_short = reparsed.is_some_and(|len| len < 4096);
            assert!(is_short, "{bracket} at {at}: {reparsed:?}");
        }
    }
}

proptest! {
    #[test]
    fn generated_texts_have_the_strings_that_tree_sitter_finds(
        forms in proptest::collection::vec(form(), 1..4),
        between in proptest::sample::select(&["\n", "\r\n\r\n", " ; \"\n", "\n#_"][..]),
    ) {
        let text = forms.join(between);
        prop_assume!(compare(&text), "tree-sitter finds an error");
    }

    #[test]
    fn an_edit_leads_to_what_a_full_parse_finds(
        text in proptest::sample::select(TEXTS),
        edits in any_edits(PIECES),
    ) {
        check_edits(HostKind::Lisp, text, &edits);
    }

    #[test]
    fn an_edit_of_data_leads_to_what_a_full_parse_finds(
        head in proptest::sample::select(&["[", "{:agents [", "(def agents [", "{:tools ["][..]),
        items in proptest::collection::vec(proptest::sample::select(ITEMS), 0..20),
        edits in any_edits(PIECES),
    ) {
        check_edits(HostKind::Lisp, &[head, &items.concat(), "]})\n"].concat(), &edits);
    }

    #[test]
    fn an_edit_of_a_map_of_data_leads_to_what_a_full_parse_finds(
        head in proptest::sample::select(&["{", "{:agents {", "(def agents {", "{:tools {", "[{"][..]),
        items in proptest::collection::vec(proptest::sample::select(ENTRIES), 0..20),
        edits in any_edits(PIECES),
    ) {
        check_edits(HostKind::Lisp, &[head, &items.concat(), "}})\n"].concat(), &edits);
    }

    #[test]
    fn an_edit_among_any_forms_leads_to_what_a_full_parse_finds(
        forms in proptest::collection::vec(proptest::sample::select(FORMS), 0..20),
        edits in any_edits(PIECES),
    ) {
        check_edits(HostKind::Lisp, &forms.concat(), &edits);
    }
}

#[test]
fn deep_nesting_is_cut_off() {
    for open in ["(", "[", "{:tools ", "#_", "^", "(-> "] {
        let text = format!("{}{{:prompt \"x\"}}", open.repeat(50_000));
        let tree = parse::<Lisp>(&text);
        assert!(
            test_support::depth(&tree) <= MAX_DEPTH + 1 + LEVELS,
            "{open}"
        );
        assert_eq!(tree.to_string(), text);
        let units = super::units(&text, Roles::default().of(Notation::Lisp));
        assert!(units.is_empty(), "{open}");
    }
}

/// A text of one form a hundred thousand times has as many units.
#[test]
fn equal_forms_one_after_another_have_one_unit() {
    let text = "(tool/a {:b 1})\n(tool/a {:b 1})\n(tool/a {:b 1})\n(tool/a {:b 2})\n";
    let units = super::units(text, Roles::default().of(Notation::Lisp));
    let starts: Vec<u32> = units.iter().map(|it| it.start.into()).collect();
    assert_eq!(starts, [0, 16, 32, 48]);
    let is_first = |index: usize| Arc::ptr_eq(&units[0].unit, &units[index].unit);
    assert!(is_first(1) && is_first(2) && !is_first(3));
}
