//! Shared by every layer: byte ranges and edits.
//!
//! UTF-16 exists only where a protocol needs it: in `server` and in the module of the playground.

use std::borrow::Cow;

use crate::parallel;

pub use text_size::{TextRange, TextSize};

/// The replacement of a byte range by a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TextEdit {
    /// The replaced range, in bytes of the text before the edit.
    pub range: TextRange,
    /// The new text.
    pub insert: String,
}

impl TextEdit {
    /// The edit that replaces `range` with `insert`.
    pub fn replace(range: TextRange, insert: impl Into<String>) -> Self {
        Self {
            range,
            insert: insert.into(),
        }
    }

    /// The edit that inserts `insert` before the byte at `offset`.
    pub fn insert(offset: TextSize, insert: impl Into<String>) -> Self {
        Self::replace(TextRange::empty(offset), insert)
    }

    /// The edit that removes `range`.
    pub fn delete(range: TextRange) -> Self {
        Self::replace(range, "")
    }

    /// Applies the edit to `text`.
    ///
    /// # Panics
    /// If the range is outside of `text` or splits a character: both are bugs of the caller.
    pub fn apply(&self, text: &mut String) {
        text.replace_range(std::ops::Range::<usize>::from(self.range), &self.insert);
    }

    /// Makes it do what it and then `next` do. Returns false, and stays as it is, if `next` is at another place.
    pub fn join(&mut self, next: &Self) -> bool {
        let inserted = self.inserted_range();
        let Some(replaced) = inserted.intersect(next.range) else {
            return false;
        };
        let within = std::ops::Range::<usize>::from(replaced - inserted.start());
        let is_whole = |it| self.insert.is_char_boundary(it);
        if !is_whole(within.start) || !is_whole(within.end) {
            return false;
        }
        self.insert.replace_range(within, &next.insert);
        let start = self.range.start().min(next.range.start());
        let after = next.range.end().checked_sub(inserted.end());
        self.range = TextRange::new(start, self.range.end() + after.unwrap_or_default());
        true
    }

    /// The range of `insert` after the edit.
    pub fn inserted_range(&self) -> TextRange {
        TextRange::at(self.range.start(), TextSize::of(self.insert.as_str()))
    }
}

/// A document's text: cheap to clone, cheap to edit, addressed in bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    rope: ropey::Rope,
}

impl Text {
    /// Its length in bytes.
    pub fn len(&self) -> TextSize {
        size(self.rope.len_bytes())
    }

    /// Whether it has no characters.
    pub fn is_empty(&self) -> bool {
        self.rope.len_bytes() == 0
    }

