//! Functions of tools that are defined in other files.

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

/// Waits until `count` diagnostics are published for `uri`.
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
    // The first, empty list may have been sent before the functions were known.
    wait_until_clean(&mut client, &uri);
    fs::remove_dir_all(&root).expect("the folder is there");
}

/// Requests diagnostics repeatedly until there are none in `uri`.
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
    // The file was not saved.
    wait_until_clean(&mut client, &agent);
    fs::remove_dir_all(&root).expect("the folder is there");
}

/// A module with its own agent, whose tool has that argument.
fn whole(spec: &str) -> String {
    format!(
        "{}SubAgent.new(prompt: \"Go.\", tools: %{{\"stop\" => &MyApp.stop/1}})\n",
        module(spec)
    )
}

fn open(client: &mut Client, uri: &str, text: &str) {
    client.notify(
        "textDocument/didOpen",
        json!({"textDocument": {"uri": uri, "languageId": "elixir", "version": 1, "text": text}}),
    );
}

fn replace(client: &mut Client, uri: &str, version: i64, text: &str) {
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}),
    );
}

/// Types `new` over the first `old` in `text`.
fn type_over(client: &mut Client, uri: &str, version: i64, text: &str, old: &str, new: &str) {
    let at = text.find(old).expect("a place");
    let line = text[..at].matches('\n').count();
    let column = at - text[..at].rfind('\n').map_or(0, |it| it + 1);
    let range = json!({
        "start": {"line": line, "character": column},
        "end": {"line": line, "character": column + old.len()},
    });
    client.notify(
        "textDocument/didChange",
        json!({
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"range": range, "text": new}],
        }),
    );
}

#[test]
fn a_keystroke_in_a_spec_is_answered_once_and_rightly() {
    let mut client = Client::connect(json!({}));
    for uri in ["file:///nowhere/a.ex", "untitled:Untitled-1"] {
        open(&mut client, uri, &whole("integer()"));
        let (mut version, mut spec) = (1, "integer()");
        for next in ["pid()", "integer()", "pid()", "integer()"] {
            version += 1;
            type_over(&mut client, uri, version, &whole(spec), spec, next);
            spec = next;
        }
        let mut counts = Vec::new();
        for version in 1..=5 {
            // Changes that arrive together are answered once, for the last of them.
            let params = client.receive("textDocument/publishDiagnostics");
            let of = params["version"].as_i64().expect("a version");
            assert!(of >= version);
            let found = params["diagnostics"].as_array().expect("a list").len();
            assert_eq!(found, usize::from(of % 2 == 0), "{params}");
            counts.push(of);
            if of == 5 {
                break;
            }
        }
        let mut once = counts.clone();
        once.dedup();
        assert_eq!(counts, once);
    }
}

/// The files that are published after `uri`, until the server is idle.
fn published_with(client: &mut Client, uri: &str) -> Vec<String> {
    let first = client.receive("textDocument/publishDiagnostics");
    let params = json!({"textDocument": {"uri": uri}});
    client.request("textDocument/diagnostic", params);
    let rest = client.take_unread("textDocument/publishDiagnostics");
    let uri_of = |params: &Value| params["uri"].as_str().unwrap_or_default().to_owned();
    let mut uris: Vec<_> = std::iter::once(&first).chain(&rest).map(uri_of).collect();
    uris.sort();
    uris
}

