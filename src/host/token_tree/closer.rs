//! What a host knows of a token that would close a group, to tell whether it was meant for that.

use super::recover::Opened;

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
    /// What follows the token. The first few bytes decide.
    pub rest: &'a str,
}
