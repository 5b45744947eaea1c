//! Parses a YAML text, complete or not, into [`Node`]s.
//!
//! The text is split at its top-level entries (see [`cut`](super::cut)), and each is parsed separately: an error in
//! one of them does not affect the others. The parser stops at the first error. What it read before the error is kept,
//! and reading continues after the faulty entry (see [`recover`](super::recover)). Two of its errors are tolerated: a
//! tab between a key and its value, which is replaced by a blank, and an alias whose anchor is elsewhere, as in
//! another entry or in a part of a file that a guide shows. A signature that it would split at its commas is hidden
//! from it (see [`unquoted`](super::unquoted)), and so are collections that nest too deeply in one line (see
//! [`chains`](super::chains)).

use std::{borrow::Cow, ops::Range};

use saphyr_parser::{Event, Parser, ScanError, Span, Tag};

use crate::{
    host::yaml::{
        chains,
        cut::{CutKind, cut},
        mask,
        node::{Mark, Node, NodeKind, Pair, ScalarStyle},
        plain_line, recover,
        scalar::{self, Found},
        unquoted,
    },
    text::{TextRange, TextSize, size},
};

/// The maximum number of restarts after errors, so that a text full of errors is read in good time. The rest is read
/// line by line.
const MAX_RESTARTS: usize = 100;

/// Deeper collections are not read.
pub(super) const MAX_DEPTH: usize = 256;

/// The contents of a text.
#[derive(Debug, Default)]
pub struct Reading {
    /// A node for each document, and for each part that does not certainly belong to another.
    pub roots: Vec<Node>,
    /// Whether there are no errors.
    pub is_simple: bool,
}

/// Reads all documents of `text`.
pub fn read(text: &str) -> Reading {
    let mut roots: Vec<Node> = Vec::new();
    let mut is_simple = true;
    let mut first = 0;
    for cut in cut(text, &|_| false) {
        let part = read_part(text, cut.range.into());
        is_simple &= part.is_simple;
        if !matches!(cut.kind, CutKind::Next(_)) {
            first = roots.len();
        }
        let mut part = part.roots.into_iter();
        let rest = match roots.get_mut(first) {
            Some(root) => part.next().and_then(|node| continued(root, node)),
            None => None,
        };
        roots.extend(rest);
        roots.extend(part);
    }
    Reading { roots, is_simple }
}

/// Reads the text at `range` in `text`, which is not split further.
pub(super) fn read_part(text: &str, range: Range<usize>) -> Reading {
    let text = &text[..range.end];
    let first = text.len() - text[range.start..].trim_start_matches('\u{feff}').len();
    match plain_line::entry(&text[first..]) {
        Some((key, value)) => Reader::new(text, first).plain_entry(key, value),
        None => read_with_parser(text, first),
    }
}

/// Reads `text` from `first` on.
pub(super) fn read_with_parser(text: &str, first: usize) -> Reading {
    let mut roots = Vec::new();
    let mut is_simple = true;
    let mut readable = match text[first..].contains(":\t") {
        true => Cow::Owned(text[first..].replace(":\t", ": ")),
        false => Cow::Borrowed(&text[first..]),
    };
    if let Some(masked) = unquoted::masked(&readable) {
        readable = Cow::Owned(masked);
    }
    if let Some(masked) = chains::masked(&readable) {
        readable = Cow::Owned(masked);
    }
    let mut is_masked = false;
    let mut start = first;
    let mut interrupted = false;
    for _ in 0..=MAX_RESTARTS {
        let mut piece = Reader::new(text, start);
        piece.has_masks = matches!(readable, Cow::Owned(_));
        let error = piece.run(&readable[start - first..]);
        is_simple &= error.is_none();
        let goes_on = interrupted && !text[start..].starts_with(['-', '.']);
        let Some(error) = error else {
            join(&mut roots, piece.roots, goes_on);
            return Reading { roots, is_simple };
        };
        if !is_masked {
            is_masked = true;
            if let Some(masked) = mask::masked(&readable) {
                readable = Cow::Owned(masked);
                continue;
            }
        }
        interrupted = piece.close_all(error);
        let next = recover::recover(text, start, &mut piece.roots, interrupted, error);
        join(&mut roots, piece.roots, goes_on);
        match next {
            Some(next) => start = next,
            None => return Reading { roots, is_simple },
        }
    }
    join(&mut roots, recover::lines(text, start), interrupted);
    Reading { roots, is_simple }
}

