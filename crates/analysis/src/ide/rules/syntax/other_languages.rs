//! Texts in the place of a signature or a prompt that belong to other programs, which use the same keys and braces.

use super::templates::{INVALID_PLACEHOLDER, UNCLOSED_TAG};
use crate::ide::{Diagnostic, unit::UnitView};
use signature_ls_source::{
    host::evidence::has_index,
    syntax::{
        error::{ErrorKind, error_nodes},
        kind::{SyntaxKind, SyntaxNode},
    },
};

/// Removes the errors of the fragment at `start`, whose tree is `root`, that are valid in its own language.
///
/// Beside a signature, every tag counts, and so in a call of the library except for `${{ … }}`. Elsewhere, a prompt
/// may belong to another engine, and braces may be part of code in it.
pub(super) fn forgive(faults: &mut Vec<Diagnostic>, unit: &UnitView<'_>, root: &SyntaxNode) {
    if faults.is_empty() || unit.signature().is_some() {
        return;
    }
    faults.retain(|fault| !is_shell_expression(root, fault));
    if unit.is_certain() {
        return;
    }
    if has_expressions(root) {
        faults.clear();
    }
    faults.retain(|fault| !says_nothing(root, fault));
}

/// Whether the tag may not be a tag: it is empty, a number or a path with one, alone or shown as code.
fn says_nothing(root: &SyntaxNode, fault: &Diagnostic) -> bool {
    let tag = tag_around(root, fault).map(|it| it.text().to_string());
    let tag = tag.unwrap_or_default();
    let content = tag.trim_start_matches('{');
    let content = match fault.rule.code == UNCLOSED_TAG.rule.code {
        true => content,
        false => content.trim_start(),
    };
    let of_section = content.strip_prefix(['#', '^', '/']);
    let name = of_section.map_or(content, str::trim_start);
    let is_named =
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !has_index(name);
    let is_shown = token_before(root, fault).is_some_and(|before| before.ends_with('`'));
    !is_named || is_shown
}

/// Whether a template has tags that do not mean a name: helpers, partials, filters and the like of Handlebars, Jinja
/// or Go.
fn has_expressions(root: &SyntaxNode) -> bool {
    let mut faults = error_nodes(root).into_iter();
    faults.any(|(kind, node)| {
        let text = node.text().to_string();
        match kind {
            ErrorKind::InvalidPlaceholder => !is_slip(&text),
            ErrorKind::StraySectionClose => {
                HELPERS.contains(&text.trim_matches(['{', '}', '/', ' ']))
            }
            _ => false,
        }
    })
}

/// The blocks of Handlebars.
const HELPERS: [&str; 4] = ["if", "each", "unless", "with"];

/// Whether the text between braces consists of the characters of paths, valid or not.
fn is_slip(text: &str) -> bool {
    let begins_a_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let goes_on = |c: char| begins_a_name(c) || c.is_whitespace() || matches!(c, '-' | '.');
    let has_two_words = |part: &str| part.split_whitespace().count() > 1;
    text.starts_with(begins_a_name)
        && text.chars().all(goes_on)
        && !text.split('.').any(has_two_words)
}

/// Whether the error is in `${{ … }}`: without a signature beside it, that is an expression of another template
/// language, such as that of workflow files.
fn is_shell_expression(root: &SyntaxNode, fault: &Diagnostic) -> bool {
    fault.rule.code == INVALID_PLACEHOLDER.rule.code
        && token_before(root, fault).is_some_and(|before| before.ends_with('$'))
}

/// The tag with the error.
fn tag_around(root: &SyntaxNode, fault: &Diagnostic) -> Option<SyntaxNode> {
    root.covering_element(fault.range).ancestors().find(|it| {
        it.first_token()
            .is_some_and(|token| token.kind() == SyntaxKind::TagOpen)
    })
}

/// The text before the tag with the error.
fn token_before(root: &SyntaxNode, fault: &Diagnostic) -> Option<String> {
    let before = tag_around(root, fault)?.first_token()?.prev_token()?;
    Some(before.text().to_owned())
}

#[cfg(test)]
mod tests {
    use crate::ide::{Document, Settings};
    use signature_ls_source::host::HostKind;

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
        check(HostKind::Yaml, "prompt: '{{name}} {{#if}}'", &[]);
    }

    #[test]
    fn a_signature_of_another_kind_is_left_alone() {
        for text in [
            "%{type: :thinking, signature: \"ErUBCkYIAhgC/IkCjvr+Y94GV==\"}",
            "f(options: [signature: \"Ed25519 verified\", id: 1])",
        ] {
            check(HostKind::Elixir, text, &[]);
        }
        for call in ["Signature.verify(key, ", "Lisp.Env.put("] {
            let text = format!("{call}signature: \"ed25519 checked\")\n");
            check(HostKind::Elixir, &text, &[]);
        }
        let text = "PtcRunner.Signature.verify(signature: \"ed25519 checked\")\n";
        let document = Document::new(HostKind::Elixir, text, Settings::default());
        assert!(!document.diagnostics().is_empty());
        check(HostKind::Lisp, "{:signature \"MEUCIQ+/=\"}", &[]);
        check(HostKind::Lisp, "{:signature \"not yet signed\"}", &[]);
        check(HostKind::Lisp, "{:signature \"string\"}", &[]);
        check(HostKind::Lisp, "{:signature \"\"}", &[]);
    }

    #[test]
    fn slips_are_reported_without_a_signature_too() {
        let bad = "invalid-placeholder";
        for (body, expected) in [
            ("{{b}} {{123}}", &[][..]),
            ("{{b}} {{}}", &[]),
            ("{{b}} {{/}} {{#}}", &[]),
            ("Write {{b}} or `{{`", &[]),
            ("{{b}} and {{ 1", &[]),
            ("{{a..b}}", &[bad]),
            ("{{b}} Hi {{name", &["unclosed-tag"]),
            ("{{#a}}", &["unclosed-section"]),
            ("{{#a}}{{/b}}", &["mismatched-section-close"]),
        ] {
            check(HostKind::Prompt, body, expected);
            check(HostKind::Yaml, &format!("prompt: |\n  {body}\n"), expected);
        }
        check(HostKind::Prompt, "{{user .name}}", &[bad]);
        check(HostKind::Yaml, "prompt: '{{user .name}}'", &[]);
        check(
            HostKind::Elixir,
            "SubAgent.run(\"{{}} {{123}}\")",
            &["empty-placeholder", bad],
        );
    }

    #[test]
    fn beside_a_signature_every_language_is_ours() {
        let text = "---\nsignature: '(name :string) -> :string'\n---\n{{ name | upper }}\n";
        check(HostKind::Prompt, text, &["invalid-placeholder"]);
        let text = "SubAgent.run(\"{{ name | upper }}\", tools: %{})";
        check(HostKind::Elixir, text, &["invalid-placeholder"]);
    }
}
