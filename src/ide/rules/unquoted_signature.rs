//! Signatures that YAML reads as collections.

use crate::{
    host::Notation,
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView},
    text::TextEdit,
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "unquoted-signature",
    severity: Severity::Error,
    summary: "Unquoted signature that YAML reads as a collection",
    explanation: "YAML reads `{answer :int}` and `[:int]` without quotes as a mapping and a list, so that whoever loads the file \
                  gets no signature.",
    wrong: Sample::PromptFile("---\nsignature: {answer :int}\n---\nAnswer.\n"),
    right: Sample::PromptFile("---\nsignature: \"{answer :int}\"\n---\nAnswer.\n"),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    if unit.notation() != Notation::Yaml {
        return;
    }
    for range in unit.plain_signatures() {
        let written = unit.code(range);
        if !written.starts_with(['[', '{']) {
            continue;
        }
        let message = "YAML reads this as a collection; write the signature in quotes.";
        // Quotes come with the edit, as the literal needs them.
        let edits = vec![TextEdit::replace(range, written)];
        let fix = Fix::safe("Quote the signature", edits);
        found.push(Diagnostic::new(&RULE, range, message).with_fix(fix));
    }
}
