//! Continues after an error in a YAML text.

use crate::{
    host::{
        evidence::Evidence,
        object::text_of,
        yaml::{
            keep::Keep,
            node::{Mark, Node, NodeKind, Pair, Scalar, ScalarStyle},
            read::MAX_DEPTH,
            scalar,
        },
    },
    syntax::fragment::Escapes,
    text::{TextRange, TextSize, size},
};

/// Repairs the last of the `roots` that were read from `start` until an error at `error`, and returns where to
/// continue.
///
/// `interrupted` tells whether the last root was still open.
pub(super) fn recover(
    text: &str,
    start: usize,
    roots: &mut Vec<Node>,
    interrupted: bool,
    error: usize,
) -> Option<usize> {
    if !interrupted {
        let from = end_of_roots(text, start, roots, error);
        return next_line(text, from, indentation_at(text, start));
    }
    let root = roots.last_mut()?;
    let column = indentation_at(text, usize::from(root.range.start()));
    if let NodeKind::Mapping(entries) = &mut root.kind
        && let Some(last) = entries.last_mut()
    {
        if is_faulty(text, &last.value, error) {
            let value = line_value(text, usize::from(last.key_range.end()));
            last.value = scalar::or_signature(text, last.key(text), value, Evidence::Likely);
        }
        root.range = TextRange::new(root.range.start(), last.value.range.end());
    }
    next_line(text, last_line(text, root), column)
}

/// A place on the last line of `node` on which a key or an item in block style begins.
fn last_line(text: &str, node: &Node) -> usize {
    let start = usize::from(node.range.start());
    if text[start..].starts_with(['[', '{']) {
        return start;
    }
    match &node.kind {
        NodeKind::Mapping(entries) => entries.last().map_or(start, |entry| {
            usize::from(entry.key_range.end()).max(last_line(text, &entry.value))
        }),
        NodeKind::Sequence(items) => items.last().map_or(start, |item| last_line(text, item)),
        NodeKind::Scalar(_) | NodeKind::Other => start,
    }
}

/// Where the closed roots end; the last one is removed if it contains the error.
fn end_of_roots(text: &str, start: usize, roots: &mut Vec<Node>, error: usize) -> usize {
    match roots.last() {
        Some(root) if is_faulty(text, root, error) => {
            let from = usize::from(root.range.start());
            roots.pop();
            from
        }
        Some(root) => usize::from(root.range.end()).max(start),
        None => start,
    }
}

/// Whether the error is part of `value` or of what follows it on its line.
///
/// Not for a collection in block style: what could be read of it is worth more than its first line.
fn is_faulty(text: &str, value: &Node, error: usize) -> bool {
    let range = std::ops::Range::<usize>::from(value.range);
    let in_brackets = text[range.clone()].starts_with(['[', '{']);
    let in_block = match value.kind {
        NodeKind::Mapping(_) | NodeKind::Sequence(_) => !in_brackets,
        NodeKind::Scalar(_) | NodeKind::Other => false,
    };
    let same_line = match text.get(range.end..error) {
        Some(between) => !between.contains(['\r', '\n']),
        None => true,
    };
    same_line && !in_block
}

/// A mapping that is read line by line.
struct Block<'r> {
    /// Where its first key begins.
    start: TextSize,
    keep: Keep<'r>,
    /// The indentation of its keys.
    column: usize,
    /// Whether it is an item of a list.
    is_item: bool,
    entries: Vec<Pair>,
}

impl<'r> Block<'r> {
    /// What is kept of the block that begins after its last key.
    fn keep_inside(&self, text: &str, is_item: bool) -> Keep<'r> {
        let key = self.entries.last().map_or("", |entry| entry.key(text));
        let keep = self.keep.under(key);
        match is_item {
            true => keep.item(),
            false => keep,
        }
    }

    fn into_node(self) -> Option<Node> {
        let end = self.entries.last()?.value.range.end();
        Some(Node {
            range: TextRange::new(self.start, end),
            kind: NodeKind::Mapping(self.entries),
            mark: Mark::Unknown,
        })
    }
}

/// The contents of the lines from `start` on, each read separately as `key: value`. Their indentation decides how they
/// nest.
pub(super) fn lines(text: &str, start: usize, keep: Keep<'_>) -> Vec<Node> {
    let mut roots = Vec::new();
    let mut open: Vec<Block<'_>> = Vec::new();
    let mut at = start;
    while at < text.len() {
        let line = &text[at..at + scalar::line_len(&text[at..])];
        let column = line.len() - line.trim_start_matches([' ', '-']).len();
        let indentation = line.len() - line.trim_start_matches(' ').len();
        let entry = line_entry(text, at + column);
        at += line.len();
        let is_text = open.last().is_some_and(|block| {
            let value = block.entries.last().map(|entry| &entry.value.range);
            let value = value.map_or("", |range| &text[usize::from(range.start())..]);
            block.column < indentation && value.starts_with(['|', '>'])
        });
        let Some(entry) = entry.filter(|_| !is_text) else {
            continue;
        };
        let is_item = indentation < column;
        while open.last().is_some_and(|block| {
            column < block.column || is_item && block.is_item && column == block.column
        }) {
            close_last(text, &mut open, &mut roots);
        }
        let depth = open.len();
        let keep = open
            .last()
            .map_or(keep, |block| block.keep_inside(text, is_item));
        match open.last_mut() {
            Some(block) if block.column == column => {
                block.keep.push_entry(text, &mut block.entries, entry);
            }
            _ if depth < MAX_DEPTH => open.push(Block {
                start: entry.key_range.start(),
                keep,
                column,
                is_item,
                entries: vec![entry],
            }),
            _ => {}
        }
    }
    while !open.is_empty() {
        close_last(text, &mut open, &mut roots);
    }
    roots
}

