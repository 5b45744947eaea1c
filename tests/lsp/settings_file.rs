//! `signature-ls.toml` in an editor.

use serde_json::{Value, json};

use crate::editor::Editor;

const FILE: &str = "edtion = \"0.5\"\n\n[rules]\nunknown-type = \"loud\"\n";

fn editor() -> Editor {
    let kinds = json!({"codeActionKind": {"valueSet": []}});
    let capabilities = json!({"textDocument": {"codeAction": {"codeActionLiteralSupport": kinds}}});
    let mut editor = Editor::connect("utf-16", capabilities, "");
    editor.open_another("signature-ls.toml", "toml", FILE);
    editor
}

#[test]
fn mistakes_are_shown_and_fixed() {
    let mut editor = editor();
    let found = editor.diagnostics();
    let messages: Vec<_> = found
        .iter()
        .filter_map(|it| it["message"].as_str())
        .collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("`edition`"), "{messages:?}");
    assert_eq!(editor.text_at(&found[0]["range"]), "edtion");
    assert_eq!(editor.text_at(&found[1]["range"]), "\"loud\"");

    let actions = editor.code_actions("edtion", None);
    assert_eq!(actions[0]["title"], "Write `edition`");
    let edit = &actions[0]["edit"]["changes"][&editor.uri][0];
    assert_eq!(edit["newText"], "edition");
    assert_eq!(
        editor.code_actions("edtion", Some(&["refactor"])),
        Value::Null
    );

    editor.replace("edtion", "edition");
    assert_eq!(editor.diagnostics().len(), 1);
    editor.replace("loud", "off");
    assert_eq!(editor.diagnostics(), [] as [Value; 0]);
    let uri = editor.uri.clone();
    let params = json!({"textDocument": {"uri": uri}});
    editor
        .client
        .notify("textDocument/didClose", params.clone());
    let report = editor.client.request("textDocument/diagnostic", params);
    assert_eq!(report["items"], json!([]));
}

#[test]
fn keys_and_values_are_completed_and_described() {
    let mut editor = editor();
    let list = editor.ask_at("textDocument/completion", "unknown-type");
    let items = list["items"].as_array().expect("items");
    assert!(items.iter().any(|it| it["label"] == "unused-parameter"));
    let list = editor.ask_at("textDocument/completion", "loud");
    assert_eq!(list["items"][0]["label"], "\"off\"");
    let hover = editor.ask_at("textDocument/hover", "unknown-type");
    let text = hover["contents"]["value"].as_str().expect("a text");
    assert!(text.contains("rules.unknown-type"), "{text}");
    // Other requests have no answer there.
    assert_eq!(
        editor.ask_at("textDocument/definition", "unknown-type"),
        Value::Null
    );
}
