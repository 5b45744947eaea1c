use expect_test::expect;

use super::*;
use crate::{contract::json, model::parse_signature};

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
        let expanded = expand(text("template"), &context, mode, edition);
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
        let expanded = expand(template, &context, OutputMode::Text, Edition::V0_11);
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
    let sketch = |template: &str, mode| shown(&sketch(template, &signature, mode, Edition::V0_11));
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
