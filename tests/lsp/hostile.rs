//! Clients and connections that violate the protocol: nothing hangs, nothing is lost, no other client is affected.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::{
    client::{Client, framed},
    editor::Editor,
};

const DOCUMENT: &str = "SubAgent.run(\"{{name}}\", signature: \"(name :strng) -> :int\")\n";

fn error_code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_default()
}

/// Values of all kinds, and objects that contain valid parts.
fn wrong_params() -> Vec<Value> {
    let document = json!({"uri": "file:///project/lib/agent.ex"});
    vec![
        Value::Null,
        json!([]),
        json!(-1),
        json!("text"),
        json!({}),
        json!({"textDocument": 5, "position": []}),
        json!({"textDocument": {"uri": 5}, "position": {}}),
        json!({"textDocument": {"uri": ""}, "position": {"line": 0, "character": 0}}),
        json!({"textDocument": {"uri": "no uri at all %"}, "position": {"line": 0, "character": 0}}),
        json!({"textDocument": document, "position": {"line": -1, "character": 1.5}}),
        json!({"textDocument": document, "position": {"line": 99_999_999_999_u64, "character": 0}}),
        json!({"textDocument": document, "range": {"start": 1, "end": null}}),
        json!({"textDocument": document, "contentChanges": "x", "options": 1, "positions": {}}),
        json!({"textDocument": {"uri": "file:///a.ex", "languageId": 1, "version": "1", "text": null}}),
        json!({"settings": 5, "event": [], "changes": {}, "items": 1, "id": {}, "command": 5}),
    ]
}

const REQUESTS: [&str; 26] = [
    "textDocument/hover",
    "textDocument/completion",
    "completionItem/resolve",
    "textDocument/codeAction",
    "codeAction/resolve",
    "textDocument/codeLens",
    "codeLens/resolve",
    "textDocument/inlayHint",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/typeDefinition",
    "textDocument/references",
    "textDocument/rename",
    "textDocument/prepareRename",
    "textDocument/documentHighlight",
    "textDocument/documentSymbol",
    "textDocument/documentLink",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/formatting",
    "textDocument/semanticTokens/full",
    "textDocument/diagnostic",
    "workspace/symbol",
    "workspace/executeCommand",
    "signature-ls/edition",
    "$/no/such/request",
];

const NOTIFICATIONS: [&str; 9] = [
    "textDocument/didOpen",
    "textDocument/didSave",
    "textDocument/didClose",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeWorkspaceFolders",
    "$/cancelRequest",
    "$/setTrace",
    "window/workDoneProgress/cancel",
];

#[test]
fn parameters_of_wrong_types_are_answered_one_by_one() {
    let mut editor = Editor::open("utf-16", DOCUMENT);
    assert_eq!(editor.diagnostics().len(), 1);
    for params in wrong_params() {
        for method in NOTIFICATIONS {
            editor.client.notify(method, params.clone());
        }
        let asked = REQUESTS.map(|method| editor.client.ask(method, params.clone()));
        for (id, method) in asked.into_iter().zip(REQUESTS) {
            let answer = editor.client.answer(id);
            let code = error_code(&answer);
            // Some parameters are valid for some methods, and some methods need none.
            let is_answer = code == 0 && answer.get("result").is_some();
            assert!(
                is_answer || matches!(code, -32700 | -32602..=-32600 | -32803),
                "{method} {params}: {answer}"
            );
        }
    }
    // Some of it closed the document.
    editor.open_another("lib/agent.ex", "elixir", DOCUMENT);
    assert_eq!(editor.diagnostics().len(), 1);
}

