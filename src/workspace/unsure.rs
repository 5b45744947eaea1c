//! Files that the client did not report as they are on the disk.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// The maximum number of files.
const MOST: usize = 1_000;

/// The files to look at again before the next request: those that a reader found changed, and those of events without a
/// file, which may come before it.
#[derive(Debug, Default)]
pub(super) struct Unsure(Mutex<BTreeSet<PathBuf>>);

impl Unsure {
    /// Adds a file.
    pub(super) fn add(&self, path: &Path) {
        let mut paths = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if paths.len() < MOST {
            paths.insert(path.to_owned());
        }
    }

    /// Takes all files.
    pub(super) fn take(&self) -> BTreeSet<PathBuf> {
        let mut paths = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *paths)
    }
}
