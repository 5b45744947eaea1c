//! The text that decides where blocks are.
//!
//! The parser of Markdown keeps a node for each mark of inline text and for each line, which no block depends on.

use std::ops::Range;

/// The maximum depth of quotes and list items on a line. Each following line costs as much as there are.
const MOST_NESTED: usize = 100;

/// The bytes at the start of a line that are kept if a tag of HTML or the definition of a link may be there.
const MOST_KEPT: usize = 1000;

/// `text` with other text of the same length in place of what no block depends on: the marks of inline text, line ends
/// between lines of one paragraph, and what nests too deeply. Each carriage return in it is before a line feed.
pub(super) fn skeleton(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut start = 0;
    let mut is_plain_before = false;
    let mut line_end = None;
    for end in memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
        let line = &text[start..end];
        let is_plain = is_plain(line);
        if let Some(at) = line_end.take()
            && (is_plain || line.trim_ascii().is_empty())
        {
            fill_line_end(&mut bytes, at);
        }
        line_end = (is_plain_before && is_plain).then(|| start - 1);
        is_plain_before = is_plain;
        if let Some(range) = excess(line) {
            bytes[start + range.start..start + range.end].fill(b'x');
        }
        fill_marks(&mut bytes[start..end], line);
        start = end + 1;
    }
    String::from_utf8(bytes).expect("ASCII takes the place of ASCII")
}

/// Whether `line` is text in any block: it neither begins nor ends one, and no other line makes it a heading or a table.
fn is_plain(line: &str) -> bool {
    let line = line.as_bytes();
    line.first().is_some_and(u8::is_ascii_alphabetic) && !line.contains(&b'>')
}

/// Joins two lines at the line feed at `at`.
fn fill_line_end(bytes: &mut [u8], at: usize) {
    bytes[at] = b' ';
    if at > 0 && bytes[at - 1] == b'\r' {
        bytes[at - 1] = b' ';
    }
}

/// Replaces the marks of inline text in `line`, whose bytes are `bytes`.
fn fill_marks(bytes: &mut [u8], line: &str) {
    let text = line.as_bytes();
    for at in first_inline(line)..text.len() {
        let rest = &text[at + 1..];
        let is_mark = match text[at] {
            b'*' | b'_' | b'[' | b'&' | b'`' => true,
            // A block of HTML may end here.
            b'<' => !rest.starts_with(b"/"),
            b']' => !rest.starts_with(b">") && !rest.starts_with(b"]>"),
            // It does not end a cell of a table.
            b'\\' => !rest.starts_with(b"|"),
            _ => false,
        };
        if is_mark {
            bytes[at] = b'x';
        }
    }
}

/// The offset in `line` from which it is inline text, in bytes.
fn first_inline(line: &str) -> usize {
    let rest = line.trim_start_matches(may_precede_text).as_bytes();
    let start = line.len() - rest.len();
    let kept = &rest[..rest.len().min(MOST_KEPT)];
    let len = match rest.first() {
        Some(b'<') => kept.len(),
        Some(b'[') if memchr::memmem::find(kept, b"]:").is_some() => kept.len(),
        Some(b'`') => until_second_run(rest),
        Some(b'~') => rest.len(),
        _ => rest.len().min(1),
    };
    start + len
}

/// Whether `c` may belong to what precedes the text of a block.
fn may_precede_text(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '>' | '-' | '+' | '*' | '_' | '=' | '#' | '.' | ')' | '0'..='9'
    )
}

/// The length of `text` up to and with the first backtick after those at its start, which shows that it is no fence.
fn until_second_run(text: &[u8]) -> usize {
    let run = text.iter().take_while(|it| **it == b'`').count();
    memchr::memchr(b'`', &text[run..]).map_or(text.len(), |at| run + at + 1)
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    use super::skeleton;

    const LINES: &[&str] = &[
        "",
        "a *b* **c** _d_ `e` [f](g) ![h] &amp; \\* <i> <!-- j -->",
        "plain text",
        "(plain) text",
        "text `code",
        "code` text",
        "Wörter *und* Straßen",
        "# head *a* #",
        "===",
        "---",
        "***",
        "- item *a*",
        "  - [x] *item*",
        "12. item _b_",
        "   item",
        "    code *a*",
        "\tcode",
        "> quote *a* [b]",
        "> - ```elixir",
        ">   code",
        ">   ```",
        "```elixir {a} *b*",
        "``` a`b",
        "```",
        "````",
        "~~~ sig `a`",
        "~~~",
        "- ```",
        "  ```",
        "| a | *b* `c\\|d` |",
        "|---|---|",
        "a | b",
        "--|--",
        "a",
        ":-",
        "<div> *a*",
        "</div>",
        "<script>",
        "a </script> *b*",
        "<!-- *a*",
        "b --> *c*",
        "<![CDATA[ a",
        "b ]]> c",
        "<?php a",
        "b ?>",
        "<a href=\"b\">",
        "[a]: <b c> \"d *e*\"",
        "[^a]: note *b*",
        "    more [^a]",
        "[a] *b* [c]",
        "\\[a]: b",
        "\\```",
        "*a* [b]: c",
        "__a__",
        "`a` *b*",
        "end\r",
        "x = [1, 2] * y\r",
    ];

    /// The blocks of a text: their starts, and the ends of code.
    fn blocks(text: &str) -> Vec<String> {
        let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
        let mut blocks = Vec::new();
        for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
            let Event::Start(tag) = event else { continue };
            match tag {
                Tag::CodeBlock(kind) => blocks.push(format!("{kind:?} {range:?}")),
                Tag::Emphasis | Tag::Strong | Tag::Link { .. } | Tag::Image { .. } => {}
                Tag::TableHead | Tag::TableRow | Tag::TableCell => {}
                _ => blocks.push(format!("{:?} {}", tag.to_end(), range.start)),
            }
        }
        blocks
    }

    proptest! {
        /// A title of a link definition that continues on the next line is the only exception.
        #[test]
        fn no_block_depends_on_what_is_left_out(
            lines in proptest::collection::vec(proptest::sample::select(LINES), 0..24)
        ) {
            let text = lines.join("\n");
            let skeleton = skeleton(&text);
            prop_assert_eq!(blocks(&skeleton), blocks(&text), "{}\n\n{}", text, skeleton);
        }
    }
}
