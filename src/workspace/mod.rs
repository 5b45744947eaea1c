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
mod config;
mod files;
mod folders;
mod index;
mod names;
mod open;
mod outlines;
mod project;
mod reading;
mod rename;
#[cfg(test)]
mod search_tests;
pub mod settings_file;
mod stamp;
mod symbols;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
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
pub use folders::{Found, SETTINGS_FILE, SETTINGS_FILES};
pub use index::Index;
pub use names::{FilePlaces, Here};
pub use open::Snapshot;
pub use project::Seen;
pub use rename::FileEdits;
pub use symbols::{FoundKind, FoundSymbol, name_of_file};
pub use view::{FoundFunction, View, ViewedDocument, ViewedFile};
pub use work::{Change, Work};

use rayon::prelude::*;

use self::{
    files::Files,
    folders::Folders,
    index::Touched,
    open::OpenFile,
    outlines::{Outlined, Outlines},
    project::{Asked, Project, is_part},
    reading::{End, ReadFiles, Reading, is_below},
    work::Found as FoundFiles,
};
use crate::{files::read_found, panics::guarded};
use signature_ls_analysis::ide::{Answers, Asks, Document, Settings};
use signature_ls_source::{
    host::{HostKind, elixir::module::Facts},
    text::{Text, TextEdit},
};

/// The user's settings in an editor, for all files and for those below some folders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserSettings {
    /// For files outside of these folders.
    pub all: Config,
    /// For the files below a folder, instead of those for all.
    pub by_folder: BTreeMap<PathBuf, Config>,
}

impl UserSettings {
    fn of(&self, path: Option<&Path>) -> &Config {
        let folders = path.into_iter().flat_map(Path::ancestors);
        let mut found = folders.filter_map(|it| self.by_folder.get(it));
        found.next().unwrap_or(&self.all)
    }

