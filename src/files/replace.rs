//! Replaces the text of a file atomically.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Write},
    path::Path,
};

use tempfile::Builder;

use super::{ReadError, attributes, read_bytes};

/// Why a file was not replaced; it is unchanged then.
#[derive(Debug)]
pub enum ReplaceError {
    /// A system error.
    Io(io::Error),
    /// It cannot be read again.
    Unreadable(ReadError),
    /// It is a symbolic link, or has several hard links.
    Link,
    /// It was changed after it was read.
    Changed,
    /// An extended attribute about access cannot be kept.
    Attribute(String, io::Error),
}

impl From<io::Error> for ReplaceError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for ReplaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Unreadable(error) => error.fmt(f),
            Self::Link => f.write_str("it is a link; name the file itself"),
            Self::Changed => f.write_str("it was changed after it was read"),
            Self::Attribute(name, error) => {
                write!(f, "its attribute `{name}` cannot be kept: {error}")
            }
        }
    }
}

/// Replaces `old`, the text that was read from the file at `path`, by `new`.
///
/// The text is written to a temporary file beside it, which is then renamed, so that the file is never incomplete.
/// On Linux the temporary file has no name until it is complete, so that nothing of it is left if the program is
/// killed while it writes. Owner, permissions and extended attributes are kept.
///
/// # Errors
/// If the file is a link or read-only, no longer contains `old`, or cannot be written.
pub fn replace(path: &Path, old: &str, new: &str) -> Result<(), ReplaceError> {
    let metadata = fs::symlink_metadata(path)?;
    if metadata.is_symlink() || has_other_names(&metadata) {
        return Err(ReplaceError::Link);
    }
    if metadata.permissions().readonly() {
        return Err(io::Error::from(io::ErrorKind::PermissionDenied).into());
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut named = Builder::new();
    named.prefix(".signature-ls-");
    let prepare = |file: &File| -> Result<(), ReplaceError> {
        fill(file, new, path, &metadata)?;
        match read_bytes(path).map_err(ReplaceError::Unreadable)? == old.as_bytes() {
            true => Ok(()),
            false => Err(ReplaceError::Changed),
        }
    };
    match unnamed::create(folder) {
        Some(file) => {
            prepare(&file)?;
            let link = |path: &Path| unnamed::link(&file, path);
            let file = named.make_in(folder, link)?;
            file.persist(path).map_err(|failed| failed.error)?;
        }
        None => {
            let file = named.tempfile_in(folder)?;
            prepare(file.as_file())?;
            file.persist(path).map_err(|failed| failed.error)?;
        }
    }
    Ok(())
}

/// Writes `text` to `file`, and gives it the owner, the attributes and the permissions of the file at `path`, which it
/// replaces. The permissions are last, so that nobody can open the file before its access control list is set.
fn fill(
    mut file: &File,
    text: &str,
    path: &Path,
    replaced: &fs::Metadata,
) -> Result<(), ReplaceError> {
    file.write_all(text.as_bytes())?;
    keep_owner(file, replaced)?;
    attributes::keep(file, path)?;
    file.set_permissions(replaced.permissions())?;
    Ok(file.sync_all()?)
}

/// Files that have no name at first.
#[cfg(target_os = "linux")]
mod unnamed {
    use std::{fs::File, io, os::fd::AsRawFd, path::Path};

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};

    /// The open files of this process.
    const OPEN_FILES: &str = "/proc/self/fd";

    /// A file in `folder`; `None` where the file system has no such files.
    pub(super) fn create(folder: &Path) -> Option<File> {
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        let file = open(folder, flags, Mode::RUSR | Mode::WUSR).ok()?;
        Path::new(OPEN_FILES).is_dir().then(|| file.into())
    }

    /// Names it.
    pub(super) fn link(file: &File, path: &Path) -> io::Result<()> {
        let own = Path::new(OPEN_FILES).join(file.as_raw_fd().to_string());
        Ok(linkat(CWD, &own, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
    }
}

/// Other systems have no such files.
#[cfg(not(target_os = "linux"))]
mod unnamed {
    use std::{fs::File, io, path::Path};

    pub(super) fn create(_: &Path) -> Option<File> {
        None
    }

    pub(super) fn link(_: &File, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Whether the file has other hard links, which would keep the old text.
#[cfg(unix)]
fn has_other_names(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

/// Gives `file` the owner of the file that it replaces: a user who can write a file need not own it.
#[cfg(unix)]
fn keep_owner(file: &fs::File, replaced: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};

    let own = file.metadata()?;
    match (own.uid(), own.gid()) == (replaced.uid(), replaced.gid()) {
        true => Ok(()),
        false => fchown(file, Some(replaced.uid()), Some(replaced.gid())),
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &fs::File, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn has_other_names(_: &fs::Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_file_is_replaced_unless_it_was_changed() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("a.sig");
        fs::write(&path, "old").unwrap();
        replace(&path, "old", "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        let error = replace(&path, "old", "newer").unwrap_err();
        assert!(matches!(error, ReplaceError::Changed));
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        fs::remove_file(&path).unwrap();
        assert!(replace(&path, "new", "newer").is_err());
        assert_eq!(names(scratch.path()), 0);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_are_respected() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("a.sig");
        fs::write(&path, "old").unwrap();
        let mode = |mode| fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();

        mode(0o751);
        replace(&path, "old", "new").unwrap();
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o751
        );

        mode(0o444);
        assert!(matches!(
            replace(&path, "new", "x"),
            Err(ReplaceError::Io(_))
        ));
        mode(0o644);

        let link = scratch.path().join("link.sig");
        symlink(&path, &link).unwrap();
        assert!(matches!(
            replace(&link, "new", "x"),
            Err(ReplaceError::Link)
        ));
        let other = scratch.path().join("other.sig");
        fs::hard_link(&path, &other).unwrap();
        assert!(matches!(
            replace(&path, "new", "x"),
            Err(ReplaceError::Link)
        ));
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(scratch.path()), 3);
    }
}
