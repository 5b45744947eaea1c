//! The verdicts of another validator on the schemas that we write.

use proptest::prelude::*;

use crate::{
    contract::{Direction, Mode, Value, check, json, testing::fitting_values},
    model::{Edition, Primitive, Type, json_schema::type_schema, parse_signature, testing::types},
};

/// The words whose values JSON Schema tells apart as we do. It cannot say what a keyword or a date-time
/// looks like, and providers take no schema for "anything".
const PLAIN: [Primitive; 5] = [
    Primitive::String,
    Primitive::Int,
    Primitive::Float,
    Primitive::Bool,
    Primitive::Map,
];

/// Whether `value` is of `ty`, says the other validator.
fn their_verdict(ty: &Type, value: &Value) -> bool {
    let instance: serde_json::Value = serde_json::from_str(&json::write(value)).unwrap();
    let validator = jsonschema::draft202012::new(&type_schema(ty)).unwrap();
    validator.is_valid(&instance)
}

/// The same, say we. In strict mode, since a schema refuses further properties, and in the edition that
/// folds no hyphens, since a schema does not.
fn our_verdict(ty: &Type, value: &Value) -> bool {
    let report = check(value, ty, Direction::Output, Mode::Strict, Edition::V0_4);
    report.errors.is_empty()
}

proptest! {
    #[test]
    fn the_verdicts_are_the_same(
        (ty, value) in types(&PLAIN).prop_flat_map(|ty| (Just(ty.clone()), fitting_values(&ty))),
    ) {
        prop_assert_eq!(
            our_verdict(&ty, &value),
            their_verdict(&ty, &value),
            "{} {}", ty, json::write(&value),
        );
    }
}

#[test]
fn where_the_verdicts_differ_by_design() {
    let cases = [
        (
            ":keyword",
            "\"two words\"",
            false,
            "a schema has no keywords",
        ),
        (
            ":datetime",
            "\"2026-05-03\"",
            false,
            "a schema has no date-times without `format`",
        ),
        (":int", "42.0", false, "a schema takes 42.0 for an integer"),
        (":any", "1", true, "providers take no schema for anything"),
        (
            "{a :int?}",
            "{\"a\": null}",
            true,
            "an optional property is left out, not null",
        ),
        (":int?", "null", true, "a schema has no optional result"),
    ];
    for (text, value, ours, reason) in cases {
        let (signature, _) = parse_signature(text, Edition::V0_11);
        let ty = signature.unwrap().output;
        let value = json::read(value).unwrap();
        assert_eq!(our_verdict(&ty, &value), ours, "{reason}");
        assert_eq!(their_verdict(&ty, &value), !ours, "{reason}");
    }
}
