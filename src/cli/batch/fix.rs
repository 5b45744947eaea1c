//! `fix`: a signature after all safe fixes.

use serde_json::json;

use super::{Answer, Request, reply};
use signature_ls_analysis::ide::standalone::fix_signature;

pub(super) fn run(request: &Request<'_>) -> Answer {
    let (text, applied) = fix_signature(&request.text("text")?, request.edition()?);
    reply(&json!({ "text": text, "applied": applied }))
}
