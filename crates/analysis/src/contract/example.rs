//! Example values of types.

use serde_json::{Map, Value, json};

use crate::model::{Primitive, Type, TypeKind};

/// A value of the type, as JSON: with optional fields, and lists with one element.
pub fn example(ty: &Type) -> Value {
    match &ty.kind {
        TypeKind::Primitive(primitive) => of_primitive(*primitive),
        TypeKind::Unknown => of_primitive(Primitive::Any),
        TypeKind::List(element) => Value::Array(vec![example(element)]),
        TypeKind::Record(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|field| (field.name.clone(), example(&field.ty)));
            Value::Object(Map::from_iter(fields))
        }
    }
}

fn of_primitive(primitive: Primitive) -> Value {
    match primitive {
        Primitive::String => json!("text"),
        Primitive::Int => json!(1),
        Primitive::Float => json!(1.5),
        Primitive::Bool => json!(true),
        Primitive::Keyword => json!("word"),
        Primitive::Datetime => json!("2026-05-03T09:14:00Z"),
        Primitive::Map => json!({}),
        Primitive::Any => json!("anything"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        contract::{Direction, Mode, check, json},
        model::{Edition, testing::signatures},
    };

    proptest! {
        #[test]
        fn examples_fit_their_types(signature in signatures()) {
            let value = json::read(&example(&signature.output).to_string()).expect("JSON");
            let report = check(&value, &signature.output, Direction::Output, Mode::Strict, Edition::V0_11);
            let is_of_keyword = |message: &str| message.contains("expected keyword");
            let errors: Vec<_> = report.errors.iter().map(ToString::to_string).collect();
            // JSON has no keywords; strings from a model are converted.
            prop_assert!(errors.iter().all(|it| is_of_keyword(it)), "{:?}", errors);
        }
    }
}