    /// The settings of the file at `path`: those of the folders around it, overridden by the user's.
    fn over(&self, of_folders: Settings, path: Option<&Path>) -> Settings {
        // An invalid configuration was rejected when it was parsed.
        self.of(path).apply(&of_folders).unwrap_or(of_folders)
    }
}

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
    has_closed_news: bool,
    /// The open files whose diagnostics may have changed.
    changed: BTreeMap<FileId, Cause>,
    /// The errors in settings files that were reported.
    reported: HashSet<String>,
    problems: Vec<String>,
    /// Whether a client watches the files.
    is_watched: bool,
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
        self.look_around();
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
            project.reading.want(&path);
            if !project.reading.knows(&path) {
                // A search of the disk would not reveal that it is gone.
                let touched = project.index.put(file, None);
                self.tell(&root, false, &touched);
            }
        }
        true
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

    /// The files that are open.
    pub fn open_files(&self) -> impl Iterator<Item = FileId> {
        self.open.keys().copied()
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

/// Settings.
impl Workspace {
    /// The settings of the document at `path`: those of its project, overridden by the user's.
    pub fn settings_for(&mut self, path: &Path) -> Settings {
        self.settings_of(Some(path))
    }

    fn settings_of(&mut self, path: Option<&Path>) -> Settings {
        let path = path.map(absolute);
        let found = path.as_deref().map(|path| self.folders.settings_for(path));
        let found = found.unwrap_or_default();
        if let Some(problem) = found.problem
            && self.reported.insert(problem.clone())
        {
            self.problems.push(problem);
        }
        self.user.over(found.settings, path.as_deref())
    }

    /// Sets the folders that are open in an editor: around them, nothing outside of their repositories is read.
    pub fn set_open_folders(&mut self, folders: Vec<PathBuf>) {
        self.folders.set_open(folders);
        self.settings_files_changed();
    }

    /// Replaces the user's settings.
    pub fn set_user_settings(&mut self, user: UserSettings) {
        if self.user != user {
            self.user = user;
            self.forget_outlines();
        }
        self.apply_settings();
    }

    /// The errors in settings files that were not reported yet, one sentence each.
    pub fn take_problems(&mut self) -> Vec<String> {
        std::mem::take(&mut self.problems)
    }

    /// Analyzes the open files again whose settings changed.
    fn apply_settings(&mut self) {
        let files: Vec<_> = self.open.keys().copied().collect();
        for file in files {
            let place = self.files.origin(file).place().map(Path::to_owned);
            let settings = self.settings_of(place.as_deref());
            if let Some(open) = self.open.get_mut(&file)
                && open.set_settings(settings)
            {
                self.note(file, Cause::Settings);
                self.follow(file);
            }
        }
    }
}

/// Changes on the disk.
impl Workspace {
    /// Sets whether changes of files are reported with [`Self::files_changed`], so that no checks are needed.
    pub fn set_watched(&mut self, is_watched: bool) {
        self.is_watched = is_watched;
    }

    /// Checks cheaply whether any file that was read changed on the disk.
    pub fn look_around(&mut self) {
        if self.folders.look_again() {
            self.settings_files_changed();
        }
        let readings = self.projects.values_mut().map(|it| &mut it.reading);
        match self.is_watched {
            true => readings.for_each(Reading::want_failed),
            false => readings.for_each(Reading::want_again),
        }
    }

    /// Records that files on the disk were changed, created or deleted.
    pub fn files_changed<'a>(&mut self, paths: impl IntoIterator<Item = &'a Path>) {
        let is_settings_file = |path: &Path| {
            let name = path.file_name().and_then(|it| it.to_str());
            name.is_some_and(|name| SETTINGS_FILES.contains(&name))
        };
        let mut settings_changed = false;
        for path in paths {
            if is_settings_file(path) {
                settings_changed = true;
                continue;
            }
            let path = absolute(path);
            for (root, project) in &mut self.projects {
                let is_concerned =
                    is_part(root, &path) || (is_folder(&path) && is_below(root, &path));
                if project.reading.is_followed() && is_concerned {
                    project.reading.want(&path);
                }
            }
            for (root, reading) in &mut self.areas {
                if reading.is_followed() && is_below(root, &path) {
                    reading.want(&path);
                }
            }
        }
        if settings_changed {
            self.folders.forget();
            self.settings_files_changed();
        }
    }

    fn settings_files_changed(&mut self) {
        self.reported.clear();
        self.forget_outlines();
        self.apply_settings();
        // The root of a project may have changed.
        let folders = &mut self.folders;
        self.projects.retain(|root, _| folders.is_root(root));
        let files: Vec<_> = self.open.keys().copied().collect();
        for file in files {
            self.refresh(file);
        }
    }

    /// The pending work.
    pub fn take_work(&mut self) -> Vec<Work> {
        let projects = self.projects.iter_mut();
        let functions = projects.filter_map(|(root, it)| it.reading.take_job(root));
        let functions = functions.map(|job| Work::functions(job, self.asked.clone()));
        let areas = self.areas.iter_mut();
        let outlines = areas.filter_map(|(root, it)| it.take_job(root));
        let outlines = outlines.map(|job| Work::outlines(job, self.user.clone()));
        functions.chain(outlines).collect()
    }

    /// Applies the result of a work.
    pub fn apply(&mut self, change: Change) {
        let Change { root, found, end } = change;
        match found {
            FoundFiles::Functions(files) => self.apply_functions(&root, files, end),
            FoundFiles::Outlines(files) => self.apply_outlines(&root, files, end),
        }
    }

    fn apply_functions(&mut self, root: &Path, files: ReadFiles<Arc<Facts>>, end: End) {
        let Some(project) = self.projects.get_mut(root) else {
            return;
        };
        let is_first = !project.reading.is_read();
        if !project.reading.apply(&files, end) {
            return;
        }
        let mut touched = Touched::default();
        for (path, found) in files {
            let file = self.files.at(&path);
            if !self.open.contains_key(&file) {
                let facts = found.map(|(_, facts)| facts);
                touched.extend(project.index.put(file, facts));
            }
        }
        if is_first {
            self.put_open_files(root);
        }
        self.tell(root, is_first, &touched);
    }

    fn apply_outlines(&mut self, root: &Path, files: ReadFiles<Option<Outlined>>, end: End) {
        let Some(area) = self.areas.get_mut(root) else {
            return;
        };
        let is_first = !area.is_read();
        if !area.apply(&files, end) {
            return;
        }
        self.has_closed_news |= !is_first && !files.is_empty();
        for (path, found) in files {
            let file = self.files.at(&path);
            let known = found.and_then(|(stamp, outlined)| Some((stamp, outlined?)));
            self.outlines.put(file, known);
        }
    }

    /// Does all pending work now.
    pub fn settle(&mut self) {
        loop {
            let work = self.take_work();
            if work.is_empty() {
                return;
            }
            let changes = work.into_par_iter().map(|it| it.run(|_, _| {}));
            let changes: Vec<_> = changes.collect();
            changes.into_iter().for_each(|it| self.apply(it));
        }
    }
}

