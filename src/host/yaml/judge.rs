//! Our places of scalars against those of tree-sitter's grammar.

use std::ops::Range;

use proptest::prelude::*;

use super::{Node, NodeKind, read};
use crate::host::test_support::{self, check_ranges, fixtures};

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
            NodeKind::Scalar(scalar) => found.push(scalar.literal.literal),
            NodeKind::Sequence(items) => open.extend(items),
            NodeKind::Mapping(entries) => {
                for entry in entries {
                    if !entry.key.is_empty() {
                        found.push(entry.key_range);
                    }
                    open.push(&entry.value);
                }
            }
            NodeKind::Other => {}
        }
    }
    found.sort_by_key(|range| range.start());
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

/// A scalar for one line of a block at `indent`, in any style.
fn scalar() -> impl Strategy<Value = Scalar> {
    let line = "[a-z(😀][a-z:0-9😀>(){}|-]{0,6}( [a-z😀]{1,4}){0,2}";
    prop_oneof![
        line.prop_map(Scalar::Plain),
        "[a-z \\\\\"{}#:😀]{0,8}".prop_map(Scalar::Single),
        "[a-z '{}#:😀]{0,8}".prop_map(Scalar::Double),
        (
            proptest::sample::select(&["|", ">", "|-", ">+", "|2", ">-2"][..]),
            proptest::collection::vec(line, 1..4),
        )
            .prop_map(|(header, lines)| Scalar::Block(header, lines)),
        (line, line).prop_map(|(first, second)| Scalar::Folded(first, second)),
    ]
}

#[derive(Debug, Clone)]
enum Scalar {
    Plain(String),
    Single(String),
    Double(String),
    Folded(String, String),
    Block(&'static str, Vec<String>),
}

#[derive(Debug, Clone)]
enum Value {
    Scalar(Scalar),
    Mapping(Vec<(String, Value)>),
    Sequence(Vec<Value>),
    Flow(Vec<String>),
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => scalar().prop_map(Value::Scalar),
        1 => proptest::collection::vec("[a-z]{1,5}|'[a-z ,]{0,3}'|\"[a-z:]{0,3}\"", 0..4).prop_map(Value::Flow),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(
                ("[a-zü]{1,5}|'[a-z ]{1,4}'|\"[a-z:]{1,4}\"", inner.clone()),
                1..4
            )
            .prop_map(Value::Mapping),
            proptest::collection::vec(inner, 1..4).prop_map(Value::Sequence),
        ]
    })
}

/// Writes the value of a key or item that stands at `indent`.
fn write(out: &mut String, value: &Value, indent: usize, line_break: &str) {
    let margin = " ".repeat(indent + 2);
    match value {
        Value::Scalar(Scalar::Plain(text)) => *out += &format!(" {text} # note{line_break}"),
        Value::Scalar(Scalar::Single(text)) => *out += &format!(" '{text}'{line_break}"),
        Value::Scalar(Scalar::Double(text)) => {
            *out += &format!(" \"{text}\\n{line_break}{margin}{text}\"{line_break}");
        }
        Value::Scalar(Scalar::Folded(first, second)) => {
            *out += &format!(" {first}{line_break}{margin}{second}{line_break}");
        }
        Value::Scalar(Scalar::Block(header, lines)) => {
            *out += &format!(" {header}{line_break}");
            for line in lines {
                *out += &format!("{margin}{line}{line_break}");
            }
        }
        Value::Flow(items) => *out += &format!(" [{}]{line_break}", items.join(", ")),
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
        value in value(),
        line_break in proptest::sample::select(&["\n", "\r\n"][..]),
    ) {
        let mut text = "top:".to_owned();
        write(&mut text, &value, 0, line_break);
        prop_assume!(compare(&text), "tree-sitter finds an error");
    }
}
