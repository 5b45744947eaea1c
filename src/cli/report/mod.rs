//! What `check` found, and the formats to print it in: one file a format.

mod human;
mod json;

use std::io::{self, Write};

use crate::{
    ide::{Diagnostic, Severity},
    text::Text,
};

/// A file that was checked.
pub(super) struct Checked {
    /// Its path as it is shown.
    pub(super) path: String,
    /// What stands in it.
    pub(super) text: Text,
    /// What was found in it, in the order of the text.
    pub(super) findings: Vec<Diagnostic>,
}

/// All files that were checked, sorted by path.
pub(super) struct Report {
    /// The files, also those in which nothing was found.
    pub(super) files: Vec<Checked>,
}

impl Report {
    /// How many findings of `severity` there are.
    pub(super) fn count(&self, severity: Severity) -> usize {
        self.findings()
            .filter(|(_, found)| found.severity == severity)
            .count()
    }

    fn findings(&self) -> impl Iterator<Item = (&Checked, &Diagnostic)> {
        self.files
            .iter()
            .flat_map(|file| file.findings.iter().map(move |found| (file, found)))
    }
}

/// The formats of a report.
#[derive(Clone, Copy, Default, clap::ValueEnum)]
pub(super) enum Format {
    /// For people: each finding with its line of the file.
    #[default]
    Human,
    /// For programs: an array of objects.
    Json,
}

impl Format {
    /// Prints `report` in this format.
    pub(super) fn write(self, report: &Report, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Human => human::write(report, out),
            Self::Json => json::write(report, out),
        }
    }
}

/// The name of a severity in what is printed.
fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}

/// How to mend a finding: what its best fix does.
fn help(found: &Diagnostic) -> Option<&str> {
    found.fixes.first().map(|fix| fix.title.as_str())
}
