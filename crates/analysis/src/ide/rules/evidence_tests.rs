//! Tests of what is reported in texts that may belong to another program.

use crate::{
    ide::{Document, Settings, Severity, safe_edits, testing::found_in},
    model::Edition,
};
use signature_ls_source::host::HostKind;

fn found(kind: HostKind, text: &str) -> Vec<String> {
    found_in(kind, text, Edition::V0_11)
}

/// Texts of another language are not reported beside ours, and those that may be ours are not changed at each save.
#[test]
fn one_signature_of_ours_says_little_about_the_others() {
    for (foreign, is_found) in [
        ("(p: str) -> Dict[str, Any]", false),
        ("(x: str) -> None", false),
        ("(user_id uuid)", false),
        ("()", false),
        ("(limit: int) -> int", true),
    ] {
        let entry = |signature: &str| format!(r#"{{"name": "a", "signature": "{signature}"}}"#);
        let text = format!("[{}, {}]", entry(foreign), entry("(t :string) -> {n :int}"));
        let document = Document::new(HostKind::Json, &text, Settings::default());
        let found = document.diagnostics();
        let is_reported = found.iter().any(|it| it.severity > Severity::Hint);
        assert_eq!(is_reported, is_found, "{text}");
        assert!(safe_edits(found).is_empty(), "{text}");
    }
}

#[test]
fn habits_are_reported_where_the_text_is_ours() {
    for signature in [
        "(q: str) -> Dict[str, Any]",
        "(q: string) => Promise<string>",
    ] {
        for (kind, text) in [
            (
                HostKind::Elixir,
                format!(r#"SubAgent.run("{{{{q}}}}", signature: "{signature}")"#),
            ),
            (
                HostKind::Prompt,
                format!("---\nsignature: \"{signature}\"\n---\n{{{{q}}}}\n"),
            ),
            (
                HostKind::Json,
                format!(
                    r#"{{"prompt": "{{{{q}}}}", "signature": "(q :string) -> :int", "tools": {{"a": "{signature}"}}}}"#
                ),
            ),
            (
                HostKind::Json,
                format!(
                    r#"[{{"prompt": "{{{{q}}}}", "signature": "{signature}"}}, {{"signature": "() -> :int"}}]"#
                ),
            ),
            (
                HostKind::Yaml,
                format!(
                    "- prompt: '{{{{q}}}}'\n  signature: '{signature}'\n- signature: '() -> :int'\n"
                ),
            ),
            (
                HostKind::Lisp,
                format!(
                    r#"[{{:prompt "{{{{q}}}}" :signature "{signature}"}} {{:signature "() -> :int"}}]"#
                ),
            ),
        ] {
            assert_ne!(found(kind, &text), [""; 0], "{text}");
        }
    }
}

/// Other libraries have agents, too.
#[test]
fn an_agent_in_an_example_counts_by_its_texts() {
    let block = |code: &str| format!("# A\n\n```elixir\n{code}\n```\n");
    for code in [
        "SubAgent.new(name: :researcher, tools: [:search])",
        "SubAgent.new(name: :researcher, signature: \"HMAC\")",
    ] {
        assert_eq!(found(HostKind::Markdown, &block(code)), [""; 0], "{code}");
        assert_ne!(found(HostKind::Elixir, code), [""; 0], "{code}");
        let alias = format!("alias PtcRunner.SubAgent\n{code}");
        assert_ne!(found(HostKind::Markdown, &block(&alias)), [""; 0], "{code}");
    }
    for (code, expected) in [
        (
            "SubAgent.run(\"Sort {{a}}\", signature: \"(a :strng) -> :int\")",
            "unknown-type: :strng",
        ),
        (
            "SubAgent.run(\"Sort {{topc}}\", signature: \"(topic :string) -> :int\")",
            "unknown-placeholder: topc",
        ),
    ] {
        let found = found(HostKind::Markdown, &block(code));
        assert!(found.iter().any(|it| it == expected), "{found:?}");
    }
}

#[test]
fn options_are_read_in_every_form() {
    for (kind, text) in [
        (
            HostKind::Elixir,
            r#"SubAgent.run("{{topic}}", [{:signature, "(topic :TYPE) -> :int"}])"#,
        ),
        (
            HostKind::Elixir,
            r#"SubAgent.run("{{topic}}", [{:llm, f}, {:signature, "(topic :TYPE) -> :int"} | opts])"#,
        ),
        (
            HostKind::Elixir,
            r#"SubAgent.new([{:prompt, "{{topic}}"}, {:signature, "(topic :TYPE) -> :int"}])"#,
        ),
    ] {
        assert_eq!(
            found(kind, &text.replace("TYPE", "string")),
            [""; 0],
            "{text}"
        );
        let found = found(kind, &text.replace("TYPE", "strng"));
        assert_eq!(found, ["unknown-type: :strng"], "{text}");
        if text.contains("{{") {
            let text = text
                .replace("{{topic}}", "{{topc}}")
                .replace("TYPE", "string");
            let found = self::found(kind, &text);
            assert!(
                found.contains(&"unknown-placeholder: topc".to_owned()),
                "{text}: {found:?}"
            );
        }
    }
    for (kind, text) in [
        (HostKind::Elixir, r#"f([{:signature, "HMAC"}])"#),
        (
            HostKind::Lisp,
            r#"(assoc m :signature "sha256=7f" :prompt "{{#if a}}")"#,
        ),
        (HostKind::Lisp, r#"(assoc m :signature "(a: int) -> int")"#),
    ] {
        assert_eq!(found(kind, text), [""; 0], "{text}");
    }
}

/// An expression of GitHub Actions is no placeholder, also beside a signature.
#[test]
fn expressions_of_workflows_are_no_placeholders() {
    let step = |prompt: &str| {
        format!(
            "steps:\n  - with:\n      prompt: {prompt}\n      signature: \"(topic :string) -> :int\"\n"
        )
    };
    let right = step("Sort ${{ inputs.x }} for {{topic}}");
    assert_eq!(found(HostKind::Yaml, &right), [""; 0]);
    let wrong = step("Sort ${{ inputs.x }} for {{topc}}");
    assert_eq!(found(HostKind::Yaml, &wrong), ["unknown-placeholder: topc"]);
}
