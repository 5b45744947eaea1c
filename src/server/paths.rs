//! Converts between paths and file URIs.
//!
//! A path is bytes, not text: a URI is never decoded to a string on its way to the system, so that no file is mistaken
//! for another.

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};
use tower_lsp::ls_types::Uri;

/// The characters of a path that need no encoding in a URI.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The path of a file on this machine; `None` for other schemes and hosts.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let is_file = uri.scheme().as_str().eq_ignore_ascii_case("file");
    path_beside(uri).filter(|_| is_file)
}

/// The path in a URI of any scheme, such as that of the notebook around a cell.
pub(super) fn path_beside(uri: &Uri) -> Option<PathBuf> {
    let host = uri.authority().map_or("", |it| it.host());
    let is_here = host.is_empty() || host.eq_ignore_ascii_case("localhost");
    let bytes: Vec<u8> = percent_decode_str(uri.path().as_str()).collect();
    if !is_here || bytes.contains(&0) {
        return None;
    }
    native(bytes).filter(|path| path.is_absolute())
}

/// The URI of the file at the absolute `path`.
pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    let bytes = bytes_of(path)?;
    let encoded = percent_encode(&bytes, ENCODED);
    let slash = if cfg!(windows) { "/" } else { "" };
    format!("file://{slash}{encoded}").parse().ok()
}

#[cfg(unix)]
fn native(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::{ffi::OsString, os::unix::ffi::OsStringExt};

    Some(OsString::from_vec(bytes).into())
}

#[cfg(unix)]
fn bytes_of(path: &Path) -> Option<Vec<u8>> {
    use std::os::unix::ffi::OsStrExt;

    Some(path.as_os_str().as_bytes().to_owned())
}

/// `/c:/folder` means `c:/folder`.
#[cfg(not(unix))]
fn native(bytes: Vec<u8>) -> Option<PathBuf> {
    let path = String::from_utf8(bytes).ok()?;
    Some(path.strip_prefix('/')?.into())
}

#[cfg(not(unix))]
fn bytes_of(path: &Path) -> Option<Vec<u8>> {
    Some(path.to_str()?.replace('\\', "/").into_bytes())
}

#[cfg(all(test, unix))]
mod tests {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    use super::*;

    fn uri(text: &str) -> Uri {
        text.parse().expect("a URI")
    }

    #[test]
    fn paths_are_bytes() {
        for (spelled, bytes) in [
            ("file:///lib/a.ex", &b"/lib/a.ex"[..]),
            ("file:///lib/%FF/%EF%BF%BD.ex", b"/lib/\xff/\xef\xbf\xbd.ex"),
            ("file:///pages/%5Bid%5D%20%25.md", b"/pages/[id] %.md"),
            ("file:///c%3A/lib/a.ex", b"/c:/lib/a.ex"),
        ] {
            let path = Path::new(OsStr::from_bytes(bytes));
            assert_eq!(path_of(&uri(spelled)).as_deref(), Some(path), "{spelled}");
            assert_eq!(uri_of(path), Some(uri(spelled)), "{spelled}");
        }
    }

    #[test]
    fn only_files_of_this_machine_have_a_path() {
        let here = Path::new("/lib/a.ex");
        for (spelled, expected) in [
            ("FILE:///lib/a.ex", Some(here)),
            ("file:/lib/a.ex", Some(here)),
            ("file://localhost/lib/a.ex", Some(here)),
            ("file:///lib/a.ex?x#y", Some(here)),
            ("file://server/lib/a.ex", None),
            ("file:lib/a.ex", None),
            ("file:///lib/a%00.ex", None),
            ("file://", None),
            ("untitled:a.ex", None),
            ("git:/lib/a.ex?ref", None),
        ] {
            assert_eq!(path_of(&uri(spelled)).as_deref(), expected, "{spelled}");
        }
        for (spelled, expected) in [
            ("vscode-notebook-cell:/lib/a.ex#W0", Some(here)),
            ("vscode-remote://ssh-remote+host/lib/a.ex", None),
            ("untitled:Untitled-1", None),
        ] {
            assert_eq!(path_beside(&uri(spelled)).as_deref(), expected, "{spelled}");
        }
    }
}
