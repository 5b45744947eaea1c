//! In the front matter of a prompt file: its keys.

use super::{Completion, Completions, Place, last_name};
use crate::ide::Document;
use signature_ls_source::host::front_matter;

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
    ("context", "the inputs of a run"),
    ("field_descriptions", "what the fields of the output mean"),
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
    Some(Completions {
        replaced: place.word(word.len()),
        items: missing(is_given, |key| format!("{key}: ")),
    })
}

/// The keys beside a signature that are not given, as they are `written`.
pub(super) fn missing(
    is_given: impl Fn(&str) -> bool,
    written: impl Fn(&str) -> String,
) -> Vec<Completion> {
    let keys = KEYS.iter().filter(|(key, _)| !is_given(key));
    let items = keys.map(|(key, detail)| super::values::key(written(key), key).detail(detail));
    items.collect()
}

#[cfg(test)]
mod tests {
    use crate::ide::{completion, testing::marked};
    use signature_ls_source::host::HostKind;

    #[test]
    fn front_matter_has_keys_in_every_prompt_file() {
        for kind in [HostKind::Prompt, HostKind::Markdown] {
            for written in ["$0", "d$0", "de$0", "des$0cription: x"] {
                // A program in the body is none of the front matter.
                for body in [
                    "{{q}}\n",
                    "{{q}}\n\n```clojure\n(return {:q data/q})\n```\n",
                ] {
                    let text = format!(
                        "---\nname: x\n{written}\nsignature: \"(q :string) -> :any\"\n---\n{body}"
                    );
                    let (document, offset) = marked(kind, &text);
                    let found = completion(&document, &[], offset);
                    let labels = found.into_iter().flat_map(|it| it.items).map(|it| it.label);
                    let labels: Vec<_> = labels.collect();
                    for key in ["tools", "context", "field_descriptions"] {
                        assert!(labels.contains(&key.to_owned()), "{kind:?} {text}");
                    }
                    assert!(!labels.contains(&"data/q".to_owned()), "{kind:?} {text}");
                }
            }
        }
    }
}
