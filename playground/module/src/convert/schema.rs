//! The JSON Schemas of a tool or agent.

use serde::Serialize;
use serde_json::Value;
use signature_ls_analysis::{
    ide::Document,
    model::json_schema::{input_schema, output_schema},
};
use signature_ls_source::text::TextSize;

use super::listed_near;
use crate::positions::{Range, range};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Schema {
    name: Option<String>,
    description: Option<String>,
    range: Range,
    input: Value,
    output: Value,
}

/// The schemas of the tool or agent nearest to `offset`.
pub(super) fn schema(document: &Document, offset: TextSize) -> Option<Schema> {
    let listed = listed_near(document, offset)?;
    Some(Schema {
        range: range(document.text(), listed.range),
        input: input_schema(&listed.signature),
        output: output_schema(&listed.signature),
        name: listed.name,
        description: listed.description,
    })
}
