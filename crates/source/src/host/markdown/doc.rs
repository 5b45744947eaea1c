//! Markdown in a literal of another host, such as the heredoc of a `@doc`.

use crate::{
    host::{
        PlacedUnit, Roles,
        markdown::{
            blocks::{self, CodeBlock},
            embedded,
        },
    },
    text::{TextRange, TextSize, size},
};

/// The units in the code blocks of `text`, whose lines begin with up to `indent` blanks that are not part of the
/// Markdown.
pub fn units_in_doc(text: &str, indent: usize, roles: &Roles) -> Vec<PlacedUnit> {
    let doc = Dedented::new(text, indent);
    let blocks = blocks::scan_doc(&doc.text).code;
    let blocks = blocks.iter().map(|block| doc.in_source(block));
    blocks
        .flat_map(|block| embedded::units(&text[block.range()], &block, roles))
        .collect()
}

/// A text without its indentation.
struct Dedented {
    text: String,
    lines: Vec<Line>,
}

struct Line {
    /// The start of the line in the text without indentation.
    start: TextSize,
    /// Its start including the indentation, and the length of that.
    source: TextSize,
    indent: TextSize,
}

impl Dedented {
    fn new(source: &str, indent: usize) -> Self {
        let mut text = String::with_capacity(source.len());
        let mut lines = Vec::new();
        let mut at = 0;
        for line in source.split_inclusive('\n') {
            let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
            let margin = line.bytes().take(indent).take_while(is_blank).count();
            lines.push(Line {
                start: size(text.len()),
                source: size(at),
                indent: size(margin),
            });
            text.push_str(&line[margin..]);
            at += line.len();
        }
        Self { text, lines }
    }

    fn line(&self, offset: TextSize) -> Option<&Line> {
        let following = self.lines.partition_point(|line| line.start <= offset);
        self.lines.get(following.checked_sub(1)?)
    }

    /// The same code block in bytes of the source.
    fn in_source(&self, block: &CodeBlock) -> CodeBlock {
        let start = self
            .line(block.start)
            .map_or(block.start, |line| line.source);
        let pieces = block.pieces.iter().flat_map(|piece| {
            let piece = *piece + block.start;
            self.text[piece]
                .split_inclusive('\n')
                .scan(piece.start(), |at, line| {
                    let range = TextRange::at(*at, TextSize::of(line));
                    *at = range.end();
                    Some(range)
                })
        });
        let in_source = |piece: TextRange| {
            let line = self.line(piece.start())?;
            let at = line.source + line.indent + (piece.start() - line.start);
            Some(TextRange::at(at - start, piece.len()))
        };
        CodeBlock {
            language: block.language,
            start,
            pieces: pieces.filter_map(in_source).collect(),
            failing: block.failing.clone(),
            installs: block.installs,
            facts: None,
        }
    }
}
