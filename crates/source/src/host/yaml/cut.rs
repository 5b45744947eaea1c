//! Splits a YAML text at its top-level entries, and at the items and entries under these, so that each can be parsed
//! separately.

mod line;

use std::borrow::Cow;

use line::{
    ends_in_line, indented, is_blank, is_border, is_indented, is_item, is_key, is_prose, nested_key,
};

use crate::{
    host::yaml::levels::Levels,
    syntax::room::make_room,
    text::{Text, TextRange, TextSize, size},
};

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
    /// Another entry of the same mapping or list, and what is split before it. This goes on if the entry is a line that
    /// was moved to the margin.
    Next(Levels),
    /// A later item or entry of one of the lists and mappings in the previous entry, and what is around it.
    Item(Levels),
    /// A document that is not split.
    Whole,
}

impl CutKind {
    /// Whether the entries of the part belong to the mapping of its document.
    pub fn has_entries(self) -> bool {
        matches!(self, Self::First | Self::Next(_))
    }

    /// Whether the part continues the document of the previous part.
    pub fn goes_on(self) -> bool {
        matches!(self, Self::Next(_) | Self::Item(_))
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
/// borders of documents: quoted texts, blocks and brackets must be indented there.
///
/// What is the value of a key in `splits` is split in the same way if it begins in another line: a list at its items,
/// and a mapping at its keys without a value in their line, up to the first key that is not in `splits`. So are the
/// values of these keys and the mappings in these items, at any depth within [`Levels`].
pub fn cut(text: &str, splits: &impl Fn(&str) -> bool) -> Vec<Cut> {
    let mut cutter = Cutter::new(0, CutKind::Whole, splits);
    let mut at = 0;
    for line in text.split_inclusive(['\n', '\r']) {
        make_room(&mut cutter.cuts, at, text.len());
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

/// What the lines under a top-level key may begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nested {
    /// An item or entry of what is around them.
    Open,
    /// The value of the key at this column, in the next line with content.
    Expected(usize),
    /// Nothing at this column or behind it.
    Closed(usize),
    /// Nothing at this column, which is the least of the lines so far, or behind it. Lines before it may continue what a
    /// key at the start of a line has interrupted.
    Interrupted(usize),
}

/// Splits a text line by line.
struct Cutter<'s, S> {
    cuts: Vec<Cut>,
    /// The start of the part of the next line.
    start: usize,
    kind: CutKind,
    /// The column at which the part begins.
    column: usize,
    level: Level,
    /// What is split before a part that is a top-level entry.
    before: Levels,
    /// What is split around the next line.
    levels: Levels,
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
                CutKind::Next(_) | CutKind::Item(_) => kind,
                CutKind::First | CutKind::Whole => CutKind::Whole,
            },
            column: 0,
            level: Level::Unknown,
            before: Levels::default(),
            levels: Levels::default(),
            nested: Nested::Open,
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
            self.go_on(line);
            return false;
        }
        if is_border(line) {
            if self.level == Level::Directives {
                self.level = Level::Opaque;
                return false;
            }
            self.push(at);
            (self.start, self.kind) = (at, CutKind::Whole);
            self.level = after_border(line);
            return true;
        }
        let begun = match self.level {
            Level::Mapping if is_key(line) => Some(CutKind::Next(self.levels)),
            Level::Sequence if is_item(line) && !self.is_in_indentation(0, line) => {
                Some(CutKind::Next(Levels::default()))
            }
            Level::Mapping | Level::Sequence => self.follow(line).map(CutKind::Item),
            Level::Unknown => {
                self.level = opened_by(line);
                if matches!(self.level, Level::Mapping | Level::Sequence) {
                    self.kind = CutKind::First;
                    self.begin(line);
                }
                None
            }
            Level::Opaque | Level::Directives => None,
        };
        let Some(kind) = begun else {
            return false;
        };
        self.push(at);
        (self.start, self.kind) = (at, kind);
        self.begin(line);
        true
    }

    /// Starts with a part that continues a document.
    fn go_on(&mut self, line: &str) {
        self.level = match self.kind {
            CutKind::Item(levels) if levels.has_mapping(0) => Level::Mapping,
            CutKind::Item(_) => Level::Sequence,
            _ => opened_by(line),
        };
        if matches!(self.level, Level::Mapping | Level::Sequence) {
            self.begin(line);
        }
    }

    /// Begins a part with `line`.
    fn begin(&mut self, line: &str) {
        (self.before, self.levels) = match self.kind {
            CutKind::Next(before) => (before, Levels::default()),
            CutKind::Item(around) => (Levels::default(), around),
            CutKind::First | CutKind::Whole => Default::default(),
        };
        let (column, written) = indented(line);
        self.column = column;
        if self.level == Level::Sequence || matches!(self.kind, CutKind::Item(_)) {
            self.enter(column, written);
            return;
        }
        self.levels.add_mapping(0);
        self.nested = match self.is_open(line) {
            true => Nested::Expected(0),
            false if ends_in_line(line) => Nested::Interrupted(usize::MAX),
            false => Nested::Closed(1),
        };
    }

    /// Reads a line at `column` that begins an item or an entry.
    fn enter(&mut self, column: usize, written: &str) {
        if !is_item(written) {
            self.enter_key(column, written);
            return;
        }
        self.levels.add_list(column);
        let (more, content) = indented(&written[1..]);
        match is_key(content) && Levels::reach(column) {
            true => self.enter_key(column + 1 + more, content),
            false => self.nested = Nested::Closed(column + 1),
        }
    }

    /// Reads a key at `column`: from one that is not in `splits` on, its mapping is not split.
    fn enter_key(&mut self, column: usize, line: &str) {
        let is_split = nested_key(line).is_some_and(self.splits) && Levels::reach(column);
        if !is_split {
            self.nested = Nested::Closed(column);
            return;
        }
        self.levels.add_mapping(column);
        self.nested = match self.is_open(line) {
            true => Nested::Expected(column),
            false => Nested::Open,
        };
    }

    /// Whether a line begins an item or an entry and cannot be text of a scalar.
    fn begins_again(&self, written: &str) -> bool {
        let is_item = is_item(written) && is_key(written[1..].trim_start());
        is_item || is_key(written) && self.is_open(written)
    }

    /// Whether `line` is a key whose value is in the next lines and may be split.
    fn is_open(&self, line: &str) -> bool {
        let entry = line.split_once(':');
        entry.is_some_and(|(_, value)| is_blank(value)) && nested_key(line).is_some_and(self.splits)
    }

    /// Reads a line under a top-level entry; returns what is around the part that begins there.
    fn follow(&mut self, line: &str) -> Option<Levels> {
        if is_blank(line) {
            return None;
        }
        // A word that is being typed at the start of a line will be a key, and so will what is typed before a colon.
        let goes_on = is_indented(line) || is_item(line) || line.starts_with(':') || is_prose(line);
        if !goes_on && !matches!(self.nested, Nested::Interrupted(_)) {
            self.levels = self.levels.outermost();
            self.nested = Nested::Closed(1);
            return None;
        }
        let (column, written) = indented(line);
        match self.nested {
            Nested::Expected(key) if column > key || column == key && is_item(written) => {
                self.nested = Nested::Open;
                if is_item(written) || is_key(written) {
                    self.enter(column, written);
                }
                None
            }
            Nested::Closed(least) | Nested::Interrupted(least) if least <= column => None,
            Nested::Closed(_) | Nested::Interrupted(_) if self.is_between(column, written) => {
                if self.begins_again(written) {
                    return Some(self.around_again(column, written));
                }
                if matches!(self.nested, Nested::Interrupted(_)) {
                    self.nested = Nested::Interrupted(column);
                }
                None
            }
            _ => self.follow_open(column, written),
        }
    }

    /// Whether a line at `column` is behind everything that is split, or may continue what was split before.
    fn is_between(&self, column: usize, written: &str) -> bool {
        let last = self.levels.innermost();
        let is_behind = Levels::reach(column) && last.is_none_or(|last| last < column);
        is_behind || is_item(written) && self.before.has_list(column)
    }

    /// What is around an item or entry at `column`.
    fn around(&self, column: usize, written: &str) -> Levels {
        self.levels.around(column, is_item(written))
    }

    /// The same for a line that continues what was split before, if there is something at its column.
    fn around_again(&self, column: usize, written: &str) -> Levels {
        let is_item = is_item(written);
        let levels = match self.before.has(column, is_item) {
            true => self.before,
            false => self.levels,
        };
        levels.around(column, is_item)
    }

    /// Reads a line that may be another item or entry of what is split around it.
    fn follow_open(&mut self, column: usize, written: &str) -> Option<Levels> {
        let is_item = is_item(written);
        let is_entry = column > 0 && nested_key(written).is_some();
        let may_begin = match is_item {
            true => !self.is_in_indentation(column, written),
            false => is_entry,
        };
        if !may_begin || !self.levels.has(column, is_item) {
            return None;
        }
        let is_after_list = self.levels.has_list(column);
        let around = self.around(column, written);
        // An entry stays with the one before it, unless the part begins further inside.
        if is_item || is_after_list || column < self.column || self.is_open(written) {
            return Some(around);
        }
        self.levels = around;
        self.enter(column, written);
        None
    }

    /// Whether the dash of an item at `column` is typed in the indentation of a line that is further inside.
    fn is_in_indentation(&self, column: usize, written: &str) -> bool {
        let (more, content) = indented(&written[1..]);
        let inside = self.levels.innermost().filter(|&last| column < last);
        more > 1 && !is_blank(content) && inside.is_some_and(|last| last < column + 1 + more)
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
