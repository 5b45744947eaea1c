//! Reading files, the one place below `server` and `cli` that does.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read},
    path::Path,
    time::SystemTime,
};

/// The longest file that is read, in bytes.
const MAX_LEN: u64 = 64 * 1024 * 1024;

/// What tells that a file was changed without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
    /// Where the system tells it: editors replace files by others of the same name.
    inode: u64,
}

/// The stamp of the file at `path`; `None` where there is none that can be read.
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

/// Reads a regular file of bounded length.
///
/// # Errors
/// Where there is no such file, or its text is not UTF-8.
pub(super) fn read(path: &Path) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut text = String::new();
    let mut file = File::open(path)?.take(MAX_LEN + 1);
    if file.read_to_string(&mut text)? as u64 > MAX_LEN {
        return Err(io::Error::other("it is too long"));
    }
    Ok(text)
}
