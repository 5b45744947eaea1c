//! The folders whose files are looked at together: those that the client has open, and projects outside of them.

use std::path::{Path, PathBuf};

use super::{View, Workspace, files::absolute, reading::is_below};

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

    /// The folders whose files can name what a file at `place` offers.
    pub fn areas_around(&mut self, place: Option<&Path>) -> Vec<PathBuf> {
        let area = place.and_then(|place| self.area_of(&absolute(place)));
        Vec::from_iter(area)
    }

    /// All folders that the client has open.
    pub fn all_areas(&self) -> Vec<PathBuf> {
        self.roots.clone()
    }

    /// Looks at what is different on the disk, for somebody who wants to know of all files in some folders.
    pub fn look_everywhere(&mut self, areas: &[PathBuf]) {
        self.look_around();
        for area in areas {
            let reading = self.areas.entry(area.clone()).or_default();
            reading.want_rest();
            if !self.is_watched {
                reading.want_again();
            }
        }
    }

    /// All files in some folders with what they offer and ask; `None` where they have to be read first, which is a
    /// work then.
    pub fn surroundings(&mut self, areas: &[PathBuf]) -> Option<View> {
        let (mut is_settled, mut is_complete) = (true, true);
        for area in areas {
            let reading = self.areas.entry(area.clone()).or_default();
            reading.want_once();
            is_settled &= reading.is_settled();
            is_complete &= !reading.is_cut();
        }
        for path in self.asking_files(areas) {
            if let Some(root) = self.folders.root_of(&path) {
                let project = self.projects.entry(root).or_default();
                project.reading.want_once();
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

    /// The paths of the files that ask other files for something, or name functions: those have places in the index, their
    /// own ones as well.
    fn asking_files(&self, areas: &[PathBuf]) -> Vec<PathBuf> {
        let closed =
            self.outlines.by_file().iter().filter(|(_, (_, it))| {
                !it.outline.asks.is_empty() || !it.outline.functions.is_empty()
            });
        let open = self.open.iter().filter(|(_, it)| {
            it.asks().is_some_and(|asks| !asks.is_empty()) || it.registers_tools()
        });
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
            self.has_closed_news = true;
        }
        self.outlines = Default::default();
    }

    /// Whether other things may be found in closed files than when this was asked last, as far as somebody wanted
    /// to know of them.
    pub fn take_closed_news(&mut self) -> bool {
        std::mem::take(&mut self.has_closed_news)
    }
}
