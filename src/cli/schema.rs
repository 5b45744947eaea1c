//! `signature-ls schema`: tools and agents as models see them.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use serde::Serialize;
use serde_json::Value;

use super::{FAILURE, complain, documents, files, place::Place, printed};
use crate::{
    ide::{Document, Listed, listing},
    model::{
        Edition,
        json_schema::{input_schema, output_schema},
        render::{lisp_entry, prompt_entry},
    },
};

/// The arguments of `schema`.
#[derive(clap::Args)]
pub(super) struct Schema {
    /// How to show them.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// The edition of the language: 0.4, 0.5, 0.11 or next. Without it each project tells its own.
    #[arg(long)]
    edition: Option<Edition>,
    /// Files to look into, and folders to look for files in.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

#[derive(Clone, Copy, Default, clap::ValueEnum)]
enum Format {
    /// JSON Schemas of inputs and output: an array of objects.
    #[default]
    Json,
    /// The listing for a model, which `.sig` files hold too.
    Prompt,
    /// The listing of PTC-Lisp prompts.
    Lisp,
}

/// What a file shows.
struct Shown {
    edition: Edition,
    tools: Vec<Tool>,
    /// Where signatures with errors stand.
    broken: Vec<String>,
}

/// A tool or an agent.
struct Tool {
    file: String,
    place: Place,
    name: String,
    listed: Listed,
}

#[derive(Serialize)]
struct Entry<'a> {
    file: &'a str,
    #[serde(flatten)]
    place: Place,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    signature: String,
    input: Value,
    output: Value,
}

impl Schema {
    /// Looks and prints. The exit code is 2 where something could not be read, else 1 where a signature has
    /// errors and is left out, else 0.
    pub(super) fn run(self) -> io::Result<ExitCode> {
        let looked = documents::look_at_documents(&self.paths, self.edition, shown);
        let is_failure = looked.complain();
        let shown = looked.answers;
        let broken: Vec<_> = shown.iter().flat_map(|file| &file.broken).collect();
        for place in &broken {
            complain(&format!(
                "{place}: left out, since the signature has errors"
            ));
        }
        printed(self.format.write(&shown, &mut anstream::stdout().lock()))?;
        Ok(if is_failure {
            ExitCode::from(FAILURE)
        } else if !broken.is_empty() {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        })
    }
}

fn shown(path: &Path, document: &Document) -> Shown {
    let file = files::shown(path);
    let mut shown = Shown {
        edition: document.edition(),
        tools: Vec::new(),
        broken: Vec::new(),
    };
    for listed in listing(document) {
        let place = Place::of(document.text(), listed.range.start());
        if !listed.is_sound {
            shown
                .broken
                .push(format!("{file}:{}:{}", place.line, place.column));
            continue;
        }
        let name = match &listed.name {
            Some(name) => name.clone(),
            None => name_of_file(path),
        };
        shown.tools.push(Tool {
            file: file.clone(),
            place,
            name,
            listed,
        });
    }
    shown
}

/// What an agent without a name is called: the first word of its file's name.
fn name_of_file(path: &Path) -> String {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = file
        .split('.')
        .find(|part| !part.is_empty())
        .unwrap_or("agent");
    let is_part = |char: char| char.is_ascii_alphanumeric() || char == '-';
    stem.chars()
        .map(|char| if is_part(char) { char } else { '_' })
        .collect()
}

impl Format {
    fn write(self, shown: &[Shown], out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Json => write_json(shown, out),
            Self::Prompt => write_entries(shown, prompt_entry, "\n\n", out),
            Self::Lisp => write_entries(shown, lisp_entry, "\n", out),
        }
    }
}

fn write_json(shown: &[Shown], out: &mut impl Write) -> io::Result<()> {
    let entries = shown.iter().flat_map(|file| &file.tools).map(|tool| Entry {
        file: &tool.file,
        place: tool.place,
        name: &tool.name,
        description: tool.listed.description.as_deref(),
        signature: tool.listed.signature.to_string(),
        input: input_schema(&tool.listed.signature),
        output: output_schema(&tool.listed.signature),
    });
    serde_json::to_writer_pretty(&mut *out, &entries.collect::<Vec<_>>())?;
    writeln!(out)
}

/// How an entry of a listing is written.
type Render = fn(&str, &crate::model::Signature, Option<&str>, Edition) -> String;

fn write_entries(
    shown: &[Shown],
    render: Render,
    between: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    let entries = shown.iter().flat_map(|file| {
        file.tools.iter().map(|tool| {
            let listed = &tool.listed;
            let description = listed.description.as_deref();
            render(&tool.name, &listed.signature, description, file.edition)
        })
    });
    let listing = entries.collect::<Vec<_>>().join(between);
    match listing.is_empty() {
        true => Ok(()),
        false => writeln!(out, "{listing}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_called_after_its_file() {
        let cases = [
            ("agents/triage.prompt.md", "triage"),
            ("lib/my_app/order-count.ex", "order-count"),
            ("a b.yaml", "a_b"),
            (".hidden.yaml", "hidden"),
            ("é.prompt", "_"),
        ];
        for (path, name) in cases {
            assert_eq!(name_of_file(Path::new(path)), name);
        }
    }
}
