//! Tests of keys in values: misspelled ones, and those that are not finished.

use crate::ide::{Document, Settings, Severity, fixes::quick_fixes, testing::applied};
use signature_ls_source::{host::HostKind, text::TextRange};

/// The messages about errors and warnings.
fn messages(kind: HostKind, text: &str) -> Vec<String> {
    let document = Document::new(kind, text, Settings::default());
    let found = document.diagnostics().into_iter();
    let found = found.filter(|it| it.severity > Severity::Hint);
    found.map(|it| it.message).collect()
}

#[test]
fn a_misspelled_key_is_named_at_every_depth() {
    for (kind, text) in [
        (
            HostKind::Yaml,
            "signature: \"(user {name :string}) -> :int\"\ninput: {user: {KEY: x}}\n",
        ),
        (
            HostKind::Yaml,
            "signature: \"(users [{name :string, age :int}]) -> :int\"\ninput:\n  users:\n    - age: 1\n      KEY: x\n",
        ),
        (
            HostKind::Yaml,
            "signature: \"() -> {name :string}\"\noutput: {KEY: x}\n",
        ),
        (
            HostKind::Json,
            r#"{"signature": "(user {by {name :string}}) -> :int", "input": {"user": {"by": {"KEY": "x"}}}}"#,
        ),
        (
            HostKind::Elixir,
            r#"SubAgent.run("{{user.name}}", signature: "(user {name :string}) -> :int", context: %{user: %{KEY: "x"}})"#,
        ),
        (
            HostKind::Elixir,
            r#"SubAgent.run("{{user.name}}", signature: "(user {name :string}) -> :int", context: %{user: %{"KEY" => "x"}})"#,
        ),
        (
            HostKind::Lisp,
            r#"(defn ^{:signature "() -> {name :string}"} run [] (return {:KEY "x"}))"#,
        ),
        (
            HostKind::Lisp,
            r#"{:tools {"search" "(by {name :string}) -> :any"}} (tool/search {:by {:KEY "x"}})"#,
        ),
    ] {
        let right = text.replace("KEY", "name");
        assert_eq!(messages(kind, &right), [""; 0], "{right}");
        let text = text.replace("KEY", "nmae");
        let document = Document::new(kind, &text, Settings::default());
        let found = quick_fixes(&document, TextRange::up_to(document.text().len()));
        let found: Vec<_> = { found.iter() }
            .filter(|it| it.severity > Severity::Hint)
            .collect();
        let [found] = found.as_slice() else {
            panic!("{found:?} in {text}");
        };
        let asks = "is missing; did you write `nmae` for `name`?";
        assert!(found.message.ends_with(asks), "{}", found.message);
        let fix = found.fixes.first().expect("a fix");
        assert_eq!(applied(&text, &fix.edits), right);
    }
}

#[test]
fn a_key_that_is_declared_or_far_is_not_named() {
    for (fields, map) in [
        ("name :string, names :string?", "names: x"),
        ("name :string", "extra: x"),
        ("first_name :string, name :string?", "name: x"),
    ] {
        let text =
            format!("signature: \"(user {{{fields}}}) -> :int\"\ninput: {{user: {{{map}}}}}\n");
        let found = messages(HostKind::Yaml, &text);
        assert!(
            found.len() == 1 && found[0].contains("is missing; add"),
            "{found:?}"
        );
    }
}

