//! The blocks of a Markdown text: the starts of top-level blocks, and code blocks.

use std::{borrow::Cow, ops::Range, sync::Arc};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

use crate::{
    host::{
        elixir::module::Facts,
        markdown::{fences::Fences, iex, language::Language},
    },
    text::{TextRange, TextSize, size},
};

/// The blocks in a range of Markdown.
#[derive(Debug, Default)]
pub struct Blocks {
    /// The starts of top-level blocks after blank lines, in bytes of the text.
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
    scan_with(text, None)
}

/// Finds the blocks of documentation in Elixir, in which indented code is Elixir too.
pub fn scan_doc(text: &str) -> Blocks {
    scan_with(text, Some(Language::Elixir))
}

fn scan_with(text: &str, indented: Option<Language>) -> Blocks {
    let text = &*with_line_feeds(text);
    let fences = Fences::find(text);
    let nested = bounded(text);
    let mut blocks = Blocks::default();
    for stretch in fences.stretches(text.len()) {
        blocks.scan(text, &nested, stretch, indented);
    }
    blocks
        .starts
        .retain(|start| !fences.is_open_at(usize::from(*start)));
    blocks
}

impl Blocks {
    /// Adds the blocks in the range `stretch` of `text`; `nested` is the text as it is parsed, `indented` the language of
    /// indented code.
    fn scan(
        &mut self,
        text: &str,
        nested: &str,
        stretch: Range<usize>,
        indented: Option<Language>,
    ) {
        let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
        let from = stretch.start;
        let mut depth = 0;
        let mut code: Option<Option<Language>> = None;
        let mut pieces = Vec::new();
        for (event, range) in Parser::new_ext(&nested[stretch], options).into_offset_iter() {
            let range = range.start + from..range.end + from;
            if depth == 0 && !matches!(event, Event::End(_)) {
                let start = line_start(text, range.start);
                if is_blank(previous_line(text, start))
                    && stands_alone(&text[start..range.start], &event)
                {
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
    }
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

/// The maximum depth of quotes and list items on a line. Each following line costs as much as there are.
const MOST_NESTED: usize = 100;

/// The text in which lines with too many quotes and list items are replaced by letters of the same length.
fn bounded(text: &str) -> Cow<'_, str> {
    let mut bounded = Cow::Borrowed(text);
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r']) {
        if let Some(range) = excess(line) {
            let letters = "x".repeat(range.len());
            bounded
                .to_mut()
                .replace_range(start + range.start..start + range.end, &letters);
        }
        start += line.len();
    }
    bounded
}

/// The markers of quotes and list items at the start of `line` that exceed the limit.
fn excess(line: &str) -> Option<Range<usize>> {
    let is_marker = |c: char| matches!(c, '>' | '-' | '*' | '+' | '.' | ')');
    let is_between = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '\t');
    let len = line.len()
        - line
            .trim_start_matches(|c| is_marker(c) || is_between(c))
            .len();
    if len <= MOST_NESTED {
        return None;
    }
    let mut ends = line[..len]
        .char_indices()
        .filter(|(at, c)| *c == '>' || is_marker(*c) && line[at + 1..].starts_with([' ', '\t']));
    let (last, _) = ends.nth(MOST_NESTED)?;
    Some(last..len)
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

/// The line before `start`, the start of a line.
fn previous_line(text: &str, start: usize) -> &str {
    &text[line_start(text, start.saturating_sub(1))..start]
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
