//! `fix`: a signature after all safe fixes.

use serde_json::{Value, json};

use super::{Request, edition, text};
use crate::ide::standalone::fix_signature;

pub(super) fn run(request: &Request) -> Result<Value, String> {
    let (text, applied) = fix_signature(text(request, "text")?, edition(request)?);
    Ok(json!({ "text": text, "applied": applied }))
}
