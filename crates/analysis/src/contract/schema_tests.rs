//! Compares our verdicts with those of a JSON Schema validator on the generated schemas.

use proptest::prelude::*;

use crate::{
    contract::{Direction, Mode, Value, check, json, testing::fitting_values},
    model::{Edition, Primitive, Type, json_schema::type_schema, parse_signature, testing::types},
};

/// The words whose values JSON Schema distinguishes as we do. It cannot describe keywords or date-times, and providers
/// accept no schema for "anything".
const PLAIN: [Primitive; 5] = [
    Primitive::String,
    Primitive::Int,
    Primitive::Float,
    Primitive::Bool,
    Primitive::Map,
];

/// The validator's verdict on whether `value` has the type `ty`.
fn their_verdict(ty: &Type, value: &Value) -> bool {
    let instance: serde_json::Value = serde_json::from_str(&json::write(value)).unwrap();
    let validator = jsonschema::draft202012::new(&type_schema(ty)).unwrap();
    validator.is_valid(&instance)
}

/// Our verdict: in strict mode, since schemas reject additional properties, and in an edition that does not fold
/// hyphens.
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