/// Whether this is not the path of a known file, so that it may be a folder.
fn is_folder(path: &Path) -> bool {
    HostKind::from_path(path).is_none()
}

/// Relations between files.
impl Workspace {
    /// The functions of the project around an open file. The project is read if the file registers tools; until then
    /// they are unknown.
    pub fn index(&mut self, file: FileId) -> Option<Index> {
        let registers_tools = self.open.get(&file)?.registers_tools();
        let place = self.files.origin(file).place()?.to_owned();
        let root = self.folders.root_of(&absolute(&place))?;
        if registers_tools {
            let project = self.projects.entry(root.clone()).or_default();
            project.reading.want_once();
        }
        let project = self.projects.get(&root)?;
        let is_read = project.reading.is_read();
        is_read.then(|| project.index.clone())
    }

    /// A view of the files for a reader.
    pub fn view(&self) -> View {
        let open = self.open.iter();
        let open = open.filter_map(|(&file, open)| open.opened(file));
        let read = self.projects.iter().filter(|(_, it)| it.reading.is_read());
        View {
            origins: self.files.origins(),
            open: open.collect(),
            outlines: self.outlines.by_file().clone(),
            functions: read
                .map(|(root, it)| (root.clone(), it.index.clone()))
                .collect(),
            ..View::default()
        }
    }

    /// The answers of other files to a document at `place`; `None` if they have to be read first, which becomes a
    /// work.
    pub fn answers(&mut self, place: Option<&Path>, asks: &Asks) -> Option<Arc<Answers>> {
        if asks.is_empty() {
            return Some(Arc::default());
        }
        let Some(project) = self.wanted_project(place) else {
            return Some(Arc::default());
        };
        let is_settled = project.reading.is_settled();
        is_settled.then(|| Arc::new(project.index.answers(asks)))
    }

    /// The project around `place`, which is read from now on.
    fn wanted_project(&mut self, place: Option<&Path>) -> Option<&mut Project> {
        let root = self.folders.root_of(&absolute(place?))?;
        let project = self.projects.entry(root).or_default();
        project.reading.want_once();
        Some(project)
    }

    /// Whether all functions of the project around an open file are known; otherwise they are read, which becomes a
    /// work.
    pub fn knows_functions(&mut self, file: FileId) -> bool {
        let place = self.files.origin(file).place().map(Path::to_owned);
        let project = self.wanted_project(place.as_deref());
        project.is_none_or(|it| it.reading.is_settled())
    }

