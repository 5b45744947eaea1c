//! What the tests of features share.

use crate::{
    host::HostKind,
    ide::{Document, Settings},
    text::{TextRange, TextSize, size},
};

/// A document and the place of the cursor in it.
pub(crate) struct Fixture {
    pub(crate) document: Document,
    pub(crate) offset: TextSize,
}

impl Fixture {
    /// The document in which `$0` marks the cursor.
    #[track_caller]
    pub(crate) fn new(kind: HostKind, fixture: &str) -> Self {
        let at = fixture.find("$0").expect("a cursor");
        let text = fixture.replacen("$0", "", 1);
        Self {
            document: Document::new(kind, &text, Settings::default()),
            offset: size(at),
        }
    }
}

/// A place of a document: its line and column, counted in characters from 1, and its text.
pub(crate) fn shown(document: &Document, range: TextRange) -> String {
    let text = document.text();
    let line = text.rope().byte_to_line(range.start().into());
    let start = text.line_range(range.start()).start();
    let column = text
        .slice(TextRange::new(start, range.start()))
        .chars()
        .count();
    format!("{}:{} {}", line + 1, column + 1, text.slice(range))
}
