//! The files below a folder that were read, and those that have to be read.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use foldhash::{HashMap, HashSet};
use rayon::prelude::*;

use super::stamp::{Stamp, stamp};
use crate::files;
use signature_ls_source::host::HostKind;

/// Folders whose files do not belong to the project.
const NOT_OURS: &[&str] = &[".git", "_build", "deps", "node_modules"];

/// The state of reading the files below a folder.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The stamp of each file when it was last read; `None` until all were read.
    read: Option<Arc<HashMap<PathBuf, Stamp>>>,
    /// The folders of files that were read, also those that were deleted since.
    folders: HashSet<PathBuf>,
    /// What has to be read.
    wanted: Option<Wanted>,
    /// The number of the current read.
    running: Option<u64>,
    /// Whether the current read is of the whole folder.
    is_whole: bool,
    /// How the last read of the whole folder ended, or a later one that did not end well.
    end: End,
    /// Whether the result of the current read is outdated.
    is_outdated: bool,
}

/// How a read ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum End {
    /// All files were read.
    #[default]
    Complete,
    /// The user canceled it.
    Canceled,
    /// It panicked, so that nothing was read.
    Failed,
}

/// What has to be read.
#[derive(Debug, Clone, Default)]
struct Wanted {
    /// Whether files may have been created, deleted or changed anywhere.
    walk: bool,
    /// Files that are read regardless of their stamps.
    files: BTreeSet<PathBuf>,
}

/// The files that were read, and those that were deleted.
pub(super) type ReadFiles<T> = Vec<(PathBuf, Option<(Stamp, T)>)>;

impl Reading {
    /// Requests all files that are unknown or changed.
    fn request_all(&mut self) {
        self.wanted.get_or_insert_default().walk = true;
    }

    /// Requests the files, unless they were read or are being read.
    pub(super) fn request_once(&mut self) {
        if !self.is_read() && !self.is_running() {
            self.request_all();
        }
    }

    /// Requests the remaining files after a cancellation or a failure.
    pub(super) fn request_rest(&mut self) {
        if self.is_cut() && !self.is_running() {
            self.request_all();
        }
    }

    /// Requests the files again whose reading failed.
    pub(super) fn request_failed(&mut self) {
        if self.end == End::Failed && !self.is_running() {
            self.request_all();
        }
    }

    /// Requests a check of the files that were read or are being read; a canceled read stays canceled.
    pub(super) fn request_again(&mut self) {
        if self.is_followed() && self.end != End::Canceled {
            self.request_all();
        }
    }

    /// Requests a file, or a search of the folder if it may not be a file of it. Returns false for what is gone and was
    /// not there before.
    pub(super) fn request(&mut self, path: &Path) -> bool {
        let is_known = self.knows(path);
        let was_there = is_known || self.knows_folder(path) || self.may_be_reading(path);
        if !was_there && fs::symlink_metadata(path).is_err() {
            return false;
        }
        let wanted = self.wanted.get_or_insert_default();
        match is_known && stamp(path).is_some() {
            true => drop(wanted.files.insert(path.to_owned())),
            false => wanted.walk = true,
        }
        true
    }

    /// Whether the current read may have found `path`. In a project that is known, few folders are new.
    fn may_be_reading(&self, path: &Path) -> bool {
        self.is_running() && (!self.is_read() || HostKind::from_path(path).is_some())
    }

    /// Clears what was read.
    pub(super) fn forget(&mut self) {
        self.is_outdated = self.is_running();
        self.read = None;
        self.folders.clear();
        self.end = End::Complete;
    }

    fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Whether the files were read, apart from later changes.
    pub(super) fn is_read(&self) -> bool {
        self.read.is_some()
    }

    /// Whether changes of the files matter. A read in progress may have passed a file before it changed.
    pub(super) fn is_followed(&self) -> bool {
        self.is_read() || self.is_running()
    }

    /// Whether the last read ended before all files were read.
    pub(super) fn is_cut(&self) -> bool {
        self.end != End::Complete
    }

