//! `:strng`: an unknown type word.

use crate::{
    ide::{
        Diagnostic, Fix, Rule, Sample, Severity,
        rules::{
            Check, MAX_FINDINGS,
            syntax::{is_in_tuple, is_torn},
        },
        unit::{SignatureView, UnitView},
    },
    model::{Edition, ProblemKind, type_words},
};
use signature_ls_source::{
    syntax::{error::ErrorKind, kind::SyntaxKind},
    text::{TextEdit, TextRange, TextSize},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

pub(super) static RULE: Rule = Rule {
    code: "unknown-type",
    severity: Severity::Error,
    summary: "Unknown type",
    explanation: "The type words are `string int float bool keyword map any`, and from edition 0.11 also \
                  `datetime` and `boolean`. They are lower case. A date or a time alone is a `:string`: `:datetime` \
                  accepts only both together.",
    wrong: Sample::signature("(user {name :strng}) -> :int"),
    right: Sample::signature("(user {name :string}) -> :int"),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    for signature in unit.signatures() {
        let end_if_open = end_if_open(&signature);
        let root = signature.root();
        let all = root.text_range() + signature.start;
        let mut text = None;
        for (word, range) in unit.words_at_fault_in(&signature, ProblemKind::UnknownType) {
            if found.len() == MAX_FINDINGS {
                return;
            }
            // The start of a type word that is being typed.
            let beginning = word.trim_start_matches([':', ' ']);
            if end_if_open == Some(range.end()) && type_words::begins_one(beginning, unit.edition) {
                continue;
            }
            let element = root.covering_element(range - signature.start);
            let mut around = element.ancestors();
            let field = around.find(|it| it.kind() == SyntaxKind::Field);
            if field.is_some_and(|it| is_in_tuple(&it)) {
                continue;
            }
            let text = text.get_or_insert_with(|| unit.code(all));
            let in_text = range - all.start();
            let is_torn = is_torn(
                &text[..in_text.start().into()],
                &text[in_text.end().into()..],
            );
            let is_optional = unit.code(TextRange::at(range.end(), 1.into())) == "?";
            found.push(diagnose(&word, range, is_optional, is_torn, unit.edition));
        }
    }
}

/// What is said about `word`, which stands for nil.
pub(super) fn not_nil(word: &str, optional: &str) -> String {
    format!("`{word}` is not a type; `?` after a type allows nil, as in `{optional}`.")
}

/// The end of a signature whose brackets are still open, in bytes from the unit's start.
fn end_if_open(signature: &SignatureView<'_>) -> Option<TextSize> {
    let mut problems = signature.lowered.problems.iter();
    let is_open = problems.any(|it| it.kind == ProblemKind::Syntax(ErrorKind::Unclosed));
    is_open.then(|| signature.root().text_range().end() + signature.start)
}

/// The diagnostic about the type at `range`, which includes its colon and an optional space after that.
fn diagnose(
    written: &str,
    range: TextRange,
    is_optional: bool,
    is_torn: bool,
    edition: Edition,
) -> Diagnostic {
    let name = written.trim_start_matches(':').trim_start();
    let is_spaced = name.len() + 1 < written.len();
    let word = &*format!(":{name}");
    let suggestion = type_words::suggest(word.trim_start_matches(':'), edition);
    let later = type_words::primitive(word.trim_start_matches(':'), Edition::Next);
    let message = match (later, suggestion.replacements) {
        (Some(_), [first, ..]) => {
            format!("`{word}` exists from edition 0.11; write `{first}` before that.")
        }
        (_, [first, second, ..]) => {
            format!("`{word}` is not a type; write `{first}` or `{second}`.")
        }
        (_, [optional]) if optional.ends_with('?') => not_nil(word, optional),
        (_, [first]) => format!("`{word}` is not a type; did you mean `{first}`?"),
        (_, []) => format!("`{word}` is not a type; use {}.", type_words::all(edition)),
    };
    // The colon of `name: integer` is attached to the name.
    let space = if is_spaced { " " } else { "" };
    let fixes = suggestion
        .replacements
        .iter()
        .enumerate()
        .map(|(index, replacement)| {
            let replacement = match is_optional {
                true => replacement.trim_end_matches('?'),
                false => replacement,
            };
            Fix {
                title: format!("Write `{replacement}`"),
                edits: vec![TextEdit::replace(range, format!("{space}{replacement}"))],
                safe: suggestion.certain && index == 0 && !is_torn,
            }
        });
    let any = || {
        Fix::offered(
            "Write `:any`",
            vec![TextEdit::replace(range, format!("{space}:any"))],
        )
    };
    let mut fixes: Vec<_> = fixes.collect();
    if fixes.is_empty() {
        fixes.push(any());
    }
    Diagnostic {
        fixes,
        related: Vec::new(),
        distant: Vec::new(),
        elsewhere: Vec::new(),
        ..Diagnostic::new(&RULE, range, message)
    }
}

#[cfg(test)]
mod tests {
    use crate::ide::testing::document;
    use signature_ls_source::host::HostKind;

    #[test]
    fn words_for_nil_are_no_misspellings() {
        for word in ["nil", "null", "none"] {
            let text = format!("SubAgent.new(signature: \"(a :{word}) -> :int\")\n");
            let found = document(HostKind::Elixir, &text).diagnostics();
            let expected =
                format!("`:{word}` is not a type; `?` after a type allows nil, as in `:any?`.");
            let messages: Vec<_> = found.iter().map(|it| it.message.as_str()).collect();
            assert_eq!(messages, [expected.as_str()]);
        }
    }
}
