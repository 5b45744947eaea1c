//! Compares our ranges of strings, characters and comments with those of tree-sitter.

use std::{fs, ops::Range, path::Path};

use proptest::prelude::*;
use rowan::WalkEvent;

use super::Elixir;
use crate::host::token_tree::{Kind, SyntaxElement, SyntaxNode, parse};

/// What both parsers distinguish, and its place.
type Found = (&'static str, Range<usize>);

/// The result of tree-sitter; `None` if it finds an error.
fn judged(text: &str) -> Option<Vec<Found>> {
    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(&tree_sitter_elixir::LANGUAGE.into())
        .expect("the grammar fits");
    let tree = parser.parse(text, None)?;
    if tree.root_node().has_error() {
        return None;
    }
    let mut found = Vec::new();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        let names = [
            "string",
            "charlist",
            "sigil",
            "quoted_atom",
            "quoted_keyword",
            "interpolation",
            "char",
            "comment",
        ];
        if let Some(name) = names.iter().find(|name| **name == node.kind()) {
            found.push((*name, trimmed(text, node.byte_range())));
        }
        let mut cursor = node.walk();
        open.extend(node.children(&mut cursor));
    }
    Some(sorted(found))
}

fn ours(text: &str) -> Vec<Found> {
    let root = SyntaxNode::new_root(parse::<Elixir>(text));
    let mut found = Vec::new();
    for event in root.preorder_with_tokens() {
        let WalkEvent::Enter(element) = event else {
            continue;
        };
        if let Some(name) = name(&element) {
            found.push((name, trimmed(text, element.text_range().into())));
        }
    }
    sorted(found)
}

fn name(element: &SyntaxElement) -> Option<&'static str> {
    match element.kind() {
        Kind::String | Kind::Heredoc => Some("string"),
        Kind::Charlist | Kind::CharlistHeredoc => Some("charlist"),
        Kind::Sigil | Kind::SigilHeredoc => Some("sigil"),
        Kind::QuotedAtom => Some("quoted_atom"),
        Kind::QuotedKey => Some("quoted_keyword"),
        Kind::Interpolation => Some("interpolation"),
        Kind::Char => Some("char"),
        Kind::Comment => Some("comment"),
        _ => None,
    }
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let len = text[range.clone()].trim_end().len();
    range.start..range.start + len
}

fn sorted(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by_key(|(name, range)| (range.start, range.end, *name));
    found
}

/// Compares both; `false` if tree-sitter finds an error.
#[track_caller]
fn compare(text: &str) -> bool {
    let Some(judged) = judged(text) else {
        return false;
    };
    let shown = |found: &[Found]| -> Vec<String> {
        let lines = found
            .iter()
            .map(|(name, range)| format!("{name} {range:?} {}", &text[range.clone()]));
        lines.collect()
    };
    assert_eq!(shown(&ours(text)), shown(&judged), "in {text:?}");
    true
}

#[test]
fn fixtures_have_the_strings_that_tree_sitter_finds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/host/elixir/test_data/ok");
    let mut compared = 0;
    for entry in fs::read_dir(folder).expect("the folder of fixtures is there") {
        let path = entry.expect("a folder can be read").path();
        if path.extension().is_some_and(|it| it != "sites") {
            let text = fs::read_to_string(&path).expect("a fixture is UTF-8");
            assert!(compare(&text), "an error in {}", path.display());
            compared += 1;
        }
    }
    assert!(compared > 0);
}

