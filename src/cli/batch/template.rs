//! `template`: the names in a prompt, and its errors.

use serde_json::json;

use super::{Answer, Request, errors, reply};
use signature_ls_analysis::ide::standalone::check_template;
use signature_ls_source::syntax::template::names::names;

pub(super) fn run(request: &Request<'_>) -> Answer {
    let text = request.text("text")?;
    let found = check_template(&text, request.edition()?);
    reply(&json!({ "names": names(&text), "errors": errors(&found) }))
}
