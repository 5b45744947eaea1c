//! Token trees: the one form in which every bracketed host is read.
//!
//! A host's lexer turns its text into [`Token`]s of the [`Kind`]s that all hosts share: brackets, block
//! words, the parts of strings, keys, symbols, comments. [`parse`] nests them, left to right with a
//! stack, into a lossless tree of groups and strings; it knows no grammar beyond what closes what. A
//! further host is an implementation of [`Bracketed`] and a search for patterns in the tree, for which
//! [`Level`] reads the elements of one group.
//!
//! Long lists of elements nest once more, in runs of whole lines (see [`lines`]), so that replacing one
//! token rebuilds a short path. [`Level`] looks through those runs.

mod builder;
mod groups;
mod kind;
mod level;
mod lines;
mod parse;
mod reparse;
#[cfg(test)]
pub(crate) mod testing;

pub use groups::OpenGroups;
pub use kind::{Host, Kind, Role};
pub use level::{Element, Level};
pub use parse::{MAX_DEPTH, parse};
pub use reparse::reparse;

use crate::text::TextSize;

/// A node of a token tree.
pub type SyntaxNode = rowan::SyntaxNode<Host>;
/// A token of a token tree.
pub type SyntaxToken = rowan::SyntaxToken<Host>;
/// A node or a token of a token tree.
pub type SyntaxElement = rowan::SyntaxElement<Host>;

/// One token as a lexer gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its length in bytes, never 0.
    pub len: TextSize,
}

/// A language whose text is brackets, strings and words.
pub trait Bracketed: 'static {
    /// The lexer of a text.
    type Lexer<'t>: Iterator<Item = Token>;

    /// Lexes `text`, which begins in ordinary code.
    ///
    /// The lengths of the tokens add up to the text's. So that parts of a document can be lexed alone:
    /// - after a token of the kind [`Kind::Newline`] the lexer is as at the beginning of a text (where a
    ///   line goes on the token before, its end is [`Kind::Whitespace`]);
    /// - a [`Kind::Newline`] takes all white space that follows it, the next line's indentation too;
    /// - a token that opens a group or string is the same where its text stands at the beginning;
    /// - a bracket is the same whatever follows it, and no token depends on what is in a group or string
    ///   behind it, unless it is the end of a string and a string follows (`""` before `"`);
    /// - a token that closes one is the same where its text stands at the end, unless what follows it
    ///   changes.
    fn lex(text: &str) -> Self::Lexer<'_>;
}
