//! `signatrue:` in place of `signature:`.

use crate::ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView};
use signature_ls_source::{
    host::{Notation, Role, misspelled},
    text::{TextEdit, TextRange},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "misspelled-key",
    severity: Severity::Warning,
    summary: "Key that is almost `signature`, `prompt` or `output`",
    explanation: "A signature under another key is not read, so that nothing is validated. This is reported in calls of \
                  the library and in prompt files, for keys with one wrong letter, if the right key is missing.",
    wrong: Sample::prompt_file(
        "---\nsignatrue: \"(topic :string) -> :int\"\n---\nAbout {{topic}}.\n",
    ),
    right: Sample::prompt_file(
        "---\nsignature: \"(topic :string) -> :int\"\n---\nAbout {{topic}}.\n",
    ),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    if !unit.is_certain() {
        return;
    }
    let is_file = unit.notation() == Notation::Yaml;
    let has = |meant: &str| {
        let has_site = unit.sites().iter().any(|it| match it.role {
            Role::Signature | Role::Tool => meant == "signature",
            // The body of a prompt file has no key.
            Role::Prompt => meant == "prompt" && !is_file,
            Role::Description => false,
        });
        has_site || unit.argument_range(meant).is_some()
    };
    for argument in unit.arguments() {
        let key = &argument.key;
        let Some(meant) = misspelled(key).filter(|it| !has(it)) else {
            continue;
        };
        // Options of a tool have a rule of their own.
        if unit.code(TextRange::up_to(unit.len().min(1.into()))) == "{" {
            return;
        }
        let range = argument.key_range;
        let message = format!("There is no key `{key}`; did you mean `{meant}`?");
        let insert = unit.code(range).replacen(&**key, meant, 1);
        let edits = vec![TextEdit::replace(range, insert)];
        let fix = Fix::offered(format!("Write `{meant}`"), edits);
        found.push(Diagnostic::new(&RULE, range, message).with_fix(fix));
    }
}

#[cfg(test)]
mod tests {
    use crate::{ide::testing::found_in, model::Edition};
    use signature_ls_source::host::HostKind;

    #[test]
    fn one_wrong_letter_is_reported_where_the_key_is_missing() {
        let found = |kind, text: &str| {
            let found = found_in(kind, text, Edition::V0_11);
            let is_ours = |it: &String| it.starts_with("misspelled-key");
            found.into_iter().filter(is_ours).collect::<Vec<_>>()
        };
        for key in [
            "signatrue",
            "signture",
            "signatuure",
            "sicnature",
            "ignature",
        ] {
            let expected = [format!("misspelled-key: {key}")];
            let file = format!("---\n{key}: \"(a :int) -> :int\"\n---\nSay {{{{a}}}}.\n");
            assert_eq!(found(HostKind::Prompt, &file), expected);
            let expected = [format!("misspelled-key: {key}:")];
            for call in [
                format!("SubAgent.run(\"Say {{{{a}}}}\", {key}: \"(a :int) -> :int\")\n"),
                format!("SubAgent.new(prompt: p, {key}: \"(a :int) -> :int\")\n"),
                format!("SubAgent.new({key}: s)\n"),
            ] {
                assert_eq!(found(HostKind::Elixir, &call), expected, "{call}");
                let other = call.replace("SubAgent", "Other");
                assert_eq!(found(HostKind::Elixir, &other), [""; 0], "{other}");
            }
            let both = format!("SubAgent.new(signature: \":int\", {key}: \":int\")\n");
            assert_eq!(found(HostKind::Elixir, &both), [""; 0]);
            let file = format!("---\n{key}: of the author\n---\nSay {{{{a}}}}.\n");
            assert_eq!(found(HostKind::Prompt, &file), [""; 0]);
        }
        for key in ["promt", "outputt"] {
            let file = format!("---\nsignature: \":int\"\n{key}: x\n---\nSay it.\n");
            assert_eq!(
                found(HostKind::Prompt, &file),
                [format!("misspelled-key: {key}")]
            );
        }
        for key in ["signatures", "prompts", "outputs", "signed", "input"] {
            let call = format!("SubAgent.new({key}: \":int\")\n");
            assert_eq!(found(HostKind::Elixir, &call), [""; 0]);
        }
    }
}
