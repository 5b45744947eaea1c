//! The folders whose files are considered together: those that are open in the client, and projects outside of them.

use std::path::{Path, PathBuf};

use foldhash::HashSet;

use super::{FileId, View, Workspace, files::absolute, reading::is_below};

/// The number of folders whose settings a request or a change of files looks at again.
pub(super) const MOST_FOLDERS: usize = 64;

impl Workspace {
    /// Sets the folders that are open in the client.
    pub fn set_roots(&mut self, roots: impl IntoIterator<Item = PathBuf>) {
        let mut roots: Vec<_> = roots.into_iter().map(|it| absolute(&it)).collect();
        roots.sort_unstable();
        // A nested folder is part of the outer one.
        roots.dedup_by(|inner, outer| inner.starts_with(outer));
        if self.roots != roots {
            self.roots = roots;
            self.areas.clear();
            self.outlines = Default::default();
        }
    }

    /// The folder whose files can use names of a file at `path`.
    fn area_of(&mut self, path: &Path) -> Option<PathBuf> {
        let root = self.roots.iter().find(|it| path.starts_with(it)).cloned();
        root.or_else(|| self.folders.root_of(path))
    }

    /// The folders whose files can use names of a file at `place`.
    pub fn areas_around(&mut self, place: Option<&Path>) -> Vec<PathBuf> {
        let area = place.and_then(|place| self.area_of(&absolute(place)));
        Vec::from_iter(area)
    }

    /// All folders that are open in the client.
    pub fn all_areas(&self) -> Vec<PathBuf> {
        self.roots.clone()
    }

    /// Checks for changes on the disk, for a request about all files in some folders.
    pub fn look_everywhere(&mut self, areas: &[PathBuf]) {
        // No client reports all of them: the target of a link is elsewhere, and so may a dependency be.
        self.recheck_folders(MOST_FOLDERS);
        for area in areas {
            let reading = self.areas.entry(area.clone()).or_default();
            reading.request_rest();
            if !self.is_watched {
                reading.request_again();
            }
        }
    }

    /// All files in some folders with their outlines; `None` if they have to be read first, which becomes a work.
    pub fn surroundings(&mut self, areas: &[PathBuf]) -> Option<View> {
        let (mut is_settled, mut is_complete) = (true, true);
        for area in areas {
            let reading = self.areas.entry(area.clone()).or_default();
            reading.request_once();
            is_settled &= reading.is_settled();
            is_complete &= !reading.is_cut();
        }
        if !is_settled {
            // Which files ask is not known yet.
            return None;
        }
        for path in self.asking_files(areas) {
            if let Some(root) = self.folders.root_of(&path) {
                let project = self.projects.entry(root).or_default();
                project.reading.request_once();
                is_settled &= project.reading.is_settled();
                is_complete &= !project.reading.is_cut();
            }
        }
        let view = self.view();
        is_settled.then_some(View {
            areas: areas.to_vec(),
            is_complete,
            ..view
        })
    }

    /// The paths of files that use functions of other files or name functions: the index has their places, including
    /// their own. One for each folder is enough. Open files count wherever they are, as in [`View::files_and_open`].
    fn asking_files(&self, areas: &[PathBuf]) -> Vec<PathBuf> {
        let closed =
            self.outlines.by_file().iter().filter(|(_, (_, it))| {
                !it.outline.asks.is_empty() || !it.outline.functions.is_empty()
            });
        let open = self.open.iter().filter(|(_, it)| {
            it.asks().is_some_and(|asks| !asks.is_empty()) || it.names_functions()
        });
        let path_of = |file: &FileId| self.files.origin(*file).path();
        let is_here = |path: &&Path| areas.iter().any(|area| is_below(area, path));
        let closed = closed.filter_map(|(file, _)| path_of(file)).filter(is_here);
        let open = open.filter_map(|(file, _)| path_of(file));
        let mut folders = HashSet::default();
        let first = closed.chain(open).filter(|it| folders.insert(it.parent()));
        first.map(Path::to_owned).collect()
    }

    /// Clears the outlines of closed files, because they may change with other settings.
    pub(super) fn forget_outlines(&mut self) {
        for reading in self.areas.values_mut() {
            reading.forget();
            self.closed_may_have_changed = true;
        }
        self.outlines = Default::default();
    }

    /// Whether the diagnostics of closed files may have changed since the last call, as far as they were requested.
    pub fn take_closed_changes(&mut self) -> bool {
        std::mem::take(&mut self.closed_may_have_changed)
    }
}
