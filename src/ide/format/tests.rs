use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::{
    ide::testing::document,
    model::{Edition, lower, testing::signatures},
    syntax::{fragment::Fragment, kind::SyntaxNode, signature},
};

fn applied(document: &Document, edits: &[TextEdit]) -> String {
    let mut text = document.text().rope().to_string();
    edits.iter().rev().for_each(|edit| edit.apply(&mut text));
    text
}

#[track_caller]
fn check(kind: HostKind, text: &str, expected: &Expect) {
    let before = document(kind, text);
    let once = applied(&before, &format_signatures(&before));
    expected.assert_eq(&once);
    let again = document(kind, &once);
    assert_eq!(format_signatures(&again), [], "again: {once}");
}

#[test]
fn white_space_becomes_canonical() {
    check(
        HostKind::Elixir,
        "SubAgent.run(p, signature: \"( a:int ,b  [ :string ] )->{c :int? }\")\nf(1,2)\n",
        &expect![[r#"
            SubAgent.run(p, signature: "(a :int, b [:string]) -> {c :int?}")
            f(1,2)
        "#]],
    );
    check(
        HostKind::Json,
        "{\"signature\": \"(a :int,b :int)->\\n:int\", \"input\": {\"a\":1,\"b\":2}}",
        &expect![[r#"{"signature": "(a :int, b :int) -> :int", "input": {"a":1,"b":2}}"#]],
    );
    check(
        HostKind::Prompt,
        "---\nsignature: '(a  :int)  ->  :int'\n---\n{{a}}  {{ a }}\n",
        &expect![[r#"
            ---
            signature: '(a :int) -> :int'
            ---
            {{a}}  {{ a }}
        "#]],
    );
    check(
        HostKind::Yaml,
        "signature: (a :int,b :int) -> :int\n",
        &expect![[r#"
            signature: (a :int, b :int) -> :int
        "#]],
    );
}

#[test]
fn what_is_too_long_gets_a_line_for_each_parameter() {
    let params: Vec<_> = (0..9)
        .map(|index| format!("parameter_{index} :string"))
        .collect();
    let long = format!("({}) -> {{id :int}}", params.join(", "));
    check(
        HostKind::Elixir,
        &format!("x\n  SubAgent.run(p, signature: \"{long}\")\n"),
        &expect![[r#"
            x
              SubAgent.run(p, signature: "(
                parameter_0 :string,
                parameter_1 :string,
                parameter_2 :string,
                parameter_3 :string,
                parameter_4 :string,
                parameter_5 :string,
                parameter_6 :string,
                parameter_7 :string,
                parameter_8 :string
              ) -> {id :int}")
        "#]],
    );
    check(
        HostKind::Elixir,
        &format!("x\n  SubAgent.run(p, signature: \"\"\"\n  {long}\n  \"\"\")\n"),
        &expect![[r#"
            x
              SubAgent.run(p, signature: """
              (
                parameter_0 :string,
                parameter_1 :string,
                parameter_2 :string,
                parameter_3 :string,
                parameter_4 :string,
                parameter_5 :string,
                parameter_6 :string,
                parameter_7 :string,
                parameter_8 :string
              ) -> {id :int}
              """)
        "#]],
    );
    check(
        HostKind::Yaml,
        &format!("a:\n  signature: |\n    {long}\n  x: 1\n"),
        &expect![[r#"
            a:
              signature: |
                (
                  parameter_0 :string,
                  parameter_1 :string,
                  parameter_2 :string,
                  parameter_3 :string,
                  parameter_4 :string,
                  parameter_5 :string,
                  parameter_6 :string,
                  parameter_7 :string,
                  parameter_8 :string
                ) -> {id :int}
              x: 1
        "#]],
    );
    check(
        HostKind::Yaml,
        &format!("a:\n  signature: '{long}'\n  x: 1\n"),
        &expect![[r#"
            a:
              signature: '(
                  parameter_0 :string,
                  parameter_1 :string,
                  parameter_2 :string,
                  parameter_3 :string,
                  parameter_4 :string,
                  parameter_5 :string,
                  parameter_6 :string,
                  parameter_7 :string,
                  parameter_8 :string
                ) -> {id :int}'
              x: 1
        "#]],
    );
    check(
        HostKind::Json,
        &format!("{{\"signature\": \"{long}\"}}\n"),
        &expect![[r#"
            {"signature": "(parameter_0 :string, parameter_1 :string, parameter_2 :string, parameter_3 :string, parameter_4 :string, parameter_5 :string, parameter_6 :string, parameter_7 :string, parameter_8 :string) -> {id :int}"}
        "#]],
    );
    check(
        HostKind::Elixir,
        "SubAgent.run(p, signature: \"(\na :int,   b {c :int}) -> :int\")\n",
        &expect![[r#"
            SubAgent.run(p, signature: "(
              a :int,
              b {c :int}
            ) -> :int")
        "#]],
    );
}

#[test]
fn errors_and_interpolations_stay() {
    for text in [
        "SubAgent.run(p, signature: \"(a  :int\")\n",
        "SubAgent.run(p, signature: \"(a  :int) -> #{x}\")\n",
        "SubAgent.run(p, signature: \"(a  :strng) -> :int\")\n",
    ] {
        let document = document(HostKind::Elixir, text);
        assert_eq!(format_signatures(&document), [], "{text}");
    }
}

#[test]
fn other_hosts_are_formatted_on_request_only() {
    let text = "SubAgent.run(p, signature: \"(a  :int) -> :int\")\n";
    let document = document(HostKind::Elixir, text);
    assert_eq!(format(&document), []);
    let at = |text_: &str| crate::text::size(text.find(text_).expect("it"));
    assert!(format_at(&document, at(":int")).is_some());
    assert_eq!(format_at(&document, at("run")), None);
}

proptest! {
    #[test]
    fn only_white_space_changes(signature in signatures(), noise in proptest::collection::vec("[ \n]{0,3}", 64)) {
        let mut noise = noise.iter().cycle();
        let mut text = String::new();
        for part in signature.to_string().split_inclusive([',', '(', ')', '{', '}', '[', ']', ' ']) {
            text.push_str(part);
            if !part.ends_with('}') {
                text.push_str(noise.next().map_or("", |it| it));
            }
        }
        let file = format!("SubAgent.run(p, signature: \"{text}\")\n");
        let before = document(HostKind::Elixir, &file);
        let once = applied(&before, &format_signatures(&before));
        let blank = |text: &str| text.split_whitespace().collect::<String>();
        prop_assert_eq!(blank(&once), blank(&file));
        let after = document(HostKind::Elixir, &once);
        prop_assert_eq!(format_signatures(&after), vec![]);
        let read = |text: &str| {
            let start = text.find('"').unwrap_or_default() + 1;
            let end = text.rfind('"').unwrap_or_default();
            let root = SyntaxNode::new_root(signature::parse(Fragment::plain(&text[start..end])));
            lower(&root, Edition::V0_11).signature
        };
        prop_assert_eq!(read(&once), read(&file));
    }
}
