//! The context of a token that would close a group, to decide whether it was meant to.

use std::borrow::Cow;

use super::{parse::head_at, recover::Opened};

/// A token that would close a group.
pub struct Closer<'a> {
    /// The group.
    pub closed: &'a Opened,
    /// The group around that one.
    pub around: Option<&'a Opened>,
    /// Whether no other group is open in the one that is closed.
    pub is_innermost: bool,
    /// The indentation of the line that the token begins, if it begins one.
    pub indent: Option<usize>,
    /// The text that is parsed.
    pub(super) text: &'a str,
    /// Where the token ends in it.
    pub(super) end: usize,
    /// The first bytes of what follows that text.
    pub(super) following: &'a str,
}

impl<'a> Closer<'a> {
    /// The text after the token. The first few bytes decide.
    pub fn rest(&self) -> Cow<'a, str> {
        head_at(self.text, self.end, self.following)
    }
}
