//! A placeholder whose value may be nil.

use crate::{
    ide::{
        Diagnostic, Fix, Rule, Sample, Severity,
        rules::{Check, MAX_FINDINGS},
        unit::UnitView,
    },
    model::placeholders::Use,
};
use signature_ls_source::text::{TextEdit, TextSize};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

pub(super) static RULE: Rule = Rule {
    code: "optional-placeholder",
    severity: Severity::Hint,
    summary: "Optional value in a prompt",
    explanation: "An optional value may be absent when the prompt is rendered, which leaves a gap in the text. \
                  Wrap it in a section: `{{#limit}}at most {{limit}}{{/limit}}`.",
    wrong: Sample::prompt("(limit :int?) -> :int", "Find at most {{limit}}"),
    right: Sample::prompt(
        "(limit :int?) -> :int",
        "Find {{#limit}}at most {{limit}}{{/limit}}",
    ),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    for &(start, ref it) in unit.placeholders() {
        let Some(segment) = it.nil_segment() else {
            continue;
        };
        if found.len() >= MAX_FINDINGS {
            break;
        }
        let Some((_, range)) = it.segments.get(segment) else {
            continue;
        };
        let names: Vec<_> = it.segments[..=segment]
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        let path = names.join(".");
        let message = match unit.edition.has_sections() {
            true => format!(
                "`{path}` is optional and may be nil here; wrap it in a section `{{{{#{path}}}}}…`."
            ),
            false => format!(
                "`{path}` is optional and may be nil here; without `?` in the signature it is required."
            ),
        };
        let mut diagnostic = Diagnostic::new(&RULE, *range + start, message);
        if unit.edition.has_sections() && segment + 1 == it.segments.len() {
            diagnostic = diagnostic.with_fix(wrapped(unit, it, start, (&path, &path)));
        }
        found.push(diagnostic);
    }
}

/// The fix that writes a placeholder of the prompt at `start` as `inner` in a section over `outer`.
pub(super) fn wrapped(
    unit: &UnitView<'_>,
    it: &Use,
    start: TextSize,
    (outer, inner): (&str, &str),
) -> Fix {
    // The braces of the placeholder are around its name, possibly with spaces between.
    let text = format!("#{outer}}}}}{{{{{inner}}}}}{{{{/{outer}");
    let title = format!("Wrap it in a section{}", unit.effect_of_section(start));
    Fix::offered(title, vec![TextEdit::replace(it.range + start, text)])
}

#[cfg(test)]
mod tests {
    use crate::ide::{Document, Settings, quick_fixes};
    use signature_ls_source::{host::HostKind, text::TextRange};

    /// The titles of the fixes for the optional value in an agent.
    fn titles(prompt: &str, rest: &str) -> Vec<String> {
        let signature = "(note :string?, items [:string], user {name :string}) -> :any";
        let text =
            format!("SubAgent.new(prompt: \"{prompt}\", signature: \"{signature}\"{rest})\n");
        let document = Document::new(HostKind::Elixir, &text, Settings::default());
        let found = quick_fixes(&document, TextRange::up_to(document.text().len()));
        let of_rule = found
            .iter()
            .filter(|it| it.rule.code == "optional-placeholder");
        let fixes = of_rule.flat_map(|it| &it.fixes);
        fixes.map(|it| it.title.clone()).collect()
    }

    /// The first section of a prompt has all values filled in, which the others may not allow.
    #[test]
    fn a_first_section_says_what_it_does_to_the_other_values() {
        let (plain, filling) = (
            "Wrap it in a section",
            "Wrap it in a section, and fill in all values",
        );
        for (prompt, rest, expected) in [
            ("{{note}} {{user.name}}", "", Some(filling)),
            (
                "{{note}} {{user.name}} {{#items}}{{.}}{{/items}}",
                "",
                Some(plain),
            ),
            ("{{note}} {{user.name}}", ", output: :text", Some(plain)),
            ("{{note}} {{items}}", "", None),
            ("{{note}} {{items}}", ", output: :text", None),
            ("{{note}} {{user}}", "", None),
            // It is not filled before either.
            ("{{note}} {{user}}", ", output: :text", Some(plain)),
        ] {
            assert_eq!(
                titles(prompt, rest),
                Vec::from_iter(expected),
                "{prompt}{rest}"
            );
        }
    }

    /// A section in an inverted section over the same value would always be empty.
    #[test]
    fn nothing_is_wrapped_where_the_value_is_certainly_absent() {
        for (prompt, count) in [
            ("{{a}}", 1),
            ("{{^a}}none {{a}}{{/a}}", 0),
            ("{{^u}}none {{u.b}}{{/u}}", 0),
            ("{{^a}}none{{/a}} {{a}}", 1),
        ] {
            let text = format!(
                "SubAgent.new(prompt: \"{prompt} {{{{#a}}}}{{{{/a}}}}{{{{#u}}}}{{{{/u}}}}\", signature: \"(a :string?, u {{b :int}}) -> :any\")\n"
            );
            let document = Document::new(HostKind::Elixir, &text, Settings::default());
            let found = document.diagnostics();
            let hints = found
                .iter()
                .filter(|it| it.rule.code == "optional-placeholder");
            assert_eq!(hints.count(), count, "{text}");
        }
    }
}
