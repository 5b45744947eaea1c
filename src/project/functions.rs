//! The functions of a project: what the Elixir files below its `mix.exs` say.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use ignore::{DirEntry, WalkBuilder, WalkState};
use rayon::prelude::*;

use crate::{host::elixir::module::facts, ide::Functions};

/// Folders whose files are not the project's own.
const NOT_OURS: &[&str] = &[".git", "_build", "deps", "node_modules"];

/// The functions of projects, as far as they were asked for.
#[derive(Debug, Default)]
pub struct ProjectFunctions {
    by_root: Mutex<HashMap<PathBuf, Slot>>,
}

/// What is known of a project; read at the first question.
type Slot = Arc<OnceLock<Arc<Functions>>>;

impl ProjectFunctions {
    /// The functions of the project around the document at `path`, whose Elixir files are read at the
    /// first question. Takes as long as that reading does.
    pub fn around(&self, path: &Path) -> Arc<Functions> {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let Some(root) = root_of(&absolute) else {
            return Arc::default();
        };
        let slot = Arc::clone(self.locked().entry(root.clone()).or_default());
        Arc::clone(slot.get_or_init(|| Arc::new(read(&root))))
    }

    /// Forgets all that was read, as files may have changed.
    pub fn forget(&self) {
        self.locked().clear();
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<PathBuf, Slot>> {
        self.by_root.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The outermost folder around `path` with a `mix.exs`, so that the apps of an umbrella are one project.
fn root_of(path: &Path) -> Option<PathBuf> {
    let folders = path.ancestors().skip(1);
    let roots = folders.filter(|folder| folder.join("mix.exs").is_file());
    roots.last().map(Path::to_owned)
}

/// Reads the Elixir files below `root`. Files that cannot be read say nothing.
fn read(root: &Path) -> Functions {
    let mut files = elixir_files(root);
    files.sort_unstable();
    let facts: Vec<_> = files
        .par_iter()
        .filter_map(|path| fs::read_to_string(path).ok())
        .filter(|text| text.contains("@spec") || text.contains("tools:"))
        .map(|text| facts(&text))
        .collect();
    Functions::new(facts)
}

fn elixir_files(root: &Path) -> Vec<PathBuf> {
    let is_ours = |entry: &DirEntry| {
        let name = entry.file_name().to_str();
        !name.is_some_and(|name| NOT_OURS.contains(&name))
    };
    let files = Mutex::new(Vec::new());
    let mut builder = WalkBuilder::new(root);
    builder
        .ignore(false)
        .require_git(false)
        .filter_entry(is_ours);
    builder.build_parallel().run(|| {
        Box::new(|entry| {
            if let Ok(entry) = entry
                && entry.path().extension().is_some_and(|it| it == "ex")
            {
                let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
                files.push(entry.into_path());
            }
            WalkState::Continue
        })
    });
    files.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        host::HostKind,
        ide::{Document, Settings},
    };

    #[test]
    fn the_functions_of_a_project_are_those_of_all_its_files() {
        let name = format!("signature-ls-functions-{}", std::process::id());
        let root = std::env::temp_dir().join(name);
        fs::create_dir_all(root.join("apps/one")).unwrap();
        for file in ["mix.exs", "apps/one/mix.exs"] {
            fs::write(root.join(file), "").unwrap();
        }
        let search = root.join("apps/one/search.ex");
        let module =
            "defmodule Search do\n  @spec run(pid()) :: integer()\n  def run(a), do: a\nend";
        fs::write(&search, module).unwrap();

        let text = "SubAgent.new(prompt: \"Go.\", tools: %{\"a\" => &Search.run/1})";
        let found = |projects: &ProjectFunctions| {
            let mut document = Document::new(HostKind::Elixir, text, Settings::default());
            assert_eq!(document.diagnostics(), []);
            document.set_functions(projects.around(&root.join("agent.ex")));
            let found = document.diagnostics();
            found.iter().map(|it| it.rule.code).collect::<Vec<_>>()
        };
        let projects = ProjectFunctions::default();
        assert_eq!(found(&projects), ["unmapped-spec"]);
        fs::write(&search, "").unwrap();
        assert_eq!(found(&projects), ["unmapped-spec"]);
        projects.forget();
        assert!(found(&projects).is_empty());
        fs::remove_dir_all(&root).unwrap();
    }
}
