use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::value::{MAX_DEPTH, Value, ValueKind, json};

/// The value and its text, one part per line.
fn outline(value: &Value, text: &str, name: &str, depth: usize, out: &mut String) {
    let source = &text[std::ops::Range::<usize>::from(value.range)];
    let shown = match &value.kind {
        ValueKind::List(_) | ValueKind::Map(_) => value.to_string(),
        ValueKind::Dynamic => "dynamic".to_owned(),
        _ => json::write(value),
    };
    out.push_str(&format!("{}{name}{shown} {source:?}\n", "  ".repeat(depth)));
    match &value.kind {
        ValueKind::List(items) => {
            for item in items {
                outline(item, text, "- ", depth + 1, out);
            }
        }
        ValueKind::Map(entries) => {
            for entry in entries {
                let key = &text[std::ops::Range::<usize>::from(entry.key.range)];
                let name = entry.key.name.as_deref().unwrap_or("?");
                outline(
                    &entry.value,
                    text,
                    &format!("{name} {key:?}: "),
                    depth + 1,
                    out,
                );
            }
        }
        _ => {}
    }
}

#[track_caller]
fn check(text: &str, expected: &Expect) {
    let mut out = String::new();
    match read(text) {
        Ok(value) => outline(&value, text, "", 0, &mut out),
        Err(error) => {
            let source = &text[usize::from(error.range.start())..];
            out = format!(
                "{error} at {:?}\n",
                source.chars().take(12).collect::<String>()
            );
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn values_have_their_places() {
    let block = "a: 1\nb:\n  - x\n  - \"y\\n\"\nc: {d: [1, 2.5], 'e': ~}\nf: |\n  block\n  text\ng: >-\n  folded\nh:\ni: é\nj: ✓\r\nk: 1\n";
    check(
        block,
        &expect![[r#"
        map "a: 1\nb:\n  - x\n  - \"y\\n\"\nc: {d: [1, 2.5], 'e': ~}\nf: |\n  block\n  text\ng: >-\n  folded\nh:\ni: é\nj: ✓\r\nk: 1"
          a "a": 1 "1"
          b "b": list "- x\n  - \"y\\n\""
            - "x" "x"
            - "y\n" "\"y\\n\""
          c "c": map "{d: [1, 2.5], 'e': ~}"
            d "d": list "[1, 2.5]"
              - 1 "1"
              - 2.5 "2.5"
            e "'e'": null "~"
          f "f": "block\ntext\n" "block\n  text\n"
          g "g": "folded" "folded\n"
          h "h": null ""
          i "i": "é" "é"
          j "j": "✓" "✓"
          k "k": 1 "1"
    "#]],
    );
    check(
        "# nothing\n",
        &expect![[r#"
        null ""
    "#]],
    );
    check(
        "- - a\n  - b\n-\n  c: d\n\n# end\n",
        &expect![[r#"
        list "- - a\n  - b\n-\n  c: d"
          - list "- a\n  - b"
            - "a" "a"
            - "b" "b"
          - map "c: d"
            c "c": "d" "d"
    "#]],
    );
    check(
        "a: 1\na: 2\n",
        &expect![[r#"
        map "a: 1\na: 2"
          a "a": 1 "1"
          a "a": 2 "2"
    "#]],
    );
    check(
        "1: one\ntrue: yes\n? k\n: v\n",
        &expect![[r#"
        map "1: one\ntrue: yes\n? k\n: v"
          1 "1": "one" "one"
          true "true": "yes" "yes"
          k "k": "v" "v"
    "#]],
    );
}

#[test]
fn scalars_follow_the_core_schema() {
    let cases = [
        ("~", "null"),
        ("Null", "null"),
        ("TRUE", "true"),
        ("yes", "\"yes\""),
        ("'true'", "\"true\""),
        ("\"42\"", "\"42\""),
        ("42", "42"),
        ("-007", "-7"),
        ("0o17", "15"),
        ("0x1F", "31"),
        ("0xg", "\"0xg\""),
        ("1_000", "\"1_000\""),
        (
            "123456789012345678901234567890",
            "123456789012345678901234567890",
        ),
        ("1e3", "1000.0"),
        (".5", "0.5"),
        ("-1.", "-1.0"),
        (".", "\".\""),
        ("1.2.3", "\"1.2.3\""),
        ("2026-05-03", "\"2026-05-03\""),
        ("!!str 42", "\"42\""),
        ("! 42", "\"42\""),
        ("!!int '42'", "42"),
        ("!!float 42", "42.0"),
        ("!!bool 'true'", "true"),
    ];
    for (text, json) in cases {
        assert_eq!(
            read(text).map(|value| json::write(&value)).as_deref(),
            Ok(json),
            "{text}"
        );
    }
}

#[test]
fn aliases_stand_for_their_anchors() {
    check(
        "a: &x {k: 1}\nb: *x\nc: [*x, &y 2, *y]\n",
        &expect![[r#"
        map "a: &x {k: 1}\nb: *x\nc: [*x, &y 2, *y]"
          a "a": map "&x {k: 1}"
            k "k": 1 "1"
          b "b": map "*x"
            k "k": 1 "1"
          c "c": list "[*x, &y 2, *y]"
            - map "*x"
              k "k": 1 "1"
            - 2 "&y 2"
            - 2 "*y"
    "#]],
    );
    check(
        "a: &x k\n*x : v\n",
        &expect![[r#"
        map "a: &x k\n*x : v"
          a "a": "k" "&x k"
          k "*x": "v" "v"
    "#]],
    );
    check(
        "base: &b {k: 1}\nmore:\n  <<: *b\n  l: 2\n",
        &expect![[r#"
        map "base: &b {k: 1}\nmore:\n  <<: *b\n  l: 2"
          base "base": map "&b {k: 1}"
            k "k": 1 "1"
          more "more": map "<<: *b\n  l: 2"
            ? "<<": map "*b"
              k "k": 1 "1"
            l "l": 2 "2"
    "#]],
    );
    check(
        "a: !mine {k: 1}\nb: !mine 3\n",
        &expect![[r#"
        map "a: !mine {k: 1}\nb: !mine 3"
          a "a": dynamic "!mine {k: 1}"
          b "b": dynamic "!mine 3"
    "#]],
    );
}

#[test]
fn faults_have_their_places() {
    check(
        "a: [1, 2\nb: 3\n",
        &expect![[r#"
        illegal placement of ':' indicator at ": 3\n"
    "#]],
    );
    check(
        "a: 1\n b: 2\n",
        &expect![[r#"
        mapping values are not allowed in this context at ": 2\n"
    "#]],
    );
    check(
        "a: *nobody\n",
        &expect![[r#"
        while parsing node, found unknown anchor at "*nobody\n"
    "#]],
    );
    check(
        "a: &x [1, *x]\n",
        &expect![[r#"
        the alias is inside of the value that it refers to at "*x]\n"
    "#]],
    );
    check(
        "[1, 2]: 3\n",
        &expect![[r#"
        a key must be a scalar at "[1, 2]: 3\n"
    "#]],
    );
    check(
        "é: .inf\n",
        &expect![[r#"
        the number is not finite or too large for a float at ".inf\n"
    "#]],
    );
    check(
        "a: 1e999\n",
        &expect![[r#"
        the number is not finite or too large for a float at "1e999\n"
    "#]],
    );
    check(
        "a: !!int x\n",
        &expect![[r#"
        the value is not of its tag at "!!int x\n"
    "#]],
    );
    check(
        "a: 1\n---\nb: 2\n",
        &expect![[r#"
        only one document is expected; remove the second `---` at "---\nb: 2\n"
    "#]],
    );
}

#[test]
fn size_is_bounded() {
    let block = |depth: usize| "- ".repeat(depth) + "x";
    assert!(read(&block(MAX_DEPTH)).is_ok());
    for depth in [MAX_DEPTH + 1, 10_000] {
        let error = read(&block(depth)).unwrap_err();
        assert_eq!(error.kind, ErrorKind::TooDeep);
        assert_eq!(usize::from(error.range.start()), 2 * MAX_DEPTH);
    }
    // The parser has a lower limit for brackets.
    let flow = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(read(&flow(255)).is_ok());
    let error = read(&flow(10_000)).unwrap_err();
    assert_eq!(error.to_string(), "recursion limit exceeded");

    let mut laughs = "a0: &a0 lol\n".to_owned();
    for level in 1..20 {
        let before = format!("*a{}, ", level - 1).repeat(9);
        laughs.push_str(&format!("a{level}: &a{level} [{before}]\n"));
    }
    assert_eq!(read(&laughs).unwrap_err().kind, ErrorKind::TooManyAliases);

    let mut chain = "a0: &a0 [1]\n".to_owned();
    for level in 1..=MAX_DEPTH {
        chain.push_str(&format!("a{level}: &a{level} [*a{}]\n", level - 1));
    }
    assert_eq!(read(&chain).unwrap_err().kind, ErrorKind::TooDeep);
}

/// Every part of a value is inside the part around it.
fn is_nested(value: &Value) -> bool {
    let inside = |part: &Value| value.range.contains_range(part.range) && is_nested(part);
    match &value.kind {
        ValueKind::List(items) => items.iter().all(inside),
        ValueKind::Map(entries) => entries
            .iter()
            .all(|entry| value.range.contains_range(entry.key.range) && inside(&entry.value)),
        _ => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn any_text_is_read_or_refused(text in r#"[-ab1:é "'\[\]{},&*#|>!?\n\t\r]{0,40}"#) {
        match read(&text) {
            // An alias has the places of its anchor's value.
            Ok(value) => prop_assert!(text.contains('*') || is_nested(&value), "{:?}", value),
            Err(error) => prop_assert!(usize::from(error.range.end()) <= text.len()),
        }
    }
}
