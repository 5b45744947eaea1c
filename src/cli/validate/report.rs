//! What `validate` found, and the formats to print it in.

use std::io::{self, Write};

use serde::Serialize;

use crate::{
    cli::{
        place::Place,
        printable::{printable, printable_path},
        report::severity_name,
    },
    contract::{self, Finding, Path},
    ide::Severity,
    text::{Text, TextSize},
};

/// What was found in the values of a file.
pub(super) struct Report {
    /// Its path as it is shown.
    pub(super) file: String,
    /// What stands in it.
    pub(super) text: Text,
    /// How many values were checked.
    pub(super) values: usize,
    /// In the order in which they were found, ranges in bytes of the file.
    pub(super) findings: Vec<(Severity, Finding)>,
}

/// The formats of a report.
#[derive(Clone, Copy, Default, clap::ValueEnum)]
pub(super) enum Format {
    /// For people: a line each.
    #[default]
    Human,
    /// For programs: an array of objects.
    Json,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    severity: &'static str,
    path: &'a Path,
    message: String,
}

impl Report {
    /// Adds what was found in the value whose ranges count from `start`.
    pub(super) fn add(&mut self, start: TextSize, found: contract::Report) {
        self.values += 1;
        let errors = found.errors.into_iter().map(|it| (Severity::Error, it));
        let warnings = found.warnings.into_iter().map(|it| (Severity::Warning, it));
        for (severity, mut finding) in errors.chain(warnings) {
            finding.range += start;
            self.findings.push((severity, finding));
        }
    }

    /// How many findings of `severity` there are.
    pub(super) fn count(&self, severity: Severity) -> usize {
        let findings = self.findings.iter();
        findings.filter(|(found, _)| *found == severity).count()
    }
}

impl Format {
    /// Prints `report` in this format.
    pub(super) fn write(self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Human => write_human(report, out),
            Self::Json => write_json(report, out),
        }
    }
}

fn write_human(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let file = printable_path(std::path::Path::new(&report.file));
    for (severity, finding) in &report.findings {
        let Place { line, column } = Place::of(&report.text, finding.range.start());
        let severity = severity_name(*severity);
        writeln!(
            out,
            "{file}:{line}:{column}: {severity}: {}",
            printable(&finding.to_string())
        )?;
    }
    let errors = counted(report.count(Severity::Error), "error");
    let warnings = counted(report.count(Severity::Warning), "warning");
    let values = counted(report.values, "value");
    writeln!(out, "{errors}, {warnings} in {values}")
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

fn write_json(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let entries = report.findings.iter().map(|(severity, finding)| {
        let start = Place::of(&report.text, finding.range.start());
        let end = Place::of(&report.text, finding.range.end());
        Entry {
            file: &report.file,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            severity: severity_name(*severity),
            path: &finding.path,
            message: finding.kind.to_string(),
        }
    });
    serde_json::to_writer_pretty(&mut *out, &entries.collect::<Vec<_>>())?;
    writeln!(out)
}
