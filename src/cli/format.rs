//! `signature-ls format`: formats signatures and catalogs.

use std::{io, path::PathBuf, process::ExitCode};

use super::{
    FAILURE,
    changes::{self, Change, Mode},
    documents,
    files::{SourceFile, Unread},
};
use signature_ls_analysis::ide::{Document, Settings, format_signatures};

/// The arguments of `format`.
#[derive(clap::Args)]
pub(super) struct Format {
    /// Change no files; exit with 1 if a file is not formatted.
    #[arg(long)]
    check: bool,
    /// Print a diff instead of changing files; exit with 1 if it is not empty.
    #[arg(long, conflicts_with = "check")]
    diff: bool,
    /// Files and folders to format.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

impl Format {
    /// Formats, and prints the paths of the files that changed. The exit code is 2 if something could not be read or
    /// written, else 1 if `--check` or `--diff` found a file to change, else 0.
    pub(super) fn run(self) -> io::Result<ExitCode> {
        let mode = match (self.check, self.diff) {
            (true, _) => Mode::Check,
            (false, true) => Mode::Diff,
            (false, false) => Mode::Write,
        };
        let formatted = documents::look_at_files(&self.paths, formatted);
        let is_unread = formatted.complain();
        let changes = formatted.answers.into_iter().flatten();
        let mut out = anstream::stdout().lock();
        let outcome = changes::apply(changes, mode, &mut out)?;
        Ok(if is_unread || outcome.is_failure {
            ExitCode::from(FAILURE)
        } else if mode != Mode::Write && outcome.is_changed {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        })
    }
}

/// The formatted file, unless it is formatted already.
fn formatted(mut file: SourceFile, settings: Settings) -> Result<Option<Change>, Unread> {
    let document = Document::closed(file.kind, &mut file.text, settings);
    if document.is_overfull() {
        return Err(Unread::overfull(&file.path));
    }
    let edits = format_signatures(&document);
    Ok(Change::new(file.path, &document, &edits))
}
