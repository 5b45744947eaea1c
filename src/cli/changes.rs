//! Changed files: written, listed or printed as a diff.

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
};

use diffy::DiffOptions;

use super::{
    complain,
    files::shown,
    printable::{printable, printable_path},
};
use crate::{
    files::replace,
    ide::Document,
    text::{Text, TextEdit},
};

/// What to do with changed files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Write them, and print their paths.
    Write,
    /// Print their paths.
    Check,
    /// Print a diff.
    Diff,
}

/// A file with a new text.
pub(super) struct Change {
    path: PathBuf,
    old: String,
    new: String,
}

/// The outcome of the changes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Outcome {
    /// Whether there is a change.
    pub(super) is_changed: bool,
    /// Whether a file could not be written.
    pub(super) is_failure: bool,
}

impl Change {
    /// The file at `path` after `edits`; `None` without edits.
    pub(super) fn new(path: PathBuf, document: &Document, edits: &[TextEdit]) -> Option<Self> {
        if edits.is_empty() {
            return None;
        }
        let mut new: Text = document.text().clone();
        for edit in edits.iter().rev() {
            new.apply(edit);
        }
        Some(Self {
            path,
            old: document.text().rope().to_string(),
            new: new.rope().to_string(),
        })
    }
}

/// Writes or prints the changes, in order.
pub(super) fn apply(
    changes: impl Iterator<Item = Change>,
    mode: Mode,
    out: &mut impl Write,
) -> io::Result<Outcome> {
    let mut outcome = Outcome::default();
    for Change { path, old, new } in changes {
        let name = shown(&path);
        if mode == Mode::Write
            && let Err(error) = replace(&path, &old, &new)
        {
            complain(&format!("cannot write {name}: {error}"));
            outcome.is_failure = true;
            continue;
        }
        outcome.is_changed = true;
        match mode {
            Mode::Diff => {
                let name = printable(&name);
                let mut options = DiffOptions::new();
                options.set_original_filename(format!("a/{name}"));
                options.set_modified_filename(format!("b/{name}"));
                write_diff(&options.create_patch(&old, &new).to_string(), out)?;
            }
            Mode::Write | Mode::Check => writeln!(out, "{}", printable_path(&path))?,
        }
    }
    Ok(outcome)
}

/// Writes a diff unchanged for programs that apply it, and with control characters escaped on a terminal.
fn write_diff(diff: &str, out: &mut impl Write) -> io::Result<()> {
    if !io::stdout().is_terminal() {
        return out.write_all(diff.as_bytes());
    }
    diff.lines()
        .try_for_each(|line| writeln!(out, "{}", printable(line)))
}
