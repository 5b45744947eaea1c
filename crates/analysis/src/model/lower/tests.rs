use serde_json::{Value, json};

use super::*;
use crate::model::reference_json;

/// The verdict of each edition, and the signature read, are the reference's.
#[test]
fn agrees_with_the_reference() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/vectors/signatures.jsonl"
    );
    let vectors = std::fs::read_to_string(path).unwrap();
    let editions = [
        ("0.4", Edition::V0_4),
        ("0.10", Edition::V0_5),
        ("0.13", Edition::V0_11),
        ("next", Edition::Next),
    ];
    let mut checked = 0;
    let mut wrong = Vec::new();
    for line in vectors.lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let text = vector["text"].as_str().unwrap();
        for (name, edition) in editions {
            let accepted = vector["accepted_by"]
                .as_array()
                .unwrap()
                .contains(&json!(name));
            let (signature, problems) = parse_signature(text, edition);
            let expected = if accepted {
                vector["ast"].clone()
            } else {
                Value::Null
            };
            let found = signature
                .as_ref()
                .map_or(Value::Null, reference_json::signature);
            if found != expected {
                wrong.push(format!(
                    "{name}: {text:?}\n  expected {expected}\n  found {found} {problems:?}"
                ));
            }
            checked += 1;
        }
    }
    assert!(checked > 5000, "only {checked} verdicts");
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn lists_with_many_problems_may_have_any_names() {
    let lowered = |items: usize| {
        let text = format!("(a {{b :int}}, {}) -> :int", ":x, ".repeat(items));
        let root = SyntaxNode::new_root(signature::parse(Fragment::plain(&text)));
        lower(&root, Edition::default())
    };
    for (items, is_open) in [(2, false), (MOST_PROBLEMS + 1, true)] {
        let lowered = lowered(items);
        let record = &lowered.signature.params[0].ty;
        assert_eq!(lowered.gaps.params.is_open(), is_open);
        assert_eq!(lowered.gaps.record(record.range.start()).is_open(), is_open);
    }
}
