//! The extended attributes of a file. Some of them say who may use it, such as an access control list.

pub(super) use system::keep;

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod system {
    use std::{
        ffi::{CStr, CString},
        fs::File,
        path::Path,
    };

    use rustix::{
        fs::{
            XattrFlags, fgetxattr, fgetxattr_query, flistxattr, flistxattr_query, fremovexattr,
            fsetxattr, lgetxattr, lgetxattr_query, llistxattr, llistxattr_query,
        },
        io::{Errno, Result},
    };

    use crate::files::ReplaceError;

    /// An access control list. A new file gets one from some folders.
    const ACCESS_LIST: &[u8] = b"system.posix_acl_access";

    /// What depends on the text of the file: the system drops or computes it when the text is written.
    const OF_TEXT: [&[u8]; 3] = [b"security.capability", b"security.evm", b"security.ima"];

    /// Gives `file` the attributes of the file at `path`, and removes an access control list that the other does not
    /// have. An attribute that has nothing to do with access may get lost.
    ///
    /// # Errors
    /// If an attribute about access cannot be kept.
    pub(in crate::files) fn keep(
        file: &File,
        path: &Path,
    ) -> std::result::Result<(), ReplaceError> {
        let kept = names(|| llistxattr_query(path), |all| llistxattr(path, all))?;
        for name in kept.iter().filter(|it| !OF_TEXT.contains(&it.as_bytes())) {
            let query = || lgetxattr_query(path, name);
            let value = read(query, |value| lgetxattr(path, name, value));
            let set = value.and_then(|it| set(file, name, &it));
            set.or_else(|error| refuse(name, error))?;
        }
        let own = names(|| flistxattr_query(file), |all| flistxattr(file, all))?;
        let is_added = |it: &&CString| it.as_bytes() == ACCESS_LIST && !kept.contains(it);
        if let Some(added) = own.iter().find(is_added) {
            fremovexattr(file, added).or_else(|error| refuse(added, error))?;
        }
        Ok(())
    }

    fn set(file: &File, name: &CStr, value: &[u8]) -> Result<()> {
        let query = || fgetxattr_query(file, name);
        match read(query, |own| fgetxattr(file, name, own)) {
            // Not everybody may set a label of the system, even the same one.
            Ok(own) if own == value => Ok(()),
            _ => fsetxattr(file, name, value, XattrFlags::empty()),
        }
    }

    /// The error that an attribute cannot be kept, if it is about access.
    pub(super) fn refuse(name: &CStr, error: Errno) -> std::result::Result<(), ReplaceError> {
        let name = name.to_string_lossy();
        match name.starts_with("system.") || name.starts_with("security.") {
            true => Err(ReplaceError::Attribute(name.into_owned(), error.into())),
            false => Ok(()),
        }
    }

    /// The names of a list of attributes; none where the file system has no attributes.
    fn names(
        query: impl Fn() -> Result<usize>,
        list: impl Fn(&mut [u8]) -> Result<usize>,
    ) -> std::io::Result<Vec<CString>> {
        let all = match read(query, list) {
            Err(Errno::NOTSUP) => Vec::new(),
            all => all?,
        };
        let names = all.split(|byte| *byte == 0).filter(|it| !it.is_empty());
        Ok(names.filter_map(|it| CString::new(it).ok()).collect())
    }

    fn read(
        query: impl Fn() -> Result<usize>,
        read: impl Fn(&mut [u8]) -> Result<usize>,
    ) -> Result<Vec<u8>> {
        let mut bytes = vec![0; query()?];
        let len = read(&mut bytes)?;
        bytes.truncate(len);
        Ok(bytes)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
mod system {
    use std::{fs::File, path::Path};

    use crate::files::ReplaceError;

    pub(in crate::files) fn keep(_: &File, _: &Path) -> Result<(), ReplaceError> {
        Ok(())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{
        fs,
        os::unix::fs::PermissionsExt,
        path::{Path, PathBuf},
    };

    use rustix::fs::{XattrFlags, getxattr, listxattr, setxattr};
    use tempfile::TempDir;

    use super::super::replace;

    /// A folder on the disk: not every temporary file system has attributes.
    fn scratch() -> TempDir {
        let program = std::env::current_exe().expect("a program");
        tempfile::tempdir_in(program.parent().expect("its folder")).expect("a new folder")
    }

    fn old_file(folder: &Path) -> PathBuf {
        let path = folder.join("a.sig");
        fs::write(&path, "old").expect("a new file");
        path
    }

    fn set(path: &Path, name: &str, value: &[u8]) {
        setxattr(path, name, value, XattrFlags::empty()).expect("a file system with attributes");
    }

    fn value(path: &Path, name: &str) -> Vec<u8> {
        let mut value = vec![0; 1_024];
        let len = getxattr(path, name, &mut value[..]).expect("the attribute");
        value.truncate(len);
        value
    }

    fn has_attribute(path: &Path, name: &str) -> bool {
        let mut names = vec![0; 1_024];
        let len = listxattr(path, &mut names[..]).expect("the attributes");
        let mut names = names[..len].split(|it| *it == 0);
        names.any(|it| it == name.as_bytes())
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("the file").permissions().mode() & 0o777
    }

    /// An access control list in which the user 1000 may read and write, and the group may do nothing.
    fn access_list() -> Vec<u8> {
        const ANYBODY: u32 = u32::MAX;
        let entries: [(u16, u16, u32); 5] = [
            (1, 6, ANYBODY),
            (2, 6, 1_000),
            (4, 0, ANYBODY),
            (16, 6, ANYBODY),
            (32, 0, ANYBODY),
        ];
        let mut list = 2_u32.to_le_bytes().to_vec();
        for (tag, permissions, id) in entries {
            list.extend(tag.to_le_bytes());
            list.extend(permissions.to_le_bytes());
            list.extend(id.to_le_bytes());
        }
        list
    }

    #[test]
    fn attributes_are_kept() {
        let scratch = scratch();
        let path = old_file(scratch.path());
        set(&path, "system.posix_acl_access", &access_list());
        set(&path, "user.note", b"mine");
        set(&path, "user.empty", b"");
        let before = mode(&path);
        replace(&path, "old", "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(value(&path, "system.posix_acl_access"), access_list());
        assert_eq!(value(&path, "user.note"), b"mine");
        assert_eq!(value(&path, "user.empty"), b"");
        assert_eq!(mode(&path), before);
    }

    #[test]
    fn the_list_of_the_folder_is_not_added() {
        let scratch = scratch();
        let path = old_file(scratch.path());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        set(scratch.path(), "system.posix_acl_default", &access_list());
        replace(&path, "old", "new").unwrap();
        assert!(!has_attribute(&path, "system.posix_acl_access"));
        assert_eq!(mode(&path), 0o640);
    }

    #[test]
    fn only_an_attribute_about_access_prevents_a_replacement() {
        use rustix::io::Errno;

        let refused = super::system::refuse(c"system.posix_acl_access", Errno::NOTSUP);
        assert_eq!(
            refused.unwrap_err().to_string(),
            "its attribute `system.posix_acl_access` cannot be kept: Operation not supported (os error 95)"
        );
        assert!(super::system::refuse(c"security.selinux", Errno::PERM).is_err());
        assert!(super::system::refuse(c"user.note", Errno::NOSPC).is_ok());
    }
}
