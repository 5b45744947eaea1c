use expect_test::{Expect, expect};

use super::*;
use crate::{
    contract::{Entry, Key, MOST_MISSING, ValueKind, json},
    model::{Field, Primitive, TypeKind, parse_signature},
};
use signature_ls_source::text::TextRange;

fn ty(text: &str) -> Type {
    let (signature, problems) = parse_signature(text, Edition::V0_11);
    signature.unwrap_or_else(|| panic!("{problems:?}")).output
}

/// One line per finding, with the text that it points at.
fn found(
    type_text: &str,
    text: &str,
    direction: Direction,
    mode: Mode,
    edition: Edition,
) -> String {
    let value = json::read(text).unwrap();
    let report = check(&value, &ty(type_text), direction, mode, edition);
    let mut out = String::new();
    for (severity, findings) in [("error", report.errors), ("warning", report.warnings)] {
        for finding in findings {
            let part = &text[std::ops::Range::<usize>::from(finding.range)];
            out.push_str(&format!("{severity}: {finding} [{part}]\n"));
        }
    }
    out
}

#[track_caller]
fn input(type_text: &str, text: &str, expected: &Expect) {
    expected.assert_eq(&found(
        type_text,
        text,
        Direction::Input,
        Mode::Enabled,
        Edition::V0_11,
    ));
}

#[track_caller]
fn output(type_text: &str, text: &str, expected: &Expect) {
    expected.assert_eq(&found(
        type_text,
        text,
        Direction::Output,
        Mode::Enabled,
        Edition::V0_11,
    ));
}

