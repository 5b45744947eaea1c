//! The blocks of a Markdown text: the starts of top-level blocks, and code blocks.

use std::{borrow::Cow, ops::Range, sync::Arc};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

use crate::{
    host::{
        elixir::module::Facts,
        markdown::{fences::Fences, iex, language::Language, skeleton::skeleton},
    },
    text::{TextRange, TextSize, size},
};

/// The blocks in a range of Markdown.
#[derive(Debug, Default)]
pub struct Blocks {
    /// The starts of top-level blocks after blank lines, and of fenced ones after any, in bytes of the text.
    pub starts: Vec<TextSize>,
    /// The code blocks of known languages.
    pub code: Vec<CodeBlock>,
}

/// A code block of a known language that is not empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeBlock {
    /// Its language.
    pub language: Language,
    /// The start of its first line of code, in bytes of the text.
    pub start: TextSize,
    /// Its code, in bytes from its start, in pieces: the text before and between them is margin.
    pub pieces: Vec<TextRange>,
    /// The indices of the pieces that a session of the shell shows to fail, in ascending order.
    pub failing: Vec<usize>,
    /// Whether it installs packages, like the first cell of a notebook.
    pub installs: bool,
    /// Its functions, once it was parsed.
    pub facts: Option<Arc<Facts>>,
}

impl CodeBlock {
    /// Whether it can be a cell of a notebook: Elixir code without margins.
    pub fn is_cell(&self) -> bool {
        let is_plain =
            matches!(self.pieces.as_slice(), [only] if only.start() == TextSize::from(0));
        self.language == Language::Elixir && is_plain
    }

    /// Whether it is a program, or code that may contain some.
    pub fn is_lisp(&self) -> bool {
        matches!(self.language, Language::Lisp | Language::PtcLisp)
    }

    /// From the start of its first line to the end of its code.
    pub fn range(&self) -> TextRange {
        let end = self.pieces.last().map_or(0.into(), |piece| piece.end());
        TextRange::at(self.start, end)
    }
}

/// Finds the blocks of `text`, which begins outside of blocks.
pub fn scan(text: &str) -> Blocks {
    scan_in_windows(text, None, WINDOW)
}

/// Finds the blocks of documentation in Elixir, in which indented code is Elixir too.
pub fn scan_doc(text: &str) -> Blocks {
    scan_in_windows(text, Some(Language::Elixir), WINDOW)
}

/// The bytes of a text that are parsed at once, if a block ends there.
const WINDOW: usize = 1 << 16;

/// Finds the blocks of `text`, with `window` bytes parsed at once, if a block ends there; `indented` is the language of
/// indented code.
pub(super) fn scan_in_windows(text: &str, indented: Option<Language>, window: usize) -> Blocks {
    let text = &*with_line_feeds(text);
    let fences = Fences::find(text);
    let skeleton = skeleton(text);
    let mut blocks = Blocks::default();
    for stretch in fences.stretches(text.len()) {
        blocks.scan_stretch(text, &skeleton, stretch, indented, window);
    }
    blocks
        .starts
        .retain(|start| !fences.is_open_at(usize::from(*start)));
    blocks
}

impl Blocks {
    /// Adds the blocks in the range `stretch` of `text` window by window: the last block in a window begins the next one.
    fn scan_stretch(
        &mut self,
        text: &str,
        skeleton: &str,
        stretch: Range<usize>,
        indented: Option<Language>,
        window: usize,
    ) {
        let mut start = stretch.start;
        let mut len = window;
        loop {
            let end = line_end(text, start + len).min(stretch.end);
            let last = self.scan(text, skeleton, start..end, indented);
            if end == stretch.end {
                return;
            }
            self.starts.truncate(last.starts);
            self.code.truncate(last.code);
            len = match last.start == start {
                true => len * 2,
                false => window,
            };
            start = last.start;
        }
    }

