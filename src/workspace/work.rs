//! Long operations: they run on any thread and return a change.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{
    UserSettings, outlines,
    outlines::Outlined,
    project::{self, Asked},
    reading::{End, Job, Progress, ReadFiles},
};
use crate::panics::guarded;
use signature_ls_source::host::elixir::module::Facts;

/// Files to read, on any thread.
#[derive(Debug)]
pub struct Work {
    job: Job,
    what: What,
    is_cancelled: Arc<AtomicBool>,
}

/// What to read.
#[derive(Debug)]
enum What {
    /// All questions that will ever be asked, if they are known.
    Functions(Option<Arc<Asked>>),
    /// The user's settings.
    Outlines(UserSettings),
}

/// The result of reading.
#[derive(Debug)]
pub struct Change {
    pub(super) number: u64,
    pub(super) root: PathBuf,
    pub(super) found: WorkResult,
    pub(super) end: End,
}

#[derive(Debug)]
pub(super) enum WorkResult {
    Functions(ReadFiles<Arc<Facts>>),
    Outlines(ReadFiles<Option<Outlined>>),
}

impl Work {
    pub(super) fn functions(job: Job, asked: Option<Arc<Asked>>) -> Self {
        Self::new(job, What::Functions(asked))
    }

    pub(super) fn outlines(job: Job, user: UserSettings) -> Self {
        Self::new(job, What::Outlines(user))
    }

    fn new(job: Job, what: What) -> Self {
        Self {
            job,
            what,
            is_cancelled: Arc::default(),
        }
    }

    /// Whether it is the first read of its folder.
    pub fn is_first(&self) -> bool {
        self.job.is_first()
    }

    /// Cancels it once set: what was read until then counts.
    pub fn cancellation(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_cancelled)
    }

    /// Reads. After each file, `watch` gets the numbers of files that were read and of all files to read.
    ///
    /// If that panics, the change says so: without it, nobody would read these files again.
    pub fn run(self, watch: impl Fn(usize, usize) + Sync) -> Change {
        let (number, root) = (self.job.number(), self.job.root().to_owned());
        let progress = Progress::new(&watch, &self.is_cancelled);
        let (found, is_complete) = match self.what {
            What::Functions(asked) => {
                let read = guarded(|| project::read(self.job, &progress, asked.as_deref()));
                let is_complete = read.is_some();
                (WorkResult::Functions(read.unwrap_or_default()), is_complete)
            }
            What::Outlines(user) => {
                let read = guarded(|| outlines::read(self.job, &progress, &user));
                let is_complete = read.is_some();
                (WorkResult::Outlines(read.unwrap_or_default()), is_complete)
            }
        };
        let end = match self.is_cancelled.load(Ordering::Relaxed) {
            _ if !is_complete => End::Failed,
            true => End::Canceled,
            false => End::Complete,
        };
        Change {
            number,
            root,
            found,
            end,
        }
    }
}
