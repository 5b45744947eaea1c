//! `:strng`: a word that is no type.

use crate::{
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView},
    model::{Edition, ProblemKind, type_words},
    text::TextEdit,
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "unknown-type",
    severity: Severity::Error,
    summary: "A type word is one of a few",
    explanation: "The type words are `string int float bool keyword map any`, from edition 0.11 on also `datetime` and \
                  `boolean`. They are written in lower case.",
    wrong: Sample::Signature("(user {name :strng}) -> :int"),
    right: Sample::Signature("(user {name :string}) -> :int"),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    for (word, range) in unit.words_at_fault(ProblemKind::UnknownType) {
        found.push(diagnose(&word, TextEdit::delete(range), unit.edition));
    }
}

/// The finding about `word`, written with its colon, which `place` deletes.
fn diagnose(word: &str, place: TextEdit, edition: Edition) -> Diagnostic {
    let suggestion = type_words::suggest(word.trim_start_matches(':'), edition);
    let later = type_words::primitive(word.trim_start_matches(':'), Edition::Next);
    let message = match (later, suggestion.replacements) {
        (Some(_), [first, ..]) => {
            format!("`{word}` exists from edition 0.11 on; write `{first}` before that.")
        }
        (_, [first, second, ..]) => {
            format!("`{word}` is not a type; write `{first}` or `{second}`.")
        }
        (_, [first]) => format!("`{word}` is not a type; did you mean `{first}`?"),
        (_, []) => format!(
            "`{word}` is not a type; use :string, :int, :float, :bool, :keyword, :map or :any."
        ),
    };
    let fixes = suggestion
        .replacements
        .iter()
        .enumerate()
        .map(|(index, replacement)| Fix {
            title: format!("Write `{replacement}`"),
            edits: vec![TextEdit::replace(place.range, *replacement)],
            safe: suggestion.certain && index == 0,
        });
    Diagnostic {
        fixes: fixes.collect(),
        ..Diagnostic::new(&RULE, place.range, message)
    }
}
