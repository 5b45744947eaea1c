//! What an editor or a command asks of a document: one file a feature, one file a diagnostic rule.
//!
//! A feature is a function from a [`Document`] (and a place in it) to plain data in byte offsets. There
//! is no LSP type here, no input or output, no clock and no global state.

mod diagnostic;
mod directives;
mod document;
mod duplicate_tools;
mod fixes;
mod format;
mod functions;
mod highlights;
mod hover;
mod listing;
mod names;
mod navigation;
pub mod rules;
mod settings;
pub mod standalone;
mod suppression;
#[cfg(test)]
mod testing;
mod tools;
mod unit;

pub use diagnostic::{Diagnostic, Fix, Rule, Sample, Severity};
pub use document::Document;
pub use fixes::safe_edits;
pub use format::format;
pub use functions::Functions;
pub use highlights::{Highlight, highlights};
pub use hover::{Hover, hover};
pub use listing::{Listed, listing};
pub use navigation::{Link, definitions, references, type_definitions};
pub use settings::{Level, Settings};
pub use suppression::Findings;
