//! The documents that a command reads, each with what other files of its project say.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use foldhash::HashMap;
use rayon::prelude::*;

use super::{
    complain,
    files::{self, SourceFile, Unread},
};
use crate::{
    panics::guarded,
    workspace::{Seen, Workspace, absolute},
};
use signature_ls_analysis::{
    ide::{Answers, Document, Settings},
    model::Edition,
};
use signature_ls_source::host::{HostKind, search};

/// The result of a command that reads files.
pub(super) struct Looked<T> {
    /// The findings, sorted by the paths of the files.
    pub(super) answers: Vec<T>,
    unread: Vec<Unread>,
    /// Errors in settings files.
    problems: Vec<String>,
}

impl<T> Looked<T> {
    /// The files in which there is too much to analyze, which then count as read.
    pub(super) fn take_overfull(&mut self) -> Vec<PathBuf> {
        let overfull = self.unread.extract_if(.., |it| it.is_overfull());
        overfull.map(Unread::into_path).collect()
    }

    /// Reports what could not be read; returns whether there was anything.
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

/// Calls `look` for every file of `paths` with its settings, in parallel. A panic in `look` only affects that file.
pub(super) fn look_at_files<T: Send>(
    paths: &[PathBuf],
    look: impl Fn(SourceFile, Settings) -> Result<T, Unread> + Sync,
) -> Looked<T> {
    look_at(&mut Workspace::default(), paths, look)
}

/// Calls `look` for the document in every file of `paths`, in parallel, in the given edition or else in that of its
/// project. What documents ask of other files is read after all of them are parsed.
pub(super) fn look_at_documents<T: Send>(
    paths: &[PathBuf],
    edition: Option<Edition>,
    look: impl Fn(&Path, &Document) -> T + Sync,
) -> Looked<T> {
    look_at_texts(paths, edition, |_, _| None, look)
}

/// The same, where `once` may answer for a text without its document.
pub(super) fn look_at_texts<T: Send>(
    paths: &[PathBuf],
    edition: Option<Edition>,
    once: impl Fn(&SourceFile, &Settings) -> Option<Result<T, Unread>> + Sync,
    look: impl Fn(&Path, &Document) -> T + Sync,
) -> Looked<T> {
    let mut workspace = Workspace::default();
    let parsed = look_at(&mut workspace, paths, |mut file, mut settings| {
        settings.edition = edition.unwrap_or(settings.edition);
        settings.is_edition_chosen |= edition.is_some();
        if let Some(answer) = once(&file, &settings) {
            return Ok(Parsed::Done(file.path, answer?));
        }
        let document = Document::closed(file.kind, &mut file.text, settings);
        if document.is_overfull() {
            return Err(Unread::overfull(&file.path));
        }
        Ok(if !document.asks().is_empty() {
            Parsed::Asks(file.path, Box::new(document))
        } else if document.has_unread_heads(&file.text) {
            Parsed::Heads(file, Box::new(document))
        } else {
            let answer = look(&file.path, &document);
            let is_silent = document.is_idle();
            // To free a long document takes as long as to parse it, and the command may end before.
            rayon::spawn(move || drop(document));
            match is_silent {
                true => Parsed::Silent(file.path, answer),
                false => Parsed::Done(file.path, answer),
            }
        })
    });
    let answered = answered(&mut workspace, paths, parsed.answers);
    let answered = answered.into_par_iter().with_max_len(1);
    let answers = answered.map(|parsed| match parsed {
        Answered::Done(answer) => Ok(answer),
        Answered::Parsed(path, mut document, answers) => {
            let look = || {
                if let Some(answers) = answers {
                    document.set_answers(answers);
                }
                let answer = look(&path, &document);
                // The command ends soon, and the system frees everything at once.
                std::mem::forget(document);
                answer
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

/// A parsed document.
enum Parsed<T> {
    /// It needs nothing from other files.
    Done(PathBuf, T),
    /// The same, and nothing in it can count.
    Silent(PathBuf, T),
    Asks(PathBuf, Box<Document>),
    /// It has no units, unless one of its functions is a tool in another file.
    Heads(SourceFile, Box<Document>),
}

/// A document with what other files answered.
enum Answered<T> {
    Done(T),
    /// Without answers, it asked nothing.
    Parsed(PathBuf, Box<Document>, Option<Arc<Answers>>),
}

/// Looks up the questions in the projects, and nothing else.
fn answered<T>(
    workspace: &mut Workspace,
    paths: &[PathBuf],
    parsed: Vec<Parsed<T>>,
) -> Vec<Answered<T>> {
    let is_ours = parsed.iter().any(|it| match it {
        Parsed::Asks(_, document) | Parsed::Heads(_, document) => document.settings().is_ours,
        Parsed::Done(..) | Parsed::Silent(..) => false,
    });
    let asks = parsed.iter().filter_map(|it| match it {
        Parsed::Asks(_, document) => Some(&**document.asks()),
        Parsed::Done(..) | Parsed::Silent(..) | Parsed::Heads(..) => None,
    });
    let has_heads = parsed.iter().any(|it| matches!(it, Parsed::Heads(..)));
    workspace.limit_to(asks, has_heads, is_ours, seen(paths, &parsed));
    for parsed in &parsed {
        match parsed {
            Parsed::Asks(path, document) => {
                let _ = workspace.answers(Some(path), document.asks());
            }
            Parsed::Heads(file, _) => {
                let _ = workspace.has_tool(&file.path, std::iter::empty());
            }
            Parsed::Done(..) | Parsed::Silent(..) => {}
        }
    }
    workspace.settle();
    let answered = parsed.into_iter().map(|parsed| match parsed {
        Parsed::Done(_, answer) | Parsed::Silent(_, answer) => Answered::Done(answer),
        Parsed::Asks(path, document) => {
            let answers = workspace.answers(Some(&path), document.asks());
            Answered::Parsed(path, document, Some(answers.unwrap_or_default()))
        }
        Parsed::Heads(file, document) => {
            let heads = search::heads(&file.text);
            if workspace.has_tool(&file.path, heads) != Some(true) {
                return Answered::Parsed(file.path, document, None);
            }
            let settings = document.settings().clone();
            let document = Box::new(Document::new(file.kind, &file.text, settings));
            let answers = workspace.answers(Some(&file.path), document.asks());
            Answered::Parsed(file.path, document, Some(answers.unwrap_or_default()))
        }
    });
    answered.collect()
}

/// What was read of `paths`.
fn seen<T>(paths: &[PathBuf], parsed: &[Parsed<T>]) -> Seen {
    let mut seen = Seen {
        roots: paths.iter().map(|it| absolute(it)).collect(),
        ..Seen::default()
    };
    for parsed in parsed {
        match parsed {
            Parsed::Silent(path, _) => drop(seen.silent.insert(absolute(path))),
            Parsed::Heads(file, _) => drop(seen.silent.insert(absolute(&file.path))),
            Parsed::Done(path, _) | Parsed::Asks(path, _) => seen.others.push(absolute(path)),
        }
    }
    seen
}

fn look_at<T: Send>(
    workspace: &mut Workspace,
    paths: &[PathBuf],
    look: impl Fn(SourceFile, Settings) -> Result<T, Unread> + Sync,
) -> Looked<T> {
    let (found, mut unread) = files::find(paths);
    let mut by_folder: HashMap<PathBuf, Settings> = HashMap::default();
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
        guarded(|| look(file, settings)).unwrap_or_else(|| Err(Unread::panicked(&path)))
    };
    let files = with_settings.into_par_iter();
    // A thread without work takes single files of others, of which some take a thousand times as long as most.
    let results: Vec<_> = files.with_max_len(1).map(look).collect();
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
