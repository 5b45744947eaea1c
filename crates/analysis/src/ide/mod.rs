//! Features for editors and commands: one file per feature, one file per rule.
//!
//! A feature is a function from a [`Document`] (and a place in it) to plain data in byte offsets, without LSP types,
//! I/O, a clock or global state, except for the vocabulary of [`tokens`]. This file is the facade: it lists the
//! features and their types.

mod analysis;
#[cfg(test)]
mod broken_tests;
mod diagnostic;
mod directives;
mod distant;
mod document;
mod duplicate_tools;
mod fragment;
mod functions;
mod inference;
mod literal;
mod mentions;
mod names;
mod place;
pub mod rules;
mod scan;
mod settings;
mod specs;
mod suppression;
#[cfg(test)]
mod testing;
mod tools;
mod unfinished;
mod unit;

// The features.
mod completion;
mod fixes;
mod flow;
mod folding;
mod format;
mod highlights;
mod hover;
mod inlay_hints;
mod lenses;
mod linked_editing;
mod links;
mod listing;
mod navigation;
mod outline;
mod preview;
mod program;
mod refactor;
mod rename;
mod selection;
mod semantic_tokens;
mod shared;
mod signature_help;
pub mod standalone;
mod symbols;
mod syntax_tree;
pub mod tokens;

pub use diagnostic::{Diagnostic, Fix, Related, Rule, Sample, Severity};
pub use distant::{Declaration, Distant, declared_at, declared_by_functions};
pub use document::{Difference, Document, Once, Version};
pub use functions::{Answers, Asks, Candidates, ToolFunctions, tool_functions};
pub use settings::{Hints, Level, Settings};
pub use suppression::{Findings, Reported};

pub use completion::{
    Completion, CompletionKind, Completions, Documentation, MOST_COMPLETIONS, completion,
    names_function,
};
pub use fixes::{
    carries_fixes, fix_all, fix_all_of, fixable, ignored_on_lines, keep_carried, quick_fixes,
    safe_edits,
};
pub use folding::{Fold, folding};
pub use format::{format, format_range, format_signatures};
pub use highlights::{Highlight, highlights};
pub use hover::{Hover, hover};
pub use inlay_hints::{InlayHint, inlay_hints};
pub use lenses::{Lens, LensKind, counted_at, lenses};
pub use linked_editing::linked_ranges;
pub use links::{RuleLink, rule_links};
pub use listing::{Listed, listing, shown_first};
use listing::{Unsigned, listing_in, without_signature};
pub(crate) use listing::{description_at, description_of};
pub use names::{Member, Returned};
pub use navigation::{
    FunctionLink, Link, Meaning, definitions, functions_at, references, type_definitions,
};
pub use outline::{Agent, NamedFunction, NamedTool, Outline, agent_at, outline, tool_at};
pub use preview::{Part, PartKind, Preview, preview_at, previews, previews_with};
pub use refactor::{Offer, Refactoring, Unavailable, offers, refactorings};
pub use rename::{
    Refusal, Renamable, Taker, prepare_rename, prepare_shared, rename, rename_shared,
    shared_by_rename, shared_with, takers_at, takers_of,
};
pub use selection::selection;
pub use semantic_tokens::{SemanticToken, TokenKind, semantic_tokens};
pub use shared::{Shared, SharedPlace, declares, places_of, shared_at};
pub use signature_help::{SignatureHelp, signature_help};
pub use symbols::{Symbol, SymbolKind, symbols};
pub use syntax_tree::{TreeNode, syntax_trees};
pub use tools::FunctionSignatures;
