//! Reads and replaces files: the only code that opens one, apart from the log.
//!
//! Repositories are not trusted. Only regular files are opened, so that a pipe or a device cannot block or flood the
//! process; no file is read beyond [`LONGEST`]; and a symbolic link is only followed if the user named it or if it
//! stays in its project.

mod attributes;
mod replace;
mod walk;

use std::{
    fmt,
    fs::{self, File, OpenOptions},
    io::{self, Read},
    path::Path,
};

pub use replace::{ReplaceError, replace};
pub use walk::{IGNORE_FILES, WalkEntry, walk};

/// The length in bytes of the longest file or document that is analyzed.
pub const LONGEST: u32 = 32 << 20;

/// The name of what makes a folder the root of a repository.
pub const REPOSITORY: &str = ".git";

/// Why a file was not read.
#[derive(Debug)]
pub enum ReadError {
    /// A system error.
    Io(io::Error),
    /// It is a folder, a pipe, a socket or a device.
    NotRegular,
    /// It is longer than [`LONGEST`].
    TooLong,
    /// It is a symbolic link to a file outside its project.
    LeavesProject,
    /// It is not text.
    NotUtf8 {
        /// The line of the first invalid byte, from 1.
        line: usize,
    },
}

impl ReadError {
    /// Whether there is no such file.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NotRegular => f.write_str("it is not a regular file"),
            Self::TooLong => write!(f, "it is larger than {} MiB", LONGEST >> 20),
            Self::LeavesProject => {
                f.write_str("it is a symbolic link to a file outside its project")
            }
            Self::NotUtf8 { line } => write!(f, "line {line} is not valid UTF-8"),
        }
    }
}

/// The text of a file that the user named; links are followed.
///
/// # Errors
/// If it is not a regular file of text within the limit.
pub fn read_named(path: &Path) -> Result<String, ReadError> {
    decode(read_bytes(path)?)
}

/// The text of a file that was found in a project; links are followed only within that project.
///
/// # Errors
/// If it is not a regular file of text within the limit, or is outside of the project.
pub fn read_found(path: &Path) -> Result<String, ReadError> {
    if fs::symlink_metadata(path)?.is_symlink() && !stays_in_project(path)? {
        return Err(ReadError::LeavesProject);
    }
    read_named(path)
}

/// The first `len` bytes of a file, or fewer.
///
/// # Errors
/// If it is not a regular file.
pub fn read_beginning(path: &Path, len: u32) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    open(path)?.take(len.into()).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The whole text of `input`.
///
/// # Errors
/// If it fails, is not UTF-8 or exceeds the limit.
pub fn read_stream(input: impl Read) -> Result<String, ReadError> {
    decode(read_all(input)?)
}

/// Opens a regular file for reading.
///
/// # Errors
/// If there is none.
pub fn open(path: &Path) -> Result<File, ReadError> {
    Ok(open_with_len(path)?.0)
}

/// Opens a regular file; also returns its length.
fn open_with_len(path: &Path) -> Result<(File, u64), ReadError> {
    // Opening a device or a pipe may block or have effects.
    if !fs::metadata(path)?.is_file() {
        return Err(ReadError::NotRegular);
    }
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // The file may have become a pipe meanwhile.
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path)?;
    match file.metadata()? {
        found if found.is_file() => Ok((file, found.len())),
        _ => Err(ReadError::NotRegular),
    }
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    let (mut file, len) = open_with_len(path)?;
    let len = usize::try_from(len).unwrap_or(usize::MAX);
    if len > LONGEST as usize {
        return Err(ReadError::TooLong);
    }
    // With one spare byte, a read that does not fill it has reached the end of the file.
    let mut bytes = vec![0; len + 1];
    let mut read = 0;
    while read < bytes.len() {
        match file.read(&mut bytes[read..]) {
            Ok(0) => break,
            Ok(count) => {
                read += count;
                if read == len {
                    break;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    let has_grown = read == bytes.len();
    bytes.truncate(read);
    if has_grown {
        bytes.extend(read_all(file)?);
    }
    match bytes.len() > LONGEST as usize {
        true => Err(ReadError::TooLong),
        false => Ok(bytes),
    }
}

fn read_all(input: impl Read) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    let read = input.take(u64::from(LONGEST) + 1).read_to_end(&mut bytes)?;
    match u32::try_from(read) {
        Ok(len) if len <= LONGEST => Ok(bytes),
        _ => Err(ReadError::TooLong),
    }
}

/// `bytes` as text.
///
/// # Errors
/// If they are not UTF-8.
pub fn decode(bytes: Vec<u8>) -> Result<String, ReadError> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        ReadError::NotUtf8 {
            line: valid.split(|&byte| byte == b'\n').count(),
        }
    })
}

