//! Splits a YAML text at its top-level entries, so that each can be parsed separately.

use std::borrow::Cow;

use crate::text::{Text, TextRange, TextSize, size};

/// A part of a text that is parsed separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Where it is, in bytes of the text.
    pub range: TextRange,
    /// Its kind.
    pub kind: CutKind,
}

/// The kinds of parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutKind {
    /// The first entry of a document's mapping or list, with what precedes it.
    First,
    /// Another entry of the same mapping or list.
    Next,
    /// Another item of the list, or entry of the mapping, that is the value of the previous entry.
    Item,
    /// A document that is not split.
    Whole,
}

impl CutKind {
    /// Whether the part continues the document of the previous part.
    pub fn goes_on(self) -> bool {
        matches!(self, Self::Next | Self::Item)
    }
}

/// The kind of a document's top level.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    /// Unknown so far.
    Unknown,
    Mapping,
    Sequence,
    /// Anything that may have text at the start of a line, or depends on the text before.
    Opaque,
    /// Directives, which belong to the document after them.
    Directives,
}

/// The parts of `text`, in order and without gaps.
///
/// A text is split where a line begins with a word and a colon in a mapping, or with a dash in a list, and at the
/// borders of documents: quoted texts, blocks and brackets must be indented there. The lists under the keys in
/// `splits` are split at their items in the same way, and the mappings at such keys without a value in their line, up
/// to the first key that is not one of these.
pub fn cut(text: &str, splits: &impl Fn(&str) -> bool) -> Vec<Cut> {
    let mut cutter = Cutter::new(0, CutKind::Whole, splits);
    let mut at = 0;
    for line in text.split_inclusive(['\n', '\r']) {
        cutter.line(at, line);
        at += line.len();
    }
    cutter.push(text.len());
    cutter.cuts
}

/// The parts of `text` from the part of that `kind` at `start` on, up to the first start where `is_known`, given what
/// continues a document there; and that start.
pub fn cut_between(
    text: &Text,
    (start, kind): (TextSize, CutKind),
    splits: &impl Fn(&str) -> bool,
    is_known: impl Fn(TextSize, Option<CutKind>) -> bool,
) -> (Vec<Cut>, Option<TextSize>) {
    let mut at = usize::from(start);
    let mut cutter = Cutter::new(at, kind, splits);
    let rope = text.rope();
    for line in rope.lines_at(rope.byte_to_line(at)) {
        let line = Cow::from(line);
        let going_on = |kind: CutKind| kind.goes_on().then_some(kind);
        if cutter.line(at, &line) && is_known(size(at), going_on(cutter.kind)) {
            return (cutter.cuts, Some(size(at)));
        }
        at += line.len();
    }
    cutter.push(at);
    (cutter.cuts, None)
}

/// What is split under a top-level key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nested {
    /// Nothing.
    None,
    /// Nothing, and no line of the value so far has less indentation.
    Block(usize),
    /// The next line with content may begin it.
    Expected,
    /// A list, with the indentation of its items.
    Items(usize),
    /// A mapping, with the indentation of its keys.
    Entries(usize),
}

/// Splits a text line by line.
struct Cutter<'s, S> {
    cuts: Vec<Cut>,
    /// The start of the part of the next line.
    start: usize,
    kind: CutKind,
    level: Level,
    nested: Nested,
    splits: &'s S,
}

impl<'s, S: Fn(&str) -> bool> Cutter<'s, S> {
    /// Cuts from the beginning of a part on.
    fn new(start: usize, kind: CutKind, splits: &'s S) -> Self {
        Self {
            cuts: Vec::new(),
            start,
            // The lines of a document's first part decide its kind.
            kind: match kind {
                CutKind::Next | CutKind::Item => kind,
                CutKind::First | CutKind::Whole => CutKind::Whole,
            },
            level: Level::Unknown,
            nested: Nested::None,
            splits,
        }
    }

    /// Reads the line at `at`; returns whether a part begins there.
    fn line(&mut self, at: usize, line: &str) -> bool {
        let line = match at {
            0 => line.trim_start_matches('\u{feff}'),
            _ => line,
        };
        if self.kind.goes_on() && self.level == Level::Unknown {
            self.begin_part(line);
            return false;
        }
        if is_border(line) {
            if self.level == Level::Directives {
                self.level = Level::Opaque;
                return false;
            }
            self.push(at);
            (self.start, self.kind) = (at, CutKind::Whole);
            (self.level, self.nested) = (after_border(line), Nested::None);
            return true;
        }
        let is_next = match self.level {
            Level::Mapping if is_key(line) => {
                self.nested = self.nested_after(line);
                true
            }
            Level::Mapping => {
                let is_item = self.follow_nested(line);
                if is_item {
                    self.push(at);
                    (self.start, self.kind) = (at, CutKind::Item);
                }
                return is_item;
            }
            Level::Sequence => is_item(line),
            Level::Unknown => {
                self.level = opened_by(line);
                if self.level == Level::Mapping {
                    self.nested = self.nested_after(line);
                }
                if matches!(self.level, Level::Mapping | Level::Sequence) {
                    self.kind = CutKind::First;
                }
                false
            }
            Level::Opaque | Level::Directives => false,
        };
        if is_next {
            self.push(at);
            (self.start, self.kind) = (at, CutKind::Next);
        }
        is_next
    }

    /// Starts with a part that continues a document.
    fn begin_part(&mut self, line: &str) {
        if self.kind == CutKind::Item {
            self.level = Level::Mapping;
            self.nested = self.nested_at(line);
            return;
        }
        self.level = opened_by(line);
        if self.level == Level::Mapping {
            self.nested = self.nested_after(line);
        }
    }

