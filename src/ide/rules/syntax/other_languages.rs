//! Text in the place of a signature or a prompt that was never meant as one: programs use the same keys and
//! the same braces for languages of their own.

use super::{templates::INVALID_PLACEHOLDER, types};
use crate::{
    ide::{Diagnostic, unit::UnitView},
    model::Edition,
    syntax::{
        error::{ErrorKind, error_nodes},
        kind::{SyntaxKind, SyntaxNode},
    },
    text::TextSize,
};

/// Takes out the faults of the fragment at `start`, whose tree is `root`, that are none in its own language.
pub(super) fn forgive(
    faults: &mut Vec<Diagnostic>,
    unit: &UnitView<'_>,
    start: TextSize,
    root: &SyntaxNode,
) {
    if faults.is_empty() {
        return;
    }
    if unit.holds_only(start) && is_other_word(root, unit.edition) {
        faults.clear();
    }
    if unit.signature().is_some() {
        return;
    }
    if !unit.is_ours() && has_expressions(root) {
        faults.clear();
    }
    faults.retain(|fault| !is_shell_expression(root, fault));
}

/// Whether a template has tags that nobody means as a name: helpers, partials, filters and the like of
/// Handlebars, Jinja or Go.
fn has_expressions(root: &SyntaxNode) -> bool {
    let mut faults = error_nodes(root).into_iter();
    faults.any(|(kind, node)| {
        kind == ErrorKind::InvalidPlaceholder && !is_slip(&node.text().to_string())
    })
}

/// Whether what stands between braces is made of what paths are made of, if not rightly.
fn is_slip(text: &str) -> bool {
    let begins_a_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let goes_on = |c: char| begins_a_name(c) || c.is_ascii_whitespace() || matches!(c, '-' | '.');
    let has_two_words = |part: &str| part.split_ascii_whitespace().count() > 1;
    text.starts_with(begins_a_name)
        && text.chars().all(goes_on)
        && !text.split('.').any(has_two_words)
}

/// Whether a quoted signature is one word that is neither a type nor a slip of one. Programs use the key
/// for other things too: checksums, states, credentials.
fn is_other_word(root: &SyntaxNode, edition: Edition) -> bool {
    let only = root
        .first_child_or_token()
        .filter(|it| it.next_sibling_or_token().is_none());
    let is_word = only.is_some_and(|it| it.kind() == SyntaxKind::Error(ErrorKind::BareTypeWord));
    is_word
        && types::types_for(&root.text().to_string(), edition)
            .0
            .is_empty()
}

/// Whether a fault is that `${{ … }}` holds no name: without a signature beside it, that is an expression of
/// another template language, such as that of workflow files.
fn is_shell_expression(root: &SyntaxNode, fault: &Diagnostic) -> bool {
    if fault.rule.code != INVALID_PLACEHOLDER.rule.code {
        return false;
    }
    let tag = root.covering_element(fault.range).ancestors().find(|it| {
        it.first_token()
            .is_some_and(|token| token.kind() == SyntaxKind::TagOpen)
    });
    let before = tag
        .and_then(|tag| tag.first_token())
        .and_then(|token| token.prev_token());
    before.is_some_and(|token| token.text().ends_with('$'))
}

#[cfg(test)]
mod tests {
    use crate::{
        host::HostKind,
        ide::{Document, Settings},
    };

    #[track_caller]
    fn check(kind: HostKind, text: &str, expected: &[&str]) {
        let found = Document::new(kind, text, Settings::default()).diagnostics();
        let codes: Vec<_> = found.iter().map(|it| it.rule.code).collect();
        assert_eq!(codes, expected, "in {text}");
    }

    #[test]
    fn a_prompt_of_another_language_is_left_alone() {
        for body in [
            "{{role \"system\"}}\nHi {{123}}",
            "{{#if name}}Hi {{name}}{{else}}Hi{{/if}}",
            "{{#each items as |item|}}- {{item.id}}{{/each}}",
            "{{#each items}}{{@index}}: {{this}}{{/each}}",
            "{{> header title=\"x\"}}{{/if}}",
            "{{{raw}}}",
            "{{../name}}",
            "{{~name~}}",
            "{{!-- {{role}} --}} {{>footer}}",
            "{{ name | upper }}",
            "{{ items[0].name }}",
            "{{- .Values.name -}}",
            "{{ greet(name) }}",
            "{{用户}}",
        ] {
            check(HostKind::Prompt, body, &[]);
            let file =
                format!("---\nmodel: small\ninput:\n  schema:\n    name: string\n---\n{body}\n");
            check(HostKind::Prompt, &file, &[]);
        }
        check(HostKind::Yaml, "prompt: '{{ name | upper }} {{123}}'", &[]);
        check(HostKind::Json, "{\"prompt\": \"{{#if a}}b{{/if}}\"}", &[]);
        check(HostKind::Lisp, "{:prompt \"{{name|upper}}\"}", &[]);
    }

    #[test]
    fn slips_are_told_without_a_signature_too() {
        let bad = "invalid-placeholder";
        for (body, expected) in [
            ("{{123}}", &[bad][..]),
            ("{{user .name}}", &[bad]),
            ("{{a..b}}", &[bad]),
            ("{{}}", &["empty-placeholder"]),
            ("Hi {{name", &["unclosed-tag"]),
            ("{{#a}}", &["unclosed-section"]),
            ("{{#a}}{{/b}}", &["mismatched-section-close"]),
        ] {
            check(HostKind::Prompt, body, expected);
            check(HostKind::Yaml, &format!("prompt: |\n  {body}\n"), expected);
        }
    }

    #[test]
    fn beside_a_signature_every_language_is_ours() {
        let text = "---\nsignature: '(name :string) -> :string'\n---\n{{ name | upper }}\n";
        check(HostKind::Prompt, text, &["invalid-placeholder"]);
        let text = "SubAgent.run(\"{{ name | upper }}\", tools: %{})";
        check(HostKind::Elixir, text, &["invalid-placeholder"]);
    }
}