#[test]
fn nothing_is_said_about_a_key_without_a_name() {
    let run = |map: &str| {
        format!(
            "SubAgent.run(\"{{{{q}}}}\", signature: \"(q :string) -> :int\", context: %{{{map}}})\n"
        )
    };
    let lisp = |map: &str| format!("{{:signature \"(q :string) -> :int\" :context {{{map}}}}}\n");
    let call = |map: &str| {
        format!(
            "{{:tools {{\"search\" \"(q :string, n :int) -> :any\"}}}}\n(tool/search {{{map}}})\n"
        )
    };
    let json =
        |map: &str| format!("{{\"signature\": \"(q :string) -> :int\", \"input\": {{{map}}}}}");
    let yaml = |map: &str, mode: &str| {
        format!("signature: \"(q :string) -> :int\"\n{mode}input: {{{map}}}\n")
    };
    let strict = "signature_validation: strict\n";
    for (kind, text) in [
        (HostKind::Elixir, run("\"\"")),
        (HostKind::Elixir, run("\"\": 1")),
        (HostKind::Elixir, run("\"\" => 1")),
        (HostKind::Lisp, lisp(":")),
        (HostKind::Lisp, lisp(": 1")),
        (HostKind::Lisp, lisp("\"\" 1")),
        (HostKind::Lisp, call(":")),
        (HostKind::Lisp, call(": \"x\" :n 3")),
        (HostKind::Lisp, call(": :n 3")),
        (HostKind::Lisp, call("\"\" 3")),
        (HostKind::Json, json("\"\"")),
        (HostKind::Json, json("\"\": 1")),
        (HostKind::Yaml, yaml("\"\"", "")),
        (HostKind::Yaml, yaml("\"\": 1", "")),
        (HostKind::Yaml, yaml("\"\": 1", strict)),
        (HostKind::Yaml, yaml("[q]: 1", "")),
    ] {
        let found = messages(kind, &text);
        assert!(found.len() <= 1, "{text}: {found:?}");
        let names_nothing =
            |it: &String| it.contains("``") || it.contains("\"\": ") || it.contains("field \"\"");
        assert!(!found.iter().any(names_nothing), "{text}: {found:?}");
    }
}

#[test]
fn a_key_in_braces_is_not_judged_before_its_colon() {
    let signature = "signature: \"(text :string, n :int?) -> :int\"\n";
    for (before, after) in [("", ""), ("n: 1, ", ""), ("", ", n: 1"), ("\n  ", "\n")] {
        for written in ["t", "te", "tex", "text", "\"text\"", "x", "te xt", "texts "] {
            for host in ["", "---\n"] {
                let kind = match host {
                    "" => HostKind::Yaml,
                    _ => HostKind::Prompt,
                };
                let end = match host {
                    "" => "",
                    _ => "---\n{{text}}\n",
                };
                let input = format!("input: {{{before}{written}{after}}}\n");
                let text = format!("{host}{signature}{input}{end}");
                assert_eq!(messages(kind, &text), [""; 0], "{text}");
            }
        }
    }
    for (input, expected) in [
        ("{text: }", "text: expected string, got nil."),
        ("{text:}", "text: expected string, got nil."),
        ("{\"text\" : }", "text: expected string, got nil."),
        ("{? text : }", "text: expected string, got nil."),
        ("{n: x, te}", "n: expected int, got string \"x\"."),
    ] {
        let text = format!("{signature}input: {input}\n");
        assert_eq!(messages(HostKind::Yaml, &text), [expected], "{text}");
    }
}

