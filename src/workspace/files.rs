//! The identity of files.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use foldhash::HashMap;

/// The identity of a file of the workspace; it does not change while the workspace lives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// The source of a file's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// From the disk, unless the file is open.
    Disk(Arc<Path>),
    /// An editor only. It takes part in the project at the path, such as a cell of a notebook there.
    Beside(Arc<Path>),
    /// An editor only; it belongs to no project.
    Nowhere,
}

impl Origin {
    /// The path for its settings and its project.
    pub fn place(&self) -> Option<&Path> {
        match self {
            Self::Disk(path) | Self::Beside(path) => Some(path),
            Self::Nowhere => None,
        }
    }

    /// The path of the file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Disk(path) => Some(path),
            Self::Beside(_) | Self::Nowhere => None,
        }
    }
}

/// All files that have an identity.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// Readers keep these while they run.
    origins: Arc<Vec<Origin>>,
    by_path: HashMap<Arc<Path>, FileId>,
}

impl Files {
    /// The file at `path`.
    pub(super) fn at(&mut self, path: &Path) -> FileId {
        if let Some(&file) = self.by_path.get(path) {
            return file;
        }
        let path: Arc<Path> = path.into();
        let file = self.add(Origin::Disk(Arc::clone(&path)));
        self.by_path.insert(path, file);
        file
    }

    /// A file with a new identity.
    pub(super) fn add(&mut self, origin: Origin) -> FileId {
        // No machine has the memory for more.
        let file = FileId(u32::try_from(self.origins.len()).unwrap_or(u32::MAX));
        Arc::make_mut(&mut self.origins).push(origin);
        file
    }

    pub(super) fn origin(&self, file: FileId) -> &Origin {
        origin(&self.origins, file)
    }

    /// A copy of all origins.
    pub(super) fn origins(&self) -> Arc<Vec<Origin>> {
        Arc::clone(&self.origins)
    }
}

/// The origin of `file` among those of all files.
pub(super) fn origin(origins: &[Origin], file: FileId) -> &Origin {
    origins.get(file.0 as usize).unwrap_or(&Origin::Nowhere)
}

/// `path` as an absolute path.
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
