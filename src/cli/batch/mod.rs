//! `signature-ls batch`: answers JSON requests from stdin, one per line, each with one line of JSON.
//!
//! For scripts and for tests of other programs. An operation is a file in this folder and a line in [`OPERATIONS`]. A
//! line that cannot be answered gets `{"error": "…"}`, and the next one is read.

mod coerce;
mod contract;
mod fix;
mod parse;
mod render;
mod request;
mod schema;
mod template;
mod typespec;
mod validate;

use std::{
    io::{self, BufRead, Write},
    panic::catch_unwind,
    process::ExitCode,
};

use serde::Serialize;
use serde_json::{
    Value, json,
    value::{RawValue, to_raw_value},
};

use request::Request;
use signature_ls_analysis::ide::{Diagnostic, Severity};

/// The JSON of an answer, or what is wrong with the request.
type Answer = Result<Box<RawValue>, String>;

/// An operation.
type Operation = fn(&Request<'_>) -> Answer;

/// Each operation and its name in `op`.
const OPERATIONS: &[(&str, Operation)] = &[
    ("coerce", coerce::run),
    ("fix", fix::run),
    ("parse", parse::run),
    ("render", render::run),
    ("schema", schema::run),
    ("template", template::run),
    ("typespec", typespec::run),
    ("validate", validate::run),
];

/// The byte order mark that some programs write first.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Answers every line of `input` on `output`.
///
/// # Errors
/// If one of the two fails.
pub(super) fn run(mut input: impl BufRead, mut output: impl Write) -> io::Result<ExitCode> {
    let mut line = Vec::new();
    let mut is_first = true;
    while input.read_until(b'\n', &mut line)? > 0 {
        let mark: &[u8] = if is_first { BYTE_ORDER_MARK } else { b"" };
        is_first = false;
        let request = line.strip_prefix(mark).unwrap_or(&line);
        match answer(request.trim_ascii_end()) {
            Ok(answer) => output.write_all(answer.get().as_bytes())?,
            Err(error) => serde_json::to_writer(&mut output, &json!({ "error": error }))?,
        }
        output.write_all(b"\n")?;
        output.flush()?;
        line.clear();
    }
    Ok(ExitCode::SUCCESS)
}

fn answer(line: &[u8]) -> Answer {
    let request: Request<'_> = serde_json::from_slice(line)
        .map_err(|error| format!("each line must be a JSON object: {error}"))?;
    let name = request.text("op")?;
    let (_, operation) = OPERATIONS
        .iter()
        .find(|(known, _)| *known == name)
        .ok_or_else(|| format!("unknown op `{name}`"))?;
    catch_unwind(|| operation(&request))
        .unwrap_or_else(|_| Err("signature-ls failed; please report it".to_owned()))
}

fn reply(answer: &impl Serialize) -> Answer {
    to_raw_value(answer).map_err(|error| error.to_string())
}

/// The errors among findings as `{"code", "message", "range"}`, ranges in bytes.
fn errors(found: &[Diagnostic]) -> Value {
    let errors = found
        .iter()
        .filter(|it| it.severity == Severity::Error)
        .map(|it| {
            let range = [u32::from(it.range.start()), u32::from(it.range.end())];
            json!({ "code": it.rule.code, "message": it.message, "range": range })
        });
    errors.collect()
}

#[cfg(test)]
mod tests;
