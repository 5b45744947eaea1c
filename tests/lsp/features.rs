//! The answers about a document.

use std::path::Path;

use serde_json::{Value, json};

use crate::{client::Client, editor::Editor};

const DOCUMENT: &str =
    "# 😀\nSubAgent.run(\"Hi {{name}}\", signature: \"(name :strng) -> :string\")\n";

fn open(client: &mut Client, uri: &str, language: &str, text: &str) {
    let item = json!({"uri": uri, "languageId": language, "version": 7, "text": text});
    client.notify("textDocument/didOpen", json!({ "textDocument": item }));
}

/// The capabilities of a client that supports actions with edits.
fn takes_actions() -> Value {
    let kinds = json!({"codeActionKind": {"valueSet": []}});
    json!({"textDocument": {"codeAction": {"codeActionLiteralSupport": kinds}}})
}

#[test]
fn a_diagnostic_has_a_message_a_range_and_a_link() {
    let mut editor = Editor::open("utf-16", DOCUMENT);
    let found = editor.diagnostics();
    assert_eq!(found.len(), 1, "{found:?}");
    let found = &found[0];
    let at = editor.text.find(":strng").expect("the fault");
    assert_eq!(found["range"], editor.range(at, at + 6));
    assert_eq!(found["severity"], 1);
    assert_eq!(found["source"], "signature-ls");
    let message = found["message"].as_str().expect("a message");
    assert!(message.contains(":string"), "{message}");
    let code = found["code"].as_str().expect("a code");
    let link = found["codeDescription"]["href"].as_str().expect("a link");
    assert!(link.ends_with(&format!("/docs/rules/{code}.md")), "{link}");
    assert_eq!(found["data"]["fixes"][0]["edits"][0]["newText"], ":string");
}

#[test]
fn unnecessary_text_is_tagged() {
    let text = "SubAgent.run(\"Hi {{name}}\", signature: \"(name :string, age :int) -> :int\")\n";
    let mut editor = Editor::open("utf-16", text);
    let found = editor.diagnostics();
    assert_eq!(found.len(), 1, "{found:?}");
    let unnecessary = 1;
    assert_eq!(found[0]["tags"], json!([unnecessary]));
    let at = editor.text.find("age").expect("the parameter");
    assert_eq!(found[0]["range"]["start"], editor.range(at, at)["start"]);
}

#[test]
fn the_edition_of_a_document_is_reported() {
    for (text, edition) in [(DOCUMENT, "0.11"), ("# signature-ls: edition 0.5\n", "0.5")] {
        let mut editor = Editor::open("utf-16", text);
        let document = json!({"uri": editor.uri});
        let answer = editor.client.request("signature-ls/edition", document);
        assert_eq!(answer, json!(edition));
    }
    let mut editor = Editor::open("utf-16", DOCUMENT);
    let unknown = json!({"uri": "file:///nowhere.txt"});
    let answer = editor.client.request("signature-ls/edition", unknown);
    assert_eq!(answer, Value::Null);
}

#[test]
fn a_closed_document_has_no_diagnostics() {
    let mut editor = Editor::open("utf-16", DOCUMENT);
    assert_eq!(editor.diagnostics().len(), 1);
    let document = json!({"textDocument": {"uri": editor.uri}});
    editor.client.notify("textDocument/didClose", document);
    let params = editor.client.receive("textDocument/publishDiagnostics");
    assert_eq!(params["diagnostics"], json!([]));
    let hover = editor.ask_at("textDocument/hover", ":strng");
    assert_eq!(hover, Value::Null);
}

#[test]
fn a_hover_tells_the_type_and_is_silent_elsewhere() {
    let mut editor = Editor::open("utf-16", DOCUMENT);
    let hover = editor.ask_at("textDocument/hover", ":string");
    let at = editor.text.find(":string").expect("the type");
    assert_eq!(hover["range"], editor.range(at, at + 7));
    assert_eq!(hover["contents"]["kind"], "markdown");
    let value = hover["contents"]["value"].as_str().expect("a text");
    assert!(value.contains(":string"), "{value}");
    let outside = editor.ask_at("textDocument/hover", "SubAgent");
    assert_eq!(outside, Value::Null);
}

