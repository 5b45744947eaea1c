//! The main loop, which owns the workspace.
//!
//! Everything arrives as an [`Event`], in the order of the client's messages, and is handled by one thread. Readers
//! run in parallel on a snapshot, and so does the reading of projects and folders. This thread itself reads only
//! settings, lock files and stamps.

mod event;
mod reading;

pub(super) use event::Event;
#[cfg(debug_assertions)]
pub(super) use event::PanicAt;
pub(super) use reading::{Extent, Reader, Surveyor};

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender},
    },
    time::{Duration, Instant},
};

use foldhash::HashMap;
use reading::Waiting;
use serde_json::Value;
use tower_lsp::ls_types as lsp;

use super::{
    client::Client,
    convert::{self, Located},
    document::{OpenDocument, Snapshot},
    log::Log,
    outbox::Outbox,
    paths::{path_beside, path_of},
    pool::Pool,
    progress::Progress,
    publish::send_diagnostics,
    queue::Queue,
    settings_files::{SettingsFiles, is_settings_file},
    user_settings::ClientSettings,
};
use crate::{
    files::LONGEST,
    large_pages::LargePages,
    panics::guarded,
    workspace::{FileId, Origin, Work, Workspace, absolute, catalogs::is_misnamed},
};
use signature_ls_source::host::{HostKind, MOST_UNITS};

/// How long successive changes may delay the diagnostics.
const LONGEST_BATCH: Duration = Duration::from_millis(20);

/// The number of characters of a message that are shown: it may quote a value of any length.
const MOST_SHOWN: usize = 1_000;

/// The state of the server.
pub(super) struct MainLoop {
    pub(super) outbox: Outbox,
    pub(super) log: Log,
    pub(super) pool: Pool,
    pub(super) events: Sender<Event>,
    pub(super) client: Arc<Client>,
    pub(super) settings: ClientSettings,
    pub(super) settings_files: SettingsFiles,
    pub(super) workspace: Workspace,
    pub(super) documents: HashMap<lsp::Uri, OpenDocument>,
    pub(super) uris: HashMap<FileId, lsp::Uri>,
    waiting: Vec<Waiting>,
    /// Whether the disk counts for a file that was open, or may have changed.
    pub(super) disk_may_have_changed: bool,
    /// The cancellation of work in progress, by progress token.
    running: HashMap<String, Arc<AtomicBool>>,
    last_request: i64,
    /// Whether the next work panics, as a test wants.
    #[cfg(debug_assertions)]
    work_panics: bool,
    /// The document whose next publication panics, as a test wants.
    #[cfg(debug_assertions)]
    pub(super) panics_at: Option<lsp::Uri>,
}

impl MainLoop {
    /// A server without documents. It sends through `outbox`, runs readers on `pool`, and receives what they read
    /// through `events`.
    pub(super) fn new(outbox: Outbox, log: Log, pool: Pool, events: Sender<Event>) -> Self {
        Self {
            outbox,
            log,
            pool,
            events,
            client: Arc::default(),
            settings: ClientSettings::default(),
            settings_files: SettingsFiles::default(),
            workspace: Workspace::default(),
            documents: HashMap::default(),
            uris: HashMap::default(),
            waiting: Vec::new(),
            disk_may_have_changed: false,
            running: HashMap::default(),
            last_request: 0,
            #[cfg(debug_assertions)]
            work_panics: false,
            #[cfg(debug_assertions)]
            panics_at: None,
        }
    }

    /// Handles events until the last one.
    ///
    /// Diagnostics are sent as soon as no further event waits, and at the latest after [`LONGEST_BATCH`], so that a
    /// burst of changes is answered once.
    pub(super) fn run(mut self, events: &Receiver<Event>) {
        let mut is_end = false;
        let mut queue = Queue::new(events);
        while !is_end && let Some(event) = queue.wait() {
            let begin = Instant::now();
            is_end = matches!(event, Event::End);
            self.handle(event);
            while !is_end
                && begin.elapsed() < LONGEST_BATCH
                && let Some(event) = queue.ready()
            {
                is_end = matches!(event, Event::End);
                self.handle(event);
            }
            let _ = guarded(|| self.catch_up());
        }
    }

    /// Handles an event. If that panics while a document's text changes, the document is dropped: no answer is better
    /// than one for a different text than the client's.
    fn handle(&mut self, event: Event) {
        let document = event.document().cloned();
        if guarded(|| self.react(event)).is_none()
            && let Some(uri) = document
        {
            self.close(&uri);
            self.warn(format!(
                "signature-ls failed on {}; open it again to go on",
                uri.path().as_str()
            ));
        }
    }

