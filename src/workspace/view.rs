//! What a reader sees of the files around a document.

use std::{path::Path, sync::Arc};

use super::{FileId, Index, Origin, files::origin};
use crate::{
    files::read_found,
    host::elixir::{
        places::{FunctionPlace, function_places},
        tools::Capture,
    },
    ide::Document,
    text::Text,
};

/// The files of a workspace as they were when a reader began.
#[derive(Debug, Clone, Default)]
pub struct View {
    pub(super) origins: Arc<Vec<Origin>>,
    /// The open documents in Elixir.
    pub(super) open: Vec<(FileId, Arc<Document>)>,
}

/// The places of a function in one file.
#[derive(Debug, Clone)]
pub struct FoundFunction {
    /// The path of the file.
    pub path: Arc<Path>,
    /// Its text, to which the places belong.
    pub text: Text,
    /// The definition before the specs.
    pub places: Vec<FunctionPlace>,
}

impl View {
    /// The places of a function with the full name of its module, which `index` knows. A file that is not open is
    /// read from the disk.
    pub fn function(&self, index: &Index, function: &Capture) -> Option<FoundFunction> {
        let (file, _) = index.module(function.module.as_deref()?)?;
        let Origin::Disk(path) = origin(&self.origins, file) else {
            return None;
        };
        let path = Arc::clone(path);
        if let Some((_, document)) = self.open.iter().find(|(it, _)| *it == file) {
            let text = document.text().clone();
            let places = document.host().function_places(&text, function);
            return Some(FoundFunction { path, text, places });
        }
        let text = read_found(&path).ok()?;
        let places = function_places(&text, function);
        let text = Text::from(text.as_str());
        Some(FoundFunction { path, text, places })
    }
}
