//! The settings of files: those of the folders around them, overridden by the user's.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use super::{Cause, Config, Workspace, absolute};
use signature_ls_analysis::ide::Settings;

/// The user's settings in an editor, for all files and for those below some folders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserSettings {
    /// For files outside of these folders.
    pub all: Config,
    /// For the files below a folder, instead of those for all.
    pub by_folder: BTreeMap<PathBuf, Config>,
}

impl UserSettings {
    pub(super) fn of(&self, path: Option<&Path>) -> &Config {
        let folders = path.into_iter().flat_map(Path::ancestors);
        let mut found = folders.filter_map(|it| self.by_folder.get(it));
        found.next().unwrap_or(&self.all)
    }

    /// The settings of the file at `path`: those of the folders around it, overridden by the user's.
    pub(super) fn over(&self, of_folders: Settings, path: Option<&Path>) -> Settings {
        self.of(path).apply(&of_folders)
    }
}

impl Workspace {
    /// The settings of the document at `path`: those of its project, overridden by the user's.
    pub fn settings_for(&mut self, path: &Path) -> Settings {
        self.settings_of(Some(path))
    }

    pub(super) fn settings_of(&mut self, path: Option<&Path>) -> Settings {
        let path = path.map(absolute);
        let found = path.as_deref().map(|path| self.folders.settings_for(path));
        let found = found.unwrap_or_default();
        for problem in found.problems {
            if self.reported.insert(problem.clone()) {
                self.problems.push(problem);
            }
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
    pub(super) fn apply_settings(&mut self) {
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
