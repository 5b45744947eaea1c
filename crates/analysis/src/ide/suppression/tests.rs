use expect_test::{Expect, expect};

use super::*;
use crate::ide::{Document, Level};
use signature_ls_source::host::HostKind;

fn findings(text: &str, levels: &[(&str, Level)]) -> Findings {
    let levels = levels
        .iter()
        .map(|(code, level)| (code.to_string(), *level));
    let settings = Settings {
        levels: levels.collect(),
        ..Settings::default()
    };
    Document::new(HostKind::Elixir, text, settings).findings()
}

/// 120 names with a hyphen, which are hints, followed by one error.
fn hints_before_an_error() -> String {
    let params: Vec<_> = (0..120).map(|it| format!("a-{it} :int")).collect();
    format!("[signature: \"({}) -> :strng\"]", params.join(", "))
}

#[test]
fn no_number_of_hints_hides_an_error() {
    let text = hints_before_an_error();
    let all = findings(&text, &[]);
    let codes: Vec<_> = all.reported.iter().map(|it| it.rule.code).collect();
    assert_eq!(codes.len(), MOST_IN_UNIT);
    assert_eq!(all.left_out, 121 - MOST_IN_UNIT);
    assert_eq!(
        codes.last(),
        Some(&"unknown-type"),
        "in the order of the text"
    );

    let off = [("hyphen-in-name", Level::Off)];
    let error_alone = findings(&text, &off);
    assert_eq!((error_alone.reported.len(), error_alone.left_out), (1, 0));

    let silenced = format!("# signature-ls: ignore hyphen-in-name\n{text}");
    let error_alone = findings(&silenced, &[]);
    assert_eq!((error_alone.reported.len(), error_alone.left_out), (1, 0));

    // A hint that a project configures as an error counts as one.
    let raised = [
        ("hyphen-in-name", Level::At(Severity::Error)),
        ("unknown-type", Level::At(Severity::Hint)),
    ];
    let hints_left_out = findings(&text, &raised);
    assert!(
        hints_left_out
            .reported
            .iter()
            .all(|it| it.severity == Severity::Error)
    );
}

#[test]
fn findings_of_units_in_one_another_are_in_the_order_of_the_text() {
    let text = "f(signature: \"(a :strng) -> :int\", tools: [g(signature: \"(b :flot) -> :int\")], prompt: \"{{c}}\")\n";
    let found = findings(text, &[]).reported;
    let starts: Vec<_> = found.iter().map(|it| it.range.start()).collect();
    assert!(starts.is_sorted(), "{starts:?}");
    assert!(starts.len() > 2, "{found:?}");
}

/// Shows the diagnostics, and the text after the first fix of each.
#[track_caller]
fn check(text: &str, expected: &Expect) {
    let mut shown = String::new();
    for found in findings(text, &[]).reported {
        shown += &format!("{:?} {}\n", &text[found.range], found.message);
        for fix in &found.fixes {
            let mut text = text.to_owned();
            for edit in fix.edits.iter().rev() {
                edit.apply(&mut text);
            }
            shown += &format!("  {}: {text:?}\n", fix.title);
        }
    }
    expected.assert_eq(&shown);
}

#[test]
fn a_comment_above_a_program_applies_to_all_of_it() {
    let program = "Lisp.run(\"\"\"\n(tool/b)\n\"\"\", tools: %{\"a\" => {&f/1, \"() -> :int\"}})\n";
    let text = format!("# signature-ls: ignore unknown-tool\nPtcRunner.{program}");
    assert_eq!(findings(&text, &[]).reported, []);
}

#[test]
fn a_comment_at_the_end_of_a_line_applies_to_that_line() {
    let wrong = "[signature: \"(id :uuid) -> :map\"]";
    let comment = "# signature-ls: ignore unknown-type";
    assert_eq!(
        findings(&format!("x = {wrong} {comment}\n"), &[]).reported,
        []
    );
    assert_eq!(findings(&format!("x = {wrong}\n"), &[]).reported.len(), 1);
    // It does not apply to the next line.
    let next = format!("x = {wrong} {comment}\ny = {wrong}\n");
    assert_eq!(findings(&next, &[]).reported.len(), 1);
    // In a string it is no comment.
    let string = format!("x = {wrong}; y = \"a {comment}\"\n");
    assert_eq!(findings(&string, &[]).reported.len(), 1);
}

