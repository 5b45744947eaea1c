//! Parses a YAML text, complete or not, into [`Node`]s.
//!
//! The text is split at its top-level entries (see [`cut`](super::cut)), and each is parsed separately: an error in
//! one of them does not affect the others. The parser stops at the first error. What it read before the error is kept,
//! and reading continues after the faulty entry (see [`recover`](super::recover)). Two of its errors are tolerated: a
//! tab between a key and its value, which is replaced by a blank, and an alias whose anchor is elsewhere, as in
//! another entry or in a part of a file that a guide shows. A signature that it would split at its commas is hidden
//! from it (see [`unquoted`](super::unquoted)), and so are collections that nest too deeply in one line (see
//! [`chains`](super::chains)).

mod events;

use std::{borrow::Cow, ops::Range};

use events::Reader;

use crate::{
    host::yaml::{
        brackets, chains,
        cut::{CutKind, cut},
        document::BlockValue,
        keep::Keep,
        mask,
        node::{Node, NodeKind},
        plain_line, recover, unquoted,
    },
    text::{TextRange, size},
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
    /// The names of the aliases.
    pub aliases: Vec<TextRange>,
    /// The scalars that can be parsed separately after an edit, in order, if there are no errors.
    pub(super) values: Vec<BlockValue>,
    /// Whether there are no errors.
    pub is_simple: bool,
}

impl Reading {
    /// Adds what was read up to an error; if that interrupted the last collection, this continues.
    fn join(&mut self, piece: Reader<'_, '_>, goes_on: bool) {
        self.aliases.extend(piece.aliases);
        self.values.extend(piece.values);
        self.join_roots(piece.roots, goes_on);
    }

    fn join_roots(&mut self, roots: Vec<Node>, goes_on: bool) {
        let mut roots = roots.into_iter();
        if goes_on
            && let Some(root) = self.roots.last_mut()
            && let Some(first) = roots.next()
            && let Some(first) = continued(root, first)
        {
            self.roots.push(first);
        }
        self.roots.extend(roots);
    }
}

/// Reads all of `text`.
pub fn read(text: &str) -> Reading {
    read_documents(text, Keep::default())
}

/// Reads what `keep` keeps of all documents of `text`.
pub(super) fn read_documents(text: &str, keep: Keep<'_>) -> Reading {
    let mut roots: Vec<Node> = Vec::new();
    let mut is_simple = true;
    let mut first = 0;
    for cut in cut(text, &|_| false) {
        let part = read_part(text, cut.range.into(), keep);
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
    Reading {
        roots,
        is_simple,
        ..Reading::default()
    }
}

/// Reads the text at `range` in `text`, which is not split further.
pub(super) fn read_part(text: &str, range: Range<usize>, keep: Keep<'_>) -> Reading {
    let text = &text[..range.end];
    let first = text.len() - text[range.start..].trim_start_matches('\u{feff}').len();
    match plain_line::entry(&text[first..]) {
        Some((key, value)) => Reader::new(text, first, keep).plain_entry(key, value),
        None => read_with_parser(text, first, keep),
    }
}

/// Reads `text` from `first` on.
pub(super) fn read_with_parser(text: &str, first: usize, keep: Keep<'_>) -> Reading {
    let mut reading = Reading::default();
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
    if let Some(marked) = brackets::marked(&readable) {
        let mut piece = Reader::new(text, first, keep);
        piece.has_masks = matches!(readable, Cow::Owned(_));
        if piece.run(&marked, brackets::MARK.len()).is_none() {
            reading.join(piece, false);
            reading.is_simple = true;
            return reading;
        }
    }
    let mut is_masked = false;
    let mut start = first;
    let mut interrupted = false;
    let mut has_errors = false;
    for _ in 0..=MAX_RESTARTS {
        let mut piece = Reader::new(text, start, keep);
        piece.has_masks = matches!(readable, Cow::Owned(_));
        let error = piece.run(&readable[start - first..], 0);
        let goes_on = interrupted && !text[start..].starts_with(['-', '.']);
        let Some(error) = error else {
            reading.join(piece, goes_on);
            reading.is_simple = !has_errors;
            return reading;
        };
        has_errors = true;
        if !is_masked {
            is_masked = true;
            if let Some(masked) = mask::masked(&readable) {
                readable = Cow::Owned(masked);
                continue;
            }
        }
        interrupted = piece.close_all(error);
        let next = recover::recover(text, start, &mut piece.roots, interrupted, error);
        reading.join(piece, goes_on);
        match next {
            Some(next) => start = next,
            None => return reading,
        }
    }
    reading.join_roots(recover::lines(text, start, keep), interrupted);
    reading
}

/// Where the name of the anchor at `start` of `text` is.
pub(super) fn name(text: &str, start: usize) -> TextRange {
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']' | '{' | '}');
    let end = text[start..].find(ends).map_or(text.len(), |it| start + it);
    TextRange::new(size(start), size(end))
}

/// Adds the contents of `more` to `root`, or returns `more` if it cannot be its continuation.
fn continued(root: &mut Node, mut more: Node) -> Option<Node> {
    let range = root.range.cover(more.range);
    match (&mut root.kind, &mut more.kind) {
        // A list may have the same indentation as its key.
        (NodeKind::Mapping(entries), NodeKind::Sequence(_)) => match entries.last_mut() {
            Some(last) if matches!(last.value.kind, NodeKind::Sequence(_)) => {
                continued(&mut last.value, more);
            }
            _ => return Some(more),
        },
        (NodeKind::Mapping(entries), NodeKind::Mapping(more)) => entries.append(more),
        (NodeKind::Sequence(items), NodeKind::Sequence(more)) => items.append(more),
        _ => return Some(more),
    }
    root.range = range;
    None
}
