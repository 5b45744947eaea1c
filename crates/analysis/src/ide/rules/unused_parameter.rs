//! Parameters that the prompt does not use: one diagnostic for all of them.

mod tag;

pub(super) use tag::Tag;

use std::sync::Arc;

use foldhash::HashSet;

use crate::{
    contract::{Direction, ValueKind},
    ide::{
        Diagnostic, Fix, Related, Rule, Sample, Severity,
        rules::{Check, answer, missing::listed},
        unit::{PromptView, SignatureView, UnitView},
    },
    model::{
        Field,
        placeholders::{Meaning, Use},
    },
};
use signature_ls_source::{
    syntax::{kind::SyntaxKind, template::ast::paths},
    text::{TextEdit, TextRange, TextSize},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

pub(super) static RULE: Rule = Rule {
    code: "unused-parameter",
    severity: Severity::Hint,
    summary: "Unused parameter",
    explanation: "A parameter without a placeholder does not reach the model through the prompt; programs still \
                  see it. With `output: :text` and in an LLM tool there is no program, and the reference raises; also at a \
                  parameter that is hidden because of its `_`.",
    wrong: Sample::prompt("(topic :string, limit :int) -> :int", "About {{topic}}"),
    right: Sample::prompt(
        "(topic :string, limit :int) -> :int",
        "About {{topic}}, at most {{limit}}",
    ),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let mut prompts = unit.prompts().peekable();
    let is_unsure = |prompt: PromptView| prompt.has_holes || prompt.has_errors;
    if prompts.peek().is_none() || prompts.any(is_unsure) || !unit.knows_all_params() {
        return;
    }
    let Some(signature) = unit.signatures().next() else {
        return;
    };
    let is_misspelt =
        |(_, it): &(_, Arc<Use>)| matches!(it.meaning, Meaning::Unknown { segment: 0, .. });
    if unit.placeholders().iter().any(is_misspelt) {
        // A misspelled name is reported in the prompt; its parameter is not unused.
        return;
    }
    let mut text_mode = unit.text_mode().filter(|_| !answer::is_compared(unit));
    let params = &signature.lowered.signature.params;
    let mut is_used = vec![false; params.len()];
    for index in unit.used_params() {
        if let Some(used) = is_used.get_mut(index) {
            *used = true;
        }
    }
    if !is_used.contains(&false) {
        return;
    }
    let normal = |param: &Field| unit.edition.normal_name(&param.name);
    // Of two parameters with one name, both count as used.
    let used = params.iter().zip(&is_used).filter(|(_, is_used)| **is_used);
    let used: HashSet<String> = used.map(|(it, _)| normal(it)).collect();
    let is_hidden = |it: &Field| unit.edition.has_firewall() && it.name.starts_with('_');
    let unused = params.iter().enumerate();
    let unused = unused.filter(|(_, it)| !used.contains(&normal(it)));
    let (mut hidden, mut unused): (Vec<_>, Vec<_>) = unused.partition(|(_, it)| is_hidden(it));
    if text_mode.is_none() {
        hidden.clear();
    }
    if unused.is_empty() && hidden.is_empty() {
        return;
    }
    // The whole prompt is searched.
    let mentioned = mentioned(unit);
    unused.retain(|(_, it)| !mentioned.contains(&normal(it)));
    if let Some(mode) = text_mode {
        let named = named(unit);
        let is_named = |it: &Field| named.contains(&normal(it));
        hidden.retain(|(_, it)| !is_named(it));
        found.extend(about_hidden(unit, &signature, &hidden, mode));
        text_mode = text_mode.filter(|_| unused.iter().any(|(_, it)| !is_named(it)));
        unused.retain(|(_, it)| text_mode.is_none() || !is_named(it));
    }
    found.extend(about_shown(unit, &signature, &unused, text_mode));
}

/// The diagnostic about `unused` parameters, which `text_mode` requires.
fn about_shown(
    unit: &UnitView<'_>,
    signature: &SignatureView<'_>,
    unused: &[(usize, &Field)],
    text_mode: Option<&str>,
) -> Option<Diagnostic> {
    let tags: Vec<_> = unused.iter().map(|(_, it)| Tag::of(unit, it)).collect();
    let mut diagnostic = at_names(signature, unused, message(unused, &tags, text_mode))?;
    if text_mode.is_some() {
        diagnostic.severity = Severity::Error;
    }
    let prompt_end = unit.prompts().next().and_then(|it| end_of(&it));
    let written: Option<Vec<_>> = tags.iter().map(|it| it.written.as_deref()).collect();
    diagnostic
        .fixes
        .extend(prompt_end.zip(written).map(|(end, written)| {
            let edits = vec![TextEdit::insert(end, format!(" {}", written.join(" ")))];
            let title = format!("Write {} at the end of the prompt", listed_tags(&tags));
            Fix::offered(title, edits)
        }));
    diagnostic.fixes.extend(removal(unit, signature, unused));
    Some(diagnostic)
}

/// The diagnostic about `unused` parameters that are hidden from models although `text_mode` requires them.
fn about_hidden(
    unit: &UnitView<'_>,
    signature: &SignatureView<'_>,
    unused: &[(usize, &Field)],
    text_mode: &str,
) -> Option<Diagnostic> {
    let (names, is, them) = match unused {
        [_] => (names_of(unused), "is", "it"),
        _ => (names_of(unused), "are", "them"),
    };
    let message = format!(
        "{names} {is} hidden from models, but {text_mode} requires a placeholder for each parameter; remove {them}."
    );
    let mut diagnostic = at_names(signature, unused, message)?;
    diagnostic.severity = Severity::Error;
    diagnostic.fixes.extend(removal(unit, signature, unused));
    Some(diagnostic)
}

/// A diagnostic with `message` at the first of the `unused` parameters.
fn at_names(
    signature: &SignatureView<'_>,
    unused: &[(usize, &Field)],
    message: String,
) -> Option<Diagnostic> {
    let ((_, first), others) = unused.split_first()?;
    let mut diagnostic = Diagnostic::new(&RULE, first.name_range + signature.start, message);
    diagnostic
        .related
        .extend(others.iter().map(|(_, it)| Related {
            range: it.name_range + signature.start,
            message: format!("`{}` is not used either.", it.name),
        }));
    Some(diagnostic)
}

/// The fix that removes the `unused` parameters. The values of samples would be left over; the refactoring removes them,
/// too.
fn removal(
    unit: &UnitView<'_>,
    signature: &SignatureView<'_>,
    unused: &[(usize, &Field)],
) -> Option<Fix> {
    if are_sampled(unit, unused) {
        return None;
    }
    let close = end_of_params(signature);
    let ranges = items(&signature.lowered.signature.params, unused, close).into_iter();
    let edits = ranges.map(|it| TextEdit::delete(it + signature.start));
    let title = format!("Remove {} from the signature", names_of(unused));
    Some(Fix::offered(title, edits.collect()))
}

/// Whether a sample has a value for one of the parameters.
fn are_sampled(unit: &UnitView<'_>, params: &[(usize, &Field)]) -> bool {
    let normal = |name: &str| unit.edition.normal_name(name);
    let names: HashSet<String> = params.iter().map(|(_, it)| normal(&it.name)).collect();
    let inputs = unit.samples().filter(|it| it.direction == Direction::Input);
    let maps = inputs.filter_map(|it| match &it.value.kind {
        ValueKind::Map(entries) => Some(entries),
        _ => None,
    });
    let mut keys = maps.flatten().filter_map(|it| it.key.name.as_deref());
    keys.any(|it| names.contains(&normal(it)))
}

/// The message about `unused` parameters, which `text_mode` requires and `tags` would show.
pub(super) fn message(unused: &[(usize, &Field)], tags: &[Tag], text_mode: Option<&str>) -> String {
    let (names, tags) = (names_of(unused), listed_tags(tags));
    let them = if unused.len() == 1 { "it" } else { "them" };
    match text_mode {
        Some(mode) => format!(
            "No placeholder uses {names}, which {mode} requires; write {tags} in the prompt."
        ),
        None => format!(
            "No placeholder uses {names}; write {tags} in the prompt if the model is to see {them}."
        ),
    }
}

fn names_of(unused: &[(usize, &Field)]) -> String {
    let names = unused.iter().map(|(_, it)| format!("`{}`", it.name));
    listed(&names.collect::<Vec<_>>())
}

fn listed_tags(tags: &[Tag]) -> String {
    let tags = tags.iter().map(|it| format!("`{}`", it.shown));
    listed(&tags.collect::<Vec<_>>())
}

/// The parameters that a prompt tells the program to read itself, as in "look at `data/chunk`".
fn mentioned(unit: &UnitView<'_>) -> HashSet<String> {
    let mentioned = unit
        .prompts()
        .flat_map(|it| unit.mentioned_in(it.root.text_range() + it.start));
    mentioned
        .map(|(_, name)| unit.edition.normal_name(&name))
        .collect()
}

/// The names in tags. When the output is text, the reference takes each for a use of the parameter with that name, also in
/// a section whose elements have it.
pub(super) fn named(unit: &UnitView<'_>) -> HashSet<String> {
    let paths = unit.prompts().flat_map(|it| paths(&it.root));
    let names = paths.filter_map(|it| it.segments().next());
    names
        .map(|it| unit.edition.normal_name(it.text()))
        .collect()
}

/// Where the text of a prompt ends, without white space.
fn end_of(prompt: &PromptView) -> Option<TextSize> {
    let last = std::iter::successors(prompt.root.last_token(), |token| token.prev_token());
    let mut ends = last.filter_map(|token| {
        let written = token.text().trim_end();
        let end = token.text_range().start() + TextSize::of(written);
        (!written.is_empty()).then_some(end + prompt.start)
    });
    ends.next()
}

/// Where the list of parameters ends, before its parenthesis, if that is closed.
fn end_of_params(signature: &SignatureView<'_>) -> Option<TextSize> {
    let mut children = signature.root().children();
    let list = children.find(|it| it.kind() == SyntaxKind::ParamList)?;
    let close = list.last_token().filter(|it| it.text() == ")")?;
    Some(close.text_range().start())
}

/// The ranges of parameters with their commas, in bytes of the signature, whose last one goes on to `close`. Neighbors
/// share one.
fn items(params: &[Field], unused: &[(usize, &Field)], close: Option<TextSize>) -> Vec<TextRange> {
    let runs = unused.chunk_by(|(a, _), (b, _)| a + 1 == *b);
    let of_run = |run: &[(usize, &Field)]| {
        let ((first, own), (last, _)) = (run.first()?, run.last()?);
        let is_last = last + 1 == params.len();
        let end = params.get(*last)?.end();
        let end = close.filter(|_| is_last).unwrap_or(end);
        let (next, before) = (params.get(last + 1), first.checked_sub(1));
        Some(match (next, before.and_then(|it| params.get(it))) {
            (Some(next), _) => TextRange::new(own.name_range.start(), next.name_range.start()),
            (None, Some(before)) => TextRange::new(before.end(), end),
            (None, None) => TextRange::new(own.name_range.start(), end),
        })
    };
    runs.filter_map(of_run).collect()
}

#[cfg(test)]
mod tests {
    use crate::{
        ide::{Document, Settings, quick_fixes, testing::applied},
        model::Edition,
    };
    use signature_ls_source::{
        host::HostKind,
        text::{TextRange, TextSize},
    };

    #[test]
    fn a_parameter_without_a_type_is_removed() {
        let text = "SubAgent.new(prompt: \"{{a}}\", signature: \"(a :int, *n) -> :int\")\n";
        let document = Document::new(HostKind::Elixir, text, Settings::default());
        let found = document.diagnostics();
        let codes: Vec<_> = found.iter().map(|it| it.rule.code).collect();
        assert_eq!(codes, ["invalid-name", "unused-parameter"]);
    }

    /// In text mode, the reference takes every name in a tag for a use of the parameter, and raises if there is none.
    #[test]
    fn text_mode_requires_the_name_of_each_parameter() {
        let signature = "(items [{name :string}], name :string) -> :string";
        for (prompt, in_text, otherwise) in [
            ("{{#items}}{{name}}{{/items}} {{name}}", None, None),
            ("{{#items}}{{name}}{{/items}}", Some("name"), Some("name")),
            ("{{#items}}x{{/items}}", Some("name!"), Some("name")),
            ("{{^items}}{{name}}{{/items}}", None, None),
        ] {
            for (call, options, is_text) in [
                ("SubAgent.new", ", output: :text", true),
                ("LLMTool.new", "", true),
                ("SubAgent.new", "", false),
            ] {
                let text =
                    format!("{call}(prompt: \"{prompt}\", signature: \"{signature}\"{options})\n");
                let document = Document::new(HostKind::Elixir, &text, Settings::default());
                let found = document.diagnostics();
                let mut unused = found.iter().filter(|it| it.rule.code == "unused-parameter");
                let found = unused.next().map(|it| {
                    let is_error = it.severity == crate::ide::Severity::Error;
                    format!("{}{}", &text[it.range], if is_error { "!" } else { "" })
                });
                let expected = if is_text { in_text } else { otherwise };
                assert_eq!(found.as_deref(), expected, "{text}");
            }
        }
    }

    /// In text mode, the reference requires hidden parameters too.
    #[test]
    fn text_mode_requires_hidden_parameters() {
        let hidden = |name: &str| {
            format!(
                "`{name}` is hidden from models, but `output: :text` requires a placeholder for each parameter; remove it."
            )
        };
        for (signature, prompt, options, edition, expected) in [
            ("(_x :int)", "Hi", ", output: :text", Edition::V0_5, vec![hidden("_x")]),
            (
                "(_x :int, a :int)",
                "Hi",
                ", output: :text",
                Edition::V0_5,
                vec![
                    hidden("_x"),
                    "No placeholder uses `a`, which `output: :text` requires; write `{{a}}` in the prompt.".to_owned(),
                ],
            ),
            ("(_x :int, a :int)", "{{a}}{{_x}}", ", output: :text", Edition::V0_5, vec![]),
            ("(_x :int)", "Hi", "", Edition::V0_5, vec![]),
            ("(_x :int)", "Hi", ", output: :text", Edition::V0_4, vec![]),
            (
                "(_x :int)",
                "Hi",
                ", output: :text",
                Edition::V0_11,
                vec![
                    "No placeholder uses `_x`, which `output: :text` requires; write `{{_x}}` in the prompt.".to_owned(),
                ],
            ),
        ] {
            let text = format!(
                "SubAgent.new(prompt: \"{prompt}\", signature: \"{signature} -> :int\"{options})\n"
            );
            let settings = Settings {
                edition,
                ..Settings::default()
            };
            let document = Document::new(HostKind::Elixir, &text, settings);
            let found = document.diagnostics();
            let found = found.iter().filter(|it| it.rule.code == "unused-parameter");
            let messages: Vec<_> = found.map(|it| it.message.clone()).collect();
            assert_eq!(messages, expected, "{text}");
        }
    }

    /// In edition 0.4, no option makes the model answer in text.
    #[test]
    fn edition_0_4_requires_no_parameters() {
        let text = "SubAgent.new(prompt: \"Hi\", signature: \"(x :int) -> :int\", output: :text)\n";
        let settings = Settings {
            edition: Edition::V0_4,
            ..Settings::default()
        };
        let document = Document::new(HostKind::Elixir, text, settings);
        let severities: Vec<_> = document
            .diagnostics()
            .iter()
            .map(|it| it.severity)
            .collect();
        assert_eq!(severities, [crate::ide::Severity::Hint]);
    }

    /// No release with string keys calls such a tool. In edition 0.4 none runs.
    #[test]
    fn an_llm_tool_requires_its_parameters_in_every_edition_that_runs_it() {
        for (answer, code) in [
            ("", "unused-parameter"),
            (", json_signature: \"{n :int}\"", "unknown-placeholder"),
        ] {
            let prompt = if answer.is_empty() { "Go" } else { "{{q}}" };
            let text = format!(
                "LLMTool.new(prompt: \"{prompt}\", signature: \"(q :string) -> :any\"{answer})\n"
            );
            for edition in [Edition::V0_4, Edition::V0_5, Edition::V0_11, Edition::Next] {
                let settings = Settings {
                    edition,
                    ..Settings::default()
                };
                let document = Document::new(HostKind::Elixir, &text, settings);
                let found = document.diagnostics();
                let mut errors = found
                    .iter()
                    .filter(|it| it.severity == crate::ide::Severity::Error);
                let expected = (edition != Edition::V0_4).then_some(code);
                assert_eq!(
                    errors.next().map(|it| it.rule.code),
                    expected,
                    "{edition} {text}"
                );
            }
        }
    }

    /// Whatever the type and the prompt, what the first fix writes is not reported again.
    #[test]
    fn the_first_fix_shows_the_parameter_for_good() {
        for ty in [
            ":int",
            "[:int]",
            "[{id :int}]",
            "[{ids [:int], id :int}]",
            "[[:int]]",
            "{id :int}",
            "{ids [:int]}",
            ":map",
            "[:map]",
            ":any",
            ":string?",
            ":any?",
            ":map?",
            ":bool?",
        ] {
            for (prompt, options) in [
                ("Go {{a}}", ""),
                ("Go {{a}}", ", output: :text"),
                ("Go {{#b}}{{.}}{{/b}} {{a}}", ""),
                ("Go {{#b}}{{.}}{{/b}} {{a}}", ", output: :text"),
            ] {
                let list = if prompt.contains('#') {
                    ", b [:int]"
                } else {
                    ""
                };
                let text = format!(
                    "SubAgent.new(prompt: \"{prompt}\", signature: \"(a :int{list}, x {ty}) -> :string\"{options})\n"
                );
                let document = Document::new(HostKind::Elixir, &text, Settings::default());
                let all = TextRange::up_to(document.text().len());
                let found = quick_fixes(&document, all);
                let [found] = found.as_slice() else {
                    panic!("{found:?} in {text}");
                };
                let is_write = |title: &str| title.starts_with("Write");
                let Some(fix) = found.fixes.iter().find(|it| is_write(&it.title)) else {
                    assert!(found.message.contains('…'), "{}", found.message);
                    continue;
                };
                let fixed = applied(&text, &fix.edits);
                let after = Document::new(HostKind::Elixir, &fixed, Settings::default());
                assert_eq!(after.diagnostics(), [], "{fixed}");
            }
        }
    }

    /// A default after the type is not left over.
    #[test]
    fn all_of_a_parameter_is_removed() {
        for (params, rest, prompt) in [
            ("x: int = 5", "", "Hi"),
            ("a :int, x: int = 5", "a :int", "{{a}}"),
            ("x: int = 5, a :int", "a :int", "{{a}}"),
        ] {
            let text = |params: &str| {
                format!("SubAgent.new(prompt: \"{prompt}\", signature: \"({params}) -> :int\")\n")
            };
            let before = text(params);
            let document = Document::new(HostKind::Elixir, &before, Settings::default());
            let found = quick_fixes(&document, TextRange::up_to(document.text().len()));
            let mut fixes = found.iter().flat_map(|it| &it.fixes);
            let fix = fixes.find(|it| it.title == "Remove `x` from the signature");
            assert_eq!(applied(&before, &fix.expect(params).edits), text(rest));
        }
    }

    #[test]
    fn the_values_of_samples_are_not_left_over() {
        for (sample, is_offered) in [("", true), (", \"input\": {\"b\": 1}", false)] {
            let text = format!(
                "{{\"signature\": \"(a :int, b :int) -> :int\", \"prompt\": \"{{{{a}}}}\"{sample}}}"
            );
            let document = Document::new(HostKind::Json, &text, Settings::default());
            let all = TextRange::up_to(TextSize::of(text.as_str()));
            let found = quick_fixes(&document, all);
            let mut fixes = found.iter().flat_map(|it| &it.fixes);
            let is_removed = fixes.any(|it| it.title == "Remove `b` from the signature");
            assert_eq!(is_removed, is_offered, "{text}");
        }
    }

    #[test]
    fn the_values_of_a_call_elsewhere_are_not_left_over() {
        for (given, is_offered) in [("", true), (", style: \"x\"", false)] {
            let text = format!(
                "agent = SubAgent.new(prompt: \"Sum {{{{numbers}}}}\", signature: \"(numbers [:int], style :string?) -> {{sum :int}}\")\nSubAgent.run(agent, context: %{{numbers: [1]{given}}}, llm: llm)\n"
            );
            let document = Document::new(HostKind::Elixir, &text, Settings::default());
            let all = TextRange::up_to(TextSize::of(text.as_str()));
            let found = quick_fixes(&document, all);
            let mut fixes = found.iter().flat_map(|it| &it.fixes);
            let is_removed = fixes.any(|it| it.title == "Remove `style` from the signature");
            assert_eq!(is_removed, is_offered, "{text}");
        }
    }
}
