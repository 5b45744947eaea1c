//! The Lisp programs in the code blocks of a prompt, which show what to write.

use crate::text::{Text, TextRange, TextSize};

/// The signs of code that is worth checking; other texts are not parsed.
const MARKS: [&str; 5] = ["(return", "(tool/", "(call", "data/", "ctx/"];

/// The length of the longest mark.
const LONGEST_MARK: u32 = 7;

/// Whether `prompt` may contain such code.
pub(super) fn may_be_in(prompt: &str) -> bool {
    MARKS.iter().any(|mark| prompt.contains(mark))
}

/// Whether an edit that inserted text at `inserted` of `body` may have added the first such code.
pub(super) fn may_begin_in(text: &Text, body: TextRange, inserted: TextRange) -> bool {
    let before = inserted.start().checked_sub(LONGEST_MARK.into());
    let near = TextRange::new(
        before.unwrap_or_default(),
        inserted.end() + TextSize::from(LONGEST_MARK),
    );
    near.intersect(body)
        .is_some_and(|near| may_be_in(&text.slice(near)))
}
