//! `signature-ls list`.

use serde_json::{Value, json};

use crate::folder::Folder;

const SOURCE: &str = "# 😀
agent = SubAgent.new(\"Hi 😀 {{name}}\", signature: \"(name :string) -> :int\")
{&Search.run/1, \"(query :string) -> [:map]\"}
Signature.parse(\"{#{fields}}\")
";

#[test]
fn every_site_is_listed_in_the_order_of_the_text() {
    let folder = Folder::new("list", &[("lib/a.ex", SOURCE)]);
    let outcome = folder.run(&["list", "--format", "json", "lib"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let sites: Value = serde_json::from_str(&outcome.stdout).expect("an array");
    assert_eq!(
        sites,
        json!([
            {"file": "lib/a.ex", "line": 2, "column": 22, "role": "prompt", "text": "Hi 😀 {{name}}"},
            {"file": "lib/a.ex", "line": 2, "column": 50, "role": "signature", "text": "(name :string) -> :int"},
            {"file": "lib/a.ex", "line": 3, "column": 17, "role": "tool", "text": "(query :string) -> [:map]"},
            {"file": "lib/a.ex", "line": 4, "column": 17, "role": "signature", "text": "{#{fields}}", "dynamic": true},
        ])
    );
}

#[test]
fn people_get_a_line_a_site() {
    let folder = Folder::new("list-human", &[("a.ex", SOURCE)]);
    let outcome = folder.run(&["list", "a.ex"]);
    let first = outcome.stdout.lines().next();
    assert_eq!(first, Some("a.ex:2:22: prompt: Hi 😀 {{name}}"));
}

#[test]
fn what_cannot_be_read_is_reported_and_the_rest_listed() {
    let folder = Folder::new("list-bad-input", &[("a.ex", SOURCE)]);
    folder.write("b.ex", b"\xff");
    let outcome = folder.run(&["list", "--format", "json", "missing.ex", "b.ex", "a.ex"]);
    assert_eq!(outcome.code, Some(2));
    assert_eq!(outcome.stderr.lines().count(), 2, "{}", outcome.stderr);
    let sites: Vec<Value> = serde_json::from_str(&outcome.stdout).expect("an array");
    assert_eq!(sites.len(), 4);
}