    /// Whether the file existed when it was read.
    pub(super) fn knows(&self, path: &Path) -> bool {
        self.read.as_ref().is_some_and(|it| it.contains_key(path))
    }

    /// Whether there were files in the folder when they were read, or before.
    pub(super) fn knows_folder(&self, path: &Path) -> bool {
        self.folders.contains(path)
    }

    /// Whether everything is read.
    pub(super) fn is_settled(&self) -> bool {
        self.read.is_some() && self.wanted.is_none() && !self.is_running()
    }

    /// What has to be read now, if anything, as the read of this `number`. One thread reads at a time.
    pub(super) fn take_job(&mut self, root: &Path, number: u64) -> Option<Job> {
        if self.is_running() {
            return None;
        }
        let mut wanted = self.wanted.take()?;
        // Single files may have been requested before everything was forgotten.
        wanted.walk |= !self.is_read();
        self.running = Some(number);
        self.is_whole = wanted.walk;
        Some(Job {
            number,
            root: root.to_owned(),
            known: self.read.clone().unwrap_or_default(),
            wanted,
        })
    }

    /// Applies the result of the read of this `number`; returns whether it counts. One that began before a reset does
    /// not.
    ///
    /// After a failure, the files count as read as far as they are known, so that nobody waits for them.
    pub(super) fn apply<T>(&mut self, number: u64, files: &ReadFiles<T>, end: End) -> bool {
        if self.running != Some(number) {
            return false;
        }
        self.running = None;
        if std::mem::take(&mut self.is_outdated) {
            self.request_all();
            return false;
        }
        if self.is_whole || end != End::Complete {
            self.end = end;
        }
        let read = Arc::make_mut(self.read.get_or_insert_default());
        for (path, found) in files {
            match found {
                Some((stamp, _)) => {
                    read.insert(path.clone(), *stamp);
                    add_folders(&mut self.folders, path);
                }
                None => drop(read.remove(path)),
            }
        }
        true
    }
}

/// Adds the folders around `path`; those around a known one are known.
fn add_folders(folders: &mut HashSet<PathBuf>, path: &Path) {
    for folder in path.ancestors().skip(1) {
        if folders.contains(folder) {
            return;
        }
        folders.insert(folder.to_owned());
    }
}

/// Something to read, on whatever thread.
#[derive(Debug)]
pub(super) struct Job {
    /// A number that no other has.
    number: u64,
    root: PathBuf,
    known: Arc<HashMap<PathBuf, Stamp>>,
    wanted: Wanted,
}

/// The progress of a work, and whether it is canceled.
pub(super) struct Progress<'a> {
    watch: &'a (dyn Fn(usize, usize) + Sync),
    is_cancelled: &'a AtomicBool,
    done: AtomicUsize,
}

impl<'a> Progress<'a> {
    pub(super) fn new(
        watch: &'a (dyn Fn(usize, usize) + Sync),
        is_cancelled: &'a AtomicBool,
    ) -> Self {
        Self {
            watch,
            is_cancelled,
            done: AtomicUsize::default(),
        }
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    fn add_one_of(&self, all: usize) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        (self.watch)(done, all);
    }
}

/// Which files below a folder are read.
#[derive(Clone, Copy)]
pub(super) struct Which {
    pub(super) is_wanted: fn(&Path) -> bool,
    /// Including those in hidden folders.
    pub(super) hidden: bool,
}

impl Which {
    /// All files that can contain signatures, including those in hidden folders.
    pub(super) fn of_strings() -> Self {
        Self {
            is_wanted: |path| HostKind::from_path(path).is_some(),
            hidden: true,
        }
    }

    /// Whether the file at `path` is one of those below `root`.
    pub(super) fn includes(self, root: &Path, path: &Path) -> bool {
        let below = path.strip_prefix(root);
        (self.is_wanted)(path) && below.is_ok_and(|it| it.iter().all(|name| self.visits(name)))
    }

