//! Editions: each row of the table.

use signature_ls_analysis::{
    contract::{Direction, Mode},
    model::{
        Edition, mix, parse_signature,
        render::{lisp, prompt_entry},
    },
};
use signature_ls_source::host::HostKind;

use crate::harness::{codes, fixed, held, hovered, in_prompt, in_signature};

/// The result of a row in each edition, in the order of [`Edition::ALL`].
#[track_caller]
fn row<T: PartialEq + std::fmt::Debug>(of: impl Fn(Edition) -> T, expected: [T; 4]) {
    for (edition, expected) in Edition::ALL.into_iter().zip(expected) {
        assert_eq!(of(edition), expected, "edition {edition}");
    }
}

#[test]
fn names_with_an_underscore_are_firewalled() {
    let text = "(_token :string) -> {summary :string, _raw [:map]}";
    let listed = |edition| {
        let signature = parse_signature(text, edition).0;
        prompt_entry("search", &signature.expect("a signature"), None, edition)
    };
    let hidden = || "search() -> {summary :string}".to_owned();
    let shown = || format!("search{text}");
    row(listed, [hidden(), hidden(), shown(), shown()]);

    let in_use = |edition| in_prompt("(_token :string) -> :any", "{{_token}}", edition);
    let refused = || vec!["firewalled-placeholder"];
    row(in_use, [refused(), refused(), vec![], vec![]]);

    let told = |edition| {
        let file = format!("---\nsignature: \"{text}\"\n---\n");
        let markdown = hovered(HostKind::Prompt, edition, &file, "_raw").expect("a hover");
        markdown.contains("hidden from prompts")
    };
    row(told, [true, true, false, false]);
}

#[test]
fn context_in_programs() {
    let of = |text| move |edition| codes(HostKind::Lisp, edition, text);
    let wrong = || vec!["namespace"];
    row(of("(count ctx/x)\n"), [vec![], wrong(), wrong(), wrong()]);
    row(of("(count data/x)\n"), [wrong(), vec![], vec![], vec![]]);
    let fixed_text = |edition| fixed(HostKind::Lisp, edition, "(count ctx/x)\n", "namespace");
    for edition in [Edition::V0_5, Edition::V0_11, Edition::Next] {
        assert_eq!(fixed_text(edition), ["(count data/x)\n"]);
    }
}

#[test]
fn calls_of_tools_in_programs() {
    let of = |text| move |edition| codes(HostKind::Lisp, edition, text);
    let wrong = || vec!["namespace"];
    row(
        of("(ctx/search {:a 1})\n"),
        [vec![], wrong(), wrong(), wrong()],
    );
    row(
        of("(call \"search\" {:a 1})\n"),
        [vec![], wrong(), wrong(), wrong()],
    );
    row(
        of("(tool/search {:a 1})\n"),
        [wrong(), vec![], vec![], vec![]],
    );
    for text in ["(ctx/search {:a 1})\n", "(call \"search\" {:a 1})\n"] {
        let fixed_text = fixed(HostKind::Lisp, Edition::V0_11, text, "namespace");
        assert_eq!(fixed_text, ["(tool/search {:a 1})\n"]);
    }
}

#[test]
fn hyphens_in_keys_become_underscores() {
    let program = "{:tools {\"search\" \"(page_size :int) -> :any\"}}\n";
    let of = |edition: Edition| {
        let namespace = edition.tool_namespace();
        let text = format!("{program}({namespace}/search {{:page-size 1}})\n");
        codes(HostKind::Lisp, edition, &text)
    };
    let other = vec!["missing-argument"];
    row(of, [other, vec![], vec![], vec![]]);

    let placeholder = |edition| in_prompt("(user_name :string) -> :any", "{{user-name}}", edition);
    let unknown = vec!["unknown-placeholder"];
    row(placeholder, [unknown, vec![], vec![], vec![]]);
}

#[test]
fn sections_in_prompts() {
    let signature = "(ok :bool, items [:string]) -> :any";
    for prompt in [
        "{{#ok}}{{items}}{{/ok}}",
        "{{^ok}}{{items}}{{/ok}}",
        "{{#items}}{{.}}{{/items}}",
        "{{ok}} {{items}} {{! note }}",
    ] {
        let is_unsupported =
            |edition| in_prompt(signature, prompt, edition).contains(&"unsupported-section");
        row(is_unsupported, [true, false, false, false]);
    }
}

#[test]
fn datetime_and_boolean() {
    for text in ["(at :datetime) -> :any", "(ok :boolean) -> :any"] {
        let of = |edition| in_signature(text, edition);
        let unknown = || vec!["unknown-type"];
        row(of, [unknown(), unknown(), vec![], vec![]]);
    }
}

#[test]
fn two_names_that_are_one() {
    for text in ["(a :int, a :int) -> :any", "(a_b :int, a-b :int) -> :any"] {
        let refused = |edition| {
            let (signature, _) = parse_signature(text, edition);
            signature.is_none()
        };
        row(refused, [false, false, false, true]);
    }
}

#[test]
fn a_quoted_number_for_an_int() {
    let of = |edition| held("\"10\"", ":int", Direction::Input, Mode::Enabled, edition);
    let coerced = || {
        let warning = "coerced string \"10\" to int".to_owned();
        (vec![], vec![warning])
    };
    let (errors, warnings) = of(Edition::Next);
    assert_eq!((errors.len(), warnings.len()), (1, 0));
    for edition in [Edition::V0_4, Edition::V0_5, Edition::V0_11] {
        assert_eq!(of(edition), coerced(), "{edition}");
    }
}

#[test]
fn names_in_the_listing_for_programs() {
    let of = |edition| {
        let signature = parse_signature("(page_size :int) -> :any", edition).0;
        lisp(&signature.expect("a signature"), edition).contains("page-size")
    };
    row(of, [false, true, true, true]);
}

#[test]
fn the_release_of_the_reference_tells_the_edition() {
    let cases = [
        ("0.4.0", Edition::V0_4),
        ("0.4.1", Edition::V0_4),
        ("0.5.0", Edition::V0_5_0),
        ("0.5.1", Edition::V0_5_0),
        ("0.5.2", Edition::V0_5),
        ("0.10.0", Edition::V0_5),
        ("0.10.9", Edition::V0_5),
        ("0.11.0", Edition::V0_11),
        ("0.13.4", Edition::V0_11),
        ("0.14.0", Edition::Next),
        ("1.0.0", Edition::Next),
    ];
    for (release, edition) in cases {
        let lock = format!(
            "%{{\n  \"ptc_runner\": {{:hex, :ptc_runner, \"{release}\", \"aa\", [:mix], [], \"hexpm\", \"bb\"}},\n}}\n"
        );
        assert_eq!(mix::edition_of_lock(&lock), Some(edition), "{release}");
        let project = format!("[{{:ptc_runner, \"== {release}\"}}]");
        assert_eq!(
            mix::edition_of_project(&project),
            Some(edition),
            "{release}"
        );
    }
    assert_eq!(mix::edition_of_lock("%{}"), None);
    assert_eq!(Edition::default(), Edition::V0_11);
}
