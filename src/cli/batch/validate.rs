//! `validate`: validates a value against a type.

use serde_json::json;

use super::{
    Answer, Request,
    contract::{located, ty, value},
    reply,
};
use signature_ls_analysis::contract::{Direction, Mode, check};

pub(super) fn run(request: &Request<'_>) -> Answer {
    let edition = request.edition()?;
    let direction = match request.optional_text("direction")?.as_deref() {
        None | Some("output") => Direction::Output,
        Some("input") => Direction::Input,
        Some(other) => return Err(format!("unknown direction `{other}`; use input or output")),
    };
    let mode = match request.optional_text("mode")? {
        None => Mode::default(),
        Some(name) => name.parse()?,
    };
    let ty = ty(request, direction, edition)?;
    let report = check(&value(request)?, &ty, direction, mode, edition);
    reply(&json!({
        "errors": located(&report.errors),
        "warnings": located(&report.warnings),
    }))
}
