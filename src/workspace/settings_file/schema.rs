//! The JSON Schema of a settings file.

use serde_json::{Map, Value, json};

use super::{
    names,
    table::{Kind, SETTINGS, Setting},
};
use crate::workspace::config::MOST_NAMES;
use signature_ls_source::host::NameKind;

/// The JSON Schema of `signature-ls.toml`.
pub fn schema() -> Value {
    let mut schema = object(&SETTINGS);
    let head = [
        ("$schema", "http://json-schema.org/draft-07/schema#"),
        ("title", "Settings of signature-ls"),
    ];
    let mut all = Map::new();
    all.extend(head.map(|(key, value)| (key.to_owned(), json!(value))));
    if let Value::Object(schema) = &mut schema {
        all.append(schema);
    }
    Value::Object(all)
}

fn object(settings: &[Setting]) -> Value {
    let properties: Map<_, _> = settings
        .iter()
        .map(|it| (it.name.to_owned(), property(it)))
        .collect();
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

pub(super) fn property(setting: &Setting) -> Value {
    let mut property = match &setting.kind {
        Kind::Table(settings) => object(settings),
        Kind::Word {
            words,
            can_be_empty,
        } => {
            let mut words: Vec<_> = words.iter().map(|it| it.word).collect();
            words.extend(can_be_empty.then_some(""));
            json!({"type": "string", "enum": words})
        }
        Kind::Number {
            least,
            most,
            default,
        } => json!({"type": "integer", "minimum": least, "maximum": most, "default": default}),
        Kind::Flag { default } => json!({"type": "boolean", "default": default}),
        Kind::Names { names, .. } => {
            let pattern = match names {
                NameKind::Key => names::KEY,
                NameKind::Call => names::CALL,
            };
            json!({
                "type": "array",
                "items": {"type": "string", "pattern": pattern},
                "maxItems": MOST_NAMES,
            })
        }
    };
    property["description"] = json!(setting.about);
    property
}
