//! Texts over the limit are not analyzed, and this is reported once.

use serde_json::{Value, json};

use crate::{client::Client, editor::Editor};

const LONGEST: usize = 32 << 20;

fn long_text() -> String {
    format!("# {}", "x".repeat(LONGEST))
}

fn shown(client: &mut Client) -> Vec<String> {
    // Messages that were sent before the answer have arrived by then.
    client.request("signature-ls/edition", json!({"uri": "file:///a.ex"}));
    let shown = client.take_unread("window/showMessage");
    let text = |it: Value| it["message"].as_str().map(str::to_owned);
    shown.into_iter().filter_map(text).collect()
}

#[test]
fn a_document_over_the_limit_is_announced_and_passed_over() {
    let mut editor = Editor::open("utf-16", "");
    editor.open_another("lib/long.ex", "elixir", &long_text());
    editor.replace("# ", "# é");
    let at = json!({"textDocument": {"uri": editor.uri}, "position": {"line": 0, "character": 1}});
    assert_eq!(editor.client.request("textDocument/hover", at), Value::Null);
    let [message] = &*shown(&mut editor.client) else {
        panic!("one message");
    };
    assert_eq!(
        message,
        "/project/lib/long.ex is larger than 32 MiB and is not analysed"
    );
    editor.open_another(
        "lib/long.ex",
        "elixir",
        "[signature: \"(a :strng) -> :int\"]",
    );
    assert_eq!(editor.diagnostics().len(), 1);
}

#[test]
fn a_document_that_grows_over_the_limit_is_announced() {
    let text = "[signature: \"(a :strng) -> :int\"]\n#";
    let mut editor = Editor::open("utf-16", text);
    assert_eq!(editor.diagnostics().len(), 1);
    editor.replace("#", &long_text());
    assert_eq!(shown(&mut editor.client).len(), 1);
    let cleared = editor.client.receive("textDocument/publishDiagnostics");
    assert_eq!(cleared["diagnostics"], json!([]));
    editor.replace("# ", "#");
    assert_eq!(shown(&mut editor.client), [] as [String; 0]);
}

/// A catalog of more tools than anybody writes.
fn full_catalog() -> String {
    "f(\n".repeat(100_001)
}

#[test]
fn a_document_with_too_many_signatures_is_announced_and_passed_over() {
    let mut editor = Editor::open("utf-16", "");
    editor.open_another("tools.sig", "signature-catalog", &full_catalog());
    let [message] = &*shown(&mut editor.client) else {
        panic!("one message");
    };
    assert_eq!(
        message,
        "/project/tools.sig has more than 100000 signatures and prompts and is not analysed"
    );
    editor.open_another("tools.sig", "signature-catalog", "f(a :strng) -> :int\n");
    assert_eq!(editor.diagnostics().len(), 1);
    editor.replace(":strng", &format!(":strng) -> :int\n{}", full_catalog()));
    assert_eq!(shown(&mut editor.client).len(), 1);
}
