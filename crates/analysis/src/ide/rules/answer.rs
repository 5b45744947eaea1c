//! `json_signature: "(text :string) -> {ok :bool}"`: the reference compares the prompt of an LLM tool with it, in place of
//! `signature:`.

use foldhash::HashSet;

use super::{Check, missing::listed, unknown_placeholder, unused_parameter};
use crate::{
    ide::{Diagnostic, Fix, Severity, unit::UnitView},
    model::{Field, Fields, Lowered, lower_text},
};
use signature_ls_source::{
    host::Notation,
    syntax::template::ast::{Path, Tag, tags},
    text::{TextEdit, TextRange, TextSize},
};

/// The signature of the answer; without it, that of the tool.
const KEY: &str = "json_signature";

pub(super) const CHECK: Check = Check {
    rules: &[],
    run: check,
};

/// Whether the prompt is compared with it.
pub(super) fn is_compared(unit: &UnitView<'_>) -> bool {
    unit.argument(KEY).is_some_and(|it| it != "nil")
}

/// It and the place of its literal; `None` if it cannot be read or has errors.
pub(super) fn read(unit: &UnitView<'_>) -> Option<(Lowered, TextRange)> {
    let (code, range) = written(unit, KEY)?;
    let text = code.trim_matches(['"', '\'']).trim();
    let lowered = lower_text(text, unit.edition);
    lowered.problems.is_empty().then_some((lowered, range))
}

/// The literal under `key` with its quotes and its place; `None` if it has escapes, or is no literal.
pub(super) fn written(unit: &UnitView<'_>, key: &str) -> Option<(String, TextRange)> {
    let range = unit.argument_range(key)?;
    let code = unit.code(range);
    let is_yaml = unit.notation() == Notation::Yaml;
    let is_literal = is_yaml || code.starts_with('"');
    let is_plain = !code.contains('\\') && !code.contains(if is_yaml { " #" } else { "#{" });
    (is_literal && is_plain).then(|| (code.into_owned(), range))
}

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    if unit.text_mode().is_none() {
        return;
    }
    let Some((answer, range)) = read(unit) else {
        return;
    };
    let params = &answer.signature.params;
    found.extend(lacking(unit, params, range));
    found.extend(unused(unit, params, range));
}

/// The diagnostic about names in the prompt that it lacks.
fn lacking(unit: &UnitView<'_>, params: &Fields, range: TextRange) -> Option<Diagnostic> {
    let tags = unit.prompts().flat_map(|it| tags(&it.root));
    let paths = tags.filter_map(|it| match it {
        Tag::Placeholder(it) => it.path(),
        Tag::Section(it) => it.path(),
        Tag::Stray(_) => None,
    });
    let names = paths.filter(|it| !it.has_hole()).filter_map(|it: Path| {
        let name = it.segments().next()?.text().to_owned();
        let known = params.named(&name, unit.edition);
        known.is_none().then_some(name)
    });
    let mut known = HashSet::default();
    let names = names.filter(|it| known.insert(it.clone()));
    let names: Vec<_> = names.map(|it| format!("`{it}`")).collect();
    if names.is_empty() {
        return None;
    }
    let message = format!(
        "The prompt is compared with `{KEY}`, which lacks {}; repeat the parameters of `signature` there.",
        listed(&names)
    );
    let mut found = Diagnostic::new(&unknown_placeholder::RULE, range, message);
    found.fixes.extend(repeat(unit, range));
    Some(found)
}

/// The fix that repeats the parameters of `signature:`, if it has an output alone.
fn repeat(unit: &UnitView<'_>, range: TextRange) -> Option<Fix> {
    let signature = unit.signatures().next()?;
    let output = signature.lowered.signature.output.range;
    let params = unit.code(TextRange::up_to(output.start()) + signature.start);
    let code = unit.code(range);
    let is_alone = !code.starts_with("\"\"\"") && !code.contains(['(', '>']);
    if !is_alone || !signature.lowered.problems.is_empty() || params.contains('\\') {
        return None;
    }
    let edits = vec![TextEdit::insert(range.start() + TextSize::of('"'), params)];
    let title = "Repeat the parameters of `signature`".to_owned();
    Some(Fix::offered(title, edits))
}

/// The diagnostic about its parameters that no placeholder uses.
fn unused(unit: &UnitView<'_>, params: &Fields, range: TextRange) -> Option<Diagnostic> {
    let named = unused_parameter::named(unit);
    let is_unused =
        |(_, it): &(usize, &Field)| !named.contains(&unit.edition.normal_name(&it.name));
    let unused: Vec<_> = params.iter().enumerate().filter(is_unused).collect();
    if unused.is_empty() || unit.prompts().any(|it| it.has_holes) {
        return None;
    }
    let tags = unused_parameter::Tag::of_all(unit, &unused);
    let message = unused_parameter::message(&unused, &tags, unit.text_mode());
    let mut found = Diagnostic::new(&unused_parameter::RULE, range, message);
    found.severity = Severity::Error;
    Some(found)
}

#[cfg(test)]
mod tests {
    use crate::ide::{Document, Settings, quick_fixes, testing::applied};
    use signature_ls_source::{
        host::HostKind,
        text::{TextRange, TextSize},
    };

    fn tool(prompt: &str, signature: &str, answer: &str) -> String {
        format!(
            "LLMTool.new(prompt: \"{prompt}\", signature: \"{signature}\", json_signature: {answer})\n"
        )
    }

    #[test]
    fn the_prompt_is_compared_with_the_signature_of_the_answer() {
        let own = "(a :string, b :string) -> :keyword";
        for (prompt, answer, expected) in [
            (
                "{{a}} {{b}}",
                "\"(a :string, b :string) -> {ok :bool}\"",
                &[][..],
            ),
            ("{{a}} {{b}}", "nil", &[]),
            ("{{a}} {{b}}", "answer", &[]),
            ("{{a}} {{b}}", "\"{ok :bool}\"", &["unknown-placeholder"]),
            (
                "{{a}} {{b}}",
                "\"(a :string) -> {ok :bool}\"",
                &["unknown-placeholder"],
            ),
            (
                "{{a}}{{#b}}{{.}}{{/b}}",
                "\"(a :string) -> :int\"",
                &["unknown-placeholder"],
            ),
            (
                "{{a}} {{b}}",
                "\"(a :string, b :string, c :int) -> :int\"",
                &["unused-parameter"],
            ),
            ("{{a}}", "\"(a :string) -> :int\"", &[]),
        ] {
            let text = tool(prompt, &own.replace("b :string", "b [:string]"), answer);
            let text = if prompt.contains('#') {
                text
            } else {
                tool(prompt, own, answer)
            };
            let document = Document::new(HostKind::Elixir, &text, Settings::default());
            let found = document.diagnostics();
            let errors = found
                .iter()
                .filter(|it| it.severity == crate::ide::Severity::Error);
            let codes: Vec<_> = errors.map(|it| it.rule.code).collect();
            assert_eq!(codes, expected, "{text}");
        }
    }

    #[test]
    fn the_parameters_are_repeated() {
        let before = tool("{{a}}", "(a :string) -> :keyword", "\"{ok :bool}\"");
        let document = Document::new(HostKind::Elixir, &before, Settings::default());
        let all = TextRange::up_to(TextSize::of(before.as_str()));
        let found = quick_fixes(&document, all);
        let fix = found.iter().flat_map(|it| &it.fixes).next().expect("a fix");
        let after = tool(
            "{{a}}",
            "(a :string) -> :keyword",
            "\"(a :string) -> {ok :bool}\"",
        );
        assert_eq!(applied(&before, &fix.edits), after);
    }
}
