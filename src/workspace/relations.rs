//! Relations between files: the functions that they ask each other for.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    Cause, FileId, Index, Seen, View, Workspace, absolute,
    index::Touched,
    open::OpenFile,
    outlines,
    project::{Asked, Project, is_part},
};
use crate::panics::guarded;
use signature_ls_analysis::ide::{Answers, Asks, Document, Settings};
use signature_ls_source::host::HostKind;

impl Workspace {
    /// The functions of the project around an open file. The project is read if the file registers tools; until then
    /// they are unknown.
    pub fn index(&mut self, file: FileId) -> Option<Index> {
        let registers_tools = self.open.get(&file)?.registers_tools();
        let place = self.files.origin(file).place()?.to_owned();
        let root = self.folders.root_of(&absolute(&place))?;
        if registers_tools {
            let project = self.projects.entry(root.clone()).or_default();
            project.reading.request_once();
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
            unsure: Arc::clone(&self.unsure),
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
        project.reading.request_once();
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
            project.reading.request_once();
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

    /// Reads a closed file; `None` if it cannot be read or is none of ours. Its questions to other files are not
    /// answered yet.
    pub fn read_closed(path: &Path, kind: HostKind, settings: Settings) -> Option<Document> {
        let text = outlines::text_of(path)?;
        guarded(|| Document::new(kind, &text, settings))
    }

    /// The root of a file's project, and its path.
    pub(super) fn part(&mut self, file: FileId) -> Option<(PathBuf, PathBuf)> {
        let path = self.files.origin(file).path()?.to_owned();
        let root = self.folders.root_of(&path)?;
        is_part(&root, &path).then_some((root, path))
    }

    /// Updates the index with an open file, and the file with the answers to its questions.
    pub(super) fn follow(&mut self, file: FileId) {
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
    pub(super) fn put_open_files(&mut self, root: &Path) {
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
    pub(super) fn tell(&mut self, root: &Path, all: bool, touched: &Touched) {
        let is_concerned = |open: &OpenFile| {
            let asks = open.asks();
            asks.is_some_and(|asks| !asks.is_empty() && (all || touched.concerns(asks)))
        };
        self.closed_may_have_changed |= self.outlines.are_concerned(touched);
        let open = self.open.iter().filter(|(_, it)| is_concerned(it));
        let concerned: Vec<_> = open.map(|(&file, _)| file).collect();
        for file in concerned {
            let place = self.files.origin(file).place();
            if place.is_some_and(|place| place.starts_with(root)) {
                self.refresh(file);
            }
        }
    }

    /// Answers the questions of an open file again, if they are known.
    pub(super) fn refresh(&mut self, file: FileId) {
        let Some(asks) = self.open.get(&file).and_then(|it| it.asks()).cloned() else {
            return;
        };
        let place = self.files.origin(file).place().map(Path::to_owned);
        let root = place.and_then(|place| self.folders.root_of(&absolute(&place)));
        let mut answers = Answers::default();
        if let Some(root) = root.filter(|_| !asks.is_empty()) {
            let project = self.projects.entry(root).or_default();
            if !project.reading.is_read() {
                project.reading.request_once();
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