#[test]
fn a_keystroke_publishes_the_files_whose_findings_it_changes() {
    let root = std::env::temp_dir().join(format!("signature-ls-publish-{}", std::process::id()));
    fs::create_dir_all(&root).expect("a folder");
    fs::write(root.join("mix.exs"), "").expect("a project");
    let mut client = Client::connect(json!({}));
    let [module, agent, other] =
        ["my_app.ex", "agent.ex", "other.ex"].map(|name| file_uri(&root.join(name)));
    let text = format!("# About it.\n{}", self::module("integer()"));
    let text = text.replace("  @spec", "  @doc \"Stops.\"\n  @spec");
    open(&mut client, &module, &text);
    open(&mut client, &agent, AGENT);
    open(
        &mut client,
        &other,
        &AGENT.replace("MyApp.stop", "Other.stop"),
    );
    for uri in [&module, &agent, &other] {
        let params = json!({"textDocument": {"uri": uri}});
        client.request("textDocument/diagnostic", params);
    }
    client.take_unread("textDocument/publishDiagnostics");

    let mut version = 1;
    let mut typed = |old: &str, new: &str, expected: &[&String]| {
        version += 1;
        type_over(&mut client, &module, version, &text, old, new);
        let published = published_with(&mut client, &module);
        assert_eq!(published.iter().collect::<Vec<_>>(), expected, "{new}");
        version += 1;
        let changed = text.replacen(old, new, 1);
        type_over(&mut client, &module, version, &changed, new, old);
        let published = published_with(&mut client, &module);
        assert_eq!(published.iter().collect::<Vec<_>>(), expected, "{old}");
    };
    typed("About", "Above", &[&module]);
    typed("Stops", "Halts", &[&module]);
    typed("boolean()", "integer()", &[&module]);
    typed("integer()", "pid()", &[&agent, &module]);
    fs::remove_dir_all(&root).expect("the folder is there");
}

#[test]
fn a_pull_knows_what_was_typed_just_now() {
    let pulls = json!({
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": {"refreshSupport": true}},
    });
    let mut client = Client::connect(pulls);
    let uri = "file:///nowhere/a.ex";
    open(&mut client, uri, &whole("integer()"));
    let (mut spec, mut previous) = ("integer()", Value::Null);
    for version in 2..12 {
        let next = if version % 2 == 0 {
            "pid()"
        } else {
            "integer()"
        };
        type_over(&mut client, uri, version, &whole(spec), spec, next);
        spec = next;
        let params = json!({"textDocument": {"uri": uri}, "previousResultId": previous});
        let report = client.request("textDocument/diagnostic", params);
        assert_eq!(report["kind"], "full", "{report}");
        let found = report["items"].as_array().expect("a list").len();
        assert_eq!(found, usize::from(spec == "pid()"));
        previous = report["resultId"].clone();
    }
}

#[test]
fn a_client_that_pulls_learns_when_another_file_matters() {
    let root = std::env::temp_dir().join(format!("signature-ls-refresh-{}", std::process::id()));
    fs::create_dir_all(&root).expect("a folder");
    fs::write(root.join("mix.exs"), "").expect("a project");
    let pulls = json!({
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": {"refreshSupport": true}},
    });
    let mut client = Client::connect(pulls);
    let (agent, library) = (
        file_uri(&root.join("agent.ex")),
        file_uri(&root.join("my_app.ex")),
    );
    open(&mut client, &agent, AGENT);
    open(&mut client, &library, &module("integer()"));
    let pull = json!({"textDocument": {"uri": agent}});
    let report = client.request("textDocument/diagnostic", pull.clone());
    assert_eq!(report["items"], json!([]));
    replace(&mut client, &library, 2, &module("pid()"));
    let refresh = client.wait_for(|it| it["method"] == "workspace/diagnostic/refresh");
    client.send(&json!({"jsonrpc": "2.0", "id": refresh["id"], "result": null}));
    let report = client.request("textDocument/diagnostic", pull);
    assert_eq!(report["items"][0]["code"], "unmapped-spec");
    fs::remove_dir_all(&root).expect("the folder is there");
}

#[test]
fn a_pull_of_a_file_that_is_not_open_knows_the_functions_of_others() {
    let root = std::env::temp_dir().join(format!("signature-ls-closed-{}", std::process::id()));
    fs::create_dir_all(&root).expect("a folder");
    fs::write(root.join("mix.exs"), "").expect("a project");
    fs::write(root.join("my_app.ex"), module("pid()")).expect("a module");
    fs::write(root.join("agent.ex"), AGENT).expect("an agent");
    let mut client = Client::connect(json!({}));
    let pull = json!({"textDocument": {"uri": file_uri(&root.join("agent.ex"))}});
    let report = client.request("textDocument/diagnostic", pull);
    assert_eq!(report["items"][0]["code"], "unmapped-spec");
    fs::remove_dir_all(&root).expect("the folder is there");
}

