//! `schema`: the JSON Schemas of a signature's inputs and output, or the signature of such schemas.

use serde_json::{Value, json};

use super::{Answer, Request, edition, errors, reply, text};
use crate::{
    ide::standalone::check_signature,
    model::json_schema::{input_schema, output_schema, signature_from_schemas},
};

pub(super) fn run(request: &Request<'_>) -> Answer {
    if request.contains_key("output") {
        return read(request);
    }
    let (signature, found) = check_signature(&text(request, "text")?, edition(request)?);
    reply(&json!({
        "input": signature.as_ref().map(input_schema),
        "output": signature.as_ref().map(output_schema),
        "errors": errors(&found),
    }))
}

fn read(request: &Request<'_>) -> Answer {
    let schema = |field| -> Result<Option<Value>, String> {
        let json = request
            .get(field)
            .map(|json| serde_json::from_str(json.get()));
        json.transpose()
            .map_err(|error| format!("`{field}`: {error}"))
    };
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
