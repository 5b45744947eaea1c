//! A placeholder whose value is no text, in a prompt that is sent with its values.

use crate::{
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView},
    model::{Fields, Primitive, TypeKind, placeholders::Use},
};
use signature_ls_source::{
    syntax::template::ast,
    text::{TextEdit, TextRange, TextSize},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "compound-placeholder",
    severity: Severity::Warning,
    summary: "Placeholder for a list, a record or a map",
    explanation: "With `output: :text`, with sections, in an LLM tool, and with `max_turns: 1` and no tools, a prompt is sent with \
                  the values of its placeholders. If one of them is a record or a map, or a list in a prompt with sections, the \
                  reference sends the whole prompt unfilled. Name a field, or write a section over the list. Other prompts for \
                  programs only name their values. In edition 0.4, every prompt is sent with its values: the agent fails at a \
                  record or a map, and a list becomes the characters of its elements.",
    wrong: Sample::prompt(
        "(user {name :string}, tags [:string]) -> :string",
        "Greet {{user}} {{#tags}}{{.}}{{/tags}}",
    ),
    right: Sample::prompt(
        "(user {name :string}, tags [:string]) -> :string",
        "Greet {{user.name}} {{#tags}}{{.}}{{/tags}}",
    ),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    match unit.edition.has_sections() {
        true => check_filled(unit, found),
        false => check_each(unit, found),
    }
}

/// Before there were sections, each value became text by itself.
fn check_each(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    for (prompt, uses) in unit.prompts().zip(unit.uses()) {
        let compounds = uses.compounds();
        // Strings are only joined.
        let list = compounds.list.iter().filter(|(_, it)| !is_of_strings(it));
        for (start, it) in list.chain(&compounds.map) {
            found.extend(diagnose(unit, it, prompt.start + *start));
        }
    }
}

fn is_of_strings(it: &Use) -> bool {
    let element = it.shown_type().and_then(|ty| match &ty.kind {
        TypeKind::List(element) => Some(&element.kind),
        _ => None,
    });
    matches!(
        element,
        Some(TypeKind::Unknown | TypeKind::Primitive(Primitive::String | Primitive::Any))
    )
}

/// A prompt with sections, or one that is sent with its values, is filled as a whole.
fn check_filled(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    for (prompt, uses) in unit.prompts().zip(unit.uses()) {
        let has_sections = uses.has_sections();
        if !has_sections && !unit.sends_values() {
            continue;
        }
        let compounds = uses.compounds();
        // Without sections, a list becomes text.
        let list = compounds.list.as_ref().filter(|_| has_sections);
        let mut found_in = list.into_iter().chain(&compounds.map).peekable();
        if found_in.peek().is_none() || uses.has_unopened() {
            continue;
        }
        for (start, it) in found_in {
            found.extend(diagnose(unit, it, prompt.start + *start));
        }
    }
}

/// Whether the section around `range`, in bytes from the unit's start, is over the value `path`.
pub(super) fn is_in_section_over(unit: &UnitView<'_>, range: TextRange, path: &str) -> bool {
    let Some((root, start)) = unit.tree_around(range) else {
        return false;
    };
    let range = range - start;
    let around = root.covering_element(range).ancestors();
    let paths = around.filter_map(|it| ast::Section::cast(it)?.path());
    let mut paths = paths.filter(|it| it.text_range() != range);
    paths.next().is_some_and(|it| it.text() == path)
}