/// Nothing in the file names the module yet, so nothing was read before.
#[test]
fn the_first_completion_of_a_capture_waits_for_the_functions_of_the_project() {
    let root = std::env::temp_dir().join(format!("signature-ls-first-{}", std::process::id()));
    fs::create_dir_all(&root).expect("a folder");
    fs::write(root.join("mix.exs"), "").expect("a project");
    fs::write(root.join("my_app.ex"), module("integer()")).expect("a module");
    for ending in ["})\n", ""] {
        let mut client = Client::connect(json!({}));
        let uri = file_uri(&root.join("agent.ex"));
        let text = format!("SubAgent.new(prompt: \"Go.\", tools: %{{\"stop\" => &MyApp.{ending}");
        client.notify(
            "textDocument/didOpen",
            json!({"textDocument": {"uri": uri, "languageId": "elixir", "version": 1, "text": text}}),
        );
        let column = text.find("MyApp.").expect("a capture") + "MyApp.".len();
        let answer = client.request(
            "textDocument/completion",
            json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": column}}),
        );
        assert_eq!(answer["items"][0]["label"], "MyApp.stop/1", "{answer}");
    }
    fs::remove_dir_all(&root).expect("the folder is there");
}

/// The places in other files that the diagnostics of `uri` refer to, as they were published last: the file's name and
/// the line.
fn related(client: &mut Client, uri: &str) -> Vec<(String, u64)> {
    let message = client.wait_for(|message| {
        let params = &message["params"];
        message["method"] == "textDocument/publishDiagnostics"
            && params["uri"] == uri
            && params["diagnostics"].to_string().contains("lib.ex")
    });
    let found = message["params"]["diagnostics"]
        .as_array()
        .expect("findings");
    let places = found
        .iter()
        .flat_map(|it| it["relatedInformation"].as_array());
    let place = |it: &Value| {
        let location = &it["location"];
        let name = location["uri"].as_str().unwrap_or_default();
        let name = name.rsplit('/').next().unwrap_or_default().to_owned();
        let line = location["range"]["start"]["line"].as_u64();
        (name, line.unwrap_or_default())
    };
    places.flatten().map(place).collect()
}

#[test]
fn findings_name_their_declarations_in_other_files() {
    let root = std::env::temp_dir().join(format!("signature-ls-related-{}", std::process::id()));
    fs::create_dir_all(&root).expect("a folder");
    fs::write(root.join("mix.exs"), "").expect("a project");
    let lib = "defmodule Lib do\n  def finder do\n    SubAgent.new(prompt: \"{{topic}}\", signature: \"(topic :string) -> {count :int}\")\n  end\n\n                 @spec user(integer()) :: %{name: String.t()}\n  def user(id), do: id\nend\n";
    fs::write(root.join("lib.ex"), lib).expect("a module");
    let library = file_uri(&root.join("lib.ex"));
    let uri = file_uri(&root.join("main.ex"));
    let mut client = Client::connect(json!({
        "textDocument": {"publishDiagnostics": {"relatedInformation": true}},
    }));
    let main = "defmodule Main do\n  def run, do: SubAgent.run(Lib.finder(), context: %{topik: \"x\"}, llm: llm)\n                  def program, do: PtcRunner.Lisp.run(\"(tool/user {:id true})\", tools: %{\"user\" => &Lib.user/1})\nend\n";
    open(&mut client, &uri, main);
    let lib_at = |line| ("lib.ex".to_owned(), line);
    // The parameter that is meant, and that of the function.
    let expected = |by: u64| [lib_at(2 + by), lib_at(6 + by)];
    assert_eq!(related(&mut client, &uri), expected(0));

    // The text that the editor has counts, and then again that on the disk.
    open(&mut client, &library, lib);
    replace(&mut client, &library, 2, &format!("# 1\n# 2\n{lib}"));
    assert_eq!(related(&mut client, &uri), expected(2));
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": library}}),
    );
    assert_eq!(related(&mut client, &uri), expected(0));
    fs::write(root.join("lib.ex"), format!("# 1\n{lib}")).expect("a module");
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({"changes": [{"uri": library, "type": 2}]}),
    );
    assert_eq!(related(&mut client, &uri), expected(1));

    let params = json!({"textDocument": {"uri": uri}});
    let pulled = client.request("textDocument/diagnostic", params);
    assert!(pulled.to_string().contains("lib.ex"), "{pulled}");
    fs::remove_dir_all(&root).expect("the folder is there");
}
