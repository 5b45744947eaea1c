//! Every announced capability, driven over standard input and output.

use serde_json::{Value, json};

use crate::editor::Editor;

const PROMPT: &str = "---\nname: mail\nsignature: '(user {name :string}, items [{id :int}]) -> :bool?'\n---\n😀 {{user.name}}\n{{#items}}\n{{id}}\n{{/items}}\n";

fn editor() -> Editor {
    let mut editor = Editor::open("utf-16", "x = 1\n");
    editor.open_another("mail.prompt", "signature-prompt", PROMPT);
    editor
}

fn document(editor: &Editor) -> Value {
    json!({"textDocument": {"uri": editor.uri}})
}

fn texts(editor: &Editor, ranges: impl Iterator<Item = Value>) -> Vec<String> {
    ranges.map(|range| editor.text_at(&range)).collect()
}

#[test]
fn the_outline_nests_what_belongs_together() {
    let mut editor = editor();
    let document = document(&editor);
    let flat = editor
        .client
        .request("textDocument/documentSymbol", document);
    let names = flat.as_array().expect("symbols").iter().map(|it| {
        let (name, container) = (&it["name"], &it["containerName"]);
        format!(
            "{} in {}",
            name.as_str().unwrap_or("?"),
            container.as_str().unwrap_or("-")
        )
    });
    assert_eq!(
        names.collect::<Vec<_>>(),
        [
            "mail in -",
            "user in mail",
            "name in user",
            "items in mail",
            "id in items"
        ]
    );
}

#[test]
fn records_and_sections_fold() {
    let mut editor = editor();
    let document = document(&editor);
    let folds = editor.client.request("textDocument/foldingRange", document);
    assert_eq!(
        folds,
        json!([{"startLine": 0, "endLine": 2}, {"startLine": 5, "endLine": 6}])
    );
}

#[test]
fn a_selection_grows_and_stays_where_it_is_elsewhere() {
    let mut editor = editor();
    let at = editor.position_of("name}}");
    let mut params = document(&editor);
    params["positions"] = json!([at, {"line": 1, "character": 0}]);
    let answer = editor.client.request("textDocument/selectionRange", params);
    let chain = std::iter::successors(Some(answer[0].clone()), |it| it.get("parent").cloned());
    let ranges: Vec<_> = chain.map(|it| it["range"].clone()).collect();
    let shown = texts(&editor, ranges.into_iter());
    assert_eq!(shown[..3], ["name", "user.name", "{{user.name}}"]);
    assert_eq!(
        answer[1]["range"]["start"],
        json!({"line": 1, "character": 0})
    );
    let mut elsewhere = document(&editor);
    elsewhere["positions"] = json!([{"line": 1, "character": 0}]);
    let answer = editor
        .client
        .request("textDocument/selectionRange", elsewhere);
    assert_eq!(answer, Value::Null);
}

#[test]
fn colours_come_whole_in_part_and_as_changes() {
    let mut editor = editor();
    let params = document(&editor);
    let whole = editor
        .client
        .request("textDocument/semanticTokens/full", params);
    let tokens = decoded(&editor, &whole["data"]);
    assert_eq!(tokens[..3], ["user", "name", ":string"]);
    assert!(tokens.contains(&"id".to_owned()), "{tokens:?}");

    let mut params = document(&editor);
    params["range"] = editor.range(
        PROMPT.find("{{user").expect("it"),
        PROMPT.find("{{#").expect("it"),
    );
    let part = editor
        .client
        .request("textDocument/semanticTokens/range", params);
    assert_eq!(
        decoded(&editor, &part["data"]),
        ["{{", "user", "name", "}}"]
    );

    editor.replace("{{user.name}}", "{{user.name}} {{user}}");
    let mut params = document(&editor);
    params["previousResultId"] = whole["resultId"].clone();
    let change = editor
        .client
        .request("textDocument/semanticTokens/full/delta", params);
    let mut data: Vec<Value> = whole["data"].as_array().expect("data").clone();
    for edit in change["edits"].as_array().expect("edits") {
        let start = edit["start"].as_u64().expect("a start") as usize;
        let count = edit["deleteCount"].as_u64().expect("a count") as usize;
        let new = edit["data"].as_array().cloned().unwrap_or_default();
        data.splice(start..start + count, new);
    }
    let params = document(&editor);
    let whole = editor
        .client
        .request("textDocument/semanticTokens/full", params);
    assert_eq!(json!(data), whole["data"]);
    assert_eq!(change["resultId"], whole["resultId"]);
    let mut params = document(&editor);
    params["previousResultId"] = json!("old");
    let fresh = editor
        .client
        .request("textDocument/semanticTokens/full/delta", params);
    assert_eq!(fresh["data"], whole["data"]);
}

