use std::{fs, path::Path};

use super::*;
use crate::{
    ide::{Document, Sample, Settings, safe_edits, standalone, testing::found_in},
    model::Edition,
};
use signature_ls_source::{host::HostKind, syntax::error::ErrorKind};

fn found(sample: Sample) -> (String, Vec<Diagnostic>) {
    let edition = Edition::default();
    match sample {
        Sample::Signature(text) => (
            text.to_owned(),
            standalone::check_signature(text, edition).1,
        ),
        Sample::Prompt { signature, prompt } => (
            format!("{signature}\n{prompt}\n"),
            standalone::check_prompt(signature, prompt, edition),
        ),
        Sample::Elixir(text) => (text.to_owned(), in_document(HostKind::Elixir, text)),
        Sample::Lisp(text) => (text.to_owned(), in_document(HostKind::Lisp, text)),
        Sample::Catalog(text) => (text.to_owned(), in_document(HostKind::Catalog, text)),
        Sample::PromptFile(text) => (text.to_owned(), in_document(HostKind::Prompt, text)),
        Sample::NestedLists(depth) => {
            let text = format!("{}:int{}", "[".repeat(depth), "]".repeat(depth));
            let found = standalone::check_signature(&text, edition).1;
            (text, found)
        }
        Sample::ManyParameters(count) => {
            let text = format!("({}) -> :int", "a :int, ".repeat(count));
            let found = standalone::check_signature(&text, edition).1;
            (text, found)
        }
    }
}

fn in_document(kind: HostKind, text: &str) -> Vec<Diagnostic> {
    Document::new(kind, text, Settings::default()).diagnostics()
}

/// Exactly the rule reports its wrong example, once, and no rule reports the right one.
#[test]
fn examples_are_what_they_say() {
    for rule in all() {
        let (_, wrong) = found(rule.wrong);
        let codes: Vec<_> = wrong.iter().map(|it| it.rule.code).collect();
        assert_eq!(codes, [rule.code], "{:?}", rule.wrong);
        let (_, right) = found(rule.right);
        assert_eq!(right, [], "{:?}", rule.right);
    }
}

/// The same holds for a document with what a page shows, and nothing else.
#[test]
fn the_examples_on_a_page_are_what_they_say() {
    for rule in all() {
        let page = page::explain(rule);
        let mut parts = page.split("\n```");
        let mut codes = Vec::new();
        while let (Some(_), Some(block)) = (parts.next(), parts.next()) {
            let (language, text) = block.split_once('\n').expect("a line");
            let kind = match language {
                "elixir" => HostKind::Elixir,
                "clojure" => HostKind::Lisp,
                "signature-catalog" => HostKind::Catalog,
                "markdown" => HostKind::Prompt,
                other => panic!("{other}: {page}"),
            };
            let found = in_document(kind, &format!("{text}\n"));
            codes.push(found.iter().map(|it| it.rule.code).collect::<Vec<_>>());
        }
        match codes.as_slice() {
            [wrong, right] => {
                assert_eq!(*wrong, [rule.code], "{page}");
                assert_eq!(*right, [] as [&str; 0], "{page}");
            }
            // What is too large to be shown is described.
            _ => assert!(
                page.contains(" deep\n") || page.contains(" parameters\n"),
                "{page}"
            ),
        }
    }
}

/// A safe fix turns the wrong example into the right one.
#[test]
fn safe_fixes_fix_the_examples() {
    let mut fixed = 0;
    for rule in all() {
        let (mut text, wrong) = found(rule.wrong);
        if !wrong[0].fixes.first().is_some_and(|fix| fix.safe) {
            continue;
        }
        for edit in safe_edits(wrong).iter().rev() {
            edit.apply(&mut text);
        }
        assert_eq!(text, found(rule.right).0, "{}", rule.code);
        fixed += 1;
    }
    assert!(fixed > 30, "only {fixed}");
}

