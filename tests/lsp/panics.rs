//! A panic affects one answer only. A debug build panics if a test asks for it.
#![cfg(debug_assertions)]

use std::fs;

use serde_json::json;

use crate::{client::file_uri, editor::Editor};

const DOCUMENT: &str = "SubAgent.run(\"{{name}}\", signature: \"(name :strng) -> :int\")\n";

fn panic_at(editor: &mut Editor, place: &str) -> i64 {
    let params = json!({"uri": editor.uri, "place": place});
    editor.client.ask("signature-ls/panic", params)
}

#[test]
fn a_panic_in_a_feature_is_an_error_of_one_request() {
    for place in ["reader", "handler"] {
        let mut editor = Editor::open("utf-16", DOCUMENT);
        for _ in 0..8 {
            let id = panic_at(&mut editor, place);
            let answer = editor.client.answer(id);
            assert_eq!(answer["error"]["code"], -32603, "{place}: {answer}");
            let logged = editor.client.receive("window/logMessage");
            assert_eq!(logged["type"], 1);
            let message = logged["message"].as_str().expect("a text");
            assert!(message.starts_with("internal error at src/"), "{message}");
            assert!(!message.contains("as the test wants"), "{message}");
            let logged = editor.client.receive("window/logMessage");
            assert_eq!(logged["message"], "failed method=\"signature-ls/panic\"");
        }
        let hover = editor.ask_at("textDocument/hover", "name :strng");
        assert!(hover["contents"].is_object(), "{hover}");
        editor.replace(":strng", ":string");
        assert_eq!(editor.diagnostics().len(), 0);
    }
}

#[test]
fn a_panic_in_the_main_loop_closes_the_document_that_it_was_about() {
    let mut editor = Editor::open("utf-16", DOCUMENT);
    assert_eq!(editor.diagnostics().len(), 1);
    let id = panic_at(&mut editor, "loop");
    editor.client.answer(id);
    let shown = editor.client.receive("window/showMessage");
    let message = shown["message"].as_str().expect("a text");
    assert!(message.contains("open it again"), "{message}");
    let cleared = editor.client.receive("textDocument/publishDiagnostics");
    assert_eq!(cleared["diagnostics"], json!([]));
    editor.open_another("lib/agent.ex", "elixir", DOCUMENT);
    assert_eq!(editor.diagnostics().len(), 1);
}

#[test]
fn a_panic_while_a_document_is_published_costs_no_other_document() {
    let mut editor = Editor::open("utf-16", DOCUMENT);
    assert_eq!(editor.diagnostics().len(), 1);
    let item =
        json!({"uri": "file:///b.ex", "languageId": "elixir", "version": 1, "text": DOCUMENT});
    let client = &mut editor.client;
    client.notify("textDocument/didOpen", json!({ "textDocument": item }));
    client.wait_for(|message| message["params"]["uri"] == "file:///b.ex");

    let id = panic_at(&mut editor, "publication");
    editor.client.answer(id);
    let settings = json!({"settings": {"signature-ls": {"edition": "0.4"}}});
    let client = &mut editor.client;
    client.notify("workspace/didChangeConfiguration", settings);
    client.wait_for(|message| message["params"]["uri"] == "file:///b.ex");
}

#[test]
fn a_panic_while_files_are_read_blocks_nothing_and_they_are_read_again() {
    const AGENT: &str = "SubAgent.new(prompt: \"Go.\", tools: %{\"stop\" => &MyApp.stop/1})\n";
    const MODULE: &str =
        "defmodule MyApp do\n  @spec stop(pid()) :: boolean()\n  def stop(it), do: it\nend\n";
    let root = std::env::temp_dir().join(format!("signature-ls-panic-{}", std::process::id()));
    fs::create_dir_all(&root).expect("a folder");
    fs::write(root.join("mix.exs"), "").expect("a project");
    fs::write(root.join("my_app.ex"), MODULE).expect("a module");

    let mut editor = Editor::open("utf-16", DOCUMENT);
    panic_at(&mut editor, "work");
    let uri = file_uri(&root.join("agent.ex"));
    let item = json!({"uri": uri, "languageId": "elixir", "version": 1, "text": AGENT});
    let client = &mut editor.client;
    client.notify("textDocument/didOpen", json!({ "textDocument": item }));
    // It waits for the functions of the project.
    let column = AGENT.find("stop/1");
    let at = json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": column}});
    let definition = client.request("textDocument/definition", at);
    assert!(definition.is_null(), "{definition}");

    let saved = json!({"textDocument": {"uri": uri}});
    client.notify("textDocument/didSave", saved);
    let message = client.wait_for(|message| {
        let params = &message["params"];
        params["uri"] == uri && params["diagnostics"][0].is_object()
    });
    let code = &message["params"]["diagnostics"][0]["code"];
    assert_eq!(code, "unmapped-spec");
    fs::remove_dir_all(&root).expect("the folder is there");
}
