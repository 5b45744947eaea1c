//! The tools and agents of files, for the commands that print them.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use super::{FAILURE, complain, documents, files, place::Place};
use crate::workspace::agent_name;
use signature_ls_analysis::{
    ide::{Document, Listed, listing},
    model::Edition,
};

/// The tools and agents of all files that a command reads.
pub(super) struct Tools {
    /// One per file, sorted by path.
    pub(super) files: Vec<FileTools>,
    /// 2 if something could not be read, else 1 if a signature has errors and is omitted, else 0.
    pub(super) exit_code: ExitCode,
}

/// The tools and agents of a file.
pub(super) struct FileTools {
    pub(super) edition: Edition,
    pub(super) tools: Vec<Tool>,
    /// The positions of signatures with errors.
    broken: Vec<String>,
}

/// A tool or an agent.
pub(super) struct Tool {
    pub(super) file: String,
    pub(super) place: Place,
    pub(super) name: String,
    pub(super) listed: Listed,
}

impl Tools {
    /// Reads the files and folders at `paths`, and reports on stderr what is omitted.
    pub(super) fn read(paths: &[PathBuf], edition: Option<Edition>) -> Self {
        let looked = documents::look_at_documents(paths, edition, tools);
        let is_failure = looked.complain();
        let files = looked.answers;
        let broken: Vec<_> = files.iter().flat_map(|file| &file.broken).collect();
        for place in &broken {
            complain(&format!(
                "{place}: left out, since the signature has errors"
            ));
        }
        let exit_code = match (is_failure, broken.is_empty()) {
            (true, _) => ExitCode::from(FAILURE),
            (false, false) => ExitCode::FAILURE,
            (false, true) => ExitCode::SUCCESS,
        };
        Self { files, exit_code }
    }
}

fn tools(path: &Path, document: &Document) -> FileTools {
    let file = files::shown(path);
    let mut found = FileTools {
        edition: document.edition(),
        tools: Vec::new(),
        broken: Vec::new(),
    };
    for listed in listing(document) {
        let place = Place::of(document.text(), listed.range.start());
        if !listed.is_sound {
            found
                .broken
                .push(format!("{file}:{}:{}", place.line, place.column));
            continue;
        }
        found.tools.push(Tool {
            file: file.clone(),
            place,
            name: agent_name(listed.name.as_deref(), path),
            listed,
        });
    }
    found
}
