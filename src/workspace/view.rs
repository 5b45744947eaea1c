//! What a reader sees of the files around a document.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use super::{
    FileId, Index, Origin,
    files::origin,
    open::Opened,
    outlines::{self, ByFile, Outlined},
    reading::is_below,
    stamp::stamp,
};
use crate::{
    files::read_found,
    host::elixir::{
        places::{FunctionPlace, function_places},
        tools::Capture,
    },
    ide::{Answers, Asks, Document, Outline},
    text::Text,
};

/// The files of a workspace as they were when a reader began.
#[derive(Debug, Clone, Default)]
pub struct View {
    pub(super) origins: Arc<Vec<Origin>>,
    /// The open documents, in the order of their files.
    pub(super) open: Vec<Opened>,
    /// What is known of files on the disk, open or not.
    pub(super) outlines: ByFile,
    /// The functions of each project that was read.
    pub(super) functions: Vec<(PathBuf, Index)>,
    /// The folders whose files the reader is to see.
    pub(super) areas: Vec<PathBuf>,
    /// Whether all files in these folders were read.
    pub(super) is_complete: bool,
    /// The files in these folders, which are gathered when somebody first asks.
    pub(super) files: OnceLock<Vec<ViewedFile>>,
}

/// A file with what it offers and asks.
#[derive(Debug, Clone)]
pub struct ViewedFile {
    /// Its identity.
    pub file: FileId,
    /// Where it is.
    pub path: Arc<Path>,
    /// What it offers to other files and asks of them.
    pub outline: Arc<Outline>,
}

/// The places of a function in one file.
#[derive(Debug, Clone)]
pub struct FoundFunction {
    /// The file.
    pub file: FileId,
    /// Its path.
    pub path: Arc<Path>,
    /// Its text, to which the places belong.
    pub text: Text,
    /// The definition before the specs.
    pub places: Vec<FunctionPlace>,
}

/// The document of a file, and whether it is what the file's outline was made of.
#[derive(Debug, Clone)]
pub struct ViewedDocument {
    /// The document.
    pub document: Arc<Document>,
    /// Whether the outline was made of the same text.
    pub is_current: bool,
}

impl View {
    /// Whether all files were read that the reader is to see.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The files that the reader is to see, in the order of their paths.
    pub fn files(&self) -> &[ViewedFile] {
        self.files.get_or_init(|| self.gather())
    }

    fn gather(&self) -> Vec<ViewedFile> {
        let open = self.open.iter().map(|it| (it.file, it.outline()));
        let closed = self.outlines.iter();
        let closed = closed.filter(|(file, _)| self.open_document(**file).is_none());
        let closed = closed.map(|(file, (_, it))| (*file, Arc::clone(&it.outline)));
        let files = open.chain(closed).filter_map(|(file, outline)| {
            let path = Arc::clone(self.path(file)?);
            self.is_in_areas(&path).then_some(ViewedFile {
                file,
                path,
                outline,
            })
        });
        let mut files: Vec<_> = files.collect();
        files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        files
    }

    fn is_in_areas(&self, path: &Path) -> bool {
        self.areas.iter().any(|area| is_below(area, path))
    }

    /// The files that the reader is to see, and the open files wherever they are.
    pub fn files_and_open(&self) -> Vec<ViewedFile> {
        let outside = self.open.iter().filter_map(|it| {
            let path = self.path(it.file)?;
            (!self.is_in_areas(path)).then(|| ViewedFile {
                file: it.file,
                path: Arc::clone(path),
                outline: it.outline(),
            })
        });
        self.files().iter().cloned().chain(outside).collect()
    }

    /// The file at `path` that is open or was read.
    pub fn file_at(&self, path: &Path) -> Option<FileId> {
        let open = self.open.iter().map(|it| it.file);
        let mut files = open.chain(self.outlines.keys().copied());
        files.find(|it| self.path(*it).is_some_and(|it| **it == *path))
    }

    /// A file that is open or was read.
    pub fn file(&self, file: FileId) -> Option<ViewedFile> {
        let outline = match self.opened(file) {
            Some(opened) => opened.outline(),
            None => Arc::clone(&self.outlines.get(&file)?.1.outline),
        };
        let path = Arc::clone(self.path(file)?);
        Some(ViewedFile {
            file,
            path,
            outline,
        })
    }

    /// The path of a file on the disk.
    pub fn path(&self, file: FileId) -> Option<&Arc<Path>> {
        match origin(&self.origins, file) {
            Origin::Disk(path) => Some(path),
            Origin::Beside(_) | Origin::Nowhere => None,
        }
    }

    /// The document of an open file.
    pub fn open_document(&self, file: FileId) -> Option<&Arc<Document>> {
        self.opened(file).map(|it| &it.document)
    }

    fn opened(&self, file: FileId) -> Option<&Opened> {
        let at = self.open.binary_search_by_key(&file, |it| it.file).ok()?;
        Some(&self.open[at])
    }

    /// The document of a file. One that is not open is read from the disk.
    pub fn document(&self, file: FileId) -> Option<ViewedDocument> {
        if let Some(document) = self.open_document(file) {
            return Some(ViewedDocument {
                document: Arc::clone(document),
                is_current: true,
            });
        }
        let (known, Outlined { settings, .. }) = self.outlines.get(&file)?;
        let path = self.path(file)?;
        let is_current = stamp(path).as_ref() == Some(known);
        let text = outlines::text_of(path)?;
        let mut document = outlines::document(path, &text, settings)?;
        let answers = self.answers_to(path, document.asks());
        document.set_answers(answers);
        Some(ViewedDocument {
            document: Arc::new(document),
            is_current,
        })
    }

    /// What other files say to what a file asks.
    pub fn answers(&self, file: &ViewedFile) -> Arc<Answers> {
        self.answers_to(&file.path, &file.outline.asks)
    }

    fn answers_to(&self, path: &Path, asks: &Asks) -> Arc<Answers> {
        let index = self.index_around(path).filter(|_| !asks.is_empty());
        index
            .map(|it| Arc::new(it.answers(asks)))
            .unwrap_or_default()
    }

    /// The text of a file, if it is what the file's outline was made of. One that is not open is read from the disk.
    pub fn text(&self, file: FileId) -> Option<Text> {
        if let Some(document) = self.open_document(file) {
            return Some(document.text().clone());
        }
        let (known, _) = self.outlines.get(&file)?;
        let path = self.path(file)?;
        let is_current = stamp(path).as_ref() == Some(known);
        let text = is_current.then(|| outlines::text_of(path))?;
        Some(Text::from(text?.as_str()))
    }

    /// The functions of the project around `path`.
    pub fn index_around(&self, path: &Path) -> Option<&Index> {
        let mut projects = self.functions.iter();
        let project = projects.find(|(root, _)| path.starts_with(root));
        project.map(|(_, index)| index)
    }

    /// The places of a function with the full name of its module, which `index` knows. A file that is not open is
    /// read from the disk.
    pub fn function(&self, index: &Index, function: &Capture) -> Option<FoundFunction> {
        let (file, _) = index.module(function.module.as_deref()?)?;
        let path = Arc::clone(self.path(file)?);
        if let Some(document) = self.open_document(file) {
            let text = document.text().clone();
            let places = document.host().function_places(&text, function);
            return Some(FoundFunction {
                file,
                path,
                text,
                places,
            });
        }
        let text = read_found(&path).ok()?;
        let places = function_places(&text, function);
        let text = Text::from(text.as_str());
        Some(FoundFunction {
            file,
            path,
            text,
            places,
        })
    }
}
