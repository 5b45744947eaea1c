use expect_test::expect;

use super::*;
use crate::{
    contract::{ValueKind, json},
    model::parse_signature,
};
use signature_ls_source::text::TextRange;

fn value(text: &str) -> Value {
    json::read(text).expect("JSON")
}

fn shown(expanded: &Expanded) -> String {
    let problems = expanded.problems.iter().map(|it| format!("\n! {it}"));
    format!("{}{}", expanded.text, problems.collect::<String>())
}

/// The answers of the reference's own modules for generated templates and values.
#[test]
fn templates_expand_as_in_the_reference() {
    let mut count = 0;
    for line in include_str!("../../../../../tests/vectors/expansions.jsonl").lines() {
        let vector: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let text = |key: &str| vector[key].as_str().expect("a text");
        let context = value(&vector["context"].to_string());
        let edition: Edition = text("edition").parse().expect("an edition");
        let mode = match text("output") {
            "text" => OutputMode::Text,
            _ => OutputMode::PtcLisp,
        };
        let expanded = expand(
            text("template"),
            &context,
            mode,
            edition,
            &Room::new(1 << 20),
        );
        assert_eq!(expanded.text, text("sent"), "{line}");
        count += 1;
    }
    assert!(count > 500, "only {count}");
}

#[test]
fn reasons_for_unexpanded_placeholders() {
    let context = value(r#"{"name": "Ada", "tags": ["a"], "user": {"id": 1}}"#);
    let cases = [
        "{{name}} {{nme}}",
        "{{user.nme}}",
        "{{user}}",
        "{{#tags}}{{tags}}{{/tags}}",
        "{{#tags}}{{nme}}{{/tags}}",
        "{{#tags}}",
        "{{tags}}",
    ];
    let mut table = String::new();
    for template in cases {
        let expanded = expand(
            template,
            &context,
            OutputMode::Text,
            Edition::V0_11,
            &Room::new(1 << 20),
        );
        table.push_str(&format!(
            "{template}\n  {}\n",
            shown(&expanded).replace('\n', "\n  ")
        ));
    }
    expect![[r#"
        {{name}} {{nme}}
          Ada {{nme}}
          ! `nme` has no value; its placeholder is sent as it is
        {{user.nme}}
          {{user.nme}}
          ! `user.nme` has no value; the whole template is sent unexpanded
        {{user}}
          {{user}}
          ! `user` is a list or a map; the whole template is sent unexpanded
        {{#tags}}{{tags}}{{/tags}}
          {{#tags}}{{tags}}{{/tags}}
          ! `tags` is a list or a map; the whole template is sent unexpanded
        {{#tags}}{{nme}}{{/tags}}
          {{#tags}}{{nme}}{{/tags}}
          ! `nme` has no value; the whole template is sent unexpanded
        {{#tags}}
          {{#tags}}
          ! the template has syntax errors and is sent unexpanded
        {{tags}}
          ["a"]
    "#]]
    .assert_eq(&table);
}

#[test]
fn a_sketch_shows_names_and_types() {
    let signature = "(user {name :string}, items [{id :int}], tags [:string], on :bool?) -> :int";
    let signature = parse_signature(signature, Edition::V0_11)
        .0
        .expect("a signature");
    let template = "{{user.name}}{{#items}}\n- {{id}} {{user.name}}{{/items}}{{#tags}}{{.}}{{/tags}}\
                    {{#on}}on{{/on}}{{^on}}off{{/on}} {{usr}}";
    let sketch = |template: &str, mode| {
        shown(&sketch(
            template,
            &signature,
            mode,
            Edition::V0_11,
            &Room::new(1 << 20),
        ))
    };
    expect![[r#"
        ‹user.name :string›
        - ‹items.id :int› ‹user.name :string›‹tags :string›on‹usr›"#]]
    .assert_eq(&sketch(template, OutputMode::Text));
    let current = "{{#tags}}{{.}}{{/tags}} {{#usr}}{{.}} {{id}}{{/usr}} {{#user}}{{.}}{{/user}} {{#on}}{{.}}{{/on}}";
    expect![[r#"
        ‹tags :string›‹usr :any› ‹id›‹user {name :string}›‹.›
        ! `.` is a list or a map; the whole template is sent unexpanded
        ! `.` is a list or a map; the whole template is sent unexpanded"#]]
    .assert_eq(&sketch(current, OutputMode::Text));
    expect!["~{data/.}"].assert_eq(&sketch("{{.}}", OutputMode::PtcLisp));
    expect!["Go, ~{data/user.name}."].assert_eq(&sketch("Go, {{user.name}}.", OutputMode::PtcLisp));
    expect![[r#"
        Go, {{user.name}
        ! the template has syntax errors and is sent unexpanded"#]]
    .assert_eq(&sketch("Go, {{user.name}", OutputMode::PtcLisp));
}

#[test]
fn what_is_filled_in_is_bounded() {
    let context = value(&format!(
        r#"{{"xs": [{}1], "text": "{}", {}"z": 1}}"#,
        "1, ".repeat(999),
        "long ".repeat(100),
        (0..1_000)
            .map(|it| format!(r#""k{it}": 1, "#))
            .collect::<String>()
    ));
    let fields: String = (0..1_000).map(|it| format!("k{it} :int, ")).collect();
    let signature = format!("(xs [{{{fields}z :int}}], text {{{fields}z :int}}) -> :int");
    let signature = parse_signature(&signature, Edition::V0_11).0;
    let signature = signature.expect("a signature");
    for template in [
        format!("{{{{#xs}}}}{}{{{{/xs}}}}", "hello ".repeat(100)),
        format!("{{{{#xs}}}}{}{{{{/xs}}}}", "{{! x }}".repeat(100)),
        format!("{{{{#xs}}}}{}{{{{/xs}}}}", "{{#no}}{{/no}}".repeat(100)),
        "{{text}}".repeat(100),
        "{{z}}".repeat(1_000),
        "{{text}}".repeat(100) + "{{#xs}}{{.}}{{/xs}}",
    ] {
        for edition in [Edition::V0_4, Edition::V0_11] {
            for mode in [OutputMode::Text, OutputMode::PtcLisp] {
                let room = || Room::new(8_000);
                for expanded in [
                    expand(&template, &context, mode, edition, &room()),
                    sketch(&template, &signature, mode, edition, &room()),
                ] {
                    assert!(
                        expanded.text.len() <= template.len() + 8_000,
                        "{template} {edition:?} {mode:?}: {}",
                        expanded.text.len()
                    );
                }
            }
        }
        let text = OutputMode::Text;
        let cut = expand(&template, &context, text, Edition::V0_11, &Room::new(8_000));
        assert_eq!(cut.problems, [Problem::TooLong], "{template}");
    }
}

#[test]
fn sections_nest_as_deep_as_a_text_is_long() {
    let context = value(r#"{"a": true}"#);
    let signature = parse_signature("(a :bool) -> :int", Edition::V0_11).0;
    let signature = signature.expect("a signature");
    let mode = OutputMode::Text;
    let room = || Room::new(0);
    for (template, problem) in [
        ("{{#a}}".repeat(100_000), Problem::Unreadable),
        (
            "{{#a}}".repeat(100_000) + &"{{/a}}".repeat(100_000),
            Problem::TooDeep,
        ),
        (
            "{{#a}}".repeat(21) + "x" + &"{{/a}}".repeat(21),
            Problem::TooDeep,
        ),
    ] {
        let unchanged = Expanded::unchanged(&template, problem);
        let edition = Edition::V0_11;
        assert_eq!(
            expand(&template, &context, mode, edition, &room()),
            unchanged
        );
        assert_eq!(
            sketch(&template, &signature, mode, edition, &room()),
            unchanged
        );
    }
    let template = "{{#a}}".repeat(20) + "x" + &"{{/a}}".repeat(20);
    let sent = expand(&template, &context, mode, Edition::V0_11, &room());
    assert_eq!(sent.text, "x");
    // What does not appear may be as deep.
    let off = "{{#b}}".repeat(1_000) + &"{{/b}}".repeat(1_000) + "x";
    let sent = expand(&off, &context, mode, Edition::V0_11, &room());
    assert_eq!(sent.text, "x");
}

/// The answers of Elixir.
#[test]
fn floats_are_written_as_elixir_writes_them() {
    for (number, text, inspected) in [
        (0.0, "0.0", "0.0"),
        (-0.0, "-0.0", "-0.0"),
        (0.1, "0.1", "0.1"),
        (1.0e-4, "0.0001", "0.0001"),
        (1.0e-5, "1.0e-5", "1.0e-5"),
        (5.0e-324, "5.0e-324", "5.0e-324"),
        (123456.789, "123456.789", "123456.789"),
        (1.0e5, "1.0e5", "100000.0"),
        (
            9007199254740991.0,
            "9007199254740991.0",
            "9007199254740991.0",
        ),
        (
            9007199254740992.0,
            "9.007199254740992e15",
            "9007199254740992.0",
        ),
        (
            -9007199254740994.0,
            "-9.007199254740994e15",
            "-9007199254740994.0",
        ),
        (
            18626808486546150.0,
            "1.862680848654615e16",
            "1.862680848654615e16",
        ),
        (1.0e22, "1.0e22", "1.0e22"),
    ] {
        let value = Value::new(ValueKind::Float(number), TextRange::default());
        assert_eq!(text::to_text(&value).as_deref(), Some(text), "{number}");
        assert_eq!(text::inspect(&value), inspected, "{number}");
    }
}

/// The answers of Elixir.
#[test]
fn inspected_values_are_cut() {
    let inspected =
        |json: serde_json::Value| text::inspect(&json::read(&json.to_string()).expect("a value"));
    let many: Vec<_> = (200..280).collect();
    let shown = inspected(serde_json::json!([{"a": many}]));
    assert!(shown.ends_with(", 246, 247, ...]}]"), "{shown}");
    assert_eq!(
        inspected(serde_json::json!(["a\u{1}", "\u{7f}\u{feff}", "\u{85}"])),
        r#"[<<97, 1>>, "\d\uFEFF", <<194, 133>>]"#
    );
    assert_eq!(
        inspected(serde_json::json!("\u{2}".repeat(51))),
        format!("<<{}...>>", "2, ".repeat(50))
    );
    let long = "é".repeat(4096);
    assert_eq!(
        inspected(serde_json::json!([long])),
        format!("[\"{long}\"]")
    );
    // What is not shown may be unprintable.
    assert_eq!(
        inspected(serde_json::json!([format!("{long}\u{1}")])),
        format!("[\"{long}\" <> ...]")
    );
}
