use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::model::{
    Edition, Field, Primitive, Signature, Type, TypeKind, parse_signature, testing::types,
};

fn signature(text: &str) -> Signature {
    let (signature, problems) = parse_signature(text, Edition::V0_11);
    signature.unwrap_or_else(|| panic!("{problems:?}"))
}

#[test]
fn each_type_has_its_schema() {
    let record = json!({
        "type": "object",
        "properties": { "id": { "type": "integer" }, "email": { "type": "string" } },
        "required": ["id"],
        "additionalProperties": false,
    });
    let empty = json!({
        "type": "object", "properties": {}, "required": [], "additionalProperties": false,
    });
    let cases = [
        (":string", json!({ "type": "string" })),
        (":keyword", json!({ "type": "string" })),
        (":datetime", json!({ "type": "string" })),
        (":int", json!({ "type": "integer" })),
        (":int?", json!({ "type": "integer" })),
        (":float", json!({ "type": "number" })),
        (":bool", json!({ "type": "boolean" })),
        (":any", json!({ "type": "object" })),
        (":map", json!({ "type": "object" })),
        ("{}", empty.clone()),
        ("{id :int, email :string?}", record.clone()),
    ];
    for (text, schema) in cases {
        assert_eq!(output_schema(&signature(text)), schema, "{text}");
    }
    let wrapped = json!({
        "type": "object",
        "properties": { "items": { "type": "array", "items": record } },
        "required": ["items"],
        "additionalProperties": false,
    });
    let users = signature("(id :int, email :string?) -> [{id :int, email :string?}]");
    assert_eq!(output_schema(&users), wrapped);
    assert_eq!(input_schema(&users), record);
    assert_eq!(input_schema(&signature(":any")), empty);
}

#[test]
fn fields_keep_their_order_and_the_later_of_two_counts() {
    let schema = output_schema(&signature("{zip :int, area :int, zip :string?}"));
    expect![[r#"{"type":"object","properties":{"zip":{"type":"string"},"area":{"type":"integer"}},"required":["area"],"additionalProperties":false}"#]]
        .assert_eq(&schema.to_string());
}

#[test]
fn schemas_of_tools_read_as_signatures() {
    let input = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "title": "Search",
        "properties": {
            "query": { "type": "string", "description": "What to look for" },
            "limit": { "type": "integer", "default": 10 },
            "since": { "type": ["string", "null"], "format": "date-time" },
            "score": { "anyOf": [{ "type": "number" }, { "type": "null" }] },
            "tags": { "type": "array", "items": { "type": "string" } },
            "rest": { "type": "array" },
            "meta": { "type": "object" },
            "what": {},
            "empty": { "type": "object", "additionalProperties": false }
        },
        "required": ["query", "tags", "rest", "meta", "what", "empty"]
    });
    let output = output_schema(&signature("[{id :int, title :string?}]"));
    let read = signature_from_schemas(&input, &output).unwrap();
    expect!["(query :string, limit :int?, since :datetime?, score :float?, tags [:string], rest [:any], meta :map, what :any, empty {}) -> [{id :int, title :string?}]"]
        .assert_eq(&read.to_string());
}

