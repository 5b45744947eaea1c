//! The files of a workspace and what they know of each other.
//!
//! A [`Workspace`] has one owner: the main loop of the server, or a command. It holds the open files, the
//! settings of folders, and for each Elixir project an [`Index`] of its functions. Nothing is read before
//! something asks: a project only when a document names a function that it does not define itself.
//!
//! What takes long is a [`Work`], which runs on any thread and hands back a [`Change`] for the owner to
//! [apply](Workspace::apply). A change of a file reaches only the open files that ask for something that is
//! another now, and in them only the units that do.

mod config;
mod files;
mod folders;
mod index;
mod open;
mod project;
pub mod settings_file;
mod stamp;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod view;

use std::{
    collections::{BTreeMap, HashSet},
    path::{Path, PathBuf},
    sync::Arc,
};

pub use config::Config;
pub use files::{FileId, Origin};
pub use folders::{Found, SETTINGS_FILE, SETTINGS_FILES};
pub use index::Index;
pub use open::{Snapshot, guarded};
pub use project::{Change, Work};
pub use view::{FoundFunction, View};

use self::{
    files::{Files, absolute},
    folders::Folders,
    index::Touched,
    open::OpenFile,
    project::{Asked, Project, is_part},
};
use crate::{
    files::read_found,
    host::HostKind,
    ide::{Answers, Asks, Document, Settings},
    text::{Text, TextEdit},
};

/// What the user of an editor has set, for all files and for those below some folders.
#[derive(Debug, Clone, Default)]
pub struct UserSettings {
    /// For files below none of the folders.
    pub all: Config,
    /// For the files below a folder, in the place of those for all.
    pub by_folder: BTreeMap<PathBuf, Config>,
}

impl UserSettings {
    fn of(&self, path: Option<&Path>) -> &Config {
        let folders = path.into_iter().flat_map(Path::ancestors);
        let mut found = folders.filter_map(|it| self.by_folder.get(it));
        found.next().unwrap_or(&self.all)
    }
}

/// Why other things may be found in a file than before; the weightiest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// Another file says something else.
    OtherFiles,
    /// Its text is another.
    Text,
    /// Its settings are others.
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
    /// The open files in which other things may be found than before.
    changed: BTreeMap<FileId, Cause>,
    /// What is wrong with settings files, as far as the user was told.
    told: HashSet<String>,
    problems: Vec<String>,
    /// Whether somebody else tells which files change.
    is_watched: bool,
    /// All that is ever asked of projects, where that is known.
    asked: Option<Arc<Asked>>,
}

/// Files.
impl Workspace {
    /// The file at `path`.
    pub fn file_at(&mut self, path: &Path) -> FileId {
        self.files.at(&absolute(path))
    }

    /// A file that only an editor has, of which no other has the identity.
    pub fn new_file(&mut self, origin: Origin) -> FileId {
        self.files.add(origin)
    }

    /// Where the text of a file comes from.
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

    /// Follows changes of an open file; `edit_of` turns each into an edit of the text that the ones before it
    /// left.
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

    /// Closes a file: what is on the disk counts again. Answers whether it was open.
    pub fn close(&mut self, file: FileId) -> bool {
        let Some(closed) = self.open.remove(&file) else {
            return false;
        };
        self.changed.remove(&file);
        if let Some((root, path)) = self.part(file)
            && let Some(project) = self.projects.get_mut(&root)
            && project.is_read()
        {
            // Until the disk was read, what the editor had is the best that is known.
            drop(closed);
            project.want(&path);
            if !project.knows(&path) {
                // No search of the disk would tell that it is gone.
                let touched = project.index.put(file, None);
                self.tell(&root, false, &touched);
            }
        }
        true
    }

    /// An open file as it is now; `None` where it is not open, or its analysis failed.
    pub fn snapshot(&self, file: FileId) -> Option<Snapshot> {
        self.open.get(&file)?.snapshot()
    }

    /// The text of an open file.
    pub fn text(&self, file: FileId) -> Option<&Text> {
        Some(self.open.get(&file)?.text())
    }

    /// The files that are open.
    pub fn open_files(&self) -> impl Iterator<Item = FileId> {
        self.open.keys().copied()
    }

    fn note(&mut self, file: FileId, cause: Cause) {
        let known = self.changed.entry(file).or_insert(cause);
        *known = cause.max(*known);
    }

    /// The open files in which other things may be found than when this was asked last.
    pub fn take_changed(&mut self) -> BTreeMap<FileId, Cause> {
        std::mem::take(&mut self.changed)
    }
}