fn decoded(editor: &Editor, data: &Value) -> Vec<String> {
    let numbers: Vec<u64> = serde_json::from_value(data.clone()).expect("numbers");
    let (mut line, mut character) = (0, 0);
    let tokens = numbers.chunks(5).map(|token| {
        character = if token[0] == 0 {
            character + token[1]
        } else {
            token[1]
        };
        line += token[0];
        let start = json!({"line": line, "character": character});
        let end = json!({"line": line, "character": character + token[2]});
        editor.text_at(&json!({"start": start, "end": end}))
    });
    tokens.collect()
}

#[test]
fn rules_in_comments_are_links() {
    let text =
        "# signature-ls: ignore unknown-type\nSubAgent.run(\"a\", signature: \"() -> :uuid\")\n";
    let mut editor = Editor::open("utf-16", text);
    let params = document(&editor);
    let links = editor.client.request("textDocument/documentLink", params);
    assert_eq!(editor.text_at(&links[0]["range"]), "unknown-type");
    let target = links[0]["target"].as_str().expect("a target");
    assert!(target.ends_with("#unknown-type"), "{target}");
}

#[test]
fn outside_of_our_strings_there_is_nothing() {
    let mut editor = Editor::open("utf-16", "def f(x) do\n  [x,\n   x]\nend\n");
    for method in ["documentSymbol", "foldingRange", "documentLink"] {
        let params = document(&editor);
        let answer = editor
            .client
            .request(&format!("textDocument/{method}"), params);
        assert_eq!(answer, Value::Null, "{method}");
    }
}

fn completions(editor: &mut Editor, text: &str) -> Vec<Value> {
    let at = editor.position_of(text);
    let mut params = document(editor);
    params["position"] = at;
    let answer = editor.client.request("textDocument/completion", params);
    answer["items"].as_array().cloned().unwrap_or_default()
}

fn completing(capabilities: Value) -> Editor {
    let text =
        "SubAgent.run(\"{{#items}}{{id}}{{/items}}\", signature: \"(items strin) -> :int\")\n";
    let capabilities = json!({"textDocument": {"completion": {"completionItem": capabilities}}});
    Editor::connect("utf-16", capabilities, text)
}

#[test]
fn completions_keep_to_what_the_client_reads() {
    let mut plain = completing(json!({}));
    let items = completions(&mut plain, ") -> :int");
    let list = items
        .iter()
        .find(|it| it["label"] == "[…]")
        .expect("a list");
    assert_eq!(list["textEdit"]["newText"], "[:any]");
    assert!(list.get("insertTextFormat").is_none(), "{list}");
    assert_eq!(plain.text_at(&list["textEdit"]["range"]), "strin");
    let string = items
        .iter()
        .find(|it| it["label"] == ":string")
        .expect("a type");
    assert!(string.get("documentation").is_none(), "{string}");
    let resolved = plain
        .client
        .request("completionItem/resolve", string.clone());
    assert_eq!(resolved["documentation"]["kind"], "plaintext");
    let text = resolved["documentation"]["value"].as_str().expect("a text");
    assert!(text.contains("UTF-8") && !text.contains('`'), "{text}");

    let mut rich = completing(json!({
        "snippetSupport": true,
        "insertReplaceSupport": true,
        "documentationFormat": ["markdown", "plaintext"],
    }));
    let items = completions(&mut rich, "rin) -> :int");
    let list = items
        .iter()
        .find(|it| it["label"] == "[…]")
        .expect("a list");
    assert_eq!(list["insertTextFormat"], 2);
    assert_eq!(rich.text_at(&list["textEdit"]["insert"]), "st");
    assert_eq!(rich.text_at(&list["textEdit"]["replace"]), "strin");
    let string = items
        .iter()
        .find(|it| it["label"] == ":string")
        .expect("a type");
    let resolved = rich
        .client
        .request("completionItem/resolve", string.clone());
    assert_eq!(resolved["documentation"]["kind"], "markdown");
    assert!(completions(&mut rich, "SubAgent").is_empty());
}

#[test]
fn the_preview_shows_what_the_model_sees() {
    let mut editor = editor();
    let mut params = document(&editor);
    params["position"] = json!({"line": 4, "character": 5});
    let preview = editor
        .client
        .request("signature-ls/preview", params.clone());
    assert_eq!(preview["name"], "mail");
    assert_eq!(preview["samples"], 0);
    let prompt = &preview["parts"][0];
    let text = "😀 ‹user.name :string›\n‹items.id :int›\n";
    assert_eq!(prompt["text"], text);
    assert_eq!(prompt["characters"], text.chars().count());
    params["textDocument"]["uri"] = json!("file:///x/nowhere.txt");
    assert!(
        editor
            .client
            .request("signature-ls/preview", params)
            .is_null()
    );
}
