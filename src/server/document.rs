//! Open documents as the client has them, and the snapshots that readers get of them.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use serde_json::value::RawValue;

use super::{convert::SentTokens, rendered::Rendered};
use crate::{
    host::{HostKind, elixir::module::Facts},
    ide::{Diagnostic, Document, Functions, Settings},
    text::{Text, TextEdit, TextRange},
};

/// Following an edit is about as much work as reading this many bytes of text anew.
const BYTES_PER_EDIT: usize = 2_000;

/// A document that the client holds open.
#[derive(Debug)]
pub(super) struct OpenDocument {
    kind: HostKind,
    version: i32,
    settings: Settings,
    /// The functions of the project around it, once they were read.
    functions: Arc<Functions>,
    /// The client's text, whatever became of the analysis.
    text: Text,
    /// What is known of that text; nothing where its analysis failed.
    analysis: Option<Arc<Document>>,
    /// What was last sent of its findings.
    rendered: Rendered,
    /// Counts the changes, so that a reader can tell that it was overtaken.
    revision: Arc<AtomicU64>,
    /// The colours that were sent last, which readers leave there for the next one.
    sent_tokens: Arc<Mutex<Option<SentTokens>>>,
}

/// A document at one version; it stays as it is while the open document goes on.
#[derive(Debug, Clone)]
pub(super) struct Snapshot {
    /// What was known at that version.
    pub(super) document: Arc<Document>,
    /// The client's number of that version; none for a file that the client has not opened.
    pub(super) version: Option<i32>,
    taken_at: u64,
    revision: Arc<AtomicU64>,
    sent_tokens: Arc<Mutex<Option<SentTokens>>>,
}

impl OpenDocument {
    /// Reads a document that the client has opened.
    pub(super) fn open(kind: HostKind, version: i32, text: &str, settings: Settings) -> Self {
        let mut document = Self {
            kind,
            version,
            settings,
            functions: Arc::default(),
            text: Text::from(text),
            analysis: None,
            rendered: Rendered::default(),
            revision: Arc::default(),
            sent_tokens: Arc::default(),
        };
        document.analyse();
        document
    }

    /// Follows the changes of one message; `edit_of` turns each into an edit of the text that the ones
    /// before it left.
    pub(super) fn change<C>(
        &mut self,
        version: i32,
        changes: Vec<C>,
        edit_of: impl Fn(&Text, C) -> TextEdit,
    ) {
        self.version = version;
        self.revision.fetch_add(1, Ordering::Release);
        let is_many = changes.len() > 1
            && changes.len().saturating_mul(BYTES_PER_EDIT) > self.text.len().into();
        if is_many {
            for change in changes {
                let edit = edit_of(&self.text, change);
                self.rendered.edited(self.text.len(), &edit);
                self.text.apply(&edit);
            }
            return self.analyse();
        }
        for change in changes {
            self.follow(&edit_of(&self.text, change));
        }
    }

    fn follow(&mut self, edit: &TextEdit) {
        self.rendered.edited(self.text.len(), edit);
        let is_whole = edit.range == TextRange::up_to(self.text.len());
        if is_whole || self.analysis.is_none() {
            self.text.apply(edit);
            return self.analyse();
        }
        let followed = self.analysis.take().and_then(|mut analysis| {
            guarded(|| {
                Arc::make_mut(&mut analysis).edit(edit);
                analysis
            })
        });
        match followed {
            Some(analysis) => {
                self.text = analysis.text().clone();
                self.analysis = Some(analysis);
            }
            None => {
                self.text.apply(edit);
                self.analyse();
            }
        }
    }

    /// Looks at the document under other settings; whether that makes a difference.
    pub(super) fn set_settings(&mut self, settings: Settings) -> bool {
        let differs = self.settings != settings;
        if differs {
            self.settings = settings;
            self.analyse();
        }
        differs
    }

    /// Looks at the document with the functions of the project around it; whether they are others than
    /// before.
    pub(super) fn set_functions(&mut self, functions: Arc<Functions>) -> bool {
        if self.functions == functions {
            return false;
        }
        self.functions = functions;
        let functions = Arc::clone(&self.functions);
        self.update(|document| document.set_functions(functions));
        true
    }

    /// Looks at the document with what it says of its own functions; whether that is something else than
    /// before.
    pub(super) fn set_facts(&mut self, facts: Arc<Facts>) -> bool {
        let known = self.analysis.as_ref().map(|it| it.facts());
        if known.is_none_or(|known| *known == facts) {
            return false;
        }
        self.update(|document| document.set_facts(facts));
        true
    }

    fn update(&mut self, update: impl FnOnce(&mut Document)) {
        self.revision.fetch_add(1, Ordering::Release);
        self.analysis = self.analysis.take().and_then(|mut analysis| {
            guarded(|| {
                update(Arc::make_mut(&mut analysis));
                analysis
            })
        });
    }

    /// Reads the whole text anew.
    fn analyse(&mut self) {
        self.revision.fetch_add(1, Ordering::Release);
        let text = self.text.rope().to_string();
        self.analysis = guarded(|| {
            let functions = Arc::clone(&self.functions);
            let settings = self.settings.clone();
            Arc::new(Document::in_project(self.kind, &text, settings, functions))
        });
        if let Some(analysis) = &self.analysis {
            self.text = analysis.text().clone();
        }
    }

