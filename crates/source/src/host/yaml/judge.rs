//! Compares our ranges of scalars with those of tree-sitter's grammar.

use std::ops::Range;

use proptest::prelude::*;

use super::{Node, NodeKind, read};
use crate::{
    host::test_support::{self, check_ranges, fixtures},
    order,
};

/// The literals of a text in the eyes of tree-sitter, without white space at the end; `None` where it
/// finds an error.
fn judged(text: &str) -> Option<Vec<Range<usize>>> {
    let kinds = [
        "plain_scalar",
        "single_quote_scalar",
        "double_quote_scalar",
        "block_scalar",
    ];
    let found = test_support::judged(tree_sitter_yaml::LANGUAGE, text, &kinds)?;
    let trimmed = found
        .into_iter()
        .map(|range| range.start..range.start + text[range].trim_end().len());
    Some(trimmed.collect())
}

/// Our literals of keys and values, without white space at the end.
fn ours(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let roots = read(text).roots;
    let mut open: Vec<&Node> = roots.iter().collect();
    while let Some(node) = open.pop() {
        match &node.kind {
            NodeKind::Scalar(scalar) => found.push(scalar.literal),
            NodeKind::Sequence(items) => open.extend(items),
            NodeKind::Mapping(entries) => {
                for entry in entries {
                    if !entry.key(text).is_empty() {
                        found.push(entry.key_range);
                    }
                    open.push(&entry.value);
                }
            }
            NodeKind::Other => {}
        }
    }
    order::by_start(&mut found, |range| range.start());
    let trimmed = found.into_iter().map(|range| {
        let start = usize::from(range.start());
        start..start + text[range].trim_end().len()
    });
    trimmed.collect()
}

#[track_caller]
fn compare(text: &str) -> bool {
    let judged = judged(text);
    if let Some(judged) = &judged {
        check_ranges(text, &ours(text), judged);
    }
    judged.is_some()
}

#[test]
fn fixtures_have_the_literals_that_tree_sitter_finds() {
    for text in fixtures("yaml/test_data/ok") {
        assert!(compare(&text), "tree-sitter finds an error in {text}");
    }
}

/// A scalar in any style.
fn scalar() -> impl Strategy<Value = Scalar> {
    let line = "[a-z(😀][a-z:0-9😀>(){}|-]{0,6}( [a-z😀]{1,4}){0,2}";
    let header = "[|>]([+-]?2?|2[+-])( # it's \"x\")?";
    // A line of a block may be empty or indented more than the others.
    let block_line = prop_oneof![4 => line, 1 => "  ?[#'\"a-z: -]{1,6}[a-z]", 1 => ""];
    prop_oneof![
        line.prop_map(Scalar::Plain),
        "([a-z \\\\\"{}#:|😀]|''){0,8}".prop_map(Scalar::Single),
        r#"([a-z '{}#:|😀]|\\["\\nt/ ]|\\x41|\\u00e9|\\U0001F600){0,8}"#.prop_map(Scalar::Double),
        (header, line, proptest::collection::vec(block_line, 0..4))
            .prop_map(|(header, first, lines)| Scalar::Block(header, first, lines)),
        (line, line).prop_map(|(first, second)| Scalar::Folded(first, second)),
    ]
}

#[derive(Debug, Clone)]
enum Scalar {
    Plain(String),
    Single(String),
    Double(String),
    Folded(String, String),
    Block(String, String, Vec<String>),
}

