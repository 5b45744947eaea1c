//! In the front matter of a prompt file: its keys.

use super::{Completion, CompletionKind, Completions, Place, last_name};
use crate::{host::front_matter, ide::Document};

/// The keys of front matter and their descriptions.
const KEYS: &[(&str, &str)] = &[
    ("signature", "the inputs and the output"),
    ("name", "the name of the agent"),
    (
        "description",
        "what the agent does, as other agents are shown it",
    ),
    ("tools", "tools by name, with their signatures"),
    ("input", "sample inputs"),
    ("output", "a sample output"),
    ("examples", "samples of inputs and outputs"),
    ("prompt", "a prompt beside the body"),
];

/// The missing keys, at the start of a line.
pub(super) fn complete(document: &Document, place: &Place<'_>) -> Option<Completions> {
    if !document.host().is_prompt_file() {
        return None;
    }
    let found = front_matter(document.text())?;
    let line = place.line();
    let word = last_name(&line);
    if !found.yaml.contains_inclusive(place.offset) || word != line {
        return None;
    }
    let yaml = document.text().slice(found.yaml);
    let is_given = |key: &str| {
        yaml.lines()
            .any(|line| line.strip_prefix(key).is_some_and(|it| it.starts_with(':')))
    };
    let keys = KEYS.iter().filter(|(key, _)| !is_given(key));
    let items = keys.map(|(key, detail)| {
        Completion::new(*key, CompletionKind::Key)
            .detail(detail)
            .text(format!("{key}: "))
    });
    Some(Completions {
        replaced: place.word(word.len()),
        items: items.collect(),
    })
}
