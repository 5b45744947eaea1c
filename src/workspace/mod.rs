//! The files of a workspace and the relations between them.
//!
//! A [`Workspace`] has one owner: the main loop of the server, or a command. It contains the open files, the settings
//! of folders, and for each Elixir project an [`Index`] of its functions. Nothing is read before it is needed: a
//! project only when a document names a function that it does not define.
//!
//! Long operations are a [`Work`], which runs on any thread and returns a [`Change`] for the owner to
//! [apply](Workspace::apply). A change of a file only affects the open files that ask for something that changed, and
//! in them only the units that do.

mod areas;
mod calls;
pub mod catalogs;
mod config;
mod disk;
mod files;
mod folders;
mod index;
mod names;
mod open;
#[cfg(test)]
mod order_tests;
mod outlines;
mod project;
mod reading;
mod relations;
mod rename;
#[cfg(test)]
mod search_tests;
mod settings;
pub mod settings_file;
mod stamp;
mod symbols;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod unsure;
mod view;
mod work;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use foldhash::HashSet;

pub use calls::{Call, CallItem, CallKind};
pub use config::Config;
pub use files::{FileId, Origin, absolute};
pub use folders::{ResolvedSettings, SETTINGS_FILE, SETTINGS_FILES};
pub use index::Index;
pub use names::{FilePlaces, Here};
pub use open::Snapshot;
pub use project::{Seen, SeenFile};
pub use rename::FileEdits;
pub use settings::UserSettings;
pub use symbols::{FoundKind, FoundSymbol, agent_name};
pub use view::{FoundFunction, View, ViewedDocument, ViewedFile};
pub use work::{Change, Work};

use self::{
    files::Files,
    folders::Folders,
    open::OpenFile,
    outlines::Outlines,
    project::{Asked, Project},
    reading::Reading,
    unsure::Unsure,
};
use signature_ls_source::{
    host::HostKind,
    text::{Text, TextEdit},
};

/// Why the diagnostics of a file may have changed; the strongest reason counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// Another file changed.
    OtherFiles,
    /// Its text changed.
    Text,
    /// Its settings changed.
    Settings,
}

/// The files of a workspace.
#[derive(Debug, Default)]
pub struct Workspace {
    files: Files,
    folders: Folders,
    user: UserSettings,
    open: BTreeMap<FileId, OpenFile>,
    projects: BTreeMap<PathBuf, Project>,
    /// The folders that are open in the client.
    roots: Vec<PathBuf>,
    /// The state of the outlines of files below folders.
    areas: BTreeMap<PathBuf, Reading>,
    outlines: Outlines,
    /// Whether the diagnostics of closed files may have changed.
    closed_may_have_changed: bool,
    /// The open files whose diagnostics may have changed.
    changed: BTreeMap<FileId, Cause>,
    /// The errors in settings files that were reported.
    reported: HashSet<String>,
    problems: Vec<String>,
    /// Whether a client watches the files.
    is_watched: bool,
    unsure: Arc<Unsure>,
    /// The number of the last work.
    last_work: u64,
    /// All questions that will ever be asked of projects, if they are known.
    asked: Option<Arc<Asked>>,
}

/// Files.
impl Workspace {
    /// The file at `path`.
    pub fn file_at(&mut self, path: &Path) -> FileId {
        self.files.at(&absolute(path))
    }

    /// A file that only an editor has, with a new identity.
    pub fn new_file(&mut self, origin: Origin) -> FileId {
        self.files.add(origin)
    }

    /// The source of a file's text.
    pub fn origin(&self, file: FileId) -> &Origin {
        self.files.origin(file)
    }

    /// Opens a file, or opens it again with another text.
    pub fn open(&mut self, file: FileId, kind: HostKind, text: &str) {
        self.recheck_disk();
        let place = self.files.origin(file).place().map(Path::to_owned);
        let settings = self.settings_of(place.as_deref());
        self.open.insert(file, OpenFile::new(kind, text, settings));
        self.note(file, Cause::Text);
        self.follow(file);
    }

    /// Applies changes to an open file; `edit_of` converts each to an edit of the text after the previous ones.
    pub fn change<C>(
        &mut self,
        file: FileId,
        changes: Vec<C>,
        edit_of: impl FnMut(&Text, C) -> TextEdit,
    ) {
        if let Some(open) = self.open.get_mut(&file) {
            open.change(changes, edit_of);
            self.note(file, Cause::Text);
            self.follow(file);
        }
    }

    /// Closes a file: the disk counts again. Returns whether it was open.
    pub fn close(&mut self, file: FileId) -> bool {
        let Some(closed) = self.open.remove(&file) else {
            return false;
        };
        self.changed.remove(&file);
        if let Some((root, path)) = self.part(file)
            && let Some(project) = self.projects.get_mut(&root)
            && project.reading.is_read()
        {
            // Until the disk is read, the editor's text is the best that is known.
            drop(closed);
            project.reading.request(&path);
            if !project.reading.knows(&path) {
                // A search of the disk would not reveal that it is gone.
                let touched = project.index.put(file, None);
                self.tell(&root, false, &touched);
            }
        }
        true
    }

    /// Makes the text of an open file that of another, which is not open but has the same place.
    pub fn pass_on(&mut self, from: FileId, to: FileId) {
        if let Some(open) = self.open.remove(&from) {
            self.changed.remove(&from);
            self.open.insert(to, open);
            self.note(to, Cause::Text);
            self.follow(to);
        }
    }

    /// The snapshot of an open file; `None` if it is not open, or its analysis failed.
    pub fn snapshot(&self, file: FileId) -> Option<Snapshot> {
        self.open.get(&file)?.snapshot()
    }

    /// The text of an open file.
    pub fn text(&self, file: FileId) -> Option<&Text> {
        Some(self.open.get(&file)?.text())
    }

    /// Whether an open file has too much in it to be followed.
    pub fn is_overfull(&self, file: FileId) -> bool {
        self.open.get(&file).is_some_and(OpenFile::is_overfull)
    }

    fn note(&mut self, file: FileId, cause: Cause) {
        let known = self.changed.entry(file).or_insert(cause);
        *known = cause.max(*known);
    }

    /// The open files whose diagnostics may have changed since the last call.
    pub fn take_changed(&mut self) -> BTreeMap<FileId, Cause> {
        std::mem::take(&mut self.changed)
    }
}