/// Both tags of a section have its name: the fix renames both, or it is not safe.
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
    for kind in ErrorKind::ALL {
        let rules = syntax::RULES.iter().filter(|it| it.kind == *kind).count();
        assert_eq!(rules, 1, "{kind:?}");
    }
}

/// Messages are one sentence for a person: no debug output, an end, and not too long.
#[test]
fn messages_read_well() {
    for rule in all() {
        for it in found(rule.wrong).1 {
            assert!(it.message.ends_with(['.', '?']), "{}", it.message);
            assert!(it.message.len() < 140, "{}", it.message);
        }
    }
}

/// The pages of the manual are generated from the rules.
#[test]
fn the_pages_are_current() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    expect_test::expect_file![docs.join("rules.md")].assert_eq(&page::index());
    let contents = fs::read_to_string(docs.join("SUMMARY.md")).expect("the contents");
    for rule in all() {
        let page = format!("rules/{}.md", rule.code);
        let line = format!("- [{}]({page})\n", rule.code);
        assert!(contents.contains(&line), "docs/SUMMARY.md lacks {line}");
        expect_test::expect_file![docs.join(page)].assert_eq(&page::explain(rule));
    }
    for page in fs::read_dir(docs.join("rules")).expect("the pages") {
        let page = page.expect("a page").path();
        let code = page.file_stem().and_then(|it| it.to_str());
        assert!(
            code.and_then(by_code).is_some(),
            "no rule has the page {page:?}"
        );
    }
}

/// A query in PTC-Lisp passes values to its prompt in the keys beside it.
#[test]
fn arguments_of_a_query_are_inputs_of_its_prompt() {
    let query = |tag: &str| {
        format!(
            "(tool/llm-query {{:prompt \"Rate {tag}\" :signature \"{{urgent :bool}}\" :item-text x}})"
        )
    };
    let codes = |tag: &str| {
        let found = in_document(HostKind::Lisp, &query(tag));
        found.iter().map(|it| it.rule.code).collect::<Vec<_>>()
    };
    assert_eq!(codes("{{item_text}}"), [""; 0]);
    assert_eq!(codes("{{#item-text}}{{name}}{{/item-text}}"), [""; 0]);
    assert_eq!(codes("{{text}}"), ["unknown-placeholder"]);
}

/// The codes of the diagnostics, sorted by place.
fn codes_in(kind: HostKind, text: &str) -> Vec<&'static str> {
    let found = in_document(kind, text);
    found.iter().map(|it| it.rule.code).collect()
}

/// A signature with an interpolation is incomplete.
#[test]
fn a_signature_in_parts_lacks_nothing() {
    let texts = [
        r##"f(signature: "(a :int, #{rest}) -> :any", prompt: "{{zz}} {{a}}")"##,
        r##"f(signature: "(a :int, #{rest}) -> :any", prompt: "{{zz}} {{a.b.c}}")"##,
        r##"f(signature: "#{s}", prompt: "{{b}}")"##,
        r##"SubAgent.run("{{a}}", signature: "(a :int, #{rest}) -> :any", context: %{a: 1, limit: 2})"##,
        r##"SubAgent.run("{{a}}", signature: "(a :int, #{rest}) -> :any", context: %{a: 1, limit: 2}, signature_validation: :strict)"##,
        r##"Lisp.run("(count data/rows)", signature: "(a :int, #{rest}) -> :any", context: %{})"##,
        r##"Lisp.run("(tool/f {:b 1})", tools: %{"f" => {&f/1, "(a :int, #{rest}) -> :any"}})"##,
    ];
    for text in texts {
        let absent = [
            "unknown-placeholder",
            "unknown-input",
            "unknown-data",
            "unknown-argument",
        ];
        let found = codes_in(HostKind::Elixir, text);
        assert!(
            !found.iter().any(|it| absent.contains(it)),
            "{found:?} {text}"
        );
    }
}

