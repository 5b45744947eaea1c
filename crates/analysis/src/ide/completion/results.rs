//! Keys of what an agent returned, as in `step.return["…"]`.

use super::{Completion, CompletionKind, Completions, Place, last_name};
use crate::{
    ide::Document,
    model::{Field, TypeKind},
};
use signature_ls_source::text::{TextEdit, TextRange, TextSize};

/// Stands for the key that is not written yet.
const KEY: &str = "x";

/// The fields of the result that is read with the key at the place.
///
/// What code reads is known where the code is finished, so the key is finished on a copy of the document.
pub(super) fn complete(document: &Document, place: &Place<'_>) -> Option<Completions> {
    if !document.host().kind().facts().has_functions {
        return None;
    }
    let line = place.line();
    let word = last_name(&line);
    let replaced = place.word(word.len());
    let rest = place.rest();
    let following = &rest[usize::from(replaced.end() - place.offset)..];
    let mut ending = closing(&line[..line.len() - word.len()], following)?;
    if replaced.is_empty() {
        ending.insert_str(0, KEY);
    }
    let fields = match ending.is_empty() {
        true => fields(document, replaced.start()),
        false => {
            let finished = document.unchecked_with(&TextEdit::insert(replaced.end(), ending));
            fields(&finished, replaced.start())
        }
    };
    let items = fields?.into_iter();
    let items = items.map(|it| Completion::new(it.name, CompletionKind::Field).detail(it.ty));
    Some(Completions {
        replaced,
        items: items.collect(),
    })
}

/// What is missing `following` a key after the code `before`; `None` where no key can be.
fn closing(before: &str, following: &str) -> Option<String> {
    let needed = match before.strip_suffix(['"', ':']) {
        Some(code) if code.ends_with('[') => match before.ends_with('"') {
            true => "\"]",
            false => "]",
        },
        Some(code) if before.ends_with('"') && code.ends_with(['(', ' ', '{']) => "\"",
        Some(_) => return None,
        None if before.ends_with('.') => "",
        None => return None,
    };
    let written = needed.bytes().zip(following.bytes());
    let written = written.take_while(|(one, other)| one == other).count();
    Some(needed[written..].to_owned())
}

/// The fields of what is read with the key at `offset`.
fn fields(document: &Document, offset: TextSize) -> Option<Vec<Field>> {
    let mut units = document.units_at(offset);
    units.find_map(|(placed, analysis)| {
        let at = offset.checked_sub(placed.start)?;
        let is_here = |it: TextRange| it.contains_inclusive(at);
        document.with_view(placed, analysis, |view| {
            view.flow().given().find_map(|given| {
                let index = { given.keys.iter() }.position(|it| is_here(it.name_range))?;
                let (before, key) = (&given.keys[..index], &given.keys[index]);
                let mut ty = view.type_before_keys(given)?;
                for key in before {
                    ty = view.field(given, ty, key.name.as_deref()?)?.1;
                }
                match &ty.kind {
                    TypeKind::Record(fields) if !view.is_atom(given, key) => Some(fields.clone()),
                    _ => None,
                }
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::ide::{completion, testing::marked};
    use signature_ls_source::host::HostKind;

    const AGENT: &str = r#"
agent = SubAgent.new(prompt: "Find.", signature: "{count :int, by {name :string, mail :string?}}")
{:ok, step} = SubAgent.run(agent)
"#;

    /// The labels of what can be written at `$0` after the agent, with what each takes the place of.
    #[track_caller]
    fn check(code: &str, expected: &[&str], replaced: &str) {
        for rest in ["\n", "\ndef f do\n  other[\"x\"]\nend\n"] {
            let (document, offset) = marked(HostKind::Elixir, &format!("{AGENT}{code}{rest}"));
            let found = completion(&document, &[], offset);
            let labels = found.iter().flat_map(|it| &it.items);
            let labels: Vec<_> = labels.map(|it| it.label.as_str()).collect();
            assert_eq!(labels, expected, "{code}");
            if let Some(found) = &found {
                assert_eq!(document.text().slice(found.replaced), replaced, "{code}");
            }
        }
    }

    #[test]
    fn keys_of_results_are_offered_while_they_are_typed() {
        for code in [
            "step.return[\"$0\"]",
            "x = step.return[\"$0",
            "x = step.return[\"$0]",
            "Map.get(step.return, \"$0\")",
            "%{\"$0\" => count} = step.return",
        ] {
            check(code, &["count", "by"], "");
        }
        check("x = step.return[\"c$0", &["count", "by"], "c");
        check("step.return[\"co$0unt\"]", &["count", "by"], "count");
        check("step.return[\"by\"][\"$0\"]", &["name", "mail"], "");
    }

    #[test]
    fn nothing_is_offered_for_what_is_no_record() {
        for code in [
            "other[\"$0\"]",
            "step[\"$0\"]",
            "step.return[\"count\"][\"$0\"]",
            // In this edition keys are strings.
            "step.return.$0",
            "step.return[:$0]",
            "\"step.return $0\"",
        ] {
            check(code, &[], "");
        }
    }
}
