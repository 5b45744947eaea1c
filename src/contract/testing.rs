//! Values for property tests.

use proptest::prelude::*;

use crate::{
    contract::{Entry, Key, Value, ValueKind},
    text::TextRange,
};

/// Any value that JSON can write.
pub(crate) fn json_values() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(ValueKind::Null),
        any::<bool>().prop_map(ValueKind::Bool),
        any::<i64>().prop_map(ValueKind::Int),
        "-?[1-9][0-9]{20,40}".prop_filter_map("an integer", |text| ValueKind::integer(&text)),
        any::<f64>()
            .prop_filter("finite", |float| float.is_finite())
            .prop_map(ValueKind::Float),
        any::<String>().prop_map(ValueKind::String),
    ];
    let scalar = scalar.prop_map(value);
    scalar.prop_recursive(4, 32, 4, |inner| {
        let entry = (any::<String>(), inner.clone()).prop_map(|(key, value)| entry(&key, value));
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(|items| value(ValueKind::List(items))),
            prop::collection::vec(entry, 0..4).prop_map(|entries| value(ValueKind::Map(entries))),
        ]
    })
}

/// A value that stands nowhere.
pub(crate) fn value(kind: ValueKind) -> Value {
    Value::new(kind, TextRange::default())
}

/// An entry that stands nowhere.
pub(crate) fn entry(key: &str, value: Value) -> Entry {
    let key = Key {
        name: Some(key.to_owned()),
        range: TextRange::default(),
    };
    Entry { key, value }
}