#[test]
fn a_quick_fix_edits_the_version_it_was_made_for() {
    let mut editor = Editor::open("utf-16", DOCUMENT);
    let actions = editor.code_actions(":strng", None);
    let action = &actions[0];
    assert_eq!(action["kind"], "quickfix");
    assert_eq!(action["isPreferred"], true);
    assert_eq!(action["diagnostics"][0], editor.diagnostics()[0]);
    let at = editor.text.find(":strng").expect("the fault");
    let change = &action["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"]["version"], 1);
    assert_eq!(
        change["edits"],
        json!([{"range": editor.range(at, at + 6), "newText": ":string"}])
    );
    assert_eq!(editor.code_actions("SubAgent", None), Value::Null);
}

#[test]
fn edits_have_the_line_ends_of_the_document() {
    for line_end in ["\n", "\r\n"] {
        let mut editor = Editor::open("utf-16", &DOCUMENT.replace('\n', line_end));
        let actions = editor.code_actions(":strng", None);
        let actions = actions.as_array().into_iter().flatten();
        let texts: Vec<_> = actions
            .filter_map(|it| it["edit"]["documentChanges"][0]["edits"][0]["newText"].as_str())
            .filter(|it| it.contains('\n'))
            .collect();
        let comment = "# signature-ls: ignore unknown-type";
        assert_eq!(texts, [format!("{comment}{line_end}")]);
    }
}

#[test]
fn actions_are_those_that_were_asked_for() {
    let mut editor = Editor::open("utf-16", DOCUMENT);
    for (kinds, expected) in [
        (&["quickfix"][..], Some("quickfix")),
        (&["source.fixAll"], Some("source.fixAll.signature-ls")),
        (
            &["source.fixAll.signature-ls"],
            Some("source.fixAll.signature-ls"),
        ),
        (&["source"], Some("source.fixAll.signature-ls")),
        (&["source.fixAll.other"], None),
        (&["sour"], None),
        (&["refactor"], None),
    ] {
        let actions = editor.code_actions(":strng", Some(kinds));
        let mut kinds_found: Vec<_> = actions
            .as_array()
            .into_iter()
            .flatten()
            .map(|action| action["kind"].as_str())
            .collect();
        // A diagnostic can be fixed, or ignored.
        kinds_found.dedup();
        let expected: Vec<_> = expected.into_iter().map(Some).collect();
        assert_eq!(kinds_found, expected, "{kinds:?}");
    }
}

#[test]
fn a_client_that_knows_no_versioned_edits_gets_plain_ones() {
    let mut client = Client::connect(takes_actions());
    open(&mut client, "file:///a.ex", "elixir", DOCUMENT);
    let params = json!({
        "textDocument": {"uri": "file:///a.ex"},
        "range": {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}},
        "context": {"diagnostics": []},
    });
    let actions = client.request("textDocument/codeAction", params);
    let edit = &actions[0]["edit"];
    assert_eq!(edit["changes"]["file:///a.ex"][0]["newText"], ":string");
    assert_eq!(edit["documentChanges"], Value::Null);
}

#[test]
fn actions_that_do_the_same_are_listed_once() {
    let unused = "SubAgent.run(\"Hi {{a}}\", signature: \"(a :string, b :int) -> :int\")\n";
    let touching = "SubAgent.run(\"Hi\", signature: \"(a :strng, b :itn) -> :int\")\n";
    for (text, at, title) in [
        (unused, "b :int", "Remove `b` from the signature"),
        (
            touching,
            "a :strng, b :itn",
            "Ignore `unknown-type` on this line",
        ),
    ] {
        let mut client = Client::connect(takes_actions());
        open(&mut client, "file:///a.ex", "elixir", text);
        let start = text.find(at).expect("the place");
        let params = json!({
            "textDocument": {"uri": "file:///a.ex"},
            "range": {
                "start": {"line": 0, "character": start},
                "end": {"line": 0, "character": start + at.len()},
            },
            "context": {"diagnostics": []},
        });
        let actions = client.request("textDocument/codeAction", params);
        let actions = actions.as_array().expect("actions");
        let of_title = actions.iter().filter(|it| it["title"] == title);
        assert_eq!(of_title.count(), 1, "{actions:?}");
        for (index, one) in actions.iter().enumerate() {
            let is_same = |it: &Value| it["edit"] == one["edit"];
            assert!(!actions[..index].iter().any(is_same), "{one}");
        }
    }
}

