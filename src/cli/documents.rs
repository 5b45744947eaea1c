//! The documents in the files that a command is to read, each with what other files of its project say.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use rayon::prelude::*;

use super::{
    complain,
    files::{self, SourceFile, Unread},
};
use crate::{
    host::HostKind,
    ide::{Document, Settings},
    model::Edition,
    workspace::{Workspace, guarded},
};

/// What became of the files of a command.
pub(super) struct Looked<T> {
    /// What was found, sorted by the paths of the files.
    pub(super) answers: Vec<T>,
    unread: Vec<Unread>,
    /// What is wrong with settings files.
    problems: Vec<String>,
}

impl<T> Looked<T> {
    /// Tells the user what could not be read; answers whether there is anything.
    pub(super) fn complain(&self) -> bool {
        for problem in &self.problems {
            complain(problem);
        }
        for unread in &self.unread {
            complain(&unread.to_string());
        }
        !self.problems.is_empty() || !self.unread.is_empty()
    }
}

/// Looks at every file of `paths` under its settings with `look`, side by side. A panic of `look` costs the
/// answer for that file alone.
pub(super) fn look_at_files<T: Send>(
    paths: &[PathBuf],
    look: impl Fn(SourceFile, Settings) -> T + Sync,
) -> Looked<T> {
    look_at(&mut Workspace::default(), paths, look)
}

/// Looks at the document in every file of `paths` with `look`, side by side, in the edition that is given or
/// else in that of its project. What documents ask of other files is read once all of them were parsed.
pub(super) fn look_at_documents<T: Send>(
    paths: &[PathBuf],
    edition: Option<Edition>,
    look: impl Fn(&Path, &Document) -> T + Sync,
) -> Looked<T> {
    let mut workspace = Workspace::default();
    let parsed = look_at(&mut workspace, paths, |file, mut settings| {
        settings.edition = edition.unwrap_or(settings.edition);
        let document = Document::closed(file.kind, &file.text, settings);
        match document.asks().is_empty() {
            true => Parsed::Done(look(&file.path, &document)),
            false => Parsed::Asks(file.path, Box::new(document)),
        }
    });
    for parsed in &parsed.answers {
        if let Parsed::Asks(path, document) = parsed {
            let _ = workspace.answers(Some(path), document.asks());
        }
    }
    workspace.settle();
    let answered = parsed.answers.into_iter().map(|parsed| {
        let answers = match &parsed {
            Parsed::Done(_) => None,
            Parsed::Asks(path, document) => workspace.answers(Some(path), document.asks()),
        };
        (parsed, answers.unwrap_or_default())
    });
    let answered: Vec<_> = answered.collect();
    let answers = answered
        .into_par_iter()
        .map(|(parsed, answers)| match parsed {
            Parsed::Done(answer) => Ok(answer),
            Parsed::Asks(path, mut document) => {
                let look = || {
                    document.set_answers(answers);
                    look(&path, &document)
                };
                guarded(look).ok_or_else(|| Unread::panicked(&path))
            }
        });
    let answers: Vec<_> = answers.collect();
    let mut looked = Looked {
        answers: Vec::with_capacity(answers.len()),
        unread: parsed.unread,
        problems: parsed.problems,
    };
    for answer in answers {
        match answer {
            Ok(answer) => looked.answers.push(answer),
            Err(unread) => looked.unread.push(unread),
        }
    }
    looked
}

/// A document that was parsed.
enum Parsed<T> {
    /// It asks nothing of other files.
    Done(T),
    Asks(PathBuf, Box<Document>),
}

fn look_at<T: Send>(
    workspace: &mut Workspace,
    paths: &[PathBuf],
    look: impl Fn(SourceFile, Settings) -> T + Sync,
) -> Looked<T> {
    let (found, mut unread) = files::find(paths);
    let mut by_folder: HashMap<PathBuf, Settings> = HashMap::new();
    let with_settings = found.into_iter().map(|(path, kind)| {
        let folder = path.parent().unwrap_or(Path::new(""));
        let settings = match by_folder.get(folder) {
            Some(settings) => settings.clone(),
            None => {
                let settings = workspace.settings_for(&path);
                by_folder.insert(folder.to_owned(), settings.clone());
                settings
            }
        };
        (path, kind, settings)
    });
    let with_settings: Vec<_> = with_settings.collect();
    let look = |(path, kind, settings): (PathBuf, HostKind, Settings)| {
        let file = files::read(&path, kind)?;
        guarded(|| look(file, settings)).ok_or_else(|| Unread::panicked(&path))
    };
    let results: Vec<_> = with_settings.into_par_iter().map(look).collect();
    let mut answers = Vec::with_capacity(results.len());
    for result in results {
        match result {
            Ok(answer) => answers.push(answer),
            Err(error) => unread.push(error),
        }
    }
    let mut problems = workspace.take_problems();
    problems.sort_unstable();
    Looked {
        answers,
        unread,
        problems,
    }
}
