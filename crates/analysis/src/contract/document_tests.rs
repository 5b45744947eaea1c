//! The examples of the reference's documents, table by table.

use crate::{
    contract::{Direction, Mode, Report, check, coerce, json},
    model::{Edition, Signature, Type, TypeKind, parse_signature},
};

fn signature(text: &str) -> Signature {
    let (signature, problems) = parse_signature(text, Edition::V0_11);
    signature.unwrap_or_else(|| panic!("{text}: {problems:?}"))
}

fn report(ty: &Type, value: &str, direction: Direction) -> Report {
    let value = json::read(value).unwrap();
    check(&value, ty, direction, Mode::Enabled, Edition::V0_11)
}

fn is_clean(report: &Report) -> bool {
    report.errors.is_empty() && report.warnings.is_empty()
}

#[test]
fn example_values_are_of_their_types() {
    let cases: &[(&str, &[&str])] = &[
        (":string", &["\"hello\"", "\"\""]),
        (":int", &["42", "-1", "0"]),
        (":float", &["3.14", "-0.5", "42"]),
        (":bool", &["true", "false"]),
        (":keyword", &["\"pending\"", "\"active\""]),
        (":datetime", &["\"2026-05-03T09:14:00Z\""]),
        (":map", &["{}", "{\"any\": [1]}"]),
        (":any", &["null", "1", "[]", "{}"]),
        ("[:int]", &["[]", "[1, 2]"]),
        ("[:map]", &["[{}, {\"a\": 1}]"]),
        (
            "{id :int, email :string?}",
            &["{\"id\": 1}", "{\"id\": 1, \"email\": null}"],
        ),
        ("{answer :int}", &["{\"answer\": 42}"]),
        (
            "{name :string, price :float, in_stock :bool}",
            &["{\"name\": \"Widget\", \"price\": 99.99, \"in_stock\": true}"],
        ),
        (
            "[{id :int, title :string}]",
            &["[{\"id\": 1, \"title\": \"First\"}, {\"id\": 2, \"title\": \"Second\"}]"],
        ),
        (
            "{count :int, items [:string]}",
            &["{\"count\": 5, \"items\": [\"a\", \"b\"]}"],
        ),
        (
            "(user_id :int) -> {order_count :int, is_active :bool}",
            &["{\"order-count\": 5, \"is-active\": true}"],
        ),
        ("{}", &["{}", "{\"more\": 1}"]),
        ("[{}]", &["[]", "[{}]"]),
    ];
    for (text, values) in cases {
        let output = signature(text).output;
        for value in *values {
            let report = report(&output, value, Direction::Output);
            assert!(is_clean(&report), "{text} {value} {report:?}");
        }
    }
}

#[test]
fn inputs_are_coerced_as_the_table_says() {
    let cases = [
        (":int", "\"42\"", "42", 1),
        (":int", "\"-5\"", "-5", 1),
        (":float", "\"3.14\"", "3.14", 1),
        (":bool", "\"true\"", "true", 1),
        (":bool", "\"false\"", "false", 1),
        (":float", "42", "42.0", 0),
        (":keyword", "\"active\"", "\"active\"", 1),
        (
            ":datetime",
            "\"2026-05-03T09:14:00Z\"",
            "\"2026-05-03T09:14:00Z\"",
            0,
        ),
        (
            ":datetime",
            "\"2026-05-03T11:14:00+02:00\"",
            "\"2026-05-03T09:14:00Z\"",
            1,
        ),
        (
            "[{id :int, name :string}]",
            "[{\"id\": \"42\", \"name\": \"Alice\"}]",
            "[{\"id\":42,\"name\":\"Alice\"}]",
            1,
        ),
    ];
    for (text, value, coerced, warnings) in cases {
        let ty = signature(text).output;
        let found = coerce(&json::read(value).unwrap(), &ty, Edition::V0_11);
        assert_eq!(json::write(&found.value), coerced, "{text} {value}");
        assert_eq!(
            (found.errors.len(), found.warnings.len()),
            (0, warnings),
            "{text} {value}"
        );
    }
    for (text, value) in [
        (":int", "42.0"),
        (":int", "\"hello\""),
        (":float", "\"3.14abc\""),
        (":datetime", "\"2026-05-03T09:14:00\""),
    ] {
        let report = report(&signature(text).output, value, Direction::Input);
        assert_eq!(report.errors.len(), 1, "{text} {value}");
    }
}

#[test]
fn arguments_of_a_call_are_held_against_the_parameters() {
    let params = |text| Type::new(TypeKind::Record(signature(text).params));
    let call = report(
        &params("(id :int, name :string) -> :bool"),
        "{\"id\": \"42\", \"name\": \"Alice\"}",
        Direction::Input,
    );
    let warnings: Vec<String> = call.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["id: coerced string \"42\" to int"]);
    assert!(call.errors.is_empty());

    let nested = report(
        &params("(user {profile {name :string}}) -> :bool"),
        "{\"user\": {\"profile\": {\"name\": \"Alice\"}}}",
        Direction::Input,
    );
    assert!(is_clean(&nested));
    let hyphens = report(
        &params("(user_name :string, created_at :string) -> :any"),
        "{\"user-name\": \"Alice\", \"created-at\": \"2024-01-01\"}",
        Direction::Input,
    );
    assert!(is_clean(&hyphens));
    assert!(is_clean(&report(
        &params("() -> {count :int}"),
        "{}",
        Direction::Input
    )));
}
