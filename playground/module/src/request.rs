//! What a page asks.

use serde::Deserialize;

use crate::positions::{Change, Range};

/// What a page asks, as `{"name": {…}}`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) enum Request {
    /// The kinds of file, the editions and the version.
    About {},
    /// Another text takes the place of all that was open.
    Open(Open),
    /// Disjoint changes of the text, in its order; offsets are those before any of them.
    Edit {
        changes: Vec<Change>,
    },
    /// What is wrong.
    Diagnostics {},
    /// The colored words in a range.
    Tokens(Range),
    Hover(At),
    Completion(At),
    SignatureHelp(At),
    /// The quick fixes and refactorings at a range.
    Actions(Range),
    Definition(At),
    TypeDefinition(At),
    /// What can be selected around a place, the smallest first.
    Selection(At),
    /// The places that name the same, the definition included.
    References(At),
    PrepareRename(At),
    Rename {
        at: usize,
        name: String,
    },
    Format {},
    Symbols {},
    /// The lines that can be folded.
    Folding {},
    InlayHints(Range),
    /// The edits of all safe fixes.
    FixAll {},
    /// The trees of the strings around a place.
    Tree(At),
    /// The types of the signature at a place, declared for programs.
    Types(At),
    /// The JSON Schemas of the signature at a place.
    Schema(At),
    /// What a model is sent for the agent at a place.
    Preview(Preview),
    /// What is wrong with a JSON value as the inputs of the signature at a place.
    CheckInputs {
        at: usize,
        json: String,
    },
    /// Ends the module as a fault in it would: so that a page can test its recovery.
    Panic {},
}

/// The text and how to read it.
#[derive(Debug, Deserialize)]
pub(crate) struct Open {
    /// An extension of the kind of file, such as `ex`.
    pub(crate) kind: String,
    pub(crate) text: String,
    /// The name of the edition; the newest released one where it is left out.
    pub(crate) edition: Option<String>,
}

/// A place.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct At {
    pub(crate) at: usize,
}

/// Which preview is asked for.
#[derive(Debug, Deserialize)]
pub(crate) struct Preview {
    pub(crate) at: usize,
    /// Inputs as JSON.
    pub(crate) inputs: Option<String>,
    /// Which of the samples beside the agent gives the values, from 0, where no inputs are given.
    pub(crate) sample: Option<usize>,
}
