//! What an editor or a command asks of a document: one file a feature, one file a diagnostic rule.
//!
//! A feature is a function from a [`Document`] (and a place in it) to plain data in byte offsets. There
//! is no LSP type here, no input or output, no clock and no global state. This file is the one facade: it
//! lists the features and the types that they speak in.

mod diagnostic;
mod directives;
mod document;
mod functions;
mod names;
pub mod rules;
mod settings;
mod suppression;
mod tools;
mod unit;

// The features.
mod fixes;
mod format;
mod hover;
mod listing;
pub mod standalone;

pub use diagnostic::{Diagnostic, Fix, Rule, Sample, Severity};
pub use document::Document;
pub use functions::{Answers, Asks};
pub use settings::{Level, Settings};
pub use suppression::Findings;

pub use fixes::safe_edits;
pub use format::format;
pub use hover::{Hover, hover};
pub use listing::{Listed, listing};
