use proptest::prelude::*;

use super::Json;
use crate::host::{
    HostDocument, HostKind, Notation, Roles, Site,
    test_support::{
        self, any_edits, check_edits, check_fixtures, check_ranges, check_replacements, strings,
    },
    token_tree::{MAX_DEPTH, parse},
};
use crate::{
    syntax::runs::LEVELS,
    text::{Text, TextEdit, TextSize},
};

#[test]
fn fixtures() {
    check_fixtures("json/test_data");
}

/// Compares our strings with those of tree-sitter, if that finds no error.
#[track_caller]
fn compare(text: &str) -> bool {
    let judged = test_support::judged(tree_sitter_json::LANGUAGE, text, &["string"]);
    if let Some(judged) = &judged {
        check_ranges(text, &strings(text, &parse::<Json>(text)), judged);
    }
    judged.is_some()
}

#[test]
fn fixtures_have_the_strings_that_tree_sitter_finds() {
    for text in test_support::fixtures("json/test_data/ok") {
        // The grammar has no trailing commas.
        let strict = text
            .replace(",}", " }")
            .replace(",\r\n  ]", "\r\n  ]")
            .replace(",\r\n}", "\r\n}");
        assert!(compare(&strict), "tree-sitter finds an error in {text}");
    }
}

/// A JSON value as text, with white space and comments between its tokens.
fn value() -> impl Strategy<Value = String> {
    let string =
        r#""([a-z :{}()\[\]',#*é😀/-]|\\["\\/bfnrt]|\\u(00e9|d83d\\ude00|D83D)|//|/\*){0,8}""#;
    let leaf = prop_oneof![
        3 => string,
        1 => "-?[1-9][0-9]{0,2}(\\.[0-9])?(e-?[0-9])?",
        1 => proptest::sample::select(&["true", "false", "null"][..]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(4, 32, 5, move |inner| {
        let space = proptest::sample::select(
            &["", " ", "\n  ", "\t", "\r\n", " /* \" */ ", " // \"\n"][..],
        );
        prop_oneof![
            proptest::collection::vec((space.clone(), inner.clone()), 0..5).prop_map(|items| {
                let items: Vec<_> = items
                    .iter()
                    .map(|(space, item)| format!("{space}{item}{space}"))
                    .collect();
                format!("[{}]", items.join(","))
            }),
            proptest::collection::vec((space, string, inner), 0..5).prop_map(|entries| {
                let entry = |(space, key, value): &(&str, String, String)| {
                    format!("{space}{key}{space}:{space}{value}")
                };
                let entries: Vec<_> = entries.iter().map(entry).collect();
                format!("{{{}}}", entries.join(","))
            }),
        ]
    })
}

const PIECES: &[&str] = &[
    "\"",
    "'",
    "signature: '(a :int)'",
    "prompt",
    "\\",
    "\\\n",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\n",
    " ",
    "//",
    "/*",
    "*/",
    "\"signature\": ",
    "\":int\"",
    "\"prompt\": \"{{a}}\", ",
    "\"tools\": ",
    "\"name\": \"x\"",
    "{\"signature\": \"(a :int)\"}, ",
    "😀",
    "\r\n",
];

const TEXTS: &[&str] = &[
    include_str!("test_data/ok/agents.json"),
    include_str!("test_data/ok/list.json"),
    include_str!("test_data/ok/comments.jsonc"),
    include_str!("test_data/err/stray.json"),
];

proptest! {
    #[test]
    fn generated_texts_have_the_strings_that_tree_sitter_finds(text in value()) {
        prop_assert!(compare(&text), "tree-sitter finds an error in {text}");
    }

    /// JSON5 has single quotes, and keys without quotes.
    #[test]
    fn other_quotes_lead_to_the_same_units(text in proptest::collection::vec(proptest::sample::select(PIECES), 0..20)) {
        let text = text.concat();
        let other_quotes: String = text.chars().map(other_quote).collect();
        prop_assert_eq!(found(&other_quotes), found(&text));
    }

    #[test]
    fn an_edit_leads_to_what_a_full_parse_finds(
        text in proptest::sample::select(TEXTS),
        edits in any_edits(PIECES),
    ) {
        check_edits(HostKind::Json, text, &edits);
    }
}

fn other_quote(c: char) -> char {
    match c {
        '"' => '\'',
        '\'' => '"',
        other => other,
    }
}

/// The units with their sites.
fn found(text: &str) -> Vec<(TextSize, TextSize, Vec<Site>)> {
    let units = super::units(text, Roles::default().of(Notation::Json)).into_iter();
    { units }
        .map(|it| (it.start, it.unit.len, it.unit.sites.clone()))
        .collect()
}

/// Whether a string goes on after a backslash depends on what follows the quote at the start of the next line.
#[test]
fn a_line_that_goes_on_is_read_with_what_is_behind_it() {
    let rest = "\"prompt\": \"{{a}}\", ture\": \"(a :int) -> :int\"}]\n";
    let text = format!("[{{\"signa{rest}");
    let edits = [
        ("signa", "signa\\\n"),
        ("\"prompt", "\" prompt"),
        ("\" prompt", "\"prompt"),
    ];
    check_replacements(HostKind::Json, &text, &edits);
    let text = "{\"a\": \"b\\\n\" 'x', \"signature\": \"(a :int) -> :int\"}\n";
    check_replacements(HostKind::Json, text, &[("x", "x\": "), ("x\": ", "x")]);
}

#[test]
fn keys_need_no_quotes() {
    for text in TEXTS {
        for key in ["signature", "prompt", "tools", "name", "input"] {
            let bare = text.replace(&format!("\"{key}\":"), &format!(" {key} :"));
            let sites = |text: &str| {
                { found(text).into_iter() }
                    .flat_map(|(start, _, sites)| {
                        let sites = sites.into_iter();
                        sites.map(move |it| (it.content + start, it.role, it.name))
                    })
                    .collect::<Vec<_>>()
            };
            assert_eq!(sites(&bare), sites(text), "{bare}");
        }
    }
}

#[test]
fn deep_nesting_is_cut_off() {
    for open in ["[", "{\"a\":", "{\"tools\":[", "{", "[,"] {
        let text = format!("{}{{\"prompt\": \"x\"}}", open.repeat(50_000));
        let tree = parse::<Json>(&text);
        assert!(
            test_support::depth(&tree) <= MAX_DEPTH + 1 + LEVELS,
            "{open}"
        );
        assert_eq!(tree.to_string(), text);
        let units = super::units(&text, Roles::default().of(Notation::Json));
        assert!(units.is_empty(), "{open}");
    }
}

#[test]
fn a_document_without_our_keys_has_no_tree_until_one_comes() {
    let settings = Roles::default();
    let mut text = Text::from("{\n  \"sign\": \"(a :int) -> :int\"\n}\n");
    let mut document = HostDocument::parse(HostKind::Json, &text, &settings);
    for (at, insert, count) in [(2, " ", 0), (10, "ature", 1), (10, "x", 0)] {
        let edit = TextEdit::insert(TextSize::from(at), insert);
        text.apply(&edit);
        document.edit(&text, &edit);
        assert_eq!(document.units().len(), count, "{insert}");
    }
}
