//! `signature-ls check`: what is wrong in files and folders.

use std::{io, path::PathBuf, process::ExitCode};

use super::{
    FAILURE, complain,
    files::{self, SourceFile},
    report::{Checked, Format, Report},
};
use crate::{
    ide::{Document, Settings, Severity},
    model::Edition,
};

/// The arguments of `check`.
#[derive(clap::Args)]
pub(super) struct Check {
    /// How to print what was found.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// The edition of the language: 0.4, 0.5, 0.11 or next.
    #[arg(long, default_value_t)]
    edition: Edition,
    /// Files to check, and folders to look for files in.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

impl Check {
    /// Checks and prints. The exit code is 2 where something could not be read, else 1 where an error
    /// was found, else 0.
    pub(super) fn run(self) -> io::Result<ExitCode> {
        let settings = Settings {
            edition: self.edition,
            ..Settings::default()
        };
        let (files, unread) = files::look_at_all(&self.paths, |file| check(file, &settings));
        for unread in &unread {
            complain(&unread.to_string());
        }
        let report = Report { files };
        self.format.write(&report, &mut anstream::stdout().lock())?;
        Ok(if !unread.is_empty() {
            ExitCode::from(FAILURE)
        } else if report.count(Severity::Error) > 0 {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        })
    }
}

fn check(file: SourceFile, settings: &Settings) -> Checked {
    let document = Document::new(file.kind, &file.text.rope().to_string(), settings.clone());
    Checked {
        path: file.path,
        findings: document.diagnostics(),
        text: file.text,
    }
}
