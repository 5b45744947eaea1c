//! The functions of a project: what the Elixir files below its `mix.exs` say.

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use ignore::{DirEntry, WalkBuilder, WalkState};
use rayon::prelude::*;

use crate::{
    files,
    host::elixir::module::{Facts, facts},
    ide::Functions,
};

/// Folders whose files are not the project's own.
const NOT_OURS: &[&str] = &[".git", "_build", "deps", "node_modules"];

/// What a file has that says something of functions that may be tools.
const MARKS: &[&str] = &["@spec", "tools", "(%{"];

/// The functions of projects, as far as they were asked for.
#[derive(Debug, Default)]
pub struct ProjectFunctions {
    by_root: Mutex<HashMap<PathBuf, Slot>>,
}

/// What is known of a project; nothing until the first question.
type Slot = Arc<Mutex<Option<Project>>>;

/// A project that was read.
#[derive(Debug)]
struct Project {
    /// What each file says, those left out that say nothing.
    files: BTreeMap<PathBuf, Facts>,
    functions: Arc<Functions>,
}

impl ProjectFunctions {
    /// The functions of the project around the document at `path`, whose Elixir files are read at the
    /// first question. Takes as long as that reading does.
    pub fn around(&self, path: &Path) -> Arc<Functions> {
        let Some(root) = root_of(&absolute(path)) else {
            return Arc::default();
        };
        let slot = Arc::clone(self.locked().entry(root.clone()).or_default());
        let mut project = locked(&slot);
        let project = project.get_or_insert_with(|| Project::read(&root));
        Arc::clone(&project.functions)
    }

    /// Reads the file at `path` again, as it may have changed; where it is a folder or gone, what was below
    /// it is forgotten. Answers whether that makes a difference.
    pub fn read_again(&self, path: &Path) -> bool {
        let text = is_elixir(path)
            .then(|| files::read_found(path).ok())
            .flatten();
        self.put(path, text.map(|text| file_facts(&text)))
    }

    /// Takes `facts` for what the file at `path` says, whatever stands on the disk, in a project that was
    /// read. Answers whether that makes a difference.
    pub fn set(&self, path: &Path, facts: Facts) -> bool {
        self.put(path, Some(facts))
    }

    fn put(&self, path: &Path, facts: Option<Facts>) -> bool {
        let path = absolute(path);
        let slots: Vec<_> = self
            .locked()
            .iter()
            .map(|(root, slot)| (root.clone(), Arc::clone(slot)))
            .collect();
        let mut differs = false;
        for (root, slot) in slots {
            let Ok(below) = path.strip_prefix(&root) else {
                continue;
            };
            let is_ours = below
                .iter()
                .all(|part| !part.to_str().is_some_and(is_not_ours));
            if let Some(project) = locked(&slot).as_mut().filter(|_| is_ours) {
                differs |= project.put(&path, facts.clone());
            }
        }
        differs
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<PathBuf, Slot>> {
        locked(&self.by_root)
    }
}

impl Project {
    /// Reads the Elixir files below `root`. Files that cannot be read say nothing.
    fn read(root: &Path) -> Self {
        let files = elixir_files(root);
        let files = files.into_par_iter().filter_map(|path| {
            let facts = file_facts(&files::read_found(&path).ok()?);
            (!facts.is_empty()).then_some((path, facts))
        });
        let files: BTreeMap<_, _> = files.collect();
        let functions = Arc::new(Functions::new(files.values()));
        Self { files, functions }
    }

    fn put(&mut self, path: &Path, facts: Option<Facts>) -> bool {
        let facts = facts.filter(|it| is_elixir(path) && !it.is_empty());
        let differs = match facts {
            Some(facts) => {
                let differs = self.files.get(path) != Some(&facts);
                self.files.insert(path.to_owned(), facts);
                differs
            }
            None => {
                let count = self.files.len();
                self.files.retain(|file, _| !file.starts_with(path));
                self.files.len() != count
            }
        };
        if differs {
            self.functions = Arc::new(Functions::new(self.files.values()));
        }
        differs
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// What a file says that reads `text`; most say nothing of tools, which shows at once.
fn file_facts(text: &str) -> Facts {
    match MARKS.iter().any(|mark| text.contains(mark)) {
        true => facts(text),
        false => Facts::default(),
    }
}

/// The outermost folder around `path` with a `mix.exs`, so that the apps of an umbrella are one project.
fn root_of(path: &Path) -> Option<PathBuf> {
    let folders = path.ancestors().skip(1);
    let roots = folders.filter(|folder| folder.join("mix.exs").is_file());
    roots.last().map(Path::to_owned)
}

fn is_not_ours(name: &str) -> bool {
    NOT_OURS.contains(&name)
}

fn is_elixir(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "ex")
}

fn elixir_files(root: &Path) -> Vec<PathBuf> {
    let is_ours = |entry: &DirEntry| !entry.file_name().to_str().is_some_and(is_not_ours);
    let files = Mutex::new(Vec::new());
    let mut builder = WalkBuilder::new(root);
    builder
        .ignore(false)
        .require_git(false)
        .filter_entry(is_ours);
    builder.build_parallel().run(|| {
        Box::new(|entry| {
            if let Ok(entry) = entry
                && is_elixir(entry.path())
            {
                locked(&files).push(entry.into_path());
            }
            WalkState::Continue
        })
    });
    files.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::fs;

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
        assert!(!projects.read_again(&root.join("unread.ex")));
        assert!(projects.read_again(&search));
        assert!(!projects.read_again(&search));
        assert!(found(&projects).is_empty());
        assert!(projects.set(&search, facts(module)));
        assert_eq!(found(&projects), ["unmapped-spec"]);
        assert!(projects.read_again(&root.join("apps")));
        assert!(found(&projects).is_empty());
        assert!(!projects.set(&root.join("deps/search.ex"), facts(module)));
        fs::remove_dir_all(&root).unwrap();
    }
}
