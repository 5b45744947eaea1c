//! The functions of a project: what the Elixir files below its `mix.exs` say.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use ignore::{DirEntry, WalkBuilder, WalkState};
use rayon::prelude::*;

use crate::{host::elixir::module::facts, ide::Functions};

/// Folders whose files are not the project's own.
const NOT_OURS: &[&str] = &[".git", "_build", "deps", "node_modules"];

/// The outermost folder around `path` with a `mix.exs`, so that the apps of an umbrella are one project.
pub(super) fn root_of(path: &Path) -> Option<PathBuf> {
    let folders = path.ancestors().skip(1);
    let roots = folders.filter(|folder| folder.join("mix.exs").is_file());
    roots.last().map(Path::to_owned)
}

/// Reads the Elixir files below `root`. Files that cannot be read say nothing.
pub(super) fn read(root: &Path) -> Functions {
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

/// What is known of a project; read at the first question.
pub(super) type Slot = Arc<std::sync::OnceLock<Arc<Functions>>>;
