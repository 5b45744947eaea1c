//! Readers of documents and files, which run as soon as everything is read that they need.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Weak},
};

use foldhash::HashMap;
use tower_lsp::ls_types as lsp;

use super::{Event, MainLoop};
use crate::{
    panics::guarded,
    server::{
        client::Client,
        document::{Files, Snapshot},
        paths::path_of,
    },
    workspace::{self, FileId, Workspace},
};
use signature_ls_analysis::ide::Document;
use signature_ls_source::host::HostKind;

/// Reads a document; it gets `None` if the document is missing or not supported.
pub(in crate::server) type ReadDocument = Box<dyn FnOnce(Option<(Arc<Client>, Snapshot)>) + Send>;

/// Reads files.
pub(in crate::server) type ReadFiles = Box<dyn FnOnce(&Client, &Files) + Send>;

/// A reader of a document.
pub(in crate::server) struct Reader {
    /// What it does.
    pub(in crate::server) read: ReadDocument,
    /// Exists as long as the client waits for the answer.
    pub(in crate::server) asked: Weak<()>,
}

/// What a reader of a document needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::server) enum Extent {
    /// The document, with the functions of other files that it names.
    Document,
    /// Also all functions of its project.
    Project,
    /// Also all files around it.
    Surroundings,
}

/// A reader of files.
pub(in crate::server) struct Surveyor {
    /// What it does.
    pub(in crate::server) read: ReadFiles,
    /// Exists as long as the client waits for the answer.
    pub(in crate::server) asked: Weak<()>,
}

/// A closed file, and its reader.
pub(in crate::server) struct Loaded {
    path: PathBuf,
    extent: Extent,
    document: Document,
    reader: Reader,
}

/// A reader that waits until everything is read that the document refers to.
pub(super) enum Waiting {
    Open(lsp::Uri, workspace::Snapshot, Extent, Reader),
    Closed(Box<Loaded>),
    Survey(Vec<PathBuf>, Surveyor),
}

impl Waiting {
    /// Whether the client still waits for the answer.
    fn is_asked(&self) -> bool {
        let asked = match self {
            Self::Open(_, _, _, reader) => &reader.asked,
            Self::Closed(loaded) => &loaded.reader.asked,
            Self::Survey(_, surveyor) => &surveyor.asked,
        };
        asked.strong_count() > 0
    }
}

impl MainLoop {
    /// Runs `reader` on the pool as soon as everything is read that the document refers to. A closed document is read
    /// from the disk.
    pub(super) fn look(&mut self, uri: lsp::Uri, extent: Extent, reader: Reader) {
        let Some(file) = self.documents.get(&uri).map(|it| it.file) else {
            return self.load(&uri, extent, reader);
        };
        let snapshot = self.workspace.snapshot(file);
        let is_settled = self.workspace.is_settled(file)
            && (extent != Extent::Project || self.workspace.knows_functions(file));
        let files = match extent {
            Extent::Document | Extent::Project => Some(Files {
                view: self.workspace.view(),
                ..Files::default()
            }),
            Extent::Surroundings => {
                let areas = self.areas_around(&uri);
                self.files_in(&areas)
            }
        };
        match (snapshot, files) {
            (Some(snapshot), Some(files)) if is_settled => {
                let index = self.workspace.index(file);
                let document = self.documents.get(&uri);
                let snapshot = document.map(|it| it.snapshot(snapshot, index, files));
                self.run_reader(snapshot, reader);
            }
            (Some(snapshot), _) => {
                let waiting = Waiting::Open(uri, snapshot, extent, reader);
                self.waiting.push(waiting);
            }
            (None, _) => self.run_reader(None, reader),
        }
    }

    /// Runs `surveyor` on the pool as soon as all files in some folders are read.
    pub(super) fn survey(&mut self, areas: Vec<PathBuf>, surveyor: Surveyor) {
        let Some(files) = self.files_in(&areas) else {
            return self.waiting.push(Waiting::Survey(areas, surveyor));
        };
        let client = self.client.clone();
        self.pool.run(move || (surveyor.read)(&client, &files));
    }

