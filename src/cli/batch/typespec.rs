//! `typespec`: the signature that a function's `@spec` gives.

use serde_json::json;

use super::{Answer, Request, optional_text, reply, text};
use crate::model::typespec::{DeclaredTypes, extract};

pub(super) fn run(request: &Request<'_>) -> Answer {
    let spec = text(request, "spec")?;
    let head = optional_text(request, "def")?;
    let mut types = DeclaredTypes::default();
    if let Some(declarations) = request.get("types") {
        let declarations: Vec<String> = serde_json::from_str(declarations.get())
            .map_err(|_| "`types` is a list of strings".to_owned())?;
        for declaration in declarations {
            types.declare(&declaration);
        }
    }
    let extracted = extract(&spec, head.as_deref(), &types);
    reply(&json!({ "signature": extracted.map(|extracted| extracted.text) }))
}
