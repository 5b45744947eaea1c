//! The functions of the projects around open documents, read beside everything else.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc::Sender},
};

use tower_lsp::ls_types as lsp;

use super::main_loop::Event;
use crate::{host::HostKind, project::ProjectFunctions};

/// Reads Elixir files on the pool and sends what they say to the main loop.
pub(super) struct FunctionReader {
    events: Sender<Event>,
    pool: tokio::runtime::Handle,
    projects: Arc<ProjectFunctions>,
    /// The Elixir documents that are open.
    open: Mutex<BTreeSet<lsp::Uri>>,
}

impl FunctionReader {
    /// A reader on `pool` that sends to `events`.
    pub(super) fn new(events: Sender<Event>, pool: tokio::runtime::Handle) -> Self {
        Self {
            events,
            pool,
            projects: Arc::default(),
            open: Mutex::default(),
        }
    }

    /// A document was opened.
    pub(super) fn opened(&self, uri: lsp::Uri) {
        let path = uri.to_file_path();
        let kind = path.as_deref().and_then(HostKind::from_path);
        if kind == Some(HostKind::Elixir) {
            self.locked().insert(uri.clone());
            self.read_for(uri);
        }
    }

    /// A document was closed.
    pub(super) fn closed(&self, uri: &lsp::Uri) {
        self.locked().remove(uri);
    }

    /// Elixir files were changed on the disk.
    pub(super) fn files_changed(&self) {
        self.projects.forget();
        let open: Vec<_> = self.locked().iter().cloned().collect();
        for uri in open {
            self.read_for(uri);
        }
    }

    fn read_for(&self, uri: lsp::Uri) {
        let (events, projects) = (self.events.clone(), Arc::clone(&self.projects));
        self.pool.spawn_blocking(move || {
            let Some(path) = uri.to_file_path() else {
                return;
            };
            let functions = projects.around(&path);
            // Once the server is at its end nobody is left to receive.
            let _ = events.send(Event::Functions(uri, functions));
        });
    }

    fn locked(&self) -> MutexGuard<'_, BTreeSet<lsp::Uri>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