/// A string of any kind, with escapes and interpolations in it where it may have them.
fn string() -> impl Strategy<Value = String> {
    let leaf = proptest::sample::select(
        &[
            "a",
            "\"b\"",
            "~S(#{x)",
            "?\"",
            "?\\\\",
            "?}",
            "%{k: 1}",
            ":ok",
            "'c'",
            "{}",
            "~w[d e]a",
            "fn -> \"f\" end",
            "%{\"g}\" => ~s{h}}",
            "&\"#{&1}\"",
            "\"\"\"\n  i\n  \"\"\"",
        ][..],
    )
    .prop_map(str::to_owned);
    leaf.prop_recursive(3, 24, 4, |inner| {
        let part = prop_oneof![
            4 => "[a-z 😀é:;,.#?!=+*@^&%$_-]{1,4}",
            1 => proptest::sample::select(&[
                "\\n", "\\\\", "\\#{", "\\\"", "\\'", "\\)", "\\/", "\\x41", "\\u{1F600}", "\\\n", "\\]", "\\}",
                "\\>", "\\|",
            ][..])
                .prop_map(str::to_owned),
            1 => inner.prop_map(|inner| format!("#{{f({inner})}}")),
        ];
        let body = prop::collection::vec(part, 0..4).prop_map(|parts| parts.concat());
        let raw = "[a-z 😀:#{?=_-]{0,8}";
        prop_oneof![
            body.clone().prop_map(|body| format!("\"{body}\"")),
            body.clone().prop_map(|body| format!("'{body}'")),
            body.clone().prop_map(|body| format!(":\"{body}\"")),
            body.clone().prop_map(|body| format!("[\"{body}\": 1]")),
            body.clone().prop_map(|body| format!("~s({body})")),
            body.clone().prop_map(|body| format!("~x/{body}/abc")),
            body.clone().prop_map(|body| format!("~s|{body}|")),
            body.clone().prop_map(|body| format!("~r[{body}]iu")),
            // In tree-sitter, the brace of `\u{…}` does not close a sigil in braces; in Elixir it does.
            body.clone()
                .prop_map(|body| format!("~c{{{}}}", body.replace("\\u{1F600}", ""))),
            body.clone().prop_map(|body| format!("~T<{}>", body.replace(['>', '\\'], ""))),
            body.clone().prop_map(|body| format!("~T\"{}\"", body.replace(['"', '\\'], ""))),
            body.clone().prop_map(|body| format!("~s'{body}'")),
            body.clone()
                .prop_map(|body| format!("\"\"\"\n  {body}\n  \"\"\"")),
            body.clone().prop_map(|body| format!("'''\n{body}\n'''")),
            body.prop_map(|body| format!("~s\"\"\"\n  {body}\n\n  \"\"\"")),
            raw.prop_map(|raw| format!("~S[{raw}]")),
            raw.prop_map(|raw| format!("~MD<{raw}>x")),
            raw.prop_map(|raw| format!("~S'''\n  {raw} \"\n  '''")),
        ]
    })
}

/// A line or two of code with strings in it.
fn line() -> impl Strategy<Value = String> {
    let string = string();
    (string, 0..11_u8).prop_map(|(string, form)| match form {
        0 => format!("f(1, key: {string}) # it's \"x\" #{{ '''\r\n"),
        1 => format!("x = {string}\n"),
        2 => format!("f({string}, [?', ?\\\\, ?#, {string}])\n\n"),
        3 => format!("if a do\n  {string}\nend\n"),
        4 => format!("g(fn x -> {string} end, %{{\"k\" => {string}}})\n"),
        5 => format!("@a {string}\n"),
        6 => format!("{string}\n|> f(x.end, do: 1)\n"),
        7 => format!("{{{string}, <<1, {string}>>}}\n"),
        8 => {
            format!("@doc ~S\"\"\"\n  \\ 😀 \\\" #{{ '''\n\"\"\"\ndef f(a \\\\ {string}), do: a\n")
        }
        9 => format!("x = ?a + ?\\s\r\n{string} <> {string}\r\n"),
        _ => format!("case {string} do\n\t{string} -> :\"a b\"\n\t_ -> [{string} | []]\nend\n"),
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 600,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]
    #[test]
    fn code_has_the_strings_that_tree_sitter_finds(
        lines in prop::collection::vec(line(), 1..6),
    ) {
        let text = lines.concat();
        prop_assert!(compare(&text), "tree-sitter finds an error in {text}");
    }
}
