//! `signature-ls schema`: prints tools and agents as models see them.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{
    place::Place,
    printable::{write_lines, write_printable_json},
    printed,
    sources::Sources,
    tools::{FileTools, Tools},
    with_stdout,
};
use signature_ls_analysis::model::{
    Edition, Signature,
    json_schema::{input_schema, output_schema},
    render::{lisp_entry, prompt_entry},
};

/// The arguments of `schema`.
#[derive(clap::Args)]
pub(super) struct Schema {
    /// The output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// The edition of the language: 0.4, 0.5, 0.11 or next. By default, each project decides.
    #[arg(long)]
    edition: Option<Edition>,
    #[command(flatten)]
    sources: Sources,
}

#[derive(Clone, Copy, Default, clap::ValueEnum)]
enum Format {
    /// JSON Schemas of inputs and output: an array of objects.
    #[default]
    Json,
    /// The listing for models, in the format of `.sig` files.
    Prompt,
    /// The listing of PTC-Lisp prompts.
    Lisp,
}

#[derive(Serialize)]
struct JsonTool<'a> {
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
    /// Prints the schemas or the listing. The exit code is 2 if something could not be read, else 1 if a signature has
    /// errors and is omitted, else 0.
    pub(super) fn run(self) -> io::Result<ExitCode> {
        let tools = Tools::read(&self.sources, self.edition);
        printed(with_stdout(|out| self.format.write(&tools.files, out)))?;
        Ok(tools.exit_code)
    }
}

impl Format {
    fn write(self, files: &[FileTools], out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Json => write_printable_json(out, &JsonTools(files)),
            Self::Prompt => write_entries(files, prompt_entry, "\n\n", out),
            Self::Lisp => write_entries(files, lisp_entry, "\n", out),
        }
    }
}

/// The tools of all files. The schemas of each are only made when it is written.
struct JsonTools<'a>(&'a [FileTools]);

impl Serialize for JsonTools<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tools = self.0.iter().flat_map(|file| &file.tools);
        serializer.collect_seq(tools.map(|tool| JsonTool {
            file: &tool.file,
            place: tool.place,
            name: &tool.name,
            description: tool.listed.description.as_deref(),
            signature: tool.listed.signature.to_string(),
            input: input_schema(&tool.listed.signature),
            output: output_schema(&tool.listed.signature),
        }))
    }
}

/// The form of the entries of a listing.
type Render = fn(&str, &Signature, Option<&str>, Edition) -> String;

fn write_entries(
    files: &[FileTools],
    render: Render,
    between: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let entries = files.iter().flat_map(|file| {
        file.tools.iter().map(|tool| {
            let listed = &tool.listed;
            let description = listed.description.as_deref();
            render(&tool.name, &listed.signature, description, file.edition)
        })
    });
    let listing = entries.collect::<Vec<_>>().join(between);
    match listing.is_empty() {
        true => Ok(()),
        false => write_lines(&format!("{listing}\n"), out),
    }
}
