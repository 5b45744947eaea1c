//! What the operations on values share: the request's value and type, and findings as JSON.

use serde::Serialize;

use super::{Request, signature, text};
use crate::{
    contract::{Direction, Finding, Path, Value, json},
    model::{Edition, Type, TypeKind},
};

/// A finding as it is answered.
#[derive(Serialize)]
pub(super) struct Located<'a> {
    path: &'a Path,
    message: String,
}

/// Findings with their paths.
pub(super) fn located(findings: &[Finding]) -> Vec<Located<'_>> {
    let located = findings.iter().map(|finding| Located {
        path: &finding.path,
        message: finding.kind.to_string(),
    });
    located.collect()
}

/// The `value` of a request.
pub(super) fn value(request: &Request<'_>) -> Result<Value, String> {
    let json = request.get("value").ok_or("the request needs a `value`")?;
    json::read(json.get()).map_err(|error| format!("`value` at bytes {:?}: {error}", error.range))
}

/// The `type` of a request, or the part of its `signature` that values of `direction` have.
pub(super) fn ty(
    request: &Request<'_>,
    direction: Direction,
    edition: Edition,
) -> Result<Type, String> {
    if request.contains_key("signature") {
        let signature = signature(request, "signature", edition)?;
        return Ok(match direction {
            Direction::Input => Type::new(TypeKind::Record(signature.params)),
            Direction::Output => signature.output,
        });
    }
    if text(request, "type").is_err() {
        return Err("the request needs a string in `type` or `signature`".to_owned());
    }
    let signature = signature(request, "type", edition)?;
    Ok(signature.output)
}
