//! What the other files of a project say of the functions behind tools.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::client::{Client, file_uri};

const AGENT: &str = "SubAgent.new(prompt: \"Go.\", tools: %{\"stop\" => &MyApp.stop/1})\n";

fn module(spec: &str) -> String {
    format!("defmodule MyApp do\n  @spec stop({spec}) :: boolean()\n  def stop(it), do: it\nend\n")
}

/// Waits until as many findings as `count` are told of `uri`.
fn codes(client: &mut Client, uri: &str, count: usize) -> Vec<String> {
    let message = client.wait_for(|message| {
        let params = &message["params"];
        message["method"] == "textDocument/publishDiagnostics"
            && params["uri"] == uri
            && params["diagnostics"]
                .as_array()
                .is_some_and(|it| it.len() == count)
    });
    let found = message["params"]["diagnostics"]
        .as_array()
        .expect("findings");
    let code = |it: &Value| it["code"].as_str().unwrap_or_default().to_owned();
    found.iter().map(code).collect()
}

#[test]
fn a_spec_in_another_file_counts_and_is_read_again_when_it_changes() {
    let root = std::env::temp_dir().join(format!("signature-ls-lsp-{}", std::process::id()));
    fs::create_dir_all(&root).expect("a folder");
    fs::write(root.join("mix.exs"), "").expect("a project");
    let library = root.join("my_app.ex");
    fs::write(&library, module("pid()")).expect("a module");

    let mut client = Client::connect(json!({}));
    let uri = file_uri(&root.join("agent.ex"));
    client.notify(
        "textDocument/didOpen",
        json!({"textDocument": {"uri": uri, "languageId": "elixir", "version": 1, "text": AGENT}}),
    );
    assert_eq!(codes(&mut client, &uri, 1), ["unmapped-spec"]);

    fs::write(&library, module("integer()")).expect("a module");
    let changed = file_uri(&library);
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({"changes": [{"uri": changed, "type": 2}]}),
    );
    // The first, empty list may have come before the functions were known.
    wait_until_clean(&mut client, &uri);
    fs::remove_dir_all(&root).expect("the folder is there");
}

/// Asks again and again until nothing is found in `uri`.
fn wait_until_clean(client: &mut Client, uri: &str) {
    let begin = Instant::now();
    loop {
        let params = json!({"textDocument": {"uri": uri}});
        let request = client.ask("textDocument/diagnostic", params);
        let answer = client.answer(request);
        if answer["result"]["items"] == json!([]) {
            return;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "{answer}");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_editors_text_of_a_module_counts_and_so_does_the_disk_once_it_is_closed() {
    let root = std::env::temp_dir().join(format!("signature-ls-unsaved-{}", std::process::id()));
    fs::create_dir_all(&root).expect("a folder");
    fs::write(root.join("mix.exs"), "").expect("a project");
    let library = root.join("my_app.ex");
    fs::write(&library, module("integer()")).expect("a module");

    let mut client = Client::connect(json!({}));
    let (agent, library) = (file_uri(&root.join("agent.ex")), file_uri(&library));
    for (uri, text) in [(&agent, AGENT), (&library, &module("integer()"))] {
        client.notify(
            "textDocument/didOpen",
            json!({"textDocument": {"uri": uri, "languageId": "elixir", "version": 1, "text": text}}),
        );
    }
    client.notify(
        "textDocument/didChange",
        json!({
            "textDocument": {"uri": library, "version": 2},
            "contentChanges": [{"text": module("pid()")}],
        }),
    );
    assert_eq!(codes(&mut client, &agent, 1), ["unmapped-spec"]);
    client.notify(
        "textDocument/didSave",
        json!({"textDocument": {"uri": library}}),
    );
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": library}}),
    );
    // The file was not really saved.
    wait_until_clean(&mut client, &agent);
    fs::remove_dir_all(&root).expect("the folder is there");
}
