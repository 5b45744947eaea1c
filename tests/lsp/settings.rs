//! Settings of the client and of `signature-ls.toml`, and changes of them.

use std::fs;

use serde_json::{Value, json};

use crate::client::{Client, file_uri};

fn open(client: &mut Client, uri: &str, text: &str) {
    client.notify(
        "textDocument/didOpen",
        json!({"textDocument": {"uri": uri, "languageId": "elixir", "version": 1, "text": text}}),
    );
}

fn configure(client: &mut Client, settings: &Value) {
    let params = json!({ "settings": settings });
    client.notify("workspace/didChangeConfiguration", params);
}

/// The number of diagnostics that are published next.
#[track_caller]
fn found(client: &mut Client) -> usize {
    let params = client.receive("textDocument/publishDiagnostics");
    params["diagnostics"].as_array().expect("a list").len()
}

/// `:datetime` is a type from edition 0.11 on.
const DATED: &str = "SubAgent.run(\"Hi {{at}}\", signature: \"(at :datetime) -> :string\")\n";

#[test]
fn settings_come_at_the_start_and_change_later() {
    let options = json!({"capabilities": {}, "initializationOptions": {"edition": "0.5"}});
    let (mut client, _) = Client::connect_with(options);
    open(&mut client, "file:///a.ex", DATED);
    assert_eq!(found(&mut client), 1);
    for (settings, count) in [
        (json!({"signature-ls": {"edition": "0.11"}}), 0),
        (json!({"signature-ls": {"edition": "0.4"}}), 1),
        // The initial settings do not come back.
        (json!({"signature-ls": {}}), 0),
        (json!({"edition": "0.4"}), 1),
        (json!({"signature-ls": {}}), 0),
        // The client never sent settings.
        (Value::Null, 1),
    ] {
        configure(&mut client, &settings);
        assert_eq!(found(&mut client), count, "{settings}");
    }
}

#[test]
fn a_notification_without_settings_of_ours_changes_nothing() {
    let options = json!({"capabilities": {}, "initializationOptions": {"edition": "0.5"}});
    let (mut client, _) = Client::connect_with(options);
    configure(&mut client, &json!({}));
    configure(
        &mut client,
        &json!({"elixirLS": {"dialyzerEnabled": false}}),
    );
    open(&mut client, "file:///a.ex", DATED);
    assert_eq!(found(&mut client), 1);
}

