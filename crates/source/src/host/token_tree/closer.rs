//! The context of a token that would close a group, to decide whether it was meant to.

use std::borrow::Cow;

use super::{
    Kind,
    parse::head_at,
    recover::{Opened, head, indentation},
};

/// A token that would close a group.
pub struct Closer<'a> {
    /// The group.
    pub closed: &'a Opened,
    /// The group around that one.
    pub around: Option<&'a Opened>,
    /// The innermost group, which may be the one that is closed.
    pub innermost: &'a Opened,
    /// The group directly in the one that is closed, if that is not the innermost.
    pub(super) within: Option<&'a Opened>,
    /// Whether the innermost group is the one that is closed.
    pub is_innermost: bool,
    /// The indentation of the line that the token begins, if it begins one.
    pub indent: Option<usize>,
    /// The kind of the token before it, apart from white space and comments.
    pub last: Option<Kind>,
    /// The text that is parsed.
    pub(super) text: &'a str,
    /// Where the token ends in it.
    pub(super) end: usize,
    /// The first bytes of what follows that text.
    pub(super) following: &'a str,
}

impl<'a> Closer<'a> {
    /// Whether the token is in a line of a bracket that it does not close, and the text after it goes on with that one,
    /// or one around it, or closes it on that line or at the place of the line that opened it.
    pub fn is_among_others(&self) -> bool {
        let (inner, is_in_line) = (self.innermost, self.indent.is_none());
        let is_wrong = self.closed.kind.is_group() && inner.is_bracket();
        let Some(within) = self.within.filter(|it| it.is_of_earlier_line()) else {
            return false;
        };
        if !is_in_line || !is_wrong {
            return false;
        }
        let rest = self.rest();
        let rest = head(&rest);
        let next = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        let between = &rest[..rest.len() - next.len()];
        if between.contains('\n') {
            let indent = indentation(between);
            let goes_on = [inner.content(), within.content()].contains(&Some(indent));
            let is_closed = indent == inner.indent() && self.closes_innermost(next);
            return !next.is_empty() && (goes_on || is_closed);
        }
        let after = next.trim_start_matches([')', ']', '}']);
        match after.len() == next.len() {
            true => !next.is_empty() && !next.starts_with([';', '#']),
            false => self.closes_innermost(next) || after.starts_with(['"', '\'']),
        }
    }

    /// Whether `code` after the token begins with what closes the innermost group, which the token does not.
    pub fn closes_innermost(&self, code: &str) -> bool {
        let closer = match code.as_bytes().first() {
            Some(b')') => Kind::RParen,
            Some(b']') => Kind::RBracket,
            Some(b'}') => Kind::RBrace,
            _ => return false,
        };
        !self.is_innermost && closer.closes(self.innermost.kind)
    }

    /// Whether the token would close a group of an earlier line that is not the innermost, and a form follows it on its
    /// line.
    pub fn is_before_form(&self) -> bool {
        let rest = self.rest();
        let form = rest.trim_start_matches([' ', '\t']);
        let is_end = |c: char| matches!(c, ')' | ']' | '}' | ',' | ';' | '\r' | '\n');
        let is_form = !form.is_empty() && !form.starts_with(is_end);
        !self.is_innermost && self.closed.is_of_earlier_line() && is_form
    }

    /// The text after the token. The first few bytes decide.
    pub fn rest(&self) -> Cow<'a, str> {
        head_at(self.text, self.end, self.following)
    }
}
