//! `signature-ls list`: lists the signatures, prompts and descriptions in files and folders.

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use serde::Serialize;

use super::{
    FAILURE, documents,
    files::{SourceFile, Unread, shown},
    place::Place,
    printable::{printable, printable_path, write_printable_json},
    printed,
    sources::Sources,
    with_stdout,
};
use signature_ls_analysis::ide::Settings;
use signature_ls_source::{
    host::{HostDocument, PlacedUnit, Role, Site},
    order,
    text::Text,
};

/// The arguments of `list`.
#[derive(clap::Args)]
pub(super) struct List {
    /// The output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    sources: Sources,
}

#[derive(Clone, Copy, Default, clap::ValueEnum)]
enum Format {
    /// One line per literal.
    #[default]
    Human,
    /// An array of objects.
    Json,
}

/// One literal as it is printed.
#[derive(Debug, Serialize, PartialEq)]
struct Listed {
    file: String,
    /// The position of its opening delimiter.
    #[serde(flatten)]
    place: Place,
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The raw text between the delimiters.
    text: String,
    /// Whether its text is only known when the program runs.
    #[serde(skip_serializing_if = "is_false")]
    dynamic: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl List {
    /// Prints the list. The exit code is 2 if something could not be read, else 0.
    pub(super) fn run(self) -> io::Result<ExitCode> {
        let listed = documents::look_at_files(&self.sources, entries);
        let is_failure = listed.complain();
        let entries: Vec<Listed> = listed.answers.into_iter().flatten().collect();
        printed(with_stdout(|out| write(out, self.format, &entries)))?;
        Ok(match is_failure {
            true => ExitCode::from(FAILURE),
            false => ExitCode::SUCCESS,
        })
    }
}

/// The literals of a file.
fn entries(mut file: SourceFile, settings: Settings) -> Result<Vec<Listed>, Unread> {
    let (kind, is_ours) = (file.kind, settings.is_ours);
    let (text, document) =
        HostDocument::parse_closed(kind, &mut file.text, &settings.roles, is_ours);
    if document.is_overfull() {
        return Err(Unread::overfull(&file.path));
    }
    if document.is_idle() {
        return Ok(Vec::new());
    }
    let text = text.unwrap_or_else(|| Text::from(&*file.text));
    let ours = document.our_units(settings.is_ours);
    let mut sites: Vec<_> = ours.flat_map(sites_of).collect();
    let place = |(placed, site): &(&PlacedUnit, &Site)| (site.literal + placed.start).start();
    order::by_start(&mut sites, place);
    // A literal that is bound to a name belongs to each call with that name.
    sites.dedup_by_key(|it| (place(it), it.1.role));
    let path = shown(&file.path);
    let entries = sites
        .into_iter()
        .map(|(placed, site)| entry(&path, &text, placed, site));
    Ok(entries.collect())
}

fn sites_of(placed: &PlacedUnit) -> impl Iterator<Item = (&PlacedUnit, &Site)> {
    placed.unit.sites.iter().map(move |site| (placed, site))
}

fn entry(path: &str, text: &Text, placed: &PlacedUnit, site: &Site) -> Listed {
    Listed {
        file: path.to_owned(),
        place: Place::of(text, placed.start + site.literal.start()),
        role: role(site.role),
        name: site.name.as_deref().map(str::to_owned),
        text: text.slice(site.content + placed.start).into_owned(),
        dynamic: site.is_dynamic(),
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Signature => "signature",
        Role::Prompt => "prompt",
        Role::Description => "description",
        Role::Tool => "tool",
    }
}

fn write(out: &mut dyn Write, format: Format, entries: &[Listed]) -> io::Result<()> {
    match format {
        Format::Human => {
            for entry in entries {
                let Listed { file, place, .. } = entry;
                let file = printable_path(Path::new(file));
                let name = entry.name.as_deref();
                let name = name.map(|name| format!(" {}", printable(name)));
                writeln!(
                    out,
                    "{file}:{}:{}: {}{}: {}",
                    place.line,
                    place.column,
                    entry.role,
                    name.unwrap_or_default(),
                    printable(&first_line(&entry.text)),
                )?;
            }
            Ok(())
        }
        Format::Json => write_printable_json(out, &entries),
    }
}

/// The first non-empty line, with an ellipsis if there are more.
fn first_line(text: &str) -> String {
    let text = text.trim();
    match text.lines().next() {
        Some(line) if line.len() < text.len() => format!("{} …", line.trim_end()),
        _ => text.to_owned(),
    }
}
