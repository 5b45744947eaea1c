//! `signature-ls completions` and `signature-ls man`: prints completion scripts and the manual page.

use std::io;

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Arguments, printed};

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

/// Prints the manual page.
pub(super) fn man() -> io::Result<()> {
    printed(clap_mangen::Man::new(Arguments::command()).render(&mut io::stdout().lock()))
}
