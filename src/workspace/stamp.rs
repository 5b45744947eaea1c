//! Stamps of files, which change with their contents.

use std::{
    fs::{self, Metadata},
    path::Path,
    time::SystemTime,
};

/// Facts that reveal a change of a file without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
    /// If the system reports it: editors replace files by new ones with the same name.
    inode: u64,
}

impl Stamp {
    /// A number that paths of one file share; `None` if the system does not report it.
    pub(super) fn file(&self) -> Option<u64> {
        (self.inode != 0).then_some(self.inode)
    }
}

/// The stamp of the file at `path`; `None` if it cannot be read.
pub(super) fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(path).ok().filter(Metadata::is_file)?;
    Some(Stamp {
        len: metadata.len(),
        modified: metadata.modified().ok(),
        inode: inode(&metadata),
    })
}

#[cfg(unix)]
fn inode(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn inode(_: &Metadata) -> u64 {
    0
}
