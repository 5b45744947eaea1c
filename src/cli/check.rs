//! `signature-ls check`: what is wrong in files and folders.

use std::{collections::BTreeSet, io, path::PathBuf, process::ExitCode};

use super::{
    FAILURE, complain,
    files::{self, SourceFile},
    printed,
    report::{Checked, Format, Report},
};
use crate::{
    host::HostKind,
    ide::{Document, Findings, Severity},
    model::Edition,
    project::{Found, ProjectFunctions, Projects},
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
        let projects = Projects::default();
        let functions = ProjectFunctions::default();
        let look = |file| self.check(file, &projects, &functions);
        let (looked_at, unread) = files::look_at_all(&self.paths, look);
        let (files, problems): (Vec<_>, Vec<_>) = looked_at.into_iter().unzip();
        let problems: BTreeSet<_> = problems.into_iter().flatten().collect();
        for problem in &problems {
            complain(problem);
        }
        for unread in &unread {
            complain(&unread.to_string());
        }
        for file in files.iter().filter(|file| file.left_out > 0) {
            complain(&left_out(file));
        }
        let report = Report { files };
        printed(self.format.write(&report, &mut anstream::stdout().lock()))?;
        Ok(if !unread.is_empty() || !problems.is_empty() {
            ExitCode::from(FAILURE)
        } else if report.count(Severity::Error) > 0 {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        })
    }

    /// What is found in a file, and what is wrong with the settings of its project.
    fn check(
        &self,
        file: SourceFile,
        projects: &Projects,
        functions: &ProjectFunctions,
    ) -> (Checked, Option<String>) {
        let Found {
            mut settings,
            problem,
        } = projects.settings_for(&file.path);
        settings.edition = self.edition.unwrap_or(settings.edition);
        let mut document = Document::new(file.kind, &file.text.rope().to_string(), settings);
        if matches!(file.kind, HostKind::Elixir | HostKind::Markdown) {
            document.set_functions(functions.around(&file.path));
        }
        let Findings { reported, left_out } = document.findings();
        let checked = Checked {
            path: files::shown(&file.path),
            findings: reported,
            left_out,
            text: file.text,
        };
        (checked, problem)
    }
}

fn left_out(file: &Checked) -> String {
    let (path, count) = (&file.path, file.left_out);
    let plural = if count == 1 { "" } else { "s" };
    format!(
        "{path}: {count} finding{plural} left out: of a signature and what belongs to it, only the most severe are shown"
    )
}
