//! Where a group ends that is never closed: where the next definition plainly begins.
//!
//! Only the beginnings of lines are looked at. A line that begins a definition ends all that can hold none, and a line
//! that begins at or left of the line that opened a bracket ends the bracket, if its content was indented further.

use super::{Bracketed, Kind};

/// So many bytes at the beginning of a line say what it begins.
pub(super) const HEAD: usize = 24;

/// The first bytes of `code`.
pub(super) fn head(code: &str) -> &str {
    let mut end = code.len().min(HEAD);
    while !code.is_char_boundary(end) {
        end -= 1;
    }
    &code[..end]
}

/// The indentation after the white space of a line end.
pub(super) fn indentation(newline: &str) -> usize {
    let line_start = newline.rfind('\n').map_or(0, |at| at + 1);
    newline.len() - line_start
}

/// What is known of a group that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Opened {
    pub(super) kind: Kind,
    /// The indentation of the line that it was opened on.
    pub(super) indent: usize,
    /// Whether that line begins a function.
    pub(super) is_function: bool,
    /// The indentation of the next line, once that is known.
    pub(super) content: Option<usize>,
    /// Whether something follows the opening word on its line or the word is the first there, once that is known.
    pub(super) is_inline: Option<bool>,
}

impl Opened {
    /// Takes note of a line that begins at `indent`.
    pub(super) fn follow_line(&mut self, indent: usize) {
        self.content.get_or_insert(indent);
        self.is_inline.get_or_insert(false);
    }

    /// Whether a definition that begins at `indent` can be in it.
    fn can_hold_definition(&self, indent: usize) -> bool {
        if self.kind != Kind::DoBlock || self.is_inline == Some(true) {
            return false;
        }
        self.indent < indent || (self.indent == indent && !self.is_function)
    }

    /// Whether a token that closes such a group, but begins a line at `indent`, was meant for something in it.
    pub(super) fn is_beyond(&self, indent: usize) -> bool {
        let is_indented = |content: &usize| *content > self.indent;
        let content = self.content.filter(is_indented);
        content.is_some_and(|content| match self.kind.is_block() {
            true => indent >= content,
            false => indent > content,
        })
    }

    fn is_left_by(&self, indent: usize) -> bool {
        let is_bracket = self.kind.is_group() && !self.kind.is_block();
        // What is typed at the margin is no line of its own yet.
        let is_left = indent <= self.indent && (indent > 0 || self.indent == 0);
        is_bracket && self.content > Some(self.indent) && is_left
    }
}

/// How many of the groups `open`, outermost first, are still open on a line that begins at `indent` with `code`, where
/// `last` is the kind of the token before it.
pub(super) fn still_open<L: Bracketed>(
    open: &[Opened],
    indent: usize,
    code: &str,
    last: Option<Kind>,
) -> usize {
    if L::begins_definition(code, indent) {
        let code = open.iter().position(|it| !it.kind.is_group());
        let open = &open[..code.unwrap_or(open.len())];
        let innermost = open.iter().rposition(|it| it.can_hold_definition(indent));
        return innermost.map_or(0, |index| index + 1);
    }
    if !L::ends_groups(code, indent) || last.is_some_and(L::goes_on) {
        return open.len();
    }
    let innermost = open.iter().rposition(|it| !it.is_left_by(indent));
    innermost.map_or(0, |index| index + 1)
}
