//! `signature-ls format`: catalogs in their canonical form.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use super::{
    FAILURE, complain, documents,
    files::{SourceFile, shown},
    printable::printable_path,
    printed,
};
use crate::{
    files::replace,
    host::HostKind,
    ide::{Document, Settings, format},
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
        let formatted = documents::look_at_files(&self.paths, formatted);
        let mut is_failure = formatted.complain();
        let mut is_any_changed = false;
        let mut out = anstream::stdout().lock();
        for Formatted { path, old, new } in formatted.answers.into_iter().flatten() {
            if !self.check
                && let Err(error) = replace(&path, &old, &new)
            {
                complain(&format!("cannot write {}: {error}", shown(&path)));
                is_failure = true;
                continue;
            }
            is_any_changed = true;
            printed(writeln!(out, "{}", printable_path(&path)))?;
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

/// The file as it should be, unless it is so already or is no catalog.
fn formatted(file: SourceFile, settings: Settings) -> Option<Formatted> {
    if file.kind != HostKind::Catalog {
        return None;
    }
    let old = file.text.rope().to_string();
    let document = Document::new(file.kind, &old, settings);
    let edits = format(&document);
    (!edits.is_empty()).then(|| {
        let mut new = file.text;
        for edit in edits.iter().rev() {
            new.apply(edit);
        }
        Formatted {
            path: file.path,
            old,
            new: new.rope().to_string(),
        }
    })
}