/// The end of the alias in `error`, if it is about one without an anchor.
fn alias_end(text: &str, start: usize, error: &ScanError) -> Option<usize> {
    let is_alias = error.info().ends_with("unknown anchor") && text[start..].starts_with('*');
    is_alias.then(|| start + name(&text[start..]).len())
}

/// The name of the anchor before the first value in `text`.
fn anchor_name(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "-:?,[{".contains(c));
        rest = match rest.chars().next()? {
            '&' => return Some(name(&rest[1..])),
            '#' => rest.trim_start_matches(|c| !matches!(c, '\r' | '\n')),
            '!' => rest.trim_start_matches(|c: char| !c.is_whitespace()),
            _ => return None,
        };
    }
}

/// The name of an anchor that begins `text`.
pub(super) fn name(text: &str) -> &str {
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']' | '{' | '}');
    &text[..text.find(ends).unwrap_or(text.len())]
}

/// Adds the roots of another piece; if an error interrupted the last collection, it continues.
fn join(roots: &mut Vec<Node>, piece: Vec<Node>, goes_on: bool) {
    let mut piece = piece.into_iter();
    if goes_on
        && let Some(root) = roots.last_mut()
        && let Some(first) = piece.next()
        && let Some(first) = continued(root, first)
    {
        roots.push(first);
    }
    roots.extend(piece);
}

/// Adds the contents of `more` to `root`, or returns `more` if it cannot be its continuation.
fn continued(root: &mut Node, more: Node) -> Option<Node> {
    let range = root.range.cover(more.range);
    match (&mut root.kind, &more.kind) {
        // A list may have the same indentation as its key.
        (NodeKind::Mapping(entries), NodeKind::Sequence(_)) => match entries.last_mut() {
            Some(last) if matches!(last.value.kind, NodeKind::Sequence(_)) => {
                continued(&mut last.value, more);
            }
            _ => return Some(more),
        },
        (NodeKind::Mapping(entries), NodeKind::Mapping(more)) => {
            entries.extend_from_slice(more);
        }
        (NodeKind::Sequence(items), NodeKind::Sequence(more)) => items.extend_from_slice(more),
        _ => return Some(more),
    }
    root.range = range;
    None
}

/// An open collection.
struct Frame {
    start: TextSize,
    /// Whether it is in brackets.
    flow: bool,
    items: Items,
    mark: Mark,
}

enum Items {
    Mapping {
        entries: Vec<Pair>,
        key: Option<Key>,
    },
    Sequence(Vec<Node>),
}

struct Key {
    text: String,
    range: TextRange,
}

