//! A placeholder that puts hidden data into the prompt.

use crate::ide::{Diagnostic, Rule, Sample, Severity, rules::Check, unit::UnitView};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "firewalled-placeholder",
    severity: Severity::Warning,
    summary: "Hidden data stays out of prompts",
    explanation: "Up to edition 0.5 a name that begins with `_` is hidden from models. A placeholder of that name would show \
                  it after all. From edition 0.11 on `_` is part of the name and hides nothing.",
    wrong: Sample::Prompt {
        signature: "(_ids [:int]) -> :int",
        prompt: "Count {{#_ids}}{{.}}{{/_ids}}",
    },
    right: Sample::Prompt {
        signature: "(ids [:int]) -> :int",
        prompt: "Count {{#ids}}{{.}}{{/ids}}",
    },
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    if !unit.edition.has_firewall() {
        return;
    }
    for &(start, ref it) in unit.placeholders() {
        let hidden = it.segments.iter().find(|(name, _)| name.starts_with('_'));
        let Some((name, range)) = hidden else {
            continue;
        };
        let message = format!(
            "`{name}` is hidden from models by its `_`, and this shows it; rename it or leave it out."
        );
        found.push(Diagnostic::new(&RULE, *range + start, message));
    }
}
