//! The files that a command reads: those below paths, or a text from standard input in the place of one.

use std::path::{Path, PathBuf};

use super::files::{self, Listing, SourceFile, Unread};
use signature_ls_source::host::HostKind;

/// The paths of a command.
#[derive(clap::Args)]
pub(super) struct Sources {
    /// Read the text of this file from standard input. The file does not need to exist.
    #[arg(long, value_name = "PATH", conflicts_with = "paths")]
    stdin_filename: Option<PathBuf>,
    /// Files and folders.
    #[arg(required_unless_present = "stdin_filename", value_name = "PATH")]
    paths: Vec<PathBuf>,
}

impl Sources {
    /// The files and folders at `paths`.
    pub(super) fn of(paths: Vec<PathBuf>) -> Self {
        Self {
            stdin_filename: None,
            paths,
        }
    }

    /// Whether the text comes from standard input.
    pub(super) fn is_stdin(&self) -> bool {
        self.stdin_filename.is_some()
    }

    /// The files and folders, or the file whose text is read from standard input.
    pub(super) fn roots(&self) -> &[PathBuf] {
        match &self.stdin_filename {
            Some(path) => std::slice::from_ref(path),
            None => &self.paths,
        }
    }

    /// The files that can hold signatures.
    pub(super) fn find(&self) -> Listing {
        match &self.stdin_filename {
            Some(path) => Listing::of(path),
            None => files::find(&self.paths),
        }
    }

    /// Reads one of the files.
    pub(super) fn read(&self, path: &Path, kind: HostKind) -> Result<SourceFile, Unread> {
        files::read(path, kind, self.is_stdin())
    }
}
