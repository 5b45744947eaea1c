//! Values for property tests.

use proptest::prelude::*;

use crate::{
    contract::{Value, ValueKind},
    model::{Field, Primitive, Type, TypeKind},
};
use signature_ls_source::value::testing::{entry, value};

/// Values that mostly fit `ty`, without null and without floats that are whole numbers.
pub(crate) fn fitting_values(ty: &Type) -> BoxedStrategy<Value> {
    let fitting = match &ty.kind {
        TypeKind::Primitive(primitive) => scalars(*primitive).boxed(),
        TypeKind::List(element) => prop::collection::vec(fitting_values(element), 0..3)
            .prop_map(|items| value(ValueKind::list(items)))
            .boxed(),
        TypeKind::Record(fields) => entries(fields),
        TypeKind::Unknown => Just(value(ValueKind::Null)).boxed(),
    };
    let other = prop::sample::select(&Primitive::ALL[..]).prop_flat_map(scalars);
    prop_oneof![9 => fitting, 1 => other].boxed()
}

fn entries(fields: &[Field]) -> BoxedStrategy<Value> {
    let fields = fields.iter().map(|field| {
        let name = field.name.clone();
        let present = fitting_values(&field.ty).prop_map(move |value| Some(entry(&name, value)));
        let absent = if field.ty.optional { 9 } else { 1 };
        prop_oneof![9 => present, absent => Just(None)].boxed()
    });
    let extra = prop_oneof![
        9 => Just(None),
        1 => Just(Some(entry("an extra field", value(ValueKind::Int(1))))),
    ];
    (fields.collect::<Vec<_>>(), extra)
        .prop_map(|(fields, extra)| {
            let entries = fields.into_iter().chain([extra]).flatten();
            value(ValueKind::Map(entries.collect()))
        })
        .boxed()
}

fn scalars(primitive: Primitive) -> BoxedStrategy<Value> {
    let kinds = match primitive {
        Primitive::String | Primitive::Any => any::<String>().prop_map(ValueKind::string).boxed(),
        Primitive::Keyword => "[a-z?!-]{1,8}".prop_map(ValueKind::string).boxed(),
        Primitive::Datetime => Just(ValueKind::String("2026-05-03T09:14:00Z".into())).boxed(),
        Primitive::Int => any::<i64>().prop_map(ValueKind::Int).boxed(),
        Primitive::Float => any::<i32>()
            .prop_map(|int| ValueKind::Float(f64::from(int) + 0.5))
            .boxed(),
        Primitive::Bool => any::<bool>().prop_map(ValueKind::Bool).boxed(),
        Primitive::Map => Just(ValueKind::map(Vec::new())).boxed(),
    };
    kinds.prop_map(value).boxed()
}