#[test]
fn diagnostics_can_be_asked_for_and_keep_their_name_until_they_change() {
    let (mut client, capabilities) = Client::connect_with(json!({"capabilities": {
        "textDocument": {"diagnostic": {}}}}));
    assert_eq!(
        capabilities["diagnosticProvider"]["workspaceDiagnostics"],
        true
    );
    let uri = "file:///a.ex";
    open(&mut client, uri, "elixir", DOCUMENT);
    let pull =
        |previous: &Value| json!({"textDocument": {"uri": uri}, "previousResultId": previous});
    let method = "textDocument/diagnostic";
    let first = client.request(method, pull(&Value::Null));
    assert_eq!(first["kind"], "full");
    assert_eq!(first["items"].as_array().map(Vec::len), Some(1));
    let second = client.request(method, pull(&first["resultId"]));
    assert_eq!(
        second,
        json!({"kind": "unchanged", "resultId": first["resultId"]})
    );

    let change =
        json!({"textDocument": {"uri": uri, "version": 8}, "contentChanges": [{"text": "x"}]});
    client.notify("textDocument/didChange", change);
    let third = client.request(method, pull(&first["resultId"]));
    assert_eq!(third["kind"], "full");
    assert_eq!(third["items"], json!([]));
}

#[test]
fn a_file_that_is_not_open_is_read_from_the_disk() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("not open 😀.ex");
    std::fs::write(&path, DOCUMENT).expect("a file");
    let uri = tower_lsp::ls_types::Uri::from_file_path(&path).expect("a path");
    let mut client = Client::connect(json!({}));
    let pull = json!({"textDocument": {"uri": uri}});
    let found = |client: &mut Client| {
        let report = client.request("textDocument/diagnostic", pull.clone());
        report["items"].as_array().map(Vec::len)
    };
    assert_eq!(found(&mut client), Some(1));
    std::fs::write(&path, "# nothing").expect("a file");
    assert_eq!(found(&mut client), Some(0));
    // An open document counts as the editor has it.
    open(&mut client, uri.as_str(), "elixir", DOCUMENT);
    assert_eq!(found(&mut client), Some(1));
}

#[test]
fn a_uri_that_should_be_encoded_is_understood() {
    let folder = "file:///my pages";
    let uri = format!("{folder}/[id].ex");
    let (mut client, _) =
        Client::connect_with(json!({"capabilities": takes_actions(), "rootUri": folder}));
    open(&mut client, &uri, "elixir", DOCUMENT);
    let params = client.receive("textDocument/publishDiagnostics");
    assert_eq!(params["uri"], uri);
    let range = params["diagnostics"][0]["range"].clone();
    let actions = client.request(
        "textDocument/codeAction",
        json!({"textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": []}}),
    );
    assert!(actions[0]["edit"]["changes"][&uri].is_array(), "{actions}");
}

#[test]
fn documents_of_other_languages_are_ignored() {
    let mut client = Client::connect(json!({}));
    open(&mut client, "file:///a.txt", "plaintext", DOCUMENT);
    open(&mut client, "file:///b.rs", "rust", DOCUMENT);
    let change = json!({"textDocument": {"uri": "file:///a.txt", "version": 8},
        "contentChanges": [{"text": "x"}]});
    client.notify("textDocument/didChange", change);
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": "file:///b.rs"}}),
    );
    for uri in ["file:///a.txt", "file:///never-opened.ex"] {
        let at = json!({"textDocument": {"uri": uri}, "position": {"line": 1, "character": 50}});
        assert_eq!(client.request("textDocument/hover", at), Value::Null);
        let pulled = client.request(
            "textDocument/diagnostic",
            json!({"textDocument": {"uri": uri}}),
        );
        assert_eq!(pulled["items"], json!([]));
    }
    open(&mut client, "file:///c.ex", "elixir", DOCUMENT);
    let params = client.receive("textDocument/publishDiagnostics");
    assert_eq!(params["uri"], "file:///c.ex");
    assert_eq!(params["version"], 7);
}

#[test]
fn the_language_counts_where_the_name_says_nothing() {
    let mut client = Client::connect(json!({}));
    open(&mut client, "untitled:Untitled-1", "elixir", DOCUMENT);
    let params = client.receive("textDocument/publishDiagnostics");
    assert_eq!(params["uri"], "untitled:Untitled-1");
    assert_eq!(params["diagnostics"].as_array().map(Vec::len), Some(1));
    let catalog = "search(query :strng) -> :map\n";
    open(
        &mut client,
        "untitled:Untitled-2",
        "signature-catalog",
        catalog,
    );
    let params = client.receive("textDocument/publishDiagnostics");
    assert_eq!(params["diagnostics"][0]["code"], "unknown-type");
}

