//! Walks folders like git and ripgrep do: skips what `.gitignore` and `.ignore` exclude.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    sync::mpsc,
};

use ignore::{Error, WalkBuilder, WalkState};

use super::repository_around;

/// The names of ignore files; later ones are stronger.
pub const IGNORE_FILES: [&str; 2] = [".gitignore", ".ignore"];

/// The length in bytes of the longest ignore file that is read.
const MAX_IGNORE_LEN: u64 = 1 << 20;

/// A file that a walk found.
#[derive(Debug)]
pub struct WalkEntry {
    /// Its path, which starts with that of the folder.
    pub path: PathBuf,
    /// Whether it is a regular file.
    pub is_file: bool,
}

/// Calls `visit` on several threads for everything in `folder` whose name is `wanted`.
///
/// Nothing outside of the folder is read, except for the ignore files of its repository. A folder whose ignore file is
/// a link, a pipe, a device or too long is skipped, because the walk would open it; `visit` gets an error for it.
pub fn walk(
    folder: &Path,
    wanted: impl Fn(&OsStr) -> bool + Send + Sync + 'static,
    visit: impl Fn(Result<WalkEntry, Error>) + Sync,
) {
    let real = match fs::canonicalize(folder) {
        Ok(real) => real,
        Err(error) => return visit(Err(error.into())),
    };
    if let Some(odd) = odd_ignore_file(&real) {
        return visit(Err(left_out(odd)));
    }
    let (leave_out, left) = mpsc::channel();
    let mut builder = WalkBuilder::new(&real);
    // As an ignore file of git, it would be searched up to the root of the file system.
    builder.standard_filters(false);
    for name in IGNORE_FILES {
        builder.add_custom_ignore_filename(name);
    }
    builder.filter_entry(move |entry| {
        if !wanted(entry.file_name()) {
            return false;
        }
        let is_folder = entry.file_type().is_some_and(|it| it.is_dir());
        let odd = is_folder.then(|| odd_ignore_file(entry.path())).flatten();
        let is_plain = odd.is_none();
        if let Some(odd) = odd {
            // The receiver exists until the walk ends.
            let _ = leave_out.send(left_out(odd));
        }
        is_plain
    });
    for folder in folders_above(&real) {
        for file in IGNORE_FILES.map(|name| folder.join(name)) {
            if file.exists() && is_plain(&file) {
                builder.current_dir(folder);
                // Invalid lines are skipped.
                let _ = builder.add_ignore(file);
            }
        }
    }
    builder.build_parallel().run(|| {
        Box::new(|entry| {
            visit(entry.map(|entry| WalkEntry {
                is_file: entry.file_type().is_some_and(|it| it.is_file()),
                path: match entry.path().strip_prefix(&real) {
                    Ok(below) => folder.join(below),
                    Err(_) => entry.into_path(),
                },
            }));
            WalkState::Continue
        })
    });
    for error in left.try_iter() {
        visit(Err(error));
    }
}

/// Reports that a folder is skipped because of this ignore file of it.
fn left_out(file: PathBuf) -> Error {
    let problem = format!(
        "it is not a regular file of at most {} MiB, so its folder is left out",
        MAX_IGNORE_LEN >> 20
    );
    Error::WithPath {
        path: file,
        err: Box::new(io::Error::other(problem).into()),
    }
}

/// The folders of its repository around `folder`, outermost first.
fn folders_above(folder: &Path) -> Vec<&Path> {
    let Some(repository) = repository_around(folder) else {
        return Vec::new();
    };
    let above = folder.ancestors().skip(1);
    let mut above: Vec<_> = above.take_while(|it| it.starts_with(repository)).collect();
    above.reverse();
    above
}

/// The ignore file of `folder` that must not be read, if there is one.
fn odd_ignore_file(folder: &Path) -> Option<PathBuf> {
    let mut files = IGNORE_FILES.iter().map(|name| folder.join(name));
    files.find(|file| !is_plain(file))
}

/// Whether there is no such file, or a regular one that is short enough.
fn is_plain(file: &Path) -> bool {
    match fs::symlink_metadata(file) {
        Ok(metadata) => metadata.is_file() && metadata.len() <= MAX_IGNORE_LEN,
        Err(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    fn found(folder: &Path) -> Vec<String> {
        let found = Mutex::new(Vec::new());
        walk(
            folder,
            |name| name != "deps",
            |entry| {
                let entry = entry.unwrap();
                if entry.is_file {
                    let below = entry.path.strip_prefix(folder).unwrap();
                    found.lock().unwrap().push(below.display().to_string());
                }
            },
        );
        let mut found = found.into_inner().unwrap();
        found.sort();
        found
    }

    #[test]
    fn ignore_files_count_up_to_the_repository() {
        let scratch = tempfile::tempdir().unwrap();
        for (name, text) in [
            (".gitignore", "*.ex\n"),
            ("repository/.git/HEAD", ""),
            ("repository/.git/info/exclude", "*"),
            ("repository/.gitignore", "/app/lib/b.ex\n*.sig\nout/\n"),
            ("repository/app/.gitignore", "!c.sig\n"),
            ("repository/app/lib/a.ex", ""),
            ("repository/app/lib/b.ex", ""),
            ("repository/app/lib/b/b.ex", ""),
            ("repository/app/lib/c.sig", ""),
            ("repository/app/lib/d.sig", ""),
            ("repository/.ignore", "/app/lib/fixtures/\n"),
            ("repository/app/.ignore", "e.sig\n"),
            ("repository/app/lib/fixtures/a.ex", ""),
            ("repository/app/lib/e.sig", ""),
            ("repository/app/lib/out/e.ex", ""),
            ("repository/app/lib/deps/f.ex", ""),
            ("repository/app/lib/.hidden/g.ex", ""),
        ] {
            let path = scratch.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let expected = [".hidden/g.ex", "a.ex", "b/b.ex", "c.sig"];
        assert_eq!(found(&scratch.path().join("repository/app/lib")), expected);
        assert_eq!(
            found(&scratch.path().join("repository/app/lib/out")),
            ["e.ex"]
        );
        fs::remove_dir_all(scratch.path().join("repository/.git")).unwrap();
        let alone = found(&scratch.path().join("repository/app/lib"));
        assert_eq!(
            alone,
            [
                ".hidden/g.ex",
                "a.ex",
                "b.ex",
                "b/b.ex",
                "c.sig",
                "d.sig",
                "e.sig",
                "fixtures/a.ex",
                "out/e.ex"
            ]
        );
    }
}
