//! The reference's own answers, and the rules by which our answers differ.

use crate::{
    contract::{
        Datetime, Extra, Finding, FindingKind, Path, Segment, Value, ValueKind, coerce, json,
        validate,
    },
    model::{Edition, Type, parse_signature},
};

fn vectors(name: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    let lines = std::fs::read_to_string(path).unwrap();
    let vectors: Vec<Value> = lines
        .lines()
        .map(|line| json::read(line).unwrap())
        .collect();
    assert!(vectors.len() > 1000, "only {} vectors", vectors.len());
    vectors
}

fn text<'a>(vector: &'a Value, key: &str) -> &'a str {
    match vector.get(key).map(|value| &value.kind) {
        Some(ValueKind::String(text)) => text,
        other => panic!("{key}: {other:?}"),
    }
}

fn items<'a>(vector: &'a Value, key: &str) -> &'a [Value] {
    match vector.get(key).map(|value| &value.kind) {
        Some(ValueKind::List(items)) => items,
        other => panic!("{key}: {other:?}"),
    }
}

fn ty(vector: &Value) -> Type {
    let (signature, problems) = parse_signature(text(vector, "type"), Edition::V0_11);
    signature.unwrap_or_else(|| panic!("{problems:?}")).output
}

fn path(error: &Value) -> Path {
    let segments = items(error, "path").iter();
    let segments = segments.map(|segment| match &segment.kind {
        ValueKind::String(name) => Segment::Field(name.to_string()),
        ValueKind::Int(index) => Segment::Index(usize::try_from(*index).unwrap()),
        other => panic!("{other:?}"),
    });
    Path(segments.collect())
}

/// The part of `value` at a path.
fn part<'a>(value: &'a Value, path: &Path) -> Option<&'a Value> {
    path.0
        .iter()
        .try_fold(value, |value, segment| match (segment, &value.kind) {
            (Segment::Index(index), ValueKind::List(items)) => items.get(*index),
            (Segment::Field(name), _) => value
                .get(name)
                .or_else(|| value.get(&name.replace('_', "-"))),
            _ => None,
        })
}

/// Whether `finding` agrees with `message`. Ours differ in three ways: nil is not a keyword, a missing field is named
/// with its type, and the value comes after its type.
fn says(finding: &Finding, message: &str) -> bool {
    let ours = finding.kind.to_string();
    let message = message.replace(" (%DateTime{})", "");
    match message.as_str() {
        "expected field, got nil" => matches!(finding.kind, FindingKind::Missing { .. }),
        _ if ours.ends_with("got nil") => ours.replace("got nil", "got keyword") == message,
        _ => ours.starts_with(&message),
    }
}

/// The reference checks outputs after date-times have been decoded. Here a text in ISO 8601 with an offset is one.
fn is_datetime_text(value: Option<&Value>) -> bool {
    let Some(ValueKind::String(text)) = value.map(|value| &value.kind) else {
        return false;
    };
    Datetime::parse(text).is_ok()
}

#[test]
fn validates_as_the_reference_does() {
    let mut wrong = Vec::new();
    for vector in vectors("validate.jsonl") {
        let value = vector.get("value").unwrap();
        let ours = validate(value, &ty(&vector), Extra::Allowed, Edition::V0_11);
        let expected: Vec<(Path, &str)> = items(&vector, "errors")
            .iter()
            .map(|error| (path(error), text(error, "message")))
            .filter(|(path, message)| {
                !(message.starts_with("expected datetime") && is_datetime_text(part(value, path)))
            })
            .collect();
        let agree = ours.len() == expected.len()
            && ours
                .iter()
                .zip(&expected)
                .all(|(ours, (path, message))| ours.path == *path && says(ours, message));
        if !agree {
            wrong.push(format!("{}\n  {ours:?}", json::write(&vector)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The wording of the reference's warnings and errors, mapped to ours.
fn in_our_words(message: &str) -> String {
    message
        .replace("to integer", "to int")
        .replace("to boolean", "to bool")
}

/// Whether `finding` agrees with the reference's first error.
fn says_why(finding: &Finding, message: &str) -> bool {
    let message = in_our_words(message);
    match (&finding.kind, finding.path.0.last()) {
        (FindingKind::Missing { .. }, Some(Segment::Field(name))) => {
            message == format!("missing required field \"{name}\"")
        }
        (FindingKind::NaiveDatetime { .. }, _) => message.contains("requires a timezone offset"),
        (FindingKind::Mismatch { expected, .. }, _) => {
            message.ends_with(&format!("to {expected}"))
                || message.contains(&format!("to {expected} "))
                || message.contains(&format!("invalid {expected} "))
        }
        _ => false,
    }
}

#[test]
fn coerces_as_the_reference_does() {
    let mut wrong = Vec::new();
    for vector in vectors("coerce.jsonl") {
        let value = vector.get("value").unwrap();
        let ours = coerce(value, &ty(&vector), Edition::V0_11);
        let agree = match vector.get("coerced") {
            None => ours
                .errors
                .first()
                .is_some_and(|error| says_why(error, text(&vector, "error"))),
            Some(coerced) => {
                ours.errors.is_empty()
                    && as_json(&ours.value) == without_datetimes(as_json(coerced))
                    && warnings(&ours.warnings) == expected_warnings(&vector)
            }
        };
        if !agree {
            wrong.push(format!("{}\n  {ours:?}", json::write(&vector)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn warnings(findings: &[Finding]) -> Vec<String> {
    let texts = findings.iter().map(|finding| match finding.kind {
        FindingKind::Shifted { .. } => "non-UTC offset in datetime, normalized to UTC".to_owned(),
        _ => finding.kind.to_string(),
    });
    texts.collect()
}

/// The reference reports every text that becomes a date-time as converted to UTC; we report only those with another
/// offset.
fn expected_warnings(vector: &Value) -> Vec<String> {
    let texts = items(vector, "warnings")
        .iter()
        .map(|warning| match &warning.kind {
            ValueKind::String(text) => in_our_words(text),
            other => panic!("{other:?}"),
        });
    texts.filter(|text| text != "normalized to UTC").collect()
}

fn as_json(value: &Value) -> serde_json::Value {
    serde_json::from_str(&json::write(value)).unwrap()
}

/// The vectors mark a date-time as `{"$datetime": …}`; in JSON it is a text.
fn without_datetimes(json: serde_json::Value) -> serde_json::Value {
    match json {
        serde_json::Value::Object(map) => match map.get("$datetime") {
            Some(text) => text.clone(),
            None => map
                .into_iter()
                .map(|(key, value)| (key, without_datetimes(value)))
                .collect(),
        },
        serde_json::Value::Array(items) => items.into_iter().map(without_datetimes).collect(),
        scalar => scalar,
    }
}
