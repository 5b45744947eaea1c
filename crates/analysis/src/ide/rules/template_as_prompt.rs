//! Templates in place of the text of a prompt.

use crate::ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView};
use signature_ls_source::{
    host::{Notation, Role, Site},
    text::{TextEdit, TextRange, size},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "template-as-prompt",
    severity: Severity::Error,
    summary: "Template in place of a prompt",
    explanation: "A `~T` sigil makes a struct, and the library takes only strings as prompts: `SubAgent.new` raises an error. \
                  Write the text without the sigil, or pass the `template` of the struct.",
    wrong: Sample::elixir(
        "SubAgent.new(prompt: ~T\"Greet {{name}}.\", signature: \"(name :string) -> :string\")\n",
    ),
    right: Sample::elixir(
        "SubAgent.new(prompt: \"Greet {{name}}.\", signature: \"(name :string) -> :string\")\n",
    ),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    if unit.notation() != Notation::Elixir || !unit.is_certain() {
        return;
    }
    let is_alone = |site: &Site| site.literal == TextRange::up_to(unit.len());
    let prompts = unit.sites().iter();
    let prompts = prompts.filter(|site| site.role == Role::Prompt && !is_alone(site));
    found.extend(prompts.filter_map(|site| diagnose(unit, site)));
}

/// The diagnostic if `site` is a sigil.
fn diagnose(unit: &UnitView<'_>, site: &Site) -> Option<Diagnostic> {
    let written = unit.code(site.literal);
    let sigil = written.strip_prefix('~')?;
    let name = &sigil[..sigil.find(|c: char| !c.is_ascii_alphabetic())?];
    if !matches!(name, "T" | "PROMPT") {
        return None;
    }
    let prefix = TextRange::at(site.literal.start(), size(1 + name.len()));
    let message = format!("`~{name}` makes a struct, and a prompt is a string; remove the sigil.");
    let diagnostic = Diagnostic::new(&RULE, prefix, message);
    // These have a meaning in a string, and only quotes may be around one.
    let is_plain =
        sigil[name.len()..].starts_with('"') && !written.contains('\\') && !written.contains("#{");
    let remove = vec![TextEdit::delete(prefix)];
    Some(match is_plain {
        true => diagnostic.with_fix(Fix::offered(format!("Remove `~{name}`"), remove)),
        false => diagnostic,
    })
}

#[cfg(test)]
mod tests {
    use crate::{ide::testing::found_in, model::Edition};
    use signature_ls_source::host::HostKind;

    #[test]
    fn a_template_is_reported_where_a_string_is_due() {
        let signature = "signature: \"(n :string) -> :int\"";
        for (code, expected) in [
            (
                format!("SubAgent.new(prompt: ~T\"{{{{n}}}}\", {signature})"),
                &["template-as-prompt: ~T"][..],
            ),
            (
                format!("SubAgent.run(~T\"{{{{n}}}}\", {signature})"),
                &["template-as-prompt: ~T"],
            ),
            (
                format!("SubAgent.new(prompt: ~PROMPT\"{{{{n}}}}\", {signature})"),
                &["template-as-prompt: ~PROMPT"],
            ),
            (
                format!("p = ~T\"{{{{n}}}}\"\nSubAgent.new(prompt: p, {signature})"),
                &["template-as-prompt: ~T"],
            ),
            (
                format!("SubAgent.new(prompt: ~T\"{{{{n}}}}\".template, {signature})"),
                &[],
            ),
            (
                format!("SubAgent.new(prompt: ~S\"{{{{n}}}}\", {signature})"),
                &[],
            ),
            (
                "import PtcRunner.SubAgent.Sigils\nt = ~T\"Hello {{n}}\"".to_owned(),
                &[],
            ),
            (format!("%{{prompt: ~T\"{{{{n}}}}\", {signature}}}"), &[]),
        ] {
            assert_eq!(
                found_in(HostKind::Elixir, &code, Edition::V0_11),
                expected,
                "{code}"
            );
        }
    }
}
