//! `parse`: a signature's tree in the form of the reference's vectors, or its errors.

use serde_json::json;

use super::{Answer, Request, edition, errors, reply, text};
use crate::{ide::standalone::check_signature, model::reference_json};

pub(super) fn run(request: &Request<'_>) -> Answer {
    let (signature, found) = check_signature(&text(request, "text")?, edition(request)?);
    let ast = signature.as_ref().map(reference_json::signature);
    reply(&json!({ "ast": ast, "errors": errors(&found) }))
}
