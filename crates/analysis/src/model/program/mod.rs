//! Infers the types in a PTC-Lisp program, as far as they are certain.
//!
//! Tools and inputs have the types that signatures declare; they are inferred through names, keys and the functions of
//! the language. An expression that may evaluate to different types is unknown, and nothing is reported about it.

mod access;
mod bind;
mod eval;
mod expect;
mod function;
mod library;
mod maps;
mod record;
mod special;
mod threads;
mod ty;
mod types;

pub use eval::infer;
pub use ty::{Declared, Origin, Ty, Undeclared};

use crate::model::{Edition, Field, Fields, Signature, Type, fit::Fit};
use signature_ls_source::{host::lisp::Namespace, text::TextRange};

/// What is known around a program.
pub struct World<'a, 'w> {
    /// The edition whose rules hold.
    pub edition: Edition,
    /// The tool of a name, with the name under which it is found.
    pub tool: &'w dyn Fn(&str) -> Option<(&'a str, &'a Signature)>,
    /// The type of an input or of a value of the context.
    pub data: &'w dyn Fn(&str) -> Ty<'a>,
    /// The namespace that a prefix of a name means.
    pub namespace: &'w dyn Fn(&str) -> Option<Namespace>,
    /// The parameters of the function that the program is.
    pub params: Option<&'a Fields>,
    /// The type of what the program returns.
    pub output: Option<&'a Type>,
    /// Whether the program returns what its last form evaluates to. What `return` gives is not validated then.
    pub returns_last: bool,
    /// Whether the places whose type is known are wanted, and not only what cannot be right.
    pub wants_uses: bool,
}

/// What is certain of a program.
#[derive(Debug, Default)]
pub struct Facts<'a> {
    /// The places whose type is known.
    pub uses: Vec<Use<'a>>,
    /// What cannot be right.
    pub faults: Vec<Fault<'a>>,
}

/// A place in a program whose type is known.
#[derive(Debug, Clone)]
pub struct Use<'a> {
    /// Just the name, without colon, quotes and namespace.
    pub range: TextRange,
    /// What the name is.
    pub what: UseKind<'a>,
    /// The type that it has.
    pub ty: Ty<'a>,
}

/// What a name in a program is.
#[derive(Debug, Clone, Copy)]
pub enum UseKind<'a> {
    /// A name that is bound here.
    Binding,
    /// A name that is bound at this place; `None` if it has none in the program.
    Local(Option<TextRange>),
    /// An input or a value of the context.
    Data,
    /// A field that is read.
    Field {
        /// The signature that declares it.
        origin: Origin<'a>,
        /// The field.
        field: &'a Field,
    },
    /// A key of what a tool without a known signature gives. The type of its use has the path.
    Undeclared,
}

/// What cannot be right in a program.
#[derive(Debug, Clone)]
pub enum Fault<'a> {
    /// A key that the value does not have.
    Key {
        /// The name of the key.
        range: TextRange,
        /// That name.
        name: &'a str,
        /// What the value is.
        of: Ty<'a>,
    },
    /// A value of the wrong type.
    Value {
        /// The value.
        range: TextRange,
        /// What it is.
        given: Ty<'a>,
        /// What is wanted.
        wanted: &'a Type,
        /// How it fits.
        fit: Fit,
        /// Who wants it.
        taker: Taker<'a>,
    },
    /// An argument of a tool that arrives without a name in a thread.
    Unnamed {
        /// The value, or the step that calls the tool.
        range: TextRange,
        /// The tool.
        tool: &'a str,
    },
    /// The last key of a map, which has no value.
    Valueless {
        /// The key.
        range: TextRange,
        /// Its name.
        name: &'a str,
    },
    /// A second value that is returned.
    Second(TextRange),
}

impl Fault<'_> {
    /// The place at fault.
    pub fn range(&self) -> TextRange {
        match self {
            Self::Key { range, .. }
            | Self::Value { range, .. }
            | Self::Unnamed { range, .. }
            | Self::Valueless { range, .. }
            | Self::Second(range) => *range,
        }
    }
}

/// Who takes a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taker<'a> {
    /// The tool, where it is not the output of the program.
    pub tool: Option<&'a str>,
    /// The names and indices that lead to the value, in normal form; empty for the whole output.
    pub path: String,
}
