//! The server does not use what a client does not support.

use serde_json::{Value, json};

use crate::editor::Editor;

const DOCUMENT: &str = "SubAgent.run(\"{{usr}} {{}}\",\n  signature: \"(user :string, a :strng, b :strng) -> :int\")\n";

/// The capabilities with everything under `path`, and with nothing.
fn capabilities(path: &[&str], value: Value) -> Value {
    path.iter()
        .rev()
        .fold(value, |inner, key| json!({ *key: inner }))
}

fn connect(path: &[&str], value: Value) -> Editor {
    Editor::connect("utf-16", capabilities(path, value), DOCUMENT)
}

fn completions(editor: &mut Editor, place: &str) -> Vec<Value> {
    let list = editor.ask_at("textDocument/completion", place);
    list["items"].as_array().expect("items").clone()
}

#[test]
fn completions_are_what_the_client_takes() {
    let item = ["textDocument", "completion", "completionItem"];
    let snippet = |it: &Value| it["insertTextFormat"] == 2;
    for (value, has_snippets, is_insert_replace, documentation) in [
        (json!({}), false, false, "plaintext"),
        (json!({"snippetSupport": true}), true, false, "plaintext"),
        (json!({"snippetSupport": false}), false, false, "plaintext"),
        (
            json!({"insertReplaceSupport": true}),
            false,
            true,
            "plaintext",
        ),
        (
            json!({"documentationFormat": ["plaintext", "markdown"]}),
            false,
            false,
            "markdown",
        ),
        (
            json!({"documentationFormat": ["plaintext"]}),
            false,
            false,
            "plaintext",
        ),
    ] {
        let mut editor = connect(&item, value.clone());
        // Before the type of `user`.
        let items = completions(&mut editor, ":string, a");
        assert_eq!(items.iter().any(snippet), has_snippets, "{value}");
        for item in &items {
            let edit = &item["textEdit"];
            assert_eq!(
                edit.get("insert").is_some(),
                is_insert_replace,
                "{value}: {item}"
            );
            assert_eq!(
                edit.get("range").is_some(),
                !is_insert_replace,
                "{value}: {item}"
            );
            let text = edit["newText"].as_str().expect("a text");
            assert!(snippet(item) || !text.contains("${"), "{item}");
        }
        let word = items.iter().find(|it| it["label"] == ":int").expect(":int");
        let resolved = editor
            .client
            .request("completionItem/resolve", word.clone());
        assert_eq!(resolved["documentation"]["kind"], documentation, "{value}");
        let text = resolved["documentation"]["value"].as_str().expect("a text");
        assert_eq!(text.contains("```"), documentation == "markdown", "{text}");
    }
}

#[test]
fn hovers_are_what_the_client_reads() {
    for (formats, kind) in [
        (json!(["markdown"]), "markdown"),
        (json!(["plaintext"]), "plaintext"),
        (json!([]), "plaintext"),
    ] {
        let path = ["textDocument", "hover", "contentFormat"];
        let mut editor = connect(&path, formats.clone());
        let hover = editor.ask_at("textDocument/hover", "user :string");
        assert_eq!(hover["contents"]["kind"], kind, "{formats}");
        let text = hover["contents"]["value"].as_str().expect("a text");
        assert_eq!(text.contains("```"), kind == "markdown", "{text}");
        assert!(!text.contains("<details>") || kind == "markdown", "{text}");
    }
}

#[test]
fn actions_are_what_the_client_takes() {
    let literals = json!({"codeActionKind": {"valueSet": []}});
    for (value, is_literal, is_resolved) in [
        (json!({}), false, false),
        (json!({"codeActionLiteralSupport": literals}), true, false),
        (
            json!({"codeActionLiteralSupport": literals, "resolveSupport": {"properties": ["edit"]}}),
            true,
            false,
        ),
        (
            json!({
                "codeActionLiteralSupport": literals,
                "dataSupport": true,
                "resolveSupport": {"properties": ["edit"]},
            }),
            true,
            true,
        ),
    ] {
        let mut editor = connect(&["textDocument", "codeAction"], value.clone());
        editor.diagnostics();
        let actions = editor.code_actions(":strng", None);
        let actions = actions.as_array().expect("actions");
        for action in actions {
            // A command names itself by a text, an action may hold one as an object.
            assert_eq!(
                action["command"].is_string(),
                !is_literal,
                "{value}: {action}"
            );
            assert_eq!(
                action.get("kind").is_some(),
                is_literal,
                "{value}: {action}"
            );
        }
        let later = actions
            .iter()
            .any(|it| is_literal && it.get("edit").is_none());
        assert_eq!(later, is_resolved, "{value}");
        let only = editor.code_actions(":strng", Some(&["refactor.extract"]));
        assert_eq!(only, Value::Null);
        let only = editor.code_actions(":strng", Some(&["quickfix"]));
        for action in only
            .as_array()
            .expect("actions")
            .iter()
            .filter(|_| is_literal)
        {
            assert_eq!(action["kind"], "quickfix");
        }
    }
}

