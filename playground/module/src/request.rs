//! The requests of a page.

use serde::Deserialize;

use crate::positions::{Change, Range};

/// A request, as `{"name": {…}}`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) enum Request {
    /// The kinds of file, the editions and the version.
    About(Nothing),
    /// Opens another text instead of the current one.
    Open(Open),
    /// Disjoint changes of the text, in its order; offsets are those before all of them.
    Edit(Edit),
    /// The diagnostics.
    Diagnostics(Nothing),
    /// The colored words in a range.
    Tokens(Range),
    Hover(At),
    Completion(At),
    SignatureHelp(At),
    /// The quick fixes and refactorings at a range.
    Actions(Range),
    Definition(At),
    TypeDefinition(At),
    /// The ranges that can be selected around a place, the smallest first.
    Selection(At),
    /// All occurrences of a name, including its definition.
    References(At),
    PrepareRename(At),
    Rename {
        at: usize,
        name: String,
    },
    Format(Nothing),
    Symbols(Nothing),
    /// The lines that can be folded.
    Folding(Nothing),
    InlayHints(Range),
    /// The edits of all safe fixes.
    FixAll(Nothing),
    /// The trees of the strings around a place.
    Tree(At),
    /// The types of the signature at a place, declared for programs.
    Types(At),
    /// The JSON Schemas of the signature at a place.
    Schema(At),
    /// What a model receives for the agent at a place.
    Preview(Preview),
    /// The errors in a JSON value as the inputs of the signature at a place.
    CheckInputs {
        at: usize,
        json: String,
    },
    /// Ends the module like a bug in it would, so that a page can test its recovery.
    Panic(Nothing),
}

/// A text, its kind and its edition.
#[derive(Debug, Deserialize)]
pub(crate) struct Open {
    /// An extension of the kind of file, such as `ex`.
    pub(crate) kind: String,
    pub(crate) text: String,
    /// The name of the edition; the newest released one if it is missing.
    pub(crate) edition: Option<String>,
}

/// The parameters of a request without parameters.
#[derive(Debug, Deserialize)]
pub(crate) struct Nothing {}

/// Changes of the text.
#[derive(Debug, Deserialize)]
pub(crate) struct Edit {
    pub(crate) changes: Vec<Change>,
}

/// A place.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct At {
    pub(crate) at: usize,
}

/// The options of a preview.
#[derive(Debug, Deserialize)]
pub(crate) struct Preview {
    pub(crate) at: usize,
    /// Inputs as JSON.
    pub(crate) inputs: Option<String>,
    /// The index of the sample beside the agent that provides the values, if there are no inputs.
    pub(crate) sample: Option<usize>,
}
