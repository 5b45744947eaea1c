//! `template`: the names that a prompt asks for, and its errors.

use serde_json::{Value, json};

use super::{Request, edition, errors, text};
use crate::{ide::standalone::check_template, syntax::template::names::names};

pub(super) fn run(request: &Request) -> Result<Value, String> {
    let text = text(request, "text")?;
    let found = check_template(text, edition(request)?);
    Ok(json!({ "names": names(text), "errors": errors(&found) }))
}
