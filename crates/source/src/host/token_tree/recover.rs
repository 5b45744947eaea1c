//! Error recovery: an unclosed group ends where the next definition clearly begins.
//!
//! A line that begins a definition ends all groups that cannot contain one. A line that begins at or left of the line
//! that opened a bracket ends the bracket, if its contents were indented further; so does a line at the indentation of
//! the lines around the bracket. A statement at the margin ends the blocks that were opened there and have indented
//! lines. A line that cannot begin in a bracket ends it. A host may also judge a closing token by the text after it
//! ([`Bracketed::is_slip`]).

use std::num::NonZeroU32;

use super::{Bracketed, Kind, Role};
use crate::work;

/// The number of bytes at the start of a line that decide what it begins.
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
    let bytes = newline.bytes().rev();
    bytes.take_while(|byte| *byte != b'\n').count()
}

/// An indentation in bytes. An option of it takes no more room: there may be a million open groups and strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Indent(NonZeroU32);

impl From<usize> for Indent {
    fn from(bytes: usize) -> Self {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        Self(NonZeroU32::MIN.saturating_add(bytes))
    }
}

impl From<Indent> for usize {
    fn from(indent: Indent) -> Self {
        indent.0.get() as usize - 1
    }
}

/// Whether a blank line is in the white space of a line end.
pub(super) fn is_apart(newline: &str) -> bool {
    newline.bytes().filter(|byte| *byte == b'\n').count() > 1
}

/// The code after a closing token, for the token before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NextCode {
    /// Its indentation if it begins a line.
    pub(super) indent: Option<usize>,
    /// The closing token that it seems to begin with.
    pub(super) closes: Option<Kind>,
}

impl NextCode {
    /// The first code in `text`.
    pub(super) fn of(text: &str) -> Option<Self> {
        let code = text.trim_start_matches([' ', '\t', '\r', '\n']);
        let blank = &text[..text.len() - code.len()];
        (!code.is_empty()).then(|| Self {
            indent: blank.contains('\n').then(|| indentation(blank)),
            closes: match code.as_bytes()[0] {
                b')' => Some(Kind::RParen),
                b']' => Some(Kind::RBracket),
                b'}' => Some(Kind::RBrace),
                _ => code.starts_with("end").then_some(Kind::End),
            },
        })
    }
}

/// What a line begins that holds definitions or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// Anything else.
    #[default]
    Other,
    /// A function, which holds no other definition.
    Function,
    /// A bracket that may hold definitions at the margin.
    Bracket,
}

/// The number of open groups that are searched for one that a token closes or a line continues.
pub(super) const MOST_GROUPS: usize = 64;

/// The facts about an open group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opened {
    /// Its kind.
    pub kind: Kind,
    /// Whether it is a string or interpolation, or in one.
    is_in_string: bool,
    /// What the line that opened it begins. The line after the first one of a bracket tells whether it may hold
    /// definitions.
    scope: Scope,
    /// The indentation of that line.
    indent: Indent,
    /// The indentation of the next line, once known.
    content: Option<Indent>,
    /// Whether text follows the opening word on its line or the word is the first there, once known.
    pub(super) is_inline: Option<bool>,
}

impl Opened {
    /// A group in the one `around` it that a line with that indentation opens, which begins such a scope; the group may be
    /// the first on it.
    pub(super) fn new(
        kind: Kind,
        around: Option<&Self>,
        (indent, scope): (usize, Scope),
        is_first: bool,
    ) -> Self {
        Self {
            kind,
            is_in_string: !kind.is_group() || around.is_some_and(|it| it.is_in_string),
            scope: match scope {
                Scope::Bracket if !is_first || indent > 0 => Scope::Other,
                scope => scope,
            },
            indent: indent.into(),
            content: None,
            is_inline: is_first.then_some(true),
        }
    }

    /// The indentation of the line that opened it.
    pub fn indent(&self) -> usize {
        self.indent.into()
    }

    /// The indentation of the next line, once known.
    pub fn content(&self) -> Option<usize> {
        self.content.map(usize::from)
    }

    /// Records a line that begins at `indent`; a blank line is before it if it `is_apart`.
    pub(super) fn follow_line(&mut self, indent: usize, is_apart: bool) {
        self.is_inline.get_or_insert(false);
        if self.content.is_none() {
            self.content = Some(indent.into());
            if self.scope == Scope::Bracket && (indent > 0 || is_apart) {
                self.scope = Scope::Other;
            }
        }
    }

