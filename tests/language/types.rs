//! Types: words, collections, edge cases.

use signature_ls_analysis::{
    contract::{Direction, Mode},
    ide::standalone::{check_signature, fix_signature},
    model::Edition,
};

use crate::harness::{held, in_signature};

const EDITION: Edition = Edition::V0_11;

fn fits(value: &str, ty: &str) -> bool {
    let (errors, _) = held(value, ty, Direction::Output, Mode::Enabled, EDITION);
    errors.is_empty()
}

#[test]
fn primitive_types_and_their_values() {
    let cases: &[(&str, &[&str], &[&str])] = &[
        (":string", &["\"hello\"", "\"\""], &["1", "null", "{}"]),
        (
            ":int",
            &["42", "-1", "0"],
            &["true", "4.5", "\"4\"", "42.0"],
        ),
        (":float", &["3.14", "-0.5", "42"], &["\"3.14\"", "false"]),
        (":bool", &["true", "false"], &["\"true\"", "0", "null"]),
        (":map", &["{}", "{\"a\": [1]}"], &["[]", "1", "null"]),
        (":any", &["1", "null", "[]", "{}", "\"\""], &[]),
        ("[:int]", &["[]", "[1, 2]"], &["[1, \"2\"]", "{}", "1"]),
        (
            "{a :int}",
            &["{\"a\": 1}", "{\"a\": 1, \"b\": 2}"],
            &["{}", "{\"a\": null}"],
        ),
        (
            "{a :int?}",
            &["{}", "{\"a\": null}", "{\"a\": 1}"],
            &["{\"a\": \"x\"}"],
        ),
    ];
    for (ty, right, wrong) in cases {
        for value in *right {
            assert!(fits(value, ty), "{value} fits {ty}");
        }
        for value in *wrong {
            assert!(!fits(value, ty), "{value} does not fit {ty}");
        }
    }
}

#[test]
fn datetime_in_detail() {
    let given = |value| held(value, ":datetime", Direction::Input, Mode::Enabled, EDITION);
    assert_eq!(given("\"2026-05-03T09:14:00Z\""), (vec![], vec![]));
    let (errors, warnings) = given("\"2026-05-03T11:14:00+02:00\"");
    assert_eq!((errors.len(), warnings.len()), (0, 1));
    let (errors, _) = given("\"2026-05-03T09:14:00\"");
    assert_eq!(errors.len(), 1);
}

#[test]
fn guessed_words_have_replacements() {
    let cases = [
        ("list", "[:any]"),
        ("array", "[:any]"),
        ("object", ":map"),
        ("dict", ":map"),
        ("hash", ":map"),
        ("integer", ":int"),
        ("number", ":int"),
        ("num", ":int"),
        ("long", ":int"),
        ("double", ":float"),
        ("decimal", ":float"),
        ("str", ":string"),
        ("text", ":string"),
        ("binary", ":string"),
        ("atom", ":keyword"),
        ("symbol", ":keyword"),
        ("date", ":datetime"),
        ("time", ":datetime"),
        ("timestamp", ":datetime"),
        ("json", ":any"),
        ("term", ":any"),
        ("value", ":any"),
        ("Int", ":int"),
        ("strng", ":string"),
    ];
    for (guessed, instead) in cases {
        let text = format!("(a :{guessed}) -> :any");
        let (_, found) = check_signature(&text, EDITION);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].rule.code, "unknown-type", "{text}");
        let fixes = found[0].fixes.iter().flat_map(|fix| &fix.edits);
        let offered: Vec<_> = fixes.map(|edit| edit.insert.as_str()).collect();
        assert!(offered.contains(&instead), "{guessed}: {offered:?}");
    }
    for guessed in ["tuple", "nil", "null", "none"] {
        let text = format!("(a :{guessed}) -> :any");
        assert_eq!(in_signature(&text, EDITION), ["unknown-type"], "{text}");
    }
    assert_eq!(
        in_signature("(a :boolean) -> :any", Edition::V0_5),
        ["unknown-type"]
    );
}

