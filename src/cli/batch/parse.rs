//! `parse`: the tree of a signature in the form of the reference's test vectors, or its errors.

use serde_json::json;

use super::{Answer, Request, errors, reply};
use signature_ls_analysis::{ide::standalone::check_signature, model::reference_json};

pub(super) fn run(request: &Request<'_>) -> Answer {
    let (signature, found) = check_signature(&request.text("text")?, request.edition()?);
    let ast = signature.as_ref().map(reference_json::signature);
    reply(&json!({ "ast": ast, "errors": errors(&found) }))
}
