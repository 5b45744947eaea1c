//! Helpers for tests of features: documents with marked places.

use std::sync::Arc;

use proptest::{collection, prelude::*, prop_assert_eq, sample::Index, test_runner::TestCaseError};

use crate::{
    ide::{Answers, Document, Settings, Severity},
    model::Edition,
};
use signature_ls_source::{
    host::{HostKind, elixir::module::facts},
    text::{TextEdit, TextRange, TextSize, size},
};

/// The document of `fixture`, and the place of `$0` in it.
#[track_caller]
pub(crate) fn marked(kind: HostKind, fixture: &str) -> (Document, TextSize) {
    let offset = fixture.find("$0").expect("the fixture marks a place");
    let text = fixture.replacen("$0", "", 1);
    (document(kind, &text), size(offset))
}

/// The document with `text`.
pub(crate) fn document(kind: HostKind, text: &str) -> Document {
    Document::new(kind, text, Settings::default())
}

/// An Elixir document in a project with the modules in `others`.
pub(crate) fn beside(others: &str, text: &str) -> Document {
    let mut document = document(HostKind::Elixir, text);
    let modules = facts(others).modules.into_iter();
    document.set_answers(Arc::new(Answers {
        modules: modules.map(|it| (it.name.clone(), it)).collect(),
        ..Answers::default()
    }));
    document
}

/// `text` after `edits`, which are in order.
pub(crate) fn applied(text: &str, edits: &[TextEdit]) -> String {
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        edit.apply(&mut text);
    }
    text
}

/// The warnings and errors of a document, each as its code and text.
pub(crate) fn found_in(kind: HostKind, text: &str, edition: Edition) -> Vec<String> {
    let settings = Settings {
        edition,
        ..Settings::default()
    };
    let document = Document::new(kind, text, settings);
    let found = document.diagnostics().into_iter();
    let found = found.filter(|it| it.severity > Severity::Hint);
    let found = found.map(|it| format!("{}: {}", it.rule.code, &text[it.range]));
    found.collect()
}

/// A range of `document` as its text, with line ends shown.
pub(crate) fn shown(document: &Document, range: TextRange) -> String {
    document.text().slice(range).replace('\n', "⏎")
}

/// A range of `document` as its line and column, counted in characters from 1, and its text.
pub(crate) fn located(document: &Document, range: TextRange) -> String {
    let text = document.text();
    let line = text.rope().byte_to_line(range.start().into()) + 1;
    let before = TextRange::new(text.line_range(range.start()).start(), range.start());
    let column = text.slice(before).chars().count() + 1;
    format!("{line}:{column} {}", shown(document, range))
}

/// An edit of a text of pieces: its place, the number of removed bytes, and the first characters of the piece at an
/// index, which it inserts.
pub(crate) type PieceEdit = (Index, usize, usize, usize);

/// Edits that insert the beginning, of fewer characters than `most`, of one of `count` pieces.
pub(crate) fn piece_edits(count: usize, most: usize) -> impl Strategy<Value = Vec<PieceEdit>> {
    collection::vec((any::<Index>(), 0..12_usize, 0..count, 0..most), 1..6)
}

/// Follows `edits` from the `chosen` ones of `pieces` on. After each, the document has the diagnostics of a fresh one,
/// and both and the text pass `check`.
pub(crate) fn follow_piece_edits(
    kind: HostKind,
    pieces: &[&str],
    chosen: &[usize],
    edits: Vec<PieceEdit>,
    check: impl Fn(&Document, &Document, &str) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let mut text: String = chosen.iter().map(|it| pieces[*it]).collect();
    let mut document = document(kind, &text);
    for (place, removed, piece, len) in edits {
        let start = place.index(text.len() + 1);
        let end = (start + removed).min(text.len());
        let insert: String = pieces[piece].chars().take(len).collect();
        let edit = TextEdit::replace(TextRange::new(size(start), size(end)), insert.clone());
        text.replace_range(start..end, &insert);
        document.edit(&edit);
        let fresh = Document::new(kind, &text, Settings::default());
        prop_assert_eq!(document.diagnostics(), fresh.diagnostics(), "{}", text);
        check(&document, &fresh, &text)?;
    }
    Ok(())
}
