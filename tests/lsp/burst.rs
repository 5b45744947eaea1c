//! Many changes at once.

use std::{
    io::Write,
    process::{Command, Stdio},
    sync::mpsc,
    thread,
};

use serde_json::{Value, json};

use crate::{
    client::{PATIENCE, framed},
    editor::Editor,
};

const DOCUMENT: &str = "# x\nSubAgent.run(\"{{name}}\", signature: \"(name :strng) -> :int\")\n";

/// One write with 1,000 changes: a comment grows by one wide character after another.
fn thousand_changes(editor: &mut Editor) -> Vec<u8> {
    (0..1000)
        .flat_map(|_| framed(&editor.replacement("# ", "# 😀").to_string()))
        .collect()
}

#[test]
fn a_thousand_changes_keep_their_order() {
    let mut editor = Editor::open("utf-16", DOCUMENT);
    let changes = thousand_changes(&mut editor);
    editor.client.send_bytes(&changes);
    // The last change only hits the start of the comment if the order is right.
    editor.replace("# 😀", "# !");
    editor.replace("SubAgent", "\tSubAgent");
    let at = editor.text.find(":strng").expect("the fault");
    let expected = editor.range(at, at + 6);
    let found = editor.diagnostics();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["range"], expected);
}

#[test]
fn what_was_found_comes_in_the_order_of_the_versions() {
    let mut editor = Editor::open("utf-16", DOCUMENT);
    let changes = thousand_changes(&mut editor);
    editor.client.send_bytes(&changes);
    let mut last = 0;
    while last < i64::from(editor.version) {
        let params = editor.client.receive("textDocument/publishDiagnostics");
        let version = params["version"].as_i64().expect("a version");
        assert!(version > last, "{version} after {last}");
        last = version;
    }
}

#[test]
fn requests_between_changes_see_the_changes_before_them() {
    let mut editor = Editor::open("utf-16", DOCUMENT);
    let mut bytes = Vec::new();
    let mut expected = Vec::new();
    for id in 1000..1200 {
        bytes.extend(framed(&editor.replacement("# ", "# é\n# ").to_string()));
        let at = editor.text.find(":strng").expect("the fault");
        expected.push((id, editor.range(at, at + 6)));
        let pull = json!({"jsonrpc": "2.0", "id": id, "method": "textDocument/diagnostic",
            "params": {"textDocument": {"uri": editor.uri}}});
        bytes.extend(framed(&pull.to_string()));
    }
    editor.client.send_bytes(&bytes);
    for (id, range) in expected {
        let answer = editor.client.answer(id);
        let overtaken = answer["error"]["code"] == -32801;
        if overtaken {
            continue;
        }
        assert_eq!(answer["result"]["items"][0]["range"], range, "{answer}");
    }
    // The last request cannot have been overtaken.
    let last = editor.client.request(
        "textDocument/diagnostic",
        json!({"textDocument": {"uri": editor.uri}}),
    );
    assert_ne!(last["items"][0]["range"], Value::Null);
}

#[test]
fn a_client_that_writes_before_it_reads_is_not_stopped() {
    let uri = "file:///a.ex";
    let text = DOCUMENT.repeat(400);
    let at = json!({"line": 0, "character": 0});
    let mut messages = vec![
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}),
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument":
            {"uri": uri, "languageId": "elixir", "version": 0, "text": text}}}),
    ];
    for version in 1..=2_000 {
        // Such a request is answered by the reader thread.
        messages.push(json!({"jsonrpc": "2.0", "id": version + 1, "method": "unknown"}));
        messages.push(
            json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [{"range": {"start": at, "end": at}, "text": "#"}],
            }}),
        );
    }
    let mut server = Command::new(env!("CARGO_BIN_EXE_signature-ls"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut input = server.stdin.take().expect("a pipe");
    let (done, is_done) = mpsc::channel();
    let writer = thread::spawn(move || {
        let mut write = |message: &Value| input.write_all(&framed(&message.to_string()));
        let written = messages.iter().try_for_each(&mut write);
        let _ = done.send(written.is_ok());
    });
    let was_read = is_done.recv_timeout(PATIENCE);
    server.kill().expect("a child");
    server.wait().expect("a child");
    writer.join().expect("no panic");
    assert_eq!(was_read, Ok(true), "the server has stopped to read");
}
