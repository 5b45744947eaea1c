//! The tools and agents of files, for the commands that print them.

use std::{path::Path, process::ExitCode};

use super::{FAILURE, complain, documents, files, place::Place, sources::Sources};
use crate::workspace::agent_name;
use signature_ls_analysis::{
    ide::{Document, Listed, listing, shown_first},
    model::Edition,
};

/// The tools and agents of all files that a command reads.
pub(super) struct Tools {
    /// One per file, sorted by path.
    pub(super) files: Vec<FileTools>,
    /// 2 if something could not be read, else 1 if a signature has errors or no room and is omitted, else 0.
    pub(super) exit_code: ExitCode,
}

/// The tools and agents of a file.
pub(super) struct FileTools {
    pub(super) edition: Edition,
    pub(super) tools: Vec<Tool>,
    /// The positions of signatures with errors.
    broken: Vec<String>,
    /// Those of signatures for which there is no room.
    long: Vec<String>,
}

/// A tool or an agent.
pub(super) struct Tool {
    pub(super) file: String,
    pub(super) place: Place,
    pub(super) name: String,
    pub(super) listed: Listed,
}

impl Tools {
    /// Reads the files of `sources`, and reports on stderr what is omitted.
    pub(super) fn read(sources: &Sources, edition: Option<Edition>) -> Self {
        let looked = documents::look_at_documents(sources, edition, tools);
        let is_failure = looked.complain();
        let files = looked.answers;
        let broken: Vec<_> = files.iter().flat_map(|file| &file.broken).collect();
        for place in &broken {
            complain(&format!(
                "{place}: left out, since the signature has errors"
            ));
        }
        let long: Vec<_> = files.iter().flat_map(|file| &file.long).collect();
        if let Some(first) = long.first() {
            complain(&format!(
                "{first}: left out, since the signatures before it are too long together ({} in all)",
                long.len()
            ));
        }
        let is_whole = broken.is_empty() && long.is_empty();
        let exit_code = match (is_failure, is_whole) {
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
        long: Vec::new(),
    };
    let (sound, broken): (Vec<_>, Vec<_>) =
        listing(document).into_iter().partition(|it| it.is_sound);
    let place = |it: &Listed| Place::of(document.text(), it.range.start());
    let shown_place = |it: &Listed| {
        let place = place(it);
        format!("{file}:{}:{}", place.line, place.column)
    };
    found.broken.extend(broken.iter().map(shown_place));
    let most = shown_first(document, &sound);
    found.long.extend(sound[most..].iter().map(shown_place));
    for listed in sound.into_iter().take(most) {
        let place = place(&listed);
        found.tools.push(Tool {
            file: file.clone(),
            place,
            name: agent_name(listed.name.as_deref(), path),
            listed,
        });
    }
    found
}