#[test]
fn wrong_settings_are_reported_to_the_user() {
    let mut client = Client::connect(json!({}));
    for (settings, expected) in [
        (json!({"edition": "0.6"}), "`edition` has to be"),
        (json!({"edtion": "0.5"}), "did you mean `edition`?"),
    ] {
        configure(&mut client, &json!({ "signature-ls": settings }));
        let params = client.receive("window/showMessage");
        let message = params["message"].as_str().expect("a message");
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn an_answer_with_a_misspelt_setting_is_reported_and_the_rest_of_it_counts() {
    let mut client = Client::connect(json!({"workspace": {"configuration": true}}));
    let request = client.wait_for(|message| message["method"] == "workspace/configuration");
    let settings = json!({"edition": "0.5", "rule": {}, "trace": {"server": "off"}});
    client.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": [settings]}));
    let params = client.receive("window/showMessage");
    assert_eq!(
        params["message"],
        "Settings of signature-ls: There is no setting `rule`; did you mean `rules`?"
    );
    open(&mut client, "file:///a.ex", DATED);
    assert_eq!(found(&mut client), 1);
}

#[test]
fn a_wrong_settings_file_is_reported_once_until_it_changes() {
    let root = std::env::temp_dir().join(format!(
        "signature-ls-wrong-settings-{}",
        std::process::id()
    ));
    fs::create_dir_all(&root).expect("a folder");
    let settings = root.join("signature-ls.toml");
    fs::write(&settings, "editon = \"0.5\"\n").expect("a file");
    let mut client = Client::connect(json!({}));
    for name in ["a.ex", "b.ex", "c.ex"] {
        open(&mut client, &file_uri(&root.join(name)), DATED);
    }
    configure(&mut client, &json!({"signature-ls": {"edition": "0.11"}}));
    let unopened = json!({"textDocument": {"uri": file_uri(&root.join("d.ex"))}, "position": {"line": 0, "character": 0}});
    client.request("textDocument/hover", unopened.clone());
    let expected = format!(
        "{}:1:1: There is no setting `editon`; did you mean `edition`?",
        settings.display()
    );
    assert_eq!(client.receive("window/showMessage")["message"], expected);

    // A second message would come before the one about the changed file.
    fs::write(&settings, "edition = \"0.6\"\n").expect("a file");
    let changes = json!({"changes": [{"uri": file_uri(&settings), "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    let message = client.receive("window/showMessage");
    let message = message["message"].as_str().expect("a message");
    assert!(message.contains("`edition` has to be"), "{message}");
    fs::remove_dir_all(&root).expect("the folder is there");
}

#[test]
fn a_client_that_watches_files_is_asked_for_deleted_folders_too() {
    let mut client = Client::connect(json!({"workspace": {
        "didChangeWatchedFiles": {"dynamicRegistration": true},
    }}));
    let registration = client.wait_for(|message| message["method"] == "client/registerCapability");
    let options = &registration["params"]["registrations"][0]["registerOptions"];
    let watchers = options["watchers"].as_array().expect("a list");
    for name in ["signature-ls.toml", ".gitignore", ".ignore"] {
        let watcher = json!({"globPattern": format!("**/{name}")});
        assert!(watchers.contains(&watcher), "{watchers:?}");
    }
    let repositories = json!({"globPattern": "**/.git", "kind": 1});
    assert!(watchers.contains(&repositories), "{watchers:?}");
    let deleted = json!({"globPattern": "**/*", "kind": 4});
    assert!(watchers.contains(&deleted), "{watchers:?}");
}

#[test]
fn a_client_with_settings_is_asked_for_them() {
    let mut client = Client::connect(json!({"workspace": {
        "configuration": true,
        "didChangeConfiguration": {"dynamicRegistration": true},
    }}));
    let registration = client.wait_for(|message| message["method"] == "client/registerCapability");
    assert_eq!(
        registration["params"]["registrations"][0]["method"],
        "workspace/didChangeConfiguration"
    );
    client.send(&json!({"jsonrpc": "2.0", "id": registration["id"], "result": null}));

    open(&mut client, "file:///a.ex", DATED);
    let params = client.receive("textDocument/publishDiagnostics");
    assert_eq!(params["diagnostics"], json!([]));
    let request = client.wait_for(|message| message["method"] == "workspace/configuration");
    assert_eq!(
        request["params"]["items"],
        json!([{"section": "signature-ls"}])
    );
    client.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": [{"edition": "0.5"}]}));
    let params = client.receive("textDocument/publishDiagnostics");
    assert_eq!(params["diagnostics"].as_array().map(Vec::len), Some(1));
}

#[test]
fn an_empty_notification_has_a_client_asked_again() {
    let (mut client, _) = Client::connect_with(json!({
        "capabilities": {"workspace": {"configuration": true}},
        "initializationOptions": {"edition": "0.5"},
    }));
    open(&mut client, "file:///a.ex", DATED);
    assert_eq!(found(&mut client), 1);
    let answer = |client: &mut Client, result: Value| {
        let request = client.wait_for(|message| message["method"] == "workspace/configuration");
        client.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": [result]}));
    };
    // The first answer says that there are no settings, so the initial ones apply.
    answer(&mut client, Value::Null);
    configure(&mut client, &json!({"other": {"edition": "0.11"}}));
    answer(&mut client, json!({"edition": "0.11"}));
    assert_eq!(found(&mut client), 0);
    configure(&mut client, &json!({}));
    answer(&mut client, json!({"edition": "0.4"}));
    assert_eq!(found(&mut client), 1);
}

/// A contract of another code base, with an unknown type.
const CONTRACT: &str = "Agent.ask(\"Hi {{name}}\", contract: \"(name :strng) -> :int\")\n";

#[test]
fn keys_and_calls_of_the_settings_count_as_long_as_they_are_set() {
    let mut client = Client::connect(json!({}));
    open(&mut client, "file:///a.ex", CONTRACT);
    assert_eq!(found(&mut client), 0);
    let set = json!({"signature-ls": {"signature": {"keys": ["contract"]}}});
    configure(&mut client, &set);
    assert_eq!(found(&mut client), 1);

    // An edit is analyzed with the same settings.
    let at = |character: usize| json!({"line": 0, "character": character});
    let type_end = CONTRACT.find(":strng").expect("a type") + ":str".len();
    client.notify(
        "textDocument/didChange",
        json!({
            "textDocument": {"uri": "file:///a.ex", "version": 2},
            "contentChanges": [{"range": {"start": at(type_end), "end": at(type_end)}, "text": "i"}],
        }),
    );
    assert_eq!(found(&mut client), 0);
    let hover = client.request(
        "textDocument/hover",
        json!({"textDocument": {"uri": "file:///a.ex"}, "position": at(type_end)}),
    );
    assert_ne!(hover, Value::Null);

    let with_call = json!({"signature-ls": {
        "signature": {"keys": ["contract"]},
        "elixir": {"prompt": {"calls": ["Agent.ask"]}},
    }});
    configure(&mut client, &with_call);
    assert_eq!(found(&mut client), 0);
    let placeholder = json!({"textDocument": {"uri": "file:///a.ex"}, "position": at(18)});
    assert_ne!(
        client.request("textDocument/hover", placeholder.clone()),
        Value::Null
    );
    configure(&mut client, &json!({"signature-ls": {}}));
    found(&mut client);
    assert_eq!(
        client.request("textDocument/hover", placeholder),
        Value::Null
    );
}

#[test]
fn a_changed_settings_file_is_read_again_and_the_editor_overrides_it() {
    let root = std::env::temp_dir().join(format!("signature-ls-toml-{}", std::process::id()));
    fs::create_dir_all(&root).expect("a folder");
    let settings = root.join("signature-ls.toml");
    let mut client = Client::connect(json!({}));
    let write = |client: &mut Client, text: &str| {
        fs::write(&settings, text).expect("a file");
        let changes = json!({"changes": [{"uri": file_uri(&settings), "type": 2}]});
        client.notify("workspace/didChangeWatchedFiles", changes);
    };
    open(&mut client, &file_uri(&root.join("a.ex")), CONTRACT);
    assert_eq!(found(&mut client), 0);
    write(&mut client, "[signature]\nkeys = [\"contract\"]\n");
    assert_eq!(found(&mut client), 1);
    configure(&mut client, &json!({"prompt": {"keys": ["contract"]}}));
    assert_eq!(found(&mut client), 0);
    configure(&mut client, &json!({"signature-ls": {}}));
    assert_eq!(found(&mut client), 1);

    write(&mut client, "[signature]\nkeys = \"contract\"\n");
    let message = client.receive("window/showMessage");
    assert_eq!(
        message["message"],
        format!(
            "{}:2:8: `signature.keys` has to be a list of names in quotes, such as [\"contract\"].",
            settings.display()
        )
    );
    assert_eq!(found(&mut client), 0);
    write(&mut client, "[elixir.signature]\nkeys = [\"contract\"]\n");
    assert_eq!(found(&mut client), 1);
    fs::remove_dir_all(&root).expect("the folder is there");
}

#[test]
fn settings_files_are_noticed_without_a_client_that_watches() {
    let root = std::env::temp_dir().join(format!("signature-ls-unwatched-{}", std::process::id()));
    fs::create_dir_all(&root).expect("a folder");
    let mut client = Client::connect(json!({}));
    let uri = file_uri(&root.join("a.ex"));
    open(&mut client, &uri, DATED);
    assert_eq!(found(&mut client), 0);
    let lock = |release: &str| {
        format!(
            "%{{\"ptc_runner\": {{:hex, :ptc_runner, \"{release}\", \"a\", [:mix], [], \"hexpm\", \"b\"}}}}"
        )
    };
    fs::write(root.join("mix.lock"), lock("0.10.0")).expect("a file");
    let saved = json!({"textDocument": {"uri": uri}});
    client.notify("textDocument/didSave", saved);
    assert_eq!(found(&mut client), 1);
    fs::write(root.join("mix.lock"), lock("0.13.0 ")).expect("a file");
    // As sent by editors that regain focus.
    configure(&mut client, &json!({}));
    assert_eq!(found(&mut client), 0);
    fs::remove_dir_all(&root).expect("the folder is there");
}

#[test]
fn each_folder_has_its_own_settings() {
    let folder = |name: &str| json!({"uri": format!("file:///{name}"), "name": name});
    let (mut client, _) = Client::connect_with(json!({
        "capabilities": {"workspace": {"configuration": true, "workspaceFolders": true}},
        "workspaceFolders": [folder("one"), folder("two")],
    }));
    let answer = |client: &mut Client, folders: &[&str], result: Value| {
        let request = client.wait_for(|message| message["method"] == "workspace/configuration");
        let scoped = folders
            .iter()
            .map(|name| json!({"scopeUri": format!("file:///{name}"), "section": "signature-ls"}));
        let items = [json!({"section": "signature-ls"})].into_iter();
        let items: Vec<_> = items.chain(scoped).collect();
        assert_eq!(request["params"]["items"], json!(items));
        client.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}));
    };
    let of = |edition: &str| json!({ "edition": edition });
    let result = json!([of("0.5"), of("0.4"), of("0.11")]);
    answer(&mut client, &["one", "two"], result);
    for (uri, count) in [
        ("file:///one/a.ex", 1),
        ("file:///two/a.ex", 0),
        ("file:///elsewhere/a.ex", 1),
    ] {
        open(&mut client, uri, DATED);
        assert_eq!(found(&mut client), count, "{uri}");
    }
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        json!({"event": {"added": [folder("elsewhere")], "removed": [folder("one")]}}),
    );
    // The file is in no folder now; its edition is another one, with the same diagnostics.
    let params = client.receive("textDocument/publishDiagnostics");
    assert_eq!(params["uri"], "file:///one/a.ex");
    let result = json!([of("0.5"), of("0.11"), of("0.11")]);
    answer(&mut client, &["two", "elsewhere"], result);
    let params = client.receive("textDocument/publishDiagnostics");
    assert_eq!(params["uri"], "file:///elsewhere/a.ex");
    assert_eq!(params["diagnostics"], json!([]));
}