    /// The text of `range`, borrowed if it is in one chunk. The range is clamped to the text and to whole characters.
    pub fn slice(&self, range: TextRange) -> Cow<'_, str> {
        let (chunk, within) = self.chunk_at(range.start());
        let start = floor_boundary(chunk, within);
        let end = within + usize::from(range.len());
        if end < chunk.len() {
            return chunk[start..floor_boundary(chunk, end)].into();
        }
        // Most short texts that are not in one chunk are in two.
        let first = &chunk[start..];
        let (next, begin) = self.chunk_at(range.start() + size(chunk.len() - within));
        if begin == 0 && end < chunk.len() + next.len() {
            let rest = &next[..floor_boundary(next, end - chunk.len())];
            return [first, rest].concat().into();
        }
        let start = self.floor_boundary(range.start());
        let end = self.floor_boundary(range.end());
        self.rope.byte_slice(start..end.max(start)).into()
    }

    /// All of it in one piece; a copy of a long text.
    pub fn whole(&self) -> Cow<'_, str> {
        self.slice(TextRange::up_to(self.len()))
    }

    /// The line at `offset`, with its line end.
    pub fn line_range(&self, offset: TextSize) -> TextRange {
        let (chunk, within) = self.chunk_at(offset);
        if let Some(line) = line_in(chunk.as_bytes(), within) {
            let offset = usize::from(offset).min(self.rope.len_bytes());
            return line + size(offset - within);
        }
        let line = self.rope.byte_to_line(self.floor_boundary(offset));
        let start = self.rope.line_to_byte(line);
        let end = self
            .rope
            .line_to_byte((line + 1).min(self.rope.len_lines()));
        TextRange::new(size(start), size(end))
    }

    /// `inserted` with the line ends of this text, which are those of its first line.
    pub fn with_line_ends<'a>(&self, inserted: &'a str) -> Cow<'a, str> {
        let first = self.line_range(0.into());
        let start = first.end().checked_sub(2.into()).unwrap_or_default();
        let end = self.slice(TextRange::new(start, first.end()));
        if end != "\r\n" || !inserted.contains('\n') {
            return inserted.into();
        }
        inserted.replace("\r\n", "\n").replace('\n', "\r\n").into()
    }

    /// The lengths in bytes of the common prefix and the common suffix with `other`; whole characters, not
    /// overlapping. Chunks that both share in memory are not compared.
    pub fn common_ends(&self, other: &Self) -> (TextSize, TextSize) {
        let most = self.rope.len_bytes().min(other.rope.len_bytes());
        let head = common_head(self.rope.chunks(), other.rope.chunks());
        let head = self.floor_boundary(size(head));
        let (own, ..) = self.rope.chunks_at_byte(self.rope.len_bytes());
        let (others, ..) = other.rope.chunks_at_byte(other.rope.len_bytes());
        let tail = common_tail(own.reversed(), others.reversed()).min(most - head);
        let start = self.rope.len_bytes() - tail;
        let start = match self.floor_boundary(size(start)) {
            floor if floor < start => self.rope.char_to_byte(self.rope.byte_to_char(start) + 1),
            boundary => boundary,
        };
        (size(head), size(self.rope.len_bytes() - start))
    }

    /// Applies `edit`, its range clamped to the text and to whole characters.
    pub fn apply(&mut self, edit: &TextEdit) {
        let start = self
            .rope
            .byte_to_char(self.floor_boundary(edit.range.start()));
        let end = self
            .rope
            .byte_to_char(self.floor_boundary(edit.range.end()));
        self.rope.remove(start..end.max(start));
        self.rope.insert(start, &edit.insert);
    }

    /// The rope itself, for units other than bytes.
    pub fn rope(&self) -> &ropey::Rope {
        &self.rope
    }

    fn floor_boundary(&self, offset: TextSize) -> usize {
        let (chunk, within) = self.chunk_at(offset);
        let offset = usize::from(offset).min(self.rope.len_bytes());
        offset - (within - floor_boundary(chunk, within))
    }

    /// The chunk of the rope at `offset`, which is clamped to the text, and the offset in it. Chunks hold whole
    /// characters.
    fn chunk_at(&self, offset: TextSize) -> (&str, usize) {
        let offset = usize::from(offset).min(self.rope.len_bytes());
        let (chunk, start, ..) = self.rope.chunk_at_byte(offset);
        (chunk, offset - start)
    }
}

/// The length of the characters at the start of `text` that are a part of something, such as a name.
pub fn prefix_len(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    let is_ascii_part = |byte: &u8| byte.is_ascii() && is_part(char::from(*byte));
    let ascii = text.bytes().take_while(is_ascii_part).count();
    let rest = &text[ascii..];
    match rest.as_bytes().first() {
        Some(byte) if !byte.is_ascii() => {
            ascii + rest.find(|char| !is_part(char)).unwrap_or(rest.len())
        }
        _ => ascii,
    }
}

/// The line around `offset` with its line end, if `chunk` contains all of it and the end of the line before.
fn line_in(chunk: &[u8], offset: usize) -> Option<TextRange> {
    let is_in_line_end = chunk[..offset].ends_with(b"\r") && chunk[offset..].starts_with(b"\n");
    let (before, after) = chunk.split_at(offset - usize::from(is_in_line_end));
    let start = memchr::memrchr2(b'\n', b'\r', before)? + 1;
    let end = before.len() + memchr::memchr2(b'\n', b'\r', after)?;
    let line_end = if chunk[end..].starts_with(b"\r\n") {
        2
    } else {
        1
    };
    Some(TextRange::new(size(start), size(end + line_end)))
}

/// The start of the character of `text` at `offset`.
fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut before = (0..=offset).rev();
    before.find(|it| text.is_char_boundary(*it)).unwrap_or(0)
}

