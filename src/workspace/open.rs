//! Open files, and the snapshots of them for readers.

use std::{
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use super::FileId;
use crate::panics::guarded;
use signature_ls_analysis::ide::{Answers, Asks, Document, Outline, Settings, outline};
use signature_ls_source::{
    host::{HostKind, elixir::module::Facts},
    text::{Text, TextEdit, TextRange},
};

/// The shortest time that edits are followed one by one.
const SHORTEST: Duration = Duration::from_millis(1);

/// An open file.
#[derive(Debug)]
pub(super) struct OpenFile {
    kind: HostKind,
    settings: Settings,
    /// The client's text, even if the analysis failed.
    text: Text,
    /// The analysis of that text; `None` if it failed.
    analysis: Option<Arc<Document>>,
    /// How long the last full parse took.
    parse_time: Duration,
    /// Its last facts for other files and its questions; `None` after a full parse.
    seen_facts: Option<Arc<Facts>>,
    seen_asks: Option<Arc<Asks>>,
    outline: Arc<LastOutline>,
    /// The number of changes, so that a reader can detect that it is outdated.
    revision: Arc<AtomicU64>,
}

/// An open file for readers of other files.
#[derive(Debug, Clone)]
pub(super) struct Opened {
    pub(super) file: FileId,
    pub(super) document: Arc<Document>,
    outline: Arc<LastOutline>,
}

/// The last outline that a reader requested, with its document. Freed by the next reader of another version, not by the
/// main loop, which it would delay.
#[derive(Debug, Default)]
struct LastOutline(Mutex<Option<(Weak<Document>, Arc<Outline>)>>);

impl Opened {
    /// Its outline.
    pub(super) fn outline(&self) -> Arc<Outline> {
        let mut last = self
            .outline
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some((of, outline)) = &*last
            && std::ptr::eq(of.as_ptr(), Arc::as_ptr(&self.document))
        {
            return Arc::clone(outline);
        }
        let outline = Arc::new(outline(&self.document));
        *last = Some((Arc::downgrade(&self.document), Arc::clone(&outline)));
        outline
    }
}

/// The facts of an open file for others, and its questions, if they changed.
#[derive(Debug, Default)]
pub(super) struct News {
    pub(super) facts: Option<Arc<Facts>>,
    pub(super) asks: Option<Arc<Asks>>,
}

/// A file at one version, unaffected by later edits.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The analysis at that version.
    pub document: Arc<Document>,
    taken_at: u64,
    revision: Arc<AtomicU64>,
}

impl OpenFile {
    pub(super) fn new(kind: HostKind, text: &str, settings: Settings) -> Self {
        let mut file = Self {
            kind,
            settings,
            text: Text::from(text),
            analysis: None,
            parse_time: Duration::ZERO,
            seen_facts: None,
            seen_asks: None,
            outline: Arc::default(),
            revision: Arc::default(),
        };
        file.analyze(text);
        file
    }

    /// Applies changes; `edit_of` converts each to an edit of the text after the previous ones.
    ///
    /// Edits of one place are followed as one. Once following has taken half as long as a full parse, the rest is
    /// parsed at once: a burst of edits that each concern the whole text takes little more than one parse.
    pub(super) fn change<C>(
        &mut self,
        changes: Vec<C>,
        mut edit_of: impl FnMut(&Text, C) -> TextEdit,
    ) {
        self.revision.fetch_add(1, Ordering::Release);
        let begin = Instant::now();
        let mut joined: Option<TextEdit> = None;
        for change in changes {
            let edit = edit_of(&self.text, change);
            let is_whole = edit.range == TextRange::up_to(self.text.len());
            self.text.apply(&edit);
            if is_whole || begin.elapsed() > self.parse_time / 2 {
                self.analysis = None;
            }
            if let Some(last) = joined.take_if(|last| !last.join(&edit)) {
                self.follow(&last);
            }
            joined.get_or_insert(edit);
        }
        if let Some(last) = joined {
            self.follow(&last);
        }
        self.catch_up();
    }

    fn follow(&mut self, edit: &TextEdit) {
        if self.update(|document| document.edit(edit)).is_none() {
            self.analysis = None;
        }
    }

