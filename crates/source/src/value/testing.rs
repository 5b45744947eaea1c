//! Values for property tests, also those of other crates.

use proptest::prelude::*;

use super::{Entry, Key, Value, ValueKind};
use crate::text::TextRange;

/// Any value that JSON can write.
pub fn json_values() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(ValueKind::Null),
        any::<bool>().prop_map(ValueKind::Bool),
        any::<i64>().prop_map(ValueKind::Int),
        "-?[1-9][0-9]{20,40}".prop_filter_map("an integer", |text| ValueKind::integer(&text)),
        any::<f64>()
            .prop_filter("finite", |float| float.is_finite())
            .prop_map(ValueKind::Float),
        any::<String>().prop_map(ValueKind::string),
    ];
    let scalar = scalar.prop_map(value);
    scalar.prop_recursive(4, 32, 4, |inner| {
        let entry = (any::<String>(), inner.clone()).prop_map(|(key, value)| entry(&key, value));
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(|items| value(ValueKind::list(items))),
            prop::collection::vec(entry, 0..4).prop_map(|entries| value(ValueKind::map(entries))),
        ]
    })
}

/// A value without a place.
pub fn value(kind: ValueKind) -> Value {
    Value::new(kind, TextRange::default())
}

/// An entry without a place.
pub fn entry(key: &str, value: Value) -> Entry {
    let key = Key {
        name: Some(key.into()),
        range: TextRange::default(),
        is_atom: false,
    };
    Entry { key, value }
}