/// Closes the innermost block: it is the value of the key before it, if that has none.
fn close_last(text: &str, open: &mut Vec<Block<'_>>, roots: &mut Vec<Node>) {
    let Some(block) = open.pop() else {
        return;
    };
    let (is_item, keep) = (block.is_item, block.keep);
    let Some(node) = block.into_node() else {
        return;
    };
    let range = node.range;
    let listed = |node| Node {
        range,
        kind: NodeKind::Sequence(vec![node]),
        mark: Mark::Unknown,
    };
    let value = open.last_mut().and_then(|block| block.entries.last_mut());
    match value.map(|entry| &mut entry.value) {
        Some(Node {
            kind: NodeKind::Sequence(items),
            range,
            ..
        }) if is_item => {
            *range = range.cover(node.range);
            keep.push_item(text, items, node);
        }
        Some(value) if matches!(value.kind, NodeKind::Other) && value.range.is_empty() => {
            *value = match is_item {
                true => listed(node),
                false => node,
            };
        }
        _ if is_item => roots.push(listed(node)),
        _ => roots.push(node),
    }
}

/// The entry on the line at `start`, read separately as `key: value`.
pub(super) fn line_entry(text: &str, start: usize) -> Option<Pair> {
    let line = &text[start..start + scalar::line_len(&text[start..])];
    let key_start = start + line.len() - line.trim_start().len();
    let (key, _) = line.trim_start().split_once(':')?;
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if key.is_empty() || !key.chars().all(is_word) {
        return None;
    }
    let key_range = TextRange::at(size(key_start), TextSize::of(key));
    let value = line_value(text, usize::from(key_range.end()));
    let value = scalar::or_signature(text, key, value, Evidence::Likely);
    Some(Pair::new(text, key, key_range, value))
}

/// The value on a line whose key ends at `key_end`, read separately.
pub(super) fn line_value(text: &str, key_end: usize) -> Node {
    let line_end = key_end
        + text[key_end..]
            .find(['\r', '\n'])
            .unwrap_or(text.len() - key_end);
    let line = &text[key_end..line_end];
    let written = line.trim_start_matches([' ', '\t']);
    let written = written.strip_prefix(':').unwrap_or(written).trim_start();
    let start = line_end - written.len();
    if written.is_empty() || written.starts_with(['|', '>', '&', '*', '!', '[', '{']) {
        return Node::other(start..start + written.trim_end().len());
    }
    if written.starts_with(['"', '\'']) {
        return quoted_value(text, start, written);
    }
    let comment = written.find(" #").unwrap_or(written.len());
    let plain = written[..comment].trim_end();
    let range = start..start + plain.len();
    let escapes = Escapes::Plain { in_flow: false };
    let literal = scalar::literal(range.clone(), range, escapes);
    Node::scalar(Scalar::new(text, literal, ScalarStyle::Plain, plain, None))
}

/// The value that begins with a quote at `start`; it may be unclosed.
fn quoted_value(text: &str, start: usize, written: &str) -> Node {
    let (style, escapes) = match written.starts_with('"') {
        true => (ScalarStyle::DoubleQuoted, Escapes::DoubleQuoted),
        false => (ScalarStyle::SingleQuoted, Escapes::DoubledApostrophe),
    };
    let (literal, content) = match scalar::quoted_len(written) {
        Some(len) => (start..start + len, start + 1..start + len - 1),
        None => {
            let end = start + written.trim_end().len();
            (start..end, start + 1..end)
        }
    };
    let value = text_of(&text[content.clone()], escapes);
    let literal = scalar::literal(literal, content, escapes);
    Node::scalar(Scalar::new(text, literal, style, &value, None))
}

/// The first line with content after the one at `from` that is indented by at most `column`.
fn next_line(text: &str, from: usize, column: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += scalar::line_len(&text[at..]);
        let line = &text[at..at + scalar::line_len(&text[at..])];
        if line.is_empty() {
            return None;
        }
        let written = line.trim_start_matches(' ');
        let holds = !written.trim_start().is_empty() && !written.starts_with(['#', ']', '}']);
        if holds && line.len() - written.len() <= column {
            return Some(at);
        }
    }
}

/// The width of the text before `at` on its line.
fn indentation_at(text: &str, at: usize) -> usize {
    let line_start = text[..at].rfind(['\r', '\n']).map_or(0, |at| at + 1);
    at - line_start
}