    /// Makes the analysis that of the text.
    fn catch_up(&mut self) {
        match &self.analysis {
            Some(analysis) => self.text = analysis.text().clone(),
            None => self.analyze_again(),
        }
    }

    /// Analyzes the file with other settings; returns whether anything changed.
    pub(super) fn set_settings(&mut self, settings: Settings) -> bool {
        let differs = self.settings != settings;
        if differs {
            self.settings = settings;
            self.analyze_again();
        }
        differs
    }

    /// Sets the answers of other files; returns whether anything changed.
    pub(super) fn set_answers(&mut self, answers: Arc<Answers>) -> bool {
        let differs = self.update(|document| document.set_answers(answers));
        differs.unwrap_or_default()
    }

    /// Updates the analysis; `None` if that fails or there is none.
    fn update<T>(&mut self, update: impl FnOnce(&mut Document) -> T) -> Option<T> {
        let mut analysis = self.analysis.take()?;
        let (analysis, result) = guarded(|| {
            let result = update(Arc::make_mut(&mut analysis));
            (analysis, result)
        })?;
        self.analysis = Some(analysis);
        Some(result)
    }

    /// Parses the text, which was edited or has other settings.
    fn analyze_again(&mut self) {
        let text = self.text.clone();
        self.analyze(&text.whole());
    }

    /// Parses the text, which is `whole` in one piece.
    fn analyze(&mut self, whole: &str) {
        let (text, settings) = (self.text.clone(), self.settings.clone());
        let begin = Instant::now();
        self.analysis = guarded(|| Arc::new(Document::of_whole(self.kind, text, whole, settings)));
        self.parse_time = begin.elapsed().max(SHORTEST);
        (self.seen_facts, self.seen_asks) = (None, None);
    }

    /// Its questions and, if others need them, its facts, as far as they were not collected yet.
    pub(super) fn news(&mut self, wants_facts: bool) -> News {
        let Some(document) = &self.analysis else {
            return News::default();
        };
        let facts = wants_facts.then(|| document.facts());
        News {
            facts: facts.and_then(|it| unseen(&mut self.seen_facts, it)),
            asks: unseen(&mut self.seen_asks, document.asks()),
        }
    }

    /// Whether there is too much in it.
    pub(super) fn is_overfull(&self) -> bool {
        self.analysis.as_ref().is_some_and(|it| it.is_overfull())
    }

    /// Its questions to other files.
    pub(super) fn asks(&self) -> Option<&Arc<Asks>> {
        self.analysis.as_ref().map(|it| it.asks())
    }

    /// Its functions.
    pub(super) fn facts(&self) -> Option<&Arc<Facts>> {
        self.analysis.as_ref().map(|it| it.facts())
    }

    /// Whether it registers functions as tools, or may be about to.
    pub(super) fn registers_tools(&self) -> bool {
        self.analysis
            .as_ref()
            .is_some_and(|it| it.registers_tools())
    }

    /// Whether it names functions as tools, of its own or of other files, or registers tools.
    pub(super) fn names_functions(&self) -> bool {
        self.analysis
            .as_ref()
            .is_some_and(|it| it.names_functions())
    }

    pub(super) fn text(&self) -> &Text {
        &self.text
    }

    /// Its state for readers of other files; `None` if its analysis failed.
    pub(super) fn opened(&self, file: FileId) -> Option<Opened> {
        Some(Opened {
            file,
            document: self.analysis.clone()?,
            outline: Arc::clone(&self.outline),
        })
    }

    /// The snapshot of the file; `None` if its analysis failed.
    pub(super) fn snapshot(&self) -> Option<Snapshot> {
        Some(Snapshot {
            document: self.analysis.clone()?,
            taken_at: self.revision.load(Ordering::Acquire),
            revision: self.revision.clone(),
        })
    }
}

/// `now`, unless it equals `seen`.
fn unseen<T>(seen: &mut Option<Arc<T>>, now: &Arc<T>) -> Option<Arc<T>> {
    let last = seen.replace(Arc::clone(now));
    let is_seen = last.is_some_and(|it| Arc::ptr_eq(&it, now));
    (!is_seen).then(|| Arc::clone(now))
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        self.revision.fetch_add(1, Ordering::Release);
    }
}

impl Snapshot {
    /// An immutable document.
    pub fn of(document: Document) -> Self {
        Self {
            document: Arc::new(document),
            taken_at: 0,
            revision: Arc::default(),
        }
    }