    /// Whether it can contain a definition that begins at `indent`.
    fn can_hold_definition(&self, indent: usize) -> bool {
        if self.scope == Scope::Bracket {
            return true;
        }
        if self.kind != Kind::DoBlock || self.is_inline == Some(true) {
            return false;
        }
        let is_flat = self.scope != Scope::Function && self.content() <= Some(self.indent());
        self.indent() < indent || (self.indent() == indent && is_flat)
    }

    /// Whether a closing token of such a group that begins a line at `indent` was meant for something inside.
    pub(super) fn is_beyond(&self, indent: usize) -> bool {
        let is_indented = |content: &usize| *content > self.indent();
        let content = self.content().filter(is_indented);
        content.is_some_and(|content| match self.kind.is_block() {
            true => indent >= content,
            false => indent > content,
        })
    }

    /// Whether a line that begins at `indent` has the indentation of the lines in the group.
    fn can_hold_line(&self, indent: usize) -> bool {
        self.indent() <= indent && self.content() <= Some(indent)
    }

    /// Whether the line that begins at `indent`, the first after the opening one, shows that the bracket is unclosed:
    /// it is not indented further, although the opening line was.
    fn is_left_at_once(&self, indent: usize, last: Option<Kind>) -> bool {
        let is_first = self.content() == Some(indent) && indent <= self.indent();
        self.is_bracket() && is_first && indent > 0 && last != Some(Kind::Comma)
    }

    fn is_left_by<L: Bracketed>(
        &self,
        indent: usize,
        is_statement: bool,
        last: Option<Kind>,
    ) -> bool {
        // Other text that is typed at the margin is not a line of its own yet.
        let is_line = indent > 0 || self.indent() == 0 || is_statement;
        // Between the items of a bracket there is a comma.
        let lacks_comma = L::goes_on(Kind::Comma);
        let is_at_start = last.is_some_and(opens);
        let has_lines = self.content() > Some(self.indent());
        self.is_bracket()
            && indent <= self.indent()
            && is_line
            && (has_lines
                || (is_statement || lacks_comma && indent < self.indent()) && !is_at_start)
    }

    /// Whether a statement at the margin shows that the block was left open there. `is_empty` tells whether nothing is
    /// between its opening word and that line.
    fn is_block_left(&self, is_empty: bool) -> bool {
        let is_inline = self.kind == Kind::DoBlock && self.is_inline == Some(true);
        let has_lines = self.content() > Some(0) || is_inline;
        self.kind.is_block()
            && self.indent() == 0
            && (has_lines || is_empty && self.scope != Scope::Function)
    }

    /// Whether a line that begins at `indent` has the place of the line that opened the bracket, in the bracket
    /// `around` it. The lines of the bracket have another place, unless it `lacks_comma` before that line.
    fn is_beside(&self, around: &Self, indent: usize, lacks_comma: bool) -> bool {
        self.is_in_line_of(around, indent)
            && self.indent() == indent
            && (self.content() != Some(indent) || lacks_comma)
    }

    /// Whether it is a list whose items are indented further than its first line, and `indent` is the place of them.
    fn has_items_at(&self, indent: usize) -> bool {
        self.kind == Kind::Brackets && self.content() == Some(indent) && self.indent() < indent
    }

    /// Whether a line that begins at `indent`, the first after the one that opened the bracket, continues the bracket
    /// `around` it: it is not indented as far as that line, or the bracket is alone on that line, as it `is_last`, and
    /// left of the lines there.
    fn is_out_of_place(&self, around: &Self, indent: usize, is_last: bool) -> bool {
        self.is_in_line_of(around, indent)
            && self.content() == Some(indent)
            && (indent < self.indent()
                || self.indent() < indent && is_last && self.is_inline == Some(true))
    }

    /// Whether a line that begins at `indent` continues the group `around` this one, which was opened left of the
    /// lines there.
    fn is_left_for(&self, around: &Self, indent: usize) -> bool {
        self.is_in_line_of(around, indent)
            && self.indent() < indent
            && self.content() > Some(indent)
    }

    /// Whether both are brackets, and a line that begins at `indent` has the place of the lines in the one `around`.
    fn is_in_line_of(&self, around: &Self, indent: usize) -> bool {
        self.is_bracket() && around.is_bracket() && around.content() == Some(indent)
    }

    /// Whether it is between brackets, not words.
    pub fn is_bracket(&self) -> bool {
        self.kind.is_group() && !self.kind.is_block()
    }

    /// Whether the group was opened on an earlier line.
    pub fn is_of_earlier_line(&self) -> bool {
        self.content().is_some()
    }
}

