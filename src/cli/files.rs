//! The files that a command reads.
//!
//! Folders are walked like ripgrep does: files in `.gitignore` and `.ignore` and `.git` itself are skipped. A file that is
//! named on the command line is always read.

use std::{
    collections::hash_map::Entry,
    ffi::OsString,
    fmt, fs,
    io::{self, BufRead},
    path::{Component, MAIN_SEPARATOR, Path, PathBuf},
    sync::Mutex,
};

use foldhash::HashMap;

use crate::{
    files::{self, ReadError},
    workspace::catalogs::{BEGINNING, is_misnamed},
};
use signature_ls_source::host::{HostKind, MOST_UNITS};

/// A file that was read.
#[derive(Debug)]
pub(super) struct SourceFile {
    /// The path as the user wrote it, or below the folder that the user wrote.
    pub(super) path: PathBuf,
    /// Its kind.
    pub(super) kind: HostKind,
    /// Its text.
    pub(super) text: String,
}

/// Why a path could not be read.
#[derive(Debug)]
pub(super) struct Unread {
    path: PathBuf,
    reason: Reason,
}

#[derive(Debug)]
enum Reason {
    Read(ReadError),
    Walk(ignore::Error),
    UnknownKind,
    Overfull,
    Panicked,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = shown(&self.path);
        match &self.reason {
            Reason::Read(error) => write!(f, "cannot read {path}: {error}"),
            Reason::Walk(error) => write!(f, "{error}"),
            Reason::UnknownKind => {
                write!(
                    f,
                    "cannot read {path}: no signatures are known in this kind of file"
                )
            }
            Reason::Overfull => write!(
                f,
                "cannot read {path}: it has more than {MOST_UNITS} signatures and prompts"
            ),
            Reason::Panicked => write!(
                f,
                "cannot read {path}: signature-ls failed; please report it"
            ),
        }
    }
}

impl Unread {
    /// The file at `path`, in which there is too much to analyze.
    pub(super) fn overfull(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            reason: Reason::Overfull,
        }
    }

    /// The file at `path`, whose extension is not one of ours.
    fn unknown_kind(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            reason: Reason::UnknownKind,
        }
    }

    /// Whether there is too much in it to analyze.
    pub(super) fn is_overfull(&self) -> bool {
        matches!(self.reason, Reason::Overfull)
    }

    /// Its path; empty if that is unknown.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file at `path`, whose analysis panicked.
    pub(super) fn panicked(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            reason: Reason::Panicked,
        }
    }
}

/// The files below some paths.
pub(super) struct Listing {
    /// Those that can hold signatures, sorted.
    pub(super) files: Vec<(PathBuf, HostKind)>,
    /// What looks like one of them, but is a link or no regular file: a command does not read it.
    pub(super) links: Vec<PathBuf>,
    /// What could not be read.
    pub(super) unread: Vec<Unread>,
}

impl Listing {
    /// The file at `path`, which does not need to exist.
    pub(super) fn of(path: &Path) -> Self {
        let mut listing = Self {
            files: Vec::new(),
            links: Vec::new(),
            unread: Vec::new(),
        };
        match HostKind::from_path(path) {
            Some(kind) => listing.files.push((path.to_owned(), kind)),
            None => listing.unread.push(Unread::unknown_kind(path)),
        }
        listing
    }
}

/// The paths of the files that were found, keyed by their canonical paths, of which all bytes count.
#[derive(Default)]
struct Found {
    files: HashMap<OsString, PathBuf>,
    links: Vec<PathBuf>,
}

impl Found {
    /// Adds a file; of several paths to it, a relative one is preferred, else the first.
    fn add(&mut self, file: File) {
        let order = |path: &PathBuf| (path.is_absolute(), path.clone());
        match self.files.entry(file.real.into_os_string()) {
            Entry::Vacant(entry) => drop(entry.insert(file.shown)),
            Entry::Occupied(mut entry) if order(&file.shown) < order(entry.get()) => {
                entry.insert(file.shown);
            }
            Entry::Occupied(_) => {}
        }
    }

    fn sorted(self) -> Vec<PathBuf> {
        let mut paths: Vec<_> = self.files.into_values().collect();
        // As paths are compared, part by part, but that takes long.
        paths.sort_by_cached_key(|path| path.to_string_lossy().replace(MAIN_SEPARATOR, "\0"));
        paths
    }
}