    fn react(&mut self, event: Event) {
        match event {
            Event::Initialize(client, options, folders) => {
                self.client = Arc::new(*client);
                self.workspace
                    .set_watched(self.client.registers_watched_files);
                self.initialize_settings(&options, &folders);
            }
            Event::Initialized => {
                self.register_for_settings();
                self.register_for_files();
                self.register_formatting();
                self.ask_for_settings();
            }
            Event::Open(item) if is_settings_file(&item.uri) => self.open_settings_file(item),
            Event::Open(item) => self.open(item),
            Event::Change(params) => {
                if let Some(params) = self.change_settings_file(params) {
                    self.change(params);
                }
            }
            Event::Save => {
                self.disk_may_have_changed = true;
                self.workspace.recheck_disk();
            }
            Event::Close(uri) => {
                self.disk_may_have_changed = true;
                self.close(&uri);
            }
            Event::Configure(value) => {
                // Many clients send this when their window regains the focus.
                self.workspace.recheck_disk();
                self.settings_changed(&value);
            }
            Event::ChangeFolders(change) => self.change_folders(&change),
            Event::FilesChanged(paths) => {
                let paths = paths.iter().map(PathBuf::as_path);
                self.disk_may_have_changed |= self.workspace.files_changed(paths);
            }
            Event::Read(change, token) => {
                self.running.remove(&token);
                self.workspace.apply(change);
            }
            Event::CancelProgress(token) => {
                if let Some(work) = self.running.get(&token) {
                    work.store(true, Ordering::Relaxed);
                }
            }
            Event::Located(file, lookup, located) => self.located(file, lookup, located),
            Event::Answer(id, value) => self.answer(&id, &value),
            Event::ApplyEdit(edit) => {
                self.request("workspace/applyEdit", serde_json::json!({ "edit": edit }));
            }
            Event::Look(uri, extent, reader) => {
                if extent == Extent::Surroundings {
                    let areas = self.areas_around(&uri);
                    self.workspace.look_everywhere(&areas);
                }
                self.look(uri, extent, reader);
            }
            Event::Overtaken(uri, reader) => self.read_overtaken(&uri, reader),
            Event::Survey(uri, surveyor) => {
                let areas = match uri {
                    Some(uri) => self.areas_around(&uri),
                    None => self.workspace.all_areas(),
                };
                self.workspace.look_everywhere(&areas);
                self.survey(areas, surveyor);
            }
            Event::LookAtSettings(uri, reader) => self.look_at_settings_file(&uri, reader),
            Event::Loaded(loaded) => self.look_at_loaded(loaded),
            #[cfg(debug_assertions)]
            Event::Panic(at) if at.place == "work" => self.work_panics = true,
            #[cfg(debug_assertions)]
            Event::Panic(at) if at.place == "publication" => self.panics_at = Some(at.uri),
            #[cfg(debug_assertions)]
            Event::Panic(_) => panic!("as the test wants"),
            Event::End => {}
        }
    }

    /// Publishes the diagnostics of a document again, now that its lookup of that number found declarations in other files.
    fn located(&mut self, file: FileId, lookup: u64, located: Located) {
        let uri = self.uris.get(&file);
        let document = uri.and_then(|it| self.documents.get_mut(it));
        if document.is_some_and(|it| it.locate(lookup, located)) {
            self.publish_file(file);
        }
    }

    /// Runs a reader on the state of a document that was changed since.
    fn read_overtaken(&mut self, uri: &lsp::Uri, reader: Reader) {
        let file = self.documents.get(uri).map(|it| it.file);
        let snapshot = file.and_then(|it| self.workspace.snapshot(it));
        let snapshot = snapshot.map(|it| Snapshot::of_file(it.overtaken()));
        self.run_reader(snapshot, reader);
    }

    fn open(&mut self, item: lsp::TextDocumentItem) {
        let Some(kind) = host_kind(&item) else {
            // It may have been open in another language.
            return self.close(&item.uri);
        };
        self.forget(&item.uri);
        if item.text.len() > LONGEST as usize {
            return self.refuse(&item.uri, &too_long());
        }
        let file = self.file_of(&item.uri);
        let pages = LargePages::for_text(item.text.len());
        self.workspace.open(file, kind, &item.text);
        drop(pages);
        self.uris.insert(file, item.uri.clone());
        let document = OpenDocument::new(file, item.version);
        let uri = item.uri.clone();
        self.documents.insert(item.uri, document);
        self.refuse_overfull(&uri, file);
    }

    /// The file of a URI. Two URIs of one file are two files while both are open.
    fn file_of(&mut self, uri: &lsp::Uri) -> FileId {
        if let Some(path) = path_of(uri) {
            let file = self.workspace.file_at(&path);
            if !self.uris.contains_key(&file) {
                return file;
            }
        }
        self.workspace.new_file(match path_beside(uri) {
            Some(path) => Origin::Beside(path.into()),
            None => Origin::Nowhere,
        })
    }

    fn change(&mut self, params: lsp::DidChangeTextDocumentParams) {
        let lsp::VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        let Some(document) = self.documents.get_mut(&uri) else {
            return;
        };
        let client = &self.client;
        document.version = version;
        self.workspace
            .change(document.file, params.content_changes, |text, change| {
                let edit = convert::text_edit(client, text, change);
                document.edited(text, &edit);
                edit
            });
        let file = document.file;
        let text = self.workspace.text(file);
        if text.is_some_and(|it| it.len() > LONGEST.into()) {
            self.forget(&uri);
            return self.refuse(&uri, &too_long());
        }
        self.refuse_overfull(&uri, file);
    }

