//! Untrusted disks, and URIs that do not name a file.
#![cfg(unix)]

use std::{
    ffi::OsStr,
    fs,
    os::unix::{ffi::OsStrExt, fs::symlink},
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::{Value, json};

use crate::client::{Client, file_uri};

const AGENT: &str = "SubAgent.new(prompt: \"Go.\", tools: %{\"get\" => &Tools.get/1})\n";
const FAULT: &str = "[signature: \"(a :strng) -> :int\"]\n";

fn project(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It does not exist in the first run.
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(path.join("lib")).expect("a folder");
    fs::create_dir_all(path.join(".git")).expect("a folder");
    fs::write(path.join("mix.exs"), "").expect("a file");
    path
}

fn pipe_at(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("mkfifo runs").success());
}

fn open(client: &mut Client, uri: &str, text: &str) -> Vec<String> {
    let item = json!({"uri": uri, "languageId": "elixir", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({ "textDocument": item }));
    let found = client.wait_for(|message| message["params"]["uri"] == uri);
    codes(&found["params"]["diagnostics"])
}

fn pull(client: &mut Client, uri: &str) -> Vec<String> {
    let params = json!({"textDocument": {"uri": uri}});
    codes(&client.request("textDocument/diagnostic", params)["items"])
}

fn codes(found: &Value) -> Vec<String> {
    let found = found.as_array().expect("findings");
    let code = |it: &Value| it["code"].as_str().expect("a code").to_owned();
    found.iter().map(code).collect()
}

#[test]
fn a_project_of_pipes_devices_and_links_is_indexed() {
    let project = project("disk-index");
    let outside = Path::new(env!("CARGO_TARGET_TMPDIR")).join("disk-outside.ex");
    let specs = |ty: &str| {
        format!("defmodule Tools do\n  @spec get({ty}) :: integer()\n  def get(id), do: id\nend\n")
    };
    fs::write(&outside, specs("pid()")).expect("a file");
    symlink(&outside, project.join("lib/outside.ex")).expect("a link");
    for (target, name) in [
        ("/dev/zero", "zero.ex"),
        ("/dev/stdin", "stdin.ex"),
        ("/proc/self/mem", "mem.ex"),
        ("circle.ex", "circle.ex"),
        (".", "folder"),
        ("none", "dangling.ex"),
    ] {
        symlink(target, project.join("lib").join(name)).expect("a link");
    }
    for name in [
        "lib/pipe.ex",
        "mix.lock",
        "lib/signature-ls.toml",
        "lib/.gitignore",
    ] {
        pipe_at(&project.join(name));
    }
    let long = fs::File::create(project.join("lib/long.ex")).expect("a file");
    long.set_len(1 << 30).expect("a sparse file");
    fs::create_dir(project.join("lib/folder.ex")).expect("a folder");

    let mut client = Client::connect(json!({}));
    let uri = file_uri(&project.join("lib/agent.ex"));
    // Files outside of the project do not define `Tools`.
    assert_eq!(open(&mut client, &uri, AGENT), [] as [&str; 0]);
    for name in [
        "zero", "stdin", "mem", "circle", "dangling", "pipe", "long", "folder", "outside",
    ] {
        let uri = file_uri(&project.join(format!("lib/{name}.ex")));
        assert_eq!(pull(&mut client, &uri), [] as [&str; 0], "{name}");
    }
    fs::remove_file(project.join("lib/.gitignore")).expect("a pipe");
    fs::remove_file(project.join("lib/outside.ex")).expect("a link");
    fs::write(project.join("lib/tools.ex"), specs("pid()")).expect("a file");
    client.notify(
        "textDocument/didSave",
        json!({"textDocument": {"uri": uri}}),
    );
    let found = client.wait_for(|message| message["params"]["uri"] == uri.as_str());
    assert_eq!(codes(&found["params"]["diagnostics"]), ["unmapped-spec"]);
    fs::remove_dir_all(&project).expect("the project");
    assert_eq!(pull(&mut client, &uri), ["unmapped-spec"]);
    client.notify(
        "textDocument/didSave",
        json!({"textDocument": {"uri": uri}}),
    );
    let found = client.wait_for(|message| message["params"]["uri"] == uri.as_str());
    assert_eq!(codes(&found["params"]["diagnostics"]), [] as [&str; 0]);
}

#[test]
fn a_name_that_is_not_text_is_never_taken_for_another() {
    let project = project("disk-names");
    let odd = project.join(OsStr::from_bytes(b"\xff"));
    let other = project.join("\u{fffd}");
    for (folder, settings) in [(&odd, "off"), (&other, "error")] {
        fs::create_dir(folder).expect("a folder");
        let settings = format!("[rules]\nunknown-type = \"{settings}\"\n");
        fs::write(folder.join("signature-ls.toml"), settings).expect("a file");
        fs::write(folder.join("a.ex"), FAULT).expect("a file");
    }
    let mut client = Client::connect(json!({}));
    let uri = |folder: &str| format!("{}/{folder}/a.ex", file_uri(&project));
    assert_eq!(pull(&mut client, &uri("%FF")), [] as [&str; 0]);
    assert_eq!(pull(&mut client, &uri("%EF%BF%BD")), ["unknown-type"]);
    assert_eq!(open(&mut client, &uri("%FF"), FAULT), [] as [&str; 0]);
    assert_eq!(
        open(&mut client, &uri("%EF%BF%BD"), FAULT),
        ["unknown-type"]
    );
}

#[test]
fn the_definition_in_a_folder_whose_name_is_not_text_is_found_there() {
    let project = project("disk-definition");
    let odd = project.join(OsStr::from_bytes(b"lib/\xff"));
    fs::create_dir_all(&odd).expect("a folder");
    let module =
        "defmodule Tools do\n  @spec get(integer()) :: integer()\n  def get(id), do: id\nend\n";
    fs::write(odd.join("tools.ex"), module).expect("a file");
    let mut client = Client::connect(json!({}));
    let uri = file_uri(&project.join("lib/agent.ex"));
    open(&mut client, &uri, AGENT);
    let at = AGENT.find("Tools.get").expect("the capture");
    let params =
        json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": at + 7}});
    let found = client
        .request("textDocument/definition", params)
        .to_string();
    assert!(found.contains("/lib/%FF/tools.ex"), "{found}");
}

#[test]
fn uris_that_name_no_file_of_this_machine_read_none() {
    let project = project("disk-uris");
    fs::write(project.join("lib/a.ex"), FAULT).expect("a file");
    fs::write(
        project.join("signature-ls.toml"),
        "[rules]\nunknown-type = \"off\"\n",
    )
    .expect("a file");
    let path = format!("{}/lib/a.ex", project.display());
    let mut client = Client::connect(json!({}));
    for uri in [
        format!("file://{path}"),
        format!("FILE://localhost{path}"),
        format!("vscode-notebook-cell:{path}#W0"),
    ] {
        assert_eq!(open(&mut client, &uri, FAULT), [] as [&str; 0], "{uri}");
    }
    for uri in [
        format!("file://server{path}"),
        format!("vscode-remote://ssh-remote+host{path}"),
        format!("https://host{path}"),
        "untitled:Untitled-1".to_owned(),
        "file:///c%3A/project/lib/a.ex".to_owned(),
        "file:///C:/project/lib/a.ex".to_owned(),
        "file:///C:\\project\\lib\\b.ex".to_owned(),
        "file:///project/%00/a.ex".to_owned(),
        "file:///project/../../../../a.ex".to_owned(),
        "jar:file:///a.jar!/b.ex".to_owned(),
    ] {
        assert_eq!(open(&mut client, &uri, FAULT), ["unknown-type"], "{uri}");
    }
    for uri in [
        format!("git:{path}?ref"),
        format!("file://server{path}"),
        format!("file://{path}%00"),
    ] {
        let mut client = Client::connect(json!({}));
        assert_eq!(pull(&mut client, &uri), [] as [&str; 0], "{uri}");
    }
}

#[test]
fn of_two_uris_of_a_file_the_one_that_is_left_counts() {
    let tools = "defmodule Tools do\n  @spec get(pid()) :: integer()\n  def get(id), do: id\nend\n";
    for other in ["%74ools", "tools"] {
        for first in [0, 1] {
            let project = project("disk-two-uris");
            fs::write(project.join("lib/tools.ex"), "").expect("a file");
            let mut client = Client::connect(json!({}));
            let agent = file_uri(&project.join("lib/agent.ex"));
            assert_eq!(open(&mut client, &agent, AGENT), [] as [&str; 0]);
            let folder = project.join("lib").display().to_string();
            let uris = [
                format!("file://{folder}/tools.ex"),
                format!("file://localhost{folder}/{other}.ex"),
            ];
            for (index, uri) in uris.iter().enumerate() {
                let text = if index == first { "# None\n" } else { tools };
                open(&mut client, uri, text);
            }
            let closed = json!({"textDocument": {"uri": uris[first]}});
            client.notify("textDocument/didClose", closed);
            assert_eq!(pull(&mut client, &agent), ["unmapped-spec"], "{uris:?}");
        }
    }
}
