//! Errors of JSON texts.

use std::fmt;

use crate::{text::TextRange, value::MAX_DEPTH};

/// Why a text is not JSON, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// In bytes of the text; empty and at its end if something is missing.
    pub range: TextRange,
}

/// The kinds of errors in JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// Something else is expected here.
    Expected(&'static str),
    /// A comma with nothing after it.
    TrailingComma,
    /// There is text after the value.
    TextAfterValue,
    /// A string without its closing quote.
    UnclosedString,
    /// A line break or another control character in a string.
    ControlCharacter,
    /// An invalid escape.
    UnknownEscape,
    /// Half of a surrogate pair.
    LoneSurrogate,
    /// An invalid number, such as `01`, `1.` or `+1`.
    MalformedNumber,
    /// A number with a fraction or an exponent that is out of the range of a float.
    NumberOutOfRange,
    /// Lists and maps nest deeper than [`MAX_DEPTH`].
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
            Self::MalformedNumber => "this is not a JSON number",
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
