//! Changed files: written, listed or printed as a diff.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use diffy::create_patch;

use super::{
    complain,
    files::shown,
    printable::{printable, printable_path, write_lines},
    printed,
};
use crate::files::replace;
use signature_ls_analysis::ide::Document;
use signature_ls_source::text::{Text, TextEdit};

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
    /// The file at `path` after `edits`, which take its line ends; `None` without edits.
    pub(super) fn new(path: PathBuf, document: &Document, edits: &[TextEdit]) -> Option<Self> {
        if edits.is_empty() {
            return None;
        }
        let mut new: Text = document.text().clone();
        for edit in edits.iter().rev() {
            let insert = document.text().with_line_ends(&edit.insert);
            new.apply(&TextEdit::replace(edit.range, insert));
        }
        Some(Self {
            path,
            old: document.text().rope().to_string(),
            new: new.rope().to_string(),
        })
    }

    /// The new text.
    pub(super) fn into_new(self) -> String {
        self.new
    }

    /// Writes the file; says why if it cannot be written. Returns whether it is written.
    pub(super) fn write(&self) -> bool {
        let written = replace(&self.path, &self.old, &self.new);
        if let Err(error) = &written {
            complain(&format!("cannot write {}: {error}", shown(&self.path)));
        }
        written.is_ok()
    }

    fn print(&self, mode: Mode, out: &mut impl Write) -> io::Result<()> {
        let Self { path, old, new } = self;
        match mode {
            Mode::Diff => write_lines(&diff(&shown(path), old, new), out),
            Mode::Write | Mode::Check => writeln!(out, "{}", printable_path(path)),
        }
    }
}

/// Writes or prints the changes, in order. If they cannot be printed, the others are written all the same.
///
/// # Errors
/// If they cannot be printed, except to an output that was closed early.
pub(super) fn apply(
    changes: impl Iterator<Item = Change>,
    mode: Mode,
    out: &mut impl Write,
) -> io::Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut printing = Ok(());
    for change in changes {
        if mode == Mode::Write && !change.write() {
            outcome.is_failure = true;
            continue;
        }
        outcome.is_changed = true;
        if printing.is_ok() {
            printing = change.print(mode, out);
        }
    }
    printed(printing)?;
    Ok(outcome)
}

/// The diff of the file `name`, for `patch` and `git apply`.
fn diff(name: &str, old: &str, new: &str) -> String {
    let patch = create_patch(old, new).to_string();
    // Its own header has other names.
    let hunks = patch.splitn(3, '\n').nth(2).unwrap_or_default();
    // Below the root, `patch -d /` and `git apply` find it.
    let name = name.trim_start_matches('/');
    let (before, after) = (format!("a/{name}"), format!("b/{name}"));
    let (before, after) = (in_header(&before), in_header(&after));
    format!("--- {before}\n+++ {after}\n{hunks}")
}

/// `path` as git writes it in the header of a diff: in quotes with escapes if it has special characters, and with a tab
/// at the end if it has a space, because a date may follow the path.
fn in_header(path: &str) -> String {
    let end = if path.contains(' ') { "\t" } else { "" };
    if printable(path) == path && !path.contains(['"', '\\', '\t']) {
        return format!("{path}{end}");
    }
    let escaped = path.bytes().map(|byte| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        byte => format!("\\{byte:03o}"),
    });
    format!("\"{}\"{end}", escaped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::diff;

    /// Both `patch` and `git apply` read these names as they are.
    #[test]
    fn names_in_a_diff_are_those_of_git() {
        for (name, before, after) in [
            ("é.ex", "a/é.ex", "b/é.ex"),
            ("/tmp/x.ex", "a/tmp/x.ex", "b/tmp/x.ex"),
            ("a b/x.ex", "a/a b/x.ex\t", "b/a b/x.ex\t"),
            (
                "\"é\".ex",
                r#""a/\"\303\251\".ex""#,
                r#""b/\"\303\251\".ex""#,
            ),
            (
                "a \\\n.ex",
                "\"a/a \\\\\\012.ex\"\t",
                "\"b/a \\\\\\012.ex\"\t",
            ),
        ] {
            let expected = format!("--- {before}\n+++ {after}\n@@ -1 +1 @@\n-old\n+new\n");
            assert_eq!(diff(name, "old\n", "new\n"), expected);
        }
    }
}
