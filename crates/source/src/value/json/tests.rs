use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::value::testing::json_values;
use crate::value::{MAX_DEPTH, ValueKind};

fn slice(text: &str, range: crate::text::TextRange) -> &str {
    &text[std::ops::Range::<usize>::from(range)]
}

#[track_caller]
fn refused(text: &str, expected: &Expect) {
    let error = read(text).expect_err(text);
    let start = usize::from(error.range.start());
    expected.assert_eq(&format!("{start} `{}`: {error}", slice(text, error.range)));
}

#[test]
fn each_fault_has_its_place() {
    let cases = [
        ("", expect!["0 ``: expected a value"]),
        ("  ", expect!["2 ``: expected a value"]),
        ("nul", expect!["0 `nul`: expected a value"]),
        ("None", expect!["0 `None`: expected a value"]),
        ("'a'", expect!["0 `'`: expected a value"]),
        ("é", expect!["0 `é`: expected a value"]),
        ("{", expect!["1 ``: expected a key in double quotes"]),
        ("[1", expect!["2 ``: expected `,` or `]`"]),
        ("[1 2]", expect!["3 `2`: expected `,` or `]`"]),
        (
            "[1, ]",
            expect!["2 `,`: remove the comma; nothing follows it"],
        ),
        ("[, 1]", expect!["1 `,`: expected a value"]),
        (
            "{\"a\": 1, }",
            expect!["7 `,`: remove the comma; nothing follows it"],
        ),
        ("{\"a\" 1}", expect!["5 `1`: expected `:`"]),
        ("{\"a\": }", expect!["6 `}`: expected a value"]),
        ("{a: 1}", expect!["1 `a`: expected a key in double quotes"]),
        (
            "{\"a\": 1 \"b\": 2}",
            expect![[r#"8 `"`: expected `,` or `}`"#]],
        ),
        ("[1]]", expect!["3 `]`: unexpected text after the value"]),
        (
            "1 // one",
            expect!["2 `// one`: unexpected text after the value"],
        ),
        (
            "{} \n{}\n",
            expect!["4 `{}`: unexpected text after the value"],
        ),
        (
            "{}\n\u{a0}",
            expect![["3 `\u{a0}`: unexpected text after the value"]],
        ),
        ("01", expect!["0 `01`: this is not a JSON number"]),
        ("-", expect!["0 `-`: this is not a JSON number"]),
        ("+1", expect!["0 `+1`: this is not a JSON number"]),
        ("1.", expect!["0 `1.`: this is not a JSON number"]),
        (".5", expect!["0 `.5`: this is not a JSON number"]),
        ("1e", expect!["0 `1e`: this is not a JSON number"]),
        ("0x1F", expect!["0 `0x1F`: this is not a JSON number"]),
        ("1_000", expect!["0 `1_000`: this is not a JSON number"]),
        ("NaN", expect!["0 `NaN`: expected a value"]),
        (
            "-Infinity",
            expect!["0 `-Infinity`: this is not a JSON number"],
        ),
        (
            "[1e400]",
            expect!["1 `1e400`: the number is too large for a float"],
        ),
        (
            "\"abc",
            expect![[r#"0 `"abc`: the string is not closed; add a `"`"#]],
        ),
        (
            "[\"abc\n\"]",
            expect![[r#"1 `"abc`: the string is not closed; add a `"`"#]],
        ),
        (
            "\"a\tb\"",
            expect![[r#"2 `	`: control character in a string; escape it, as in `\n`"#]],
        ),
        (
            r#""\x41""#,
            expect![[r#"1 `\x`: unknown escape; write `\\` for a backslash"#]],
        ),
        (
            r#""\é""#,
            expect![[r#"1 `\é`: unknown escape; write `\\` for a backslash"#]],
        ),
        (
            r#""\"#,
            expect![[r#"1 `\`: unknown escape; write `\\` for a backslash"#]],
        ),
        (
            r#""\u12""#,
            expect![[r#"1 `\u12`: unknown escape; write `\\` for a backslash"#]],
        ),
        (
            r#""\ud83d""#,
            expect![[
                r#"1 `\ud83d`: half of a surrogate pair; write both, or the character itself"#
            ]],
        ),
        (
            r#""\ud83d\n""#,
            expect![[
                r#"1 `\ud83d`: half of a surrogate pair; write both, or the character itself"#
            ]],
        ),
        (
            r#""\ud83dA""#,
            expect![[
                r#"1 `\ud83d`: half of a surrogate pair; write both, or the character itself"#
            ]],
        ),
        (
            r#""\ude00\ud83d""#,
            expect![[
                r#"1 `\ude00`: half of a surrogate pair; write both, or the character itself"#
            ]],
        ),
    ];
    for (text, expected) in &cases {
        refused(text, expected);
    }
}

#[test]
fn values_keep_their_places_and_doubled_keys() {
    let text = "\u{feff} {\"a\": [1, -0.5e3, \"é\\u0041\\ud83d\\ude00\"], \"a\": null}\n";
    let value = read(text).unwrap();
    let ValueKind::Map(entries) = &value.kind else {
        panic!("{value:?}");
    };
    let keys: Vec<&str> = entries.iter().map(|it| slice(text, it.key.range)).collect();
    assert_eq!(keys, ["\"a\"", "\"a\""]);
    assert_eq!(slice(text, value.range), text[3..].trim());
    assert_eq!(value.get("a").map(|it| &it.kind), Some(&ValueKind::Null));
    let ValueKind::List(items) = &entries[0].value.kind else {
        panic!("{value:?}");
    };
    let parts: Vec<&str> = items.iter().map(|it| slice(text, it.range)).collect();
    assert_eq!(parts, ["1", "-0.5e3", "\"é\\u0041\\ud83d\\ude00\""]);
    assert_eq!(items[2].kind, ValueKind::String("éA😀".into()));
}

#[test]
fn numbers_beyond_64_bits_keep_their_digits() {
    for text in [
        "9223372036854775807",
        "-9223372036854775808",
        "123456789012345678901234567890",
    ] {
        assert_eq!(write(&read(text).unwrap()), text);
    }
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(read(&nested(MAX_DEPTH)).is_ok());
    for depth in [MAX_DEPTH + 1, 10_000, 1_000_000] {
        let error = read(&nested(depth)).unwrap_err();
        assert_eq!(error.kind, ErrorKind::TooDeep);
        assert_eq!(usize::from(error.range.start()), MAX_DEPTH);
    }
    let maps = "{\"a\":".repeat(10_000);
    assert_eq!(read(&maps).unwrap_err().kind, ErrorKind::TooDeep);
}

proptest! {
    #[test]
    fn what_is_written_is_read(value in json_values()) {
        let text = write(&value);
        prop_assert_eq!(read(&text).unwrap(), value);
        prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{}", text);
    }

    #[test]
    fn takes_what_another_strict_reader_takes(
        text in r#"[\[\]{},:"\\ua0-9.eE+\- \ntrulfs\u{e9}]{0,16}"#,
    ) {
        let other = serde_json::from_str::<serde_json::Value>(&text);
        prop_assert_eq!(read(&text).is_ok(), other.is_ok(), "{:?} {:?}", read(&text), other);
    }
}