/// The number of groups in `open`, outermost first, that are still open on a line that begins at `indent` with `code`,
/// where `last` is the kind of the token before it.
pub(super) fn still_open<L: Bracketed>(
    open: &[Opened],
    indent: usize,
    code: &str,
    last: Option<Kind>,
) -> usize {
    if L::begins_definition(code, indent) {
        let is_code = |it: &Opened| {
            work::count(1);
            !it.is_in_string
        };
        let open = &open[..open.partition_point(is_code)];
        let innermost = open.iter().rposition(|it| it.can_hold_definition(indent));
        return innermost.map_or(0, |index| index + 1);
    }
    let open = without_siblings::<L>(open, indent, code, last);
    let is_indented = !L::INDENTS || open.last().is_none_or(|it| it.can_hold_line(indent));
    if last.is_some_and(L::goes_on) && is_indented && !L::begins_entry(head(code)) {
        return open.len();
    }
    let is_statement = indent == 0 && L::begins_statement(head(code));
    if !is_statement && !L::ends_groups(code, indent) {
        return without_misplaced::<L>(open, indent, code);
    }
    let is_empty = last.is_some_and(opens);
    let is_left = |index: usize| {
        let around = index.checked_sub(1).map(|index| &open[index]);
        open[index].is_left_by::<L>(indent, is_statement, last)
            || is_statement && open[index].is_block_left(is_empty && index + 1 == open.len())
            || L::INDENTS && open[index].is_left_at_once(indent, last)
            || around.is_some_and(|it| open[index].is_left_for(it, indent))
    };
    let innermost = (0..open.len()).rposition(|index| !is_left(index));
    let still = &open[..innermost.map_or(0, |index| index + 1)];
    let is_bracket = L::misplaced_in(head(code)) == Some(Kind::Braces);
    let is_line_of =
        |it: &Opened| it.content() == Some(indent) && !(is_bracket && it.kind == Kind::Braces);
    // A line that is in no place of a line is one in front of which something is typed.
    match L::INDENTS && !still.last().is_some_and(is_line_of) {
        true => without_misplaced::<L>(open, indent, code),
        false => without_misplaced::<L>(still, indent, code),
    }
}

fn opens(kind: Kind) -> bool {
    matches!(kind.role(), Role::Opens(_))
}

/// The groups in `open` without those of the item before the line, which begins an item in the same place of a list:
/// what is in the brackets of that item would be indented further.
fn without_unfinished_item(open: &[Opened], indent: usize) -> &[Opened] {
    let near = open.iter().enumerate().rev().take(MOST_GROUPS);
    let is_of_item = |it: &Opened| it.is_bracket() && indent <= it.indent();
    let around = { near }.find(|(_, it)| !is_of_item(it));
    match around {
        Some((index, list)) if list.has_items_at(indent) => &open[..=index],
        _ => open,
    }
}

/// The groups in `open` without those beside which the line begins an item.
fn without_siblings<'o, L: Bracketed>(
    mut open: &'o [Opened],
    indent: usize,
    code: &str,
    last: Option<Kind>,
) -> &'o [Opened] {
    let is_at_start = last.is_none_or(opens);
    let lacks_comma = L::goes_on(Kind::Comma) && !is_at_start && !last.is_some_and(L::goes_on);
    let mut is_last = is_at_start;
    let code = head(code);
    if L::begins_whole_item(code) {
        open = without_unfinished_item(open, indent);
    }
    while let [.., around, inner] = open
        && (inner.is_beside(around, indent, lacks_comma)
            || inner.is_left_for(around, indent)
            || inner.is_out_of_place(around, indent, is_last))
        && L::begins_item(code, inner.kind, around.kind)
    {
        open = &open[..open.len() - 1];
        is_last = false;
    }
    open
}

/// The number of groups in `open` that remain if the innermost one cannot contain the line.
fn without_misplaced<L: Bracketed>(open: &[Opened], indent: usize, code: &str) -> usize {
    let misplaced = L::misplaced_in(head(code));
    if misplaced.is_none() || open.last().map(|it| it.kind) != misplaced {
        return open.len();
    }
    let near = open.iter().enumerate().rev().take(MOST_GROUPS);
    let holder = { near }.find(|(_, it)| Some(it.kind) != misplaced);
    let holder = holder.filter(|(_, it)| it.is_bracket() && it.content() == Some(indent));
    holder.map_or(open.len(), |(index, _)| index + 1)
}
