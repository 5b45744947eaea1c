//! Walking folders as git does: what `.gitignore` names is left out.

use std::{fs, path::Path};

use ignore::{DirEntry, WalkBuilder};

/// The length in bytes of the longest `.gitignore` that is read.
const MAX_IGNORE_LEN: u64 = 1 << 20;

/// A walk through `folders` and what is `wanted` below them; `None` where there is nothing to walk.
///
/// The user's own settings of git are not read, as they lie outside of the project. A folder whose `.gitignore` is a
/// link, a pipe or a device is left out, since the walk would open it.
pub fn walk<'a>(
    folders: impl IntoIterator<Item = &'a Path>,
    wanted: impl Fn(&DirEntry) -> bool + Send + Sync + 'static,
) -> Option<WalkBuilder> {
    let mut folders = folders.into_iter().filter(|it| has_plain_ignore_file(it));
    let mut builder = WalkBuilder::new(folders.next()?);
    for folder in folders {
        builder.add(folder);
    }
    builder
        .ignore(false)
        .git_global(false)
        .require_git(false)
        .filter_entry(move |entry| {
            let is_folder = entry.file_type().is_some_and(|it| it.is_dir());
            wanted(entry) && (!is_folder || has_plain_ignore_file(entry.path()))
        });
    Some(builder)
}

fn has_plain_ignore_file(folder: &Path) -> bool {
    match fs::symlink_metadata(folder.join(".gitignore")) {
        Ok(metadata) => metadata.is_file() && metadata.len() <= MAX_IGNORE_LEN,
        Err(_) => true,
    }
}
