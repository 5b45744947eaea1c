//! Signatures of Elixir's `@spec`s, as the reference infers them for tools without one.
//!
//! This parses the text of one attribute or of the head of one function. Types without a counterpart become `:any`,
//! and their places are reported.

mod convert;
mod expr;
mod head;
mod parser;
mod words;

use std::sync::{Arc, Mutex, OnceLock};

use foldhash::{HashMap, HashMapExt};

use crate::model::{Edition, Signature};
use convert::Expanded;
use expr::Expr;
use signature_ls_source::text::TextRange;
use words::Words;

/// The types of a module, for the specs in it.
#[derive(Debug, Default)]
pub struct DeclaredTypes {
    /// `None` for an opaque or a private type: the reference does not expand them.
    by_name: HashMap<String, Option<Expr>>,
    /// What the large ones stand for, by name and the number of types around them that are expanded.
    expanded: Mutex<HashMap<(String, usize), OnceExpanded>>,
}

/// What a type stands for, which the first thread converts that needs it.
type OnceExpanded = Arc<OnceLock<Arc<Expanded>>>;

/// A signature inferred from a spec.
#[derive(Debug, Clone)]
pub struct Extracted {
    /// The signature.
    pub signature: Arc<Signature>,
    /// The signature as the reference writes it.
    words: Words,
    /// Where the spec is more precise than the resulting `:any`; in bytes of the spec's text.
    pub unmapped: Vec<TextRange>,
}

impl Extracted {
    /// The signature as the reference writes it. It may be one that no parser accepts: it puts a `?` after lists,
    /// records and other `?`.
    pub fn text(&self) -> String {
        self.words.to_string()
    }

    /// The same, at most its first `most` bytes and the character after them.
    pub fn beginning(&self, most: usize) -> String {
        self.words.first(most)
    }

    /// Whether a parser of `edition` accepts the signature that the reference writes.
    pub fn is_accepted(&self, edition: Edition) -> bool {
        self.words.is_accepted(edition)
    }
}

impl DeclaredTypes {
    /// No types, with room for `count`.
    pub fn with_capacity(count: usize) -> Self {
        Self {
            by_name: HashMap::with_capacity(count),
            expanded: Mutex::default(),
        }
    }

    /// Adds the types that `text` declares with `@type`, `@typep` and `@opaque`. Anything else is skipped, and so are
    /// types with parameters.
    pub fn declare(&mut self, text: &str) {
        for declaration in parser::declarations(text) {
            self.by_name
                .entry(declaration.name)
                .or_insert(declaration.definition);
        }
    }
}

/// The signature that `spec` (`@spec name(type, …) :: type`) gives the function with `head` (`def name(pattern, …)`).
/// Without a head, parameters are called `arg0`, `arg1` and so on. `None` if the spec cannot be parsed, or has type
/// variables.
pub fn extract(spec: &str, head: Option<&str>, types: &DeclaredTypes) -> Option<Extracted> {
    let spec = parser::spec(spec)?;
    let names = head.map(head::parameter_names).unwrap_or_default();
    Some(convert::signature(&spec, &names, types))
}

#[cfg(test)]
mod tests;
