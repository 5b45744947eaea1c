//! Helpers for tests of features: documents with marked places.

use std::sync::Arc;

use crate::{
    host::{HostKind, elixir::module::facts},
    ide::{Answers, Document, Settings, Severity},
    model::Edition,
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
