//! Every announced capability, over stdin and stdout.

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
    assert!(target.ends_with("/unknown-type.md"), "{target}");
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

const TOOLS: &str = "Lisp.run(\"(tool/find {:n 2 :q 1})\", tools: %{\"find\" => {&M.f/1, \"(q  :string, n :int?) -> :any\"}})\n";

#[test]
fn calls_are_helped_with() {
    let mut editor = Editor::open("utf-16", TOOLS);
    let help = editor.ask_at("textDocument/signatureHelp", "1})");
    let signature = &help["signatures"][0];
    assert_eq!(signature["label"], "find(q :string, n :int?) -> :any");
    assert_eq!(signature["parameters"][0]["label"], "q :string");
    assert_eq!(help["activeParameter"], 0);
    assert_eq!(
        editor.ask_at("textDocument/signatureHelp", "Lisp"),
        Value::Null
    );

    let capabilities = json!({"textDocument": {"signatureHelp": {"signatureInformation": {
        "parameterInformation": {"labelOffsetSupport": true},
        "activeParameterSupport": true,
    }}}});
    let mut editor = Editor::connect("utf-16", capabilities, TOOLS);
    let help = editor.ask_at("textDocument/signatureHelp", "1})");
    let signature = &help["signatures"][0];
    assert_eq!(signature["parameters"][1]["label"], json!([16, 23]));
    assert_eq!(signature["activeParameter"], 0);
}

#[test]
fn refactorings_come_as_the_client_takes_them() {
    let mut editor = Editor::open("utf-16", TOOLS);
    let all = editor.code_actions("n :int?", Some(&["refactor"]));
    let titles: Vec<_> = all
        .as_array()
        .expect("actions")
        .iter()
        .map(|it| it["title"].clone())
        .collect();
    assert!(titles.contains(&json!("Make `n` required")), "{titles:?}");
    assert!(titles.contains(&json!("Format signature")), "{titles:?}");
    assert_eq!(
        editor.code_actions("n :int?", Some(&["quickfix"])),
        Value::Null
    );
    assert!(editor.code_actions("n :int?", Some(&[])).is_array());

    let mut plain = Editor::connect("utf-16", json!({}), TOOLS);
    let all = plain.code_actions("n :int?", None);
    let format = all
        .as_array()
        .expect("commands")
        .iter()
        .find(|it| it["title"] == "Format signature");
    let format = format.expect("a command");
    assert_eq!(format["command"], "signature-ls.applyEdit");
    let params = json!({"command": format["command"], "arguments": format["arguments"]});
    let id = plain.client.ask("workspace/executeCommand", params);
    let applied = plain.client.receive("workspace/applyEdit");
    let uri = plain.uri.clone();
    assert_eq!(applied["edit"]["changes"][&uri][0]["newText"], " ");
    assert_eq!(plain.client.answer(id)["result"], Value::Null);
}

#[test]
fn all_findings_of_a_kind_are_fixed_at_once() {
    let text = "SubAgent.run(\"a\", signature: \"() -> {a :strng, b :strng}\")\n";
    let action = |editor: &mut Editor| {
        let all = editor.code_actions(":strng", Some(&["quickfix"]));
        let mut all = all.as_array().expect("actions").clone().into_iter();
        all.find(|it| it["title"] == "Fix all `unknown-type` in this file")
            .expect("an action")
    };
    let mut eager = Editor::open("utf-16", text);
    let edits = action(&mut eager)["edit"]["documentChanges"][0]["edits"].clone();
    assert_eq!(edits.as_array().map(Vec::len), Some(2), "{edits}");

    let capabilities = json!({"textDocument": {"codeAction": {
        "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
        "dataSupport": true,
        "resolveSupport": {"properties": ["edit"]},
    }}});
    let mut lazy = Editor::connect("utf-16", capabilities, text);
    let action = action(&mut lazy);
    assert!(action.get("edit").is_none(), "{action}");
    let resolved = lazy.client.request("codeAction/resolve", action);
    let uri = lazy.uri.clone();
    let edits = resolved["edit"]["changes"][&uri].as_array().map(Vec::len);
    assert_eq!(edits, Some(2), "{resolved}");
}

#[test]
fn hints_and_lenses_are_shown_beside_tools() {
    let text = "defmodule M do\n  @spec find(String.t()) :: map()\n  def find(q), do: q\n  def a, do: SubAgent.new(prompt: \"a\", tools: %{\n    \"find\" => &find/1})\nend\n";
    let mut editor = Editor::open("utf-16", text);
    let mut params = document(&editor);
    params["range"] = editor.range(0, text.len());
    let hints = editor.client.request("textDocument/inlayHint", params);
    assert_eq!(hints[0]["label"], "(q :string) -> :map");
    let params = document(&editor);
    let lenses = editor.client.request("textDocument/codeLens", params);
    let lenses = lenses.as_array().expect("lenses").clone();
    let titles = lenses
        .into_iter()
        .map(|it| editor.client.request("codeLens/resolve", it)["command"]["title"].clone());
    let titles: Vec<_> = titles.collect();
    assert!(titles.contains(&json!("What the model sees")), "{titles:?}");
    assert!(
        titles
            .iter()
            .any(|it| it.as_str().is_some_and(|it| it.ends_with("references"))),
        "{titles:?}"
    );
}

#[test]
fn prompt_files_and_catalogs_are_formatted_in_part_too() {
    let mut editor = Editor::open("utf-16", "x = 1\n");
    editor.open_another(
        "tools.sig",
        "signature-catalog",
        "a(x  :int) -> :any\nb(x  :int) -> :any\n",
    );
    let mut params = document(&editor);
    params["range"] = editor.range(0, 5);
    params["options"] = json!({"tabSize": 2, "insertSpaces": true});
    let edits = editor
        .client
        .request("textDocument/rangeFormatting", params.clone());
    assert_eq!(edits.as_array().map(Vec::len), Some(1), "{edits}");
    editor.open_another("lib/a.ex", "elixir", TOOLS);
    params["textDocument"]["uri"] = json!(editor.uri);
    assert_eq!(
        editor
            .client
            .request("textDocument/rangeFormatting", params),
        Value::Null
    );
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
    let parts = preview["parts"].as_array().expect("parts");
    for size in ["characters", "tokens"] {
        let sum = |sum: u64, part: &Value| sum + part[size].as_u64().expect("a size");
        assert_eq!(preview[size], parts.iter().fold(0, sum));
        assert_ne!(preview[size], 0);
    }
    params["textDocument"]["uri"] = json!("file:///x/nowhere.txt");
    assert!(
        editor
            .client
            .request("signature-ls/preview", params)
            .is_null()
    );
}