#[test]
fn changes_are_followed_as_far_as_they_can_be_read() {
    let mut editor = Editor::open("utf-16", DOCUMENT);
    assert_eq!(editor.diagnostics().len(), 1);
    let start = json!({"line": -7, "character": -1});
    let end = json!({"line": 99_999_999_999_u64, "character": 1e30});
    let range = json!({"start": start, "end": end});
    let change = |version: Value, changes: Value| {
        let document = json!({"uri": "file:///project/lib/agent.ex", "version": version});
        json!({"textDocument": document, "contentChanges": changes})
    };
    let clean = DOCUMENT.replace("strng", "string");
    let changes = json!([{"range": range, "text": clean, "rangeLength": -4}]);
    editor
        .client
        .notify("textDocument/didChange", change(json!(2), changes));
    editor.version = 2;
    assert_eq!(editor.diagnostics().len(), 0);
    let changes = json!([{"range": {"start": start, "end": start}, "text": DOCUMENT}]);
    editor
        .client
        .notify("textDocument/didChange", change(Value::Null, changes));
    let found = editor.client.receive("textDocument/publishDiagnostics");
    assert_eq!(found["diagnostics"].as_array().map(Vec::len), Some(1));

    // The text after such a change is unknown, so nothing is published until the client sends the whole text.
    for changes in [
        json!([{"text": 5}]),
        json!([{"range": 5, "text": ""}]),
        json!("x"),
    ] {
        editor
            .client
            .notify("textDocument/didChange", change(json!(3), changes));
        let found = editor.client.receive("textDocument/publishDiagnostics");
        assert_eq!(found["diagnostics"], json!([]));
        editor.open_another("lib/agent.ex", "elixir", DOCUMENT);
        assert_eq!(editor.diagnostics().len(), 1);
    }
}

#[test]
fn lengths_that_lie_cost_no_other_message() {
    let mut client = Client::connect(json!({}));
    for length in [
        "5",
        "0",
        "-5",
        "99",
        "500000",
        "18446744073709551615",
        "1e3",
        "",
        "é",
    ] {
        let lost = r#"{"jsonrpc":"2.0","method":"textDocument/didSave","params":{}}"#;
        let bytes = format!("Content-Length: {length}\r\n\r\n{lost}");
        client.send_bytes(bytes.as_bytes());
        assert_eq!(
            client.request("signature-ls/edition", json!({"uri": "file:///a.ex"})),
            Value::Null
        );
    }
    client.send_bytes(&[b'x'; 1 << 20]);
    client.send_bytes(b"\r\n\r\n");
    assert_eq!(client.request("shutdown", Value::Null), Value::Null);
}

#[test]
fn an_announced_giant_is_neither_waited_for_nor_kept() {
    let mut client = Client::connect(json!({}));
    client.send_bytes(b"Content-Length: 99999999999999\r\n\r\n{\"jsonrpc\":\"2.0\"}");
    client.close();
    assert_eq!(client.wait_for_end().code(), Some(1));
}

#[test]
fn each_end_of_a_session_has_its_exit_code() {
    let shutdown = json!({"jsonrpc": "2.0", "id": 900, "method": "shutdown"});
    let exit = json!({"jsonrpc": "2.0", "method": "exit"});
    let late = json!({"jsonrpc": "2.0", "id": 901, "method": "textDocument/hover", "params": {}});
    for (messages, is_connected, code) in [
        (&[&exit][..], false, 1),
        (&[&shutdown, &exit], false, 1),
        (&[&exit], true, 1),
        (&[&shutdown, &exit], true, 0),
        (&[&shutdown, &late, &exit], true, 0),
        (&[&shutdown, &shutdown, &exit], true, 0),
        (&[&shutdown], true, 0),
        (&[], true, 1),
        (&[], false, 1),
    ] {
        let mut client = match is_connected {
            true => Client::connect(json!({})),
            false => Client::start(),
        };
        for message in messages {
            client.send(message);
        }
        client.close();
        assert_eq!(client.wait_for_end().code(), Some(code), "{messages:?}");
    }
}

#[test]
fn what_is_reported_outside_a_session_counts_for_nothing() {
    let mut client = Client::start();
    let item =
        json!({"uri": "file:///a.ex", "languageId": "elixir", "version": 1, "text": DOCUMENT});
    let open = json!({ "textDocument": item });
    client.notify("textDocument/didOpen", open.clone());
    let wrong = client.ask("initialize", json!({"capabilities": 5}));
    assert_eq!(error_code(&client.answer(wrong)), -32602);
    let early = client.ask("shutdown", Value::Null);
    assert_eq!(error_code(&client.answer(early)), -32002);
    client.request("initialize", json!({"capabilities": {}}));
    let pulled = json!({"textDocument": {"uri": "file:///a.ex"}});
    let report = client.request("textDocument/diagnostic", pulled.clone());
    assert_eq!(report["items"], json!([]));
    client.request("shutdown", Value::Null);
    client.notify("textDocument/didOpen", open);
    let late = client.ask("textDocument/diagnostic", pulled);
    assert_eq!(error_code(&client.answer(late)), -32600);
    client.notify("exit", Value::Null);
    assert_eq!(client.wait_for_end().code(), Some(0));
}