    /// Adds the blocks in `range` of `text`, whose skeleton is `skeleton`; `indented` is the language of indented code.
    /// Returns the last top-level block with which a text may begin; without one, the start of the range.
    fn scan(
        &mut self,
        text: &str,
        skeleton: &str,
        range: Range<usize>,
        indented: Option<Language>,
    ) -> LastBlock {
        let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
        let from = range.start;
        let mut depth = 0;
        let mut last = LastBlock {
            start: from,
            starts: self.starts.len(),
            code: self.code.len(),
        };
        let mut code: Option<Option<Language>> = None;
        let mut pieces = Vec::new();
        for (event, range) in Parser::new_ext(&skeleton[range], options).into_offset_iter() {
            let range = range.start + from..range.end + from;
            if depth == 0 && !matches!(event, Event::End(_)) {
                let start = line_start(text, range.start);
                let stands_alone = stands_alone(&text[start..range.start], &event);
                if stands_alone {
                    last = LastBlock {
                        start,
                        starts: self.starts.len(),
                        code: self.code.len(),
                    };
                }
                if stands_alone && (is_fenced(&event) || is_blank(previous_line(text, start))) {
                    self.starts.push(size(start));
                }
            }
            match event {
                Event::Start(tag) => {
                    depth += 1;
                    match tag {
                        Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
                            code = Some(Language::from_info(&info));
                        }
                        Tag::CodeBlock(CodeBlockKind::Indented) => code = Some(indented),
                        // Examples may follow a line of text without a blank line.
                        Tag::Paragraph => self.code.extend(code_block(text, None, vec![range])),
                        _ => {}
                    }
                }
                Event::End(_) => {
                    depth -= 1;
                    if let Some(language) = code.take() {
                        let pieces = std::mem::take(&mut pieces);
                        self.code.extend(code_block(text, language, pieces));
                    }
                }
                Event::Text(_) if code.is_some() => add_piece(text, &mut pieces, range),
                _ => {}
            }
        }
        last
    }
}

/// A top-level block, and what was found before it.
struct LastBlock {
    /// The start of its first line, in bytes.
    start: usize,
    starts: usize,
    code: usize,
}

/// The text with a line feed in place of each carriage return that ends a line alone.
pub(super) fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let is_alone = |at: usize| !text[at + 1..].starts_with('\n');
    let returns = memchr::memchr_iter(b'\r', text.as_bytes());
    let mut replaced = Cow::Borrowed(text);
    for at in returns.filter(|at| is_alone(*at)) {
        replaced.to_mut().replace_range(at..=at, "\n");
    }
    replaced
}

/// The start of the line at `offset`.
fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |at| at + 1)
}

/// Whether a block after `indentation` begins the same way without the text before it.
///
/// A nested footnote is a top-level block, but it may only be indented that far inside a footnote.
fn stands_alone(indentation: &str, event: &Event<'_>) -> bool {
    matches!(event, Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)))
        || matches!(indentation, "" | " " | "  " | "   ")
}

/// Whether a block with a fence begins.
fn is_fenced(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_)))
    )
}

/// The line before `start`, the start of a line.
fn previous_line(text: &str, start: usize) -> &str {
    &text[line_start(text, start.saturating_sub(1))..start]
}

/// The end of the line at `offset`, after its line feed.
fn line_end(text: &str, offset: usize) -> usize {
    let rest = text.as_bytes().get(offset..).unwrap_or_default();
    memchr::memchr(b'\n', rest).map_or(text.len(), |at| offset + at + 1)
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// Adds a piece of code; if only a carriage return separates it from the previous one, both are joined.
fn add_piece(text: &str, pieces: &mut Vec<Range<usize>>, piece: Range<usize>) {
    if piece.is_empty() {
        return;
    }
    match pieces.last_mut() {
        Some(last) if matches!(&text[last.end..piece.start], "" | "\r") => last.end = piece.end,
        _ => pieces.push(piece),
    }
}

/// The code block with these pieces, if its language is known or its text reveals it.
fn code_block(
    text: &str,
    language: Option<Language>,
    pieces: Vec<Range<usize>>,
) -> Option<CodeBlock> {
    let is_session = match language {
        None => iex::has_prompts(text, &pieces),
        Some(Language::Elixir) => iex::is_session(text, &pieces),
        Some(_) => false,
    };
    let (language, (pieces, failing)) = match is_session {
        true => (Language::Elixir, iex::input(text, &pieces)),
        false => (language?, (pieces, Vec::new())),
    };
    let start = line_start(text, pieces.first()?.start);
    let installs = language == Language::Elixir
        && pieces
            .iter()
            .any(|it| text[it.clone()].contains("Mix.install("));
    let from_start =
        |piece: Range<usize>| TextRange::new(size(piece.start - start), size(piece.end - start));
    Some(CodeBlock {
        language,
        start: size(start),
        pieces: pieces.into_iter().map(from_start).collect(),
        failing,
        installs,
        facts: None,
    })
}