/// The files below `paths`.
pub(super) fn find(paths: &[PathBuf]) -> Listing {
    let mut files = Found::default();
    let mut unread = Vec::new();
    let mut folders = Vec::new();
    for path in paths {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => folders.push(path.as_path()),
            Ok(_) if HostKind::from_path(path).is_some() => files.add(File::at(path)),
            Ok(_) => unread.push(Unread::unknown_kind(path)),
            Err(error) => unread.push(Unread {
                path: path.clone(),
                reason: Reason::Read(error.into()),
            }),
        }
    }
    for folder in folders {
        walk(folder, &mut files, &mut unread);
    }
    let links = std::mem::take(&mut files.links);
    let with_kind = |path: PathBuf| HostKind::from_path(&path).map(|kind| (path, kind));
    let files = files.sorted().into_iter().filter_map(with_kind).collect();
    Listing {
        files,
        links,
        unread,
    }
}

fn walk(folder: &Path, into: &mut Found, unread: &mut Vec<Unread>) {
    let root = File::at(folder);
    let found = Mutex::new((into, unread));
    let visit = |entry: Result<files::WalkEntry, ignore::Error>| {
        let file = match entry {
            Ok(entry) if !is_ours(&entry) => return,
            Ok(entry) => Ok((root.below(folder, &entry.path), entry.is_file)),
            Err(error) => Err(error),
        };
        let Ok(mut found) = found.lock() else {
            return;
        };
        match file {
            Ok((file, true)) => found.0.add(file),
            Ok((link, false)) => found.0.links.push(link.shown),
            Err(error) => found.1.push(Unread {
                path: PathBuf::new(),
                reason: Reason::Walk(error),
            }),
        }
    };
    files::walk(folder, |name| name != ".git", visit);
}

fn is_ours(entry: &files::WalkEntry) -> bool {
    match HostKind::from_path(&entry.path) {
        Some(HostKind::Catalog) => !entry.is_file || begins_as_catalog(&entry.path),
        Some(_) => true,
        None => false,
    }
}

/// Whether the file at `path` starts like a catalog. Read errors are reported later.
fn begins_as_catalog(path: &Path) -> bool {
    let beginning = files::read_beginning(path, BEGINNING);
    beginning.map_or(true, |it| !is_misnamed(path, &it))
}

/// A path to a file.
struct File {
    /// The canonical path.
    real: PathBuf,
    shown: PathBuf,
}

impl File {
    /// The file at `path` that a walk of `folder` found. A walk follows no links, so no path has to be resolved.
    fn below(&self, folder: &Path, path: &Path) -> Self {
        match path.strip_prefix(folder) {
            Ok(rest) => Self {
                real: self.real.join(rest),
                shown: self.shown.join(rest),
            },
            Err(_) => Self::at(path),
        }
    }

    fn at(path: &Path) -> Self {
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let plain = plain(path);
        // The folder before `..` may be a link, so the path cannot be shortened.
        let is_at_real = |plain: &Path| fs::canonicalize(plain).is_ok_and(|it| it == real);
        let is_same = plain == path || is_at_real(&Path::new(".").join(&plain));
        let shown = if is_same { plain } else { path.to_owned() };
        Self { real, shown }
    }
}

/// `path` without `.`, and without folders that are followed by `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(plain.components().next_back(), Some(Component::Normal(_))) =>
            {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// Reads a file of that kind; its text from stdin if it `is_stdin`.
pub(super) fn read(path: &Path, kind: HostKind, is_stdin: bool) -> Result<SourceFile, Unread> {
    Ok(SourceFile {
        path: path.to_owned(),
        kind,
        text: text_of(path, is_stdin)?,
    })
}

/// The text of the file at `path` of any kind; of stdin if it is `-`.
pub(super) fn read_text(path: &Path) -> Result<String, Unread> {
    text_of(path, path.as_os_str() == "-")
}

/// Calls `read` with the file at `path` of any kind; with stdin if it is `-`.
pub(super) fn open_text(
    path: &Path,
    read: impl FnOnce(&mut dyn BufRead) -> Result<(), ReadError>,
) -> Result<(), Unread> {
    let outcome = match path.as_os_str() == "-" {
        true => read(&mut io::stdin().lock()),
        false => files::open(path).and_then(|file| read(&mut io::BufReader::new(file))),
    };
    outcome.map_err(|error| unread(path, error))
}

fn text_of(path: &Path, is_stdin: bool) -> Result<String, Unread> {
    let text = match is_stdin {
        true => files::read_stream(io::stdin().lock()),
        false => files::read_named(path),
    };
    text.map_err(|error| unread(path, error))
}

fn unread(path: &Path, error: ReadError) -> Unread {
    Unread {
        path: path.to_owned(),
        reason: Reason::Read(error),
    }
}

/// A path as reports show it; only for display, since not every path is UTF-8.
pub(super) fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
