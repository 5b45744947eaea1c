//! `signature-ls format`: catalogs in their canonical form.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use super::{
    FAILURE, complain,
    files::{self, SourceFile, shown},
    printed,
};
use crate::{
    files::replace,
    host::HostKind,
    ide::{Document, format},
    project::{Found, Projects},
};

/// The arguments of `format`.
#[derive(clap::Args)]
pub(super) struct Format {
    /// Change no file; the exit code tells whether one would change.
    #[arg(long)]
    check: bool,
    /// Catalogs to format, and folders to look for catalogs in.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// A catalog in another form than the canonical one.
struct Formatted {
    path: PathBuf,
    old: String,
    new: String,
}

impl Format {
    /// Formats, and prints the paths of the catalogs that were not in their canonical form. The exit code is
    /// 2 where something could not be read or written, else 1 where a check found one, else 0.
    pub(super) fn run(self) -> io::Result<ExitCode> {
        let projects = Projects::default();
        let (looked_at, unread) =
            files::look_at_all(&self.paths, |file| formatted(&file, &projects));
        let (formatted, problems): (Vec<_>, Vec<_>) = looked_at.into_iter().unzip();
        let problems: BTreeSet<_> = problems.into_iter().flatten().collect();
        for problem in &problems {
            complain(problem);
        }
        for unread in &unread {
            complain(&unread.to_string());
        }
        let mut is_failure = !problems.is_empty() || !unread.is_empty();
        let mut is_any_changed = false;
        let mut out = anstream::stdout().lock();
        for Formatted { path, old, new } in formatted.into_iter().flatten() {
            if !self.check
                && let Err(error) = replace(&path, &old, &new)
            {
                complain(&format!("cannot write {}: {error}", shown(&path)));
                is_failure = true;
                continue;
            }
            is_any_changed = true;
            printed(writeln!(out, "{}", shown(&path)))?;
        }
        Ok(if is_failure {
            ExitCode::from(FAILURE)
        } else if self.check && is_any_changed {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        })
    }
}

/// The file as it should be, unless it is so already or is no catalog; and what is wrong with the settings of
/// its project.
fn formatted(file: &SourceFile, projects: &Projects) -> (Option<Formatted>, Option<String>) {
    if file.kind != HostKind::Catalog {
        return (None, None);
    }
    let Found { settings, problem } = projects.settings_for(&file.path);
    let old = file.text.rope().to_string();
    let document = Document::new(file.kind, &old, settings);
    let edits = format(&document);
    let formatted = (!edits.is_empty()).then(|| {
        let mut new = file.text.clone();
        for edit in edits.iter().rev() {
            new.apply(edit);
        }
        Formatted {
            path: file.path.clone(),
            old,
            new: new.rope().to_string(),
        }
    });
    (formatted, problem)
}
