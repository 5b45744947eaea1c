//! JSON Schema (draft 2020-12) of signatures, and signatures of JSON Schemas.
//!
//! The schemas are sent to providers of models, whose strict modes reject unknown keywords: hence no `format`, no
//! `$schema`, and an object for `:any`.

mod read;
mod write;

#[cfg(test)]
use read::type_from_schema;
pub use read::{Reason, SchemaError, signature_from_schemas};
pub use write::{input_schema, output_schema, type_schema};

#[cfg(test)]
mod tests;
