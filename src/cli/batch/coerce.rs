//! `coerce`: coerces a value to an input type.

use serde::Serialize;
use serde_json::value::RawValue;

use super::{
    Answer, Request,
    contract::{Located, located, ty, value},
    reply,
};
use signature_ls_analysis::contract::{Direction, Mode, Value, check, coerce, json};

#[derive(Serialize)]
struct Coerced<'a> {
    /// Null if there are errors.
    value: Option<Box<RawValue>>,
    warnings: Vec<Located<'a>>,
    errors: Vec<Located<'a>>,
}

pub(super) fn run(request: &Request<'_>) -> Answer {
    let edition = request.edition()?;
    let ty = ty(request, Direction::Input, edition)?;
    let value = value(request)?;
    let report = check(&value, &ty, Direction::Input, Mode::Enabled, edition);
    let coerced = match report.errors.is_empty() {
        true => Some(as_json(&coerce(&value, &ty, edition).value)?),
        false => None,
    };
    reply(&Coerced {
        value: coerced,
        warnings: located(&report.warnings),
        errors: located(&report.errors),
    })
}

fn as_json(value: &Value) -> Answer {
    RawValue::from_string(json::write(value)).map_err(|error| error.to_string())
}
