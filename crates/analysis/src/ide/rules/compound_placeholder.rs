//! A placeholder whose value is no text, in a prompt that is sent with its values.

use crate::{
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView},
    model::{TypeKind, placeholders::Use},
};
use signature_ls_source::text::{TextEdit, TextSize};

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
                  programs only name their values.",
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
    if !unit.edition.has_sections() {
        return;
    }
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
            found.extend(diagnose(it, prompt.start + *start));
        }
    }
}

fn diagnose(it: &Use, start: TextSize) -> Option<Diagnostic> {
    let ty = it.shown_type()?;
    let names: Vec<_> = it.segments.iter().map(|(name, _)| name.as_str()).collect();
    let path = names.join(".");
    let range = it.range + start;
    // The braces of the placeholder are around its name, possibly with spaces between.
    let write =
        |title: String, text: String| Fix::offered(title, vec![TextEdit::replace(range, text)]);
    let (kind, instead, fixes) = match &ty.kind {
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
        TypeKind::Record(fields) => {
            let fixes = fields.iter().take(3).map(|field| {
                let text = format!("{path}.{}", field.name);
                write(format!("Write `{{{{{text}}}}}`"), text)
            });
            (
                "a record",
                "name one of its fields".to_owned(),
                fixes.collect(),
            )
        }
        _ => ("a map", "name one of its keys".to_owned(), Vec::new()),
    };
    let message = format!("`{path}` is {kind}, so the prompt is sent unfilled; {instead}.");
    Some(Diagnostic {
        fixes,
        ..Diagnostic::new(&RULE, range, message)
    })
}

#[cfg(test)]
mod tests {
    use crate::ide::{Document, Settings};
    use signature_ls_source::host::HostKind;

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
            let signature = "(u {n :int, r {a :int}}, m :map, xs [:int], ns [:int], s :string, any :any, rs [{a :int, b :map}]) -> :string";
            let text = format!(
                "SubAgent.new(prompt: \"{prompt}\", signature: \"{signature}\", output: {output})\n"
            );
            let document = Document::new(HostKind::Elixir, &text, Settings::default());
            let found = document.diagnostics();
            let found = found
                .iter()
                .filter(|it| it.rule.code == "compound-placeholder");
            let found: Vec<_> = found.map(|it| &text[it.range]).collect();
            assert_eq!(found, expected, "{prompt} {output}");
        }
    }
}
