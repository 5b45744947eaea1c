//! Folders for tests.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A temporary folder for a test.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        let folder = format!("signature-ls-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(folder);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file, and creates the folders around it.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        if let Some(folder) = path.parent().filter(|it| *it != Path::new("")) {
            fs::create_dir_all(folder).unwrap();
        }
        fs::write(path, text).unwrap();
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
