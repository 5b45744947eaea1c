//! Converts types to schemas.

use foldhash::HashMap;
use serde_json::{Map, Value, json};

use crate::model::{Field, Signature, Type, TypeKind};

/// The schema of the object of all arguments.
pub fn input_schema(signature: &Signature) -> Value {
    record(&signature.params)
}

/// The schema of the output. Providers require an object at the root, so a list is wrapped under `items`.
pub fn output_schema(signature: &Signature) -> Value {
    let schema = type_schema(&signature.output);
    if !matches!(signature.output.kind, TypeKind::List(_)) {
        return schema;
    }
    json!({
        "type": "object",
        "properties": { "items": schema },
        "required": ["items"],
        "additionalProperties": false,
    })
}

/// The schema of a type. A final `?` only counts for the type of a field.
pub fn type_schema(ty: &Type) -> Value {
    match &ty.kind {
        TypeKind::Primitive(primitive) => json!({ "type": primitive.facts().json_type }),
        TypeKind::List(element) => json!({ "type": "array", "items": type_schema(element) }),
        TypeKind::Record(fields) => record(fields),
        TypeKind::Unknown => json!({}),
    }
}

/// Of two fields with one name the last one counts.
fn record(fields: &[Field]) -> Value {
    let mut properties = Map::new();
    let mut last = HashMap::default();
    for (index, field) in fields.iter().enumerate() {
        properties.insert(field.name.clone(), type_schema(&field.ty));
        last.insert(field.name.as_str(), index);
    }
    let is_last = |(index, field): &(usize, &Field)| last.get(&*field.name) == Some(index);
    let required = { fields.iter().enumerate() }
        .filter(is_last)
        .filter(|(_, field)| !field.ty.optional)
        .map(|(_, field)| field.name.as_str());
    let required: Vec<_> = required.collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}