    /// The folders whose files can refer to names of a document.
    pub(super) fn areas_around(&mut self, uri: &lsp::Uri) -> Vec<PathBuf> {
        let place = match self.documents.get(uri) {
            Some(document) => {
                let origin = self.workspace.origin(document.file);
                origin.place().map(Path::to_owned)
            }
            None => path_of(uri),
        };
        self.workspace.areas_around(place.as_deref())
    }

    /// All files in some folders; `None` if they have to be read first.
    fn files_in(&mut self, areas: &[PathBuf]) -> Option<Files> {
        let view = self.workspace.surroundings(areas)?;
        Some(Files {
            view,
            opened: self.opened(),
        })
    }

    /// The URI and the version of each open file.
    pub(in crate::server) fn opened(&self) -> HashMap<FileId, (lsp::Uri, i32)> {
        let opened = self.documents.iter();
        opened
            .map(|(uri, it)| (it.file, (uri.clone(), it.version)))
            .collect()
    }

    fn load(&mut self, uri: &lsp::Uri, extent: Extent, reader: Reader) {
        let path = path_of(uri);
        let kind = path.as_deref().and_then(HostKind::from_path);
        let (Some(path), Some(kind)) = (path, kind) else {
            return self.run_reader(None, reader);
        };
        let settings = self.workspace.settings_for(&path);
        let events = self.events.clone();
        self.pool.run(move || {
            match Workspace::read_closed(&path, kind, settings) {
                Some(document) => {
                    let loaded = Loaded {
                        path,
                        extent,
                        document,
                        reader,
                    };
                    // At the end of the server there is no receiver.
                    let _ = events.send(Event::Loaded(Box::new(loaded)));
                }
                None => (reader.read)(None),
            }
        });
    }

    pub(super) fn look_at_loaded(&mut self, loaded: Box<Loaded>) {
        let asks = Arc::clone(loaded.document.asks());
        let Some(answers) = self.workspace.answers(Some(&loaded.path), &asks) else {
            return self.waiting.push(Waiting::Closed(loaded));
        };
        let files = match loaded.extent {
            Extent::Document | Extent::Project => Some(Files::default()),
            Extent::Surroundings => {
                let areas = self.workspace.areas_around(Some(&loaded.path));
                self.files_in(&areas)
            }
        };
        let Some(files) = files else {
            return self.waiting.push(Waiting::Closed(loaded));
        };
        let file = self.workspace.file_at(&loaded.path);
        let client = self.client.clone();
        self.pool.run(move || {
            let Loaded {
                mut document,
                reader,
                ..
            } = *loaded;
            let snapshot = guarded(|| {
                document.set_answers(answers);
                Snapshot::of_closed(workspace::Snapshot::of(document), file, files)
            });
            (reader.read)(snapshot.map(|snapshot| (client, snapshot)));
        });
    }

    pub(super) fn run_reader(&self, snapshot: Option<Snapshot>, reader: Reader) {
        let client = self.client.clone();
        self.pool
            .run(move || (reader.read)(snapshot.map(|snapshot| (client, snapshot))));
    }

    /// Runs the readers that need nothing more, and drops those whose answer nobody wants any more.
    pub(super) fn try_waiting(&mut self) {
        let waiting = std::mem::take(&mut self.waiting).into_iter();
        for waiting in waiting.filter(Waiting::is_asked) {
            match waiting {
                Waiting::Open(_, snapshot, _, reader) if snapshot.is_stale() => {
                    // The work will report that it was overtaken.
                    self.run_reader(Some(Snapshot::of_file(snapshot)), reader);
                }
                Waiting::Open(uri, _, extent, reader) => self.look(uri, extent, reader),
                Waiting::Closed(loaded) => self.look_at_loaded(loaded),
                Waiting::Survey(areas, surveyor) => self.survey(areas, surveyor),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_waits_as_long_as_its_client() {
        let client = Arc::new(());
        let surveyor = Surveyor {
            read: Box::new(|_, _| {}),
            asked: Arc::downgrade(&client),
        };
        let waiting = Waiting::Survey(Vec::new(), surveyor);
        assert!(waiting.is_asked());
        drop(client);
        assert!(!waiting.is_asked());
    }
}