/// A misspelled input or argument is one mistake: the rules about unknown and about missing keys do not both report it.
#[test]
fn a_misspelled_key_of_the_whole_is_one_mistake() {
    let tool = r#"{:tools {"search" "(query :string, limit :int?) -> :any"}} "#;
    for (kind, text) in [
        (HostKind::Yaml, "signature: \"(query :int) -> :int\"\ninput: {query: 1}\n".to_owned()),
        (HostKind::Json, r#"{"signature": "(query :int) -> :int", "input": {"query": 1}}"#.to_owned()),
        (
            HostKind::Elixir,
            r#"SubAgent.run("{{query}}", signature: "(query :int) -> :int", context: %{query: 1})"#.to_owned(),
        ),
        (
            HostKind::Elixir,
            r#"SubAgent.run("{{query}}", signature: "(query :int) -> :int", context: %{query: 1}, signature_validation: :strict)"#
                .to_owned(),
        ),
        (HostKind::Lisp, format!("{tool}(tool/search {{:query \"a\"}})")),
        (HostKind::Lisp, format!("{tool}(tool/search {{:limit 1 :query \"a\"}})")),
        (HostKind::Lisp, format!("{tool}(tool/search {{\"query\" \"a\"}})")),
        (HostKind::Lisp, format!("{tool}(tool/search :query \"a\")")),
    ] {
        assert_eq!(messages(kind, &text), [""; 0], "{text}");
        let (before, after) = text.rsplit_once("query").expect("a key");
        for key in ["qury", "queery", "qeury"] {
            let misspelled = format!("{before}{key}{after}");
            let document = Document::new(kind, &misspelled, Settings::default());
            let found = quick_fixes(&document, TextRange::up_to(document.text().len()));
            let [only] = found.as_slice() else {
                panic!("{found:?} in {misspelled}");
            };
            let question = format!("did you write `{key}` for `query`?");
            assert!(only.message.ends_with(&question), "{}", only.message);
            assert_eq!(applied(&misspelled, &only.fixes[0].edits), text);
        }
    }
}

#[test]
fn missing_entries_go_into_the_map_that_lacks_them() {
    let nested = "signature: \"(author {nme :string}, x :int, n :int) -> :any\"\ninput:\n";
    let list = "signature: \"(tags [:string], x :int) -> :any\"\ninput:\n";
    let front =
        |yaml: &str| format!("---\n{yaml}---\n{{{{x}}}} {{{{#tags}}}}{{{{.}}}}{{{{/tags}}}}\n");
    let run = |signature: &str, map: &str| {
        format!("SubAgent.run(\"Go\", signature: \"{signature}\", context: {map})\n")
    };
    for (kind, text, fixed) in [
        (
            HostKind::Yaml,
            format!("{nested}  x: 1\n  author: {{name: \"Z\"}}\n"),
            format!("{nested}  n: 0\n  x: 1\n  author: {{name: \"Z\", nme: \"\"}}\n"),
        ),
        (
            HostKind::Yaml,
            format!("{list}  tags: [a, b]\n"),
            format!("{list}  x: 0\n  tags: [a, b]\n"),
        ),
        (
            HostKind::Prompt,
            front(&format!("{list}  tags: [a, b]\n")),
            front(&format!("{list}  x: 0\n  tags: [a, b]\n")),
        ),
        (
            HostKind::Elixir,
            run("(x :int, y :int, z :int)  -> :int", "%{\"x\" => 1, y: 2}"),
            run(
                "(x :int, y :int, z :int)  -> :int",
                "%{\"x\" => 1, y: 2, z: 0}",
            ),
        ),
        (
            HostKind::Elixir,
            run("(x {a :int}, z :int)  -> :int", "%{x: %{\"a\" => 1}}"),
            run("(x {a :int}, z :int)  -> :int", "%{x: %{\"a\" => 1}, z: 0}"),
        ),
        (
            HostKind::Elixir,
            run("(x {a :int}, z :int)  -> :int", "%{\"x\" => %{a: 1}}"),
            run(
                "(x {a :int}, z :int)  -> :int",
                "%{\"x\" => %{a: 1}, \"z\" => 0}",
            ),
        ),
        (
            HostKind::Elixir,
            run("(x :int, max-z :int)  -> :int", "%{x: 1}"),
            run("(x :int, max-z :int)  -> :int", "%{x: 1, \"max-z\": 0}"),
        ),
    ] {
        let document = Document::new(kind, &text, Settings::default());
        let found = quick_fixes(&document, TextRange::up_to(document.text().len()));
        let mut fixes = found.iter().flat_map(|it| &it.fixes);
        let fix = fixes.find(|it| it.title.starts_with("Add `"));
        let fix = fix.unwrap_or_else(|| panic!("no fix: {text}"));
        assert_eq!(applied(&text, &fix.edits), fixed);
    }
}
