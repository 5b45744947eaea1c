//! Makes nodes of the events of the YAML parser.

use std::{borrow::Cow, ops::Range};

use saphyr_parser::{Event, Parser, ScanError, Span, Tag};

use super::{MAX_DEPTH, Reading, name};
use crate::{
    host::{
        evidence::Evidence,
        yaml::{
            chains,
            document::BlockValue,
            keep::Keep,
            mask,
            node::{Mark, Node, NodeKind, Pair, ScalarStyle},
            recover,
            scalar::{self, Found},
            unquoted,
        },
    },
    syntax::room::make_room,
    text::{TextRange, TextSize, size},
};

/// An open collection.
struct Frame<'r> {
    start: TextSize,
    /// Whether it is in brackets.
    flow: bool,
    items: Items,
    mark: Mark,
    keep: Keep<'r>,
}

enum Items {
    Mapping {
        entries: Vec<Pair>,
        /// Where the first key begins.
        first: Option<TextSize>,
        /// The key whose value follows.
        key: Option<Node>,
    },
    Sequence(Vec<Node>),
}

impl Items {
    const MAPPING: Self = Self::Mapping {
        entries: Vec::new(),
        first: None,
        key: None,
    };
}

/// Handles the parser's events from `start` on.
pub(super) struct Reader<'t, 'r> {
    text: &'t str,
    start: usize,
    /// The number of characters that the parser reads before the text.
    before: usize,
    keep: Keep<'r>,
    offsets: Offsets<'t>,
    frames: Vec<Frame<'r>>,
    /// The number of open collections beyond [`MAX_DEPTH`].
    skipped: usize,
    pub(super) roots: Vec<Node>,
    pub(super) aliases: Vec<TextRange>,
    pub(super) values: Vec<BlockValue>,
    /// Where the last event ended.
    gap_start: usize,
    /// Whether something is hidden from the parser.
    pub(super) has_masks: bool,
}

impl<'t, 'r> Reader<'t, 'r> {
    pub(super) fn new(text: &'t str, start: usize, keep: Keep<'r>) -> Self {
        Self {
            text,
            start,
            before: 0,
            keep,
            offsets: Offsets::new(&text[start..]),
            frames: Vec::new(),
            skipped: 0,
            roots: Vec::new(),
            aliases: Vec::new(),
            values: Vec::new(),
            gap_start: start,
            has_masks: false,
        }
    }

