//! A placeholder that inserts hidden data into the prompt.

use crate::ide::{Diagnostic, Rule, Sample, Severity, rules::Check, unit::UnitView};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "firewalled-placeholder",
    severity: Severity::Warning,
    summary: "Hidden value in a prompt",
    explanation: "Up to edition 0.5, names that begin with `_` are hidden from models. A placeholder would show \
                  the value anyway. From edition 0.11, `_` is an ordinary part of a name.",
    wrong: Sample::elixir(
        "# signature-ls: edition 0.5\n\nSubAgent.new(\n  signature: \"(_ids [:int]) -> :int\",\n  prompt: \"Count {{#_ids}}{{.}}{{/_ids}}\"\n)\n",
    ),
    right: Sample::elixir(
        "# signature-ls: edition 0.5\n\nSubAgent.new(\n  signature: \"(ids [:int]) -> :int\",\n  prompt: \"Count {{#ids}}{{.}}{{/ids}}\"\n)\n",
    ),
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
            "`{name}` is hidden from models because of its `_`; rename it, or remove the placeholder."
        );
        found.push(Diagnostic::new(&RULE, *range + start, message));
    }
}
