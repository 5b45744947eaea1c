//! `signature-ls render`: prints what a model receives for the agents of a file.

use std::{
    io,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    process::ExitCode,
};

use super::{
    FAILURE, complain, documents, place::Place, printable::write_lines, printed, sources::Sources,
    with_stdout,
};
use signature_ls_analysis::{
    ide::{Document, Preview, previews, tokens::Size},
    model::Edition,
};

/// The arguments of `render`.
#[derive(clap::Args)]
pub(super) struct Render {
    /// The number of the sample with the values, counted from 1. By default, names and types are shown.
    #[arg(long, value_name = "NUMBER", value_parser = sample_number)]
    sample: Option<NonZeroUsize>,
    /// The edition of the language: 0.4, 0.5, 0.11 or next. By default, the project decides.
    #[arg(long)]
    edition: Option<Edition>,
    /// A file, optionally with the line of an agent. Without a line, all agents are shown.
    #[arg(value_name = "PATH[:LINE]")]
    place: PathBuf,
}

fn sample_number(written: &str) -> Result<NonZeroUsize, &'static str> {
    written
        .parse()
        .map_err(|_| "write a number; samples count from 1")
}

/// An agent and the lines that it covers, from 1.
struct Rendered {
    first: usize,
    last: usize,
    preview: Preview,
}

impl Render {
    /// Prints the previews. The exit code is 2 if the file could not be read or has no agent at the line or no such
    /// sample, else 1 if a prompt cannot be filled in, else 0.
    pub(super) fn run(self) -> io::Result<ExitCode> {
        let (path, line) = split_line(&self.place);
        let sample = self.sample.map(|number| number.get() - 1);
        let render = |_: &Path, document: &Document| rendered(document, sample);
        let looked = documents::look_at_documents(&Sources::of(vec![path]), self.edition, render);
        if looked.complain() {
            return Ok(ExitCode::from(FAILURE));
        }
        let all = looked.answers.into_iter().flatten();
        let is_meant = |it: &Rendered| line.is_none_or(|line| (it.first..=it.last).contains(&line));
        let mut rendered: Vec<_> = all.filter(is_meant).collect();
        if line.is_some() {
            // Of nested agents, the innermost one is meant.
            rendered = rendered
                .into_iter()
                .min_by_key(|it| it.last - it.first)
                .into_iter()
                .collect();
        }
        if rendered.is_empty() {
            complain(&format!(
                "{}: no agent with a prompt there",
                self.place.display()
            ));
            return Ok(ExitCode::from(FAILURE));
        }
        let samples = rendered.iter().map(|it| it.preview.samples).max();
        if let Some(number) = self.sample
            && samples.is_some_and(|samples| samples < number.get())
        {
            let place = self.place.display();
            complain(&format!("{place}: no sample {number} there"));
            return Ok(ExitCode::from(FAILURE));
        }
        let text = rendered
            .iter()
            .map(Rendered::text)
            .collect::<Vec<_>>()
            .join("\n");
        printed(with_stdout(|out| write_lines(&text, out)))?;
        let is_whole = |it: &Rendered| it.preview.parts.iter().all(|part| part.problems.is_empty());
        Ok(match rendered.iter().all(is_whole) {
            true => ExitCode::SUCCESS,
            false => ExitCode::FAILURE,
        })
    }
}

/// The path, and the line after its last colon.
fn split_line(place: &Path) -> (PathBuf, Option<usize>) {
    let split = place.to_str().and_then(|text| text.rsplit_once(':'));
    match split.and_then(|(path, line)| Some((path, line.parse().ok()?))) {
        Some((path, line)) => (PathBuf::from(path), Some(line)),
        None => (place.to_owned(), None),
    }
}

fn rendered(document: &Document, sample: Option<usize>) -> Vec<Rendered> {
    let previews = previews(document, sample).into_iter();
    let rendered = previews.map(|preview| Rendered {
        first: Place::of(document.text(), preview.range.start()).line,
        last: Place::of(document.text(), preview.range.end()).line,
        preview,
    });
    rendered.collect()
}

impl Rendered {
    fn text(&self) -> String {
        let name = self.preview.name.as_deref().unwrap_or("agent");
        let mut text = format!("# {name}, line {}\n", self.first);
        for part in &self.preview.parts {
            let size = shown(Size::of(&part.text));
            text.push_str(&format!("\n## {} ({size})\n\n", part.kind.title()));
            for problem in &part.problems {
                text.push_str(&format!("> {problem}\n\n"));
            }
            text.push_str(&part.text);
            if !part.text.ends_with('\n') {
                text.push('\n');
            }
        }
        let all = self.preview.parts.iter().map(|it| it.text.as_str());
        let all = shown(Size::of_all(all));
        text.push_str(&format!("\nTogether {all}.\n"));
        text
    }
}

fn shown(size: Size) -> String {
    let Size { characters, tokens } = size;
    match tokens {
        Some(tokens) => format!("{characters} characters, {tokens} tokens"),
        None => format!("{characters} characters"),
    }
}