impl From<&str> for Text {
    /// The parts of a long text are copied on several threads.
    fn from(text: &str) -> Self {
        let parts: Vec<_> = parts(text, PART).collect();
        let ropes = parallel::map_long(&parts, |part| ropey::Rope::from_str(part));
        let rope = ropes.into_iter().reduce(|mut rope, next| {
            rope.append(next);
            rope
        });
        Self {
            rope: rope.unwrap_or_default(),
        }
    }
}

impl From<ropey::Rope> for Text {
    fn from(rope: ropey::Rope) -> Self {
        Self { rope }
    }
}

/// The length of the parts that are copied separately.
const PART: usize = 256 * 1024;

/// The parts of `text` of about `len` bytes. All but the last end with a line feed if there is one in them, and none ends
/// inside of a line break.
fn parts(text: &str, len: usize) -> impl Iterator<Item = &str> {
    let mut left = text;
    std::iter::from_fn(move || {
        if left.is_empty() {
            return None;
        }
        let (part, rest) = match left.len() > 2 * len {
            true => left.split_at(end_of_line_before(left, len)),
            false => (left, ""),
        };
        left = rest;
        Some(part)
    })
}

/// The end of the last line that ends before `offset` in `text`; a boundary of characters if there is no such line.
fn end_of_line_before(text: &str, offset: usize) -> usize {
    if let Some(at) = memchr::memrchr(b'\n', &text.as_bytes()[..offset]) {
        return at + 1;
    }
    let end = floor_boundary(text, offset);
    end - usize::from(text[..end].ends_with('\r'))
}

fn common_head<'a>(
    mut a: impl Iterator<Item = &'a str>,
    mut b: impl Iterator<Item = &'a str>,
) -> usize {
    let (mut len, mut x, mut y) = (0, &[][..], &[][..]);
    loop {
        if x.is_empty() {
            let Some(chunk) = a.next() else { return len };
            x = chunk.as_bytes();
        }
        if y.is_empty() {
            let Some(chunk) = b.next() else { return len };
            y = chunk.as_bytes();
        }
        let most = x.len().min(y.len());
        if x.as_ptr() != y.as_ptr() && x[..most] != y[..most] {
            return len + x.iter().zip(y).take_while(|(x, y)| x == y).count();
        }
        len += most;
        (x, y) = (&x[most..], &y[most..]);
    }
}

/// The same from the end; chunks come in reverse order.
fn common_tail<'a>(
    mut a: impl Iterator<Item = &'a str>,
    mut b: impl Iterator<Item = &'a str>,
) -> usize {
    let (mut len, mut x, mut y) = (0, &[][..], &[][..]);
    loop {
        if x.is_empty() {
            let Some(chunk) = a.next() else { return len };
            x = chunk.as_bytes();
        }
        if y.is_empty() {
            let Some(chunk) = b.next() else { return len };
            y = chunk.as_bytes();
        }
        let most = x.len().min(y.len());
        let (x_rest, x_end) = x.split_at(x.len() - most);
        let (y_rest, y_end) = y.split_at(y.len() - most);
        if x_end.as_ptr() != y_end.as_ptr() && x_end != y_end {
            let same = x_end.iter().rev().zip(y_end.iter().rev());
            return len + same.take_while(|(x, y)| x == y).count();
        }
        len += most;
        (x, y) = (x_rest, y_rest);
    }
}

/// A byte count as a [`TextSize`]; larger documents than 4 GiB are rejected when they are read.
pub fn size(bytes: usize) -> TextSize {
    TextSize::try_from(bytes).unwrap_or(TextSize::from(u32::MAX))
}

