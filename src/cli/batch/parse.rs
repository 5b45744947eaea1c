//! `parse`: a signature's tree in the form of the reference's vectors, or its errors.

use serde_json::{Value, json};

use super::{Request, edition, errors, text};
use crate::{ide::standalone::check_signature, model::reference_json};

pub(super) fn run(request: &Request) -> Result<Value, String> {
    let (signature, found) = check_signature(text(request, "text")?, edition(request)?);
    let ast = signature.as_ref().map(reference_json::signature);
    Ok(json!({ "ast": ast, "errors": errors(&found) }))
}
