//! Navigation and renaming over the protocol.

use serde_json::{Value, json};

use crate::{client::Client, editor::Editor};

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
fn a_client_that_takes_links_is_told_which_name_was_meant() {
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