#[test]
fn messages_carry_the_path_of_the_value() {
    let orders = "{results [{amount :float, customer {id :int}}]}";
    let text = r#"{"results": [
        {"amount": 1, "customer": {"id": "abc"}},
        {"amount": 1.5, "customer": {}},
        {"amount": null, "customer": {"id": 3}}
    ]}"#;
    output(
        orders,
        text,
        &expect![[r#"
        error: results[0].customer.id: expected int, got string "abc" ["abc"]
        error: results[1].customer.id: expected int, got nil [{}]
        error: results[2].amount: expected float, got nil [null]
    "#]],
    );
    input(
        "{limit :int}",
        r#"{"limit": "10"}"#,
        &expect![[r#"
        warning: limit: coerced string "10" to int ["10"]
    "#]],
    );
}

/// Each kind of value against each type word.
#[test]
fn every_type_against_every_value() {
    let values = [
        "null",
        "true",
        "42",
        "42.0",
        "\"hello\"",
        "\"42\"",
        "\"3.14\"",
        "\"true\"",
        "\"2026-05-03T09:14:00Z\"",
        "\"2026-05-03T11:14:00+02:00\"",
        "\"2026-05-03T09:14:00\"",
        "\"two words\"",
        "[]",
        "{}",
        "99999999999999999999",
    ];
    let mut table = String::new();
    for primitive in Primitive::ALL {
        table.push_str(&format!("{}\n", primitive.word()));
        let ty = Type::primitive(primitive);
        for text in values {
            let value = json::read(text).unwrap();
            let verdict = |direction| {
                let report = check(&value, &ty, direction, Mode::Enabled, Edition::V0_11);
                let findings = report.errors.iter().chain(&report.warnings);
                let messages: Vec<String> = findings.map(Finding::to_string).collect();
                if messages.is_empty() {
                    "ok".to_owned()
                } else {
                    messages.join(" + ")
                }
            };
            let (output, input) = (verdict(Direction::Output), verdict(Direction::Input));
            if output == input {
                table.push_str(&format!("  {text}: {output}\n"));
            } else {
                table.push_str(&format!("  {text}: output {output}; input {input}\n"));
            }
        }
    }
    expect![[r#"
        string
          null: expected string, got nil
          true: expected string, got bool true
          42: expected string, got int 42
          42.0: expected string, got float 42.0
          "hello": ok
          "42": ok
          "3.14": ok
          "true": ok
          "2026-05-03T09:14:00Z": ok
          "2026-05-03T11:14:00+02:00": ok
          "2026-05-03T09:14:00": ok
          "two words": ok
          []: expected string, got list
          {}: expected string, got map
          99999999999999999999: expected string, got int 99999999999999999999
        int
          null: expected int, got nil
          true: expected int, got bool true
          42: ok
          42.0: expected int, got float 42.0
          "hello": expected int, got string "hello"
          "42": output expected int, got string "42"; input coerced string "42" to int
          "3.14": expected int, got string "3.14"
          "true": expected int, got string "true"
          "2026-05-03T09:14:00Z": expected int, got string "2026-05-03T09:14:00Z"
          "2026-05-03T11:14:00+02:00": expected int, got string "2026-05-03T11:14:00+02:00"
          "2026-05-03T09:14:00": expected int, got string "2026-05-03T09:14:00"
          "two words": expected int, got string "two words"
          []: expected int, got list
          {}: expected int, got map
          99999999999999999999: ok
        float
          null: expected float, got nil
          true: expected float, got bool true
          42: ok
          42.0: ok
          "hello": expected float, got string "hello"
          "42": output expected float, got string "42"; input coerced string "42" to float
          "3.14": output expected float, got string "3.14"; input coerced string "3.14" to float
          "true": expected float, got string "true"
          "2026-05-03T09:14:00Z": expected float, got string "2026-05-03T09:14:00Z"
          "2026-05-03T11:14:00+02:00": expected float, got string "2026-05-03T11:14:00+02:00"
          "2026-05-03T09:14:00": expected float, got string "2026-05-03T09:14:00"
          "two words": expected float, got string "two words"
          []: expected float, got list
          {}: expected float, got map
          99999999999999999999: ok
        bool
          null: expected bool, got nil
          true: ok
          42: expected bool, got int 42
          42.0: expected bool, got float 42.0
          "hello": expected bool, got string "hello"
          "42": expected bool, got string "42"
          "3.14": expected bool, got string "3.14"
          "true": output expected bool, got string "true"; input coerced string "true" to bool
          "2026-05-03T09:14:00Z": expected bool, got string "2026-05-03T09:14:00Z"
          "2026-05-03T11:14:00+02:00": expected bool, got string "2026-05-03T11:14:00+02:00"
          "2026-05-03T09:14:00": expected bool, got string "2026-05-03T09:14:00"
          "two words": expected bool, got string "two words"
          []: expected bool, got list
          {}: expected bool, got map
          99999999999999999999: expected bool, got int 99999999999999999999
        keyword
          null: expected keyword, got nil
          true: expected keyword, got bool true
          42: expected keyword, got int 42
          42.0: expected keyword, got float 42.0
          "hello": output ok; input coerced string "hello" to keyword
          "42": output ok; input coerced string "42" to keyword
          "3.14": expected keyword, got string "3.14"
          "true": output ok; input coerced string "true" to keyword
          "2026-05-03T09:14:00Z": expected keyword, got string "2026-05-03T09:14:00Z"
          "2026-05-03T11:14:00+02:00": expected keyword, got string "2026-05-03T11:14:00+02:00"
          "2026-05-03T09:14:00": expected keyword, got string "2026-05-03T09:14:00"
          "two words": expected keyword, got string "two words"
          []: expected keyword, got list
          {}: expected keyword, got map
          99999999999999999999: expected keyword, got int 99999999999999999999
        datetime
          null: expected datetime, got nil
          true: expected datetime, got bool true
          42: expected datetime, got int 42
          42.0: expected datetime, got float 42.0
          "hello": expected datetime, got string "hello"
          "42": expected datetime, got string "42"
          "3.14": expected datetime, got string "3.14"
          "true": expected datetime, got string "true"
          "2026-05-03T09:14:00Z": ok
          "2026-05-03T11:14:00+02:00": non-UTC offset in string "2026-05-03T11:14:00+02:00", normalized to UTC
          "2026-05-03T09:14:00": expected datetime, got string "2026-05-03T09:14:00" without an offset; add one, such as Z or +02:00
          "two words": expected datetime, got string "two words"
          []: expected datetime, got list
          {}: expected datetime, got map
          99999999999999999999: expected datetime, got int 99999999999999999999
        map
          null: expected map, got nil
          true: expected map, got bool true
          42: expected map, got int 42
          42.0: expected map, got float 42.0
          "hello": expected map, got string "hello"
          "42": expected map, got string "42"
          "3.14": expected map, got string "3.14"
          "true": expected map, got string "true"
          "2026-05-03T09:14:00Z": expected map, got string "2026-05-03T09:14:00Z"
          "2026-05-03T11:14:00+02:00": expected map, got string "2026-05-03T11:14:00+02:00"
          "2026-05-03T09:14:00": expected map, got string "2026-05-03T09:14:00"
          "two words": expected map, got string "two words"
          []: expected map, got list
          {}: ok
          99999999999999999999: expected map, got int 99999999999999999999
        any
          null: ok
          true: ok
          42: ok
          42.0: ok
          "hello": ok
          "42": ok
          "3.14": ok
          "true": ok
          "2026-05-03T09:14:00Z": ok
          "2026-05-03T11:14:00+02:00": ok
          "2026-05-03T09:14:00": ok
          "two words": ok
          []: ok
          {}: ok
          99999999999999999999: ok
    "#]].assert_eq(&table);
}

/// Each as the reference answers, except for texts of which it only reads a prefix.
#[test]
fn a_text_is_a_number_when_all_of_it_is() {
    let cases = [
        (
            "[:float]",
            r#"[" 42", "3.14\n", "1e3", "-1.5E-3", "+7", "007"]"#,
            0,
        ),
        (
            "[:float]",
            r#"["", " ", ".5", "5.", "1 2", "3.14abc", "1e999", "NaN", "0x1F", "1_000"]"#,
            10,
        ),
        (
            "[:int]",
            r#"["+7", "007", "-0", "99999999999999999999"]"#,
            0,
        ),
        (
            "[:int]",
            r#"[" 42", "42\n", "1e3", "3.0", "", "-", "٤٢"]"#,
            7,
        ),
    ];
    for (type_text, text, errors) in cases {
        let value = json::read(text).unwrap();
        let report = check(
            &value,
            &ty(type_text),
            Direction::Input,
            Mode::Enabled,
            Edition::V0_11,
        );
        assert_eq!(report.errors.len(), errors, "{text} {:?}", report.errors);
    }
}

#[test]
fn modes_differ_in_what_counts() {
    let signature = "{limit :int, tags [:string]}";
    let text = r#"{"limit": "10", "tags": [1], "more": true}"#;
    let mut table = String::new();
    for direction in [Direction::Input, Direction::Output] {
        for mode in Mode::ALL {
            let found = found(signature, text, direction, mode, Edition::V0_11);
            table.push_str(&format!("{direction:?} {mode}\n{found}"));
        }
    }
    expect![[r#"
        Input enabled
        error: tags[0]: expected string, got int 1 [1]
        warning: limit: coerced string "10" to int ["10"]
        Input warn_only
        warning: tags[0]: expected string, got int 1 [1]
        warning: limit: coerced string "10" to int ["10"]
        Input disabled
        Input strict
        error: limit: expected int, got string "10" ["10"]
        error: tags[0]: expected string, got int 1 [1]
        error: more: unexpected field "more" ["more"]
        Output enabled
        error: limit: expected int, got string "10" ["10"]
        error: tags[0]: expected string, got int 1 [1]
        Output warn_only
        warning: limit: expected int, got string "10" ["10"]
        warning: tags[0]: expected string, got int 1 [1]
        Output disabled
        Output strict
        error: limit: expected int, got string "10" ["10"]
        error: tags[0]: expected string, got int 1 [1]
        error: more: unexpected field "more" ["more"]
    "#]]
    .assert_eq(&table);
}

#[test]
fn editions_differ_in_keys_and_quoted_integers() {
    let signature = "{order_count :int}";
    let texts = [
        r#"{"order-count": 1}"#,
        r#"{"order_count": "1"}"#,
        r#"{"order_count": 1, "order-count": 2}"#,
        r#"{"order_count": 1, "order_count": 2}"#,
    ];
    let mut table = String::new();
    for text in texts {
        for edition in Edition::ALL {
            let found = found(signature, text, Direction::Input, Mode::Enabled, edition);
            let found = if found.is_empty() {
                "ok\n".to_owned()
            } else {
                found
            };
            table.push_str(&format!("{edition} {found}"));
        }
    }
    expect![[r#"
        0.4 error: order_count: expected int, got nil [{"order-count": 1}]
        0.5 ok
        0.11 ok
        next ok
        0.4 warning: order_count: coerced string "1" to int ["1"]
        0.5 warning: order_count: coerced string "1" to int ["1"]
        0.11 warning: order_count: coerced string "1" to int ["1"]
        next error: order_count: expected int, got string "1" ["1"]
        0.4 ok
        0.5 warning: order-count: keys "order_count" and "order-count" are the same name; keep one of them ["order-count"]
        0.11 warning: order-count: keys "order_count" and "order-count" are the same name; keep one of them ["order-count"]
        next error: order-count: keys "order_count" and "order-count" are the same name; keep one of them ["order-count"]
        0.4 error: order_count: key "order_count" is given twice ["order_count"]
        0.5 error: order_count: key "order_count" is given twice ["order_count"]
        0.11 error: order_count: key "order_count" is given twice ["order_count"]
        next error: order_count: key "order_count" is given twice ["order_count"]
    "#]].assert_eq(&table);
}

#[test]
fn optional_parts_may_be_nil_and_optional_fields_left_out() {
    for text in ["{}", r#"{"email": null}"#, r#"{"email": "a@b"}"#] {
        output("{email :string?}", text, &expect![""]);
        input("{email :string?}", text, &expect![""]);
    }
    output("[:int?]", "[1, null]", &expect![""]);
    output(
        "{email :string?}",
        r#"{"email": 1}"#,
        &expect![[r#"
        error: email: expected string, got int 1 [1]
    "#]],
    );
    output(
        "{user {id :int}, tags [:int]}",
        r#"{"user": null}"#,
        &expect![[r#"
            error: user: expected map, got nil [null]
            error: tags: expected list, got nil [{"user": null}]
        "#]],
    );
}

#[test]
fn the_empty_record_is_any_map() {
    output("{}", r#"{"a": 1}"#, &expect![""]);
    output(
        "{}",
        "[]",
        &expect![[r#"
        error: expected map, got list [[]]
    "#]],
    );
    output("[{}]", r#"[{}, {"a": 1}]"#, &expect![""]);
    let strict = found(
        "{}",
        r#"{"a": 1}"#,
        Direction::Output,
        Mode::Strict,
        Edition::V0_11,
    );
    expect![[r#"
        error: a: unexpected field "a" ["a"]
    "#]]
    .assert_eq(&strict);
}

#[test]
fn doubled_keys_are_found_at_every_depth() {
    output(
        ":any",
        r#"[{"a": {"b": 1, "c": 2, "b": 3}}]"#,
        &expect![[r#"
            error: [0].a.b: key "b" is given twice ["b"]
        "#]],
    );
    output(
        "{a :int}",
        r#"{"a": "x", "a": 1}"#,
        &expect![[r#"
        error: a: key "a" is given twice ["a"]
    "#]],
    );
    output(
        "{a :int}",
        r#"{"a": 1, "a": "x"}"#,
        &expect![[r#"
        error: a: expected int, got string "x" ["x"]
        error: a: key "a" is given twice ["a"]
    "#]],
    );
}

/// More than any type can nest, on a stack of two megabytes.
#[test]
fn depth_is_no_danger() {
    let levels = 320;
    let signature = format!(
        "{}:int{}",
        "{a [".repeat(levels / 2),
        "]}".repeat(levels / 2)
    );
    let value = format!(
        "{}\"1\"{}",
        "{\"a\":[".repeat(levels / 2),
        "]}".repeat(levels / 2)
    );
    let work = move || {
        for mode in Mode::ALL {
            for direction in [Direction::Input, Direction::Output] {
                found(&signature, &value, direction, mode, Edition::V0_11);
            }
        }
        let value = json::read(&value).unwrap();
        coerce(&value, &ty(&signature), Edition::V0_11).errors.len()
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work);
    assert_eq!(thread.unwrap().join().unwrap(), 0);
}

/// What is known only when the program runs, and what could not be read, agrees with everything.
#[test]
fn the_unknown_agrees() {
    let dynamic = |range| Value::new(ValueKind::Dynamic, range);
    let at = TextRange::default();
    let check_all = |value: &Value, ty: &Type| {
        for mode in Mode::ALL {
            for direction in [Direction::Input, Direction::Output] {
                let report = check(value, ty, direction, mode, Edition::Next);
                assert_eq!(report, Report::default(), "{ty:?} {mode} {direction:?}");
            }
        }
    };
    for text in [":int", "[{a :int}]", "{a :int}", ":keyword", ":map"] {
        check_all(&dynamic(at), &ty(text));
        check_all(
            &Value::new(ValueKind::list(vec![]), at),
            &Type::new(TypeKind::Unknown),
        );
    }
    check_all(
        &Value::new(ValueKind::list(vec![dynamic(at)]), at),
        &ty("[:int]"),
    );
    let computed_key = Entry {
        key: Key {
            name: None,
            range: at,
            is_atom: false,
        },
        value: dynamic(at),
    };
    check_all(
        &Value::new(ValueKind::map(vec![computed_key]), at),
        &ty("{a :int}"),
    );
    let unread = Field {
        name: "a".to_owned(),
        name_range: at,
        ty: Type::new(TypeKind::Unknown),
    };
    let record = Type::new(TypeKind::Record(vec![unread].into()));
    check_all(&Value::new(ValueKind::map(vec![]), at), &record);
}

/// A list of a million numbers may be one of texts.
#[test]
fn only_the_first_findings_are_kept() {
    let value = json::read(&format!("{{\"a\": [{}1]}}", "1, ".repeat(100))).unwrap();
    let ty = ty("{a [:string], b :int}");
    for mode in [Mode::Enabled, Mode::Strict] {
        for direction in [Direction::Input, Direction::Output] {
            let all = check(&value, &ty, direction, mode, Edition::V0_11);
            let first = check_first(&value, &ty, direction, mode, Edition::V0_11, 10);
            assert_eq!(all.errors.len(), 102);
            assert_eq!(first.errors, all.errors[..10]);
        }
    }
}

/// Those of a map without entries that lacks hundreds are not listed, but all are counted.
#[test]
fn fields_that_a_short_map_lacks_are_counted() {
    let fields: Vec<_> = (0..200).map(|it| format!("f{it} :int")).collect();
    let ty = ty(&format!("{{{}}}", fields.join(", ")));
    for given in [0, 1, 71, 72, 73, 199, 200] {
        let entries: Vec<_> = (0..given).map(|it| format!("\"f{it}\": {it}")).collect();
        let value = json::read(&format!("{{{}}}", entries.join(", "))).unwrap();
        for direction in [Direction::Input, Direction::Output] {
            let all = check(&value, &ty, direction, Mode::Enabled, Edition::V0_11).errors;
            assert_eq!(all.len(), 200 - given);
            let first =
                check_first(&value, &ty, direction, Mode::Enabled, Edition::V0_11, 1_000).errors;
            let count: usize = first.iter().map(|it| it.missing_fields()).sum();
            assert_eq!(count, all.len());
            let paths = first.iter().map(|it| &it.path);
            assert!(paths.eq(all.iter().take(first.len()).map(|it| &it.path)));
            assert!(first.len() == all.len() || all.len() > MOST_MISSING);
        }
    }
}
