//! Errors of JSON texts.

use std::fmt;

use crate::{text::TextRange, value::MAX_DEPTH};

/// Why a text is no JSON, and the place of just the fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// In bytes of the text; empty at its end where something is missing.
    pub range: TextRange,
}

/// What can be wrong with JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// Something else should be here.
    Expected(&'static str),
    /// A comma with nothing after it.
    TrailingComma,
    /// There is more after the value.
    TextAfterValue,
    /// A string without its second quote.
    UnclosedString,
    /// A line break or another control character in a string.
    ControlCharacter,
    /// A backslash before what it cannot escape.
    UnknownEscape,
    /// Half of a character outside of the basic plane.
    LoneSurrogate,
    /// Digits that form no number, such as `01`, `1.` or `+1`.
    MalformedNumber,
    /// A number with a fraction or an exponent beyond what a float holds.
    NumberOutOfRange,
    /// Lists and maps inside each other beyond [`MAX_DEPTH`].
    TooDeep,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = match self {
            Self::Expected(what) => return write!(f, "expected {what}"),
            Self::TooDeep => {
                return write!(
                    f,
                    "nested deeper than {MAX_DEPTH} levels; flatten the value"
                );
            }
            Self::TrailingComma => "remove the comma; nothing follows it",
            Self::TextAfterValue => "unexpected text after the value",
            Self::UnclosedString => "the string is not closed; add a `\"`",
            Self::ControlCharacter => "control character in a string; escape it, as in `\\n`",
            Self::UnknownEscape => "unknown escape; write `\\\\` for a backslash",
            Self::LoneSurrogate => "half of a surrogate pair; write both, or the character itself",
            Self::MalformedNumber => "this is no JSON number",
            Self::NumberOutOfRange => "the number is too large for a float",
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
