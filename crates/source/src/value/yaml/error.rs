//! Errors of YAML texts.

use std::fmt;

use crate::{text::TextRange, value::MAX_DEPTH};

/// Why a YAML text has no value, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// In bytes of the text; empty if only a point is known.
    pub range: TextRange,
}

/// The kinds of errors in YAML text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorKind {
    /// A syntax error; the message of the parser.
    Syntax(String),
    /// A list or a map as a key.
    CompoundKey,
    /// A second document.
    SecondDocument,
    /// `.inf`, `.nan` or a number out of the range of a float.
    NumberOutOfRange,
    /// A tag that does not match its value, as in `!!int x`.
    TagMismatch,
    /// An alias inside the value that it refers to.
    CyclicAlias,
    /// Aliases that expand beyond the limit.
    TooManyAliases,
    /// Lists and maps nest deeper than [`MAX_DEPTH`].
    TooDeep,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = match self {
            Self::Syntax(info) => info,
            Self::TooDeep => {
                return write!(
                    f,
                    "nested deeper than {MAX_DEPTH} levels; flatten the value"
                );
            }
            Self::CompoundKey => "a key must be a scalar",
            Self::SecondDocument => "only one document is expected; remove the second `---`",
            Self::NumberOutOfRange => "the number is not finite or too large for a float",
            Self::TagMismatch => "the value is not of its tag",
            Self::CyclicAlias => "the alias is inside of the value that it refers to",
            Self::TooManyAliases => "the aliases make the value too large",
        };
        f.write_str(message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for Error {}