    /// Limits reading of projects to `asks`, and to tools if `with_tools`: nothing else will be asked. `is_ours` tells
    /// whether more than their texts shows that files are ours.
    pub fn limit_to<'a>(
        &mut self,
        asks: impl IntoIterator<Item = &'a Asks>,
        with_tools: bool,
        is_ours: bool,
        seen: Seen,
    ) {
        let mut asked = Asked::of_files(is_ours, seen);
        asks.into_iter().for_each(|it| asked.add(it));
        if with_tools {
            asked.add_tools();
        }
        self.asked = Some(Arc::new(asked));
    }

    /// Whether one of the functions with these `names` is a tool somewhere in the project around `place`; `None` if
    /// that has to be read first, which becomes a work.
    pub fn has_tool<'a>(
        &mut self,
        place: &Path,
        mut names: impl Iterator<Item = &'a str>,
    ) -> Option<bool> {
        let Some(root) = self.folders.root_of(&absolute(place)) else {
            return Some(false);
        };
        if self.asked.as_ref().is_some_and(|it| it.has_no_tools(&root)) {
            return Some(false);
        }
        let project = self.projects.entry(root).or_default();
        if !project.reading.is_read() {
            project.reading.want_once();
            return None;
        }
        Some(project.index.has_tools() && names.any(|name| project.index.has_tool(name)))
    }

    /// Whether everything is read that an open file asks for.
    pub fn is_settled(&mut self, file: FileId) -> bool {
        let Some(asks) = self.open.get(&file).and_then(|it| it.asks()).cloned() else {
            return true;
        };
        let place = self.files.origin(file).place().map(Path::to_owned);
        self.answers(place.as_deref(), &asks).is_some()
    }

    /// Reads a closed file. Its questions to other files are not answered yet.
    pub fn read_closed(path: &Path, kind: HostKind, settings: Settings) -> Option<Document> {
        let text = read_found(path).ok()?;
        guarded(|| Document::new(kind, &text, settings))
    }

    /// The root of a file's project, and its path.
    fn part(&mut self, file: FileId) -> Option<(PathBuf, PathBuf)> {
        let path = self.files.origin(file).path()?.to_owned();
        let root = self.folders.root_of(&path)?;
        is_part(&root, &path).then_some((root, path))
    }

    /// Updates the index with an open file, and the file with the answers to its questions.
    fn follow(&mut self, file: FileId) {
        let is_any_read = self.projects.values().any(|it| it.reading.is_read());
        let root = is_any_read
            .then(|| self.part(file))
            .flatten()
            .map(|(root, _)| root);
        let is_read = |root: &PathBuf| {
            let project = self.projects.get(root);
            project.is_some_and(|it| it.reading.is_read())
        };
        let root = root.filter(is_read);
        let Some(open) = self.open.get_mut(&file) else {
            return;
        };
        let news = open.news(root.is_some());
        if let Some(facts) = news.facts
            && let Some(root) = root
            && let Some(project) = self.projects.get_mut(&root)
        {
            let touched = project.index.put(file, Some(facts));
            self.tell(&root, false, &touched);
        }
        if news.asks.is_some() {
            self.refresh(file);
        }
    }

    /// Adds the open files of a project to its index.
    fn put_open_files(&mut self, root: &Path) {
        let files: Vec<_> = self.open.keys().copied().collect();
        for file in files {
            let is_here = self.part(file).is_some_and(|(it, _)| it == root);
            let facts = self.open.get(&file).and_then(|it| it.facts()).cloned();
            if let (true, Some(facts), Some(project)) =
                (is_here, facts, self.projects.get_mut(root))
            {
                project.index.put(file, Some(facts));
            }
        }
    }

    /// Answers the questions of the open files of a project, either all or those that changed.
    fn tell(&mut self, root: &Path, all: bool, touched: &Touched) {
        let is_concerned = |open: &OpenFile| {
            let asks = open.asks();
            asks.is_some_and(|asks| !asks.is_empty() && (all || touched.concerns(asks)))
        };
        self.has_closed_news |= self.outlines.are_concerned(touched);
        let open = self.open.iter().filter(|(_, it)| is_concerned(it));
        let concerned: Vec<_> = open.map(|(&file, _)| file).collect();
        for file in concerned {
            let place = self.files.origin(file).place();
            if place.is_some_and(|place| place.starts_with(root)) {
                self.refresh(file);
            }
        }
    }

    /// The questions of an open file, if they are known.
    fn refresh(&mut self, file: FileId) {
        let Some(asks) = self.open.get(&file).and_then(|it| it.asks()).cloned() else {
            return;
        };
        let place = self.files.origin(file).place().map(Path::to_owned);
        let root = place.and_then(|place| self.folders.root_of(&absolute(&place)));
        let mut answers = Answers::default();
        if let Some(root) = root.filter(|_| !asks.is_empty()) {
            let project = self.projects.entry(root).or_default();
            if !project.reading.is_read() {
                project.reading.want_once();
                return;
            }
            answers = project.index.answers(&asks);
        }
        if let Some(open) = self.open.get_mut(&file)
            && open.set_answers(Arc::new(answers))
        {
            self.note(file, Cause::OtherFiles);
        }
    }
}
