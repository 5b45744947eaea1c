//! Changes on the disk, and the work that they cause.

use std::{path::Path, sync::Arc};

use rayon::prelude::*;

use super::{
    Change, SETTINGS_FILES, Work, Workspace, absolute,
    areas::MOST_FOLDERS,
    index::Touched,
    outlines::Outlined,
    project::is_part,
    reading::{End, ReadFiles, Reading, is_below},
    work::WorkResult,
};
use crate::{
    files::{IGNORE_FILES, REPOSITORY},
    panics::guarded,
};
use signature_ls_source::host::{HostKind, elixir::module::Facts};

impl Workspace {
    /// Sets whether changes of files are reported with [`Self::files_changed`], so that no checks are needed.
    pub fn set_watched(&mut self, is_watched: bool) {
        self.is_watched = is_watched;
    }

    /// Rechecks settings files, and requests a new check of project files unless the client watches them.
    pub fn recheck_disk(&mut self) {
        self.recheck_folders(usize::MAX);
    }

    /// The same with the settings in at most `most` folders.
    pub(super) fn recheck_folders(&mut self, most: usize) {
        if self.folders.look_again(most) {
            self.settings_files_changed();
        }
        for path in self.unsure.take() {
            self.file_changed(&path);
        }
        let readings = self.projects.values_mut().map(|it| &mut it.reading);
        match self.is_watched {
            true => readings.for_each(Reading::request_failed),
            false => readings.for_each(Reading::request_again),
        }
    }