/// Settings.
impl Workspace {
    /// The settings of the document at `path`: those of its project, with what the user has set over them.
    pub fn settings_for(&mut self, path: &Path) -> Settings {
        self.settings_of(Some(path))
    }

    fn settings_of(&mut self, path: Option<&Path>) -> Settings {
        let path = path.map(absolute);
        let found = path.as_deref().map(|path| self.folders.settings_for(path));
        let found = found.unwrap_or_default();
        if let Some(problem) = found.problem
            && self.told.insert(problem.clone())
        {
            self.problems.push(problem);
        }
        let config = self.user.of(path.as_deref());
        // A configuration that cannot be applied was refused when it was read.
        config.apply(&found.settings).unwrap_or(found.settings)
    }

    /// Says which folders an editor has open: around them, nothing outside of their repositories is read.
    pub fn set_open_folders(&mut self, folders: Vec<PathBuf>) {
        self.folders.set_open(folders);
        self.settings_files_changed();
    }

    /// Puts what the user has set in the place of what was set before.
    pub fn set_user_settings(&mut self, user: UserSettings) {
        self.user = user;
        self.apply_settings();
    }

    /// What is wrong with settings files that nobody was told yet, a sentence for each.
    pub fn take_problems(&mut self) -> Vec<String> {
        std::mem::take(&mut self.problems)
    }

    /// Looks again at the open files whose settings are no longer the same.
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

/// What changes on the disk.
impl Workspace {
    /// Says whether changes of files are told with [`Self::files_changed`], so that nothing has to be looked
    /// for.
    pub fn set_watched(&mut self, is_watched: bool) {
        self.is_watched = is_watched;
    }

    /// Looks, as cheaply as that can be done, whether anything that was read is different on the disk.
    pub fn look_around(&mut self) {
        if self.folders.look_again() {
            self.settings_files_changed();
        }
        if !self.is_watched {
            let read = self.projects.values_mut().filter(|it| it.is_read());
            read.for_each(Project::want_all);
        }
    }

    /// Takes note that files on the disk were changed, came or are gone.
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
            let projects = self.projects.iter_mut();
            for (root, project) in projects.filter(|(_, it)| it.is_read()) {
                if path.starts_with(root) {
                    project.want(&path);
                }
            }
        }
        if settings_changed {
            self.folders.forget();
            self.settings_files_changed();
        }
    }

    fn settings_files_changed(&mut self) {
        self.told.clear();
        self.apply_settings();
        // Where a project begins may be another place now.
        let files: Vec<_> = self.open.keys().copied().collect();
        for file in files {
            self.refresh(file);
        }
    }

    /// The work that is to be done now.
    pub fn take_work(&mut self) -> Vec<Work> {
        let projects = self.projects.iter_mut();
        projects
            .filter_map(|(root, it)| it.take_work(root, self.asked.as_ref()))
            .collect()
    }

    /// Takes what a work has found.
    pub fn apply(&mut self, change: Change) {
        let Some(project) = self.projects.get_mut(&change.root) else {
            return;
        };
        let is_first = !project.is_read();
        project.apply(&change);
        let mut touched = Touched::default();
        for (path, found) in change.files {
            let file = self.files.at(&path);
            if !self.open.contains_key(&file) {
                let facts = found.map(|it| it.facts);
                touched.extend(project.index.put(file, facts));
            }
        }
        if is_first {
            self.put_open_files(&change.root);
        }
        self.tell(&change.root, is_first, &touched);
    }

    /// Does all work at once.
    pub fn settle(&mut self) {
        loop {
            let work = self.take_work();
            if work.is_empty() {
                return;
            }
            for work in work {
                self.apply(work.run());
            }
        }
    }
}

/// What files know of each other.
impl Workspace {
    /// What is known of the functions of the project around an open file. The project is read if the file
    /// registers tools, and is not known until then.
    pub fn index(&mut self, file: FileId) -> Option<Index> {
        let registers_tools = self.open.get(&file)?.registers_tools();
        let place = self.files.origin(file).place()?.to_owned();
        let root = self.folders.root_of(&absolute(&place))?;
        if registers_tools {
            let project = self.projects.entry(root.clone()).or_default();
            if !project.is_read() {
                project.want_once();
            }
        }
        let project = self.projects.get(&root)?;
        project.is_read().then(|| project.index.clone())
    }

    /// The files as they are now, for a reader.
    pub fn view(&self) -> View {
        let open = self.open.iter();
        let elixir = open.filter_map(|(&file, open)| Some((file, open.elixir()?)));
        View {
            origins: self.files.origins(),
            open: elixir.collect(),
        }
    }

