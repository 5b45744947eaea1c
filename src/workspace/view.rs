//! A reader's view of the files around a document.

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
    stamp::{Stamp, stamp},
    unsure::Unsure,
};
use crate::files::read_found;
use signature_ls_analysis::ide::{Answers, Asks, Document, Outline};
use signature_ls_source::{
    host::elixir::{
        places::{FunctionPlace, first_names, function_places},
        tools::Capture,
    },
    text::{Text, TextRange},
};

/// The files of a workspace when a reader started.
#[derive(Debug, Clone, Default)]
pub struct View {
    pub(super) origins: Arc<Vec<Origin>>,
    /// The open documents, in the order of their files.
    pub(super) open: Vec<Opened>,
    /// The outlines of files on the disk, open or not.
    pub(super) outlines: ByFile,
    /// The functions of each project that was read.
    pub(super) functions: Vec<(PathBuf, Index)>,
    /// The folders of the reader.
    pub(super) areas: Vec<PathBuf>,
    /// Whether all files in these folders were read.
    pub(super) is_complete: bool,
    /// The files in these folders, collected when they are first needed.
    pub(super) files: OnceLock<Vec<ViewedFile>>,
    pub(super) unsure: Arc<Unsure>,
}

/// A file with its outline.
#[derive(Debug, Clone)]
pub struct ViewedFile {
    /// Its identity.
    pub file: FileId,
    /// Its path.
    pub path: Arc<Path>,
    /// Its outline.
    pub outline: Arc<Outline>,
}

/// The places of a function in one file.
#[derive(Debug, Clone)]
pub struct FoundFunction {
    /// The file.
    pub file: FileId,
    /// Its path.
    pub path: Arc<Path>,
    /// The text that the places refer to.
    pub text: Text,
    /// The definition, followed by the specs.
    pub places: Vec<FunctionPlace>,
}

/// The document of a file, and whether the outline is up to date.
#[derive(Debug, Clone)]
pub struct ViewedDocument {
    /// The document.
    pub document: Arc<Document>,
    /// Whether the outline has the same text.
    pub is_current: bool,
}

impl View {
    /// Whether all files of the reader were read.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The files of the reader, ordered by path.
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
        by_path(files.collect())
    }

    fn is_in_areas(&self, path: &Path) -> bool {
        self.areas.iter().any(|area| is_below(area, path))
    }

    /// The files of the reader, and all open files.
    pub fn files_and_open(&self) -> Vec<ViewedFile> {
        let outside = self.open.iter().filter_map(|it| {
            let path = self.path(it.file)?;
            (!self.is_in_areas(path)).then(|| ViewedFile {
                file: it.file,
                path: Arc::clone(path),
                outline: it.outline(),
            })
        });
        let outside = by_path(outside.collect());
        self.files().iter().cloned().chain(outside).collect()
    }

    /// The file at `path`, if it is open or was read.
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

    /// The document of a file. A closed one is read from the disk.
    pub fn document(&self, file: FileId) -> Option<ViewedDocument> {
        if let Some(document) = self.open_document(file) {
            return Some(ViewedDocument {
                document: Arc::clone(document),
                is_current: true,
            });
        }
        let (known, Outlined { settings, .. }) = self.outlines.get(&file)?;
        let path = self.path(file)?;
        let is_current = self.is_current(path, known);
        let text = outlines::text_of(path)?;
        let mut document = outlines::document(path, &text, settings)?;
        let answers = self.answers_to(path, document.asks());
        document.set_answers(answers);
        Some(ViewedDocument {
            document: Arc::new(document),
            is_current,
        })
    }

    /// Whether the outline of a closed file is up to date; otherwise the next request reads it again.
    fn is_current(&self, path: &Path, known: &Stamp) -> bool {
        let is_current = stamp(path).as_ref() == Some(known);
        if !is_current {
            self.unsure.add(path);
        }
        is_current
    }

    /// The answers of other files to the questions of a file.
    pub fn answers(&self, file: &ViewedFile) -> Arc<Answers> {
        self.answers_to(&file.path, &file.outline.asks)
    }

    fn answers_to(&self, path: &Path, asks: &Asks) -> Arc<Answers> {
        let index = self.index_around(path).filter(|_| !asks.is_empty());
        index
            .map(|it| Arc::new(it.answers(asks)))
            .unwrap_or_default()
    }

    /// The text of a file, if the outline is up to date. A closed one is read from the disk.
    pub fn text(&self, file: FileId) -> Option<Text> {
        if let Some(document) = self.open_document(file) {
            return Some(document.text().clone());
        }
        let (known, _) = self.outlines.get(&file)?;
        let path = self.path(file)?;
        let is_current = self.is_current(path, known);
        let text = is_current.then(|| outlines::text_of(path))?;
        Some(Text::from(text?.as_str()))
    }

    /// The functions of the project around `path`.
    pub fn index_around(&self, path: &Path) -> Option<&Index> {
        Some(&self.functions[self.project_around(path)?].1)
    }

    /// The index of the project around `path` among those of `functions`.
    pub(super) fn project_around(&self, path: &Path) -> Option<usize> {
        let mut projects = self.functions.iter();
        projects.position(|(root, _)| path.starts_with(root))
    }

    /// The places of a function that a file names: in the file itself, or in its project.
    pub fn function_around(&self, file: FileId, function: &Capture) -> Option<FoundFunction> {
        let path = self.path(file)?;
        let document = self.document(file)?.document;
        let places = document.host().function_places(document.text(), function);
        if places.is_empty() {
            return self.function(self.index_around(path)?, function);
        }
        Some(FoundFunction {
            file,
            path: Arc::clone(path),
            text: document.text().clone(),
            places,
        })
    }

    /// The file of a function with the full name of its module, which `index` contains.
    pub(super) fn file_of(&self, index: &Index, function: &Capture) -> Option<FileId> {
        Some(index.module(function.module.as_deref()?)?.0)
    }

    /// The names of `functions` where `file` defines them, in the text that the ranges refer to. A closed file is read
    /// from the disk.
    pub(super) fn names_of(
        &self,
        file: FileId,
        functions: &[&Capture],
    ) -> Option<(Text, Vec<Option<TextRange>>)> {
        if let Some(document) = self.open_document(file) {
            let text = document.text();
            let name = |function: &&Capture| {
                let places = document.host().function_places(text, function);
                places.first().map(|it| it.name)
            };
            return Some((text.clone(), functions.iter().map(name).collect()));
        }
        let text = read_found(self.path(file)?).ok()?;
        let names = first_names(&text, functions);
        Some((Text::from(text.as_str()), names))
    }

    /// The places of a function with the full name of its module, which `index` contains. A closed file is read from
    /// the disk.
    pub fn function(&self, index: &Index, function: &Capture) -> Option<FoundFunction> {
        let file = self.file_of(index, function)?;
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

fn by_path(mut files: Vec<ViewedFile>) -> Vec<ViewedFile> {
    files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    files
}