#[derive(Debug, Clone)]
enum Value {
    Empty,
    Alias,
    Scalar(Scalar),
    /// A value after an anchor or a tag.
    Marked(&'static str, Box<Value>),
    Mapping(Vec<(String, Value)>),
    Sequence(Vec<Value>),
    Flow(String),
}

/// A flow collection, on one line.
fn flow() -> impl Strategy<Value = String> {
    let leaf =
        "[a-z]{1,5}|'([a-z ,\\[{]|''){0,3}'|\"([a-z:}]|\\\\\"){0,3}\"|&f '[a-z]'|!!str [a-z]|\\*g";
    leaf.prop_recursive(2, 8, 3, |inner| {
        let items = proptest::collection::vec(inner, 0..4);
        prop_oneof![
            items
                .clone()
                .prop_map(|items| format!("[{}]", items.join(", "))),
            items.prop_map(|items| {
                let keys = ["a", "'b'", "\"c\"", "d"];
                let entries: Vec<_> = keys
                    .iter()
                    .zip(&items)
                    .map(|(key, item)| format!("{key}: {item}"))
                    .collect();
                format!("{{{} }}", entries.join(" , "))
            }),
        ]
    })
    .prop_map(|inner| format!("[{inner}]"))
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        6 => scalar().prop_map(Value::Scalar),
        1 => flow().prop_map(Value::Flow),
        1 => Just(Value::Empty),
        1 => Just(Value::Alias),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        let mark = proptest::sample::select(&["&x", "!t", "!!map &y", "&z !<tag:a,b>"][..]);
        prop_oneof![
            3 => proptest::collection::vec(
                ("[a-zü]{1,5}|'([a-z ]|''){1,4}'|\"([a-z:]|\\\\\"){1,4}\"|[a-z] [a-z]", inner.clone()),
                1..4
            )
            .prop_map(Value::Mapping),
            3 => proptest::collection::vec(inner.clone(), 1..4).prop_map(Value::Sequence),
            1 => (mark, inner).prop_map(|(mark, value)| match value {
                Value::Alias | Value::Marked(..) => value,
                value => Value::Marked(mark, Box::new(value)),
            }),
        ]
    })
}

/// Writes the value of a key or item that is at `indent`.
fn write(out: &mut String, value: &Value, indent: usize, line_break: &str) {
    let margin = " ".repeat(indent + 2);
    match value {
        Value::Empty => *out += line_break,
        Value::Alias => *out += &format!(" *x # note{line_break}"),
        Value::Marked(mark, value) => {
            *out += &format!(" {mark}");
            write(out, value, indent, line_break);
        }
        Value::Scalar(Scalar::Plain(text)) => *out += &format!(" {text} # note{line_break}"),
        Value::Scalar(Scalar::Single(text)) => *out += &format!(" '{text}'{line_break}"),
        Value::Scalar(Scalar::Double(text)) => {
            *out += &format!(" \"{text}\\n{line_break}{margin}{text}\"{line_break}");
        }
        Value::Scalar(Scalar::Folded(first, second)) => {
            *out += &format!(" {first}{line_break}{margin}{second}{line_break}");
        }
        Value::Scalar(Scalar::Block(header, first, lines)) => {
            *out += &format!(" {header}{line_break}");
            for line in std::iter::once(first).chain(lines) {
                let margin = if line.is_empty() { "" } else { &margin };
                *out += &format!("{margin}{line}{line_break}");
            }
        }
        Value::Flow(text) => *out += &format!(" {text}{line_break}"),
        Value::Mapping(entries) => {
            *out += line_break;
            for (key, value) in entries {
                *out += &format!("{margin}{key}:");
                write(out, value, indent + 2, line_break);
            }
        }
        Value::Sequence(items) => {
            *out += line_break;
            for item in items {
                *out += &format!("{margin}-");
                write(out, item, indent + 2, line_break);
            }
        }
    }
}

proptest! {
    #[test]
    fn generated_texts_have_the_literals_that_tree_sitter_finds(
        values in proptest::collection::vec(value(), 1..3),
        line_break in proptest::sample::select(&["\n", "\r\n"][..]),
        between in proptest::sample::select(&["---", "--- # it's\n\n# \"two\"", "...\n%YAML 1.2\n---"][..]),
    ) {
        let documents = values.iter().map(|value| {
            let mut text = format!("base: [&x 1, &g 2]{line_break}top:");
            write(&mut text, value, 0, line_break);
            text
        });
        let between = format!("{between}\n").replace('\n', line_break);
        let text = documents.collect::<Vec<_>>().join(&between);
        prop_assume!(compare(&text), "tree-sitter finds an error");
    }
}
