//! Signatures from Elixir's `@spec`, as the reference extracts them for tools without one.
//!
//! This is no reader of Elixir: it takes the text of one attribute or of the head of one function. What
//! has no counterpart among our types becomes `:any`, and its place is reported.

mod convert;
mod expr;
mod head;
mod parser;

use std::collections::HashMap;

use crate::{
    model::{Edition, Signature, parse_signature},
    text::TextRange,
};
use expr::Expr;

/// The types that a module declares, for specs of the same module.
#[derive(Debug, Clone, Default)]
pub struct DeclaredTypes {
    /// `None` for an opaque or a private type: the reference does not look into them.
    by_name: HashMap<String, Option<Expr>>,
}

/// A signature extracted from a spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extracted {
    /// What is known of the function.
    pub signature: Signature,
    /// The signature as the reference writes it. It may be one that no parser reads: it puts a `?` after
    /// lists, records and other `?`.
    pub text: String,
    /// Where the spec says more than `:any`, which is what became of it; in bytes of the spec's text.
    pub unmapped: Vec<TextRange>,
}

impl Extracted {
    /// Whether a parser of `edition` reads the signature that the reference writes.
    pub fn is_accepted(&self, edition: Edition) -> bool {
        parse_signature(&self.text, edition).0.is_some()
    }
}

impl DeclaredTypes {
    /// Adds the types that `text` declares by `@type`, `@typep` and `@opaque`. What is no such
    /// declaration is passed over, and so are types with parameters.
    pub fn declare(&mut self, text: &str) {
        for declaration in parser::declarations(text) {
            self.by_name
                .entry(declaration.name)
                .or_insert(declaration.definition);
        }
    }
}

/// The signature that `spec` (`@spec name(type, …) :: type`) gives the function whose head is `head`
/// (`def name(pattern, …)`). Without a head, parameters are called `arg0`, `arg1` and so on. `None` where
/// the spec cannot be read, or has type variables.
pub fn extract(spec: &str, head: Option<&str>, types: &DeclaredTypes) -> Option<Extracted> {
    let spec = parser::spec(spec)?;
    let names = head.map(head::parameter_names).unwrap_or_default();
    Some(convert::signature(&spec, &names, types))
}

#[cfg(test)]
mod tests;
