//! The start and the end of a session, and malformed messages.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::client::{Client, framed};

fn error_code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_default()
}

#[test]
fn a_session_begins_and_ends() {
    let (mut client, capabilities) = Client::connect_with(json!({"capabilities": {}}));
    assert_eq!(capabilities["positionEncoding"], "utf-16");
    assert_eq!(capabilities["textDocumentSync"]["change"], 2);
    assert_eq!(capabilities["hoverProvider"], true);
    assert_eq!(client.request("shutdown", Value::Null), Value::Null);
    client.notify("exit", Value::Null);
    assert_eq!(client.wait_for_end().code(), Some(0));
}

#[test]
fn the_last_answer_comes_before_the_end() {
    let mut client = Client::connect(json!({}));
    let shutdown = json!({"jsonrpc": "2.0", "id": 77, "method": "shutdown"}).to_string();
    let exit = json!({"jsonrpc": "2.0", "method": "exit"}).to_string();
    client.send_bytes(&[framed(&shutdown), framed(&exit)].concat());
    assert_eq!(client.answer(77)["result"], Value::Null);
    assert_eq!(client.wait_for_end().code(), Some(0));
}

#[test]
fn an_exit_without_a_shutdown_is_a_failure() {
    let mut client = Client::connect(json!({}));
    client.notify("exit", Value::Null);
    assert_eq!(client.wait_for_end().code(), Some(1));
}

#[test]
fn a_closed_connection_ends_the_server() {
    for begin in [Client::start, || Client::connect(json!({}))] {
        let mut client = begin();
        client.close();
        assert_eq!(client.wait_for_end().code(), Some(1));
    }
}

#[test]
fn a_connection_closed_inside_a_message_ends_the_server() {
    let mut client = Client::connect(json!({}));
    client.send_bytes(b"Content-Length: 100\r\n\r\n{\"jsonrpc\":");
    client.close();
    assert_eq!(client.wait_for_end().code(), Some(1));
}

#[cfg(unix)]
#[test]
fn the_end_of_the_clients_process_ends_the_server() {
    let mut process = Command::new("sleep")
        .arg("1000")
        .stdin(Stdio::null())
        .spawn()
        .expect("a process to watch");
    let params = json!({"processId": process.id(), "capabilities": {}});
    let (mut client, _) = Client::connect_with(params);
    process.kill().expect("a child");
    process.wait().expect("a child");
    assert_eq!(client.wait_for_end().code(), Some(1));
}

/// A server in a container has numbers of processes of its own.
#[cfg(unix)]
#[test]
fn a_client_whose_process_is_not_visible_is_served() {
    // No system has that many.
    let params = json!({"processId": i32::MAX, "capabilities": {}});
    let (mut client, _) = Client::connect_with(params);
    for _ in 0..100 {
        client.request("workspace/symbol", json!({"query": ""}));
    }
    assert_eq!(client.request("shutdown", Value::Null), Value::Null);
}

#[test]
fn requests_outside_a_session_are_refused() {
    let mut client = Client::start();
    let early = client.ask("textDocument/hover", json!({}));
    assert_eq!(error_code(&client.answer(early)), -32002);

    client.request("initialize", json!({"capabilities": {}}));
    let again = client.ask("initialize", json!({"capabilities": {}}));
    assert_eq!(error_code(&client.answer(again)), -32600);

    client.request("shutdown", Value::Null);
    let late = client.ask("textDocument/hover", json!({}));
    assert_eq!(error_code(&client.answer(late)), -32600);
}

#[test]
fn what_the_server_does_not_know_is_refused_or_passed_over() {
    let mut client = Client::connect(json!({}));
    client.notify("workspace/unknown", json!({}));
    client.notify("$/unknown", json!({}));
    client.notify("$/setTrace", json!({"value": "off"}));
    client.notify(
        "textDocument/didSave",
        json!({"textDocument": {"uri": "file:///a.ex"}}),
    );
    let unknown = client.ask("workspace/unknown", json!({}));
    assert_eq!(error_code(&client.answer(unknown)), -32601);
    let wrong = client.ask("textDocument/hover", json!({"position": 1}));
    assert_eq!(error_code(&client.answer(wrong)), -32602);
    assert_eq!(client.request("shutdown", Value::Null), Value::Null);
}

#[test]
fn malformed_messages_are_answered_and_the_session_goes_on() {
    let mut client = Client::connect(json!({}));
    for (bytes, code) in [
        (framed("{"), -32700),
        (framed("not json"), -32700),
        (framed("\u{0}"), -32700),
        (b"Content-Length: 2\r\n\r\n\xff\xff".to_vec(), -32700),
        (framed("[]"), -32600),
        (framed("{\"jsonrpc\":\"2.0\"}"), -32600),
    ] {
        client.send_bytes(&bytes);
        let answer = client.wait_for(|message| message["id"].is_null());
        assert_eq!(error_code(&answer), code, "{bytes:?}");
    }
    for bytes in ["\r\n\r\n", "HELO\r\n", "Content-Length: x\r\n\r\n"] {
        client.send_bytes(bytes.as_bytes());
    }
    assert_eq!(client.request("shutdown", Value::Null), Value::Null);
}

#[test]
fn an_answer_nobody_asked_for_is_passed_over() {
    let mut client = Client::connect(json!({}));
    client.send(&json!({"jsonrpc": "2.0", "id": 12, "result": [{"edition": "0.4"}]}));
    client.send(&json!({"jsonrpc": "2.0", "id": "x", "error": {"code": 1, "message": ""}}));
    client.send(&json!({"jsonrpc": "2.0", "id": null, "error": {"code": 1, "message": ""}}));
    assert_eq!(client.request("shutdown", Value::Null), Value::Null);
}
