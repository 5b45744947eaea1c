//! Canceled requests.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Client, framed};

const URI: &str = "file:///project/lib/large.ex";

/// Messages that open a document large enough to keep the server busy, and then `rest`.
fn busy_then(rest: &[Value]) -> Vec<u8> {
    let line = "    agent = SubAgent.new(\"{{name}}\", signature: \"(name :string) -> :int\")\n";
    let text = format!(
        "defmodule Large do\n  def large do\n{}  end\nend\n",
        line.repeat(4_000)
    );
    let open = json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {
        "textDocument": {"uri": URI, "languageId": "elixir", "version": 1, "text": text}}});
    [open]
        .iter()
        .chain(rest)
        .flat_map(|message| framed(&message.to_string()))
        .collect()
}

fn hover(id: i64) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "textDocument/hover", "params": {
        "textDocument": {"uri": URI}, "position": {"line": 2, "character": 60}}})
}

#[test]
fn a_cancelled_request_is_answered_as_cancelled() {
    let mut client = Client::connect(json!({}));
    let cancel = json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 101}});
    client.send_bytes(&busy_then(&[hover(101), hover(102), cancel]));
    assert_eq!(client.answer(101)["error"]["code"], -32800);
    assert!(client.answer(102).get("error").is_none());
}

#[test]
fn cancelling_what_is_not_there_does_nothing() {
    let mut client = Client::connect(json!({}));
    for id in [json!(55), json!("x")] {
        client.notify("$/cancelRequest", json!({ "id": id }));
    }
    assert_eq!(client.request("shutdown", Value::Null), Value::Null);
}

#[test]
fn more_requests_than_are_worked_on_do_not_stop_changes() {
    let mut client = Client::connect(json!({}));
    let change = json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
        "textDocument": {"uri": URI, "version": 2},
        "contentChanges": [{"range": {"start": {"line": 0, "character": 0},
            "end": {"line": 0, "character": 0}}, "text": "# x\n"}]}});
    let mut messages: Vec<Value> = (200..300).map(hover).collect();
    messages.push(change);
    client.send_bytes(&busy_then(&messages));
    for id in 200..300 {
        let answer = client.answer(id);
        let code = answer["error"]["code"].as_i64();
        assert!(matches!(code, None | Some(-32801)), "{answer}");
    }
    client.wait_for(|message| message["params"]["version"] == 2);
}

#[test]
fn each_request_is_cancelled_at_once() {
    /// About 10 ms on an idle machine. On a busy one, a message that takes no work is as slow as the answer.
    const ROUND_TRIPS: usize = 50;
    let mut client = Client::connect(json!({}));
    client.send_bytes(&busy_then(&[]));
    let at = json!({"line": 2, "character": 60});
    let range = json!({"start": {"line": 0, "character": 0}, "end": at});
    for (method, mut params) in [
        ("hover", json!({ "position": at })),
        ("completion", json!({ "position": at })),
        ("definition", json!({ "position": at })),
        (
            "references",
            json!({"position": at, "context": {"includeDeclaration": true}}),
        ),
        ("rename", json!({"position": at, "newName": "a"})),
        (
            "codeAction",
            json!({"range": range, "context": {"diagnostics": []}}),
        ),
        ("inlayHint", json!({ "range": range })),
        ("semanticTokens/full", json!({})),
        ("documentSymbol", json!({})),
        ("foldingRange", json!({})),
        ("selectionRange", json!({"positions": [at]})),
        ("diagnostic", json!({})),
    ] {
        params["textDocument"] = json!({ "uri": URI });
        // This is answered by the reader thread.
        let round_trip = |client: &mut Client| {
            let unknown = client.ask("$/unknown", json!({}));
            client.answer(unknown);
        };
        let mut is_in_time = || {
            // Work that comes first: the document is opened again.
            client.send_bytes(&busy_then(&[]));
            round_trip(&mut client);
            let id = client.ask(&format!("textDocument/{method}"), params.clone());
            client.notify("$/cancelRequest", json!({ "id": id }));
            let is_answered = |client: &Client| client.unread(|it| it["id"] == id) > 0;
            let is_in_time = (0..ROUND_TRIPS).any(|_| {
                round_trip(&mut client);
                is_answered(&client)
            });
            let answer = client.answer(id);
            assert_eq!(answer["error"]["code"], -32800, "{method}: {answer}");
            is_in_time
        };
        // The system may wake one thread later than another.
        assert!((0..8).any(|_| is_in_time()), "{method}");
    }
}

#[test]
fn cancelled_work_ends_so_that_other_requests_are_answered() {
    /// More than the number of threads for requests on most machines.
    const REQUESTS: usize = 64;
    const IN_TIME: Duration = Duration::from_secs(10);
    let mut client = Client::connect(json!({}));
    let call =
        "  def f, do: SubAgent.run(\"{{topc}}\", signature: \"(topic :strng) -> {count :int\")\n";
    let text = format!("defmodule Large do\n{}end\n", call.repeat(6_000));
    let document = json!({"uri": URI, "languageId": "elixir", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    client.wait_for(|it| it["method"] == "textDocument/publishDiagnostics");
    let all = json!({"start": {"line": 0, "character": 0}, "end": {"line": 6_000, "character": 0}});
    let params = json!({"textDocument": {"uri": URI}, "range": all,
        "context": {"diagnostics": [], "only": ["source.fixAll"]}});
    let ids = [(); REQUESTS].map(|()| client.ask("textDocument/codeAction", params.clone()));
    // Some of them are in progress by then.
    std::thread::sleep(Duration::from_millis(300));
    for id in ids {
        client.notify("$/cancelRequest", json!({ "id": id }));
    }
    let begin = Instant::now();
    let at = json!({"line": 1, "character": 55});
    let hover = json!({"textDocument": {"uri": URI}, "position": at});
    let found = client.request("textDocument/hover", hover);
    assert!(found["contents"].is_object(), "{found}");
    let time = client.received_at.duration_since(begin);
    assert!(time < IN_TIME, "{time:?}");
}
