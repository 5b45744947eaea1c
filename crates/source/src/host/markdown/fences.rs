//! Fences of unclosed code blocks.
//!
//! In Markdown, such a block ends with the document. While a user types a block, it ends where something else clearly
//! begins: the next fence with a language, or a heading between blank lines. A block of signatures also ends at the
//! first line after a blank one that cannot begin a signature.
//!
//! Lists are not tracked: a fence that ends with its list item counts as unclosed. This splits the text before the
//! next fence, where a block begins anyway.

use std::{iter::once, ops::Range};

use super::language::Language;

/// The starts and ends of the blocks of a text.
#[derive(Debug, Default)]
pub(super) struct Fences {
    /// The starts of texts that do not belong to the unclosed block before them, in order.
    cuts: Vec<usize>,
    /// The blocks, each from its opening fence to where parsing can continue.
    blocks: Vec<Range<usize>>,
}

impl Fences {
    /// Finds the fences of `text`, which begins outside of blocks.
    pub(super) fn find(text: &str) -> Self {
        let mut fences = Self::default();
        let mut open: Option<Open> = None;
        let mut at = 0;
        let mut lines = text.split_inclusive('\n').peekable();
        while let Some(line) = lines.next() {
            let (start, end) = (at, at + line.len());
            at = end;
            let line = Line::new(line);
            if let Some(block) = open.take_if(|it| line.quotes < it.quotes) {
                fences.blocks.push(block.start..start);
            }
            let Some(block) = &mut open else {
                open = Open::new(&line, start);
                continue;
            };
            match line.fence() {
                Some(fence) if block.is_closed_by(&line, &fence) => {
                    fences.blocks.push(block.start..end);
                    open = None;
                }
                Some(fence) if block.is_left_for(&line, &fence) => {
                    fences.leave(block, start);
                    open = Open::new(&line, start);
                }
                _ => {
                    let is_before_blank =
                        lines.peek().is_none_or(|next| Line::new(next).is_blank());
                    block.follow(&line, start, is_before_blank);
                }
            }
        }
        if let Some(block) = open {
            fences.leave(&block, text.len());
        }
        fences
    }

    /// Ends the unclosed `block` before `end`.
    fn leave(&mut self, block: &Open, end: usize) {
        self.blocks.push(block.start..end + 1);
        self.cuts.extend(block.code_end);
        self.cuts.push(end);
    }

    /// The ranges of the text, `len` bytes long, that are parsed separately.
    pub(super) fn stretches(&self, len: usize) -> impl Iterator<Item = Range<usize>> {
        let starts = once(0).chain(self.cuts.iter().copied());
        let ends = self.cuts.iter().copied().chain(once(len));
        starts
            .zip(ends)
            .map(|(start, end)| start..end)
            .filter(|it| !it.is_empty())
    }

    /// Whether a block is open before the line at `start`.
    pub(super) fn is_open_at(&self, start: usize) -> bool {
        let before = self.blocks.partition_point(|it| it.start < start);
        let last = before
            .checked_sub(1)
            .and_then(|index| self.blocks.get(index));
        last.is_some_and(|it| start < it.end)
    }
}

/// A line without the marks of the quotes around it.
struct Line<'t> {
    quotes: usize,
    indent: usize,
    text: &'t str,
}

impl<'t> Line<'t> {
    fn new(line: &'t str) -> Self {
        let mut quotes = 0;
        let mut rest = line;
        let (indent, text) = loop {
            let text = rest.trim_start_matches(' ');
            let indent = rest.len() - text.len();
            match text.strip_prefix('>') {
                Some(quoted) if indent <= 3 => {
                    quotes += 1;
                    rest = quoted.strip_prefix(' ').unwrap_or(quoted);
                }
                _ => break (indent, text.trim_end()),
            }
        };
        Self {
            quotes,
            indent,
            text,
        }
    }

    fn is_blank(&self) -> bool {
        self.text.is_empty()
    }

    fn fence(&self) -> Option<Fence<'t>> {
        Fence::new(self.text)
    }

    /// Whether it is a heading.
    fn is_heading(&self) -> bool {
        let title = self.text.trim_start_matches('#');
        let level = self.text.len() - title.len();
        self.indent <= 3 && (1..=6).contains(&level) && title.starts_with(' ')
    }
}

/// The meaning of a line of three backticks or tildes.
pub(in crate::host) struct Fence<'t> {
    pub(in crate::host) marker: char,
    pub(in crate::host) len: usize,
    /// What follows the markers.
    pub(in crate::host) info: &'t str,
}

impl<'t> Fence<'t> {
    /// The fence at the start of a line; `None` without one, such as at code that ends in the line.
    pub(in crate::host) fn new(text: &'t str) -> Option<Self> {
        let marker = text.chars().next().filter(|it| matches!(it, '`' | '~'))?;
        let info = text.trim_start_matches(marker);
        let len = text.len() - info.len();
        let is_code = marker == '`' && info.contains('`');
        (len >= 3 && !is_code).then(|| Self {
            marker,
            len,
            info: info.trim(),
        })
    }
}

