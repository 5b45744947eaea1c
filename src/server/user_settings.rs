//! The user's settings in the client, and the requests for them.

use std::{collections::BTreeMap, path::PathBuf};

use serde_json::{Value, json};
use tower_lsp::{jsonrpc::Id, ls_types as lsp};

use super::{log::LogSettings, main_loop::MainLoop, paths::path_of, settings};
use crate::workspace::{Config, UserSettings};

/// The user's settings.
#[derive(Debug, Default)]
pub(super) struct ClientSettings {
    /// The initial settings, which apply until the user has others.
    initial: Config,
    /// The settings that replaced them.
    all: Option<Config>,
    /// The settings for the files of a folder.
    by_folder: BTreeMap<PathBuf, Config>,
    /// The folders that are open.
    folders: Vec<lsp::Uri>,
    /// The pending request for settings, and its folders.
    asked: Option<(i64, Vec<lsp::Uri>)>,
}

impl MainLoop {
    pub(super) fn initialize_settings(
        &mut self,
        options: &Value,
        folders: &[lsp::WorkspaceFolder],
    ) {
        self.settings.folders = folders.iter().map(|it| it.uri.clone()).collect();
        self.set_roots();
        self.tell_open_folders();
        if let Some(config) = self.read_config(options) {
            self.settings.initial = config;
            self.apply_settings();
        }
    }

    pub(super) fn change_folders(&mut self, change: &lsp::WorkspaceFoldersChangeEvent) {
        let is_gone = |uri: &lsp::Uri| {
            let mut touched = change.removed.iter().chain(&change.added);
            touched.any(|it| it.uri == *uri)
        };
        self.settings.folders.retain(|it| !is_gone(it));
        let added = change.added.iter().map(|it| it.uri.clone());
        self.settings.folders.extend(added);
        self.set_roots();
        for path in change.removed.iter().filter_map(|it| path_of(&it.uri)) {
            self.settings.by_folder.remove(&path);
        }
        self.tell_open_folders();
        self.apply_settings();
        self.ask_for_settings();
    }

    fn tell_open_folders(&mut self) {
        let folders = self.settings.folders.iter().filter_map(path_of);
        self.workspace.set_open_folders(folders.collect());
    }

    fn set_roots(&mut self) {
        let roots = self.settings.folders.iter().filter_map(path_of);
        self.workspace.set_roots(roots);
    }

    /// Requests the settings for all files, and those for each folder.
    pub(super) fn ask_for_settings(&mut self) {
        if !self.client.configuration {
            return;
        }
        let folders = self.settings.folders.clone();
        let scopes = folders.iter();
        let scoped = scopes.map(|uri| json!({"scopeUri": uri, "section": settings::SECTION}));
        let items = [json!({"section": settings::SECTION})].into_iter();
        let items: Vec<_> = items.chain(scoped).collect();
        let id = self.request("workspace/configuration", json!({ "items": items }));
        self.settings.asked = Some((id, folders));
    }

    /// Applies an answer; an answer to an older request is ignored.
    pub(super) fn answer(&mut self, id: &Id, value: &Value) {
        let is_it = |(asked, _): &mut (i64, _)| Id::Number(*asked) == *id;
        let Some((_, folders)) = self.settings.asked.take_if(is_it) else {
            return;
        };
        let Some((all, scoped)) = value.as_array().and_then(|it| it.split_first()) else {
            return;
        };
        self.take_settings(&settings::in_section(all));
        for (uri, value) in folders.iter().zip(scoped) {
            let value = settings::in_section(value);
            let Some(path) = path_of(uri) else {
                continue;
            };
            // Errors that are the same as in the general settings were reported.
            let is_own = !settings::own(&value).is_null();
            let (config, problems) = settings::read(&value);
            match config {
                Some(config) if is_own => drop(self.settings.by_folder.insert(path, config)),
                Some(_) => drop(self.settings.by_folder.remove(&path)),
                None => {}
            }
            if value != settings::in_section(all) {
                self.warn_of_settings(&problems);
            }
        }
        self.apply_settings();
    }

    /// Applies a notification. Many clients send one without our settings; those that support
    /// `workspace/configuration` expect a request.
    pub(super) fn settings_changed(&mut self, value: &Value) {
        let is_scoped = self.client.configuration && !self.settings.folders.is_empty();
        if settings::has_own(value) {
            self.settings.by_folder.clear();
            self.take_settings(value);
            self.apply_settings();
            if is_scoped {
                self.ask_for_settings();
            }
        } else if self.client.configuration {
            self.ask_for_settings();
        } else if value.is_null() {
            self.take_settings(value);
            self.apply_settings();
        }
    }

    /// Replaces all settings; null means none, so that the initial ones apply again.
    fn take_settings(&mut self, value: &Value) {
        if let Some(config) = self.read_config(value) {
            self.settings.all = (!settings::own(value).is_null()).then_some(config);
        }
    }

    fn apply_settings(&mut self) {
        let all = self.settings.all.as_ref().unwrap_or(&self.settings.initial);
        self.workspace.set_user_settings(UserSettings {
            all: all.clone(),
            by_folder: self.settings.by_folder.clone(),
        });
    }

    /// Parses settings of the client; an invalid value is reported, and nothing changes.
    fn read_config(&self, value: &Value) -> Option<Config> {
        let (config, mut problems) = settings::read(value);
        match LogSettings::read(settings::own(value)) {
            Ok(Some(chosen)) => self.log.set(chosen),
            Ok(None) => {}
            Err(problem) => problems.push(problem),
        }
        self.warn_of_settings(&problems);
        config
    }

    fn warn_of_settings(&self, problems: &[String]) {
        if !problems.is_empty() {
            let problems = problems.join(" ");
            self.warn(format!("Settings of {}: {problems}", settings::SECTION));
        }
    }
}
