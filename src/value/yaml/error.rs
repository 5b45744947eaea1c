//! Errors of YAML texts.

use std::fmt;

use crate::{text::TextRange, value::MAX_DEPTH};

/// Why a YAML text has no value, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// In bytes of the text; empty where only a point is known.
    pub range: TextRange,
}

/// What can be wrong with YAML text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorKind {
    /// It does not follow the grammar; the parser's own words.
    Syntax(String),
    /// A list or a map is as a key.
    CompoundKey,
    /// A second document begins.
    SecondDocument,
    /// `.inf`, `.nan` or a number beyond what a float holds.
    NumberOutOfRange,
    /// A tag that does not fit what follows, as in `!!int x`.
    TagMismatch,
    /// An alias inside of the value that it refers to.
    CyclicAlias,
    /// Aliases that multiply the text beyond all measure.
    TooManyAliases,
    /// Lists and maps inside each other beyond [`MAX_DEPTH`].
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