    /// The same for a reader that asked before the last edit.
    pub fn overtaken(mut self) -> Self {
        self.taken_at = self.taken_at.wrapping_sub(1);
        self
    }

    /// Whether the file was edited or closed since.
    pub fn is_stale(&self) -> bool {
        self.revision.load(Ordering::Acquire) != self.taken_at
    }

    /// The text of that version.
    pub fn text(&self) -> &Text {
        self.document.text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use signature_ls_analysis::model::Edition;
    use signature_ls_source::text::TextSize;

    fn open(text: &str) -> OpenFile {
        OpenFile::new(HostKind::Elixir, text, Settings::default())
    }

    fn change(file: &mut OpenFile, edits: Vec<TextEdit>) {
        file.change(edits, |_, edit| edit);
    }

    fn text(file: &OpenFile) -> String {
        let snapshot = file.snapshot().expect("an analysis");
        assert_eq!(snapshot.text(), &file.text);
        file.text.rope().to_string()
    }

    #[test]
    fn edits_follow_one_another_in_one_message_or_several() {
        let long = "# a comment\n".repeat(1_000);
        for rest in ["", &long] {
            let edits = vec![
                TextEdit::insert(3.into(), "d"),
                TextEdit::delete(TextRange::new(0.into(), 1.into())),
                TextEdit::insert(0.into(), "ä"),
            ];
            let mut at_once = open(&format!("abc{rest}"));
            change(&mut at_once, edits.clone());
            assert_eq!(text(&at_once), format!("äbcd{rest}"));

            let mut one_by_one = open(&format!("abc{rest}"));
            for edit in edits {
                change(&mut one_by_one, vec![edit]);
            }
            assert_eq!(text(&one_by_one), text(&at_once));
        }
    }

    #[test]
    fn edits_that_take_too_long_to_follow_are_parsed_at_once() {
        let line = "SubAgent.run(\"{{x}}\", signature: \"(a :strng) -> :int\")\n";
        let place = |index: u32| TextSize::from(index * line.len() as u32 + 16);
        let edits: Vec<_> = (0..20)
            .map(|index| TextEdit::insert(place(index * 7 % 20), "y"))
            .collect();
        let found = |file: &OpenFile| file.snapshot().expect("an analysis").document.findings();
        let mut versions = Vec::new();
        for parse_time in [Duration::ZERO, Duration::MAX] {
            let mut file = open(&line.repeat(20));
            file.parse_time = parse_time;
            change(&mut file, edits.clone());
            let was_parsed = file.parse_time != parse_time;
            assert_eq!(was_parsed, parse_time == Duration::ZERO);
            versions.push((text(&file), found(&file).reported));
        }
        assert_eq!(versions[0], versions[1]);
    }

    #[test]
    fn a_whole_text_replaces_the_old_one() {
        let mut file = open("abc");
        file.change(vec!["x"], |text, insert| {
            TextEdit::replace(TextRange::up_to(text.len()), insert)
        });
        assert_eq!(text(&file), "x");
    }

    #[test]
    fn snapshots_stay_and_know_that_they_are_stale() {
        let mut file = open("abc");
        let snapshot = file.snapshot().expect("an analysis");
        assert!(!snapshot.is_stale());
        change(&mut file, vec![TextEdit::insert(0.into(), "x")]);
        assert!(snapshot.is_stale());
        assert_eq!(snapshot.text(), &Text::from("abc"));

        let last = file.snapshot().expect("an analysis");
        drop(file);
        assert!(last.is_stale());
    }

    #[test]
    fn other_settings_leave_the_text_as_it_is() {
        let mut file = open("abc");
        let snapshot = file.snapshot().expect("an analysis");
        let edition = Edition::V0_4;
        let settings = Settings {
            edition,
            ..Settings::default()
        };
        assert!(file.set_settings(settings));
        assert!(!snapshot.is_stale());
    }

    #[test]
    fn a_failed_analysis_is_tried_again_at_the_next_edit() {
        let mut file = open("abc");
        file.analysis = None;
        assert!(file.snapshot().is_none());
        change(&mut file, vec![TextEdit::insert(3.into(), "d")]);
        assert_eq!(text(&file), "abcd");
    }
}
