//! `signature-ls check`: reports problems in files and folders.

use std::{io, path::Path, process::ExitCode};

use super::{
    FAILURE,
    changes::{self, Change, Mode},
    complain, documents,
    files::{self, SourceFile, Unread},
    printed,
    report::{Checked, Format, Report},
    sources::Sources,
};
use signature_ls_analysis::{
    ide::{Document, Findings, Once, Settings, Severity, fix_all, fixable, rules::too_many_units},
    model::Edition,
};
use signature_ls_source::text::Text;

/// The arguments of `check`.
#[derive(clap::Args)]
pub(super) struct Check {
    /// The output format.
    #[arg(long, value_enum, default_value_t, conflicts_with = "diff")]
    format: Format,
    /// The edition of the language: 0.4, 0.5, 0.11 or next. By default, each project decides.
    #[arg(long)]
    edition: Option<Edition>,
    /// Apply the safe fixes, and report the remaining problems.
    #[arg(long)]
    fix: bool,
    /// With `--fix`, print a diff instead of changing files.
    #[arg(long, requires = "fix")]
    diff: bool,
    /// Exit with 1 if there are warnings, too.
    #[arg(long)]
    error_on_warnings: bool,
    #[command(flatten)]
    sources: Sources,
}

impl Check {
    /// Checks and prints. The exit code is 2 if something could not be read or written, else 1 if an error (or a warning, if
    /// these count) was found or a diff is not empty, else 0.
    pub(super) fn run(self) -> io::Result<ExitCode> {
        if self.sources.is_stdin() && self.fix && !self.diff {
            complain(
                "with `--stdin-filename`, `--fix` needs `--diff`, because there is no file to change",
            );
            return Ok(ExitCode::from(FAILURE));
        }
        let look = |path: &Path, document: &Document| {
            let fixed = self.fix.then(|| fixed(path, document)).flatten();
            (checked(path, document), fixed)
        };
        let once = |file: &SourceFile, settings: &Settings| match self.fix {
            true => None,
            false => Some(checked_once(file, settings)?.map(|it| (it, None))),
        };
        let read = match self.fix {
            true => Document::closed,
            false => Document::for_findings,
        };
        let mut looked = documents::look_at_texts(&self.sources, self.edition, read, once, look);
        if self.diff {
            let is_failure = looked.complain();
            let fixed = looked.answers.into_iter().filter_map(|(_, fixed)| fixed);
            let changes = fixed.map(|(change, _)| change);
            let outcome = changes::apply(changes, Mode::Diff, &mut anstream::stdout().lock())?;
            return Ok(exit_code(is_failure, outcome.is_changed));
        }
        let overfull = looked.take_overfull();
        let mut is_failure = looked.complain();
        let remaining = |(found, fixed): (Checked, Option<(Change, Checked)>)| match fixed {
            Some((change, after)) if change.write() => Checked {
                fixed: found
                    .findings
                    .len()
                    .saturating_sub(after.findings.len())
                    .max(1),
                ..after
            },
            Some(_) => {
                is_failure = true;
                found
            }
            None => found,
        };
        let mut files: Vec<_> = looked.answers.into_iter().map(remaining).collect();
        if !overfull.is_empty() {
            files.extend(overfull.iter().map(|path| unchecked(path)));
            files.sort_by(|a, b| a.path.cmp(&b.path));
        }
        for file in files.iter().filter(|file| file.left_out > 0) {
            complain(&left_out(file));
        }
        let report = Report { files };
        printed(self.format.print(&report))?;
        let is_found = |severity| report.count(severity) > 0;
        let is_warned = self.error_on_warnings && is_found(Severity::Warning);
        Ok(exit_code(
            is_failure,
            is_warned || is_found(Severity::Error),
        ))
    }
}

fn exit_code(is_failure: bool, is_found: bool) -> ExitCode {
    match (is_failure, is_found) {
        (true, _) => ExitCode::from(FAILURE),
        (false, true) => ExitCode::FAILURE,
        (false, false) => ExitCode::SUCCESS,
    }
}

/// All safe fixes of a file, and what is found after them; `None` if there are none, or if they add errors.
fn fixed(path: &Path, document: &Document) -> Option<(Change, Checked)> {
    let errors = |document: &Document| {
        let found = document.diagnostics().into_iter();
        found.filter(|it| it.severity == Severity::Error).count()
    };
    if fixable(document).is_empty() {
        return None;
    }
    let document = &document.opened();
    let edits = fix_all(document);
    let mut after = document.with_edits(&edits);
    after.check_if_needed();
    if edits.is_empty() || errors(&after) > errors(document) {
        return None;
    }
    let change = Change::new(path.to_owned(), document, &edits)?;
    Some((change, checked(path, &after)))
}

/// What is found in a file.
fn checked(path: &Path, document: &Document) -> Checked {
    with_findings(path, document.findings(), document.text().clone())
}

/// The same for a file that does not need a document.
fn checked_once(file: &SourceFile, settings: &Settings) -> Option<Result<Checked, Unread>> {
    Some(
        match Document::found_once(file.kind, &file.text, settings)? {
            Once::Found(text, findings) => Ok(with_findings(&file.path, findings, text)),
            Once::Overfull => Err(Unread::overfull(&file.path)),
        },
    )
}

fn with_findings(path: &Path, findings: Findings, text: Text) -> Checked {
    // Most files have none, and their texts are freed by the threads that read them.
    let text = match findings.reported.is_empty() {
        true => Text::default(),
        false => text,
    };
    Checked {
        path: files::shown(path),
        findings: findings.reported,
        left_out: findings.left_out,
        fixed: 0,
        text,
    }
}

/// What is reported about a file that is not checked, because there is too much in it.
fn unchecked(path: &Path) -> Checked {
    Checked {
        path: files::shown(path),
        findings: vec![too_many_units()],
        left_out: 0,
        fixed: 0,
        text: Text::default(),
    }
}

fn left_out(file: &Checked) -> String {
    let (path, count) = (&file.path, file.left_out);
    let plural = if count == 1 { "" } else { "s" };
    format!(
        "{path}: at least {count} more finding{plural}: of a signature and of a file, only the most severe are shown"
    )
}
