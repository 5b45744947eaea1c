//! Unknown validation modes.

use crate::{
    contract::{Mode, Value, ValueKind},
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView},
    model::spelling::nearest,
};
use signature_ls_source::text::TextEdit;

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "unknown-mode",
    severity: Severity::Error,
    summary: "Unknown validation mode",
    explanation: "`signature_validation:` is `:enabled`, `:warn_only`, `:disabled` or `:strict`. A mode in a \
                  variable is not checked, and turns errors in values into warnings.",
    wrong: Sample::elixir(
        "SubAgent.new(prompt: \"{{n}}\", signature: \"(n :int) -> :any\", signature_validation: :warn)\n",
    ),
    right: Sample::elixir(
        "SubAgent.new(prompt: \"{{n}}\", signature: \"(n :int) -> :any\", signature_validation: :warn_only)\n",
    ),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    // Elsewhere, `validation:` can be anything; only this key is certain.
    if unit.signature().is_none() && !unit.is_certain() {
        return;
    }
    let Some(value) = unit.argument_value("signature_validation") else {
        return;
    };
    let Some(name) = name(&value).filter(|it| it.parse::<Mode>().is_err()) else {
        return;
    };
    let sigil = match value.kind {
        ValueKind::Keyword(_) => ":",
        _ => "",
    };
    let modes = || Mode::ALL.iter().map(|mode| mode.name());
    let begun = modes().find(|mode| name.len() > 2 && mode.starts_with(name));
    let Some(near) = begun.or_else(|| nearest(name, modes())) else {
        let message = format!(
            "There is no mode `{sigil}{name}`; use `{sigil}enabled`, `{sigil}warn_only`, `{sigil}disabled` or `{sigil}strict`."
        );
        let mut diagnostic = Diagnostic::new(&RULE, value.range, message);
        let written = unit.code(value.range);
        let fixes = modes().filter(|_| written.contains(name)).map(|mode| {
            let insert = written.replacen(name, mode, 1);
            let edits = vec![TextEdit::replace(value.range, insert)];
            Fix::offered(format!("Write `{sigil}{mode}`"), edits)
        });
        diagnostic.fixes = fixes.collect();
        found.push(diagnostic);
        return;
    };
    let message = format!("There is no mode `{sigil}{name}`; did you mean `{sigil}{near}`?");
    let diagnostic = Diagnostic::new(&RULE, value.range, message);
    let written = unit.code(value.range);
    found.push(match written.find(name) {
        Some(_) => {
            let edits = vec![TextEdit::replace(
                value.range,
                written.replacen(name, near, 1),
            )];
            diagnostic.with_fix(Fix::offered(format!("Write `{sigil}{near}`"), edits))
        }
        None => diagnostic,
    });
}

fn name(value: &Value) -> Option<&str> {
    match &value.kind {
        ValueKind::String(name) | ValueKind::Keyword(name) => Some(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::ide::{Document, Settings};
    use signature_ls_source::host::HostKind;

    #[track_caller]
    fn check(mode: &str, expected: &[&str]) {
        let text = format!(
            "SubAgent.run(\"{{{{n}}}}\", signature: \"(n :int) -> :any\", context: %{{n: nil}}, signature_validation: {mode})"
        );
        let document = Document::new(HostKind::Elixir, &text, Settings::default());
        let found = document.diagnostics();
        let found = found
            .iter()
            .map(|it| format!("{:?} {} {}", it.severity, it.rule.code, &text[it.range]));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn the_nearest_mode_is_offered() {
        for (written, near) in [(":warn", ":warn_only"), ("\"stict\"", "\"strict\"")] {
            let text = format!("SubAgent.run(agent, signature_validation: {written})");
            let document = Document::new(HostKind::Elixir, &text, Settings::default());
            let found = document.diagnostics();
            let edits: Vec<_> = found[0].fixes.iter().flat_map(|it| &it.edits).collect();
            assert!(
                matches!(edits.as_slice(), [only] if only.insert == near),
                "{edits:?}"
            );
        }
    }

    #[test]
    fn modes_are_reported_where_they_are_literals() {
        check(":enabled", &["Error value-type nil"]);
        check("mode", &["Warning value-type nil"]);
        check("@mode", &["Warning value-type nil"]);
        check("opts[:mode]", &["Warning value-type nil"]);
        check(
            ":bogus",
            &["Warning value-type nil", "Error unknown-mode :bogus"],
        );
        check(":disabled", &[]);
    }
}
