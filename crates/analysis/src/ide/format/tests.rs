use super::*;
use crate::ide::testing::document;
use expect_test::{Expect, expect};
use signature_ls_source::text::size;

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
fn signatures_that_share_lines_are_formatted_once() {
    let long = "(query :string, limit :int?, offset :int?) -> [{id :int}]";
    check(
        HostKind::Elixir,
        &format!(
            "alias PtcRunner.SubAgent\nSubAgent.run(\"go\", signature: \"() ->\n    :any\", \
             tools: %{{\"search\" => {{&MyApp.Search.search/1, \"{long}\"}}}})\n"
        ),
        &expect![[r#"
            alias PtcRunner.SubAgent
            SubAgent.run("go", signature: "() -> :any", tools: %{"search" => {&MyApp.Search.search/1, "(
              query :string,
              limit :int?,
              offset :int?
            ) -> [{id :int}]"}})
        "#]],
    );
    for gap in [" ", "\n    ", "\n"] {
        for between in [", ", ",\n   ", ", id: 1, name: \"a name with a length\", "] {
            let one = format!("signature: \"{}\"", long.replace("->", &format!("->{gap}")));
            let list = vec![format!("SubAgent.new({one})"); 4].join(between);
            let before = document(HostKind::Elixir, &format!("x = [{list}]\n"));
            let once = applied(&before, &format_signatures(&before));
            let again = document(HostKind::Elixir, &once);
            assert_eq!(format_signatures(&again), [], "again: {once}");
        }
    }
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
    let after_operator = format!("x\n> SubAgent.run(p, signature: \"{long}\")\n");
    let document = document(HostKind::Elixir, &after_operator);
    assert_eq!(format_signatures(&document), []);
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
    assert_eq!(
        format_range(&document, TextRange::up_to(size(text.len()))),
        []
    );
    assert_eq!(format_signatures(&document).len(), 1);
}

/// What a comment ignores stays ignored, and nothing else is: no layout moves a finding to another line than that of the
/// comment. Without the comment, each of these is laid out.
#[test]
fn what_is_ignored_stays_ignored() {
    let long = "(aaaaaaaaaaaaaaaaaaaaaaaa :int, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb :int, x-y :int, cccccccccccccccccccccc :int) -> :int";
    let lines = "(\n    a :int, x-y :int) -> :int";
    let comment = "signature-ls: ignore hyphen-in-name";
    for (kind, text) in [
        (
            HostKind::Prompt,
            format!("---\nsignature: '{long}' # {comment}\n---\nGo\n"),
        ),
        (
            HostKind::Yaml,
            format!("a:\n  prompt: Go\n  signature: \"{long}\" # {comment}\n"),
        ),
        (
            HostKind::Elixir,
            format!("[signature: \"{long}\"] # {comment}\n"),
        ),
        (
            HostKind::Elixir,
            format!("[signature: \"{lines}\"] # {comment}\n"),
        ),
        (
            HostKind::Elixir,
            format!(
                "# {comment}\n[a: [signature: \"(a :int, b :int) -> :int\"], b: [signature: \"{long}\"]]\n"
            ),
        ),
        (
            HostKind::Elixir,
            format!(
                "# {comment}\n[a: [signature: \"{lines}\"], b: [signature: \"(x-y :int) -> :int\"]]\n"
            ),
        ),
        (
            HostKind::Lisp,
            format!("{{:signature \"{long}\" :prompt \"Go\"}} ; {comment}\n"),
        ),
        (
            HostKind::Lisp,
            format!("; {comment}\n{{:signature \"{long}\"\n :prompt \"Go\"}}\n"),
        ),
    ] {
        let codes = |document: &Document| {
            let found = document.diagnostics().into_iter();
            found.map(|it| it.rule.code).collect::<Vec<_>>()
        };
        let before = document(kind, &text);
        for layout in [Layout::Canonical, Layout::OneLine, Layout::Lines] {
            let literals = place::literals_in(&before, TextRange::up_to(before.text().len()));
            for literal in literals.iter().filter(|it| is_signature(it)) {
                let after = applied(&before, &laid_out(&before, literal, layout, &[]));
                assert_eq!(codes(&document(kind, &after)), codes(&before), "{after}");
            }
        }
        let plain = text.replace(comment, "");
        assert_ne!(format_signatures(&document(kind, &plain)), [], "{plain}");
    }
}