    /// Records that files on the disk were changed, created or deleted. Returns whether any of them matters.
    ///
    /// A client may report everything that is deleted: that costs next to nothing if it was not known.
    pub fn files_changed<'a>(&mut self, paths: impl IntoIterator<Item = &'a Path>) -> bool {
        let (mut settings_changed, mut is_known) = (false, false);
        let mut most = MOST_FOLDERS;
        for path in paths {
            let path = absolute(path);
            let name = path.file_name().and_then(|it| it.to_str());
            let name = name.unwrap_or_default();
            let is_repository = name == REPOSITORY;
            if is_repository || IGNORE_FILES.contains(&name) {
                is_known |= self.ignore_file_changed(&path);
            }
            if is_repository || SETTINGS_FILES.contains(&name) {
                settings_changed = true;
                continue;
            }
            let matters = self.file_changed(&path);
            if !matters && HostKind::from_path(&path).is_some() {
                self.unsure.add(&path);
            }
            is_known |= matters;
            if self.folders.knows(&path) {
                most = usize::MAX;
            }
        }
        if settings_changed {
            self.folders.forget();
        }
        if settings_changed || self.folders.look_again(most) {
            self.settings_files_changed();
            return true;
        }
        is_known
    }

    /// Requests a file, or what is in a folder, wherever that is read. Returns whether it matters.
    fn file_changed(&mut self, path: &Path) -> bool {
        let mut is_known = false;
        for (root, project) in &mut self.projects {
            let reading = &mut project.reading;
            let is_concerned =
                is_part(root, path) || (is_below(root, path) && may_be_folder(path, reading));
            if reading.is_followed() && is_concerned {
                is_known |= reading.request(path);
            }
        }
        for (root, reading) in &mut self.areas {
            if reading.is_followed() && is_below(root, path) {
                is_known |= reading.request(path);
            }
        }
        is_known
    }

    /// Searches the folders again that an ignore file affects, which are those around and below it.
    fn ignore_file_changed(&mut self, path: &Path) -> bool {
        let folder = path.parent().unwrap_or(path);
        let projects = self.projects.iter_mut();
        let projects = projects.map(|(root, it)| (root, &mut it.reading));
        let mut is_known = false;
        for (root, reading) in projects.chain(&mut self.areas) {
            if is_below(root, folder) || root.starts_with(folder) {
                reading.request_again();
                is_known |= reading.is_followed();
            }
        }
        is_known
    }

    pub(super) fn settings_files_changed(&mut self) {
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
        let mut work = Vec::new();
        for (root, project) in &mut self.projects {
            self.last_work += 1;
            let job = project.reading.take_job(root, self.last_work);
            work.extend(job.map(|job| Work::functions(job, self.asked.clone())));
        }
        for (root, area) in &mut self.areas {
            self.last_work += 1;
            let job = area.take_job(root, self.last_work);
            work.extend(job.map(|job| Work::outlines(job, self.user.clone())));
        }
        work
    }

    /// Applies the result of a work.
    pub fn apply(&mut self, change: Change) {
        let Change {
            number,
            root,
            found,
            end,
        } = change;
        match found {
            WorkResult::Functions(files) => self.apply_functions(&root, number, files, end),
            WorkResult::Outlines(files) => self.apply_outlines(&root, number, files, end),
        }
    }

    fn apply_functions(
        &mut self,
        root: &Path,
        number: u64,
        files: ReadFiles<Arc<Facts>>,
        end: End,
    ) {
        let Some(project) = self.projects.get_mut(root) else {
            return;
        };
        let is_first = !project.reading.is_read();
        if !project.reading.apply(number, &files, end) {
            return;
        }
        let mut touched = Touched::default();
        for (path, found) in files {
            let file = self.files.at(&path);
            if !self.open.contains_key(&file) {
                let facts = found.map(|(_, facts)| facts);
                // A panic costs the functions of one file.
                let put = guarded(|| project.index.put(file, facts));
                touched.extend(put.unwrap_or_default());
            }
        }
        if is_first {
            self.put_open_files(root);
        }
        self.tell(root, is_first, &touched);
    }

    fn apply_outlines(
        &mut self,
        root: &Path,
        number: u64,
        files: ReadFiles<Option<Outlined>>,
        end: End,
    ) {
        let Some(area) = self.areas.get_mut(root) else {
            return;
        };
        let is_first = !area.is_read();
        if !area.apply(number, &files, end) {
            return;
        }
        self.closed_may_have_changed |= !is_first && !files.is_empty();
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

/// Whether `path` may be that of a folder: it does not have the name of a file, or there is or was a folder.
fn may_be_folder(path: &Path, reading: &Reading) -> bool {
    HostKind::from_path(path).is_none() || reading.knows_folder(path) || path.is_dir()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::workspace::{FileId, testing::Scratch};

    const AGENT: &str = "SubAgent.new(prompt: \"Go.\", tools: %{\"stop\" => &MyApp.stop/1})\n";
    const MODULE: &str =
        "defmodule MyApp do\n  @spec stop(pid()) :: boolean()\n  def stop(it), do: it\nend\n";

    /// A watched project that was read, with an open agent.
    fn project(scratch: &Scratch) -> (Workspace, FileId) {
        scratch.write("mix.exs", "");
        scratch.write("lib/inner/my_app.ex", MODULE);
        let mut workspace = Workspace::default();
        workspace.set_watched(true);
        workspace.set_roots([scratch.path("")]);
        let agent = workspace.file_at(&scratch.path("lib/agent.ex"));
        workspace.open(agent, HostKind::Elixir, AGENT);
        let areas = workspace.all_areas();
        workspace.surroundings(&areas);
        workspace.settle();
        (workspace, agent)
    }

    fn findings(workspace: &Workspace, file: FileId) -> usize {
        let snapshot = workspace.snapshot(file).expect("it is open");
        snapshot.document.diagnostics().len()
    }

    #[test]
    fn a_folder_that_is_gone_takes_its_files_along() {
        let scratch = Scratch::new("folder-gone");
        let (mut workspace, agent) = project(&scratch);
        assert_eq!(findings(&workspace, agent), 1);
        fs::remove_dir_all(scratch.path("lib/inner")).expect("a folder");
        assert!(workspace.files_changed([scratch.path("lib/inner").as_path()]));
        assert_eq!(workspace.take_work().len(), 2);
    }

    #[test]
    fn a_folder_that_is_gone_takes_its_settings_along() {
        let scratch = Scratch::new("settings-gone");
        let (mut workspace, agent) = project(&scratch);
        for number in 0..4 * MOST_FOLDERS {
            workspace.settings_for(&scratch.path(&format!("{number}/a.ex")));
        }
        let settings = |workspace: &Workspace| {
            let snapshot = workspace.snapshot(agent).expect("it is open");
            snapshot.document.settings().clone()
        };
        let before = settings(&workspace);
        let folder = scratch.path("lib");
        scratch.write("lib/signature-ls.toml", "edition = \"0.4\"\n");
        workspace.files_changed([folder.as_path()]);
        assert_ne!(settings(&workspace), before);
        fs::remove_dir_all(&folder).expect("a folder");
        workspace.files_changed([folder.as_path()]);
        assert_eq!(settings(&workspace), before);
    }

    #[test]
    fn what_is_gone_and_was_not_known_causes_no_work() {
        let scratch = Scratch::new("unknown-gone");
        let (mut workspace, _) = project(&scratch);
        for path in [
            "target/a.o",
            "lib/other",
            "lib/other.ex",
            "lib/other.md",
            "inner",
        ] {
            let is_known = workspace.files_changed([scratch.path(path).as_path()]);
            assert!(!is_known, "{path}");
        }
        assert!(workspace.take_work().is_empty());
        scratch.write("lib/other.ex", "");
        assert!(workspace.files_changed([scratch.path("lib/other.ex").as_path()]));
        assert_eq!(workspace.take_work().len(), 2);
    }

    #[test]
    fn a_read_that_began_before_a_reset_does_not_count() {
        let scratch = Scratch::new("reset");
        scratch.write("a.sig", "search(query :string) -> :int\n");
        let mut workspace = Workspace::default();
        let root = scratch.path("");
        let begin = |workspace: &mut Workspace| {
            workspace.set_roots([root.clone()]);
            assert!(workspace.surroundings(&workspace.all_areas()).is_none());
            let mut work = workspace.take_work();
            work.pop().expect("a work").run(|_, _| {})
        };
        let outdated = begin(&mut workspace);
        workspace.set_roots([]);
        let current = begin(&mut workspace);
        let areas = workspace.all_areas();
        workspace.apply(outdated);
        assert!(workspace.surroundings(&areas).is_none());
        workspace.apply(current);
        assert!(workspace.surroundings(&areas).is_some());
    }
}
