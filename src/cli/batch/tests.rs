use expect_test::{Expect, expect};

use super::*;

/// The answers to `requests`, one a line.
#[track_caller]
fn check(requests: &[&str], expected: &Expect) {
    let mut output = Vec::new();
    let code = run(requests.join("\n").as_bytes(), &mut output).expect("nothing is broken");
    assert_eq!(code, ExitCode::SUCCESS);
    expected.assert_eq(&String::from_utf8(output).expect("JSON is UTF-8"));
}

#[test]
fn every_line_is_answered() {
    let input = b"\n{\n[]\n{}\n{\"op\":1}\n{\"op\":\"nothing\"}\n\xff\n{\"op\":\"nothing\"}";
    let mut output = Vec::new();
    let code = run(input.as_slice(), &mut output).expect("nothing is broken");
    assert_eq!(code, ExitCode::SUCCESS);
    let output = String::from_utf8(output).expect("JSON is UTF-8");
    expect![[r#"
        {"error":"each line must be a JSON object: EOF while parsing a value at line 1 column 0"}
        {"error":"each line must be a JSON object: EOF while parsing an object at line 1 column 1"}
        {"error":"each line must be a JSON object: invalid type: sequence, expected an object at line 1 column 0"}
        {"error":"the request needs a string in `op`"}
        {"error":"`op` must be a string"}
        {"error":"unknown op `nothing`"}
        {"error":"each line must be a JSON object: expected value at line 1 column 1"}
        {"error":"unknown op `nothing`"}
    "#]]
    .assert_eq(&output);
}

/// Programs that generate requests write null for missing fields, and read answers line by line.
#[test]
fn requests_are_read_strictly() {
    let requests = [
        r#"{"op":"parse","text":":int","edition":null}"#,
        r#"{"op":"typespec","spec":"@spec f(atom) :: any","def":null,"types":null}"#,
        r#"{"op":"validate","type":":int","signature":null,"value":1,"mode":null,"direction":null}"#,
        r#"{"op":"validate","type":":int","value":null}"#,
        r#"{"op":"validate","type":":int","value":"x","value":1}"#,
        r#"{"op":"validate","type":":int","signature":":string","value":"x"}"#,
        r#"{"op":"validate","type":"(a :int) -> :string","value":{"a":true},"direction":"input"}"#,
        r#"{"op":"validate","signature":":string","value":{},"direction":"input"}"#,
        r#"{"op":"validate","type":":string","value":"x","direction":"input"}"#,
        r#"{"op":"parse","text":"\ud800"}"#,
        r#"{"op":"parse","text":3}"#,
        r#"{"op":"typespec","spec":"@spec f() :: any","types":"@type t :: atom"}"#,
    ];
    check(
        &requests,
        &expect![[r#"
            {"ast":{"params":[],"output":"int"},"errors":[]}
            {"signature":"(arg0 :keyword) -> :any"}
            {"errors":[],"warnings":[]}
            {"errors":[{"path":[],"message":"expected int, got nil"}],"warnings":[]}
            {"error":"each line must be a JSON object: the field `value` is given twice at line 1 column 53"}
            {"error":"give `type` or `signature`, not both"}
            {"errors":[{"path":["a"],"message":"expected int, got bool true"}],"warnings":[]}
            {"errors":[],"warnings":[]}
            {"errors":[],"warnings":[]}
            {"error":"`text`: unexpected end of hex escape at line 1 column 8"}
            {"error":"`text` must be a string"}
            {"error":"`types` must be a list of strings"}
        "#]],
    );
}

#[test]
fn validate_checks_a_value_against_its_type() {
    let requests = [
        r#"{"op":"validate","type":"{results [{id :int}]}","value":{"results":[{"id":"abc"},{}]}}"#,
        r#"{"op":"validate","signature":"(limit :int) -> :string","value":"x","edition":"0.4"}"#,
        r#"{"op":"validate","signature":"(limit :int) -> :string","value":{"limit":"10"},"direction":"input"}"#,
        r#"{"op":"validate","type":"{a :int}","value":{"a":1,"b":2},"mode":"strict"}"#,
        r#"{"op":"validate","type":":int","value":"x","mode":"warn_only"}"#,
        r#"{"op":"validate","type":":int","value":"x","mode":"disabled"}"#,
        r#"{"op":"validate","type":"{a :int}","value":{"a":"1","a":1}}"#,
        r#"{"op":"validate","type":":int","value":123456789012345678901234567890}"#,
    ];
    check(
        &requests,
        &expect![[r#"
        {"errors":[{"path":["results",0,"id"],"message":"expected int, got string \"abc\""},{"path":["results",1,"id"],"message":"expected int, got nil"}],"warnings":[]}
        {"errors":[],"warnings":[]}
        {"errors":[],"warnings":[{"path":["limit"],"message":"coerced string \"10\" to int"}]}
        {"errors":[{"path":["b"],"message":"unexpected field \"b\""}],"warnings":[]}
        {"errors":[],"warnings":[{"path":[],"message":"expected int, got string \"x\""}]}
        {"errors":[],"warnings":[]}
        {"errors":[{"path":["a"],"message":"key \"a\" is given twice"}],"warnings":[]}
        {"errors":[],"warnings":[]}
    "#]],
    );
}

#[test]
fn coerce_answers_the_value() {
    let requests = [
        r#"{"op":"coerce","type":"{id :int, at :datetime}","value":{"id":"42","at":"2026-05-03T11:14:00+02:00","more":1}}"#,
        r#"{"op":"coerce","type":":int","value":"123456789012345678901234567890"}"#,
        r#"{"op":"coerce","type":":int?","value":null}"#,
        r#"{"op":"coerce","type":":float","value":42}"#,
        r#"{"op":"coerce","type":"[:int]","value":["1","x",2.5]}"#,
        r#"{"op":"coerce","type":":int","value":"42","edition":"next"}"#,
        r#"{"op":"coerce","type":":any","value":{"a":1,"a":2}}"#,
    ];
    check(
        &requests,
        &expect![[r#"
        {"value":{"id":42,"at":"2026-05-03T09:14:00Z"},"warnings":[{"path":["id"],"message":"coerced string \"42\" to int"},{"path":["at"],"message":"non-UTC offset in string \"2026-05-03T11:14:00+02:00\", normalized to UTC"}],"errors":[]}
        {"value":123456789012345678901234567890,"warnings":[{"path":[],"message":"coerced string \"123456789012345678901234567890\" to int"}],"errors":[]}
        {"value":null,"warnings":[],"errors":[]}
        {"value":42.0,"warnings":[],"errors":[]}
        {"value":null,"warnings":[{"path":[0],"message":"coerced string \"1\" to int"}],"errors":[{"path":[1],"message":"expected int, got string \"x\""},{"path":[2],"message":"expected int, got float 2.5"}]}
        {"value":null,"warnings":[],"errors":[{"path":[],"message":"expected int, got string \"42\""}]}
        {"value":null,"warnings":[],"errors":[{"path":["a"],"message":"key \"a\" is given twice"}]}
    "#]],
    );
}

#[test]
fn bad_values_and_types_are_reported_with_their_places() {
    let deep = format!(
        r#"{{"op":"validate","type":":any","value":{}1{}}}"#,
        "[".repeat(10_000),
        "]".repeat(10_000)
    );
    let requests = [
        r#"{"op":"validate","type":"{a :strng, b [}","value":1}"#,
        r#"{"op":"validate","value":1}"#,
        r#"{"op":"validate","type":1,"value":1}"#,
        r#"{"op":"validate","type":":int"}"#,
        r#"{"op":"validate","type":":int","value":[1,}"#,
        r#"{"op":"validate","type":":any","value":[1e400]}"#,
        r#"{"op":"validate","type":":any","value":"\ud83d"}"#,
        r#"{"op":"validate","type":":any","value":1,"mode":"lax"}"#,
        r#"{"op":"validate","type":":any","value":1,"direction":"up"}"#,
        r#"{"op":"validate","type":":any","value":1,"edition":"0.6"}"#,
        &deep,
    ];
    check(
        &requests,
        &expect![[r#"
            {"error":"`type` at bytes 3..9: `:strng` is not a type; did you mean `:string`?; `type` at bytes 13..14: `[` is never closed; add `]`.; `type` at bytes 14..14: A list of what? Write `[:any]` or the type of its elements."}
            {"error":"the request needs a string in `type` or `signature`"}
            {"error":"`type` must be a string"}
            {"error":"the request needs a `value`"}
            {"error":"each line must be a JSON object: expected value at line 1 column 43"}
            {"error":"`value` at bytes 1..6: the number is too large for a float"}
            {"error":"`value` at bytes 1..7: half of a surrogate pair; write both, or the character itself"}
            {"error":"unknown mode `lax`; use enabled, warn_only, disabled or strict"}
            {"error":"unknown direction `up`; use input or output"}
            {"error":"unknown edition `0.6`; use 0.4, 0.5, 0.11 or next"}
            {"error":"`value` at bytes 400..401: nested deeper than 400 levels; flatten the value"}
        "#]],
    );
}

#[test]
fn typespec_answers_a_signature() {
    let requests = [
        r#"{"op":"typespec","spec":"@spec run(integer(), user() | nil) :: {:ok, [user()]} | {:error, atom()}","def":"def run(id, user \\\\ nil) do","types":["@type user :: %{id: integer(), name: String.t()}"]}"#,
        r#"{"op":"typespec","spec":"@spec run(any) :: pid()"}"#,
        r#"{"op":"typespec","spec":"@spec run("}"#,
        r#"{"op":"typespec","spec":"@spec run() :: any","types":1}"#,
    ];
    check(
        &requests,
        &expect![[r#"
            {"signature":"(id :int, user {id :int, name :string}?) -> {result [{id :int, name :string}], error :keyword?}"}
            {"signature":"(arg0 :any) -> :any"}
            {"signature":null}
            {"error":"`types` must be a list of strings"}
        "#]],
    );
}

#[test]
fn render_and_schema_show_a_signature() {
    let requests = [
        r#"{"op":"render","text":"(user_id:int,_t :any?)->[ :map ]"}"#,
        r#"{"op":"render","text":"(user_id:int,_t :any?)->[ :map ]","style":"prompt","edition":"0.5"}"#,
        r#"{"op":"render","text":"(user_id:int,_t :any?)->[ :map ]","style":"lisp"}"#,
        r#"{"op":"render","text":"(q :string) -> :map","style":"prompt","name":"search","description":"Finds it."}"#,
        r#"{"op":"render","text":"(q :string) -> :map","style":"lisp","name":"search","description":"Finds it."}"#,
        r#"{"op":"render","text":"(q :strng) -> :map"}"#,
        r#"{"op":"render","text":":map","style":"bold"}"#,
        r#"{"op":"schema","text":"(q :string, n :int?) -> [{id :int}]"}"#,
        r#"{"op":"schema","text":"(q :strng) -> :map"}"#,
        r#"{"op":"schema","output":{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer"}},"required":["z"]}}"#,
        r#"{"op":"schema","input":{"type":"object","properties":{"q":{"type":"string","minLength":1}}},"output":{}}"#,
        r#"{"op":"schema","input":1,"output":true}"#,
    ];
    check(
        &requests,
        &expect![[r#"
        {"text":"(user_id :int, _t :any?) -> [:map]","errors":[]}
        {"text":"(user_id :int) -> [:map]","errors":[]}
        {"text":"(user-id :int, _t :any?) -> [:map]","errors":[]}
        {"text":"search(q :string) -> :map\n  Finds it.","errors":[]}
        {"text":"tool/search(q string) -> map  ; Finds it.","errors":[]}
        {"text":null,"errors":[{"code":"unknown-type","message":"`:strng` is not a type; did you mean `:string`?","range":[3,9]}]}
        {"error":"unknown style `bold`; use canonical, prompt or lisp"}
        {"input":{"type":"object","properties":{"q":{"type":"string"},"n":{"type":"integer"}},"required":["q"],"additionalProperties":false},"output":{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"additionalProperties":false}}},"required":["items"],"additionalProperties":false},"errors":[]}
        {"input":null,"output":null,"errors":[{"code":"unknown-type","message":"`:strng` is not a type; did you mean `:string`?","range":[3,9]}]}
        {"text":"() -> {z :string, a :int?}","errors":[]}
        {"text":null,"errors":[{"pointer":"/properties/q","message":"no type says what `minLength` says"}]}
        {"text":null,"errors":[{"pointer":"","message":"a schema is an object or `true`"}]}
    "#]],
    );
}

#[test]
fn template_answers_names_and_errors() {
    let requests = [
        r#"{"op":"template","text":"{{a}} {{ b.c }} {{#d}}{{e}}{{/d}} {{.}}"}"#,
        r#"{"op":"template","text":"${{ a && b }} ${{#a}}"}"#,
    ];
    check(
        &requests,
        &expect![[r#"
            {"names":["a","b.c","d"],"errors":[]}
            {"names":["a && b","a"],"errors":[{"code":"unclosed-section","message":"The section `a` is never closed; add `{{/a}}`.","range":[15,21]}]}
        "#]],
    );
}
