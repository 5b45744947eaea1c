//! What every refactoring leaves as it was, at each place of texts of all hosts.

use super::refactorings;
use crate::ide::{
    Document, Settings, Severity,
    testing::{applied, document},
};
use signature_ls_source::{host::HostKind, text::size};

/// Agents with samples, tools and programs, whole and broken, in which nothing is reported but hints.
const TEXTS: &[(HostKind, &str)] = &[
    (
        HostKind::Elixir,
        "SubAgent.run(\n  \"{{user.name}} {{topic}} {{more.id}}\",\n  signature: \"(user {name :string, email :string?}, topic :string) -> {count :int}\",\n  context: %{\"user\" => %{\"name\" => \"Zoë\"}, \"topic\" => \"x\"}\n)\n",
    ),
    (
        HostKind::Elixir,
        "SubAgent.run(\n  \"Go. {{more.id}}\",\n  signature: \"\"\"\n  (\n    a :int\n  ) -> :int\n  \"\"\",\n  context: %{\n    a: 1,\n  }\n)\n",
    ),
    // The call of `new` is not closed.
    (
        HostKind::Elixir,
        "finder =\n  SubAgent.new(\n    prompt: \"{{user.name}} {{topic}}\",\n    signature: \"(user {name :string, email :string?}, topic :string) -> {count :int}\",\n    tools: %{\"echo\" => {fn %x\"text\" => text} -> text end, \"(text :string) -> :string\"}}\n  )\n\nSubAgent.run(finder, context: %{user: %{name: \"Zoë\"}, topic: \"x\"})\n",
    ),
    (
        HostKind::Lisp,
        "(defn ^{:signature \"(a {b :int}, c :int) -> :int\"} f [a c] 1)\n(defn ^{:signature \"(d {e :int}) -> :int\"} g [d] 1)\n",
    ),
    (
        HostKind::Lisp,
        "{:signature \"(a {b :int}, c :int) -> :int\" :prompt \"{{a.b}} {{c}} {{more.id}}\" :input {:a {:b 1} :c 2}}\n",
    ),
    (
        HostKind::Json,
        "{\n\t\"signature\": \"(a {b :int}, c [:int]) -> :int\",\n\t\"prompt\": \"{{a.b}} {{#c}}{{.}}{{/c}} {{more.id}}\",\n\t\"input\": {\n\t\t\"a\": {\"b\": 1},\n\t\t\"c\": []\n\t}\n}\n",
    ),
    (
        HostKind::Yaml,
        "signature: |\n  (\n    a {b :int},\n    c :int\n  ) -> :int\nprompt: '{{a.b}} {{more.id}}'\ninput:\n  a: {b: 1}\n  c: 2\n",
    ),
    (
        HostKind::Prompt,
        "---\nsignature: '(a {b :int}, c :int) -> :int'\ninput: {a: {b: 1}, c: 2}\ntools:\n  get: '(id :int) -> :int'\n---\n{{a.b}} {{more.id}}\n\nget(id :int) -> :int\n",
    ),
    (HostKind::Catalog, "get(id :int, page :int?) -> {a :int}\n"),
];

fn warnings(document: &Document) -> usize {
    let reported = document.reported();
    let serious = reported.iter().filter(|it| it.severity() > Severity::Hint);
    serious
        .filter(|it| it.code() != "unknown-placeholder")
        .count()
}

/// The text after each refactoring, with its title.
fn results(kind: HostKind, text: &str) -> Vec<(String, String)> {
    let before = Document::new(kind, text, Settings::default());
    let mut results = Vec::new();
    for (at, _) in text.char_indices() {
        for it in refactorings(&before, size(at)) {
            let result = (it.title, applied(text, &it.edits));
            if !results.contains(&result) {
                results.push(result);
            }
        }
    }
    results
}

#[test]
fn nothing_is_reported_after_a_refactoring() {
    for (kind, text) in TEXTS {
        assert_eq!(warnings(&document(*kind, text)), 0, "{text}");
        let results = results(*kind, text);
        assert!(!results.is_empty(), "{text}");
        for (title, after) in results {
            assert_eq!(warnings(&document(*kind, &after)), 0, "{title}\n{after}");
        }
    }
}

#[test]
fn a_refactoring_leaves_no_space_at_the_end_of_a_line() {
    for (kind, text) in TEXTS {
        for (title, after) in results(*kind, text) {
            let mut lines = after.lines();
            let is_clean = lines.all(|it| it.trim_end() == it && !it.ends_with("{,"));
            assert!(is_clean, "{title}\n{after}");
        }
    }
}

/// Those whose title names the opposite give the text back.
#[test]
fn a_refactoring_is_undone_by_its_opposite() {
    let opposites = [
        (" optional", " required"),
        ("Write the shorthand without", "Write the full form with"),
    ];
    for (kind, text) in TEXTS {
        for (title, after) in results(*kind, text) {
            let opposite = opposites.iter().find_map(|(one, other)| {
                let opposite = title.replace(one, other);
                (opposite != title).then_some(opposite)
            });
            let back = results(*kind, &after);
            let is_back =
                |(it, back): &(String, String)| Some(it) == opposite.as_ref() && back == text;
            assert!(
                opposite.is_none() || back.iter().any(is_back),
                "{title}\n{after}"
            );
        }
    }
}
