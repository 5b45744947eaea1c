//! Signatures that YAML reads as collections, or splits.

use crate::ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView};
use signature_ls_source::{host::Notation, text::TextEdit};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "unquoted-signature",
    severity: Severity::Error,
    summary: "Unquoted signature that YAML reads as something else",
    explanation: "YAML reads `{answer :int}` and `[:int]` without quotes as a mapping and a list. In the braces \
                  of a mapping, it splits `(a :int, b :int) -> :int` at the comma. A program that loads the file \
                  then gets no signature.",
    wrong: Sample::prompt_file("---\nsignature: {answer :int}\n---\nAnswer.\n"),
    right: Sample::prompt_file("---\nsignature: \"{answer :int}\"\n---\nAnswer.\n"),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    if unit.notation() != Notation::Yaml {
        return;
    }
    for (range, is_in_flow) in unit.plain_signatures() {
        let written = unit.code(range);
        let message = match written.starts_with(['[', '{']) {
            true => "YAML reads this as a collection; write the signature in quotes.",
            false if is_in_flow && written.contains([',', '[', '{']) => {
                "YAML cuts this at commas and brackets; write the signature in quotes."
            }
            false => continue,
        };
        // The conversion of the edit adds the quotes that the literal needs.
        let edits = vec![TextEdit::replace(range, written.clone())];
        // With the types of another language, it may be a value of another program.
        let is_ours = [" :", "[:"].iter().any(|it| written.contains(it));
        let title = "Quote the signature";
        let fix = match is_ours {
            true => Fix::safe(title, edits),
            false => Fix::offered(title, edits),
        };
        found.push(Diagnostic::new(&RULE, range, message).with_fix(fix));
    }
}

#[cfg(test)]
mod tests {
    use crate::ide::{Document, Settings};
    use signature_ls_source::host::HostKind;

    /// The diagnostics of a YAML text, with the code at its place.
    fn found(text: &str) -> Vec<String> {
        let found = Document::new(HostKind::Yaml, text, Settings::default()).diagnostics();
        let found = found.iter();
        found
            .map(|it| format!("{} {}", it.rule.code, &text[it.range]))
            .collect()
    }

    #[test]
    fn signatures_that_yaml_cuts_are_reported() {
        for signature in [
            "(a :int, c :int) -> :int",
            "(a [:int]) -> {b :int, c :string}",
            "(a :int?, b {c :int}) -> [:string]",
        ] {
            let expected = [format!("unquoted-signature {signature}")];
            assert_eq!(found(&format!("a: {{signature: {signature}}}\n")), expected);
            assert_eq!(
                found(&format!("- {{x: 1, 'signature': {signature}, y: 2}}\n")),
                expected
            );
            assert_eq!(
                found(&format!("a: {{signature: '{signature}'}}\n")),
                [""; 0]
            );
            assert_eq!(found(&format!("a:\n  signature: {signature}\n")), [""; 0]);
        }
        assert_eq!(
            found("a: {signature: (a :int, b int) -> :int}\n").len(),
            2,
            "the type is reported too"
        );
    }

    #[test]
    fn types_of_other_languages_count_in_a_prompt_file() {
        for signature in ["{name: string}", "{a: int, b: [string]}"] {
            let text = format!("---\nsignature: {signature}\n---\nGo.\n");
            let found = Document::new(HostKind::Prompt, &text, Settings::default()).diagnostics();
            let found = found.iter().find(|it| it.rule.code == "unquoted-signature");
            assert_eq!(found.map(|it| &text[it.range]), Some(signature));
        }
    }

    #[test]
    fn a_comment_after_the_signature_is_no_part_of_it() {
        for signature in ["{answer :int}", "[:int]", "[{id :int}]"] {
            let expected = [format!("unquoted-signature {signature}")];
            for comment in ["", " ", " # note", "  # see [a] {b}", "\t# note"] {
                for before in ["", "a:\n  "] {
                    let text = format!("{before}signature: {signature}{comment}\n");
                    assert_eq!(found(&text), expected, "{text}");
                }
            }
        }
    }

    #[test]
    fn what_follows_a_cut_signature_belongs_to_its_agent() {
        let text = "a: {signature: (a :int, c :int) -> :int, prompt: '{{a}} {{c}} {{d}}'}\n";
        assert_eq!(
            found(text),
            [
                "unquoted-signature (a :int, c :int) -> :int",
                "unknown-placeholder d"
            ]
        );
    }

    #[test]
    fn other_programs_are_left_alone() {
        for text in [
            "a: {signature: (self, x: int) -> str}\n",
            "a: {signature: (a, b), prompt: c}\n",
            "a: {signature: (x: number, y: number) => void}\n",
            "a: {checksum: (a :int, b :int) -> :int}\n",
            "a: {signature: (a :int) -> :int, b: c}\n",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
