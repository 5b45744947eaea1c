//! `signature-ls batch`: JSON requests on standard input, one a line, one JSON answer a line.
//!
//! It is for scripts and for the tests of other programs. An operation is a file beside this one and a
//! line in [`OPERATIONS`]. A line that cannot be answered gets `{"error": "…"}`, and the next one is
//! read.

mod fix;
mod parse;
mod template;

use std::{
    io::{self, BufRead, Write},
    panic::catch_unwind,
    process::ExitCode,
};

use serde_json::{Map, Value, json};

use crate::{
    ide::{Diagnostic, Severity},
    model::Edition,
};

/// The fields of a request.
type Request = Map<String, Value>;

/// What an operation does with a request: its answer, or what is wrong with the request.
type Operation = fn(&Request) -> Result<Value, String>;

/// Each operation under the name that `op` gives it.
const OPERATIONS: &[(&str, Operation)] = &[
    ("fix", fix::run),
    ("parse", parse::run),
    ("template", template::run),
];

/// Answers every line of `input` on `output`.
///
/// # Errors
/// Where one of the two is broken.
pub(super) fn run(mut input: impl BufRead, mut output: impl Write) -> io::Result<ExitCode> {
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let answer = answer(&line).unwrap_or_else(|error| json!({ "error": error }));
        serde_json::to_writer(&mut output, &answer)?;
        output.write_all(b"\n")?;
        output.flush()?;
        line.clear();
    }
    Ok(ExitCode::SUCCESS)
}

fn answer(line: &[u8]) -> Result<Value, String> {
    let request: Request = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    let name = text(&request, "op")?;
    let (_, operation) = OPERATIONS
        .iter()
        .find(|(known, _)| *known == name)
        .ok_or_else(|| format!("unknown op `{name}`"))?;
    catch_unwind(|| operation(&request))
        .unwrap_or_else(|_| Err("signature-ls failed; please report it".to_owned()))
}

/// The text in a field of a request.
fn text<'a>(request: &'a Request, field: &str) -> Result<&'a str, String> {
    request
        .get(field)
        .and_then(Value::as_str)
        .ok_or_else(|| format!("the request needs a string in `{field}`"))
}

/// The edition of a request, the default one where it names none.
fn edition(request: &Request) -> Result<Edition, String> {
    match request.get("edition") {
        None => Ok(Edition::default()),
        Some(Value::String(name)) => name.parse(),
        Some(_) => Err("`edition` is a string".to_owned()),
    }
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
mod tests {
    use super::*;

    #[test]
    fn every_line_is_answered() {
        let input = b"\n{\n[]\n{}\n{\"op\":1}\n{\"op\":\"nothing\"}\n\xff\n{\"op\":\"nothing\"}";
        let mut output = Vec::new();
        let code = run(input.as_slice(), &mut output).expect("nothing is broken");
        assert_eq!(code, ExitCode::SUCCESS);
        let output = String::from_utf8(output).expect("JSON is UTF-8");
        expect_test::expect![[r#"
            {"error":"EOF while parsing a value at line 2 column 0"}
            {"error":"EOF while parsing an object at line 2 column 0"}
            {"error":"invalid type: sequence, expected a map at line 1 column 0"}
            {"error":"the request needs a string in `op`"}
            {"error":"the request needs a string in `op`"}
            {"error":"unknown op `nothing`"}
            {"error":"expected value at line 1 column 1"}
            {"error":"unknown op `nothing`"}
        "#]]
        .assert_eq(&output);
    }
}