#[test]
fn actions_and_links_have_the_parts_that_the_client_takes() {
    let document = format!("# signature-ls: ignore unused-parameter\n{DOCUMENT}");
    for takes in [false, true] {
        let capabilities = json!({"textDocument": {
            "codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
                "isPreferredSupport": takes,
            },
            "documentLink": {"tooltipSupport": takes},
        }});
        let mut editor = Editor::connect("utf-16", capabilities, &document);
        editor.diagnostics();
        let actions = editor.code_actions(":strng", Some(&["quickfix"]));
        let mut actions = actions.as_array().expect("actions").iter();
        assert_eq!(actions.any(|it| it["isPreferred"] == true), takes);
        let params = json!({"textDocument": {"uri": editor.uri}});
        let links = editor.client.request("textDocument/documentLink", params);
        assert_eq!(links[0].get("tooltip").is_some(), takes, "{links}");
    }
}

#[test]
fn diagnostics_have_the_parts_that_the_client_takes() {
    let duplicate = "SubAgent.run(\"{{a}}\",\n  signature: \"(a :int, a :int, b :int) -> :int\")\n";
    for (value, parts) in [
        (json!({}), &[][..]),
        (json!({"relatedInformation": true}), &["relatedInformation"]),
        (json!({"tagSupport": {"valueSet": [1]}}), &["tags"]),
        (json!({"tagSupport": {"valueSet": [2]}}), &[]),
        (
            json!({"codeDescriptionSupport": true}),
            &["codeDescription"],
        ),
        (json!({"dataSupport": true}), &["data"]),
    ] {
        let path = ["textDocument", "publishDiagnostics"];
        let mut editor = connect(&path, value.clone());
        editor.open_another("lib/b.ex", "elixir", duplicate);
        let found = editor.diagnostics();
        for part in ["relatedInformation", "tags", "codeDescription", "data"] {
            let has = found.iter().any(|it| it.get(part).is_some());
            assert_eq!(has, parts.contains(&part), "{value}: {part} in {found:?}");
        }
        if parts.contains(&"relatedInformation") {
            let mut related = found
                .iter()
                .filter_map(|it| it["relatedInformation"][0].as_object());
            let related = related.next().expect("another place");
            assert_eq!(related["location"]["uri"], editor.uri);
            let first = editor.text.find("a :int").expect("the first");
            assert_eq!(related["location"]["range"], editor.range(first, first + 1));
        }
    }
}

#[test]
fn outlines_are_what_the_client_takes() {
    for (is_nested, value) in [
        (false, json!({})),
        (true, json!({"hierarchicalDocumentSymbolSupport": true})),
    ] {
        let mut editor = connect(&["textDocument", "documentSymbol"], value);
        let params = json!({"textDocument": {"uri": editor.uri}});
        let symbols = editor.client.request("textDocument/documentSymbol", params);
        assert_eq!(symbols[0].get("location").is_none(), is_nested, "{symbols}");
        assert_eq!(
            symbols[0].get("selectionRange").is_some(),
            is_nested,
            "{symbols}"
        );
    }
}

#[test]
fn edits_are_what_the_client_takes() {
    for is_versioned in [false, true] {
        let path = ["workspace", "workspaceEdit", "documentChanges"];
        let mut editor = connect(&path, json!(is_versioned));
        let mut params = json!({"textDocument": {"uri": editor.uri}, "newName": "person"});
        params["position"] = editor.position_of("user :string");
        let edit = editor.client.request("textDocument/rename", params);
        assert_eq!(
            edit.get("documentChanges").is_some(),
            is_versioned,
            "{edit}"
        );
        assert_eq!(edit.get("changes").is_some(), !is_versioned, "{edit}");
    }
}

