//! The functions of the projects around open documents, read beside everything else.

use std::{
    collections::{BTreeSet, HashMap, hash_map::Entry},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc::Sender},
};

use tower_lsp::ls_types as lsp;

use super::{document::Snapshot, main_loop::Event};
use crate::{
    host::{HostKind, elixir::module::Facts},
    project::ProjectFunctions,
};

/// Longer documents are read when they are saved, not while they are edited.
const LONGEST_FOLLOWED: u32 = 256 * 1024;

/// Reads what Elixir says of functions on the pool and sends it to the main loop.
pub(super) struct FunctionReader {
    events: Sender<Event>,
    pool: tokio::runtime::Handle,
    projects: ProjectFunctions,
    /// Held from reading to telling, so that what is told last is what was read last.
    order: Mutex<()>,
    /// The open documents that can name functions.
    open: Mutex<BTreeSet<lsp::Uri>>,
    /// The documents that are being read, with whether to do that once more.
    in_work: Mutex<HashMap<lsp::Uri, Again>>,
}

/// Whether a document is to be read, or read again when that is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Again {
    No,
    IfShort,
    Yes,
}

impl Again {
    fn wants(self, snapshot: &Snapshot) -> bool {
        match self {
            Self::No => false,
            Self::IfShort => snapshot.text().len() <= LONGEST_FOLLOWED.into(),
            Self::Yes => true,
        }
    }
}

impl FunctionReader {
    /// A reader on `pool` that sends to `events`.
    pub(super) fn new(events: Sender<Event>, pool: tokio::runtime::Handle) -> Self {
        Self {
            events,
            pool,
            projects: ProjectFunctions::default(),
            order: Mutex::default(),
            open: Mutex::default(),
            in_work: Mutex::default(),
        }
    }

    /// A document was opened.
    pub(super) fn opened(self: &Arc<Self>, uri: lsp::Uri) {
        let path = uri.to_file_path();
        let kind = path.as_deref().and_then(HostKind::from_path);
        if matches!(kind, Some(HostKind::Elixir | HostKind::Markdown)) {
            locked(&self.open).insert(uri.clone());
            self.send_functions(uri.clone());
            self.read(uri, Again::Yes);
        }
    }

    /// A document was edited. It is read again as soon as the last reading of it is done.
    pub(super) fn edited(self: &Arc<Self>, uri: lsp::Uri) {
        self.read(uri, Again::IfShort);
    }

    /// A document was saved.
    pub(super) fn saved(self: &Arc<Self>, uri: lsp::Uri) {
        self.read(uri, Again::Yes);
    }

    /// A document was closed: what is on the disk counts again.
    pub(super) fn closed(self: &Arc<Self>, uri: lsp::Uri) {
        if locked(&self.open).remove(&uri) {
            self.files_changed(vec![uri]);
        }
    }

    /// Files were changed on the disk. Of open documents the editor's text counts.
    pub(super) fn files_changed(self: &Arc<Self>, files: Vec<lsp::Uri>) {
        let reader = Arc::clone(self);
        self.pool.spawn_blocking(move || {
            let open = locked(&reader.open).clone();
            let closed = files.iter().filter(|uri| !open.contains(uri));
            let paths: Vec<PathBuf> = closed.filter_map(path_of).collect();
            let _order = locked(&reader.order);
            let changed = paths.iter().filter(|path| reader.projects.read_again(path));
            if changed.count() > 0 {
                reader.send_to_all();
            }
        });
    }

    /// Reads an open document once more, with all edits that the main loop knows by then.
    fn read(self: &Arc<Self>, uri: lsp::Uri, wanted: Again) {
        if !locked(&self.open).contains(&uri) {
            return;
        }
        match locked(&self.in_work).entry(uri.clone()) {
            Entry::Occupied(mut again) => {
                let most = wanted.max(*again.get());
                again.insert(most);
                return;
            }
            Entry::Vacant(entry) => entry.insert(Again::No),
        };
        let reader = Arc::clone(self);
        let document = uri.clone();
        let look = move |found: Option<(_, Snapshot)>| {
            if let Some((_, snapshot)) = found.filter(|(_, snapshot)| wanted.wants(snapshot)) {
                reader.look_at(&document, &snapshot);
            }
            let again = locked(&reader.in_work).remove(&document);
            if let Some(wanted @ (Again::IfShort | Again::Yes)) = again {
                reader.read(document, wanted);
            }
        };
        self.send(Event::Read(uri, Box::new(look)));
    }

    fn look_at(&self, uri: &lsp::Uri, snapshot: &Snapshot) {
        let facts = snapshot.document.read_facts();
        if facts != **snapshot.document.facts() {
            self.send(Event::Facts(uri.clone(), Arc::new(facts.clone())));
        }
        let Some(path) = path_of(uri) else {
            return;
        };
        // What is set counts only for a project that was read.
        let _ = self.projects.around(&path);
        let _order = locked(&self.order);
        if self.put(uri, &path, facts) {
            self.send_to_all();
        }
    }

    /// Takes what the editor's text says, unless the document was closed meanwhile; the lock sees to it that
    /// what closing reads from the disk comes last.
    fn put(&self, uri: &lsp::Uri, path: &Path, facts: Facts) -> bool {
        let open = locked(&self.open);
        open.contains(uri) && self.projects.set(path, facts)
    }

    /// Tells all open documents; the caller holds the order.
    fn send_to_all(&self) {
        let open = locked(&self.open).clone();
        for uri in open {
            if let Some(path) = path_of(&uri) {
                let functions = self.projects.around(&path);
                self.send(Event::Functions(uri, functions));
            }
        }
    }

    fn send_functions(self: &Arc<Self>, uri: lsp::Uri) {
        let reader = Arc::clone(self);
        self.pool.spawn_blocking(move || {
            if let Some(path) = path_of(&uri) {
                // The first question takes long, and nobody is to wait for it.
                reader.projects.around(&path);
                let _order = locked(&reader.order);
                let functions = reader.projects.around(&path);
                reader.send(Event::Functions(uri, functions));
            }
        });
    }

    fn send(&self, event: Event) {
        // Once the server is at its end nobody is left to receive.
        let _ = self.events.send(event);
    }
}

fn path_of(uri: &lsp::Uri) -> Option<PathBuf> {
    uri.to_file_path().map(|path| path.into_owned())
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
