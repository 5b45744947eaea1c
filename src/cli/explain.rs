//! `signature-ls explain [CODE]`: prints the page of a rule, or a list of all rules.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use crate::cli::FAILURE;
use signature_ls_analysis::ide::rules;

#[derive(clap::Args)]
pub(super) struct Explain {
    /// The code of a rule. Without it, all rules are listed.
    code: Option<String>,
}

impl Explain {
    pub(super) fn run(&self) -> io::Result<ExitCode> {
        let Some(code) = &self.code else {
            list(&mut anstream::stdout().lock())?;
            return Ok(ExitCode::SUCCESS);
        };
        let Some(rule) = rules::by_code(code) else {
            super::complain(&format!(
                "there is no rule `{code}`; {}",
                rules::instead_of(code)
            ));
            return Ok(ExitCode::from(FAILURE));
        };
        write!(anstream::stdout(), "{}", rules::page::explain(rule))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Prints a line for each rule: its code and summary.
fn list(out: &mut impl Write) -> io::Result<()> {
    let width = rules::all().map(|rule| rule.code.len()).max();
    for rule in rules::all() {
        let width = width.unwrap_or_default();
        writeln!(out, "{:width$}  {}", rule.code, rule.summary)?;
    }
    Ok(())
}
