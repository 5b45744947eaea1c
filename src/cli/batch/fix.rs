//! `fix`: a signature after all safe fixes.

use serde_json::json;

use super::{Answer, Request, edition, reply, text};
use crate::ide::standalone::fix_signature;

pub(super) fn run(request: &Request<'_>) -> Answer {
    let (text, applied) = fix_signature(&text(request, "text")?, edition(request)?);
    reply(&json!({ "text": text, "applied": applied }))
}
