//! `signature-ls format`: formats signatures and catalogs.

use std::{io, process::ExitCode};

use super::{
    FAILURE,
    changes::{self, Change, Mode},
    documents,
    files::{SourceFile, Unread},
    printed,
    sources::Sources,
    with_stdout,
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
    #[command(flatten)]
    sources: Sources,
}

impl Format {
    /// Formats, and prints the paths of the files that changed. The exit code is 2 if something could not be read or
    /// written, else 1 if `--check` or `--diff` found a file to change, else 0.
    pub(super) fn run(self) -> io::Result<ExitCode> {
        if self.sources.is_stdin() && !self.check && !self.diff {
            return self.print();
        }
        let mode = match (self.check, self.diff) {
            (true, _) => Mode::Check,
            (false, true) => Mode::Diff,
            (false, false) => Mode::Write,
        };
        let formatted = documents::look_at_files(&self.sources, formatted);
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

    /// Prints the formatted text of standard input, also if it was formatted already.
    fn print(&self) -> io::Result<ExitCode> {
        let look = |file: SourceFile, settings: Settings| {
            let text = file.text.clone();
            Ok(formatted(file, settings)?.map_or(text, Change::into_new))
        };
        let formatted = documents::look_at_files(&self.sources, look);
        if formatted.complain() {
            return Ok(ExitCode::from(FAILURE));
        }
        let text = formatted.answers.concat();
        printed(with_stdout(|out| out.write_all(text.as_bytes())))?;
        Ok(ExitCode::SUCCESS)
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