/// A block that is not closed yet.
struct Open {
    start: usize,
    quotes: usize,
    indent: usize,
    marker: char,
    len: usize,
    language: Option<Language>,
    /// Where its code ends if it is not closed.
    code_end: Option<usize>,
    is_after_blank: bool,
}

impl Open {
    /// The block that `line` opens, which may begin an item of a list.
    fn new(line: &Line<'_>, start: usize) -> Option<Self> {
        let mut text = line.text;
        while let Some(item) = item_of_list(text) {
            text = item;
        }
        let fence = Fence::new(text)?;
        let indent = line.indent + line.text.len() - text.len();
        let is_code = text.len() == line.text.len() && indent > 3;
        (!is_code).then(|| Self {
            start,
            quotes: line.quotes,
            indent,
            marker: fence.marker,
            len: fence.len,
            language: Language::from_info(fence.info),
            code_end: None,
            is_after_blank: false,
        })
    }

    fn is_closed_by(&self, line: &Line<'_>, fence: &Fence<'_>) -> bool {
        self.is_like(fence) && fence.info.is_empty() && line.indent <= self.indent + 3
    }

    /// Whether `fence` opens a block that cannot be inside this one.
    fn is_left_for(&self, line: &Line<'_>, fence: &Fence<'_>) -> bool {
        self.is_like(fence) && fence.info.starts_with(char::is_alphabetic) && line.indent <= 3
    }

    fn is_like(&self, fence: &Fence<'_>) -> bool {
        fence.marker == self.marker && fence.len >= self.len
    }

    /// Records a line in the block.
    fn follow(&mut self, line: &Line<'_>, start: usize, is_before_blank: bool) {
        let ends = |line: &Line<'_>| {
            let is_heading = is_before_blank && line.is_heading();
            is_heading || self.language == Some(Language::Signatures) && is_prose(line)
        };
        if self.is_after_blank && self.code_end.is_none() && ends(line) {
            self.code_end = Some(start);
        }
        self.is_after_blank = line.is_blank();
    }
}

/// Whether `line` cannot begin a signature, description or comment.
fn is_prose(line: &Line<'_>) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let begins_signature =
        |text: &str| text.starts_with(['(', '[', '{', ':', '#', ';']) || text.starts_with("->");
    let is_tool = line.text.trim_start_matches(is_name).starts_with('(');
    !line.is_blank() && line.indent == 0 && !begins_signature(line.text) && !is_tool
}

/// The text after the mark of a list item at the start of `text`.
fn item_of_list(text: &str) -> Option<&str> {
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = match number.len() < text.len() {
        true => number.strip_prefix(['.', ')'])?,
        false => text.strip_prefix(['-', '*', '+'])?,
    };
    rest.strip_prefix(' ').map(|it| it.trim_start_matches(' '))
}

#[cfg(test)]
mod tests {
    use super::Fences;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let fences = Fences::find(text);
        let stretches = fences.stretches(text.len()).map(|it| &text[it]);
        assert_eq!(stretches.collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn closed_blocks_are_not_cut() {
        for text in [
            "",
            "# A\n\n```elixir\nf()\n\n# B\n\ng()\n```\n\n```json\n{}\n```\n",
            "````md\n```elixir\nf()\n```\n````\n",
            "~~~sig\n```json\n~~~\n",
            "- ```elixir\n  f()\n  ```\n- ```json\n  {}\n  ```\n",
            "> ```elixir\n> f(\n\n> ```json\n> {}\n> ```\n",
            "```signature\n(a :int) -> :int\n\nProse, still in the block.\n```\n",
            "    ```elixir\n\n```json\n{}\n```\n",
        ] {
            let whole: &[&str] = if text.is_empty() { &[] } else { &[text] };
            check(text, whole);
        }
    }

    #[test]
    fn an_open_block_ends_where_something_else_begins() {
        check(
            "```elixir\nf(\n\n```json\n{}\n```\n",
            &["```elixir\nf(\n\n", "```json\n{}\n```\n"],
        );
        check(
            "```\nf(\n\n# B\n\nText.\n\n```json\n{}\n```\n",
            &["```\nf(\n\n", "# B\n\nText.\n\n", "```json\n{}\n```\n"],
        );
        check(
            "```yaml\na: 1\n\n# B\n\nText.\n",
            &["```yaml\na: 1\n\n", "# B\n\nText.\n"],
        );
        check(
            "```yaml\na: 1\n\n# note\nb: 2\n",
            &["```yaml\na: 1\n\n# note\nb: 2\n"],
        );
        check(
            "```sig\n(a :int) -> :int\n\nf() -> :int\n\n  It is.\n\nAnd so on (or not).\n",
            &[
                "```sig\n(a :int) -> :int\n\nf() -> :int\n\n  It is.\n\n",
                "And so on (or not).\n",
            ],
        );
        check(
            "> ```elixir\n> f(\n>\n> ```json\n> {}\n",
            &["> ```elixir\n> f(\n>\n", "> ```json\n> {}\n"],
        );
    }
}