#[test]
fn a_document_that_is_reopened_in_another_language_is_ignored() {
    let mut client = Client::connect(json!({}));
    let uri = "file:///c.txt";
    open(&mut client, uri, "elixir", DOCUMENT);
    let params = client.receive("textDocument/publishDiagnostics");
    assert_eq!(params["diagnostics"].as_array().map(Vec::len), Some(1));
    open(&mut client, uri, "plaintext", DOCUMENT);
    let params = client.receive("textDocument/publishDiagnostics");
    assert_eq!(params["diagnostics"], json!([]));
    let at = json!({"textDocument": {"uri": uri}, "position": {"line": 1, "character": 46}});
    assert_eq!(client.request("textDocument/hover", at), Value::Null);
}

#[test]
fn a_hover_is_plain_where_the_client_reads_no_markdown() {
    let text = "SubAgent.run(\"Hi {{name}}\", signature: \"(name :string) -> :int\")\n";
    for (formats, marks) in [(json!(["plaintext"]), 0), (json!(["markdown"]), 1)] {
        let hover = json!({"textDocument": {"hover": {"contentFormat": formats}}});
        let mut client = Client::connect(hover);
        open(&mut client, "file:///a.ex", "elixir", text);
        for word in [":int", "name}", "name :"] {
            let at = text.find(word).expect("a word");
            let at = json!({"textDocument": {"uri": "file:///a.ex"}, "position": {"line": 0, "character": at}});
            let hover = client.request("textDocument/hover", at);
            let value = hover["contents"]["value"].as_str().expect("a text");
            assert_eq!(usize::from(value.contains('`')), marks, "{value}");
            assert!(!value.contains("signature\n") || marks == 1, "{value}");
        }
    }
}

#[test]
fn only_catalogs_are_formatted() {
    let (mut client, capabilities) = Client::connect_with(json!({"capabilities": {}}));
    assert_eq!(capabilities["documentFormattingProvider"], true);
    open(
        &mut client,
        "file:///a.sig",
        "signature-catalog",
        "# 😀\nget ( id:int )->:map\n  Text.\n",
    );
    open(&mut client, "file:///a.ex", "elixir", DOCUMENT);
    let mut format = |uri: &str| {
        let options = json!({"tabSize": 4, "insertSpaces": false});
        let params = json!({"textDocument": {"uri": uri}, "options": options});
        client.request("textDocument/formatting", params)
    };
    let range = json!({"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 20}});
    assert_eq!(
        format("file:///a.sig"),
        json!([{"range": range, "newText": "get(id :int) -> :map"}])
    );
    assert_eq!(format("file:///a.ex"), Value::Null);
}

#[test]
fn a_client_that_registers_formatting_learns_what_is_formatted() {
    let (mut client, capabilities) = Client::connect_with(json!({"capabilities": {
        "textDocument": {"formatting": {"dynamicRegistration": true}}}}));
    assert_eq!(capabilities["documentFormattingProvider"], Value::Null);
    let registration = client.wait_for(|message| message["method"] == "client/registerCapability");
    let registration = &registration["params"]["registrations"][0];
    assert_eq!(registration["method"], "textDocument/formatting");
    let selector = &registration["registerOptions"]["documentSelector"];
    assert_eq!(
        *selector,
        json!([
            {"language": "prompt"},
            {"language": "signature-prompt"},
            {"pattern": "**/*.prompt"},
            {"pattern": "**/*.prompt.md"},
            {"language": "signature-catalog"},
            {"pattern": "**/*.sig"},
        ])
    );
}

/// Some editors show actions as they come: what repairs an error precedes what a hint suggests.
#[test]
fn fixes_of_errors_come_first() {
    let text = "SubAgent.new(prompt: \"Hi\", signature: \"(topic: string) -> :int\")\n";
    let mut editor = Editor::open("utf-16", text);
    let actions = editor.code_actions("topic: string", Some(&["quickfix"]));
    let codes = actions.as_array().into_iter().flatten();
    let codes: Vec<_> = codes
        .take(2)
        .map(|it| (&it["isPreferred"], &it["diagnostics"][0]["code"]))
        .collect();
    let (first, second) = (json!("colon-after-name"), json!("unused-parameter"));
    assert_eq!(codes, [(&json!(true), &first), (&Value::Null, &second)]);
}
