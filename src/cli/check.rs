//! `signature-ls check`: what is wrong in files and folders.

use std::{
    io,
    path::{Path, PathBuf},
    process::ExitCode,
};

use super::{
    FAILURE, complain, documents, files, printed,
    report::{Checked, Format, Report},
};
use crate::{
    ide::{Document, Findings, Severity},
    model::Edition,
};

/// The arguments of `check`.
#[derive(clap::Args)]
pub(super) struct Check {
    /// How to print what was found.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// The edition of the language: 0.4, 0.5, 0.11 or next. Without it each project tells its own.
    #[arg(long)]
    edition: Option<Edition>,
    /// Files to check, and folders to look for files in.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

impl Check {
    /// Checks and prints. The exit code is 2 where something could not be read, else 1 where an error
    /// was found, else 0.
    pub(super) fn run(self) -> io::Result<ExitCode> {
        let checked = documents::look_at_documents(&self.paths, self.edition, checked);
        let is_failure = checked.complain();
        let files = checked.answers;
        for file in files.iter().filter(|file| file.left_out > 0) {
            complain(&left_out(file));
        }
        let report = Report { files };
        printed(self.format.print(&report))?;
        Ok(if is_failure {
            ExitCode::from(FAILURE)
        } else if report.count(Severity::Error) > 0 {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        })
    }
}

/// What is found in a file.
fn checked(path: &Path, document: &Document) -> Checked {
    let Findings { reported, left_out } = document.findings();
    Checked {
        path: files::shown(path),
        findings: reported,
        left_out,
        text: document.text().clone(),
    }
}

fn left_out(file: &Checked) -> String {
    let (path, count) = (&file.path, file.left_out);
    let plural = if count == 1 { "" } else { "s" };
    format!(
        "{path}: at least {count} more finding{plural}: of a signature and of a file, only the most severe are shown"
    )
}
