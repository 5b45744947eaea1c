use super::*;
use crate::{
    host::HostKind,
    ide::{Document, Sample, Settings, safe_edits, standalone},
    model::Edition,
};

fn found(sample: Sample, edition: Edition) -> (String, Vec<Diagnostic>) {
    match sample {
        Sample::Signature(text) => (
            text.to_owned(),
            standalone::check_signature(text, edition).1,
        ),
        Sample::Prompt { signature, prompt } => (
            format!("{signature}\n{prompt}\n"),
            standalone::check_prompt(signature, prompt, edition),
        ),
        Sample::Elixir(text) => (
            text.to_owned(),
            in_document(HostKind::Elixir, text, edition),
        ),
        Sample::Lisp(text) => (text.to_owned(), in_document(HostKind::Lisp, text, edition)),
        Sample::Catalog(text) => (
            text.to_owned(),
            in_document(HostKind::Catalog, text, edition),
        ),
        Sample::PromptFile(text) => (
            text.to_owned(),
            in_document(HostKind::Prompt, text, edition),
        ),
        Sample::NestedLists(depth) => {
            let text = format!("{}:int{}", "[".repeat(depth), "]".repeat(depth));
            let found = standalone::check_signature(&text, edition).1;
            (text, found)
        }
    }
}

fn in_document(kind: HostKind, text: &str, edition: Edition) -> Vec<Diagnostic> {
    let settings = Settings {
        edition,
        ..Settings::default()
    };
    Document::new(kind, text, settings).diagnostics()
}

/// The newest edition in which the rule has something to say.
fn edition_of(rule: &Rule) -> Edition {
    match rule.code {
        "firewalled-placeholder" => Edition::V0_5,
        "unsupported-section" => Edition::V0_4,
        _ => Edition::V0_11,
    }
}

/// The wrong example of a rule is reported by that rule alone, once, and the right one by none.
#[test]
fn examples_are_what_they_say() {
    for rule in all() {
        let edition = edition_of(rule);
        let (_, wrong) = found(rule.wrong, edition);
        let codes: Vec<_> = wrong.iter().map(|it| it.rule.code).collect();
        assert_eq!(codes, [rule.code], "{:?}", rule.wrong);
        let (_, right) = found(rule.right, edition);
        assert_eq!(right, [], "{:?}", rule.right);
    }
}

/// A safe fix turns the wrong example into the right one.
#[test]
fn safe_fixes_mend_the_examples() {
    let mut mended = 0;
    for rule in all() {
        let (mut text, wrong) = found(rule.wrong, edition_of(rule));
        if !wrong[0].fixes.first().is_some_and(|fix| fix.safe) {
            continue;
        }
        for edit in safe_edits(wrong).iter().rev() {
            edit.apply(&mut text);
        }
        assert_eq!(text, found(rule.right, edition_of(rule)).0, "{}", rule.code);
        mended += 1;
    }
    assert!(mended > 30, "only {mended}");
}

/// Both tags of a section have its name: the fix renames both, or is not safe.
#[test]
fn a_section_is_renamed_as_a_whole() {
    let signature = "(items [{tags [:int]}]) -> :int";
    for (prompt, expected) in [
        ("{{#itms}}x{{/itms}}", "{{#items}}x{{/items}}"),
        ("{{^itms}}x{{/ itms }}", "{{^items}}x{{/ items }}"),
        (
            "{{#items}}{{#tgs}}{{.}}{{/tgs}}{{/items}}",
            "{{#items}}{{#tags}}{{.}}{{/tags}}{{/items}}",
        ),
        ("{{#itms}}x", "{{#itms}}x"),
    ] {
        let found = standalone::check_prompt(signature, prompt, Edition::V0_11);
        assert!(
            found.iter().any(|it| it.rule.code == "unknown-placeholder"),
            "{found:?}"
        );
        let mut text = format!("{signature}\n{prompt}\n");
        for edit in safe_edits(found).iter().rev() {
            edit.apply(&mut text);
        }
        assert_eq!(text, format!("{signature}\n{expected}\n"));
    }
}

#[test]
fn codes_are_unique_and_kinds_complete() {
    let mut codes: Vec<_> = all().map(|rule| rule.code).collect();
    codes.sort_unstable();
    let count = codes.len();
    codes.dedup();
    assert_eq!(codes.len(), count);
    for kind in crate::syntax::error::ErrorKind::ALL {
        let rules = syntax::RULES.iter().filter(|it| it.kind == *kind).count();
        assert_eq!(rules, 1, "{kind:?}");
    }
}

/// Messages are one sentence for a person: no debug output, an end, and not too long.
#[test]
fn messages_read_well() {
    for rule in all() {
        for it in found(rule.wrong, edition_of(rule)).1 {
            assert!(it.message.ends_with(['.', '?']), "{}", it.message);
            assert!(it.message.len() < 140, "{}", it.message);
        }
    }
}

/// The published page is made from the rules.
#[test]
fn the_page_is_current() {
    expect_test::expect_file!["../../../docs/rules.md"].assert_eq(&page::page());
}

/// A query in PTC-Lisp gives its prompt values in the keys beside it.
#[test]
fn arguments_of_a_query_are_inputs_of_its_prompt() {
    let query = |tag: &str| {
        format!(
            "(tool/llm-query {{:prompt \"Rate {tag}\" :signature \"{{urgent :bool}}\" :item-text x}})"
        )
    };
    let codes = |tag: &str| {
        let found = in_document(HostKind::Lisp, &query(tag), Edition::V0_11);
        found.iter().map(|it| it.rule.code).collect::<Vec<_>>()
    };
    assert_eq!(codes("{{item_text}}"), [""; 0]);
    assert_eq!(codes("{{#item-text}}{{name}}{{/item-text}}"), [""; 0]);
    assert_eq!(codes("{{text}}"), ["unknown-placeholder"]);
}