    /// Whether a file or folder with this name is visited.
    fn visits(self, name: &OsStr) -> bool {
        let name = name.to_str().unwrap_or_default();
        (self.hidden || !name.starts_with('.')) && !is_not_ours(name)
    }
}

impl Job {
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The same without a walk: these are all files that have to be read.
    pub(super) fn limited_to(self, files: BTreeSet<PathBuf>) -> Self {
        let wanted = Wanted { walk: false, files };
        Self { wanted, ..self }
    }

    /// Whether it is the first read of the folder.
    pub(super) fn is_first(&self) -> bool {
        self.known.is_empty()
    }

    /// The known files that may be links to those that are wanted: a client tells of the target only.
    fn linked(&self) -> impl Iterator<Item = PathBuf> {
        let wanted = self.wanted.files.iter();
        let wanted: HashSet<_> = wanted.filter_map(|it| self.known.get(it)?.file()).collect();
        let known = self.known.iter();
        let linked = known.filter(move |(_, it)| it.file().is_some_and(|it| wanted.contains(&it)));
        linked.map(|(path, _)| path.clone())
    }

    /// Reads the files that are wanted. `prepare` gets the paths to read, in order, and returns the context of each
    /// for `read`.
    pub(super) fn run<P: Send, T: Send>(
        self,
        which: Which,
        progress: &Progress<'_>,
        prepare: impl FnOnce(Vec<PathBuf>) -> Vec<(PathBuf, P)>,
        read: impl Fn(&Path, P) -> T + Sync,
    ) -> ReadFiles<T> {
        let mut paths = self.wanted.files.clone();
        paths.extend(self.linked());
        let mut gone = Vec::new();
        if self.wanted.walk {
            let found: BTreeSet<_> = files_below(&self.root, which).into_iter().collect();
            gone.extend(self.known.keys().filter(|it| !found.contains(*it)).cloned());
            paths.extend(found);
        }
        let stamped = paths.into_par_iter().map(|path| (stamp(&path), path));
        let stamped: Vec<_> = stamped.collect();
        let mut stamps = HashMap::default();
        for (stamp, path) in stamped {
            let is_same = stamp.is_some() && self.known.get(&path) == stamp.as_ref();
            match stamp {
                Some(_) if is_same && !self.wanted.files.contains(&path) => {}
                Some(stamp) => drop(stamps.insert(path, stamp)),
                None => gone.push(path),
            }
        }
        let mut paths: Vec<_> = stamps.keys().cloned().collect();
        paths.sort_unstable();
        let prepared = prepare(paths);
        let all = prepared.len();
        let prepared = prepared.into_par_iter().with_max_len(1);
        let read = prepared.filter_map(|(path, prepared)| {
            if progress.is_cancelled() {
                return None;
            }
            let stamp = *stamps.get(&path)?;
            let found = read(&path, prepared);
            progress.add_one_of(all);
            Some((path, Some((stamp, found))))
        });
        let mut read: Vec<_> = read.collect();
        read.extend(gone.into_iter().map(|path| (path, None)));
        read
    }
}

/// Whether `path` is in the folder `root`, outside of folders that do not belong to the project.
pub(super) fn is_below(root: &Path, path: &Path) -> bool {
    let is_ours = |part: &OsStr| !part.to_str().is_some_and(is_not_ours);
    path.strip_prefix(root)
        .is_ok_and(|below| below.iter().all(is_ours))
}

fn is_not_ours(name: &str) -> bool {
    NOT_OURS.contains(&name)
}

fn files_below(root: &Path, which: Which) -> Vec<PathBuf> {
    let files = Mutex::new(Vec::new());
    files::walk(
        root,
        move |name| which.visits(name),
        |entry| {
            if let Ok(entry) = entry
                && (which.is_wanted)(&entry.path)
            {
                let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
                files.push(entry.path);
            }
        },
    );
    files.into_inner().unwrap_or_else(PoisonError::into_inner)
}
