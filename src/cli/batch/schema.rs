//! `schema`: the JSON Schemas of a signature's inputs and output, or the signature of such schemas.

use serde_json::{Value, json};

use super::{Answer, Request, errors, reply};
use signature_ls_analysis::{
    ide::standalone::check_signature,
    model::json_schema::{input_schema, output_schema, signature_from_schemas},
};

pub(super) fn run(request: &Request<'_>) -> Answer {
    if request.raw("output").is_some() {
        return read(request);
    }
    let (signature, found) = check_signature(&request.text("text")?, request.edition()?);
    reply(&json!({
        "input": signature.as_ref().map(input_schema),
        "output": signature.as_ref().map(output_schema),
        "errors": errors(&found),
    }))
}

fn read(request: &Request<'_>) -> Answer {
    let schema = |field| request.optional::<Value>(field, "a schema");
    let no_arguments = || json!({ "type": "object", "properties": {} });
    let input = schema("input")?.unwrap_or_else(no_arguments);
    let output = schema("output")?.unwrap_or_default();
    match signature_from_schemas(&input, &output) {
        Ok(signature) => reply(&json!({ "text": signature.to_string(), "errors": [] })),
        Err(error) => {
            let error = json!({ "pointer": error.pointer, "message": error.reason.to_string() });
            reply(&json!({ "text": null, "errors": [error] }))
        }
    }
}
