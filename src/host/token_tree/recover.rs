//! Where a group ends that is never closed: where the next definition plainly begins.
//!
//! A line that begins a definition ends all that can hold none. A line that begins at or left of the line that opened a
//! bracket ends the bracket, if its content was indented further; so does one that begins where the lines around the
//! bracket do. A line that cannot begin in a bracket ends it. A host may judge a token that closes
//! something by what follows it too ([`Bracketed::is_slip`]).

use super::{Bracketed, Kind};

/// So many bytes at the beginning of a line say what it begins.
pub(super) const HEAD: usize = 32;

/// The first bytes of `code`.
pub fn head(code: &str) -> &str {
    let mut end = code.len().min(HEAD);
    while !code.is_char_boundary(end) {
        end -= 1;
    }
    &code[..end]
}

/// The indentation after the white space of a line end.
pub fn indentation(newline: &str) -> usize {
    let line_start = newline.rfind('\n').map_or(0, |at| at + 1);
    newline.len() - line_start
}

/// So many open groups are looked at for one that a token may close or a line may go on with.
pub(super) const MOST_GROUPS: usize = 64;

/// What is known of a group that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opened {
    /// What it is.
    pub kind: Kind,
    /// The indentation of the line that it was opened on.
    pub indent: usize,
    /// Whether that line begins a function.
    pub(super) is_function: bool,
    /// The indentation of the next line, once that is known.
    pub content: Option<usize>,
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
        let is_flat = !self.is_function && self.content <= Some(self.indent);
        self.indent < indent || (self.indent == indent && is_flat)
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

    /// Whether a line that begins at `indent` is indented as those in the group are.
    fn can_hold_line(&self, indent: usize) -> bool {
        self.indent <= indent && self.content <= Some(indent)
    }

    /// Whether the line that begins at `indent`, the first after the one that opened the bracket, shows that the bracket was
    /// left open: it is not indented further, though the line that opened it was.
    fn is_left_at_once(&self, indent: usize, last: Option<Kind>) -> bool {
        let is_first = self.content == Some(indent) && indent <= self.indent;
        self.is_bracket() && is_first && indent > 0 && last != Some(Kind::Comma)
    }

    fn is_left_by(&self, indent: usize) -> bool {
        // What is typed at the margin is no line of its own yet.
        let is_left = indent <= self.indent && (indent > 0 || self.indent == 0);
        self.is_bracket() && self.content > Some(self.indent) && is_left
    }

    /// Whether a line that begins at `indent` goes on with what is in the group `around` this one, which was opened left
    /// of the lines there.
    fn is_left_for(&self, around: &Self, indent: usize) -> bool {
        let is_line_of_around = around.is_bracket() && around.content == Some(indent);
        self.is_bracket()
            && is_line_of_around
            && self.indent < indent
            && self.content > Some(indent)
    }

    fn is_bracket(&self) -> bool {
        self.kind.is_group() && !self.kind.is_block()
    }

    /// Whether the group was opened on an earlier line than the one that is read.
    pub fn is_of_earlier_line(&self) -> bool {
        self.content.is_some()
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
    let is_indented = !L::INDENTS || open.last().is_none_or(|it| it.can_hold_line(indent));
    if last.is_some_and(L::goes_on) && is_indented && !L::begins_entry(head(code)) {
        return open.len();
    }
    if !L::ends_groups(code, indent) {
        return without_misplaced::<L>(open, indent, code);
    }
    let is_left = |index: usize| {
        let around = index.checked_sub(1).map(|index| &open[index]);
        open[index].is_left_by(indent)
            || L::INDENTS && open[index].is_left_at_once(indent, last)
            || around.is_some_and(|it| open[index].is_left_for(it, indent))
    };
    let innermost = (0..open.len()).rposition(|index| !is_left(index));
    let open = &open[..innermost.map_or(0, |index| index + 1)];
    without_misplaced::<L>(open, indent, code)
}

/// How many of the groups `open` are left where the innermost cannot hold the line.
fn without_misplaced<L: Bracketed>(open: &[Opened], indent: usize, code: &str) -> usize {
    let misplaced = L::misplaced_in(head(code));
    if misplaced.is_none() || open.last().map(|it| it.kind) != misplaced {
        return open.len();
    }
    let near = open.iter().enumerate().rev().take(MOST_GROUPS);
    let holder = { near }.find(|(_, it)| Some(it.kind) != misplaced);
    let holder = holder.filter(|(_, it)| it.is_bracket() && it.content == Some(indent));
    holder.map_or(open.len(), |(index, _)| index + 1)
}