#[test]
fn a_comment_at_the_end_of_a_line_is_removed_alone() {
    check(
        "x = [signature: \"() -> :map\"] # signature-ls: ignore unknown-type\ny\n",
        &expect![[r#"
            "unknown-type" Nothing on this line is reported as `unknown-type`; remove this comment.
              Remove this comment: "x = [signature: \"() -> :map\"]\ny\n"
        "#]],
    );
}

#[test]
fn only_unused_codes_are_removed() {
    let signature = "x = [signature: \"(id :uuid) -> :map\"]";
    for (words, expected) in [
        (
            "ignore unknown-type deep-nesting",
            expect![[r#"
            "deep-nesting" Nothing on the next line is reported as `deep-nesting`; remove it.
              Remove it: "a\n  # signature-ls: ignore unknown-type\nx = [signature: \"(id :uuid) -> :map\"]"
        "#]],
        ),
        (
            "ignore deep-nesting, unknown-type",
            expect![[r#"
            "deep-nesting" Nothing on the next line is reported as `deep-nesting`; remove it.
              Remove it: "a\n  # signature-ls: ignore unknown-type\nx = [signature: \"(id :uuid) -> :map\"]"
        "#]],
        ),
        (
            "ignore deep-nesting",
            expect![[r#"
            "deep-nesting" Nothing on the next line is reported as `deep-nesting`; remove this comment.
              Remove this comment: "a\nx = [signature: \"(id :uuid) -> :map\"]"
            ":uuid" `:uuid` is not a type; did you mean `:string`?
              Write `:string`: "a\n  # signature-ls: ignore deep-nesting\nx = [signature: \"(id :string) -> :map\"]"
        "#]],
        ),
        (
            "ignore deep-nesting hyphen-in-name",
            expect![[r#"
            "deep-nesting" Nothing on the next line is reported as `deep-nesting`; remove this comment.
              Remove this comment: "a\nx = [signature: \"(id :uuid) -> :map\"]"
            "hyphen-in-name" Nothing on the next line is reported as `hyphen-in-name`; remove this comment.
              Remove this comment: "a\nx = [signature: \"(id :uuid) -> :map\"]"
            ":uuid" `:uuid` is not a type; did you mean `:string`?
              Write `:string`: "a\n  # signature-ls: ignore deep-nesting hyphen-in-name\nx = [signature: \"(id :string) -> :map\"]"
        "#]],
        ),
        (
            "ignore unused-suppression unknown-type",
            expect![[r#"
                "unused-suppression" No comment ignores `unused-suppression`; set it to `off` in the settings.
                  Remove it: "a\n  # signature-ls: ignore unknown-type\nx = [signature: \"(id :uuid) -> :map\"]"
            "#]],
        ),
        (
            "ignore unknown-tpe",
            expect![[r#"
            "unknown-tpe" There is no rule `unknown-tpe`; did you mean `unknown-type`?
              Write `unknown-type`: "a\n  # signature-ls: ignore unknown-type\nx = [signature: \"(id :uuid) -> :map\"]"
              Remove this comment: "a\nx = [signature: \"(id :uuid) -> :map\"]"
            ":uuid" `:uuid` is not a type; did you mean `:string`?
              Write `:string`: "a\n  # signature-ls: ignore unknown-tpe\nx = [signature: \"(id :string) -> :map\"]"
        "#]],
        ),
        (
            "ignore unknown-type bananas",
            expect![[r#"
            "bananas" There is no rule `bananas`; `signature-ls explain` lists them.
              Remove it: "a\n  # signature-ls: ignore unknown-type\nx = [signature: \"(id :uuid) -> :map\"]"
        "#]],
        ),
    ] {
        check(
            &format!("a\n  # signature-ls: {words}\n{signature}"),
            &expected,
        );
    }
}
