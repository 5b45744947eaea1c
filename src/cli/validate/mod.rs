//! `signature-ls validate`: validates JSON values against a signature.

mod report;
mod values;

use std::{io, path::PathBuf, process::ExitCode};

use super::{
    FAILURE, complain,
    files::{self, Unread},
    place::Place,
    printed, with_stdout,
};
use report::{Format, Report};
use signature_ls_analysis::{
    contract::{Direction, Mode, check, json},
    ide::{Severity, standalone::check_signature},
    model::{Edition, Signature, Type, TypeKind},
};
use signature_ls_source::text::Text;

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
    /// Validates and prints. The exit code is 2 if something could not be read, else 1 if an error was found, else 0.
    pub(super) fn run(self) -> io::Result<ExitCode> {
        let (signature, found) = check_signature(&self.signature, self.edition);
        let Some(signature) = signature else {
            for error in found.iter().filter(|it| it.severity == Severity::Error) {
                let column = usize::from(error.range.start()) + 1;
                complain(&format!("--signature, byte {column}: {}", error.message));
            }
            return Ok(ExitCode::from(FAILURE));
        };
        let (report, all_read) = match self.check(signature) {
            Ok(checked) => checked,
            Err(unread) => {
                complain(&unread.to_string());
                return Ok(ExitCode::from(FAILURE));
            }
        };
        printed(with_stdout(|out| self.format.write(&report, out)))?;
        Ok(if !all_read {
            ExitCode::from(FAILURE)
        } else if report.count(Severity::Error) > 0 {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        })
    }

    /// The findings, and whether the whole file is JSON. Errors in the JSON are reported here.
    fn check(&self, signature: Signature) -> Result<(Report, bool), Unread> {
        let (direction, ty) = match self.input {
            true => (
                Direction::Input,
                Type::new(TypeKind::Record(signature.params)),
            ),
            false => (Direction::Output, signature.output),
        };
        let mut report = Report::of(self.file.display().to_string());
        let mut all_read = true;
        let visit = |before: usize, text: &str| match json::read(text) {
            Ok(value) => {
                let found = check(&value, &ty, direction, self.mode, self.edition);
                report.add(before, text, found);
            }
            Err(error) => {
                all_read = false;
                let Place { line, column } = Place::of(&Text::from(text), error.range.start());
                let line = before + line;
                complain(&format!("{}:{line}:{column}: {error}", report.file));
            }
        };
        files::open_text(&self.file, |input| values::for_each(input, visit))?;
        Ok((report, all_read))
    }
}