#[test]
fn documents_opened_twice_or_not_at_all_do_not_drift() {
    let mut editor = Editor::open("utf-16", "nothing");
    editor.open_another("lib/agent.ex", "elixir", DOCUMENT);
    let mut found = editor.diagnostics();
    // The first `didOpen` may be answered separately.
    if found.is_empty() {
        found = editor.diagnostics();
    }
    assert_eq!(found.len(), 1);
    let document = json!({"uri": editor.uri});
    for _ in 0..2 {
        editor
            .client
            .notify("textDocument/didClose", json!({ "textDocument": document }));
    }
    editor.client.receive("textDocument/publishDiagnostics");
    let lost = editor.replacement(":strng", ":string");
    editor.client.send(&lost);
    let save = json!({"textDocument": document, "text": "x"});
    editor.client.notify("textDocument/didSave", save);
    let report = editor.client.request(
        "textDocument/diagnostic",
        json!({ "textDocument": document }),
    );
    assert_eq!(report["items"], json!([]));
    editor.open_another("lib/agent.ex", "elixir", DOCUMENT);
    assert_eq!(editor.diagnostics().len(), 1);
    // The same file in another language, and in an unsupported one.
    for (language, count) in [("markdown", 1), ("plaintext", 1)] {
        editor.open_another("lib/agent.ex", language, DOCUMENT);
        assert_eq!(editor.diagnostics().len(), count, "{language}");
    }
}

#[test]
fn thousands_of_requests_with_cancels_are_each_answered_once() {
    let mut editor = Editor::open("utf-16", &DOCUMENT.repeat(50));
    let mut bytes = Vec::new();
    for id in 10_000..13_000 {
        let at = json!({"line": id % 50, "character": id % 70});
        let params = json!({"textDocument": {"uri": editor.uri}, "position": at});
        let method = ["hover", "completion", "references"][id % 3];
        let request = json!({"jsonrpc": "2.0", "id": id, "method": format!("textDocument/{method}"),
            "params": if method == "references" {
                json!({"textDocument": {"uri": editor.uri}, "position": at, "context": {"includeDeclaration": true}})
            } else { params }});
        bytes.extend(framed(&request.to_string()));
        if id % 2 == 0 {
            let cancel = json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": id - id % 5}});
            bytes.extend(framed(&cancel.to_string()));
        }
        if id % 100 == 0 {
            bytes.extend(framed(
                &editor.replacement("SubAgent", "\nSubAgent").to_string(),
            ));
        }
    }
    editor.client.send_bytes(&bytes);
    let mut answers: HashMap<i64, usize> = HashMap::new();
    for id in 10_000..13_000 {
        let answer = editor.client.answer(id);
        assert!(
            matches!(error_code(&answer), 0 | -32800 | -32801),
            "{answer}"
        );
        *answers.entry(id).or_default() += 1;
    }
    editor
        .client
        .request("signature-ls/edition", json!({"uri": editor.uri}));
    let is_answer = |message: &Value| {
        message["id"]
            .as_i64()
            .is_some_and(|id| answers.contains_key(&id))
    };
    assert_eq!(editor.client.unread(is_answer), 0);
}

#[test]
fn one_id_for_two_requests_gets_two_answers() {
    let mut client = Client::connect(json!({}));
    let request = json!({"jsonrpc": "2.0", "id": "same", "method": "signature-ls/edition",
        "params": {"uri": "file:///a.ex"}});
    for _ in 0..2 {
        client.send(&request);
    }
    for _ in 0..2 {
        client.wait_for(|message| message["id"] == "same");
    }
    assert_eq!(client.request("shutdown", Value::Null), Value::Null);
}
