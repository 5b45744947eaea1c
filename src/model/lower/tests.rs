use serde_json::{Value, json};

use super::*;

/// The form in which the reference's vectors write signatures.
fn ast(signature: &Signature) -> Value {
    json!({ "params": fields(&signature.params), "output": ty(&signature.output) })
}

fn fields(fields: &[Field]) -> Value {
    fields
        .iter()
        .map(|field| json!([field.name, ty(&field.ty)]))
        .collect()
}

fn ty(it: &Type) -> Value {
    let kind = match &it.kind {
        TypeKind::Primitive(primitive) => json!(primitive.word()),
        TypeKind::List(element) => json!({ "list": ty(element) }),
        TypeKind::Record(it) => json!({ "map": fields(it) }),
        TypeKind::Unknown => json!("?"),
    };
    if it.optional {
        json!({ "optional": kind })
    } else {
        kind
    }
}

/// The verdict of each edition, and the signature read, are the reference's.
#[test]
fn agrees_with_the_reference() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/vectors/signatures.jsonl"
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
            let found = signature.as_ref().map_or(Value::Null, ast);
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
