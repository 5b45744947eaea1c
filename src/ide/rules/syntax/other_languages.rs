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
    if unit.holds_only(start) && is_other_text(root, unit.edition) {
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

/// Whether the text of a signature has nothing that types are made of, and no word that is a slip of one.
/// Programs use the key for other things too: checksums, states, what a service has signed.
fn is_other_text(root: &SyntaxNode, edition: Edition) -> bool {
    let text = root.text().to_string();
    let is_type_word = |word: &str| {
        !types::types_for(word.trim_end_matches(['?', ',']), edition)
            .0
            .is_empty()
    };
    let has_marks =
        text.contains([':', '(', '[', '{', '<', '→']) || text.contains("->") || text.contains("=>");
    !text.is_empty() && !has_marks && !text.split_whitespace().any(is_type_word)
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
    fn a_signature_of_another_kind_is_left_alone() {
        for text in [
            "%{type: :thinking, signature: \"ErUBCkYIAhgC/IkCjvr+Y94GV==\"}",
            "f(options: [signature: \"Ed25519 verified\", id: 1])",
        ] {
            check(HostKind::Elixir, text, &[]);
        }
        check(HostKind::Lisp, "{:signature \"MEUCIQ+/=\"}", &[]);
        check(HostKind::Lisp, "{:signature \"not yet signed\"}", &[]);
        check(
            HostKind::Lisp,
            "{:signature \"string\"}",
            &["bare-type-word"],
        );
        check(HostKind::Lisp, "{:signature \"\"}", &["empty-signature"]);
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
