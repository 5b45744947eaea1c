//! Inlay hints: the signature that a function in `tools:` gets from its spec, and optionally the types of
//! placeholders and steps.

use crate::{
    ide::{Document, place},
    model::placeholders::{self, Meaning},
};
use signature_ls_source::{
    host::{Role, elixir::tools::Form},
    order,
    text::{TextRange, TextSize},
};

/// A text that is shown in the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlayHint {
    /// Its place, in bytes of the document.
    pub offset: TextSize,
    /// The text.
    pub label: String,
}

/// The hints in `range` of the document, in the order of the text.
pub fn inlay_hints(document: &Document, range: TextRange) -> Vec<InlayHint> {
    let wanted = document.settings().hints;
    let mut hints = Vec::new();
    if wanted.signatures {
        signatures(document, range, &mut hints);
    }
    if wanted.placeholders {
        types(document, range, &mut hints);
    }
    if wanted.steps {
        steps(document, range, &mut hints);
    }
    hints.retain(|it| range.contains_inclusive(it.offset));
    order::by_name(&mut hints, |it| &it.label);
    order::by_start(&mut hints, |it| it.offset);
    hints.dedup();
    hints
}

fn signatures(document: &Document, range: TextRange, hints: &mut Vec<InlayHint>) {
    for (placed, _) in document.units_in(range) {
        for tool in placed.unit.tools.iter().flatten() {
            let Form::Function(Some(capture)) = &tool.form else {
                continue;
            };
            let function = document.scope().resolve(capture);
            let Some(read) = function.and_then(|it| it.signature()) else {
                continue;
            };
            hints.push(InlayHint {
                offset: tool.range.end() + placed.start,
                label: read.extracted.signature.to_string(),
            });
        }
    }
}

fn steps(document: &Document, range: TextRange, hints: &mut Vec<InlayHint>) {
    for (placed, analysis) in document.units_in(range) {
        let reads = placed.unit.flow.reads.iter();
        for read in reads.filter(|it| it.is_binding) {
            let ty = document.with_view(placed, analysis, |view| view.type_of(read).cloned());
            hints.extend(ty.map(|ty| InlayHint {
                offset: read.range.end() + placed.start,
                label: ty.to_string(),
            }));
        }
    }
}

fn types(document: &Document, range: TextRange, hints: &mut Vec<InlayHint>) {
    for literal in place::literals_in(document, range) {
        let lowered = literal.analysis.prompts_lowered();
        let signature = lowered.map(|it| &*it.signature);
        let (Some(root), Some(signature), Role::Prompt) =
            (literal.root(), signature, literal.site.role)
        else {
            continue;
        };
        let within = range.intersect(literal.content()).unwrap_or_default();
        let within = within - literal.start;
        let uses = placeholders::resolve_in(&root, signature, document.edition(), within);
        let in_range = uses
            .into_iter()
            .filter(|it| within.contains_inclusive(it.range.end()));
        hints.extend(in_range.filter_map(|it| {
            let Meaning::Value { ty, .. } = &it.meaning else {
                return None;
            };
            Some(InlayHint {
                offset: it.range.end() + literal.start,
                label: ty.to_string(),
            })
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ide::{Hints, Settings};
    use signature_ls_source::host::HostKind;

    #[track_caller]
    fn check(kind: HostKind, text: &str, hints: Hints, expected: &str) {
        let settings = Settings {
            hints,
            ..Settings::default()
        };
        let document = Document::new(kind, text, settings);
        let mut shown = text.to_owned();
        for hint in inlay_hints(&document, TextRange::up_to(document.text().len()))
            .iter()
            .rev()
        {
            shown.insert_str(hint.offset.into(), &format!("«{}»", hint.label));
        }
        let found: Vec<_> = shown.lines().filter(|it| it.contains('«')).collect();
        assert_eq!(found.join("\n"), expected);
    }

    #[test]
    fn bare_functions_show_their_signature() {
        let text = "defmodule M do\n  @spec find(String.t()) :: map()\n  def find(q), do: q\n  def a, do: SubAgent.new(prompt: \"a\", tools: %{\n    \"find\" => &find/1,\n    \"f\" => {&find/1, \"(q :string) -> :map\"}})\nend\n";
        check(
            HostKind::Elixir,
            text,
            Hints::default(),
            "    \"find\" => &find/1«(q :string) -> :map»,",
        );
        let off = Hints {
            signatures: false,
            ..Hints::default()
        };
        check(HostKind::Elixir, text, off, "");
    }

    #[test]
    fn placeholders_show_their_type_where_asked_for() {
        let text =
            "---\nsignature: '(user {name :string?}) -> :int'\n---\nHi {{user.name}} {{x}}\n";
        check(HostKind::Prompt, text, Hints::default(), "");
        let on = Hints {
            placeholders: true,
            ..Hints::default()
        };
        check(
            HostKind::Prompt,
            text,
            on,
            "Hi {{user.name«:string?»}} {{x}}",
        );
    }

    #[test]
    fn names_of_steps_and_results_show_their_type_where_asked_for() {
        let text = "a = SubAgent.new(prompt: \"A.\", signature: \"{n :int, s :string}\")\n{:ok, step} = SubAgent.run(a, llm: llm)\nn = step.return[\"n\"]\n";
        check(HostKind::Elixir, text, Hints::default(), "");
        let on = Hints {
            steps: true,
            ..Hints::default()
        };
        let expected = "{:ok, step«{n :int, s :string}»} = SubAgent.run(a, llm: llm)\nn«:int» = step.return[\"n\"]";
        check(HostKind::Elixir, text, on, expected);
    }
}
