//! `signature-ls explain CODE`: what a rule is about.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use crate::{cli::FAILURE, ide::rules};

#[derive(clap::Args)]
pub(super) struct Explain {
    /// The code of a rule, as findings show it.
    code: String,
}

impl Explain {
    pub(super) fn run(&self) -> io::Result<ExitCode> {
        let Some(rule) = rules::by_code(&self.code) else {
            super::complain(&format!(
                "there is no rule `{}`; docs/rules.md lists them",
                self.code
            ));
            return Ok(ExitCode::from(FAILURE));
        };
        write!(anstream::stdout(), "{}", rules::page::explain(rule))?;
        Ok(ExitCode::SUCCESS)
    }
}
