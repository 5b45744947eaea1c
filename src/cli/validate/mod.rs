//! `signature-ls validate`: JSON values against a signature.

mod report;
mod values;

use std::{io, path::PathBuf, process::ExitCode};

use super::{FAILURE, complain, files, place::Place, printed, with_stdout};
use crate::{
    contract::{Direction, Mode, check},
    ide::{Severity, standalone::check_signature},
    model::{Edition, Signature, Type, TypeKind},
    text::Text,
};
use report::{Format, Report};

/// The arguments of `validate`.
#[derive(clap::Args)]
pub(super) struct Validate {
    /// The signature to validate against.
    #[arg(long)]
    signature: String,
    /// The validation mode: enabled, warn_only, disabled or strict.
    #[arg(long, default_value_t)]
    mode: Mode,
    /// The values are maps of arguments: coerce them, then validate.
    #[arg(long, conflicts_with = "output")]
    input: bool,
    /// The values are results: validate them as they are (default).
    #[arg(long)]
    output: bool,
    /// The edition of the language: 0.4, 0.5, 0.11 or next.
    #[arg(long, default_value_t)]
    edition: Edition,
    /// The output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// A file with one JSON value, or one per line; `-` for stdin.
    #[arg(default_value = "-")]
    file: PathBuf,
}

impl Validate {
    /// Checks and prints. The exit code is 2 where something could not be read, else 1 where an error was
    /// found, else 0.
    pub(super) fn run(self) -> io::Result<ExitCode> {
        let (signature, found) = check_signature(&self.signature, self.edition);
        let Some(signature) = signature else {
            for error in found.iter().filter(|it| it.severity == Severity::Error) {
                let column = usize::from(error.range.start()) + 1;
                complain(&format!("--signature, byte {column}: {}", error.message));
            }
            return Ok(ExitCode::from(FAILURE));
        };
        let text = match files::read_text(&self.file) {
            Ok(text) => text,
            Err(unread) => {
                complain(&unread.to_string());
                return Ok(ExitCode::from(FAILURE));
            }
        };
        let (report, all_read) = self.check(signature, &text);
        printed(with_stdout(|out| self.format.write(&report, out)))?;
        Ok(if !all_read {
            ExitCode::from(FAILURE)
        } else if report.count(Severity::Error) > 0 {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        })
    }

    /// What was found, and whether all of `text` is JSON. What is not is complained of here.
    fn check(&self, signature: Signature, text: &str) -> (Report, bool) {
        let (direction, ty) = match self.input {
            true => (
                Direction::Input,
                Type::new(TypeKind::Record(signature.params)),
            ),
            false => (Direction::Output, signature.output),
        };
        let mut report = Report {
            file: self.file.display().to_string(),
            text: Text::from(text),
            values: 0,
            findings: Vec::new(),
        };
        let mut all_read = true;
        for (start, value) in values::read(text) {
            match value {
                Ok(value) => report.add(
                    start,
                    check(&value, &ty, direction, self.mode, self.edition),
                ),
                Err(error) => {
                    all_read = false;
                    let Place { line, column } =
                        Place::of(&report.text, start + error.range.start());
                    complain(&format!("{}:{line}:{column}: {error}", report.file));
                }
            }
        }
        (report, all_read)
    }
}
