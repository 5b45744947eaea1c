//! A log file of bounded size.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use tracing::Level;
use tracing_subscriber::fmt::{
    format::Writer,
    time::{FormatTime, SystemTime},
};

/// The length in bytes at which the file is rotated.
const LONGEST: u64 = 1 << 20;

/// A log file and the rotated one beside it.
#[derive(Debug)]
pub(super) struct LogFile {
    path: PathBuf,
    file: File,
    len: u64,
}

impl LogFile {
    /// Opens the file at `path`, or creates it.
    ///
    /// # Errors
    /// If it is not a regular file, or the system denies access.
    pub(super) fn open(path: PathBuf) -> io::Result<Self> {
        match fs::symlink_metadata(&path) {
            Ok(metadata) if !metadata.is_file() => {
                let problem = format!("{} is not a regular file", path.display());
                return Err(io::Error::other(problem));
            }
            Ok(_) | Err(_) => {}
        }
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        let len = file.metadata()?.len();
        Ok(Self { path, file, len })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a line. Write errors are ignored: a log must not stop the server.
    pub(super) fn write(&mut self, level: Level, line: &str) {
        let mut time = String::new();
        let _ = SystemTime.format_time(&mut Writer::new(&mut time));
        let line = format!("{time} {level} {}\n", line.replace(['\n', '\r'], " "));
        let len = line.len() as u64;
        if self.len > 0 && self.len + len > LONGEST {
            self.rotate();
        }
        if self.file.write_all(line.as_bytes()).is_ok() {
            self.len += len;
        }
    }

    /// Rotates the file, replacing the previous one.
    fn rotate(&mut self) {
        let old = self.path.with_extension("old.log");
        if fs::rename(&self.path, old).is_ok()
            && let Ok(new) = Self::open(self.path.clone())
        {
            *self = new;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_file_is_rotated() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("a.log");
        for round in 0..3 {
            let mut log = LogFile::open(path.clone()).unwrap();
            for line in 0..6_000 {
                log.write(Level::INFO, &format!("{round} {line} {}", "x".repeat(100)));
            }
        }
        let names = fs::read_dir(scratch.path()).unwrap();
        assert_eq!(names.count(), 2);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(" INFO 2 5999 x"), "{text}");
        for name in ["a.log", "a.old.log"] {
            let len = fs::metadata(scratch.path().join(name)).unwrap().len();
            assert!(len > 0 && len <= LONGEST, "{name}: {len}");
        }
    }

    #[test]
    fn a_line_stays_a_line() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("a.log");
        LogFile::open(path.clone())
            .unwrap()
            .write(Level::WARN, "a\nb");
        let text = fs::read_to_string(&path).unwrap();
        assert!(
            text.ends_with("Z  WARN a b\n") || text.ends_with(" WARN a b\n"),
            "{text}"
        );
        assert_eq!(text.lines().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link() {
        let scratch = tempfile::tempdir().unwrap();
        let (path, target) = (scratch.path().join("a.log"), scratch.path().join("b"));
        fs::write(&target, "b").unwrap();
        std::os::unix::fs::symlink(&target, &path).unwrap();
        assert!(LogFile::open(path).is_err());
        assert_eq!(fs::read_to_string(target).unwrap(), "b");
    }
}
