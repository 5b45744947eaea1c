//! Navigation and renaming over the protocol.

use serde_json::{Value, json};

use crate::{
    client::{Client, file_uri},
    editor::Editor,
};

const DOCUMENT: &str = "# 😀\nSubAgent.run(\"😀 {{#tags}}{{.}}{{/tags}} {{name}}\", signature: \"(name :string, tags [:string]) -> :any\", context: %{name: \"x\"})\n";

fn range_of(editor: &Editor, before: &str, name: &str) -> Value {
    let at = editor.text.find(before).expect("the text") + before.len();
    assert!(editor.text[at..].starts_with(name));
    editor.range(at, at + name.len())
}

#[test]
fn a_placeholder_leads_to_its_parameter_and_its_type() {
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let mut editor = Editor::open(encoding, DOCUMENT);
        let found = editor.ask_at("textDocument/definition", "name}}");
        let declared = range_of(&editor, "signature: \"(", "name");
        assert_eq!(found, json!([{"uri": editor.uri, "range": declared}]));
        let found = editor.ask_at("textDocument/typeDefinition", "name}}");
        let declared = range_of(&editor, "(name ", ":string");
        assert_eq!(found, json!([{"uri": editor.uri, "range": declared}]));
        for method in ["definition", "typeDefinition", "documentHighlight"] {
            let outside = editor.ask_at(&format!("textDocument/{method}"), "SubAgent");
            assert_eq!(outside, Value::Null);
        }
    }
}

