//! The effect of `signature-ls.toml` on the files beside it.

use serde_json::Value;

use crate::folder::{Folder, Outcome};

const NAMES: &str = r#"
[signature]
keys = ["contract"]
calls = ["Contracts.parse!"]

[prompt]
keys = ["template"]

[yaml.signature]
keys = ["returns"]
"#;

const FILES: &[(&str, &str)] = &[
    ("ours/signature-ls.toml", NAMES),
    (
        "ours/a.ex",
        "Contracts.parse!(\"(a :int) -> :strng\")\nask(template: \"Hi {{b}}\", contract: \"(a :int) -> :int\")\n",
    ),
    (
        "ours/b.yaml",
        "tools:\n  find:\n    description: Finds.\n    returns: '(q :string) -> [:strng]'\n",
    ),
    (
        "ours/c.json",
        "{\"returns\": \":strng\", \"tools\": [{\"name\": \"count\", \"contract\": \"(q :string) -> :int\"}]}\n",
    ),
    (
        "theirs/a.ex",
        "ask(template: \"Hi {{b}}\", contract: \"(a :strng) -> :int\")\n",
    ),
];

#[track_caller]
fn read(outcome: &Outcome) -> Vec<Value> {
    serde_json::from_str(&outcome.stdout).expect("an array")
}

fn texts<'v>(values: &'v [Value], key: &str) -> Vec<&'v str> {
    let text = |value: &'v Value| value[key].as_str().expect("a text");
    values.iter().map(text).collect()
}

#[test]
fn keys_and_calls_of_a_project_count_in_its_files_alone() {
    let folder = Folder::new("settings-names", FILES);
    let found = read(&folder.run(&["check", "--format", "json", "."]));
    assert_eq!(
        texts(&found, "code"),
        ["unknown-type", "unknown-placeholder", "unknown-type"],
    );

    let listed = read(&folder.run(&["list", "--format", "json", "."]));
    assert_eq!(
        texts(&listed, "role"),
        [
            "signature",
            "prompt",
            "signature",
            "description",
            "tool",
            "tool"
        ]
    );

    let shown = read(&folder.run(&["schema", "ours/c.json"]));
    assert_eq!(texts(&shown, "name"), ["count"]);
}

#[test]
fn wrong_names_are_reported_once_by_every_command() {
    let folder = Folder::new("settings-wrong", FILES);
    for (text, told) in [
        (
            "[signature]\nkeys = [\"\"]\n",
            "2:9: A name in `signature.keys` is empty",
        ),
        (
            "[signature]\nkey = [\"a\"]\n",
            "2:1: There is no setting `signature.key`;",
        ),
        (
            "[markdown.prompt]\nkeys = [\"a\"]\n",
            "1:2: There is no setting `markdown`;",
        ),
    ] {
        folder.write("ours/signature-ls.toml", text.as_bytes());
        for command in ["check", "list", "schema"] {
            let outcome = folder.run(&[command, "."]);
            assert_eq!(outcome.code, Some(2), "{outcome:?}");
            let is_reported = outcome
                .stderr
                .contains(&format!("signature-ls.toml:{told}"));
            assert!(is_reported, "{}", outcome.stderr);
            assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
        }
    }
}
