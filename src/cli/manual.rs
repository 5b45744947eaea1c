//! `signature-ls completions` and `signature-ls man`: prints completion scripts and the manual page.

use std::{io, process::ExitCode};

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Arguments, FAILURE, VERSION, complain, printed};

/// The arguments of `completions`.
#[derive(clap::Args)]
pub(super) struct Completions {
    /// The shell to complete in.
    shell: Shell,
}

impl Completions {
    /// Prints a completion script for a shell.
    pub(super) fn run(self) -> io::Result<()> {
        let mut script = Vec::new();
        let mut command = Arguments::command();
        clap_complete::generate(
            self.shell,
            &mut command,
            env!("CARGO_PKG_NAME"),
            &mut script,
        );
        printed(io::Write::write_all(&mut io::stdout().lock(), &script))
    }
}

/// The arguments of `man`.
#[derive(clap::Args)]
pub(super) struct Manual {
    /// The command whose page is printed. Without it, that of the program is.
    command: Option<String>,
}

impl Manual {
    /// Prints a manual page.
    pub(super) fn run(&self) -> io::Result<ExitCode> {
        let mut program = Arguments::command();
        // Gives the commands their full names.
        program.build();
        let page = match self.command.as_deref() {
            None => Some(&program),
            Some(name) => program.find_subcommand(name),
        };
        let Some(page) = page else {
            let name = self.command.as_deref().unwrap_or_default();
            complain(&format!(
                "there is no command `{name}`; `signature-ls help` lists them"
            ));
            return Ok(ExitCode::from(FAILURE));
        };
        printed(
            clap_mangen::Man::new(page.clone().version(VERSION)).render(&mut io::stdout().lock()),
        )?;
        Ok(ExitCode::SUCCESS)
    }
}