/// Handles the parser's events from `start` on.
struct Reader<'t> {
    text: &'t str,
    start: usize,
    offsets: Offsets<'t>,
    frames: Vec<Frame>,
    /// The number of open collections beyond [`MAX_DEPTH`].
    skipped: usize,
    roots: Vec<Node>,
    /// Where the last event ended.
    gap_start: usize,
    /// Whether something is hidden from the parser.
    has_masks: bool,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, start: usize) -> Self {
        Self {
            text,
            start,
            offsets: Offsets::new(&text[start..]),
            frames: Vec::new(),
            skipped: 0,
            roots: Vec::new(),
            gap_start: start,
            has_masks: false,
        }
    }

    /// Reads an entry of plain scalars, which are at these ranges after the start.
    fn plain_entry(mut self, key: Range<usize>, value: Range<usize>) -> Reading {
        let (start, end) = (self.start, self.start + value.end);
        let entries = Vec::with_capacity(1);
        self.open(
            start,
            start,
            Items::Mapping { entries, key: None },
            Mark::None,
        );
        for range in [key, value] {
            let span = start + range.start..start + range.end;
            let found = Found {
                style: ScalarStyle::Plain,
                value: self.text[span.clone()].to_owned(),
                tag: None,
                mark: Mark::None,
                span,
                gap_start: start,
                in_flow: false,
            };
            self.add(scalar::node(self.text, found));
        }
        self.close(end, false);
        Reading {
            roots: self.roots,
            is_simple: true,
        }
    }

    /// Reads up to the end or to an error, and returns where that was noticed.
    fn run(&mut self, readable: &str) -> Option<usize> {
        let mut parser = Parser::new_from_str(readable);
        while let Some(event) = parser.next_event() {
            match event {
                Ok((event, span)) => self.event(event, span),
                Err(error) => {
                    let at = self.start + self.offsets.byte(error.marker().index());
                    // The parser has skipped the alias and can continue.
                    let Some(end) = alias_end(self.text, at, &error) else {
                        return Some(at);
                    };
                    self.alias(at, end);
                }
            }
        }
        None
    }

    fn event(&mut self, event: Event<'_>, span: Span) {
        let start = self.start + self.offsets.byte(span.start.index());
        let end = self.start + self.offsets.byte(span.end.index());
        let end = end.max(start);
        match event {
            Event::MappingStart(anchor, tag) => {
                let mark = self.mark(anchor, tag.as_deref());
                let entries = Vec::new();
                self.open(start, end, Items::Mapping { entries, key: None }, mark);
            }
            Event::SequenceStart(anchor, tag) => {
                let mark = self.mark(anchor, tag.as_deref());
                self.open(start, end, Items::Sequence(Vec::new()), mark);
            }
            Event::MappingEnd | Event::SequenceEnd if self.skipped > 0 => self.skipped -= 1,
            Event::MappingEnd | Event::SequenceEnd => self.close(end, false),
            _ if self.skipped > 0 => {}
            Event::Scalar(value, style, anchor, tag) => {
                let found = Found {
                    mark: self.mark(anchor, None),
                    tag: tag.map(Cow::into_owned),
                    style,
                    value: match self.has_masks {
                        true => chains::MASKS.shown(unquoted::MASKS.shown(mask::shown(&value))),
                        // The parser's texts have room for more.
                        false => value.as_ref().to_owned(),
                    },
                    span: start..end,
                    gap_start: self.gap_start,
                    in_flow: self.frames.iter().any(|frame| frame.flow),
                };
                self.add(scalar::node(self.text, found));
            }
            Event::Alias(_) => self.add(Node::alias(self.text, start..end)),
            // Its span is that of the first token, and begins after the header of a block scalar.
            Event::DocumentStart(false) => return,
            _ => {}
        }
        self.gap_start = end;
    }

    /// The mark of a value that the parser gives this number for an anchor, 0 for none, and this tag.
    fn mark(&self, anchor: usize, tag: Option<&Tag>) -> Mark {
        if tag.is_some_and(|tag| !tag.is_yaml_core_schema()) {
            return Mark::Unknown;
        }
        let name = || anchor_name(&self.text[self.gap_start..]);
        match (anchor != 0).then(name).flatten() {
            Some(name) => Mark::Anchor(name.into()),
            None => Mark::None,
        }
    }

    fn open(&mut self, start: usize, end: usize, items: Items, mark: Mark) {
        if self.skipped > 0 || self.frames.len() == MAX_DEPTH {
            if self.skipped == 0 {
                self.add(Node::other(start..end));
            }
            self.skipped += 1;
            return;
        }
        self.frames.push(Frame {
            start: size(start),
            flow: self.text[start..end].ends_with(['[', '{']),
            items,
            mark,
        });
    }

    /// Closes the innermost collection; `end` is the end of its bracket, if it has one. An error may cut it off.
    fn close(&mut self, end: usize, is_cut: bool) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let (kind, last) = match frame.items {
            Items::Mapping { mut entries, .. } => {
                // Most of thousands of mappings may have one entry.
                entries.shrink_to_fit();
                let last = entries.last().map(|entry| entry.value.range.end());
                (NodeKind::Mapping(entries), last)
            }
            Items::Sequence(mut items) => {
                items.shrink_to_fit();
                let last = items.last().map(|item| item.range.end());
                (NodeKind::Sequence(items), last)
            }
        };
        let last = last.unwrap_or(frame.start).max(frame.start);
        let end = match frame.flow {
            true => last.max(size(end)),
            false => last,
        };
        self.add(Node {
            range: TextRange::new(frame.start, end),
            kind,
            mark: if is_cut { Mark::Unknown } else { frame.mark },
        });
    }

    /// Closes what an error at `error` left open; returns whether there was anything.
    fn close_all(&mut self, error: usize) -> bool {
        if self.frames.is_empty() && self.roots.is_empty() {
            let entry = recover::line_entry(self.text, self.start);
            self.roots.extend(entry.map(|entry| Node {
                range: entry.key_range.cover(entry.value.range),
                kind: NodeKind::Mapping(vec![entry]),
                mark: Mark::Unknown,
            }));
            return !self.roots.is_empty();
        }
        let interrupted = !self.frames.is_empty();
        self.skipped = 0;
        while let Some(frame) = self.frames.last() {
            if let Items::Mapping { key: Some(key), .. } = &frame.items {
                let value = recover::line_value(self.text, usize::from(key.range.end()));
                self.add(value);
            }
            self.close(error, true);
        }
        interrupted
    }

    /// Adds an alias whose anchor is not known.
    fn alias(&mut self, start: usize, end: usize) {
        if self.skipped == 0 {
            self.add(Node::alias(self.text, start..end));
            self.gap_start = end;
        }
    }

    /// Whether something is written for a key in braces: its value, or the colon before it.
    fn has_value(&self, key: &Key, node: &Node) -> bool {
        let is_missing = node.kind == NodeKind::Other && node.mark == Mark::None;
        let rest = &self.text[key.range.end().into()..];
        !is_missing || rest.trim_start().starts_with(':')
    }

    fn add(&mut self, node: Node) {
        let node = match self.frames.last().map(|frame| (&frame.items, frame.flow)) {
            Some((Items::Mapping { key: Some(key), .. }, true)) if !self.has_value(key, &node) => {
                Node {
                    range: TextRange::empty(key.range.end()),
                    mark: Mark::Unwritten,
                    ..node
                }
            }
            Some((Items::Mapping { key: Some(key), .. }, _)) => {
                scalar::or_signature(self.text, &key.text, node)
            }
            _ => node,
        };
        match self.frames.last_mut().map(|frame| &mut frame.items) {
            None => self.roots.push(node),
            Some(Items::Sequence(items)) => items.push(node),
            Some(Items::Mapping { entries, key }) => match key.take() {
                Some(key) => entries.push(Pair {
                    key: key.text,
                    key_range: key.range,
                    value: node,
                }),
                None => *key = Some(Key::from(node)),
            },
        }
    }
}

impl From<Node> for Key {
    fn from(node: Node) -> Self {
        Self {
            range: node.range,
            text: match node.kind {
                NodeKind::Scalar(scalar) => scalar.value,
                _ => String::new(),
            },
        }
    }
}

/// Converts the parser's character counts to bytes.
struct Offsets<'t> {
    text: &'t str,
    /// The last position, in characters and in bytes: the next one is near.
    chars: usize,
    bytes: usize,
}

impl<'t> Offsets<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            chars: 0,
            bytes: 0,
        }
    }

    fn byte(&mut self, char_index: usize) -> usize {
        while self.chars < char_index
            && let Some(c) = self.text[self.bytes..].chars().next()
        {
            self.chars += 1;
            self.bytes += c.len_utf8();
        }
        while self.chars > char_index
            && let Some(c) = self.text[..self.bytes].chars().next_back()
        {
            self.chars -= 1;
            self.bytes -= c.len_utf8();
        }
        self.bytes
    }
}