/// An error in the parameters is reported alone, without consequences.
#[test]
fn nothing_follows_from_a_faulty_signature() {
    let calls = [
        r##"SubAgent.run("{{b}}", signature: "abc")"##,
        r##"SubAgent.run("{{b}}", signature: "(a :int b) -> :int")"##,
        r##"SubAgent.run("{{limit}}", signature: "(user {name :string, limit :int) -> :int")"##,
        r##"SubAgent.run("{{a}}{{a_b}}", signature: "(a-b :int, a_b :int, a :int, a :int) -> :int")"##,
        // These hide no name.
        r##"SubAgent.run("{{b}}", signature: "(a :strng) -> :int")"##,
        r##"SubAgent.run("{{b}}", signature: "(a {x :int}?) -> :int")"##,
        r##"SubAgent.run("{{b}}", signature: "(a :int) -> ")"##,
    ];
    let found = calls
        .iter()
        .map(|it| format!("{}\n", codes_in(HostKind::Elixir, it).join(" ")));
    expect_test::expect![[r#"
        bare-type-word
        unexpected-text
        unclosed-bracket
        hyphen-in-name duplicate-name duplicate-name
        unknown-placeholder unknown-type
        unknown-placeholder optional-compound
        unknown-placeholder missing-output
    "#]]
    .assert_eq(&found.collect::<String>());
}

/// Guides abbreviate signatures.
#[test]
fn elisions_are_signatures_in_code_only() {
    let calls = [
        r#"SubAgent.run("{{x}}", signature: "...")"#,
        r#"SubAgent.run("{{x}}", signature: "(x :int) -> ...")"#,
        r#"SubAgent.run("{{y}}", signature: "(x :int, …) -> {…}")"#,
        r#"SubAgent.new(tools: %{"f" => {&f/1, "(x :int, ...) -> :any"}})"#,
    ];
    for call in calls {
        assert_ne!(codes_in(HostKind::Elixir, call), [""; 0], "{call}");
        for text in [
            format!("```elixir\n{call}\n```\n"),
            format!("> ```elixir\n> {call}\n> ```\n"),
        ] {
            assert_eq!(codes_in(HostKind::Markdown, &text), [""; 0], "{text}");
        }
        let doc = format!("@doc \"\"\"\n```elixir\n{call}\n```\n\"\"\"\n").replace("\n", "\n  ");
        assert_eq!(codes_in(HostKind::Elixir, &doc), [""; 0], "{doc}");
    }
    let text = "```signature\n(x :int) -> ...\n```\n";
    assert_eq!(codes_in(HostKind::Markdown, text), [""; 0]);
}

/// The contents of a comment form do not run.
#[test]
fn comment_forms_are_not_code() {
    let tools = "{:tools {\"f\" \"() -> :any\"}}\n";
    let found = |code: &str| codes_in(HostKind::Lisp, &format!("{tools}{code}"));
    assert_eq!(found("(comment (tool/nothere {:a 1}))"), [""; 0]);
    assert_eq!(
        found("(do (comment {:signature \"(a :strng) -> :int\"}) (tool/nothere {}))"),
        ["unknown-tool"]
    );
}

/// Escaped braces form tags.
#[test]
fn escaped_braces_make_tags() {
    let prompt = r"Hi \u007b\u007busr\u007d\u007d {{user}}";
    for (kind, text) in [
        (
            HostKind::Json,
            format!(r#"{{"signature": "(user :string) -> :int", "prompt": "{prompt}"}}"#),
        ),
        (
            HostKind::Yaml,
            format!("signature: (user :string) -> :int\nprompt: \"{prompt}\"\n"),
        ),
        (
            HostKind::Elixir,
            format!(r#"SubAgent.run("{prompt}", signature: "(user :string) -> :int")"#),
        ),
    ] {
        assert_eq!(codes_in(kind, &text), ["unknown-placeholder"], "{text}");
        let escaped = text.replace('\\', r"\\");
        assert_eq!(codes_in(kind, &escaped), [""; 0], "{escaped}");
    }
    let text = format!("signature: (user :string) -> :int\nprompt: '{prompt}'\n");
    assert_eq!(codes_in(HostKind::Yaml, &text), [""; 0]);
}

/// A guide shows entries of a call line by line, without the call and without commas.
#[test]
fn entries_in_examples_belong_together() {
    let found = |code: &str| {
        let text = format!("```elixir\n{code}\n```\n");
        found_in(HostKind::Markdown, &text, Edition::V0_11)
    };
    for code in [
        "prompt: \"Find {{usr}}\"\nsignature: \"(user :string) -> :int\"",
        "signature: \"(user :string) -> :int\"\nprompt: \"Find {{usr}} {{user}}\"",
        "prompt: \"Find {{usr}}\",\nsignature: \"(user :string) -> :int\"",
        "tools: %{}\nprompt: \"Find {{usr}}\"\nsignature: \"(user :string) -> :int\"",
        "prompt: \"Find {{usr}}\"  # the prompt\nsignature: \"(user :string) -> :int\"",
        "llm = f()\nprompt: \"Find {{usr}}\"\nsignature: \"(user :string) -> :int\"",
        "prompt: \"Find {{user}}\"\nsignature: \"(user :string) -> :int\"\nprompt: \"Find {{usr}}\"\nsignature: \"(user :string) -> :int\"",
    ] {
        assert_eq!(found(code), ["unknown-placeholder: usr"], "{code}");
    }
    let nothing: [&str; 0] = [];
    for code in [
        "prompt: \"Find {{usr}}\"\n\nsignature: \"(user :string) -> :int\"",
        "prompt: \"Find {{usr}}\"\n# other\nsignature: \"(user :string) -> :int\"",
        "signature: \"(user :string) -> :int\"\nsignature: \"(usr :string) -> :int\"",
    ] {
        assert_eq!(found(code), nothing, "{code}");
    }
}

/// A missing comma in a call hides none of its entries.
#[test]
fn entries_without_a_comma_are_read() {
    for code in [
        "SubAgent.new(\n  prompt: \"Find {{usr}}\"\n  signature: \"(user :string) -> :int\"\n)",
        "SubAgent.run(\"Find {{usr}}\", llm: llm, tools: %{}\n  signature: \"(user :string) -> :int\")",
    ] {
        let found = found_in(HostKind::Elixir, code, Edition::V0_11);
        assert_eq!(found, ["unknown-placeholder: usr"], "{code}");
    }
}

fn found_in_program(code: &str) -> Vec<String> {
    let text = format!("# Guide\n\n```clojure\n{code}\n```\n");
    found_in(HostKind::Markdown, &text, Edition::V0_11)
}

#[test]
fn calls_below_a_signature_are_checked_against_it() {
    for (code, expected) in [
        (
            ";; Signature: (query :string) -> :any\n(tool/find {:qury \"a\"})",
            "missing-argument: :qury",
        ),
        (
            "; Signature: (n :int) -> :any\n\n;; good\n(tool/find {:n \"a\"})",
            "value-type: \"a\"",
        ),
        (
            ";; Signature: () -> :any\n(tool/one)\n;; Signature: (n :int) -> :any\n(tool/two {:n \"a\"})",
            "value-type: \"a\"",
        ),
        (";; Signature: (n :strng) -> :any", "unknown-type: :strng"),
    ] {
        let found = found_in_program(code);
        let is_known = code.contains("(tool/");
        assert_eq!(
            found.iter().any(|it| it == expected),
            is_known,
            "{code}: {found:?}"
        );
    }
}

#[test]
fn other_comments_and_calls_are_not_checked() {
    let nothing: [&str; 0] = [];
    for code in [
        ";; Signature: (query :string) -> :any\n(tool/find {:query \"a\"})\n(tool/find :query \"a\")",
        ";; Signature: (query :string) -> :any\n(tool/find {:query \"a\"})\n(tool/other {:qury \"a\"})",
        ";; Signature: (x: int) -> str\n(tool/find {:qury \"a\"})",
        ";; The signature (query :string) -> :any\n(tool/find {:qury \"a\"})",
        "(tool/find {:qury \"a\"})\n;; Signature: (query :string) -> :any",
    ] {
        assert_eq!(found_in_program(code), nothing, "{code}");
    }
}

#[test]
fn a_line_of_yaml_may_go_on_after_a_backslash() {
    for text in [
        "- signature: \"(a :int) \\\n     -> :int\"\n  prompt: \"{{a}}\"\n",
        "signature: \"(a :int,\\\n    b :int) -> :int\"\nprompt: \"{{a}} {{b}}\"\n",
    ] {
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let found = found_in(HostKind::Yaml, &text, Edition::V0_11);
            assert_eq!(found, [""; 0], "{text}");
        }
    }
}

#[test]
fn text_that_could_be_left_out_is_what_the_rules_about_unused_names_report() {
    let codes: Vec<_> = all()
        .filter(|it| it.is_unnecessary())
        .map(|it| it.code)
        .collect();
    assert_eq!(codes, ["unused-parameter", "unused-suppression"]);
}

/// Signatures with mistakes: every example, and every vector of the reference.
fn faulty_signatures() -> Vec<String> {
    let examples = all().filter_map(|rule| match rule.wrong {
        Sample::Signature(text) => Some(text.to_owned()),
        _ => None,
    });
    let vectors = include_str!("../../../../../tests/vectors/signatures.jsonl").lines();
    let vectors = vectors.map(|line| {
        let vector: serde_json::Value = serde_json::from_str(line).unwrap();
        vector["text"].as_str().unwrap().to_owned()
    });
    examples.chain(vectors).collect()
}

/// A message that says what to remove comes with a fix that removes it and writes nothing.
#[test]
fn a_message_that_says_remove_has_a_fix_that_removes() {
    let mut seen = 0;
    for text in faulty_signatures() {
        for found in standalone::check_signature(&text, Edition::V0_11).1 {
            let Some(fix) = found
                .fixes
                .first()
                .filter(|_| found.message.contains("emove"))
            else {
                continue;
            };
            seen += 1;
            let writes = fix.edits.iter().any(|edit| !edit.insert.trim().is_empty());
            assert!(!writes, "{text}: {} But: {}", found.message, fix.title);
        }
    }
    assert!(seen > 100, "only {seen}");
}

/// A type that no edition has is a mistake among other signatures, and a schema of another language is not.
#[test]
fn an_unknown_type_does_not_hide_a_signature() {
    for word in ["void", "ok", "unknown", "never"] {
        let text = format!(
            "a: {{signature: \"(a :int) -> :int\"}}\nb: {{signature: \"(a :number) -> :{word}\", prompt: \"{{{{aa}}}}\"}}\n"
        );
        let found = found_in(HostKind::Yaml, &text, Edition::V0_11);
        assert!(
            found.contains(&format!("unknown-type: :{word}")),
            "{found:?}"
        );
        assert!(
            found.contains(&"unknown-placeholder: aa".to_owned()),
            "{found:?}"
        );
    }
    let schema = "{:a {:signature \"(a :int) -> :int\"} :b {:signature \"[:map [:a :int]]\"}}\n";
    assert_eq!(
        found_in(HostKind::Lisp, schema, Edition::V0_11),
        Vec::<String>::new()
    );
}

/// The context of a program counts wherever it is written.
#[test]
fn a_context_with_a_name_is_known_to_the_program() {
    for (bound, context, is_known) in [
        ("", "%{orders: [1]}", true),
        ("ctx = %{orders: [1]}\n", "ctx", true),
        ("ctx = load()\n", "ctx", false),
        (
            "ctx = %{orders: [1]}\nctx = Map.put(ctx, :order, 1)\n",
            "ctx",
            false,
        ),
    ] {
        let text = format!("{bound}Lisp.run(\"(count data/order)\", context: {context})\n");
        let found = found_in(HostKind::Elixir, &text, Edition::V0_11);
        let expected = is_known.then(|| "unknown-data: data/order".to_owned());
        assert_eq!(found, Vec::from_iter(expected), "{text}");
    }
}