    /// The client's number of the text as it is now.
    pub(super) fn version(&self) -> i32 {
        self.version
    }

    /// What is found in it now, each finding as `render` makes it; nothing where the analysis failed.
    pub(super) fn findings(
        &mut self,
        render: impl Fn(&Text, &Diagnostic) -> Box<RawValue>,
    ) -> &[Box<RawValue>] {
        let text = &self.text;
        let mut rendered = std::mem::take(&mut self.rendered);
        self.rendered = guarded(|| {
            let found = self.analysis.as_ref().map(|it| it.diagnostics());
            rendered.update(text, found.unwrap_or_default(), |it| render(text, it));
            rendered
        })
        .unwrap_or_default();
        self.rendered.all()
    }

    /// The document as it is now; `None` where its analysis failed.
    pub(super) fn snapshot(&self) -> Option<Snapshot> {
        Some(Snapshot {
            document: self.analysis.clone()?,
            version: Some(self.version),
            taken_at: self.revision.load(Ordering::Acquire),
            revision: self.revision.clone(),
            sent_tokens: self.sent_tokens.clone(),
        })
    }
}

impl Drop for OpenDocument {
    fn drop(&mut self) {
        self.revision.fetch_add(1, Ordering::Release);
    }
}

impl Snapshot {
    /// A file as it stands on the disk.
    pub(super) fn of_file(kind: HostKind, text: &str, settings: Settings) -> Self {
        Self {
            document: Arc::new(Document::new(kind, text, settings)),
            version: None,
            taken_at: 0,
            revision: Arc::default(),
            sent_tokens: Arc::default(),
        }
    }

    /// The colours that were sent last.
    pub(super) fn sent_tokens(&self) -> Option<SentTokens> {
        self.sent_tokens.lock().ok()?.clone()
    }

    /// Keeps the colours that are sent now.
    pub(super) fn set_sent_tokens(&self, tokens: SentTokens) {
        if let Ok(mut sent) = self.sent_tokens.lock() {
            *sent = Some(tokens);
        }
    }

    /// Whether the document was changed or closed since.
    pub(super) fn is_stale(&self) -> bool {
        self.revision.load(Ordering::Acquire) != self.taken_at
    }

    /// The text of that version.
    pub(super) fn text(&self) -> &Text {
        self.document.text()
    }
}

/// Runs an analysis that must not take the server down with it; `None` where it panicked.
///
/// The panic's message has gone to standard error by then, where editors keep it in the server's log.
pub(super) fn guarded<T>(analysis: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(analysis)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(text: &str) -> OpenDocument {
        OpenDocument::open(HostKind::Elixir, 1, text, Settings::default())
    }

    fn change(document: &mut OpenDocument, version: i32, edits: Vec<TextEdit>) {
        document.change(version, edits, |_, edit| edit);
    }

    fn text(document: &OpenDocument) -> String {
        let snapshot = document.snapshot().expect("an analysis");
        assert_eq!(snapshot.text(), &document.text);
        document.text.rope().to_string()
    }

    #[test]
    fn edits_follow_one_another_however_they_are_told() {
        let long = "# a comment\n".repeat(1_000);
        for rest in ["", &long] {
            let edits = vec![
                TextEdit::insert(3.into(), "d"),
                TextEdit::delete(TextRange::new(0.into(), 1.into())),
                TextEdit::insert(0.into(), "ä"),
            ];
            let mut at_once = open(&format!("abc{rest}"));
            change(&mut at_once, 2, edits.clone());
            assert_eq!(text(&at_once), format!("äbcd{rest}"));
            assert_eq!(at_once.version(), 2);

            let mut one_by_one = open(&format!("abc{rest}"));
            for (edit, version) in edits.into_iter().zip(2..) {
                change(&mut one_by_one, version, vec![edit]);
            }
            assert_eq!(text(&one_by_one), text(&at_once));
        }
    }

    #[test]
    fn a_whole_text_replaces_the_old_one() {
        let mut document = open("abc");
        document.change(2, vec!["x"], |text, insert| {
            TextEdit::replace(TextRange::up_to(text.len()), insert)
        });
        assert_eq!(text(&document), "x");
    }

    #[test]
    fn snapshots_stay_and_know_that_they_are_stale() {
        let mut document = open("abc");
        let snapshot = document.snapshot().expect("an analysis");
        assert!(!snapshot.is_stale());
        change(&mut document, 2, vec![TextEdit::insert(0.into(), "x")]);
        assert!(snapshot.is_stale());
        assert_eq!(snapshot.text(), &Text::from("abc"));
        assert_eq!(snapshot.version, Some(1));

        let last = document.snapshot().expect("an analysis");
        drop(document);
        assert!(last.is_stale());
    }

    #[test]
    fn a_failed_analysis_is_tried_again_at_the_next_edit() {
        let mut document = open("abc");
        document.analysis = None;
        assert!(document.snapshot().is_none());
        change(&mut document, 2, vec![TextEdit::insert(3.into(), "d")]);
        assert_eq!(text(&document), "abcd");
    }

    #[test]
    fn a_panic_is_caught() {
        assert_eq!(guarded(|| 1), Some(1));
        assert_eq!(guarded(|| -> u8 { panic!("as the test wants") }), None);
    }
}
