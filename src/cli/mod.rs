//! The command line: one file per subcommand, one file per output format.
//!
//! Only this part of the project prints. Every command has an exit code: 0 for success, 1 if it found an
//! error, 2 for wrong usage and for anything that it could not read.

mod batch;
mod bug_report;
mod changes;
mod check;
mod documents;
mod explain;
mod files;
mod format;
mod generate;
mod list;
mod manual;
mod place;
mod printable;
mod render;
mod report;
mod schema;
mod sources;
mod tools;
mod validate;
mod version;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand, error::ErrorKind};

use crate::large_pages;

/// The exit code for wrong usage and for anything that could not be read.
const FAILURE: u8 = 2;

/// The version, with the commit if it is known.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    env!("SIGNATURE_LS_COMMIT_SUFFIX")
);

/// The language server for signature strings, the compact contracts of LLM agents and tools.
///
/// Without a command, it serves an editor over stdin and stdout.
#[derive(Parser)]
#[command(version = VERSION)]
struct Arguments {
    /// With `--version`: print how the program was built, too.
    #[arg(long)]
    verbose: bool,
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    lsp: Lsp,
}

#[derive(Subcommand)]
enum Command {
    /// Serve an editor over stdin and stdout.
    Lsp(Lsp),
    /// Report problems in files and folders.
    Check(check::Check),
    /// List the signatures, prompts and descriptions in files and folders.
    List(list::List),
    /// Explain a rule.
    Explain(explain::Explain),
    /// Print tools and agents as models see them.
    Schema(schema::Schema),
    /// Format signatures and catalogs.
    Format(format::Format),
    /// Print what a model receives for the agents of a file: prompt, tools, output and JSON Schema.
    Render(render::Render),
    /// Print types of inputs and outputs for Elixir, TypeScript or Python.
    Generate(generate::Generate),
    /// Validate JSON values against a signature.
    Validate(validate::Validate),
    /// Answer JSON requests, one per line.
    Batch,
    /// Print what a bug report needs: versions, settings and numbers, no text of any file.
    BugReport(bug_report::BugReport),
    /// Print a completion script for a shell.
    Completions(manual::Completions),
    /// Print the manual page of the program or of a command.
    Man(manual::Manual),
}

/// The arguments of `lsp`, also accepted without the subcommand.
#[derive(clap::Args)]
struct Lsp {
    /// Ignored: many editors pass it, and there is no other transport.
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Runs the command that the arguments of this process name.
pub fn run() -> ExitCode {
    large_pages::forbid();
    let command = arguments().command;
    let command = command.unwrap_or(Command::Lsp(Lsp { stdio: true }));
    let result = match command {
        Command::Lsp(_) => crate::server::run(),
        Command::Check(check) => check.run(),
        Command::List(list) => list.run(),
        Command::Explain(explain) => explain.run(),
        Command::Schema(schema) => schema.run(),
        Command::Format(format) => format.run(),
        Command::Render(render) => render.run(),
        Command::Generate(generate) => generate.run(),
        Command::Validate(validate) => validate.run(),
        Command::BugReport(report) => report.run(),
        Command::Completions(completions) => completions.run().map(|()| ExitCode::SUCCESS),
        Command::Man(manual) => manual.run(),
        Command::Batch => batch::run(io::stdin().lock(), io::stdout().lock()),
    };
    match result {
        Ok(code) => code,
        // The reader of the output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error.to_string());
            ExitCode::from(FAILURE)
        }
    }
}

/// The arguments of this process, unless they ask for help or the version.
fn arguments() -> Arguments {
    Arguments::try_parse().unwrap_or_else(|answer| {
        let is_verbose = std::env::args_os().any(|it| it == "--verbose");
        if answer.kind() == ErrorKind::DisplayVersion && is_verbose {
            // The reader of the output has seen enough.
            let _ = printed(io::stdout().write_all(version::verbose().as_bytes()));
            std::process::exit(0);
        }
        answer.exit()
    })
}

/// The outcome of printing. Output that is closed early is not an error and does not change the exit code.
fn printed(outcome: io::Result<()>) -> io::Result<()> {
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome,
    }
}

/// Writes to standard output through a buffer. Colors go to terminals only; all else stays as it is.
fn with_stdout(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    write(&mut out)?;
    out.flush()
}

/// Reports an error that is not about the contents of files.
fn complain(message: &str) {
    // If stderr is closed, there is no other place to report it.
    let _ = writeln!(
        anstream::stderr(),
        "signature-ls: {}",
        printable::printable(message)
    );
}
