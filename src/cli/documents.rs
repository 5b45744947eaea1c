//! The documents that a command reads, each with what other files of its project say.

use std::{
    env,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use foldhash::HashMap;
use rayon::prelude::*;

use super::{
    complain,
    files::{Listing, SourceFile, Unread},
    sources::Sources,
};
use crate::{
    panics::guarded,
    workspace::{Seen, SeenFile, Workspace, absolute},
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
    rest: Rest,
}

/// What a command did not read.
struct Rest {
    unread: Vec<Unread>,
    /// The links in the folders.
    links: Vec<PathBuf>,
    /// Errors in settings files.
    problems: Vec<String>,
}

impl<T> Looked<T> {
    /// The files in which there is too much to analyze, which then count as read.
    pub(super) fn take_overfull(&mut self) -> Vec<PathBuf> {
        let overfull = self.rest.unread.extract_if(.., |it| it.is_overfull());
        overfull.map(|it| it.path().to_owned()).collect()
    }

    /// Reports what could not be read; returns whether there was anything.
    pub(super) fn complain(&self) -> bool {
        self.rest.complain()
    }
}

impl Rest {
    fn complain(&self) -> bool {
        for problem in &self.problems {
            complain(problem);
        }
        for unread in &self.unread {
            complain(&unread.to_string());
        }
        !self.problems.is_empty() || !self.unread.is_empty()
    }
}

/// What threads find in files, by the numbers of the files. It keeps what depends on the type of the findings small.
struct Slots<T>(Mutex<Vec<Option<T>>>);

impl<T> Slots<T> {
    fn new() -> Self {
        Self(Mutex::default())
    }

    fn put(&self, index: usize, found: T) {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.len() <= index {
            slots.resize_with(index + 1, || None);
        }
        slots[index] = Some(found);
    }

    fn into_vec(self) -> Vec<T> {
        let slots = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        slots.into_iter().flatten().collect()
    }
}

/// Calls `look` for every file of `sources` with its settings, in parallel. A panic in `look` only affects that file.
pub(super) fn look_at_files<T: Send>(
    sources: &Sources,
    look: impl Fn(SourceFile, Settings) -> Result<T, Unread> + Sync,
) -> Looked<T> {
    let slots = Slots::new();
    let look = |index, file, settings| {
        slots.put(index, look(file, settings)?);
        Ok(())
    };
    let rest = look_at(&mut Workspace::default(), sources, &look);
    Looked {
        answers: slots.into_vec(),
        rest,
    }
}

/// Calls `look` for the document in every file of `sources`, in parallel, in the given edition or else in that of its
/// project. What documents ask of other files is read after all of them are parsed.
pub(super) fn look_at_documents<T: Send>(
    sources: &Sources,
    edition: Option<Edition>,
    look: impl Fn(&Path, &Document) -> T + Sync,
) -> Looked<T> {
    look_at_texts(sources, edition, Document::closed, |_, _| None, look)
}

/// Reads the document of a text.
type Read = fn(HostKind, &mut String, Settings) -> Document;

/// The same, where `read` makes a document of a text, unless `once` answers without one.
pub(super) fn look_at_texts<T: Send>(
    sources: &Sources,
    edition: Option<Edition>,
    read: Read,
    once: impl Fn(&SourceFile, &Settings) -> Option<Result<T, Unread>> + Sync,
    look: impl Fn(&Path, &Document) -> T + Sync,
) -> Looked<T> {
    let slots = Slots::new();
    let once = |index, file: &SourceFile, settings: &Settings| match once(file, settings) {
        Some(answer) => {
            slots.put(index, answer?);
            Ok(true)
        }
        None => Ok(false),
    };
    let look = |index, path: &Path, document: &Document| slots.put(index, look(path, document));
    let rest = look_at_each(sources, edition, read, &once, &look);
    Looked {
        answers: slots.into_vec(),
        rest,
    }
}

/// Whether a text of a file, by its number, needs no document.
type Once<'a> = &'a (dyn Fn(usize, &SourceFile, &Settings) -> Result<bool, Unread> + Sync);

/// Looks at the document of a file.
type Look<'a> = &'a (dyn Fn(usize, &Path, &Document) + Sync);

fn look_at_each(
    sources: &Sources,
    edition: Option<Edition>,
    read: Read,
    once: Once<'_>,
    look: Look<'_>,
) -> Rest {
    let mut workspace = Workspace::default();
    let here = env::current_dir().unwrap_or_default();
    let found = Slots::new();
    let look_at_one = |index, file: SourceFile, mut settings: Settings| {
        settings.edition = edition.unwrap_or(settings.edition);
        settings.is_edition_chosen |= edition.is_some();
        if !once(index, &file, &settings)? {
            let parsed = Parsed::read(index, &here, file, settings, read, look)?;
            found.put(index, parsed);
        }
        Ok(())
    };
    let mut rest = look_at(&mut workspace, sources, &look_at_one);
    let mut parsed = found.into_vec();
    let seen = seen(&here, sources.roots(), &mut parsed, &rest);
    read_projects(&mut workspace, &parsed, seen);
    let panicked = look_at_rest(&mut workspace, parsed, look);
    rest.unread.extend(panicked);
    rest
}

/// Looks at the documents that needed something of other files, which was read. Returns those in which that panics.
fn look_at_rest(workspace: &mut Workspace, parsed: Vec<Parsed>, look: Look<'_>) -> Vec<Unread> {
    let answered: Vec<_> = parsed
        .into_iter()
        .filter_map(|it| {
            let (path, need) = it.need?;
            Some((it.index, path, answered(workspace, &it.place, need)))
        })
        .collect();
    let answered = answered.into_par_iter().with_max_len(1);
    let panicked = answered.filter_map(|(index, path, (mut document, answers))| {
        let look = || {
            if let Some(answers) = answers {
                document.set_answers(answers);
            }
            look(index, &path, &document);
            // The command ends soon, and the system frees everything at once.
            std::mem::forget(document);
        };
        guarded(look).is_none().then(|| Unread::panicked(&path))
    });
    panicked.collect()
}

/// A file that was read.
struct Parsed {
    /// Its number.
    index: usize,
    /// Its absolute path.
    place: PathBuf,
    /// What it says to its project, if it can be part of one.
    says: Option<SeenFile>,
    /// What it needs from other files before its document is looked at, and its path.
    need: Option<(PathBuf, Need)>,
}

impl Parsed {
    /// Reads a file in the folder `here`, and looks at its document unless that needs something of other files.
    fn read(
        index: usize,
        here: &Path,
        mut file: SourceFile,
        settings: Settings,
        read: Read,
        look: Look<'_>,
    ) -> Result<Self, Unread> {
        let says = SeenFile::of(&file.path, &file.text);
        let document = read(file.kind, &mut file.text, settings);
        if document.is_overfull() {
            return Err(Unread::overfull(&file.path));
        }
        let place = here.join(&file.path);
        let says = match document.is_idle() {
            true => says.map(SeenFile::without_tools),
            false => says,
        };
        let need = if !document.asks().is_empty() {
            Some((file.path, Need::Answers(Box::new(document))))
        } else if document.has_unread_heads(&file.text) {
            Some((file.path, Need::Tools(file.text, Box::new(document))))
        } else {
            look(index, &file.path, &document);
            // To free a long document takes as long as to parse it, and the command may end before.
            rayon::spawn(move || drop(document));
            None
        };
        Ok(Self {
            index,
            place,
            says,
            need,
        })
    }
}

/// What a file needs from others.
enum Need {
    Answers(Box<Document>),
    /// The document of this text has no units, unless one of its functions is a tool in another file.
    Tools(String, Box<Document>),
}

/// What was read of `paths`, which are relative to the folder `here` or absolute.
fn seen(here: &Path, paths: &[PathBuf], parsed: &mut [Parsed], rest: &Rest) -> Seen {
    let links = rest.links.iter().map(|it| &**it);
    let unread = links.chain(rest.unread.iter().map(Unread::path));
    let said = parsed.iter_mut();
    let said = said.filter_map(|it| Some((it.place.clone(), it.says.take()?)));
    Seen {
        roots: paths.iter().map(|it| absolute(it)).collect(),
        files: said.collect(),
        unread: unread.map(|it| here.join(it)).collect(),
    }
}

/// Reads what may answer the documents in these files, and nothing else.
fn read_projects(workspace: &mut Workspace, parsed: &[Parsed], seen: Seen) {
    let needs = || { parsed.iter() }.filter_map(|it| Some((&*it.place, &it.need.as_ref()?.1)));
    let is_ours = needs().any(|(_, need)| match need {
        Need::Answers(document) | Need::Tools(_, document) => document.settings().is_ours,
    });
    let asks = needs().filter_map(|(_, need)| match need {
        Need::Answers(document) => Some(&**document.asks()),
        Need::Tools(..) => None,
    });
    let needs_tools = needs().any(|(_, it)| matches!(it, Need::Tools(..)));
    workspace.limit_to(asks, needs_tools, is_ours, seen);
    for (place, need) in needs() {
        match need {
            Need::Answers(document) => {
                let _ = workspace.answers(Some(place), document.asks());
            }
            Need::Tools(..) => {
                let _ = workspace.has_tool(place, std::iter::empty());
            }
        }
    }
    workspace.settle();
}

/// The document at `place` with the answers to it, after its project was read.
fn answered(
    workspace: &mut Workspace,
    place: &Path,
    need: Need,
) -> (Box<Document>, Option<Arc<Answers>>) {
    let document = match need {
        Need::Answers(document) => document,
        Need::Tools(text, document) => {
            if workspace.has_tool(place, search::heads(&text)) != Some(true) {
                return (document, None);
            }
            let settings = document.settings().clone();
            Box::new(Document::new(document.host().kind(), &text, settings))
        }
    };
    let answers = workspace.answers(Some(place), document.asks());
    (document, Some(answers.unwrap_or_default()))
}

/// Calls `look` for every file of `sources` with its number and its settings, in parallel.
fn look_at(
    workspace: &mut Workspace,
    sources: &Sources,
    look: &(dyn Fn(usize, SourceFile, Settings) -> Result<(), Unread> + Sync),
) -> Rest {
    let Listing {
        files: found,
        links,
        mut unread,
    } = sources.find();
    let settings = Mutex::new(FolderSettings::of(workspace));
    let look = |(index, (path, kind)): (usize, (PathBuf, HostKind))| {
        let settings = {
            let mut known = settings.lock().unwrap_or_else(PoisonError::into_inner);
            known.settings_for(&path)
        };
        let looked = sources.read(&path, kind).and_then(|file| {
            guarded(|| look(index, file, settings)).unwrap_or_else(|| Err(Unread::panicked(&path)))
        });
        looked.err()
    };
    let files = found.into_par_iter().enumerate();
    // A thread without work takes single files of others, of which some take a thousand times as long as most.
    let failed = files.with_max_len(1).filter_map(look);
    unread.extend(failed.collect::<Vec<_>>());
    let mut problems = workspace.take_problems();
    problems.sort_unstable();
    Rest {
        unread,
        links,
        problems,
    }
}

/// The settings of files, which are the same in a folder.
struct FolderSettings<'w> {
    workspace: &'w mut Workspace,
    known: HashMap<PathBuf, Settings>,
}

impl<'w> FolderSettings<'w> {
    fn of(workspace: &'w mut Workspace) -> Self {
        Self {
            workspace,
            known: HashMap::default(),
        }
    }

    fn settings_for(&mut self, path: &Path) -> Settings {
        let folder = path.parent().unwrap_or(Path::new(""));
        if let Some(known) = self.known.get(folder) {
            return known.clone();
        }
        let settings = self.workspace.settings_for(path);
        self.known.insert(folder.to_owned(), settings.clone());
        settings
    }
}