#[test]
fn collections_optional_fields_and_parameters() {
    for text in [
        "[:int]",
        "[:string]",
        "[:map]",
        "[{id :int, name :string}]",
        "{id :int, name :string}",
        "{customer {id :int, name :string}}",
        ":map",
        "{id :int, email :string?}",
        "(user {id :int, name :string}, limit :int) -> [{order_id :int}]",
        "(query :string, limit :int) -> {count :int, items [{id :int}]}",
        "() -> {name :string, price :float}",
        "{name :string, price :float, in_stock :bool}",
        "(user_id :int) -> {name :string, orders [:map]}",
        "\n(query :string, options {limit :int?, sort :string?}) ->\n{results [{id :int, score :float, metadata :map}], total :int}\n",
        "{user {id :int, address {city :string, zip :string}}}",
        "{user {profile :map}}",
    ] {
        assert_eq!(in_signature(text, EDITION), [] as [&str; 0], "{text}");
    }
}

#[test]
fn edge_cases() {
    for text in [":any", "() -> :any", "{}", "[:any]", "[{}]", "{name:int}"] {
        assert_eq!(in_signature(text, EDITION), [] as [&str; 0], "{text}");
    }
    assert_eq!(in_signature("[]", EDITION), ["empty-list"]);
    assert_eq!(in_signature("", EDITION), ["empty-signature"]);
    assert_eq!(in_signature(":stringent", EDITION), ["unknown-type"]);
    assert_eq!(in_signature("[:int]?", EDITION), ["optional-compound"]);
    assert_eq!(in_signature("{a [:int]?}", EDITION), ["optional-compound"]);
}

#[test]
fn reserved_for_a_later_version() {
    let cases = [
        (
            "(status :enum[pending active closed]) -> {ok :bool}",
            &["reserved-enum"][..],
        ),
        ("(value :string|:int) -> {result :any}", &["reserved-union"]),
        (
            "(page :int[>0], limit :int[1..100]) -> [{id :int}]",
            &["reserved-refinement", "reserved-refinement"],
        ),
    ];
    for (text, codes) in cases {
        assert_eq!(in_signature(text, EDITION), codes, "{text}");
    }
}

#[test]
fn spellings_met_in_the_field_are_rewritten() {
    let cases = [
        ("{:id :int :name :string}", "{id :int, name :string}"),
        ("{:id :int, :name :string}", "{id :int, name :string}"),
        ("[{:id :int :name :string}]", "[{id :int, name :string}]"),
        (
            "{:customer {:id :int :name :string}}",
            "{customer {id :int, name :string}}",
        ),
        ("{:id :int :email :string?}", "{id :int, email :string?}"),
        ("-> {count :int}", "() -> {count :int}"),
        ("(a :int) => :int", "(a :int) -> :int"),
        ("(a :int) → :int", "(a :int) -> :int"),
        ("() :any", "() -> :any"),
        ("{count:integer}", "{count:int}"),
        ("{name string}", "{name :string}"),
        ("list[string]", "[:string]"),
        ("[string]", "[:string]"),
        ("{a :int b :int}", "{a :int, b :int}"),
        ("{a :int,, b :int}", "{a :int, b :int}"),
        ("{a :int,}", "{a :int}"),
    ];
    for (text, right) in cases {
        assert_eq!(fix_signature(text, EDITION).0, right, "{text}");
    }
    assert_eq!(in_signature("(a :int)", EDITION), ["missing-output"]);
}

#[test]
fn nesting_is_unlimited_but_reported_as_a_hint() {
    let deep = "{user {profile {settings {theme {colors {primary :string}}}}}}";
    assert_eq!(in_signature(deep, EDITION), ["deep-nesting"]);
    let lists = |depth: usize| format!("{}:int{}", "[".repeat(depth), "]".repeat(depth));
    assert!(!in_signature(&lists(256), EDITION).contains(&"nesting-too-deep"));
    assert!(in_signature(&lists(10_000), EDITION).contains(&"nesting-too-deep"));
}
