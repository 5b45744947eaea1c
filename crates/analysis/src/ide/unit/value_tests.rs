use crate::ide::{Document, Settings};
use signature_ls_source::{
    host::HostKind,
    text::{TextEdit, size},
};

fn found(document: &Document) -> Vec<String> {
    let text = document.text();
    let found = document.diagnostics();
    let found = found
        .iter()
        .map(|it| format!("{} {}", it.rule.code, text.slice(it.range)));
    found.collect()
}

#[track_caller]
fn check(kind: HostKind, text: &str, expected: &[&str]) {
    let document = Document::new(kind, text, Settings::default());
    assert_eq!(found(&document), expected, "{text}");
}

const SIGNED: &str = "signature: \"(limit :int) -> :any\"\nprompt: \"{{limit}}\"\n";

#[test]
fn aliases_stand_for_what_their_anchors_have() {
    let cases: [(&str, &[&str]); 9] = [
        ("d: &d many\ninput: {limit: *d}\n", &["value-type *d"]),
        ("d: &d {limit: many}\ninput: *d\n", &["value-type *d"]),
        ("d: &d\n  limit: many\ninput: *d\n", &["value-type *d"]),
        (
            "d: &d # not &e\n  - limit: many\nexamples: *d\n",
            &["value-type *d"],
        ),
        ("d: &d 10\ninput: {limit: *d}\n", &[]),
        ("d: &d 1\ne: &d many\ninput: {limit: *d}\n", &[]),
        ("input: {limit: *d}\nd: &d many\n", &[]),
        (
            "a: &a [*b]\nb: &b [*a]\ninput: {limit: *a}\n",
            &["value-type *a"],
        ),
        ("input: {limit: !mine many}\n", &[]),
    ];
    for (samples, expected) in cases {
        check(HostKind::Yaml, &format!("{samples}{SIGNED}"), expected);
        let is_one_part = !samples.starts_with("input");
        if is_one_part {
            check(
                HostKind::Prompt,
                &format!("---\n{samples}{SIGNED}---\n"),
                expected,
            );
        }
    }
}

#[test]
fn comments_and_trailing_commas_hide_no_samples() {
    let rest = "\"signature\": \"(limit :int) -> :any\", \"prompt\": \"{{limit}}\"}";
    for input in [
        "{\"input\": {\"limit\": \"many\",}, ",
        "{\"input\": {/* how many */ \"limit\": \"many\"}, ",
        "{\"input\": {\n// how many\n\"limit\": \"many\"\n}, ",
    ] {
        check(
            HostKind::Json,
            &format!("{input}{rest}"),
            &["value-type \"many\""],
        );
    }
}

#[test]
fn an_error_elsewhere_hides_no_samples() {
    let text = format!("other: {{a\n{SIGNED}input: {{limit: many}}\n");
    let document = Document::new(HostKind::Yaml, &text, Settings::default());
    assert_eq!(found(&document), ["value-type many"]);
}

/// Types `typed` at `place`, byte by byte, and compares with a new document.
#[track_caller]
fn check_typing(kind: HostKind, text: &str, place: &str, typed: &str, expected: &[&str]) {
    let mut document = Document::new(kind, text, Settings::default());
    let mut at = text.find(place).expect("a place") + place.len();
    for c in typed.chars() {
        document.edit(&TextEdit::insert(size(at), c.to_string()));
        at += c.len_utf8();
        let text = document.text().rope().to_string();
        let fresh = Document::new(kind, &text, Settings::default());
        assert_eq!(document.diagnostics(), fresh.diagnostics(), "{text}");
    }
    assert_eq!(found(&document), expected);
}

#[test]
fn samples_follow_edits() {
    let yaml = format!("d: &d 1\n{SIGNED}input:\n  limit: 1\n  # more\nexamples:\n- limit: *d\n");
    check_typing(HostKind::Yaml, &yaml, "limit: 1", "x", &["value-type 1x"]);
    check_typing(HostKind::Yaml, &yaml, "d: &d 1", "x", &["value-type *d"]);
    check_typing(
        HostKind::Yaml,
        &yaml,
        "# more",
        "\n  topic: x",
        &["unknown-input topic"],
    );
    let json = "[{\"signature\": \"(a {b :int}) -> :any\", \"input\": {\"a\": {\"b\": 1}}, \"prompt\": \"{{a.b}}\"}]";
    check_typing(
        HostKind::Json,
        json,
        "\"b\": ",
        "true, \"c\": ",
        &["value-type true"],
    );
    let lisp = "{:signature \"(a :int) -> :any\" :prompt \"{{a}}\" :input {:a 1}}";
    check_typing(
        HostKind::Lisp,
        lisp,
        ":a ",
        "\"x\" :b ",
        &["value-type \"x\"", "unknown-input b"],
    );
}
