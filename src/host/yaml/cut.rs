//! Cutting a YAML text at its top-level entries, so that each can be read alone.

use crate::text::{TextRange, size};

/// A part of a text that is read on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Where it is, in bytes of the text.
    pub range: TextRange,
    /// What it is.
    pub kind: CutKind,
}

/// What a part of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutKind {
    /// The first entry of a document's mapping or list, with what precedes it.
    First,
    /// A further entry of the same mapping or list.
    Next,
    /// A document that is not cut.
    Whole,
}

/// What the top level of a document is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    /// Nothing was seen of it yet.
    Unknown,
    Mapping,
    Sequence,
    /// Something that may hold any text at the beginning of a line, or needs what precedes it.
    Opaque,
    /// Directives, which belong to the document after them.
    Directives,
}

/// The parts of `text`, in order; together they are all of it.
///
/// A cut is where a line begins with a word and a colon in a mapping, or with a dash in a list, and at the
/// borders of documents: texts in quotes, blocks and brackets have to be indented there.
pub fn cut(text: &str) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let mut start = 0;
    let mut kind = CutKind::Whole;
    let mut level = Level::Unknown;
    let mut push = |from: usize, to: usize, kind| {
        if from < to {
            let range = TextRange::new(size(from), size(to));
            cuts.push(Cut { range, kind });
        }
    };
    let mut at = 0;
    for line in text.split_inclusive(['\n', '\r']) {
        let line_start = at;
        at += line.len();
        let line = match line_start {
            0 => line.trim_start_matches('\u{feff}'),
            _ => line,
        };
        if is_border(line) {
            if level == Level::Directives {
                level = Level::Opaque;
                continue;
            }
            push(start, line_start, kind);
            (start, kind) = (line_start, CutKind::Whole);
            level = behind_border(line);
            continue;
        }
        match level {
            Level::Unknown => {
                level = opened_by(line);
                if matches!(level, Level::Mapping | Level::Sequence) {
                    kind = CutKind::First;
                }
            }
            Level::Mapping if is_key(line) => {
                push(start, line_start, kind);
                (start, kind) = (line_start, CutKind::Next);
            }
            Level::Sequence if is_item(line) => {
                push(start, line_start, kind);
                (start, kind) = (line_start, CutKind::Next);
            }
            _ => {}
        }
    }
    push(start, text.len(), kind);
    cuts
}

/// Whether a line ends a document or begins one.
fn is_border(line: &str) -> bool {
    let behind = line.strip_prefix("---").or(line.strip_prefix("..."));
    behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(char::is_whitespace))
}

/// What is known of the document that the border `line` begins.
fn behind_border(line: &str) -> Level {
    let behind = line[3..].trim_start();
    match behind.is_empty() || behind.starts_with('#') {
        true => Level::Unknown,
        false => Level::Opaque,
    }
}

/// What is known of a document after its first `line`. A line that is no YAML leaves everything open.
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
    let is_blank = line.trim_start().is_empty() || line.trim_start().starts_with('#');
    let is_template = line.starts_with("{{");
    let is_opaque = line.starts_with([' ', '\t', '[', '{', '"', '\'', '|', '>', '&', '!']);
    match is_opaque && !is_blank && !is_template {
        true => Level::Opaque,
        false => Level::Unknown,
    }
}

fn is_key(line: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let behind = line.trim_start_matches(is_word);
    line.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        && behind
            .strip_prefix(':')
            .is_some_and(|value| value.is_empty() || value.starts_with([' ', '\t', '\r', '\n']))
}

fn is_item(line: &str) -> bool {
    let item = line.strip_prefix('-');
    item.is_some_and(|item| item.is_empty() || item.starts_with([' ', '\t', '\r', '\n']))
}
