//! Sections in editions that do not support them.

use crate::ide::{Diagnostic, Rule, Sample, Severity, rules::Check, unit::UnitView};
use signature_ls_source::syntax::kind::SyntaxKind;

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "unsupported-section",
    severity: Severity::Error,
    summary: "Section in an edition without sections",
    explanation: "Releases before 0.5.2 only know plain placeholders and read the tags of sections as parameter \
                  names.",
    wrong: Sample::elixir(
        "# signature-ls: edition 0.4\n\nSubAgent.new(\n  signature: \"(ids [:int]) -> :int\",\n  prompt: \"Count {{#ids}}{{.}}{{/ids}}\"\n)\n",
    ),
    right: Sample::elixir(
        "# signature-ls: edition 0.4\n\nSubAgent.new(\n  signature: \"(ids :string) -> :int\",\n  prompt: \"Count {{ids}}\"\n)\n",
    ),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    if unit.edition.has_sections() {
        return;
    }
    for prompt in unit.prompts() {
        for tag in prompt.root.descendants() {
            let message = match tag.kind() {
                SyntaxKind::SectionOpen => {
                    "Sections exist from edition 0.5; use a plain placeholder."
                }
                SyntaxKind::CommentTag => "Comments in prompts exist from edition 0.5; remove it.",
                _ => continue,
            };
            found.push(Diagnostic::new(
                &RULE,
                tag.text_range() + prompt.start,
                message,
            ));
        }
    }
}