/// The language ids of editors, and the hosts that the server chooses.
#[test]
fn languages_of_editors_reach_their_host_or_nothing() {
    let elixir = "f(signature: \"(a :strng) -> :int\")\n";
    let lisp = "{:signature \"(a :strng) -> :int\"}\n";
    let fence = "# A\n\n```elixir\nf(signature: \"(a :strng) -> :int\")\n```\n";
    let yaml = "signature: '(a :strng) -> :int'\n";
    let json5 = "{signature: '(a :strng) -> :int', /* c */ 'prompt': '{{a}}',}\n";
    let ml = "signature A =\nsig\n  type t\nend (* sig *)\ntype (b :strng) -> :int\n";
    for (uri, language, text, count) in [
        ("untitled:Untitled-1", "livebook", fence, 1),
        ("file:///a.livemd", "livebook", fence, 1),
        ("untitled:Untitled-2", "mdx", fence, 1),
        ("untitled:Untitled-3", "edn", lisp, 1),
        ("untitled:Untitled-4", "clojurescript", lisp, 1),
        ("file:///a.cljs", "clojurescript", lisp, 1),
        ("untitled:Untitled-5", "json5", json5, 1),
        ("file:///a.json5", "json", json5, 1),
        ("file:///docker-compose.yml", "dockercompose", yaml, 1),
        ("untitled:Untitled-6", "dockercompose", yaml, 1),
        ("vscode-notebook-cell:/x/a.livemd#W0", "elixir", elixir, 1),
        ("vscode-notebook-cell:/x/a.livemd#W1", "markdown", fence, 1),
        ("vscode-notebook-cell:/x/a.ipynb#W2", "python", elixir, 0),
        ("vscode-notebook-cell:/x/a.livemd#W3", "sql", elixir, 0),
        ("untitled:Untitled-7", "rust", elixir, 0),
        ("file:///a.rs", "rust", elixir, 0),
        ("file:///a.sig", "sml", "a(b :strng) -> :int\n", 1),
        ("file:///b.sig", "sml", ml, 0),
        ("git:/x/a.ex?ref", "elixir", elixir, 1),
    ] {
        let mut editor = connect(&["textDocument"], json!({}));
        let item = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        editor
            .client
            .notify("textDocument/didOpen", json!({ "textDocument": item }));
        let params = json!({"textDocument": {"uri": uri}});
        let report = editor
            .client
            .request("textDocument/diagnostic", params.clone());
        let unknown = report["items"].as_array().expect("items").iter();
        let unknown = unknown.filter(|it| it["code"] == "unknown-type");
        assert_eq!(unknown.count(), count, "{uri} {language}: {report}");
        let symbols = editor.client.request("textDocument/documentSymbol", params);
        assert_eq!(!symbols.is_null(), count > 0, "{uri} {language}");
    }
}

/// Outside of signatures, another server answers.
#[test]
fn elsewhere_every_request_answers_null() {
    let text = "defmodule A do\n  def run(x), do: x + 1\nend\n";
    for (path, language, text) in [
        ("lib/other.ex", "elixir", text),
        ("a.rs", "rust", "fn main() { run(1) }\n"),
        ("a.json", "json", "{\"run\": [1, 2], \"x\": \"y\"}\n"),
        ("a.yaml", "yaml", "run: 1\nx:\n  - y\n"),
        ("a.md", "markdown", "# A\n\nTo run it.\n"),
        ("a.clj", "clojure", "(defn run [x] (inc x))\n"),
        ("a.toml", "toml", "run = 1\n"),
    ] {
        let mut editor = connect(&["textDocument"], json!({}));
        editor.open_another(path, language, text);
        for method in [
            "hover",
            "definition",
            "typeDefinition",
            "references",
            "documentHighlight",
            "completion",
            "signatureHelp",
            "prepareRename",
            "linkedEditingRange",
        ] {
            let mut params = json!({"textDocument": {"uri": editor.uri}});
            params["position"] = editor.position_of("run");
            if method == "references" {
                params["context"] = json!({"includeDeclaration": true});
            }
            let method = format!("textDocument/{method}");
            let answer = editor.client.request(&method, params);
            assert_eq!(answer, Value::Null, "{path}: {method}");
        }
        for method in [
            "documentSymbol",
            "foldingRange",
            "codeLens",
            "documentLink",
            "inlayHint",
            "codeAction",
            "semanticTokens/full",
            "semanticTokens/range",
        ] {
            let params = json!({
                "textDocument": {"uri": editor.uri},
                "range": editor.range(0, editor.text.len()),
                "context": {"diagnostics": []},
            });
            let method = format!("textDocument/{method}");
            let answer = editor.client.request(&method, params);
            // Tokens have a result id even if there are none.
            let is_nothing = answer.is_null() || answer["data"] == json!([]);
            assert!(is_nothing, "{path}: {method}: {answer}");
        }
    }
}