/// Whether the link at `path` leads to a file in the project around it.
fn stays_in_project(path: &Path) -> io::Result<bool> {
    let target = fs::canonicalize(path)?;
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    Ok(target.starts_with(project_around(&fs::canonicalize(folder)?)))
}

/// The repository around `folder`, else the outermost Mix project, else the folder itself.
fn project_around(folder: &Path) -> &Path {
    let has_mix = |it: &&Path| it.join("mix.exs").exists();
    let mix = || folder.ancestors().filter(has_mix).last();
    repository_around(folder).or_else(mix).unwrap_or(folder)
}

/// The root of the repository around `folder`.
pub fn repository_around(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|it| is_repository(it))
}

/// Whether `folder` is the root of a repository.
pub fn is_repository(folder: &Path) -> bool {
    folder.join(REPOSITORY).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_read_up_to_the_limit() {
        let len = usize::try_from(LONGEST).unwrap();
        assert_eq!(read_stream(&*vec![b' '; len]).unwrap().len(), len);
        let endless = read_stream(io::repeat(0));
        assert!(matches!(endless, Err(ReadError::TooLong)));
        let broken = read_stream(&b"a\nb\xff"[..]);
        assert!(matches!(broken, Err(ReadError::NotUtf8 { line: 2 })));
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_in_the_project_are_read() {
        use std::os::unix::fs::symlink;

        let scratch = tempfile::tempdir().unwrap();
        let at = |name: &str| scratch.path().join(name);
        fs::create_dir_all(at("project/lib")).unwrap();
        fs::write(at("project/mix.exs"), "mix").unwrap();
        fs::write(at("secret"), "secret").unwrap();
        symlink("../mix.exs", at("project/lib/inside.ex")).unwrap();
        symlink("../../secret", at("project/lib/outside.ex")).unwrap();
        symlink("/dev/zero", at("project/lib/device.ex")).unwrap();
        symlink("circle.ex", at("project/lib/circle.ex")).unwrap();
        let pipe = std::process::Command::new("mkfifo")
            .arg(at("project/lib/pipe.ex"))
            .status();
        assert!(pipe.unwrap().success());

        let read = |name: &str| {
            let read = read_found(&at(&format!("project/lib/{name}")));
            read.map_err(|error| error.to_string())
        };
        assert_eq!(read("inside.ex").as_deref(), Ok("mix"));
        for name in ["outside.ex", "device.ex"] {
            assert!(read(name).unwrap_err().contains("outside its project"));
        }
        assert_eq!(
            read("pipe.ex").unwrap_err(),
            ReadError::NotRegular.to_string()
        );
        assert!(read("circle.ex").is_err());
        assert!(
            read_found(&at("project/lib/none.ex"))
                .unwrap_err()
                .is_not_found()
        );

        let named = |name: &str| read_named(&at(&format!("project/lib/{name}")));
        assert_eq!(named("outside.ex").unwrap(), "secret");
        for name in ["device.ex", "pipe.ex", ""] {
            assert!(matches!(named(name), Err(ReadError::NotRegular)), "{name}");
        }
    }

    #[test]
    fn a_file_over_the_limit_is_not_read() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("long.ex");
        let file = File::create(&path).unwrap();
        file.set_len(1 << 30).unwrap();
        assert!(matches!(read_named(&path), Err(ReadError::TooLong)));
        assert_eq!(read_beginning(&path, 4).unwrap(), [0; 4]);
    }
}
