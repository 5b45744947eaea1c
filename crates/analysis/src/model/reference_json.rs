//! Signatures in the JSON format of the reference's test vectors, for scripts.
//!
//! A signature is `{"params": [[name, type]…], "output": type}`; a type is a word, `{"optional": type}`,
//! `{"list": type}` or `{"map": [[name, type]…]}`.

use serde_json::{Value, json};

use crate::model::{Field, Signature, Type, TypeKind};

/// A whole signature.
pub fn signature(signature: &Signature) -> Value {
    json!({ "params": fields(&signature.params), "output": ty(&signature.output) })
}

fn fields(fields: &[Field]) -> Value {
    fields
        .iter()
        .map(|field| json!([field.name, ty(&field.ty)]))
        .collect()
}

fn ty(it: &Type) -> Value {
    let kind = match &it.kind {
        TypeKind::Primitive(primitive) => json!(primitive.word()),
        TypeKind::List(element) => json!({ "list": ty(element) }),
        TypeKind::Record(it) => json!({ "map": fields(it) }),
        TypeKind::Unknown => Value::Null,
    };
    if it.optional {
        json!({ "optional": kind })
    } else {
        kind
    }
}
