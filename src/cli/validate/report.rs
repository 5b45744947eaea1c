//! Output formats of `validate`.

use std::io::{self, Write};

use serde::Serialize;

use crate::cli::{
    place::Place,
    printable::{printable, printable_path, write_printable_json},
};
use signature_ls_analysis::{
    contract::{self, Finding, Path},
    ide::Severity,
};
use signature_ls_source::text::Text;

/// The findings for the values of a file.
pub(super) struct Report {
    /// Its path as it is shown.
    pub(super) file: String,
    /// The number of checked values.
    values: usize,
    /// The findings in order.
    findings: Vec<Found>,
}

/// A finding and where it is in its file.
struct Found {
    severity: Severity,
    start: Place,
    end: Place,
    finding: Finding,
}

/// The formats of a report.
#[derive(Clone, Copy, Default, clap::ValueEnum)]
pub(super) enum Format {
    /// For people: one line for each finding.
    #[default]
    Human,
    /// For programs: an array of objects.
    Json,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonFinding<'a> {
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
    /// A report without findings for `file`.
    pub(super) fn of(file: String) -> Self {
        Self {
            file,
            values: 0,
            findings: Vec::new(),
        }
    }

    /// Adds the findings of the value in `text`, which has `lines` lines before it.
    pub(super) fn add(&mut self, lines_before: usize, text: &str, found: contract::Report) {
        self.values += 1;
        let errors = found.errors.into_iter().map(|it| (Severity::Error, it));
        let warnings = found.warnings.into_iter().map(|it| (Severity::Warning, it));
        let mut found = errors.chain(warnings).peekable();
        if found.peek().is_none() {
            return;
        }
        let text = Text::from(text);
        let place = |offset| {
            let place = Place::of(&text, offset);
            let line = lines_before + place.line;
            Place { line, ..place }
        };
        self.findings.extend(found.map(|(severity, finding)| Found {
            severity,
            start: place(finding.range.start()),
            end: place(finding.range.end()),
            finding,
        }));
    }

    /// How many findings of `severity` there are.
    pub(super) fn count(&self, severity: Severity) -> usize {
        let findings = self.findings.iter();
        findings.filter(|it| it.severity == severity).count()
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
    for found in &report.findings {
        let Place { line, column } = found.start;
        let severity = found.severity.name();
        writeln!(
            out,
            "{file}:{line}:{column}: {severity}: {}",
            printable(&found.finding.to_string())
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
    let entries = report.findings.iter().map(|found| JsonFinding {
        file: &report.file,
        line: found.start.line,
        column: found.start.column,
        end_line: found.end.line,
        end_column: found.end.column,
        severity: found.severity.name(),
        path: &found.finding.path,
        message: found.finding.kind.to_string(),
    });
    write_printable_json(out, &entries.collect::<Vec<_>>())
}
