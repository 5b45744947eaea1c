//! One Elixir project: the functions in the files below its root, read when they are needed.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};

use foldhash::HashMap;
use memchr::memmem;

use super::{
    index::Index,
    reading::{Job, Progress, ReadFiles, Reading, Which, is_below},
};
use crate::{files::read_found, panics::guarded};
use signature_ls_analysis::ide::Asks;
use signature_ls_source::host::{
    HostKind, Roles,
    elixir::module::{Facts, facts},
    search,
};

/// The files whose functions belong to a project.
const WHICH: Which = Which {
    is_wanted: is_elixir,
    hidden: false,
};

/// A project and the state of reading it.
#[derive(Debug, Default)]
pub(super) struct Project {
    pub(super) index: Index,
    pub(super) reading: Reading,
}

/// The questions to projects, if they are known before reading: files without an answer are not parsed.
#[derive(Debug, Clone, Default)]
pub(super) struct Asked {
    /// The last segments of module names.
    modules: BTreeSet<String>,
    /// Whether the tools are needed.
    tools: bool,
    /// Whether something besides its text may show that a file is ours, so that all tools in it count.
    is_ours: bool,
    seen: Seen,
}

/// What was read before projects are asked.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// The files and folders of which everything is in the other fields.
    pub roots: Vec<PathBuf>,
    /// What the files say that can be part of a project.
    pub files: HashMap<PathBuf, SeenFile>,
    /// The files that were not read.
    pub unread: Vec<PathBuf>,
}

/// What a file says to a project.
#[derive(Debug, Clone, Default)]
pub struct SeenFile {
    /// The last segments of the names of the modules that it may define.
    modules: Vec<String>,
    /// Whether it may say which functions are tools.
    names_tools: bool,
}

impl SeenFile {
    /// What the file at `path` with `text` says; `None` if it cannot be part of a project.
    pub fn of(path: &Path, text: &str) -> Option<Self> {
        is_elixir(path).then(|| Self {
            modules: defined_modules(text).map(str::to_owned).collect(),
            names_tools: search::may_name_tools(text),
        })
    }

    /// The same for a file in which no tools count.
    #[must_use]
    pub fn without_tools(self) -> Self {
        Self {
            names_tools: false,
            ..self
        }
    }
}

impl Asked {
    pub(super) fn of_files(is_ours: bool, seen: Seen) -> Self {
        Self {
            is_ours,
            seen,
            ..Self::default()
        }
    }

    pub(super) fn add(&mut self, asks: &Asks) {
        let last = |name: &String| name.rsplit('.').next().unwrap_or_default().to_owned();
        self.modules.extend(asks.modules.iter().map(last));
        self.tools |= !asks.own_modules.is_empty();
    }

    pub(super) fn add_tools(&mut self) {
        self.tools = true;
    }

    /// Whether it is known that no file below `root` names tools.
    pub(super) fn has_no_tools(&self, root: &Path) -> bool {
        let Seen { files, unread, .. } = &self.seen;
        let mut naming = files.iter().filter(|(_, it)| it.names_tools);
        self.has_seen(root)
            && !naming.any(|(path, _)| path.starts_with(root))
            && !unread.iter().any(|it| it.starts_with(root))
    }

    /// Whether all files below `root` were read, or are known.
    fn has_seen(&self, root: &Path) -> bool {
        self.seen.roots.iter().any(|it| root.starts_with(it))
    }

    /// The files of the project at `root` that have to be read, if they are known.
    fn files_of(&self, root: &Path) -> Option<BTreeSet<PathBuf>> {
        let Seen { files, unread, .. } = &self.seen;
        let paths = files.keys().chain(unread);
        let needed = paths.filter(|it| self.needs(it) != Some(false) && WHICH.includes(root, it));
        self.has_seen(root).then(|| needed.cloned().collect())
    }

    /// Whether the file at `path` has an answer, if it was read.
    fn needs(&self, path: &Path) -> Option<bool> {
        let file = self.seen.files.get(path)?;
        let mut modules = file.modules.iter();
        Some(self.tools && file.names_tools || modules.any(|it| self.modules.contains(it)))
    }

    /// Whether a file with `text` may contain an answer.
    fn concerns(&self, text: &str) -> bool {
        let mut defined = defined_modules(text);
        self.tools && self.may_name_tools(text) || defined.any(|it| self.modules.contains(it))
    }

    fn may_name_tools(&self, text: &str) -> bool {
        let counts = || search::may_count(HostKind::Elixir, text, &Roles::default());
        search::may_name_tools(text) && (self.is_ours || counts())
    }
}

/// The last segments of the names of modules that a text may define.
fn defined_modules(text: &str) -> impl Iterator<Item = &str> {
    const WORD: &str = "defmodule";
    let words = memmem::find_iter(text.as_bytes(), WORD);
    words.map(|at| {
        let name =
            text[at + WORD.len()..].trim_start_matches(|c: char| c == '(' || c.is_whitespace());
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        let name = &name[..name.find(|c| !is_part(c)).unwrap_or(name.len())];
        name.rsplit('.').next().unwrap_or(name)
    })
}

/// Reads the functions in files. A file that cannot be read has none.
pub(super) fn read(
    job: Job,
    progress: &Progress<'_>,
    asked: Option<&Asked>,
) -> ReadFiles<Arc<Facts>> {
    let prepare = |paths: Vec<PathBuf>| paths.into_iter().map(|path| (path, ())).collect();
    let job = match asked.and_then(|it| it.files_of(job.root())) {
        Some(files) => job.limited_to(files),
        None => job,
    };
    job.run(WHICH, progress, prepare, |path, ()| {
        let is_needed = asked.map_or(Some(true), |it| it.needs(path));
        if is_needed == Some(false) {
            return Arc::default();
        }
        let text = read_found(path).unwrap_or_default();
        let concerns = || asked.is_some_and(|it| it.concerns(&text));
        match is_needed.unwrap_or_else(concerns) {
            true => Arc::new(guarded(|| facts(&text)).unwrap_or_default()),
            false => Arc::default(),
        }
    })
}

/// Whether the functions in the file at `path` belong to the project at `root`.
pub(super) fn is_part(root: &Path, path: &Path) -> bool {
    is_elixir(path) && is_below(root, path)
}

fn is_elixir(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "ex")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_name_of_each_module_is_found() {
        let text = "defmodule A.B do\n  defmodule(C) do\n end\n  defmodule\n  __MODULE__.D_1, do: 1\n# defmodule É\ndefmodule";
        let names: Vec<_> = defined_modules(text).collect();
        assert_eq!(names, ["B", "C", "D_1", "É", ""]);
    }
}
