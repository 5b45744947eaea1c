//! `typespec`: the signature that a `@spec` implies.

use serde_json::json;

use super::{Answer, Request, reply};
use signature_ls_analysis::model::typespec::{DeclaredTypes, extract};

pub(super) fn run(request: &Request<'_>) -> Answer {
    let spec = request.text("spec")?;
    let head = request.optional_text("def")?;
    let mut types = DeclaredTypes::default();
    let declarations = request.optional::<Vec<String>>("types", "a list of strings")?;
    for declaration in declarations.unwrap_or_default() {
        types.declare(&declaration);
    }
    let extracted = extract(&spec, head.as_deref(), &types);
    reply(&json!({ "signature": extracted.map(|extracted| extracted.text()) }))
}
