//! What a project says of itself: its settings file and the release of the reference that it uses.
//!
//! Nothing is read twice: see [`Projects::forget`].

mod config;
mod functions;

use std::{
    collections::HashMap,
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

pub use config::Config;
pub use functions::ProjectFunctions;

use crate::{
    files,
    ide::Settings,
    model::{Edition, mix},
};

/// The name of a project's settings file.
pub const SETTINGS_FILE: &str = "signature-ls.toml";

/// The files that the settings of a document may depend on.
pub const FILES: &[&str] = &[SETTINGS_FILE, "mix.lock", "mix.exs"];

/// What the folders around documents say, as far as they were asked.
#[derive(Debug, Default)]
pub struct Projects {
    folders: Mutex<HashMap<PathBuf, Arc<Folder>>>,
}

/// What one folder and those around it say.
#[derive(Debug, Clone, Default)]
struct Folder {
    /// The settings of the nearest settings file.
    config: Option<Arc<Config>>,
    /// The edition of the nearest project that uses the reference.
    edition: Option<Edition>,
    /// What is wrong with the nearest settings file.
    problem: Option<String>,
}

/// The settings of a document, and what is wrong with those of its project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The settings; what is wrong is left out.
    pub settings: Settings,
    /// A sentence for the user, with the path of the file.
    pub problem: Option<String>,
}

impl Projects {
    /// The settings of the document at `path`: those of the nearest settings file, else the edition of
    /// the release that the nearest `mix.lock` or `mix.exs` names, else the defaults.
    pub fn settings_for(&self, path: &Path) -> Found {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let Some(folder) = absolute.parent() else {
            return Found::default();
        };
        let folder = self.folder(folder);
        let mut base = Settings::default();
        base.edition = folder.edition.unwrap_or(base.edition);
        let configured = folder
            .config
            .as_ref()
            .and_then(|config| config.apply(&base).ok());
        Found {
            settings: configured.unwrap_or(base),
            problem: folder.problem.clone(),
        }
    }

    /// Forgets all that was read, as files may have changed.
    pub fn forget(&self) {
        self.locked().clear();
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, HashMap<PathBuf, Arc<Folder>>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn folder(&self, path: &Path) -> Arc<Folder> {
        if let Some(folder) = self.locked().get(path) {
            return Arc::clone(folder);
        }
        let mut unknown = vec![path];
        let mut around = Arc::new(Folder::default());
        while let Some(parent) = unknown.last().and_then(|it| it.parent()) {
            if let Some(known) = self.locked().get(parent) {
                around = Arc::clone(known);
                break;
            }
            unknown.push(parent);
        }
        for path in unknown.into_iter().rev() {
            around = Arc::new(Folder::read(path, &around));
            self.locked().insert(path.to_owned(), Arc::clone(&around));
        }
        around
    }
}

impl Folder {
    /// What the folder at `path` says; where it is silent, what those `around` it say.
    fn read(path: &Path, around: &Folder) -> Self {
        let mut folder = around.clone();
        let edition = read(path, "mix.lock").and_then(|text| mix::edition_of_lock(&text));
        let edition = edition
            .or_else(|| read(path, "mix.exs").and_then(|text| mix::edition_of_project(&text)));
        folder.edition = edition.or(folder.edition);
        let file = path.join(SETTINGS_FILE);
        let told = |problem: &dyn fmt::Display| Some(format!("{}: {problem}", file.display()));
        match files::read_found(&file).map(|text| read_config(&text)) {
            Ok(Ok(config)) => (folder.config, folder.problem) = (Some(Arc::new(config)), None),
            Ok(Err(problem)) => (folder.config, folder.problem) = (None, told(&problem)),
            Err(error) if error.is_not_found() => {}
            Err(error) => folder.problem = told(&error),
        }
        folder
    }
}

/// Reads a settings file that can be applied.
fn read_config(text: &str) -> Result<Config, String> {
    let config = Config::from_toml(text)?;
    config.apply(&Settings::default())?;
    Ok(config)
}

fn read(folder: &Path, name: &str) -> Option<String> {
    files::read_found(&folder.join(name)).ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::ide::Level;

    /// A folder of its own for a test, removed behind it.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path =
                std::env::temp_dir().join(format!("signature-ls-{name}-{}", std::process::id()));
            fs::create_dir_all(path.join("apps/one/lib")).unwrap();
            Self(path)
        }

        fn write(&self, name: &str, text: &str) {
            fs::write(self.0.join(name), text).unwrap();
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_nearest_file_that_says_something_counts() {
        let scratch = Scratch::new("nearest");
        let document = scratch.0.join("apps/one/lib/agent.ex");
        let projects = Projects::default();
        assert_eq!(projects.settings_for(&document), Found::default());

        scratch.write(
            "mix.lock",
            r#"%{"ptc_runner": {:hex, :ptc_runner, "0.10.1", "aa", [:mix], [], "hexpm", "bb"}}"#,
        );
        scratch.write("apps/one/mix.exs", "[{:jason, \"~> 1.4\"}]");
        projects.forget();
        assert_eq!(
            projects.settings_for(&document).settings.edition,
            Edition::V0_5
        );

        scratch.write("apps/one/mix.exs", "[{:ptc_runner, \"~> 0.4.0\"}]");
        projects.forget();
        assert_eq!(
            projects.settings_for(&document).settings.edition,
            Edition::V0_4
        );

        scratch.write(
            SETTINGS_FILE,
            "edition = \"next\"\n[rules]\nhyphen-in-name = \"off\"\n",
        );
        projects.forget();
        let settings = projects.settings_for(&document).settings;
        assert_eq!(
            (settings.edition, settings.levels["hyphen-in-name"]),
            (Edition::Next, Level::Off)
        );
    }

    #[test]
    fn a_wrong_settings_file_is_told_and_left_out() {
        for (name, text) in [
            ("syntax", "edition = "),
            ("value", "edition = \"0.6\""),
            ("key", "editon = \"0.5\""),
        ] {
            let scratch = Scratch::new(name);
            scratch.write(SETTINGS_FILE, text);
            let path = scratch.0.join(SETTINGS_FILE).display().to_string();
            let found = Projects::default().settings_for(&scratch.0.join("a.ex"));
            assert_eq!(found.settings, Settings::default());
            assert!(
                found
                    .problem
                    .is_some_and(|problem| problem.starts_with(&*path)),
                "{text}"
            );
        }
    }
}
