//! One Elixir project: what the files below its root say of functions, read when something asks.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    index::Index,
    open::guarded,
    reading::{Job, Progress, ReadFiles, Reading, Which, is_below},
};
use crate::{
    files::read_found,
    host::elixir::module::{Facts, facts},
};

/// A project and how far it was read.
#[derive(Debug, Default)]
pub(super) struct Project {
    pub(super) index: Index,
    pub(super) reading: Reading,
}

/// Reads what files say of functions. A file that cannot be read says nothing.
pub(super) fn read(job: Job, progress: &Progress<'_>) -> ReadFiles<Arc<Facts>> {
    let prepare = |paths: Vec<PathBuf>| paths.into_iter().map(|path| (path, ())).collect();
    let which = Which {
        is_wanted: is_elixir,
        hidden: false,
    };
    job.run(which, progress, prepare, |path, ()| {
        let text = read_found(path).unwrap_or_default();
        Arc::new(guarded(|| facts(&text)).unwrap_or_default())
    })
}

/// Whether the file at `path` takes part in the project at `root` by what it says of functions.
pub(super) fn is_part(root: &Path, path: &Path) -> bool {
    is_elixir(path) && is_below(root, path)
}

fn is_elixir(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "ex")
}
