//! `signature-ls bug-report`: prints what is needed to find a bug, without the text or the name of any file.

use std::{
    collections::BTreeMap,
    fmt::Write,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use super::{documents, files, printable::printable, printed, sources::Sources, version};
use signature_ls_analysis::ide::{Document, Settings};
use signature_ls_source::host::HostKind;

/// The number of log lines in the report.
const LOG_LINES: usize = 200;

/// The arguments of `bug-report`.
#[derive(clap::Args)]
pub(super) struct BugReport {
    /// The server's log file, whose last lines are added.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// The files and folders that the bug is about.
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
}

/// The report about one file.
struct Facts {
    kind: HostKind,
    edition: &'static str,
    bytes: u64,
    rules: Vec<&'static str>,
    /// The levels, the width and the number of names that the settings of its project set.
    settings: Vec<String>,
}

impl BugReport {
    /// Prints the report, in Markdown.
    pub(super) fn run(self) -> io::Result<ExitCode> {
        let begin = Instant::now();
        let looked = documents::look_at_documents(&Sources::of(self.paths), None, facts);
        let milliseconds = begin.elapsed().as_millis();
        let is_incomplete = looked.complain();
        let mut report = format!("## Program\n\n```text\n{}```\n\n", version::verbose());
        report += "## Files\n\n";
        report += &of_files(&looked.answers, milliseconds);
        if let Some(log) = self.log {
            let text =
                files::read_text(&log).map_err(|error| io::Error::other(error.to_string()))?;
            report += "\n## Log\n\n```text\n";
            report += &last_lines(&text);
            report += "```\n";
        }
        printed(io::stdout().lock().write_all(report.as_bytes()))?;
        Ok(match is_incomplete {
            true => ExitCode::from(super::FAILURE),
            false => ExitCode::SUCCESS,
        })
    }
}

fn facts(path: &Path, document: &Document) -> Facts {
    let found = document.diagnostics();
    let settings = document.settings();
    Facts {
        kind: document.host().kind(),
        edition: document.edition().name(),
        bytes: fs::metadata(path).map_or(0, |it| it.len()),
        rules: found.iter().map(|it| it.rule.code).collect(),
        settings: shown_settings(settings),
    }
}

fn shown_settings(settings: &Settings) -> Vec<String> {
    let levels = settings.levels.iter();
    let levels = levels.map(|(code, level)| format!("{code} = {}", level.name()));
    let width = settings.line_width.map(|it| format!("line_width = {it}"));
    let names = Some(settings.roles.added_words().count()).filter(|it| *it > 0);
    let names = names.map(|it| format!("own keys and calls = {it}"));
    levels.chain(width).chain(names).collect()
}

fn of_files(files: &[Facts], milliseconds: u128) -> String {
    let mut kinds: BTreeMap<String, (usize, u64)> = BTreeMap::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        let (count, bytes) = kinds.entry(format!("{:?}", file.kind)).or_default();
        *count += 1;
        *bytes += file.bytes;
        let editions = [format!("edition {}", file.edition)].into_iter();
        let rules = file.rules.iter().map(|code| format!("finding {code}"));
        let settings = file.settings.iter().map(|it| format!("setting {it}"));
        for fact in editions.chain(rules).chain(settings) {
            *counts.entry(fact).or_default() += 1;
        }
    }
    let mut text = format!("{} checked in {milliseconds} ms\n", files.len());
    // Writing to a string cannot fail.
    for (kind, (count, bytes)) in kinds {
        let _ = writeln!(text, "- {kind}: {count}, {bytes} bytes");
    }
    for (fact, count) in counts {
        let _ = writeln!(text, "- {fact}: {count}");
    }
    text
}

fn last_lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().rev().take(LOG_LINES).collect();
    let lines = lines.into_iter().rev();
    lines.map(|line| format!("{}\n", printable(line))).collect()
}
