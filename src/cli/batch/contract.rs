//! Shared by the operations on values: the value and the type of a request, and findings as JSON.

use serde::Serialize;

use super::Request;
use signature_ls_analysis::{
    contract::{Direction, Finding, Path, Value, json},
    model::{Edition, Type, TypeKind},
};

/// A finding in an answer.
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
    let json = request.raw("value").ok_or("the request needs a `value`")?;
    json::read(json).map_err(|error| format!("`value` at bytes {:?}: {error}", error.range))
}

/// The type that values of `direction` have: the `type` of a request, or that part of its `signature`. A text with
/// parameters is read as a signature under either key.
pub(super) fn ty(
    request: &Request<'_>,
    direction: Direction,
    edition: Edition,
) -> Result<Type, String> {
    let is_given = |field| Ok::<_, String>(request.optional_text(field)?.is_some());
    let (has_type, has_signature) = (is_given("type")?, is_given("signature")?);
    let field = match (has_type, has_signature) {
        (true, true) => return Err("give `type` or `signature`, not both".to_owned()),
        (false, false) => {
            return Err("the request needs a string in `type` or `signature`".to_owned());
        }
        (true, false) => "type",
        (false, true) => "signature",
    };
    let signature = request.signature(field, edition)?;
    let is_arguments =
        direction == Direction::Input && (has_signature || !signature.params.is_empty());
    Ok(match is_arguments {
        true => Type::new(TypeKind::Record(signature.params)),
        false => signature.output,
    })
}
