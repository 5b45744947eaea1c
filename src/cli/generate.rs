//! `signature-ls generate`: prints types for programs that call agents and tools.

use std::{io, process::ExitCode};

use super::{printable::write_lines, printed, sources::Sources, tools::Tools, with_stdout};
use signature_ls_analysis::model::generate::{self, Callable};

/// The arguments of `generate`.
#[derive(clap::Args)]
pub(super) struct Generate {
    /// The language of the types.
    #[arg(long, value_enum)]
    language: Language,
    #[command(flatten)]
    sources: Sources,
}

#[derive(Clone, Copy, clap::ValueEnum)]
#[value(rename_all = "lower")]
enum Language {
    /// A module with `@type`s.
    Elixir,
    /// Exported types.
    TypeScript,
    /// `TypedDict`s, for Python 3.11 and later.
    Python,
}

impl From<Language> for generate::Language {
    fn from(language: Language) -> Self {
        match language {
            Language::Elixir => Self::Elixir,
            Language::TypeScript => Self::TypeScript,
            Language::Python => Self::Python,
        }
    }
}

impl Generate {
    /// Prints the types. The exit code is 2 if something could not be read, else 1 if a signature has
    /// errors and is left out, else 0.
    pub(super) fn run(self) -> io::Result<ExitCode> {
        let tools = Tools::read(&self.sources, None);
        let all = tools.files.iter().flat_map(|file| &file.tools);
        let callables: Vec<_> = all
            .map(|tool| Callable {
                name: &tool.name,
                signature: &tool.listed.signature,
                description: tool.listed.description.as_deref(),
            })
            .collect();
        let text = generate::generate(&callables, self.language.into());
        printed(with_stdout(|out| write_lines(&text, out)))?;
        Ok(tools.exit_code)
    }
}