    /// What may be split after the `line` of a key.
    fn nested_after(&self, line: &str) -> Nested {
        match self.is_open(line) {
            true => Nested::Expected,
            false if ends_in_line(line) => Nested::Block(usize::MAX),
            false => Nested::None,
        }
    }

    /// What the first `line` of a value begins.
    fn nested_at(&self, line: &str) -> Nested {
        let (indent, written) = indented(line);
        match () {
            () if is_item(written) => Nested::Items(indent),
            () if indent > 0 && is_key(written) && self.is_open(written) => Nested::Entries(indent),
            () if is_key(written) => Nested::Block(indent),
            () => Nested::None,
        }
    }

    /// Whether a line with that indentation begins an item or an entry and cannot be text of a scalar.
    fn begins_again(&self, indent: usize, written: &str) -> bool {
        let is_item = is_item(written) && is_key(written[1..].trim_start());
        indent > 0 && (is_item || is_key(written) && self.is_open(written))
    }

    /// Whether `line` is a key whose value is in the next lines and may be split.
    fn is_open(&self, line: &str) -> bool {
        let entry = line.split_once(':');
        entry.is_some_and(|(key, value)| is_blank(value) && (self.splits)(key))
    }

    /// Reads a line under a top-level key; returns whether another item or entry begins there.
    fn follow_nested(&mut self, line: &str) -> bool {
        if is_blank(line) {
            return false;
        }
        let (indent, written) = indented(line);
        // A word that is being typed at the start of a line will be a key, and so will what is typed before a colon.
        let key = line.split_once(':').map(|(key, _)| key);
        let goes_on = is_indented(line) || key.is_none_or(str::is_empty);
        match self.nested {
            Nested::None => {}
            Nested::Block(least) => {
                // With less indentation, it continues what a key at the start of a line has interrupted.
                let is_again = indent < least && self.begins_again(indent, written);
                self.nested = match is_again {
                    true => self.nested_at(line),
                    false if indent == 0 => return false,
                    false => Nested::Block(least.min(indent)),
                };
                return is_again;
            }
            Nested::Expected => self.nested = self.nested_at(line),
            Nested::Items(list) if is_item(written) => return indent == list,
            Nested::Entries(mapping) if indent == mapping && is_key(written) => {
                let key = written.split(':').next().unwrap_or_default();
                if !(self.splits)(key) {
                    self.nested = Nested::None;
                }
                return self.is_open(written);
            }
            Nested::Items(_) | Nested::Entries(_) if goes_on => {}
            Nested::Items(_) | Nested::Entries(_) => self.nested = Nested::None,
        }
        false
    }

    /// Ends the part before `to`.
    fn push(&mut self, to: usize) {
        if self.start < to {
            let range = TextRange::new(size(self.start), size(to));
            let kind = self.kind;
            self.cuts.push(Cut { range, kind });
        }
    }
}

/// Whether a line ends a document or begins one.
fn is_border(line: &str) -> bool {
    let following = line.strip_prefix("---").or(line.strip_prefix("..."));
    following
        .is_some_and(|following| following.is_empty() || following.starts_with(char::is_whitespace))
}

/// The kind of the document after the border `line`.
fn after_border(line: &str) -> Level {
    let following = line[3..].trim_start();
    match following.is_empty() || following.starts_with('#') {
        true => Level::Unknown,
        false => Level::Opaque,
    }
}

/// The kind of a document after its first `line`. A line that is not YAML decides nothing.
fn opened_by(line: &str) -> Level {
    if is_key(line) {
        return Level::Mapping;
    }
    if is_item(line) {
        return Level::Sequence;
    }
    if line.starts_with('%') {
        return Level::Directives;
    }
    let is_blank = is_blank(line);
    let is_template = line.starts_with("{{");
    let is_opaque = line.starts_with([' ', '\t', '[', '{', '"', '\'', '|', '>', '&', '!']);
    match is_opaque && !is_blank && !is_template {
        true => Level::Opaque,
        false => Level::Unknown,
    }
}

fn is_key(line: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let following = line.trim_start_matches(is_word);
    line.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        && following
            .strip_prefix(':')
            .is_some_and(|value| value.is_empty() || value.starts_with([' ', '\t', '\r', '\n']))
}

/// Whether the value of the key at the start of `line` is a plain text or ends in that line.
fn ends_in_line(line: &str) -> bool {
    let value = line.split_once(':').map_or("", |(_, value)| value.trim());
    let Some(first) = value.chars().next() else {
        return false;
    };
    if !matches!(first, '"' | '\'') {
        return first.is_alphanumeric();
    }
    let written = value[1..].split(" #").next().unwrap_or_default();
    let text = written.trim_end().strip_suffix(first);
    text.is_some_and(|it| !it.contains(first) && !it.contains('\\'))
}

/// Whether `line` contains only a comment.
fn is_blank(line: &str) -> bool {
    let written = line.trim_start();
    written.is_empty() || written.starts_with('#')
}

/// Whether `line` is indented, or was until something was typed at its start.
fn is_indented(line: &str) -> bool {
    let mut chars = line.chars();
    chars.next() == Some(' ') || chars.as_str().starts_with("  ")
}

/// The indentation of `line`, and the rest of it.
fn indented(line: &str) -> (usize, &str) {
    let written = line.trim_start_matches(' ');
    (line.len() - written.len(), written)
}

fn is_item(line: &str) -> bool {
    let item = line.strip_prefix('-');
    item.is_some_and(|item| item.is_empty() || item.starts_with([' ', '\t', '\r', '\n']))
}