fn diagnose(unit: &UnitView<'_>, it: &Use, start: TextSize) -> Option<Diagnostic> {
    let ty = it.shown_type()?;
    let names: Vec<_> = it.segments.iter().map(|(name, _)| name.as_str()).collect();
    let path = names.join(".");
    let range = it.range + start;
    // The braces of the placeholder are around its name, possibly with spaces between.
    let write =
        |title: String, text: String| Fix::offered(title, vec![TextEdit::replace(range, text)]);
    let has_sections = unit.edition.has_sections();
    let fields_of = |fields: &Fields, prefix: &str| {
        let fields = fields.iter().take(3).map(|field| {
            let text = format!("{prefix}{}", field.name);
            write(format!("Write `{{{{{text}}}}}`"), text)
        });
        fields.collect()
    };
    let (kind, instead, fixes) = match &ty.kind {
        TypeKind::List(_) if !has_sections => ("a list", "pass a string".to_owned(), Vec::new()),
        TypeKind::List(element) if is_in_section_over(unit, range, &path) => match &element.kind {
            TypeKind::Record(fields) => {
                let instead = "name a field of its elements".to_owned();
                ("a list", instead, fields_of(fields, ""))
            }
            _ => {
                let title = "Write `{{.}}`".to_owned();
                let fix = write(title, ".".to_owned());
                (
                    "a list",
                    "write `{{.}}` for its element".to_owned(),
                    vec![fix],
                )
            }
        },
        TypeKind::List(element) => {
            let section = match element.kind {
                TypeKind::Primitive(_) => format!("#{path}}}}}{{{{.}}}}{{{{/{path}"),
                _ => format!("#{path}}}}}{{{{/{path}"),
            };
            let fix = write("Write a section".to_owned(), section);
            (
                "a list",
                format!("write a section `{{{{#{path}}}}}…`"),
                vec![fix],
            )
        }
        TypeKind::Record(fields) => (
            "a record",
            "name one of its fields".to_owned(),
            fields_of(fields, &format!("{path}.")),
        ),
        _ => ("a map", "name one of its keys".to_owned(), Vec::new()),
    };
    let effect = match (has_sections, &ty.kind) {
        (true, _) => "so the prompt is sent unfilled",
        (false, TypeKind::List(_)) => "whose elements become characters in edition 0.4",
        (false, _) => "so the agent fails in edition 0.4",
    };
    let message = format!("`{path}` is {kind}, {effect}; {instead}.");
    Some(Diagnostic {
        fixes,
        ..Diagnostic::new(&RULE, range, message)
    })
}

#[cfg(test)]
mod tests {
    use crate::{
        ide::{Document, Settings},
        model::Edition,
    };
    use signature_ls_source::host::HostKind;

    const SIGNATURE: &str = "(u {n :int, r {a :int}}, m :map, xs [:int], ns [:int], s :string, any :any, rs [{a :int, b :map}], ss [:string]) -> :string";

    /// The placeholders that are reported in a prompt of an agent with these `options`.
    fn reported(prompt: &str, options: &str, edition: Edition) -> Vec<String> {
        let text =
            format!("SubAgent.new(prompt: \"{prompt}\", signature: \"{SIGNATURE}\", {options})\n");
        let settings = Settings {
            edition,
            ..Settings::default()
        };
        let document = Document::new(HostKind::Elixir, &text, settings);
        let found = document.diagnostics().into_iter();
        let found = found.filter(|it| it.rule.code == "compound-placeholder");
        found.map(|it| text[it.range].to_owned()).collect()
    }

    #[test]
    fn what_does_not_become_text_in_edition_0_4_is_reported() {
        for (prompt, expected) in [
            ("{{u}}", &["u"][..]),
            ("{{m}}", &["m"]),
            ("{{u.r}} {{xs}}", &["u.r", "xs"]),
            ("{{rs}}", &["rs"]),
            ("{{ss}} {{s}} {{any}} {{u.n}}", &[]),
        ] {
            let found = reported(prompt, "max_turns: 2", Edition::V0_4);
            assert_eq!(found, expected, "{prompt}");
        }
    }

    #[test]
    fn what_the_reference_cannot_show_is_reported() {
        for (prompt, output, expected) in [
            ("{{u}}", ":ptc_lisp", &[][..]),
            ("{{u}}", ":text", &["u"]),
            ("{{u}}", ":ptc_lisp, max_turns: 1", &["u"]),
            ("{{xs}}", ":ptc_lisp, max_turns: 1", &[]),
            ("{{u}}", ":ptc_lisp, max_turns: 2", &[]),
            ("{{u}}", ":ptc_lisp, max_turns: 1, tools: tools", &[]),
            ("{{u}}", ":ptc_lisp, max_turns: 1, retry_turns: 1", &[]),
            ("{{u.r}} {{m}}", ":text", &["u.r", "m"][..1]),
            ("{{xs}}", ":text", &[]),
            ("{{xs}} {{#ns}}{{.}}{{/ns}}", ":text", &["xs"]),
            (
                "{{u}} {{xs}} {{#ns}}{{.}}{{/ns}}",
                ":ptc_lisp",
                &["u", "xs"],
            ),
            ("{{#ns}}{{m}}{{/ns}}", ":ptc_lisp", &["m"]),
            ("{{#rs}}{{a}}{{b}}{{/rs}}", ":text", &["b"]),
            ("{{u.n}} {{m.x}} {{s}} {{any}}", ":text", &[]),
            ("{{#u}}{{n}}{{/u}}", ":text", &[]),
        ] {
            let options = format!("output: {output}");
            let found = reported(prompt, &options, Edition::default());
            assert_eq!(found, expected, "{prompt} {output}");
        }
    }
}
