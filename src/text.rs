//! What every layer needs of text: ranges in bytes and edits.
//!
//! Columns in UTF-16 do not live here; they exist in `server` alone.

pub use text_size::{TextRange, TextSize};

/// The replacement of a range of bytes by a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TextEdit {
    /// What is replaced, in bytes of the text before the edit.
    pub range: TextRange,
    /// What is there afterwards.
    pub insert: String,
}

impl TextEdit {
    /// The edit that replaces `range` by `insert`.
    pub fn replace(range: TextRange, insert: impl Into<String>) -> Self {
        Self {
            range,
            insert: insert.into(),
        }
    }

    /// The edit that puts `insert` before the byte at `offset`.
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
    /// Where the range is out of `text` or cuts a character: both are errors of the caller.
    pub fn apply(&self, text: &mut String) {
        text.replace_range(std::ops::Range::<usize>::from(self.range), &self.insert);
    }

    /// The range that `insert` fills once the edit is applied.
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

    /// The text of `range`, borrowed where it lies in one piece. The range is clamped to the text and
    /// to whole characters.
    pub fn slice(&self, range: TextRange) -> std::borrow::Cow<'_, str> {
        let start = self.floor_boundary(range.start());
        let end = self.floor_boundary(range.end());
        self.rope.byte_slice(start..end.max(start)).into()
    }

    /// The line that `offset` is on, with its line end.
    pub fn line_range(&self, offset: TextSize) -> TextRange {
        let line = self.rope.byte_to_line(self.floor_boundary(offset));
        let start = self.rope.line_to_byte(line);
        let end = self
            .rope
            .line_to_byte((line + 1).min(self.rope.len_lines()));
        TextRange::new(size(start), size(end))
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

    /// The rope itself, for what counts in other units than bytes.
    pub fn rope(&self) -> &ropey::Rope {
        &self.rope
    }

    fn floor_boundary(&self, offset: TextSize) -> usize {
        let offset = usize::from(offset).min(self.rope.len_bytes());
        self.rope.char_to_byte(self.rope.byte_to_char(offset))
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self {
            rope: ropey::Rope::from_str(text),
        }
    }
}

/// A byte count as a [`TextSize`]; documents over 4 GiB are refused where they are read.
pub fn size(bytes: usize) -> TextSize {
    TextSize::try_from(bytes).unwrap_or(TextSize::from(u32::MAX))
}
