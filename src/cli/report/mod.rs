//! Output formats of `check`, one file per format.

mod github;
mod human;
mod json;
mod sarif;

use std::io::{self, Write};

use super::with_stdout;
use signature_ls_analysis::ide::{Diagnostic, Severity};
use signature_ls_source::text::Text;

/// A file that was checked.
pub(super) struct Checked {
    /// Its path as it is shown.
    pub(super) path: String,
    /// Its text.
    pub(super) text: Text,
    /// Its findings, in the order of the text.
    pub(super) findings: Vec<Diagnostic>,
    /// The number of findings that were omitted.
    pub(super) left_out: usize,
    /// The number of findings that were fixed.
    pub(super) fixed: usize,
}

/// All files that were checked, sorted by path.
pub(super) struct Report {
    /// The files, including those without findings.
    pub(super) files: Vec<Checked>,
}

impl Report {
    /// The number of findings of `severity`.
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
    /// For people: each finding with its source lines.
    #[default]
    Human,
    /// For programs: an array of objects.
    Json,
    /// For GitHub Actions: a workflow command for each finding.
    Github,
    /// For code scanning services: SARIF 2.1.0.
    Sarif,
}

impl Format {
    /// Prints `report` in this format to standard output.
    pub(super) fn print(self, report: &Report) -> io::Result<()> {
        match self {
            Self::Human => {
                let mut out = io::BufWriter::new(anstream::stdout().lock());
                self.write(report, &mut out)?;
                out.flush()
            }
            Self::Json | Self::Github | Self::Sarif => with_stdout(|out| self.write(report, out)),
        }
    }

    fn write(self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Human => human::write(report, out),
            Self::Json => json::write(report, out),
            Self::Github => github::write(report, out),
            Self::Sarif => sarif::write(report, out),
        }
    }
}

/// The title of the best fix of a finding.
fn help(found: &Diagnostic) -> Option<&str> {
    found.fixes.first().map(|fix| fix.title.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use signature_ls_analysis::ide::{Fix, Rule, Sample};
    use signature_ls_source::text::{TextEdit, TextRange, TextSize, size};

    static WRONG_TYPE: Rule = Rule {
        code: "wrong-type",
        severity: Severity::Error,
        summary: "A word that is no type",
        explanation: "Only **these** words are types.",
        wrong: Sample::signature(":strng"),
        right: Sample::signature(":string"),
    };
    static ODD_LINES: Rule = Rule {
        code: "odd-lines",
        severity: Severity::Warning,
        ..WRONG_TYPE
    };
    static MISSING_END: Rule = Rule {
        code: "missing-end",
        severity: Severity::Hint,
        ..WRONG_TYPE
    };

    /// A report with a finding of each kind: with a fix, over two lines, and between two bytes.
    pub(super) fn report() -> Report {
        let found = |rule: &'static Rule, start: u32, end: u32, message: &str| {
            Diagnostic::new(rule, TextRange::new(start.into(), end.into()), message)
        };
        let mut wrong = found(&WRONG_TYPE, 11, 17, "`:strng` is no type");
        wrong.fixes.push(Fix {
            title: "Write `:string`".to_owned(),
            edits: vec![TextEdit::replace(wrong.range, ":string")],
            safe: true,
        });
        let file = |path: &str, text: &str, findings| Checked {
            path: path.to_owned(),
            text: Text::from(text),
            findings,
            left_out: 0,
            fixed: 0,
        };
        Report {
            files: vec![
                file(
                    "lib/a,b.ex",
                    "# 😀\n\té(:strng\r\n)\n",
                    vec![wrong, found(&ODD_LINES, 10, 20, "100% odd")],
                ),
                file("lib/clean.ex", "", Vec::new()),
                file(
                    "z.ex",
                    "end",
                    vec![found(&MISSING_END, 3, 3, "something is missing")],
                ),
            ],
        }
    }

    /// A report with one finding, at `marked` in `text`.
    pub(super) fn finding(text: &str, marked: &str) -> Report {
        let start = text.find(marked).expect("a place");
        let range = TextRange::at(size(start), TextSize::of(marked));
        Report {
            files: vec![Checked {
                path: "a.ex".to_owned(),
                text: Text::from(text),
                findings: vec![Diagnostic::new(&WRONG_TYPE, range, "it is wrong")],
                left_out: 0,
                fixed: 0,
            }],
        }
    }

    /// The output of `format` for `report`, without colors.
    pub(super) fn printed(format: Format, report: &Report) -> String {
        let mut out = anstream::StripStream::new(Vec::new());
        format.write(report, &mut out).expect("writing to memory");
        String::from_utf8(out.into_inner()).expect("UTF-8")
    }
}
