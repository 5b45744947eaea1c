//! What a Lisp program does that signatures have a say in: data for checks, no sites.
//!
//! All ranges count from the start of the unit that the program belongs to.

use crate::text::TextRange;

/// The parts of a program that can be checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    /// The function that the unit's signature describes.
    pub function: Option<Function>,
    /// Calls of tools, in the order of the text.
    pub calls: Vec<ToolCall>,
    /// What is returned, in the order of the text.
    pub returns: Vec<Return>,
    /// Names of tools and of context data that are no calls, in the order of the text.
    pub references: Vec<Reference>,
}

impl Program {
    /// Whether there is nothing to check.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The namespace of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Namespace {
    /// `tool/…`: the tools.
    Tool,
    /// `data/…`: the context.
    Data,
    /// `ctx/…`: the context and, where it is called, the tools of early editions.
    Context,
}

/// How a tool is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallStyle {
    /// `(tool/name …)`
    Tool,
    /// `(ctx/name …)`
    Context,
    /// `(call "name" …)`
    Call,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The whole list.
    pub range: TextRange,
    /// The called name with its namespace (`tool/name`), or the word `call`.
    pub head: TextRange,
    /// The tool's name.
    pub name: String,
    /// Where just the name stands, in a string without the quotes.
    pub name_range: TextRange,
    /// How it is called.
    pub style: CallStyle,
    /// What it is called with.
    pub arguments: Arguments,
    /// Whether the call stands in a threading macro (`->`), which adds an argument.
    pub is_threaded: bool,
}

/// The arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arguments {
    /// None at all.
    None,
    /// A map with the names of the arguments as keys.
    Map {
        /// The map.
        range: TextRange,
        /// Its entries whose keys are keywords or strings.
        entries: Vec<NamedArgument>,
        /// Whether those are all of its entries.
        is_complete: bool,
    },
    /// Keywords and values in turn.
    Pairs(Vec<NamedArgument>),
    /// Values without names.
    Positional(Vec<TextRange>),
    /// One expression that may come to a map.
    Dynamic(TextRange),
}

/// A named argument of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedArgument {
    /// Its name, without colon or quotes.
    pub name: String,
    /// The key as it is written.
    pub key: TextRange,
    /// The value; `None` where it is missing.
    pub value: Option<TextRange>,
}

/// `(return value)`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Return {
    /// The whole list.
    pub range: TextRange,
    /// What is returned; `None` where that is missing.
    pub value: Option<TextRange>,
}

/// A name in a namespace, such as `data/x`, that is not called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The name with its namespace.
    pub range: TextRange,
    /// The namespace.
    pub namespace: Namespace,
    /// What stands behind the slash.
    pub name: String,
    /// Where that stands.
    pub name_range: TextRange,
}

/// A function with a signature in its metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub name_range: TextRange,
    /// Its documentation with the quotes.
    pub doc: Option<TextRange>,
    /// A list of parameters for each way to call it.
    pub arities: Vec<Arity>,
}

/// One list of parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arity {
    /// The vector.
    pub range: TextRange,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name; `None` where it is taken apart.
    pub name: Option<String>,
    /// Where it stands.
    pub range: TextRange,
    /// Whether it stands behind `&` and takes all further arguments.
    pub is_rest: bool,
    /// Where it takes a map apart: the keys that it names, without colons, quotes and namespaces.
    pub keys: Vec<(String, TextRange)>,
}
