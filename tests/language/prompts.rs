//! Prompts: placeholders under a signature.

use signature_ls_analysis::model::Edition;
use signature_ls_source::host::HostKind;

use crate::harness::{codes, in_prompt};

const EDITION: Edition = Edition::V0_11;

#[test]
fn template_placeholders() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("(name :string) -> :any", "{{name}}", &[]),
        ("(name :string) -> :any", "{{ name }}", &[]),
        ("(user {name :string}) -> :any", "{{user.name}}", &[]),
        (
            "(user {address {city :string}}) -> :any",
            "{{user.address.city}}",
            &[],
        ),
        ("(user_name :string) -> :any", "{{user-name}}", &[]),
        ("(user_name :string) -> :any", "{{user_name}}", &[]),
        (
            "(n :int) -> :any",
            "{{n}} {{123}}",
            &["invalid-placeholder"],
        ),
        ("(n :int) -> :any", "{{n}} {{}}", &["empty-placeholder"]),
        (
            "(user {name :string}, topic :string) -> {count :int}",
            "Find emails for {{user.name}} about {{topic}}",
            &[],
        ),
        ("(n :int) -> :any", "{{n}} {{m}}", &["unknown-placeholder"]),
        ("(m :map, a :any) -> :any", "{{m.x.y}} {{a.b}}", &[]),
        (
            "(user {name :string}) -> :any",
            "{{user.nam}}",
            &["unknown-placeholder"],
        ),
    ];
    for (signature, prompt, expected) in cases {
        assert_eq!(in_prompt(signature, prompt, EDITION), *expected, "{prompt}");
    }
}

/// The sigil makes its text a prompt; no other evidence is needed.
#[test]
fn a_sigil_is_a_prompt_wherever_it_is() {
    for (text, expected) in [
        ("x = ~PROMPT\"Hi {{}}\"\n", &["empty-placeholder"][..]),
        ("def f, do: ~PROMPT\"Hi {{1}}\"\n", &["invalid-placeholder"]),
        ("~PROMPT\"Hi {{name}}\"\n", &[]),
        ("~T\"12:00:00\"\n", &[]),
    ] {
        assert_eq!(codes(HostKind::Elixir, EDITION, text), expected, "{text}");
    }
}

/// Samples in a map of Lisp, for inputs and outputs.
#[test]
fn samples_in_lisp_are_validated() {
    let agent = |rest: &str| {
        let text =
            format!("{{:signature \"(q :string) -> {{n :int}}\" :prompt \"{{{{q}}}}\" {rest}}}\n");
        codes(HostKind::Lisp, EDITION, &text)
    };
    assert_eq!(agent(":input {:q 5}"), ["value-type"]);
    assert_eq!(agent(":output {:n \"x\"}"), ["value-type"]);
    assert_eq!(agent(":output :text"), [] as [&str; 0]);
    assert_eq!(agent(":output {:n 1} :input {:q \"a\"}"), [] as [&str; 0]);
    let examples =
        ":examples [{:input {:q \"a\"} :output {:n 1}} {:input {:q 5} :output {:n \"x\"}}]";
    assert_eq!(agent(examples), ["value-type", "value-type"]);
}

#[test]
fn optional_values_and_guards() {
    let signature = "(user {address {city :string}, nick :string?}) -> :any";
    let hint = ["optional-placeholder"];
    let plain = "{{user.address.city}} {{user.nick}}";
    assert_eq!(in_prompt(signature, plain, EDITION), hint);
    let guarded = "{{user.address.city}} {{#user.nick}}{{user.nick}}{{/user.nick}}";
    let found = in_prompt(signature, guarded, EDITION);
    assert!(!found.contains(&"optional-placeholder"), "{found:?}");
}

#[test]
fn types_on_the_path() {
    for (signature, prompt) in [
        ("(items [{name :string}]) -> :any", "{{items.name}}"),
        ("(n :int) -> :any", "{{n.x}}"),
        ("(s :string) -> :any", "{{#s}}x{{/s}}"),
    ] {
        assert_eq!(
            in_prompt(signature, prompt, EDITION),
            ["placeholder-type"],
            "{prompt}"
        );
    }
}

#[test]
fn names_in_sections() {
    for (signature, prompt) in [
        (
            "(items [{name :string}]) -> :any",
            "{{#items}}{{name}}{{/items}}",
        ),
        (
            "(items [{name :string}], title :string) -> :any",
            "{{#items}}{{name}} {{title}}{{/items}}",
        ),
        ("(tags [:string]) -> :any", "{{#tags}}{{.}}{{/tags}}"),
        ("(ok :bool) -> :any", "{{#ok}}yes{{/ok}}{{^ok}}no{{/ok}}"),
    ] {
        assert_eq!(
            in_prompt(signature, prompt, EDITION),
            [] as [&str; 0],
            "{prompt}"
        );
    }
    for prompt in ["{{#ok}}", "{{#ok}}{{/no}}", "{{/ok}}"] {
        assert!(
            !in_prompt("(ok :bool) -> :any", prompt, EDITION).is_empty(),
            "{prompt}"
        );
    }
}

#[test]
fn firewalled_parameters_in_prompts() {
    let found = |edition| in_prompt("(_ids [:int]) -> :any", "{{_ids}}", edition);
    assert!(found(Edition::V0_4).contains(&"firewalled-placeholder"));
    assert!(found(Edition::V0_5).contains(&"firewalled-placeholder"));
    assert!(!found(Edition::V0_11).contains(&"firewalled-placeholder"));
}

#[test]
fn parameters_that_no_placeholder_uses() {
    assert_eq!(
        in_prompt("(a :int, b :int) -> :any", "{{a}}", EDITION),
        ["unused-parameter"]
    );
    let call =
        "SubAgent.new(prompt: \"{{a}}\", signature: \"(a :int, b :int) -> :any\", output: :text)";
    assert_eq!(codes(HostKind::Elixir, EDITION, call), ["unused-parameter"]);
}

#[test]
fn without_a_signature_only_the_syntax_counts() {
    let found = codes(HostKind::Prompt, EDITION, "Hi {{name}} {{a..b}}\n");
    assert_eq!(found, ["invalid-placeholder"]);
    // It may be a prompt that shows braces.
    let found = codes(HostKind::Prompt, EDITION, "Hi {{name}} {{}}\n");
    assert_eq!(found, [] as [&str; 0]);
    let found = codes(HostKind::Elixir, EDITION, "SubAgent.run(\"Hi {{}}\")\n");
    assert_eq!(found, ["empty-placeholder"]);
}