    /// Gives a document up in which there is too much.
    fn refuse_overfull(&mut self, uri: &lsp::Uri, file: FileId) {
        if self.workspace.is_overfull(file) {
            self.forget(uri);
            let reason = format!("has more than {MOST_UNITS} signatures and prompts");
            self.refuse(uri, &reason);
        }
    }

    /// Says that a document is not followed.
    fn refuse(&self, uri: &lsp::Uri, reason: &str) {
        self.send_nothing_found(uri);
        let path = uri.path().as_str();
        self.warn(format!("{path} {reason} and is not analysed"));
    }

    fn close(&mut self, uri: &lsp::Uri) {
        if self.forget(uri) || self.close_settings_file(uri) {
            self.send_nothing_found(uri);
        }
    }

    /// Closes a document; returns whether it was open.
    fn forget(&mut self, uri: &lsp::Uri) -> bool {
        let Some(document) = self.documents.remove(uri) else {
            return false;
        };
        self.uris.remove(&document.file);
        let was_open = self.workspace.close(document.file);
        self.pass_on(document.file);
        was_open
    }

    /// Makes another document the one of a file that was closed, if another URI of that file is open.
    fn pass_on(&mut self, closed: FileId) {
        let Origin::Disk(path) = self.workspace.origin(closed) else {
            return;
        };
        let is_same = |(file, uri): &(&FileId, &lsp::Uri)| {
            matches!(self.workspace.origin(**file), Origin::Beside(_))
                && path_of(uri).is_some_and(|it| *absolute(&it) == **path)
        };
        let others = self.uris.iter().filter(is_same);
        let Some((&file, uri)) = others.min_by_key(|(_, uri)| uri.as_str()) else {
            return;
        };
        let uri = uri.clone();
        self.uris.remove(&file);
        self.workspace.pass_on(file, closed);
        if let Some(document) = self.documents.get_mut(&uri) {
            document.file = closed;
        }
        self.uris.insert(closed, uri);
    }

    fn send_nothing_found(&self, uri: &lsp::Uri) {
        if !self.client.only_pulls {
            send_diagnostics(&self.outbox, uri, &[], None);
        }
    }

    /// Runs after a burst of events.
    fn catch_up(&mut self) {
        let problems = self.workspace.take_problems();
        if !problems.is_empty() {
            self.warn(problems.join("\n"));
        }
        self.try_waiting();
        // The readers may need more now.
        for work in self.workspace.take_work() {
            self.start(work);
        }
        self.publish();
    }

    /// Runs work in the background, and shows its progress if the client supports that.
    fn start(&mut self, work: Work) {
        self.last_request += 1;
        let progress = Progress::new(self.outbox.clone(), self.last_request);
        let token = progress.token().to_owned();
        self.running.insert(token.clone(), work.cancellation());
        let is_shown = self.client.shows_progress && work.is_first();
        let events = self.events.clone();
        #[cfg(debug_assertions)]
        let panics = std::mem::take(&mut self.work_panics);
        self.pool.run_in_background(move || {
            let change = work.run(|done, all| {
                #[cfg(debug_assertions)]
                assert!(!panics, "as the test wants");
                if is_shown {
                    progress.report(done, all);
                }
            });
            progress.end();
            let _ = events.send(Event::Read(change, token));
        });
    }

    /// Shows a warning to the user.
    pub(super) fn warn(&self, mut message: String) {
        if let Some((end, _)) = message.char_indices().nth(MOST_SHOWN) {
            message.truncate(end);
            message.push('…');
        }
        let typ = lsp::MessageType::WARNING;
        self.outbox.notify(
            "window/showMessage",
            lsp::ShowMessageParams { typ, message },
        );
    }

    pub(super) fn request(&mut self, method: &str, params: Value) -> i64 {
        self.last_request += 1;
        self.outbox.request(self.last_request, method, params);
        self.last_request
    }
}

/// Why a document that is too long is not followed.
fn too_long() -> String {
    format!("is larger than {} MiB", LONGEST >> 20)
}

/// The kind of a document by its name, or else by its language id. A cell of a notebook has the name of the notebook,
/// so only its language id counts.
fn host_kind(item: &lsp::TextDocumentItem) -> Option<HostKind> {
    let is_cell = item.uri.scheme().as_str().ends_with("notebook-cell");
    let path = Path::new(item.uri.path().as_str());
    let by_name = HostKind::from_path(path).filter(|_| !is_cell);
    let by_language = HostKind::from_language_id(&item.language_id);
    if by_language.is_none() && is_misnamed(path, item.text.as_bytes()) {
        return None;
    }
    by_name.or(by_language)
}
