//! `signature-ls validate`.

use serde_json::Value;

use crate::folder::{Folder, Outcome};

const ORDERS: &str = "(limit :int) -> {results [{amount :float, customer {id :int}}]}";
const FAULTY: &str = r#"{
  "results": [
    { "amount": 1.5, "customer": { "id": "abc" } },
    { "amount": null, "customer": { "id": 2 }, "é": 1 }
  ]
}
"#;

/// Each of the lines, without colors.
#[track_caller]
fn check(outcome: &Outcome, code: i32, lines: &[&str]) {
    assert_eq!(outcome.code, Some(code), "{outcome:?}");
    assert_eq!(outcome.stdout.lines().collect::<Vec<_>>(), lines);
}

#[test]
fn a_finding_is_shown_with_its_place_and_path() {
    let folder = Folder::new("validate-human", &[("orders.json", FAULTY)]);
    let validate = |more: &[&str]| {
        let mut arguments = vec!["validate", "--signature", ORDERS];
        arguments.extend(more);
        folder.run(&arguments)
    };
    check(
        &validate(&["orders.json"]),
        1,
        &[
            "orders.json:3:42: error: results[0].customer.id: expected int, got string \"abc\"",
            "orders.json:4:17: error: results[1].amount: expected float, got nil",
            "2 errors, 0 warnings in 1 value",
        ],
    );
    let strict = validate(&["orders.json", "--output", "--mode", "strict"]);
    let extra = "orders.json:4:48: error: results[1][\"é\"]: unexpected field \"é\"";
    assert!(strict.stdout.contains(extra), "{strict:?}");
    assert_eq!(
        validate(&["orders.json", "--mode", "warn_only"]).code,
        Some(0)
    );
    check(
        &validate(&["orders.json", "--mode", "disabled"]),
        0,
        &["0 errors, 0 warnings in 1 value"],
    );
}

#[test]
fn inputs_are_coerced() {
    let folder = Folder::new("validate-input", &[]);
    let arguments = ["validate", "--signature", ORDERS, "--input"];
    check(
        &folder.run_with(&arguments, br#"{"limit": "10"}"#),
        0,
        &[
            "-:1:11: warning: limit: coerced string \"10\" to int",
            "0 errors, 1 warning in 1 value",
        ],
    );
    let next = [&arguments[..], &["--edition", "next", "-"]].concat();
    check(
        &folder.run_with(&next, br#"{"limit": "10"}"#),
        1,
        &[
            "-:1:11: error: limit: expected int, got string \"10\"",
            "1 error, 0 warnings in 1 value",
        ],
    );
}

#[test]
fn json_lines_are_checked_line_by_line() {
    let lines = "{\"limit\": 1}\n\n{\"limit\": \"é\"}\r\n{\"limit\": [}\n{}\n";
    let folder = Folder::new("validate-lines", &[("calls.jsonl", lines)]);
    let outcome = folder.run(&["validate", "--signature", ORDERS, "--input", "calls.jsonl"]);
    check(
        &outcome,
        2,
        &[
            "calls.jsonl:3:11: error: limit: expected int, got string \"é\"",
            "calls.jsonl:5:1: error: limit: expected int, got nil",
            "2 errors, 0 warnings in 3 values",
        ],
    );
    assert_eq!(
        outcome.stderr,
        "signature-ls: calls.jsonl:4:12: expected a value\n"
    );
}

#[test]
fn json_names_place_path_and_message() {
    let folder = Folder::new("validate-json", &[("orders.json", FAULTY)]);
    let arguments = [
        "validate",
        "--signature",
        ORDERS,
        "--format",
        "json",
        "orders.json",
    ];
    let outcome = folder.run(&arguments);
    assert_eq!(outcome.code, Some(1));
    let found: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    let expected = serde_json::json!([
        {
            "file": "orders.json", "line": 3, "column": 42, "endLine": 3, "endColumn": 47,
            "severity": "error", "path": ["results", 0, "customer", "id"],
            "message": "expected int, got string \"abc\"",
        },
        {
            "file": "orders.json", "line": 4, "column": 17, "endLine": 4, "endColumn": 21,
            "severity": "error", "path": ["results", 1, "amount"],
            "message": "expected float, got nil",
        },
    ]);
    assert_eq!(found, expected);
}

#[test]
fn what_cannot_be_read_is_reported() {
    let folder = Folder::new("validate-bad", &[("ok.json", "1")]);
    folder.write("latin.json", b"[1,\n\"\xe9\"]");
    folder.write("deep.json", "[".repeat(10_000).as_bytes());
    folder.write("twice.json", br#"{"a": 1, "a": 2}"#);
    let cases: &[(&[&str], i32, &str)] = &[
        (&["--signature", ":int", "ok.json"], 0, ""),
        (
            &["--signature", ":any", "deep.json"],
            2,
            "deep.json:1:401: nested deeper",
        ),
        (
            &["--signature", ":any", "latin.json"],
            2,
            "line 2 is not valid UTF-8",
        ),
        (
            &["--signature", ":any", "none.json"],
            2,
            "cannot read none.json",
        ),
        (&["--signature", ":any", "twice.json"], 1, ""),
        (
            &["--signature", "(a :strng) -> :int", "ok.json"],
            2,
            "--signature, byte 4: `:strng`",
        ),
        (&["--signature", "", "ok.json"], 2, "--signature, byte 1: "),
        (&["ok.json"], 2, "--signature"),
        (
            &["--signature", ":int", "--input", "--output", "ok.json"],
            2,
            "cannot be used",
        ),
        (
            &["--signature", ":int", "--mode", "lax", "ok.json"],
            2,
            "unknown mode",
        ),
        (&["--signature", ":int"], 2, "-:1:1: expected a value"),
    ];
    for (arguments, code, message) in cases {
        let outcome = folder.run(&[&["validate"], *arguments].concat());
        assert_eq!(outcome.code, Some(*code), "{arguments:?} {outcome:?}");
        assert!(
            outcome.stderr.contains(message),
            "{arguments:?} {outcome:?}"
        );
    }
}