/// The delimiter that closes what `opening` opens: the other bracket, or the same quote.
pub fn closing_delimiter(opening: char) -> char {
    match opening {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        same => same,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_joined_edit_does_what_both_do(
            text in "[aé😀]{0,9}",
            first in (any::<prop::sample::Index>(), any::<prop::sample::Index>(), "[bé]{0,4}"),
            next in (any::<prop::sample::Index>(), any::<prop::sample::Index>(), "[cé]{0,4}"),
        ) {
            let edit_of = |text: &str, (one, other, insert): (prop::sample::Index, prop::sample::Index, String)| {
                let places: Vec<_> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
                let (one, other) = (*one.get(&places), *other.get(&places));
                TextEdit::replace(TextRange::new(size(one.min(other)), size(one.max(other))), insert)
            };
            let first = edit_of(&text, first);
            let mut after = text.clone();
            first.apply(&mut after);
            let next = edit_of(&after, next);
            next.apply(&mut after);
            let mut joined = first.clone();
            let touches = first.inserted_range().intersect(next.range).is_some();
            prop_assert_eq!(joined.join(&next), touches);
            if touches {
                let mut at_once = text;
                joined.apply(&mut at_once);
                prop_assert_eq!(at_once, after);
            }
        }

        #[test]
        fn a_long_text_is_the_sum_of_its_parts(text in "[aé😀\r\n]{0,99}|[aé\r]{0,99}", len in 8..16_usize) {
            let parts: Vec<_> = parts(&text, len).collect();
            prop_assert_eq!(parts.concat(), text.clone());
            for pair in parts.windows(2) {
                prop_assert!(!(pair[0].ends_with('\r') && pair[1].starts_with('\n')));
            }
            let long = text.repeat(20_000);
            let rope = Text::from(long.as_str()).rope;
            let plain = ropey::Rope::from_str(&long);
            prop_assert_eq!(rope.len_lines(), plain.len_lines());
            prop_assert!(rope == plain);
        }

        #[test]
        fn slices_are_clamped_to_whole_characters(
            unit in "[aé😀\r\n]{1,9}",
            times in 1..600_usize,
            start in 0..6_000_usize,
            len in 0..2_000_usize,
        ) {
            let text = unit.repeat(times);
            let floor = |at: usize| (0..=at.min(text.len())).rev().find(|it| text.is_char_boundary(*it));
            let (from, to) = (floor(start).unwrap(), floor(start + len).unwrap());
            let range = TextRange::at(size(start), size(len));
            let rope = Text::from(text.as_str());
            prop_assert_eq!(rope.slice(range), &text[from..to]);
        }

        #[test]
        fn lines_are_those_of_the_rope(unit in "[aé\r\n]{1,9}", times in 1..600_usize, at in 0..6_000_usize) {
            let text = Text::from(unit.repeat(times).as_str());
            let line = text.rope.byte_to_line(at.min(text.rope.len_bytes()));
            let next = (line + 1).min(text.rope.len_lines());
            let range = [line, next].map(|it| size(text.rope.line_to_byte(it)));
            prop_assert_eq!(text.line_range(size(at)), TextRange::new(range[0], range[1]));
        }

        #[test]
        fn an_insertion_takes_the_line_ends_of_the_text(inserted in "([ab]|\r?\n){0,9}", rest in "[ab\n]{0,9}") {
            let text = Text::from(format!("a\r\n{rest}").as_str());
            let taken = text.with_line_ends(&inserted);
            prop_assert!(!taken.replace("\r\n", "").contains(['\r', '\n']));
            prop_assert_eq!(taken.replace('\r', ""), inserted.replace('\r', ""));
            let text = Text::from(format!("a\n{rest}\r\n").as_str());
            prop_assert_eq!(text.with_line_ends(&inserted), inserted.as_str());
        }

        #[test]
        fn common_ends_are_whole_characters_that_are_the_same(
            a in "[aéè😀\n]{0,12}", b in "[aéè😀\n]{0,12}", long in 0..3_usize,
        ) {
            // Long enough for several chunks.
            let around = "é\n".repeat(long * 700);
            let (a, b) = (format!("{around}{a}{around}"), format!("{around}{b}{around}"));
            let (head, tail) = Text::from(a.as_str()).common_ends(&Text::from(b.as_str()));
            let (head, tail) = (usize::from(head), usize::from(tail));
            let most = a.len().min(b.len());
            prop_assert!(head >= around.len() && head + tail <= most);
            prop_assert!(tail >= around.len() || head + tail == most);
            prop_assert_eq!(&a[..head], &b[..head]);
            prop_assert_eq!(&a[a.len() - tail..], &b[b.len() - tail..]);
        }
    }
}
