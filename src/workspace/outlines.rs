//! The outlines of the files on the disk, read when they are needed.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use rpds::HashTrieMapSync;

use super::{
    FileId, UserSettings,
    catalogs::is_misnamed,
    folders::Folders,
    index::{Asking, Touched},
    reading::{Job, Progress, ReadFiles},
    stamp::Stamp,
};
use crate::{files::read_found, panics::guarded};
use signature_ls_analysis::ide::{Document, Outline, Settings, outline};
use signature_ls_source::host::HostKind;

/// What is known about a file on the disk.
#[derive(Debug, Clone)]
pub(super) struct Outlined {
    pub(super) outline: Arc<Outline>,
    /// The settings of the analysis.
    pub(super) settings: Arc<Settings>,
}

/// The outlines of files, with their stamps.
pub(super) type ByFile = HashTrieMapSync<FileId, (Stamp, Outlined)>;

/// The outlines that were read.
#[derive(Debug, Default)]
pub(super) struct Outlines {
    by_file: ByFile,
    asking: Asking,
}

impl Outlines {
    /// Sets what is known about a file; `None` if it has no outline.
    pub(super) fn put(&mut self, file: FileId, known: Option<(Stamp, Outlined)>) {
        if let Some((_, old)) = self.by_file.get(&file) {
            self.asking.remove(&old.outline.asks);
        }
        match known {
            Some(known) => {
                self.asking.add(&known.1.outline.asks);
                self.by_file.insert_mut(file, known);
            }
            None => drop(self.by_file.remove_mut(&file)),
        }
    }

    pub(super) fn by_file(&self) -> &ByFile {
        &self.by_file
    }

    /// Whether one of the files asks for something that changed.
    pub(super) fn are_concerned(&self, touched: &Touched) -> bool {
        touched.concerns_any(&self.asking)
    }
}

/// Reads the outlines of files. A file that cannot be read has none.
pub(super) fn read(
    job: Job,
    progress: &Progress<'_>,
    user: &UserSettings,
) -> ReadFiles<Option<Outlined>> {
    let mut folders = Folders::default();
    let mut known: Option<Arc<Settings>> = None;
    let prepare = |paths: Vec<PathBuf>| {
        let with_settings = paths.into_iter().map(|path| {
            let settings = user.over(folders.settings_for(&path).settings, Some(&path));
            let same = known.take().filter(|it| **it == settings);
            let settings = same.unwrap_or_else(|| Arc::new(settings));
            known = Some(Arc::clone(&settings));
            (path, settings)
        });
        with_settings.collect()
    };
    job.run(
        super::reading::Which::of_strings(),
        progress,
        prepare,
        |path, settings| {
            let text = text_of(path)?;
            let document = document(path, &text, &settings)?;
            let outline = Arc::new(guarded(|| outline(&document))?);
            Some(Outlined { outline, settings })
        },
    )
}

/// The document in a file on the disk.
pub(super) fn document(path: &Path, text: &str, settings: &Settings) -> Option<Document> {
    let kind = HostKind::from_path(path)?;
    guarded(|| Document::new(kind, text, settings.clone()))
}

/// The text of a supported file.
pub(super) fn text_of(path: &Path) -> Option<String> {
    let text = read_found(path).ok()?;
    (!is_misnamed(path, text.as_bytes())).then_some(text)
}