#[test]
fn what_no_type_says_is_named() {
    #[track_caller]
    fn check(schema: Value, expected: &Expect) {
        expected.assert_eq(&type_from_schema(&schema).unwrap_err().to_string());
    }
    check(
        json!({ "enum": ["a", "b"] }),
        &expect!["no type says what `enum` says"],
    );
    check(
        json!({ "type": "string", "enum": ["a"] }),
        &expect!["no type says what `enum` says"],
    );
    check(
        json!({ "type": "integer", "minimum": 1 }),
        &expect!["no type says what `minimum` says"],
    );
    check(
        json!({ "$ref": "#/$defs/a", "$defs": {} }),
        &expect!["no type says what `$ref` says"],
    );
    check(
        json!({ "type": ["string", "integer"] }),
        &expect!["no type takes values of several types; `:any` takes all"],
    );
    check(
        json!({ "oneOf": [{ "type": "string" }, { "type": "integer" }] }),
        &expect!["no type takes values of several types; `:any` takes all"],
    );
    check(
        json!({ "anyOf": [{ "type": "null" }] }),
        &expect!["no type takes values of several types; `:any` takes all"],
    );
    check(
        json!({ "anyOf": {} }),
        &expect!["`anyOf` has a value that it cannot have"],
    );
    check(
        json!({ "type": "null" }),
        &expect!["no type takes nothing but null"],
    );
    check(
        json!({ "type": ["null"] }),
        &expect!["no type takes nothing but null"],
    );
    check(
        json!({ "type": "text" }),
        &expect![[r#"JSON Schema has no type "text""#]],
    );
    check(
        json!({ "type": 1 }),
        &expect!["`type` has a value that it cannot have"],
    );
    check(
        json!({ "properties": {} }),
        &expect!["add `type`; without it other values fit too"],
    );
    check(json!(false), &expect!["no type refuses every value"]);
    check(json!("string"), &expect!["a schema is an object or `true`"]);
    check(
        json!({ "type": "array", "items": { "type": "array", "items": [] } }),
        &expect!["/items/items: a schema is an object or `true`"],
    );
    check(
        json!({ "type": "array", "prefixItems": [] }),
        &expect!["no type says what `prefixItems` says"],
    );
    check(
        json!({ "type": "object", "additionalProperties": { "type": "string" } }),
        &expect!["no type says what unnamed fields hold; `:map` takes all"],
    );
    check(
        json!({ "type": "object", "required": ["a"] }),
        &expect![[r#""a" is required but not among the properties"#]],
    );
    check(
        json!({ "type": "object", "required": "a" }),
        &expect!["`required` has a value that it cannot have"],
    );
    check(
        json!({ "type": "object", "properties": [] }),
        &expect!["`properties` has a value that it cannot have"],
    );
    check(
        json!({ "type": "object", "properties": { "a/b~": { "type": "string" } } }),
        &expect![[
            r#"/properties/a~1b~0: "a/b~" is not a name for a field; use letters, digits, `_` and `-`"#
        ]],
    );
    check(
        json!({ "type": "object", "properties": { "a": { "type": "array" } } }),
        &expect!["/properties/a: a list or record cannot be optional; require it"],
    );

    let no_record = signature_from_schemas(&json!({ "type": "object" }), &json!({}));
    expect!["arguments must be an object with `properties`"]
        .assert_eq(&no_record.unwrap_err().to_string());
}

#[test]
fn depth_is_bounded() {
    let nest = |levels: usize| {
        let int = Type::primitive(Primitive::Int);
        (0..levels).fold(int, |ty, _| Type::new(TypeKind::List(Box::new(ty))))
    };
    let work = move || {
        let deepest = type_from_schema(&type_schema(&nest(640)));
        let too_deep = type_from_schema(&type_schema(&nest(641)));
        (deepest.is_ok(), too_deep.map_err(|error| error.reason))
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work);
    assert_eq!(
        thread.unwrap().join().unwrap(),
        (true, Err(Reason::TooDeep))
    );
}

/// The type words that have their own schema.
const PLAIN: [Primitive; 5] = [
    Primitive::String,
    Primitive::Int,
    Primitive::Float,
    Primitive::Bool,
    Primitive::Map,
];

/// The type that the schema of `ty` expresses: only the `?` of fields remains.
fn said(ty: Type) -> Type {
    Type::new(match ty.kind {
        TypeKind::List(element) => TypeKind::List(Box::new(said(*element))),
        TypeKind::Record(fields) => {
            let fields = fields.iter().map(|field| Field {
                ty: Type {
                    optional: field.ty.optional,
                    ..said(field.ty.clone())
                },
                ..field.clone()
            });
            TypeKind::Record(fields.collect())
        }
        kind => kind,
    })
}

proptest! {
    #[test]
    fn schemas_are_valid(ty in types(&Primitive::ALL)) {
        let schema = type_schema(&ty);
        prop_assert!(jsonschema::draft202012::meta::is_valid(&schema), "{}", schema);
    }

    #[test]
    fn schemas_read_back(ty in types(&PLAIN)) {
        prop_assert_eq!(type_from_schema(&type_schema(&ty)), Ok(said(ty)));
    }
}
