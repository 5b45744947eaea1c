//! `template`: the names that a prompt asks for, and its errors.

use serde_json::json;

use super::{Answer, Request, edition, errors, reply, text};
use crate::{ide::standalone::check_template, syntax::template::names::names};

pub(super) fn run(request: &Request<'_>) -> Answer {
    let text = text(request, "text")?;
    let found = check_template(&text, edition(request)?);
    reply(&json!({ "names": names(&text), "errors": errors(&found) }))
}