    /// Reads an entry of plain scalars, which are at these ranges after the start.
    pub(super) fn plain_entry(mut self, key: Range<usize>, value: Range<usize>) -> Reading {
        let (start, end) = (self.start, self.start + value.end);
        self.open(start, start, Items::MAPPING, Mark::None);
        for range in [key, value] {
            let span = start + range.start..start + range.end;
            let found = Found {
                style: ScalarStyle::Plain,
                value: Cow::Borrowed(&self.text[span.clone()]),
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
            values: self.values,
            is_simple: true,
            ..Reading::default()
        }
    }

    /// Reads `readable` up to the end or to an error, and returns where that was noticed. The text begins after the first
    /// `before` characters of it.
    pub(super) fn run(&mut self, readable: &str, before: usize) -> Option<usize> {
        self.before = before;
        let mut parser = Parser::new_from_str(readable);
        while let Some(event) = parser.next_event() {
            match event {
                Ok((event, span)) => self.event(event, span),
                Err(error) => {
                    let at = self.place(error.marker().index());
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

    /// The place in the text of the character at `index` of what the parser reads.
    fn place(&mut self, index: usize) -> usize {
        self.start + self.offsets.byte(index.saturating_sub(self.before))
    }

    fn event(&mut self, event: Event<'_>, span: Span) {
        let start = self.place(span.start.index());
        let end = self.place(span.end.index()).max(start);
        match event {
            Event::MappingStart(anchor, tag) => {
                let mark = self.mark(anchor, tag.as_deref());
                self.open(start, end, Items::MAPPING, mark);
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
                        true => {
                            let value = unquoted::MASKS.shown(mask::shown(&value));
                            Cow::Owned(chains::MASKS.shown(value))
                        }
                        false => value,
                    },
                    span: start..end,
                    gap_start: self.gap_start,
                    in_flow: self.frames.iter().any(|frame| frame.flow),
                };
                self.add(scalar::node(self.text, found));
            }
            Event::Alias(_) => self.add_alias(start, end),
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
        let name = || anchor_name(self.text, self.gap_start);
        (anchor != 0)
            .then(name)
            .flatten()
            .map_or(Mark::None, Mark::Anchor)
    }

    fn open(&mut self, start: usize, end: usize, items: Items, mark: Mark) {
        if self.skipped > 0 || self.frames.len() == MAX_DEPTH {
            if self.skipped == 0 {
                self.add(Node::other(start..end));
            }
            self.skipped += 1;
            return;
        }
        let keep = match self.frames.last() {
            None => self.keep,
            Some(around) => around.keep_inside(self.text),
        };
        self.frames.push(Frame {
            keep: keep.with(mark),
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
    pub(super) fn close_all(&mut self, error: usize) -> bool {
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
            self.add_alias(start, end);
            self.gap_start = end;
        }
    }

    fn add_alias(&mut self, start: usize, end: usize) {
        let alias = Node::alias(self.text, start..end);
        if let Mark::Alias(name) = alias.mark {
            self.aliases.push(name);
        }
        self.add(alias);
    }

    /// Whether something is written for a key in braces: its value, or the colon before it.
    fn has_value(&self, key: &Node, node: &Node) -> bool {
        let is_missing = matches!(node.kind, NodeKind::Other) && node.mark == Mark::None;
        let rest = &self.text[key.range.end().into()..];
        !is_missing || rest.trim_start().starts_with(':')
    }

    fn add(&mut self, node: Node) {
        let Some(frame) = self.frames.last_mut() else {
            self.roots.push(node);
            return;
        };
        let taken = match &mut frame.items {
            Items::Sequence(items) => {
                let (first, end) = (usize::from(frame.start), self.text.len());
                let read = usize::from(node.range.start()).saturating_sub(first);
                make_room(items, read, end - first);
                frame.keep.push_item(self.text, items, node);
                return;
            }
            Items::Mapping { first, key, .. } => match key.take() {
                Some(key) => key,
                None => {
                    *first = first.or(Some(node.range.start()));
                    *key = Some(node);
                    return;
                }
            },
        };
        self.add_entry(taken, node);
    }

    /// Adds an entry to the innermost mapping.
    fn add_entry(&mut self, key: Node, value: Node) {
        let is_written = self.has_value(&key, &value);
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let Items::Mapping { entries, first, .. } = &mut frame.items else {
            return;
        };
        let name = key_text(self.text, &key);
        let value = match frame.flow && !is_written {
            true => Node {
                range: TextRange::empty(key.range.end()),
                mark: Mark::Unwritten,
                ..value
            },
            false => scalar::or_signature(self.text, name, value, Evidence::Likely),
        };
        let is_block = *first == Some(frame.start) && !frame.flow;
        if let (NodeKind::Scalar(scalar), true) = (&value.kind, is_block)
            && let Some(role) = frame.keep.role_of(name)
        {
            let value = BlockValue::new(self.text, key.range, scalar, role);
            self.values.push(value);
        }
        let entry = Pair::new(self.text, name, key.range, value);
        let (first, end) = (usize::from(frame.start), self.text.len());
        let read = usize::from(key.range.start()).saturating_sub(first);
        make_room(entries, read, end - first);
        frame.keep.push_entry(self.text, entries, entry);
    }
}

impl<'r> Frame<'r> {
    /// What is kept of the value that begins in it.
    fn keep_inside(&self, text: &str) -> Keep<'r> {
        match &self.items {
            Items::Sequence(_) => self.keep.item(),
            Items::Mapping { key: Some(key), .. } => self.keep.under(key_text(text, key)),
            Items::Mapping { key: None, .. } => self.keep.under(""),
        }
    }
}

/// The key that `node` of `text` is; empty if it is not a scalar.
fn key_text<'n>(text: &'n str, node: &'n Node) -> &'n str {
    match &node.kind {
        NodeKind::Scalar(scalar) => scalar.value(text),
        _ => "",
    }
}

/// The end of the alias in `error`, if it is about one without an anchor.
fn alias_end(text: &str, start: usize, error: &ScanError) -> Option<usize> {
    let is_alias = error.info().ends_with("unknown anchor") && text[start..].starts_with('*');
    is_alias.then(|| name(text, start).end().into())
}

/// The name of the anchor before the first value in `text` after `start`.
fn anchor_name(text: &str, start: usize) -> Option<TextRange> {
    let mut rest = &text[start..];
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "-:?,[{".contains(c));
        rest = match rest.chars().next()? {
            '&' => return Some(name(text, text.len() - rest.len() + 1)),
            '#' => rest.trim_start_matches(|c| !matches!(c, '\r' | '\n')),
            '!' => rest.trim_start_matches(|c: char| !c.is_whitespace()),
            _ => return None,
        };
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