#[test]
fn a_client_that_takes_links_learns_which_name_was_meant() {
    let link = json!({"linkSupport": true});
    let capabilities = json!({"textDocument": {"definition": link, "typeDefinition": link}});
    let mut client = Client::connect(capabilities);
    let uri = "file:///project/a.prompt";
    let text = "---\nsignature: \"(a :int) -> :int\"\n---\n{{a}}";
    let item = json!({"uri": uri, "languageId": "prompt", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({ "textDocument": item }));
    let params = json!({"textDocument": {"uri": uri}, "position": {"line": 3, "character": 2}});
    let range = |line: u32, start: u32, end: u32| json!({"start": {"line": line, "character": start}, "end": {"line": line, "character": end}});
    for (method, target) in [
        ("textDocument/definition", range(1, 13, 14)),
        ("textDocument/typeDefinition", range(1, 15, 19)),
    ] {
        let found = client.request(method, params.clone());
        let expected = json!([{
            "originSelectionRange": range(3, 2, 3),
            "targetUri": uri,
            "targetRange": target,
            "targetSelectionRange": target,
        }]);
        assert_eq!(found, expected, "{method}");
    }
}

#[test]
fn references_leave_out_the_definition_where_asked() {
    let mut editor = Editor::open("utf-16", DOCUMENT);
    for (includes, expected) in [(true, 3), (false, 2)] {
        let params = json!({
            "textDocument": {"uri": editor.uri},
            "position": editor.position_of("name}}"),
            "context": {"includeDeclaration": includes},
        });
        let found = editor.client.request("textDocument/references", params);
        assert_eq!(found.as_array().map(Vec::len), Some(expected), "{found}");
    }
    let found = editor.ask_at("textDocument/documentHighlight", "name}}");
    let kinds: Vec<_> = found.as_array().expect("some").iter().collect();
    let (read, write) = (2, 3);
    assert_eq!(kinds.len(), 3);
    assert_eq!(kinds[0]["kind"], read);
    assert_eq!(kinds[1]["kind"], write);
}

#[test]
fn renaming_edits_the_version_it_was_made_for() {
    let mut editor = Editor::open("utf-16", DOCUMENT);
    let prepared = editor.ask_at("textDocument/prepareRename", "name}}");
    let expected =
        json!({"range": range_of(&editor, "{{/tags}} {{", "name"), "placeholder": "name"});
    assert_eq!(prepared, expected);
    let params = json!({
        "textDocument": {"uri": editor.uri},
        "position": editor.position_of("name}}"),
        "newName": "title",
    });
    let edit = editor.client.request("textDocument/rename", params);
    let change = &edit["documentChanges"][0];
    assert_eq!(change["textDocument"]["version"], 1);
    let edits = change["edits"].as_array().expect("edits");
    assert_eq!(edits.len(), 3);
    for edit in edits {
        assert_eq!(edit["newText"], "title");
        assert_eq!(editor.text_at(&edit["range"]), "name");
    }
}

#[test]
fn a_renaming_is_refused_with_the_reason() {
    let mut editor = Editor::open("utf-16", DOCUMENT);
    for (name, reason) in [("tags", "`tags` is taken"), ("1", "`1` is not a name")] {
        let params = json!({
            "textDocument": {"uri": editor.uri},
            "position": editor.position_of("name}}"),
            "newName": name,
        });
        let id = editor.client.ask("textDocument/rename", params);
        let answer = editor.client.answer(id);
        assert_eq!(answer["error"]["code"], -32803, "{answer}");
        let message = answer["error"]["message"].as_str().expect("a message");
        assert!(message.starts_with(reason), "{message}");
    }
    let outside = editor.ask_at("textDocument/prepareRename", "SubAgent");
    assert_eq!(outside, Value::Null);
}

#[test]
fn the_tags_of_a_section_are_edited_as_one() {
    let mut editor = Editor::open("utf-16", DOCUMENT);
    let found = editor.ask_at("textDocument/linkedEditingRange", "tags}}");
    let opening = range_of(&editor, "{{#", "tags");
    let closing = range_of(&editor, "{{/", "tags");
    assert_eq!(found["ranges"], json!([opening, closing]));
    let other = editor.ask_at("textDocument/linkedEditingRange", "name}}");
    assert_eq!(other, Value::Null);
}

#[test]
fn preparing_is_offered_to_clients_that_prepare() {
    for (client, offered) in [
        (json!({}), json!(true)),
        (
            json!({"rename": {"prepareSupport": true}}),
            json!({"prepareProvider": true}),
        ),
    ] {
        let params = json!({"capabilities": {"textDocument": client}});
        let (_, capabilities) = Client::connect_with(params);
        assert_eq!(capabilities["renameProvider"], offered);
    }
}

#[test]
fn a_capture_leads_to_its_function_in_another_file() {
    let root = std::env::temp_dir().join(format!("signature-ls-names-{}", std::process::id()));
    std::fs::create_dir_all(root.join("lib")).expect("a folder");
    std::fs::write(root.join("mix.exs"), "").expect("a project");
    let library = root.join("lib/my_app.ex");
    let module =
        "defmodule MyApp do\n  @spec stop(integer()) :: :ok\n  def stop(id), do: id\nend\n";
    std::fs::write(&library, module).expect("a module");

    let mut client = Client::connect(json!({}));
    let uri = file_uri(&root.join("lib/agent.ex"));
    let text = "alias MyApp, as: App\nLisp.run(\"(tool/stop {:id 1})\", tools: %{\"stop\" => &App.stop/1})\n";
    let item = json!({"uri": uri, "languageId": "elixir", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({ "textDocument": item }));
    let ask = |client: &mut Client, character: usize| {
        let position = json!({"line": 1, "character": character});
        let params = json!({"textDocument": {"uri": uri}, "position": position});
        client.request("textDocument/definition", params)
    };
    let target = |line: u32, start: u32, end: u32| {
        let range = json!({
            "start": {"line": line, "character": start},
            "end": {"line": line, "character": end},
        });
        json!({"uri": file_uri(&library), "range": range})
    };
    let line = text.lines().nth(1).expect("a line");
    let capture = line.find("stop/1").expect("a capture");
    let found = ask(&mut client, capture);
    assert_eq!(found, json!([target(2, 6, 10), target(1, 8, 12)]));
    let argument = line.find("id 1").expect("an argument");
    let found = ask(&mut client, argument);
    assert_eq!(found, json!([target(2, 11, 13)]));

    // The text in the editor counts, saved or not.
    let unsaved = format!("# A comment.\n{module}");
    let item =
        json!({"uri": file_uri(&library), "languageId": "elixir", "version": 1, "text": unsaved});
    client.notify("textDocument/didOpen", json!({ "textDocument": item }));
    let found = ask(&mut client, argument);
    assert_eq!(found, json!([target(3, 11, 13)]));
    std::fs::remove_dir_all(&root).expect("the folder is there");
}