    /// What other files say to what a document at `place` asks; `None` where they have to be read first,
    /// which is a work then.
    pub fn answers(&mut self, place: Option<&Path>, asks: &Asks) -> Option<Arc<Answers>> {
        if asks.is_empty() {
            return Some(Arc::default());
        }
        let root = place.and_then(|place| self.folders.root_of(&absolute(place)));
        let Some(root) = root else {
            return Some(Arc::default());
        };
        let project = self.projects.entry(root).or_default();
        if !project.is_read() {
            project.want_once();
        }
        let is_settled = project.is_settled();
        is_settled.then(|| Arc::new(project.index.answers(asks)))
    }

    /// Limits what is read of projects to what `asks` ask, and to the tools where `with_tools`: nothing else will be
    /// asked.
    pub fn limit_to<'a>(&mut self, asks: impl IntoIterator<Item = &'a Asks>, with_tools: bool) {
        let mut asked = Asked::default();
        asks.into_iter().for_each(|it| asked.add(it));
        if with_tools {
            asked.add_tools();
        }
        self.asked = Some(Arc::new(asked));
    }

    /// Whether one of the functions with these `names` is a tool somewhere in the project around `place`; `None`
    /// where that has to be read first, which is a work then.
    pub fn has_tool<'a>(
        &mut self,
        place: &Path,
        mut names: impl Iterator<Item = &'a str>,
    ) -> Option<bool> {
        let Some(root) = self.folders.root_of(&absolute(place)) else {
            return Some(false);
        };
        let project = self.projects.entry(root).or_default();
        if !project.is_read() {
            project.want_once();
            return None;
        }
        Some(names.any(|name| project.index.has_tool(name)))
    }

    /// Whether all is read that an open file asks for.
    pub fn is_settled(&mut self, file: FileId) -> bool {
        let Some(asks) = self.open.get(&file).and_then(|it| it.asks()).cloned() else {
            return true;
        };
        let place = self.files.origin(file).place().map(Path::to_owned);
        self.answers(place.as_deref(), &asks).is_some()
    }

    /// Reads a file that is not open. What it asks of others is still to be answered.
    pub fn read_closed(path: &Path, kind: HostKind, settings: Settings) -> Option<Document> {
        let text = read_found(path).ok()?;
        guarded(|| Document::new(kind, &text, settings))
    }

    /// The root of the project that a file takes part in, and its path.
    fn part(&mut self, file: FileId) -> Option<(PathBuf, PathBuf)> {
        let path = self.files.origin(file).path()?.to_owned();
        let root = self.folders.root_of(&path)?;
        is_part(&root, &path).then_some((root, path))
    }

    /// Has others know what an open file says by now, and the file what it asks.
    fn follow(&mut self, file: FileId) {
        let Some(open) = self.open.get_mut(&file) else {
            return;
        };
        let news = open.news();
        if let Some(facts) = news.facts
            && let Some((root, _)) = self.part(file)
            && let Some(project) = self.projects.get_mut(&root)
            && project.is_read()
        {
            let touched = project.index.put(file, Some(facts));
            self.tell(&root, false, &touched);
        }
        if news.asks.is_some() {
            self.refresh(file);
        }
    }

    /// Puts what the open files of a project say into its index.
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

    /// Tells the open files of a project what they ask for, as far as that was touched, or all of it.
    fn tell(&mut self, root: &Path, all: bool, touched: &Touched) {
        let is_concerned = |open: &OpenFile| {
            let asks = open.asks();
            asks.is_some_and(|asks| !asks.is_empty() && (all || touched.concerns(asks)))
        };
        let open = self.open.iter().filter(|(_, it)| is_concerned(it));
        let concerned: Vec<_> = open.map(|(&file, _)| file).collect();
        for file in concerned {
            let place = self.files.origin(file).place();
            if place.is_some_and(|place| place.starts_with(root)) {
                self.refresh(file);
            }
        }
    }

    /// Answers what an open file asks, as far as that is known.
    fn refresh(&mut self, file: FileId) {
        let Some(asks) = self.open.get(&file).and_then(|it| it.asks()).cloned() else {
            return;
        };
        let place = self.files.origin(file).place().map(Path::to_owned);
        let root = place.and_then(|place| self.folders.root_of(&absolute(&place)));
        let mut answers = Answers::default();
        if let Some(root) = root.filter(|_| !asks.is_empty()) {
            let project = self.projects.entry(root).or_default();
            if !project.is_read() {
                project.want_once();
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
