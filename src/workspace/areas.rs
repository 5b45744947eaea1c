//! The folders whose files are looked at together: those that the client has open, and projects outside of them.

use std::path::{Path, PathBuf};

use super::{FileId, View, Workspace, files::absolute, reading::is_below};

impl Workspace {
    /// Says which folders the client has open.
    pub fn set_roots(&mut self, roots: impl IntoIterator<Item = PathBuf>) {
        let mut roots: Vec<_> = roots.into_iter().map(|it| absolute(&it)).collect();
        roots.sort_unstable();
        // A folder in another is part of that.
        roots.dedup_by(|inner, outer| inner.starts_with(outer));
        if self.roots != roots {
            self.roots = roots;
            self.areas.clear();
            self.outlines = Default::default();
        }
    }

    /// The folder whose files can name what a file at `path` offers.
    fn area_of(&mut self, path: &Path) -> Option<PathBuf> {
        let root = self.roots.iter().find(|it| path.starts_with(it)).cloned();
        root.or_else(|| self.folders.root_of(path))
    }

    fn areas_around(&mut self, place: Option<&Path>) -> Vec<PathBuf> {
        match place {
            Some(place) => Vec::from_iter(self.area_of(&absolute(place))),
            None => self.roots.clone(),
        }
    }

    /// Looks at what is different on the disk, for somebody who wants to know of all files around a place, or of
    /// all there are.
    pub fn look_everywhere(&mut self, place: Option<&Path>) {
        self.look_around();
        for area in self.areas_around(place) {
            let reading = self.areas.entry(area).or_default();
            reading.want_rest();
            if !self.is_watched {
                reading.want_again();
            }
        }
    }

    /// All files around a place, or all of the client's folders, with what they offer and ask; `None` where they
    /// have to be read first, which is a work then.
    pub fn surroundings(&mut self, place: Option<&Path>) -> Option<View> {
        let areas = self.areas_around(place);
        let (mut is_settled, mut is_complete) = (true, true);
        for area in &areas {
            let reading = self.areas.entry(area.clone()).or_default();
            reading.want_once();
            is_settled &= reading.is_settled();
            is_complete &= !reading.is_cut();
        }
        for path in self.asking_files(&areas) {
            if let Some(root) = self.folders.root_of(&path) {
                let project = self.projects.entry(root).or_default();
                project.reading.want_once();
                is_settled &= project.reading.is_settled();
                is_complete &= !project.reading.is_cut();
            }
        }
        let view = self.view();
        is_settled.then_some(View {
            areas,
            is_complete,
            ..view
        })
    }

    /// The paths of the files that ask other files for something.
    fn asking_files(&self, areas: &[PathBuf]) -> Vec<PathBuf> {
        let closed = self.outlines.iter();
        let closed = closed.filter(|(_, (_, it))| !it.outline.asks.is_empty());
        let open = self.open.iter();
        let open = open.filter(|(_, it)| it.asks().is_some_and(|asks| !asks.is_empty()));
        let files = closed
            .map(|(file, _)| *file)
            .chain(open.map(|(file, _)| *file));
        let paths = files.filter_map(|it| self.files.origin(it).path());
        let is_here = |path: &&Path| areas.iter().any(|area| is_below(area, path));
        paths.filter(is_here).map(Path::to_owned).collect()
    }

    /// Forgets what closed files offer and ask, since they may mean something else under other settings.
    pub(super) fn forget_outlines(&mut self) {
        for reading in self.areas.values_mut() {
            reading.forget();
        }
        self.outlines = Default::default();
    }

    /// The file at `path`, if anything is known of it.
    pub fn known_file(&self, path: &Path) -> Option<FileId> {
        self.files.known(&absolute(path))
    }
}
