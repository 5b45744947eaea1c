//! One Elixir project: what the files below its root say of functions, read when something asks.

use std::{
    collections::{BTreeSet, HashMap},
    ffi::OsStr,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use memchr::memmem;
use rayon::prelude::*;

use super::{
    index::Index,
    open::guarded,
    stamp::{Stamp, stamp},
};
use crate::{
    files::{self, read_found},
    host::{
        elixir::module::{Facts, facts},
        search,
    },
    ide::Asks,
};

/// Folders whose files are not the project's own.
const NOT_OURS: &[&str] = &[".git", "_build", "deps", "node_modules"];

/// A project and how far it was read.
#[derive(Debug, Default)]
pub(super) struct Project {
    pub(super) index: Index,
    /// What each file on the disk was like when it was read last; `None` until the project was read.
    read: Option<Arc<HashMap<PathBuf, Stamp>>>,
    /// What is to be read.
    wanted: Option<Wanted>,
    is_being_read: bool,
}

/// What is asked of projects, where that is known before they are read: files that have no answer are not parsed.
#[derive(Debug, Clone, Default)]
pub(super) struct Asked {
    /// The last names of modules.
    modules: BTreeSet<String>,
    /// Whether somebody asks which functions are tools.
    tools: bool,
}

impl Asked {
    pub(super) fn add(&mut self, asks: &Asks) {
        let last = |name: &String| name.rsplit('.').next().unwrap_or_default().to_owned();
        self.modules.extend(asks.modules.iter().map(last));
        self.tools |= !asks.own_modules.is_empty();
    }

    pub(super) fn add_tools(&mut self) {
        self.tools = true;
    }

    /// Whether a file with `text` may have an answer.
    fn concerns(&self, text: &str) -> bool {
        let is_in = |word: &str| memmem::find(text.as_bytes(), word.as_bytes()).is_some();
        (self.tools && search::may_name_tools(text)) || self.modules.iter().any(|it| is_in(it))
    }
}

/// What is to be read.
#[derive(Debug, Clone, Default)]
struct Wanted {
    /// Whether files may have come, gone or changed anywhere.
    walk: bool,
    /// Files that are read whatever their stamps are.
    files: BTreeSet<PathBuf>,
}

impl Project {
    /// Has the files read of which nothing is known yet, or that changed.
    pub(super) fn want_all(&mut self) {
        self.wanted.get_or_insert_default().walk = true;
    }

    /// Has the files read, unless that is being done.
    pub(super) fn want_once(&mut self) {
        if !self.is_being_read {
            self.want_all();
        }
    }

    /// Has a file read again, or the project searched where that may be no file of it.
    pub(super) fn want(&mut self, path: &Path) {
        let is_known = self.knows(path);
        let wanted = self.wanted.get_or_insert_default();
        match is_known && stamp(path).is_some() {
            true => drop(wanted.files.insert(path.to_owned())),
            false => wanted.walk = true,
        }
    }

    /// Whether it was read, if not all that changed since.
    pub(super) fn is_read(&self) -> bool {
        self.read.is_some()
    }

    /// Whether it was on the disk when that was read.
    pub(super) fn knows(&self, path: &Path) -> bool {
        self.read.as_ref().is_some_and(|it| it.contains_key(path))
    }

    /// Whether all is read that is to be.
    pub(super) fn is_settled(&self) -> bool {
        self.read.is_some() && self.wanted.is_none() && !self.is_being_read
    }

    /// The work that is to be done now, if there is any. One work is done at a time.
    pub(super) fn take_work(&mut self, root: &Path, asked: Option<&Arc<Asked>>) -> Option<Work> {
        if self.is_being_read {
            return None;
        }
        let wanted = self.wanted.take()?;
        self.is_being_read = true;
        Some(Work {
            root: root.to_owned(),
            known: self.read.clone().unwrap_or_default(),
            wanted,
            asked: asked.cloned(),
        })
    }

    /// Takes note of what a work has found.
    pub(super) fn apply(&mut self, change: &Change) {
        self.is_being_read = false;
        let read = Arc::make_mut(self.read.get_or_insert_default());
        for (path, found) in &change.files {
            match found {
                Some(file) => drop(read.insert(path.clone(), file.stamp)),
                None => drop(read.remove(path)),
            }
        }
    }
}

/// Something to read, on whatever thread.
#[derive(Debug)]
pub struct Work {
    root: PathBuf,
    known: Arc<HashMap<PathBuf, Stamp>>,
    wanted: Wanted,
    /// All that will ever be asked, where that is known.
    asked: Option<Arc<Asked>>,
}

/// A file that was read.
#[derive(Debug)]
pub(super) struct ReadFile {
    stamp: Stamp,
    pub(super) facts: Arc<Facts>,
}

/// What reading has found.
#[derive(Debug)]
pub struct Change {
    pub(super) root: PathBuf,
    /// The files that were read, and those that are gone.
    pub(super) files: Vec<(PathBuf, Option<ReadFile>)>,
}

impl Work {
    /// Reads. Files that cannot be read say nothing.
    pub fn run(self) -> Change {
        let mut paths = self.wanted.files.clone();
        let mut gone = Vec::new();
        if self.wanted.walk {
            let found: BTreeSet<_> = elixir_files(&self.root).into_iter().collect();
            gone.extend(self.known.keys().filter(|it| !found.contains(*it)).cloned());
            paths.extend(found);
        }
        let paths: Vec<_> = paths.into_iter().collect();
        let read = |path: PathBuf| {
            let Some(stamp) = stamp(&path) else {
                return Some((path, None));
            };
            let is_same = self.known.get(&path) == Some(&stamp);
            if is_same && !self.wanted.files.contains(&path) {
                return None;
            }
            let text = read_found(&path).unwrap_or_default();
            let is_asked = self.asked.as_ref().is_none_or(|it| it.concerns(&text));
            let facts = match is_asked {
                true => Arc::new(guarded(|| facts(&text)).unwrap_or_default()),
                false => Arc::default(),
            };
            Some((path, Some(ReadFile { stamp, facts })))
        };
        let read: Vec<_> = paths.into_par_iter().filter_map(read).collect();
        let gone = gone.into_iter().map(|path| (path, None));
        Change {
            root: self.root,
            files: gone.chain(read).collect(),
        }
    }
}

/// Whether the file at `path` takes part in the project at `root` by what it says of functions.
pub(super) fn is_part(root: &Path, path: &Path) -> bool {
    let Ok(below) = path.strip_prefix(root) else {
        return false;
    };
    let is_ours = |part: &OsStr| !part.to_str().is_some_and(is_not_ours);
    is_elixir(path) && below.iter().all(is_ours)
}

fn is_not_ours(name: &str) -> bool {
    NOT_OURS.contains(&name)
}

fn is_elixir(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "ex")
}

fn elixir_files(root: &Path) -> Vec<PathBuf> {
    let is_ours = |name: &OsStr| {
        let name = name.to_str().unwrap_or_default();
        !name.starts_with('.') && !is_not_ours(name)
    };
    let files = Mutex::new(Vec::new());
    files::walk(root, is_ours, |entry| {
        if let Ok(entry) = entry
            && is_elixir(&entry.path)
        {
            let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
            files.push(entry.path);
        }
    });
    files.into_inner().unwrap_or_else(PoisonError::into_inner)
}
